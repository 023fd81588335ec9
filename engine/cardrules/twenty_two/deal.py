"""Twenty-Two with its cards: pack, hands, tricks and score piles, on top of the keeper.

The keeper knows who leads, how many cards each holds and what everything scores; the deal holds the
cards, knows which plays they allow and who takes a trick, and says it to the keeper as people would at a
table. A deal gives its keeper nothing but announcements.
"""

import struct
from binascii import crc32
from collections import namedtuple

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import OVER, PLAY, SCORED, SETUP, SHORT, moved
from cardrules.prng import STATE_SIZE, Prng
from cardrules.twenty_two.cards import RANK, exchanges, follows, leads, meets
from cardrules.twenty_two.keeper import Keeper
from cardrules.twenty_two.says import EXCHANGE, KEEPS, LAST, TRICK
from cardrules.twenty_two.settings import MUST_BEAT, PACK
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

# A move is a tuple of cards of the hand, sorted: what is exchanged, perhaps (), or what is played.

_PEOPLE = (
    common.PAUSE,
    common.RESUME,
    common.JOIN,
    common.LEAVE,
    common.SWAP,
    common.VOID,
    common.END,
)
"""What can be announced beside moves. Corrections are none of it: the cards lie there."""

View = namedtuple(
    "View",
    (
        "seat",
        "hand",  # its own cards, sorted
        "moves",  # what it may do now: tuples of cards; empty unless it is its move
        "exchanging",  # the moves are exchanges
        "turn",  # whose move it is, NO_SEAT if nobody's
        "leader",  # who led the trick, or leads the next one
        "order",  # active seats in the order of play, the seat behind this one first, this one last
        "dealt",  # cards that each was dealt
        "left",  # cards that each held when the trick began
        "pack",  # cards there were to deal from
        "spare",  # undealt cards that can still be exchanged
        "exchanges",  # cards exchanged by seat, -1 for who has not
        "gave",  # its own cards that it exchanged
        "trick",  # plays of this trick in order: (seat, cards)
        "bench",  # the highest of them, () before the lead
        "taking",  # whose play that is, NO_SEAT before the lead
        "tricks",  # the tricks before in this round, each as its plays
        "piles",  # score piles by seat, also of those that are out
        "scores",  # points by seat
        "outs",  # by seat the round by which it was out, 0 if it is not
        "dealer",
        "round",
        "sudden",  # this is a sudden-death hand
        "rules",  # key -> value
    ),
)
"""All that a seat may know; lists are copies."""


class SilentKeeper(Keeper):
    """A keeper that tells nothing: for thousands of matches that nobody watches."""

    def __init__(self) -> None:
        Keeper.__init__(self)
        self.telling = False


def draw_dealer(seats: "list[int]", random: Prng) -> "tuple[int, list[list[tuple[int, int]]]]":
    """Each draws a card, the highest deals; those that tie draw again from the whole pack (R6).

    Return the dealer and what was drawn: for each time a list of (seat, card).
    """
    drawn = []
    pack = list(range(PACK))
    while len(seats) > 1:
        random.shuffle(pack, len(seats))
        cards = [(seats[place], pack[-1 - place]) for place in range(len(seats))]
        drawn.append(cards)
        highest = max([RANK[card] for _, card in cards])
        seats = [seat for seat, card in cards if RANK[card] == highest]
    return seats[0], drawn


