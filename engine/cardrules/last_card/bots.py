"""Programs that play Last Card, at three levels; the hints H1 to H5 are those of docs/rules/last_card.md.

A bot is shown a View and nothing else, so it knows what a person in its seat could know.
"""

from cardrules.last_card.cards import (
    COLOUR,
    COLOURS,
    NO_COLOUR,
    PLUS_TWO,
    POINTS,
    SKIP,
    SYMBOL,
    fits,
)
from cardrules.last_card.deal import NAME
from cardrules.last_card.settings import DECK
from cardrules.prng import Prng

try:
    from cardrules.last_card.deal import View
except ImportError:
    pass

LEVELS = ("easy", "medium", "hard")
"""What Bot() takes, the weakest first."""

# What hard weighs, in hundredths of a card.
WILD_KEPT = 300
ACTION_KEPT = 60
ACTION_NOW = 150
FOLLOWS = 40
HEAVY = 4
LACKING = 60
FEW = 2


class Bot:
    """A player without a memory of its own: what it has seen stands in the View.

    level: one of LEVELS. random: what easy leaves to chance; the other levels decide everything.
    """

    def __init__(self, level: str, random: Prng) -> None:
        if level not in LEVELS:
            raise ValueError("no such level: " + str(level))
        self.level = level
        self.random = random

    def move(self, view: "View") -> int:
        """Return one of view.moves. Raises ValueError when there is none, as out of turn."""
        if not view.moves:
            raise ValueError("this seat has no move")
        if self.level == "easy":
            return _easy(view, self.random)
        return _medium(view) if self.level == "medium" else _hard(view)


def _easy(view: "View", random: Prng) -> int:
    """Whatever matches; draws only when nothing does."""
    if view.colour == NO_COLOUR:
        return NAME + random.below(COLOURS)
    cards = [move for move in view.moves if move < DECK]
    return cards[random.below(len(cards))] if cards else view.moves[-1]


def _medium(view: "View") -> int:
    """Wilds last (H1), the heaviest of the others first, the colour held most (H2)."""
    if view.colour == NO_COLOUR:
        return NAME + _most_held(view.hand)
    best = view.moves[-1]
    most = -1
    for card in view.moves:
        if card < DECK:
            rating = 0 if COLOUR[card] == NO_COLOUR else 1 + POINTS[card]
            if rating > most:
                best = card
                most = rating
    return best


def _most_held(hand: "list[int]") -> int:
    """Return the colour of which a hand holds most cards, the first one if there are several (H2)."""
    held = [0] * (COLOURS + 1)
    for card in hand:
        held[COLOUR[card]] += 1
    return held.index(max(held[:COLOURS]))


def _hard(view: "View") -> int:
    if view.colour == NO_COLOUR:
        return NAME + _best_colour(view)
    best = view.moves[-1]
    most = -1000000
    for card in view.moves:
        if card < DECK:
            rating = _rate(view, card)
            if rating > most:
                best = card
                most = rating
    return best


def _best_colour(view: "View") -> int:
    """H2, H5."""
    best = 0
    most = -1
    for colour in range(COLOURS):
        rating = 0
        for card in view.hand:
            if COLOUR[card] == colour:
                rating += 100 + HEAVY * POINTS[card]
        if view.lacks[view.order[0]] >> colour & 1:
            rating += LACKING
        if rating > most:
            best = colour
            most = rating
    return best


def _rate(view: "View", card: int) -> int:
    symbol = SYMBOL[card]
    colour = COLOUR[card]
    following = view.order[0]
    least = min([view.counts[seat] for seat in view.order if seat != view.seat])
    rating = 0
    if colour == NO_COLOUR:
        rating -= WILD_KEPT  # H1
        if least <= FEW:
            rating += WILD_KEPT // 2
    else:
        for other in view.hand:
            if other != card and COLOUR[other] != NO_COLOUR and fits(other, colour, symbol):
                rating += FOLLOWS
        if view.lacks[following] >> colour & 1:
            rating += LACKING  # H5
    if len(view.order) > 2 and symbol in (SKIP, PLUS_TWO):
        rating += ACTION_NOW if view.counts[following] <= FEW else -ACTION_KEPT  # H3
    if least <= FEW:
        rating += HEAVY * POINTS[card]  # H4
    else:
        rating += POINTS[card]
    return rating
