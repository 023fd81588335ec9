"""Deals of Sequence Stacks whose cards are known. Runs under CPython and in the MicroPython VM."""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.prng import Prng
from cardrules.sequence_stacks import Keeper
from cardrules.sequence_stacks.cards import COLOUR, FACE, STEAL_CARD, STEAL_CHIP, WILD, name, named
from cardrules.sequence_stacks.deal import DISCARD, LET, Deal, card_of, target_of
from cardrules.sequence_stacks.settings import HAND

try:
    from typing import Any
except ImportError:
    Any = object


def word(move: int) -> str:
    """Return a move in a word: R4, RW>1 (a wild to place 1), steal_card>3, steal_chip>3b, -R4, let."""
    if move >= LET:
        return "let"
    card = card_of(move)
    text = name(card)
    if move >= DISCARD:
        return "-" + text
    target = target_of(move)
    if FACE[card] == WILD or FACE[card] == STEAL_CARD:
        return text + ">" + str(target)
    if FACE[card] == STEAL_CHIP:
        return text + ">" + str(target >> 1) + "rb"[target & 1]
    return text


class Table:
    """A deal whose announcements are checked by the keeper and written down.

    deal, keeper; said: (what, seat, arg) of all announcements; notices: what the keeper told.
    """

    def __init__(self, seats: "Any" = 4, dealer: int = 0, seed: int = 1, random: "Any" = None) -> None:
        """seats: how many, or which. The match is set up and begun, not dealt."""
        self.said: list[tuple[int, int, int]] = []
        self.notices: list[tuple[str, int, int]] = []
        self.keeper: Any = Keeper()
        self.say(common.GAME, NO_SEAT, 2)
        for seat in range(seats) if isinstance(seats, int) else seats:
            self.say(common.JOIN, seat, 0)
        self.say(common.DEALER, dealer, 0)
        self.say(common.START, NO_SEAT, 0)
        self.deal: Any = Deal(random if random is not None else Prng(seed), self.keeper, self.say)

    def say(self, what: int, seat: int, arg: int) -> None:
        """Bring an announcement to the keeper, which has to accept it."""
        reason, notices = self.keeper.apply(what, seat, arg)
        assert reason is None, (what, seat, arg, reason)
        self.said.append((what, seat, arg))
        self.notices.extend(notices)

    def deal_out(self, hands: "list[str]", then: str = "") -> "Table":
        """Deal these hands, the first player's first; then come these cards from the draw pile.

        What is not named lies below.
        """
        self.deal.deal()
        cards = Cards(self.deal.pack)
        players = self.keeper.ring.live
        found = [cards.take(hand) for hand in hands]
        upper = cards.take(then)
        for place in range(players):
            if place == len(found):
                found.append([])
            while len(found[place]) < HAND:
                found[place].append(cards.any())
        top_down = [found[place][card] for card in range(HAND) for place in range(players)]
        top_down += upper + cards.rest()
        top_down.reverse()
        self.deal.deal(top_down)
        self.check()
        return self

    def put(
        self,
        hands: "dict[int, str]",
        piles: "Any" = (),
        stock: str = "",
        discards: "Any" = None,
        removed: str = "",
        special: str = "",
        rest: str = "stock",
        chips: "Any" = None,
    ) -> "Table":
        """Put the cards where a situation wants them; every card is somewhere.

        piles: the sequences by place; stock: the card that is drawn first first; discards: by seat, the top
        card last; rest: which of stock, removed and special gets all other cards, at its bottom; chips: by
        seat [red, blue].
        """
        self.deal.deal()
        deal = self.deal
        cards = Cards(deal.pack)
        seats = range(self.keeper.seats)
        deal.hands = [cards.take(hands.get(seat, "")) for seat in seats]
        deal.piles = [cards.take(piles[place] if place < len(piles) else "") for place in range(4)]
        deal.discards = [cards.take((discards or {}).get(seat, "")) for seat in seats]
        deal.removed = cards.take(removed)
        deal.special = cards.take(special)
        drawn = cards.take(stock)
        drawn.reverse()
        deal.stock = drawn
        setattr(deal, rest, cards.rest() + getattr(deal, rest))
        for seat in chips or {}:
            self.keeper.chips[seat] = list(chips[seat])
        deal.restore(deal.snapshot())
        self.check()
        return self

    def do(self, *moves: str) -> "Table":
        """Do moves, each of which has to be legal, in words."""
        for move in moves:
            fitting = [each for each in self.deal.legal() if word(each) == move]
            assert fitting, (move, self.legal())
            self.deal.do(fitting[0])
            self.check()
        return self

    def let(self) -> "Table":
        """All who are asked let pass."""
        while self.keeper.blockable >= 0 and self.deal.actor != self.keeper.turn:
            self.do("let")
        return self

    def legal(self) -> "list[str]":
        """Return the legal moves in words, in order, each once."""
        return sorted(set([word(move) for move in self.deal.legal()]))

    def plays(self) -> "list[str]":
        """Return those that are no discards."""
        return [move for move in self.legal() if move[0] != "-"]

    def hand(self, seat: int) -> str:
        """Return a hand by names, the latest card last."""
        return by_name(self.deal.hands[seat])

    def told(self, code: str) -> "list[tuple[int, int]]":
        """Return (seat, value) of all notices with this code."""
        return [(seat, value) for known, seat, value in self.notices if known == code]

    def check(self) -> None:
        """Every card is at one place, every chip with somebody or in the bank."""
        check_deal(self.deal)


def check_deal(deal: "Any") -> None:
    """The pack is there, each card once; sequences run from one; twenty chips of each colour."""
    found = list(deal.stock + deal.special + deal.removed)
    for cards in deal.piles + deal.hands + deal.discards:
        found += cards
    assert sorted(found) == list(deal.pack), "a card is lost or doubled"
    for place in range(4):
        height = 0
        for card in deal.piles[place]:
            height += 1
            assert COLOUR[card] == place // 2 and FACE[card] in (height, WILD), "no sequence"
        assert height < 5
    for seat in range(6):
        for card in deal.known[seat]:
            assert card in deal.hands[seat]
    keeper = deal.keeper
    for colour in (0, 1):
        assert sum([chips[colour] for chips in keeper.chips]) + keeper.bank[colour] == 20


class Cards:
    """A pack from which cards are taken by name."""

    def __init__(self, pack: "Any") -> None:
        self.left = list(pack)

    def take(self, names: str) -> "list[int]":
        """Take the cards with these names, separated by blanks."""
        found = []
        for text in names.split():
            card = [each for each in named(text) if each in self.left][0]
            self.left.remove(card)
            found.append(card)
        return found

    def any(self) -> int:
        """Take a five: alone it fits nowhere."""
        card = [each for each in self.left if FACE[each] == 5][0]
        self.left.remove(card)
        return card

    def rest(self) -> "list[int]":
        """Take all that are left."""
        found = self.left
        self.left = []
        return found


def by_name(cards: "list[int]") -> str:
    """Return cards by names, as they lie."""
    return " ".join([name(card) for card in cards])
