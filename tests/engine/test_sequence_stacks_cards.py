"""The cards of Sequence Stacks and what fits where. Runs under CPython and in the MicroPython VM."""

from cardrules.sequence_stacks.cards import (
    ALL,
    BLOCK,
    BLUE,
    COLOUR,
    FACE,
    NO_COLOUR,
    OF_TWO,
    PRINTED,
    RED,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
    TAKEN_OUT,
    WILD,
    fits,
    name,
    named,
)
from cardrules.sequence_stacks.settings import BANK, DECK, DECK_OF_TWO, HAND

ACTIONS = ("skip", "reverse", "steal_card", "block", "steal_chip")


def counted(pack: "tuple[int, ...]") -> "list[int]":
    """Return how many of each action card a pack has."""
    return [len([card for card in pack if name(card) == action]) for action in ACTIONS]


def test_the_pack() -> None:
    """Worked example 1, R4, R5, R6, R9, A1, A5: 120 cards, for two players 112."""
    assert len(COLOUR) == len(FACE) == len(PRINTED) == len(ALL) == DECK == 120
    for letter in "RB":
        for number in "12345":
            assert len(named(letter + number)) == 9
        assert len(named(letter + "W")) == 7
    assert len([card for card in ALL if 1 <= FACE[card] <= 5]) == 90
    assert len([card for card in ALL if FACE[card] == WILD]) == 14
    assert counted(ALL) == [3, 3, 3, 3, 4] and counted(OF_TWO) == [2, 0, 2, 2, 2]
    assert len([card for card in ALL if COLOUR[card] == NO_COLOUR]) == 16
    assert BANK * 2 == 40 and HAND == 5


def test_the_pack_of_two() -> None:
    """R10, A4: eight action cards are taken out, all Reverses among them."""
    assert len(OF_TWO) == DECK_OF_TWO == 112 and len(TAKEN_OUT) == 8
    assert sorted(OF_TWO + TAKEN_OUT) == list(ALL)
    assert counted(TAKEN_OUT) == [1, 3, 1, 1, 2]
    assert len([card for card in OF_TWO if COLOUR[card] != NO_COLOUR]) == 104


def test_the_colours_in_which_cards_are_printed() -> None:
    """R7, A1: sixty of each colour, of two players 56; in play an action card has none."""
    assert sum(PRINTED) == 60 and sum([PRINTED[card] for card in OF_TWO]) == 56
    for card in ALL:
        if COLOUR[card] != NO_COLOUR:
            assert PRINTED[card] == COLOUR[card]
    blue = [sum([PRINTED[card] for card in named(action)]) for action in ACTIONS]
    assert blue == [2, 1, 2, 1, 2]


def test_names() -> None:
    seen = []
    for card in ALL:
        text = name(card)
        assert card in named(text)
        if text not in seen:
            seen.append(text)
    assert len(seen) == 2 * 6 + 5
    faces = (SKIP, REVERSE, STEAL_CARD, BLOCK, STEAL_CHIP)
    for place in range(5):
        assert [FACE[card] for card in named(ACTIONS[place])] == [faces[place]] * len(named(ACTIONS[place]))
    for wrong in ("", "R0", "R6", "G1", "W", "5B", "r5", "Skip", "steal"):
        refused = False
        try:
            named(wrong)
        except ValueError:
            refused = True
        assert refused, wrong


def test_what_fits_on_a_pile() -> None:
    """R15, R28: every card on every pile, by their names instead of their numbers."""
    for colour in (RED, BLUE):
        letter = "RB"[colour]
        for height in range(5):
            fitting = {letter + str(height + 1), letter + "W"}
            for card in ALL:
                assert fits(card, colour, height) == (name(card) in fitting), (name(card), colour, height)
