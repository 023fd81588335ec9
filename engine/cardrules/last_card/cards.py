"""The 108 cards of Last Card, and which of them fit on which (R5-R8, R14, R22, R23, R31).

A card is a number from 0 to 107. The two cards of a face, a red 5 for instance, have two numbers, so
that no card can come into a game twice unnoticed.
"""

from cardrules.last_card import says
from cardrules.last_card.settings import ACTION, DECK, KIND_POINTS, WILD_CARD

COLOURS = 4
NO_COLOUR = 4
"""Colour of a wild; also of a pile whose wild has not been given one yet."""

SKIP, REVERSE, PLUS_TWO, WILD, PLUS_FOUR = 10, 11, 12, 13, 14
"""Symbols beside the numbers 0 to 9."""
SYMBOLS = 15

_SAID = (says.SKIP, says.REVERSE, says.PLUS_TWO, says.WILD, says.PLUS_FOUR)
_LETTERS = "RYGB"
_SIGNS = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2", "W", "+4")


def _deck() -> "list[tuple[int, int]]":
    """Return (colour, symbol) of each card (R5, R6)."""
    cards = []
    for colour in range(COLOURS):
        for symbol in range(PLUS_TWO + 1):
            cards.extend([(colour, symbol)] * (2 if symbol else 1))
    for symbol in (WILD, PLUS_FOUR):
        cards.extend([(NO_COLOUR, symbol)] * 4)
    return cards


# Tuples, not bytes: they are looked up in every move.
COLOUR = tuple([colour for colour, _ in _deck()])
"""Colour of each card: 0 red, 1 yellow, 2 green, 3 blue, NO_COLOUR."""
SYMBOL = tuple([symbol for _, symbol in _deck()])
"""Symbol of each card: 0 to 9, or one of those above."""
KIND = tuple([symbol if symbol < SKIP else ACTION if symbol < WILD else WILD_CARD for symbol in SYMBOL])
"""Kind of each card, as hands are entered by kinds."""
POINTS = tuple([KIND_POINTS[kind] for kind in KIND])
"""What each card counts for the winner of the round (R27)."""
SAID = tuple([says.DONE if symbol < SKIP else _SAID[symbol - SKIP] for symbol in SYMBOL])
"""The announcement by which each card is played."""


def fits(card: int, colour: int, symbol: int) -> bool:
    """May the card go on a pile that asks for this colour and shows this symbol? (R14, R22, R23)

    After a wild the colour asked for is the one that was named.
    """
    return COLOUR[card] in (colour, NO_COLOUR) or SYMBOL[card] == symbol


def _row(colour: int, symbol: int) -> "tuple[bool, ...]":
    return tuple([fits(card, colour, symbol) for card in range(DECK)])


ON_CARD = tuple([None if SYMBOL[top] >= WILD else _row(COLOUR[top], SYMBOL[top]) for top in range(DECK)])
"""ON_CARD[top][card]: fits() on this top card. None for a wild: it needs a colour first."""

ON_COLOUR = tuple([_row(colour, SYMBOLS) for colour in range(COLOURS)])
"""ON_COLOUR[colour][card]: fits() on a wild whose colour is named."""

ANSWERS = tuple([tuple([each == symbol for each in SYMBOL]) for symbol in range(SYMBOLS)])
"""ANSWERS[symbol][card]: may the card be played on pending cards of that symbol? (R31, A13)"""


def name(card: int) -> str:
    """Return a card in letters: R5, YS (Skip), GR (Reverse), B+2, W, +4."""
    colour = COLOUR[card]
    sign = _SIGNS[SYMBOL[card]]
    return sign if colour == NO_COLOUR else _LETTERS[colour] + sign


def named(text: str) -> "list[int]":
    """Return the cards that have this name(). Raises ValueError if there are none."""
    found = [card for card in range(DECK) if name(card) == text]
    if not found:
        raise ValueError("no such card: " + text)
    return found
