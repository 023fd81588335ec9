"""Programs that play Last Card at three levels; the hints H1 to H5 are those of docs/rules/last_card.md.

A bot is shown a View and nothing else: it knows what a person in its seat could know. It remembers
nothing; what there is to remember, such as who drew on which colour, stands in the View.
"""

from cardrules.last_card.cards import (
    COLOUR,
    COLOURS,
    NO_COLOUR,
    PLUS_FOUR,
    PLUS_TWO,
    POINTS,
    REVERSE,
    SKIP,
    SYMBOL,
    SYMBOLS,
    WILD,
)
from cardrules.last_card.deal import DRAW, KEEP, NAME
from cardrules.last_card.settings import DECK
from cardrules.prng import Prng

try:
    from cardrules.last_card.deal import View
except ImportError:
    pass

LEVELS = ("easy", "medium", "hard")
"""What Bot() takes, the weakest first."""


class Bot:
    """A player. level: one of LEVELS. random: for easy, the one level that leaves anything to chance."""

    def __init__(self, level: str, random: Prng) -> None:
        """Raises ValueError if there is no such level."""
        if level not in LEVELS:
            raise ValueError("a bot plays " + ", ".join(LEVELS) + ", not " + str(level))
        self.level = level
        self.random = random

    def move(self, view: "View") -> int:
        """Return one of view.moves. Raises ValueError if there are none, because it is not on turn."""
        moves: list[int] = view.moves
        if not moves:
            raise ValueError("a bot is asked only when its seat is on turn")
        if len(moves) == 1:
            return moves[0]
        if self.level == "easy":
            return _whatever_fits(moves, self.random)
        if self.level == "medium":
            return _heaviest(view)
        return _Turn(view).best()


# Easy.


def _whatever_fits(moves: "list[int]", random: Prng) -> int:
    """Any card that fits, any colour; draw and keep only when nothing fits."""
    liked = [move for move in moves if move != DRAW and move != KEEP]
    return liked[random.below(len(liked))] if liked else moves[0]


# Medium.


def _heaviest(view: "View") -> int:
    """The heaviest card, but wilds last (H1); the colour held most (H2). Draws only when nothing fits."""
    if view.moves[0] >= NAME:
        return NAME + _most_held(view.hand)
    best: int = view.moves[-1]
    most = -1
    for card in view.moves:
        if card < DECK:
            weight = POINTS[card] if COLOUR[card] != NO_COLOUR else 0
            if weight > most:
                best = card
                most = weight
    return best


def _most_held(hand: "list[int]") -> int:
    """Return the colour of which the hand holds most cards, the first of several."""
    held = [0] * (COLOURS + 1)
    for card in hand:
        held[COLOUR[card]] += 1
    return held.index(max(held[:COLOURS]))


# Hard follows each way to play its turn to the end and rates what it leaves. The weights are tenths of a
# point of the round's score, from its own side: (between two, with more players). They were found by
# playing: what rounds that went on from such a position came to, rounded.

