"""The 120 cards of Sequence Stacks, which of them two players use, and what fits where (R4-R10, R15, R28).

A card is a number from 0 to 119. The nine red fours, for instance, have nine numbers, so that no card
can come into a game twice unnoticed.
"""

from cardrules.sequence_stacks.settings import ACTIONS, COPIES, DECK, NUMBERS, WILDS

COLOURS = 2
RED, BLUE = 0, 1
NO_COLOUR = 2
"""Colour of an action card (A1)."""

WILD = NUMBERS + 1
SKIP, REVERSE, STEAL_CARD, BLOCK, STEAL_CHIP = 7, 8, 9, 10, 11
"""Faces beside the numbers 1 to 5."""
FACES = 12

_PRINTED = ((1, 0, 1), (1, 0, 0), (1, 0, 1), (1, 0, 0), (1, 0, 1, 0))
"""In which colours the action cards are printed, so that both packs have as many of each (A1)."""


def _deck() -> "list[tuple[int, int, int]]":
    """Return (colour, face, colour in which it is printed) of each card (R5, R6)."""
    cards = []
    for colour in range(COLOURS):
        for face in range(1, NUMBERS + 1):
            cards.extend([(colour, face, colour)] * COPIES)
        cards.extend([(colour, WILD, colour)] * WILDS)
    for place in range(len(ACTIONS)):
        for printed in _PRINTED[place]:
            cards.append((NO_COLOUR, SKIP + place, printed))
    return cards


def _taken_out() -> "list[int]":
    """Return the cards that two players do without: of each kind the last ones (R10)."""
    found: list[int] = []
    last = DECK
    for place in range(len(ACTIONS) - 1, -1, -1):
        _, cards, of_two = ACTIONS[place]
        found.extend(range(last - cards + of_two, last))
        last -= cards
    return sorted(found)


# Tuples, not bytes: they are looked up in every move.
COLOUR = tuple([colour for colour, _, _ in _deck()])
"""Colour of each card: 0 red, 1 blue, NO_COLOUR."""
FACE = tuple([face for _, face, _ in _deck()])
"""Face of each card: 1 to 5, or one of those above."""
PRINTED = tuple([printed for _, _, printed in _deck()])
"""Colour in which each card is printed: 0 red, 1 blue. Means nothing in play (A1)."""

TAKEN_OUT = tuple(_taken_out())
"""The cards that are not in the pack when two play (R10, A4)."""
ALL = tuple(range(DECK))
OF_TWO = tuple([card for card in ALL if card not in TAKEN_OUT])
"""The pack of two players."""

_WORDS = ("", "1", "2", "3", "4", "5", "W") + tuple([action for action, _, _ in ACTIONS])
_LETTERS = "RB"


def fits(card: int, colour: int, height: int) -> bool:
    """May the card go on a pile of this colour that has come so far? height: 0 to 4; 0: it begins one.

    R15, R28: the next number, or a wild of the colour.
    """
    return COLOUR[card] == colour and FACE[card] in (height + 1, WILD)


def name(card: int) -> str:
    """Return a card in letters: R4, BW (blue wild), skip, reverse, steal_card, block, steal_chip."""
    word = _WORDS[FACE[card]]
    return word if COLOUR[card] == NO_COLOUR else _LETTERS[COLOUR[card]] + word


def named(text: str) -> "list[int]":
    """Return the cards that have this name(). Raises ValueError if there are none."""
    found = [card for card in range(DECK) if name(card) == text]
    if not found:
        raise ValueError("no such card: " + text)
    return found
