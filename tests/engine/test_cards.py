"""The cards of Last Card and what fits on what. Runs under CPython and in the MicroPython VM."""

from cardrules.last_card import says
from cardrules.last_card.cards import (
    ANSWERS,
    COLOUR,
    KIND,
    NO_COLOUR,
    PLUS_FOUR,
    PLUS_TWO,
    POINTS,
    SAID,
    SYMBOL,
    WILD,
    fits,
    name,
    named,
)
from cardrules.last_card.settings import DECK, KIND_CARDS, KIND_POINTS, MOST_POINTS

RED, YELLOW, GREEN, BLUE = 0, 1, 2, 3


def card(text: str) -> int:
    return named(text)[0]


def on(top: str, text: str, called: int = NO_COLOUR) -> bool:
    """May this card go on that one? called: the colour named for a wild."""
    pile = card(top)
    colour = COLOUR[pile] if called == NO_COLOUR else called
    return fits(card(text), colour, SYMBOL[pile])


def test_the_deck() -> None:
    """Worked example 1, R3, R5, R6: 108 cards, 25 a colour, eight wilds; 1240 points."""
    assert len(COLOUR) == len(SYMBOL) == len(KIND) == len(POINTS) == len(SAID) == DECK == 108
    for colour in range(4):
        letter = "RYGB"[colour]
        mine = [each for each in range(DECK) if COLOUR[each] == colour]
        assert len(mine) == 25
        assert sum([POINTS[each] for each in mine]) == 210
        assert len(named(letter + "0")) == 1
        for sign in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2"):
            assert len(named(letter + sign)) == 2, sign
    assert len(named("W")) == len(named("+4")) == 4
    wilds = [each for each in range(DECK) if COLOUR[each] == NO_COLOUR]
    assert sorted(named("W") + named("+4")) == wilds and len(wilds) == 8
    assert sum([POINTS[each] for each in wilds]) == 400
    assert sum(POINTS) == MOST_POINTS == 1240
    for number in range(1, 10):
        assert len([each for each in SYMBOL if each == number]) == 8
    assert len([each for each in SYMBOL if each == 0]) == 4
    for symbol in (10, 11, 12):
        assert len([each for each in SYMBOL if each == symbol]) == 8


def test_what_each_card_counts() -> None:
    """R27: face value, 20 for a card that acts, 50 for a wild."""
    for text, points in (("R0", 0), ("B9", 9), ("YS", 20), ("GR", 20), ("R+2", 20), ("W", 50), ("+4", 50)):
        for each in named(text):
            assert POINTS[each] == points


def test_kinds_by_which_hands_are_entered() -> None:
    """K10: the kinds that a table enters have the number and the points that the cards have."""
    for kind in range(len(KIND_CARDS)):
        mine = [each for each in range(DECK) if KIND[each] == kind]
        assert len(mine) == KIND_CARDS[kind]
        for each in mine:
            assert POINTS[each] == KIND_POINTS[kind]


def test_names() -> None:
    seen = []
    for each in range(DECK):
        text = name(each)
        assert each in named(text)
        if text not in seen:
            seen.append(text)
    assert len(seen) == 4 * 13 + 2
    for wrong in ("", "R10", "G", "4+", "P5", "R+4", "r5"):
        refused = False
        try:
            named(wrong)
        except ValueError:
            refused = True
        assert refused, wrong


def test_how_each_card_is_announced() -> None:
    for text, what in (
        ("R0", says.DONE),
        ("B9", says.DONE),
        ("GS", says.SKIP),
        ("YR", says.REVERSE),
        ("B+2", says.PLUS_TWO),
        ("W", says.WILD),
        ("+4", says.PLUS_FOUR),
    ):
        for each in named(text):
            assert SAID[each] == what


def test_what_fits_on_red_five_and_red_skip() -> None:
    """Worked example 10, R14, R22: colour, number or symbol; R25: wilds always."""
    for text in ("RS", "B5", "W", "+4", "R0", "R5", "R+2", "RR", "Y5"):
        assert on("R5", text), text
    for text in ("BS", "B4", "Y+2", "GR", "G0"):
        assert not on("R5", text), text
    assert on("RS", "BS") and not on("RS", "BR") and not on("RS", "B+2")


def test_after_a_wild_only_the_colour_called_counts() -> None:
    """Worked example 11, R23, R24: after a Wild with yellow called."""
    for top in ("W", "+4"):
        for text in ("Y2", "YS", "W", "+4"):
            assert on(top, text, YELLOW), text
        for text in ("R2", "GS", "B+2", "R0"):
            assert not on(top, text, YELLOW), text


def test_what_fits_whatever_lies_there() -> None:
    """R14, R22, R23, R25, for every card on every pile, by their names instead of their numbers."""
    for below in range(DECK):
        pile = name(below)
        for called in "RYGB" if pile in ("W", "+4") else pile[0]:
            colour = "RYGB".index(called)
            for each in range(DECK):
                text = name(each)
                wild = text in ("W", "+4")
                same = pile not in ("W", "+4") and text[1:] == pile[1:]
                assert fits(each, colour, SYMBOL[below]) == (wild or text[0] == called or same), (pile, text)


def test_a_wild_without_a_colour_takes_wilds_only() -> None:
    """R12: a Wild turned up waits for its colour; nothing but a wild would fit before."""
    for each in range(DECK):
        assert fits(each, NO_COLOUR, WILD) == (COLOUR[each] == NO_COLOUR)


def test_what_answers_a_stack() -> None:
    """R31, A13: the same plus card whatever its colour, nothing else."""
    for each in range(DECK):
        assert ANSWERS[PLUS_TWO][each] == (name(each)[1:] == "+2")
        assert ANSWERS[PLUS_FOUR][each] == (name(each) == "+4")
