"""Deals whose cards are known. Runs under CPython and in the MicroPython VM."""

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT
from cardrules.last_card import Keeper
from cardrules.last_card.cards import SAID, SYMBOL, name, named
from cardrules.last_card.deal import Deal
from cardrules.last_card.settings import DECK, HAND
from cardrules.prng import Prng

try:
    from typing import Any
except ImportError:
    Any = object

COLOURS = "RYGB"


class Table:
    """A deal whose announcements are checked by the keeper and written down.

    deal, keeper; said: (what, seat, arg) of all announcements; notices: what the keeper told.
    """

    def __init__(
        self, seats: "Any" = 4, dealer: int = 0, rules: "Any" = None, seed: int = 1, random: "Any" = None
    ) -> None:
        """seats: how many, or which. The match is set up and its first round begun, not dealt."""
        self.said: list[tuple[int, int, int]] = []
        self.notices: list[tuple[str, int, int]] = []
        self.keeper: Any = Keeper()
        self.say(says.GAME, NO_SEAT, 1)
        for key in rules or ():
            self.say(says.RULE, NO_SEAT, key << 16 | rules[key])
        for seat in range(seats) if isinstance(seats, int) else seats:
            self.say(says.JOIN, seat, 0)
        self.say(says.DEALER, dealer, 0)
        self.say(says.START, NO_SEAT, 0)
        self.deal: Any = Deal(random if random is not None else Prng(seed), self.keeper, self.say)

    def say(self, what: int, seat: int, arg: int) -> None:
        """Bring an announcement to the keeper, which has to accept it."""
        reason, notices = self.keeper.apply(what, seat, arg)
        assert reason is None, (what, seat, arg, reason)
        self.said.append((what, seat, arg))
        self.notices.extend(notices)

    def deal_out(self, hands: "list[str]", turned: str, then: str = "") -> "Table":
        """Deal these hands, the first player's first; a card is turned up, then so many come from the stock.

        What is not named lies below.
        """
        order = [seat for seat in self.keeper.ring.clockwise_from(self.keeper.dealer)]
        order = [seat for seat in order if self.keeper.ring.is_active(seat)]
        cards = Cards()
        found = [cards.take(hand) for hand in hands]
        upper = cards.take(turned) + cards.take(then)
        for place in range(len(order)):
            if place == len(found):
                found.append([])
            while len(found[place]) < HAND:
                found[place].append(cards.any())
        top_down = [found[place][card] for card in range(HAND) for place in range(len(order))]
        top_down += upper + cards.rest()
        top_down.reverse()
        self.deal.deal(top_down)
        return self

    def put(
        self, hands: "dict[int, str]", pile: str, stock: str = "", rest: "Any" = "stock", colour: str = ""
    ) -> "Table":
        """Put the cards where a situation wants them; every card is somewhere.

        pile: the top card last; stock: the card that is drawn first first; rest: who or what gets all
        other cards: a seat, "stock" (at its bottom) or "pile" (at its bottom); colour: the one called.
        """
        deal = self.deal
        keeper = self.keeper
        cards = Cards()
        top = cards.take(pile)
        drawn = cards.take(stock)
        deal.hands = [cards.take(hands.get(seat, "")) for seat in range(keeper.seats)]
        drawn.reverse()
        if rest == "stock":
            drawn = cards.rest() + drawn
        elif rest == "pile":
            top = cards.rest() + top
        else:
            deal.hands[rest] += cards.rest()
        deal.pile = top
        deal.stock = drawn
        deal._mixed = len(drawn)  # the order is meant, no other may come of it
        keeper.top = SAID[top[-1]]
        keeper.colour = COLOURS.index(colour) if colour else -1
        for seat in range(keeper.seats):
            keeper.counts[seat] = len(deal.hands[seat])
        deal.restore(deal.snapshot())
        self.check()
        return self

    def do(self, *moves: "Any") -> "Table":
        """Do moves, each of which has to be legal: a card's name or a number of deal.py."""
        for move in moves:
            legal = self.deal.legal()
            if isinstance(move, str):
                fitting = [card for card in legal if card < DECK and name(card) == move]
                assert fitting, (move, self.legal())
                move = fitting[0]
            assert move in legal, (move, legal)
            self.deal.do(move)
            self.check()
        return self

    def legal(self) -> "list[Any]":
        """Return the legal moves, cards by name in order, each once."""
        found: list[Any] = []
        for move in self.deal.legal():
            word: Any = name(move) if move < DECK else move
            if word not in found:
                found.append(word)
        cards = sorted([move for move in found if isinstance(move, str)])
        return cards + sorted([move for move in found if not isinstance(move, str)])

    def hand(self, seat: int) -> str:
        """Return a hand by names, the latest card last."""
        return " ".join([name(card) for card in self.deal.hands[seat]])

    def told(self, code: str) -> "list[tuple[int, int]]":
        """Return (seat, value) of all notices with this code."""
        return [(seat, value) for known, seat, value in self.notices if known == code]

    def check(self) -> None:
        """Every card is at one place, and the keeper has counted them as they are."""
        check_cards(self.deal)


def check_cards(deal: "Any") -> None:
    """In a round: 108 cards, each once, no count wrong (R5, R6, K1)."""
    keeper = deal.keeper
    if keeper.phase not in ("play", "colour", "scoring", "scored"):
        return
    found = sorted(deal.stock + deal.pile + [card for hand in deal.hands for card in hand])
    assert found == list(range(DECK)), "a card is lost or doubled"
    assert keeper.counts == [len(hand) for hand in deal.hands], (keeper.counts, deal.hands)
    assert keeper.stock == len(deal.stock) + len(deal.pile) - 1 >= 0
    assert deal.pile and min(keeper.counts) >= 0 and keeper.owed >= 0


class Cards:
    """A deck from which cards are taken by name."""

    def __init__(self) -> None:
        self.left = list(range(DECK))

    def take(self, names: str) -> "list[int]":
        """Take the cards with these names, separated by blanks."""
        found = []
        for text in names.split():
            card = [each for each in named(text) if each in self.left][0]
            self.left.remove(card)
            found.append(card)
        return found

    def any(self) -> int:
        """Take a number card."""
        card = [each for each in self.left if SYMBOL[each] < 10][0]
        self.left.remove(card)
        return card

    def rest(self) -> "list[int]":
        """Take all that are left."""
        found = self.left
        self.left = []
        return found


def by_name(cards: "list[int]") -> str:
    """Return cards by names in order."""
    return " ".join(sorted([name(card) for card in cards]))