NUMBER_HELD = (-38, -96)
"""A number card in hand."""
ACTION_HELD = (25, -80)
"""A Skip or Reverse in hand (H3)."""
PLUS_TWO_HELD = (100, -75)
"""A Plus Two in hand (H3)."""
WILD_HELD = (122, 22)
"""A Wild in hand (H1)."""
PLUS_FOUR_HELD = (383, 70)
"""A Wild Plus Four in hand (H1, H3)."""
LATE_WILD = (-146, -85)
"""Each wild in hand once somebody is about to go out: it may cost 50 (H4)."""
TEN_POINTS_HELD = (-23, -3)
"""Each ten points in hand: what somebody else would win (H4)."""
COLOUR_HELD = (-49, -8)
"""Each colour in hand: few colours are easier to follow (H2)."""
SYMBOL_AGAIN = (39, 8)
"""Each symbol in hand that is there twice or more: a bridge between colours."""
FOLLOWS = (1, 12)
"""Each card in hand of the colour that the pile asks for (H2)."""
GOES_ON = (50, 68)
"""There is a card in hand that fits on the pile as it stands (H2)."""
NEXT_HOLDS = ((0, -159, -11, 66, 115, 144, 173), (0, -312, -68, 18, 24, 30, 36))
"""How many cards the seat that plays next holds (H3)."""
NEXT_CARD = (29, 0)
"""Each card of that seat beyond the table above."""
OTHER_HOLDS = (0, -91, -8)
"""Each other seat that holds one card, or two."""
NEXT_STUCK = ((0, 246, 160, 90), (0, 313, 181, 62))
"""The seat that plays next cannot follow, by its cards, three standing for more (H5)."""
NEXT_LACKS = (34, 0)
"""The seat that plays next drew on this colour last (H5)."""
LAST = (20, 168)
"""One card is left in hand."""
MANY = (0, 60)
"""Each card in hand beyond MANY_FROM: a big hand is not that much worse with every card."""
MANY_FROM = 5
DRAWING = (-50, -150)
"""Drawing instead of playing, and having to draw at the end of a row of cards."""
TAKING = (-40, -60)
"""Each card taken from a stack."""

WON = 1000000
"""The hand is empty."""

FEW = 2
"""Somebody who holds so many cards is about to go out."""
MOST_PLANS = 12
"""Extra turns that are followed in one decision, so that it stays cheap with many cards in hand."""

_IN_COLOUR = [COLOUR.count(colour) for colour in range(COLOURS + 1)]
_IN_SYMBOL = [SYMBOL.count(symbol) for symbol in range(SYMBOLS)]