class Deal:
    """The cards of a match.

    keeper: knows all that is public. hands: cards by seat, sorted. pack: undealt cards, the top one last.
    gave: cards exchanged by seat. aside: cards of those that left the round. trick: plays of the trick
    that is played, in order, each (seat, cards); of the last one until the round is confirmed. tricks:
    those before it. bench: the highest play of the trick. taking: whose that is. piles: score piles by
    seat. drawn: how the first dealer was found (R6), see draw_dealer().
    """

    def __init__(self, random: Prng, keeper: "Keeper | None" = None, say: "Any" = None) -> None:
        """random: shuffles. keeper: one in set-up, a new one if left out.

        say: called with (what, seat, arg) for every announcement, has to bring it to the keeper; left
        out: the keeper's do(), without check, clock and log.
        """
        self.random = random
        self.keeper = keeper if keeper is not None else Keeper()
        seats = self.keeper.seats
        self.hands: list[list[int]] = []
        self.gave: list[list[int]] = []
        self.aside: list[int] = []
        self.pack: list[int] = []
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        self.trick: list[tuple[int, tuple[int, ...]]] = []
        self.tricks: list[tuple[tuple[int, tuple[int, ...]], ...]] = []
        self.bench: tuple[int, ...] = ()
        self.taking = NO_SEAT
        self.drawn: list[list[tuple[int, int]]] = []
        self._actor = NO_SEAT
        self._say = say if say is not None else self.keeper.do
        self._own = say is None
        self._deals = self.keeper.deals
        self._put_away()

    @property
    def actor(self) -> int:
        """The seat whose move it is, NO_SEAT between rounds and at the end."""
        return self._actor

    @property
    def exchanging(self) -> bool:
        """Are the moves exchanges? (R11)"""
        actor = self._actor
        return actor != NO_SEAT and self.keeper.may_exchange and self.keeper.exchanges[actor] < 0

    def view(self, seat: int) -> "View":
        """Return what this seat may see: its own cards and what lies open. Bots and pages get no more."""
        keeper = self.keeper
        order = []
        other = seat
        for _ in range(keeper.ring.live):
            other = keeper.ring.following[other]
            order.append(other)
        return View(
            seat,
            list(self.hands[seat]),
            self.legal() if seat == self._actor else [],
            self.exchanging,
            self._actor,
            keeper.leader,
            order,
            keeper.hand,
            keeper.left,
            keeper.pack,
            keeper.spare,
            list(keeper.exchanges),
            list(self.gave[seat]),
            list(self.trick),
            self.bench,
            self.taking,
            list(self.tricks),
            [list(pile) for pile in self.piles],
            list(keeper.scores),
            list(keeper.outs),
            keeper.dealer,
            keeper.round,
            keeper.sudden,
            dict(keeper.rules),
        )

    # The match.

    def begin(self, seats: "list[int]", rules: "dict[int, int] | None" = None, dealer: int = NO_SEAT) -> None:
        """Set a match up, start it and deal. rules: key -> value; dealer: by drawing cards if NO_SEAT (R6).

        Nothing of a match before is left. Raises ValueError if there was one and the announcements go
        elsewhere: then the next match needs another Deal.
        """
        if self.keeper.phase != SETUP:
            if not self._own:
                raise ValueError("a match was begun here: make a new Deal for the next one")
            self.keeper = type(self.keeper)()
            self._say = self.keeper.do
        say = self._say
        say(common.GAME, NO_SEAT, self.keeper.game)
        for key in sorted(rules or ()):
            say(common.RULE, NO_SEAT, key << 16 | (rules or {})[key])
        for seat in seats:
            say(common.JOIN, seat, 0)
        self.drawn = []
        if dealer == NO_SEAT:
            dealer, self.drawn = draw_dealer(seats, self.random)
        say(common.DEALER, dealer, 0)
        say(common.START, NO_SEAT, 0)
        self.deal()

    def deal(self, stock: "list[int] | None" = None) -> None:
        """Deal the round that the keeper has begun (R7-R10, R24).

        stock: all cards that are in no score pile, in order, the top one last, instead of a shuffled pack.
        """
        keeper = self.keeper
        self._deals = keeper.deals
        self._put_away()
        for seat in range(keeper.seats):
            if not keeper.kept[seat]:
                self.piles[seat] = []  # it went back into the pack (A17), or somebody new sits there
        if stock is None:
            kept = [card for pile in self.piles for card in pile]
            stock = [card for card in range(PACK) if card not in kept]
            self.random.shuffle(stock)
        self.pack = pack = list(stock)
        players = keeper.ring.live
        dealt = keeper.hand * players
        seat = keeper.dealer
        for place in range(players):
            # One at a time from the top of the pack, which is its end: to each every so many-th card.
            seat = keeper.ring.following[seat]
            self.hands[seat] = sorted(pack[-1 - place : -1 - dealt : -players])
        del pack[-dealt:]
        self._look()

    def legal(self) -> "list[tuple[int, ...]]":
        """Return the moves of the actor, each choice of ranks once; empty in a pause and between rounds.

        Exchanges: the empty one first. Plays: if the lowest cards do not meet the highest play they are
        the last move.
        """
        keeper = self.keeper
        if self._actor == NO_SEAT or keeper.paused:
            return []
        hand = self.hands[self._actor]
        if self.exchanging:
            return exchanges(hand, keeper.spare)
        if self.bench:
            return follows(hand, self.bench, keeper.rules[MUST_BEAT] == 1)
        return leads(hand)

    def do(self, move: "tuple[int, ...]") -> None:
        """Do one of the legal() moves, unchecked."""
        seat = self._actor
        hand = self.hands[seat]
        for card in move:
            hand.remove(card)
        if self.exchanging:
            self.gave[seat] = list(move)
            for _ in move:
                hand.append(self.pack.pop())
            hand.sort()
            self._say(EXCHANGE, seat, len(move))
            self._look()
            return
        self.trick.append((seat, move))
        if meets(move, self.bench):  # before the lead there is nothing to meet
            self.bench = move
            self.taking = seat
        self._go_on()

    def close(self) -> None:
        """Confirm the round that is scored; the next one is dealt, or the match is over (R22-R25)."""
        keeper = self.keeper
        if keeper.phase == SCORED:
            for seat, cards in self.trick:
                if keeper.keeping >> seat & 1:
                    self.piles[seat].append(cards[0])
            self.trick = []
        self._say(common.CLOSE, NO_SEAT, keeper.points)
        self._follow()

    def announce(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Say what is no move: somebody leaves, returns, changes seats, the round is void, the match ends.

        Return the reason if it is a move or the keeper refuses it, else None.
        """
        if what not in _PEOPLE:
            return ("unknown_what", what if isinstance(what, int) else -1)
        reason = self.keeper.why_not(what, seat, arg)
        if reason is None:
            if what == common.SWAP:
                self._swap(seat, arg)
            self._say(what, seat, arg)
            if what == common.LEAVE and self.keeper.phase == PLAY and self.keeper.deals == self._deals:
                self._go_without(seat)
            else:
                self._follow()
        return reason

    def _go_on(self) -> None:
        """The next one plays to the trick, or all have and somebody has taken it (R14, R20, A5)."""
        ring = self.keeper.ring
        played = [seat for seat, _ in self.trick]
        seat = self.keeper.leader
        for _ in range(ring.live):
            if seat not in played:
                self._actor = seat
                return
            seat = ring.following[seat]
        self._actor = NO_SEAT
        if self.keeper.left == 1:
            self._end_round()
            return
        taking = self.taking
        cards = len(self.bench)
        self.tricks.append(tuple(self.trick))
        self._clear_trick()
        self._say(TRICK, taking, cards)
        self._actor = taking

    def _end_round(self) -> None:
        """R22, R23: the highest card takes the last trick, of equal ones each is kept."""
        highest = max([RANK[cards[0]] for _, cards in self.trick])
        self._say(LAST, NO_SEAT, highest)
        for seat, cards in self.trick:
            if RANK[cards[0]] == highest:
                self._say(KEEPS, seat, 0)

    def _look(self) -> None:
        """Find whose move it is when no card of a trick has been played (R11, R14)."""
        keeper = self.keeper
        self._actor = keeper.leader
        if keeper.may_exchange:
            seat = keeper.leader
            for _ in range(keeper.ring.live):
                if keeper.exchanges[seat] < 0:
                    self._actor = seat
                    return
                seat = keeper.ring.following[seat]

    def _go_without(self, seat: int) -> None:
        """K7: a seat has left in the middle of a round; its cards do not count any more."""
        self.aside += self.hands[seat]
        self.hands[seat] = []
        plays = self.trick
        self._clear_trick()
        began = len(plays) > 0 and plays[0][0] != seat
        for other, cards in plays:
            if other == seat:
                self.aside += cards
            elif not began:  # what it led is gone, so is the trick
                self.hands[other] = sorted(self.hands[other] + list(cards))
            else:
                self.trick.append((other, cards))
                if meets(cards, self.bench):
                    self.bench = cards
                    self.taking = other
        if self.trick:
            self._go_on()
        elif self.keeper.phase == PLAY:
            self._look()

    def _swap(self, seat: int, other: int) -> None:
        for by_seat in (self.hands, self.gave, self.piles):
            by_seat[seat], by_seat[other] = by_seat[other], by_seat[seat]
        self.trick = [(moved(who, seat, other), cards) for who, cards in self.trick]
        self.tricks = [
            tuple([(moved(who, seat, other), cards) for who, cards in trick]) for trick in self.tricks
        ]
        self.taking = moved(self.taking, seat, other)

    def _follow(self) -> None:
        """Do with the cards what the keeper has come to by an announcement that is no card."""
        keeper = self.keeper
        if keeper.deals != self._deals:
            self.deal()
        elif keeper.phase in (SHORT, OVER):
            self._put_away()
        elif keeper.phase == PLAY:
            if self.trick:
                self._go_on()
            else:
                self._look()

    def _clear_trick(self) -> None:
        self.trick = []
        self.bench = ()
        self.taking = NO_SEAT

    def _put_away(self) -> None:
        """Leave nothing of a round; score piles stay."""
        seats = self.keeper.seats
        self.hands = [[] for _ in range(seats)]
        self.gave = [[] for _ in range(seats)]
        self.aside = []
        self.pack = []
        self.tricks = []
        self._actor = NO_SEAT
        self._clear_trick()

    # Snapshots.

    def snapshot(self) -> bytes:
        """Return cards, keeper and random numbers; equal states give equal bytes on every interpreter."""
        state = self.keeper.snapshot()
        out = bytearray(self.random.state())
        put(out, len(state))
        out.extend(state)
        for cards in [self.pack, self.aside] + self.hands + self.gave + self.piles:
            _put_cards(out, cards)
        put(out, len(self.tricks))
        for trick in self.tricks + [tuple(self.trick)]:
            put(out, len(trick))
            for seat, played in trick:
                put(out, seat)
                _put_cards(out, played)
        put(out, len(self.drawn))
        for draws in self.drawn:
            put(out, len(draws))
            for seat, card in draws:
                put(out, seat)
                put(out, card)
        out.extend(struct.pack("<I", crc32(out)))
        return bytes(out)

    def restore(self, data: bytes) -> None:
        """Take over a snapshot() of this deal or of another one. Raises ValueError, and changes nothing,
        if it is damaged or none.

        The keeper takes its part over; where announcements go to a log, that has to be brought to the
        same state before.
        """
        end = len(data) - 4
        if end < STATE_SIZE or struct.unpack_from("<I", data, end)[0] != crc32(data[:end]):
            raise ValueError("damaged snapshot")
        seats = self.keeper.seats
        reader = Reader(data, 0, end)
        state = bytes(reader.take(STATE_SIZE))
        keeper = bytes(reader.take(reader.get()))
        cards = [list(reader.take(reader.get())) for _ in range(2 + 3 * seats)]
        tricks = []
        for _ in range(reader.get() + 1):
            trick = []
            for _ in range(reader.get()):
                seat = reader.get()
                trick.append((seat, tuple(reader.take(reader.get()))))
            tricks.append(tuple(trick))
        drawn = []
        for _ in range(reader.get()):
            draws = []
            for _ in range(reader.get()):
                seat = reader.get()
                draws.append((seat, reader.get()))
            drawn.append(draws)
        if not reader.done():
            raise ValueError("not a snapshot of a deal")
        Prng().resume(state)  # raises before anything is changed
        self.keeper.restore(keeper)
        self.random.resume(state)
        self._put_away()
        self.pack = cards[0]
        self.aside = cards[1]
        self.hands = cards[2 : 2 + seats]
        self.gave = cards[2 + seats : 2 + 2 * seats]
        self.piles = cards[2 + 2 * seats :]
        self.tricks = tricks[:-1]
        self.drawn = drawn
        self._deals = self.keeper.deals
        self.trick = list(tricks[-1])
        for seat, played in self.trick:
            if meets(played, self.bench):
                self.bench = played
                self.taking = seat
        if self.keeper.phase == PLAY:
            if self.trick:
                self._go_on()
            else:
                self._look()


def _put_cards(out: bytearray, cards: "Any") -> None:
    put(out, len(cards))
    out.extend(bytes(cards))