class _Turn:
    """One decision of hard.

    Positions are told by hand, colour and symbol of the pile, and `others`: the other seats in the order
    of play, each as its number of cards << COLOURS | bit mask of the colours that it lacks (H5).
    """

    def __init__(self, view: "View") -> None:
        self._view = view
        self._more = 1 if len(view.order) > 2 else 0
        self._others = [view.counts[seat] << COLOURS | view.lacks[seat] for seat in view.order[:-1]]
        self._plans = 0
        # How many cards of each colour and symbol are somewhere out of sight.
        colours = list(_IN_COLOUR)
        symbols = list(_IN_SYMBOL)
        for card in view.hand:
            colours[COLOUR[card]] -= 1
            symbols[SYMBOL[card]] -= 1
        for card in view.pile:
            colours[COLOUR[card]] -= 1
            symbols[SYMBOL[card]] -= 1
        self._colours = colours
        self._symbols = symbols
        self._unseen = max(1, sum(colours))

    def best(self) -> int:
        """Return the move that leaves the best position, the first of several."""
        view = self._view
        best: int = view.moves[-1]
        most = None
        for move in view.moves:
            rating = self._rate(move)
            if most is None or rating > most:
                best = move
                most = rating
        return best

    def _rate(self, move: int) -> int:
        view = self._view
        others = self._others
        if move < DECK:
            return self._played(view.hand, move, others, view.owed)
        if move >= NAME:
            if len(view.pile) == 1:  # turned up: the turn itself is still to come (R12)
                return self._go_on(view.hand, move - NAME, view.symbol, others)
            return self._acted(view.hand, move - NAME, view.symbol, others, view.owed)
        rating = self._worth(view.hand, view.colour, view.symbol, others)
        owed: int = view.owed
        if owed:
            return rating + TAKING[self._more] * owed
        return rating + DRAWING[self._more] if move == DRAW else rating

    def _played(self, hand: "list[int]", card: int, others: "list[int]", owed: int) -> int:
        """Rate the position after this card."""
        rest = list(hand)
        rest.remove(card)
        symbol = SYMBOL[card]
        if not rest:
            return WON
        if symbol < WILD:
            return self._acted(rest, COLOUR[card], symbol, others, owed)
        return max([self._acted(rest, colour, symbol, others, owed) for colour in range(COLOURS)])

    def _acted(self, hand: "list[int]", colour: int, symbol: int, others: "list[int]", owed: int) -> int:
        """Rate the position when a card has been played, after what it does to the others (R19-R24).

        A stack is taken to be taken: whether somebody can answer is not known.
        """
        if symbol < SKIP or symbol == WILD:
            return self._worth(hand, colour, symbol, others)
        if symbol == REVERSE:
            others = others[:]
            others.reverse()
        else:
            following = others[0]
            if symbol == PLUS_TWO:
                following = (following >> COLOURS) + owed + 2 << COLOURS
            elif symbol == PLUS_FOUR:
                following = (following >> COLOURS) + owed + 4 << COLOURS
            others = others[1:] + [following]
        if self._more or self._plans == MOST_PLANS:
            return self._worth(hand, colour, symbol, others)
        self._plans += 1
        return self._go_on(hand, colour, symbol, others)

    def _go_on(self, hand: "list[int]", colour: int, symbol: int, others: "list[int]") -> int:
        """Rate another turn of one's own: the best card, or drawing."""
        most = None
        for card in hand:
            if COLOUR[card] == colour or SYMBOL[card] == symbol or COLOUR[card] == NO_COLOUR:
                rating = self._played(hand, card, others, 0)
                if most is None or rating > most:
                    most = rating
        if most is None:
            return self._worth(hand, colour, symbol, others) + DRAWING[self._more]
        return most

    def _worth(self, hand: "list[int]", colour: int, symbol: int, others: "list[int]") -> int:
        """Rate a position in which the first of the others is on turn."""
        more = self._more
        held = [0] * (COLOURS + 1)
        symbols = [0] * SYMBOLS
        points = 0
        for card in hand:
            held[COLOUR[card]] += 1
            symbols[SYMBOL[card]] += 1
            points += POINTS[card]
        least = min(others) >> COLOURS
        wilds = symbols[WILD] + symbols[PLUS_FOUR]
        actions = symbols[SKIP] + symbols[REVERSE]
        rating = TEN_POINTS_HELD[more] * points // 10  # H4
        rating += NUMBER_HELD[more] * (len(hand) - wilds - actions - symbols[PLUS_TWO])
        rating += ACTION_HELD[more] * actions + PLUS_TWO_HELD[more] * symbols[PLUS_TWO]  # H3
        rating += WILD_HELD[more] * symbols[WILD] + PLUS_FOUR_HELD[more] * symbols[PLUS_FOUR]  # H1
        if least <= FEW:
            rating += LATE_WILD[more] * wilds  # H4
        if len(hand) == 1:
            rating += LAST[more]
        elif len(hand) > MANY_FROM:
            rating += MANY[more] * (len(hand) - MANY_FROM)
        for number in held[:COLOURS]:
            if number:
                rating += COLOUR_HELD[more]  # H2
        for number in symbols:
            if number > 1:
                rating += SYMBOL_AGAIN[more]
        rating += FOLLOWS[more] * held[colour]  # H2
        if held[colour] or symbols[symbol] or wilds:
            rating += GOES_ON[more]  # H2
        return rating + self._others_worth(colour, symbol, others)

    def _others_worth(self, colour: int, symbol: int, others: "list[int]") -> int:
        """Rate how far the others are, and whether the first of them can follow (H3, H5)."""
        more = self._more
        cards = others[0] >> COLOURS
        table = NEXT_HOLDS[more]
        last = len(table) - 1
        rating = table[cards] if cards <= last else table[last] + NEXT_CARD[more] * (min(cards, 12) - last)
        fitting = self._symbols[symbol] + self._colours[NO_COLOUR]
        if not others[0] >> colour & 1:
            fitting += self._colours[colour]
        misses = max(0, self._unseen - fitting)
        stuck = NEXT_STUCK[more][min(cards, 3)]
        for _ in range(min(cards, 12)):
            stuck = stuck * misses // self._unseen
        rating += stuck
        for other in others[1:]:
            if other >> COLOURS <= FEW:
                rating += OTHER_HOLDS[other >> COLOURS]
        return rating
