"""Last Card with its cards: stock, pile and hands, on top of the keeper.

The keeper knows whose turn it is, who has to draw how much and what everything scores; the deal holds
the cards, knows which moves they allow, and says each move to the keeper as people would at a table.
A deal gives its keeper nothing but announcements; from the keeper it reads how many cards each seat
holds, and deals them out.
"""

import struct
from binascii import crc32
from collections import namedtuple

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import COLOUR as WAITS_COLOUR
from cardrules.keeper import OVER, PLAY, SCORING, SETUP, SHORT
from cardrules.last_card.cards import (
    ANSWERS,
    COLOUR,
    COLOURS,
    NO_COLOUR,
    ON_CARD,
    ON_COLOUR,
    PLUS_FOUR,
    POINTS,
    SAID,
    SKIP,
    SYMBOL,
)
from cardrules.last_card.keeper import Keeper
from cardrules.last_card.says import COLOUR as SAYS_COLOUR
from cardrules.last_card.says import DONE, OUT, PLAYED, SUM, TURNED
from cardrules.last_card.says import DRAW as SAYS_DRAW
from cardrules.last_card.says import PLUS_TWO as SAYS_PLUS_TWO
from cardrules.last_card.settings import DECK, DRAW_UNTIL, HAND
from cardrules.prng import STATE_SIZE, Prng
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

# A move is the number of the card played, or one of these.
DRAW = DECK
"""Draw (R15, R16); in draw-until mode as long as it takes (R32). With cards owed: take them (A12)."""
KEEP = DECK + 1
"""Keep what was drawn (R15). With nothing to draw and nothing that fits: pass (A10)."""
NAME = DECK + 2
"""NAME + 0 to 3: name red, yellow, green or blue (R23)."""

MIXED = 8
"""Cards of the stock that are put in random order at a time."""

_ALL = list(range(DECK))
_COLOURS = [NAME + colour for colour in range(COLOURS)]

View = namedtuple(
    "View",
    (
        "seat",
        "hand",  # its own cards, the latest last
        "moves",  # what it may do now; empty unless it is on turn
        "drawn",  # the card it has drawn in this turn, else -1
        "pile",  # cards that lie open, the top one last
        "colour",  # what the pile asks for: 0 to 3; NO_COLOUR while a wild waits for its colour
        "symbol",  # what it shows
        "stock",  # how many cards can be drawn
        "owed",  # cards pending on the seat on turn (stacking)
        "turn",
        "direction",
        "order",  # active seats in the order of play, the seat behind this one first, this one last if active
        "counts",  # cards by seat
        "scores",  # points by seat
        "lacks",  # by seat: 1 << the colour on which it drew last, 0 if it was given cards since (H5)
        "dealer",
        "rules",  # key -> value
    ),
)
"""All that a seat may know; lists are copies."""


class SilentKeeper(Keeper):
    """A keeper that tells nothing: for thousands of matches that nobody watches."""

    def __init__(self) -> None:
        Keeper.__init__(self)
        self.telling = False


class Deal:
    """The cards of a match.

    keeper: knows all that is public; hands: cards by seat, the latest last; stock, pile: cards, the top
    one last; drawn: the card that the seat on turn drew last, meaningful while keeper.draws is not 0;
    lacks: by seat, 1 << the colour on which it drew last, 0 if it has been given cards since (H5).

    A move is a number: a card, or DRAW, KEEP, NAME + colour.
    """

    def __init__(self, random: Prng, keeper: "Keeper | None" = None, say: "Any" = None) -> None:
        """random: shuffles. keeper: one in set-up, a new one if left out.

        say: called with (what, seat, arg) for every announcement, has to bring it to the keeper; left
        out: the keeper's do(), without check, clock and log. What it raises passes through in the middle of
        a move, and cards and keeper no longer agree: restore() a snapshot, or make another Deal.
        """
        self.random = random
        self.keeper = keeper if keeper is not None else Keeper()
        self.hands: list[list[int]] = [[] for _ in range(self.keeper.seats)]
        self.stock: list[int] = []
        self.pile: list[int] = []
        self.drawn = -1
        self.lacks = [0] * self.keeper.seats
        self._say = say if say is not None else self.keeper.do
        self._own = say is None
        self._fits: Any = None  # by card: may it be played? None while none can be
        self._mixed = 0  # cards on top of the stock that are in random order; the others wait for it
        self._until = False  # the house rule: draw until a card fits
        self._deals = self.keeper.deals

    @property
    def actor(self) -> int:
        """The seat whose move it is, NO_SEAT between rounds."""
        return self.keeper.turn

    @property
    def colour(self) -> int:
        """What the pile asks for: 0 to 3; NO_COLOUR while a wild waits for its colour, or without a pile."""
        if not self.pile:
            return NO_COLOUR
        colour = COLOUR[self.pile[-1]]
        return colour if colour != NO_COLOUR or self.keeper.colour < 0 else self.keeper.colour

    @property
    def symbol(self) -> int:
        """What the pile shows, -1 without a pile."""
        return SYMBOL[self.pile[-1]] if self.pile else -1

    def view(self, seat: int) -> "View":
        """Return what this seat may see: its own cards and what lies open. Bots and pages get no more."""
        keeper = self.keeper
        on_turn = seat == keeper.turn
        order = []
        other = seat
        for _ in range(keeper.ring.live):
            other = keeper.ring.following[other]
            order.append(other)
        return View(
            seat,
            list(self.hands[seat]),
            self.legal() if on_turn else [],
            self.drawn if on_turn and keeper.draws else -1,
            list(self.pile),
            self.colour,
            self.symbol,
            keeper.stock,
            keeper.owed,
            keeper.turn,
            keeper.direction,
            order,
            list(keeper.counts),
            list(keeper.scores),
            list(self.lacks),
            keeper.dealer,
            dict(keeper.rules),
        )

    # The match.

    def begin(self, seats: "list[int]", rules: "dict[int, int] | None" = None, dealer: int = NO_SEAT) -> None:
        """Set a match up, start it and deal. rules: key -> value; dealer: by lot if NO_SEAT (A15).

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
        say(common.DEALER, dealer if dealer != NO_SEAT else seats[self.random.below(len(seats))], 0)
        say(common.START, NO_SEAT, 0)
        self.deal()

    def deal(self, stock: "list[int] | None" = None) -> None:
        """Deal the round that the keeper has begun (R9-R13).

        stock: the cards in order, the top one last, instead of a shuffled deck.
        """
        keeper = self.keeper
        self._deals = keeper.deals
        self._until = keeper.rules[DRAW_UNTIL] == 1
        players = keeper.ring.live
        dealt = HAND * players
        self._put_away()
        if stock is None:
            self.stock = list(_ALL)
            self._mix(dealt + MIXED)
        else:
            self.stock = list(stock)
            self._mixed = len(stock)
        stock = self.stock
        seat = keeper.dealer
        for place in range(players):
            # One at a time from the top of the stock, which is its end: to each every so many-th card.
            seat = keeper.ring.following[seat]
            self.hands[seat] = stock[-1 - place : -1 - dealt : -players]
        del stock[-dealt:]
        self._mixed -= dealt
        card = self._top()
        while SYMBOL[card] == PLUS_FOUR:  # R13, A4
            place = self.random.below(len(stock) + 1)
            stock.insert(place, card)
            if place > len(stock) - 1 - self._mixed:
                self._mixed += 1  # it lies among those in order; farther down it waits for its place as well
            card = self._top()
        self.pile.append(card)
        if SYMBOL[card] >= SKIP:
            first = keeper.turn
            self._say(TURNED, NO_SEAT, SAID[card])
            self._fill(first)
        self._look()

    def legal(self) -> "list[int]":
        """Return the moves of the seat on turn: cards first, DRAW or KEEP last.

        Empty between rounds and in a pause.
        """
        keeper = self.keeper
        if keeper.paused:
            return []
        fits = self._fits
        if fits is None:
            return list(_COLOURS) if keeper.phase == WAITS_COLOUR else []
        if keeper.draws:
            return [self.drawn, KEEP] if fits[self.drawn] else [KEEP]
        moves = []
        for card in self.hands[keeper.turn]:
            if fits[card]:
                moves.append(card)
        if self.stock or len(self.pile) > 1 or keeper.owed:
            moves.append(DRAW)
        elif not moves:
            moves.append(KEEP)
        return moves

    def do(self, move: int) -> None:
        """Do one of the legal() moves, unchecked."""
        keeper = self.keeper
        seat = keeper.turn
        if move >= DECK:
            if move == DRAW:
                self._draw(seat)
            elif move != KEEP:
                self._name(seat, move - NAME)
            elif keeper.draws:
                self._say(DONE, seat, 0)
            else:
                self._pass(seat)
            return
        hand = self.hands[seat]
        hand.remove(move)
        self.pile.append(move)
        self._fits = ON_CARD[move]
        said = SAID[move]
        if said == DONE:
            self._say(PLAYED if keeper.draws else DONE, seat, 0)
            if not hand:
                self._go_out(seat, seat)
            return
        self._say(said, seat, 0)
        if not hand:
            self._go_out(seat, keeper.ring.following[seat])
        elif said == SAYS_PLUS_TWO:
            self._owe(keeper.ring.following[seat])

    def close(self) -> None:
        """Confirm the round that is scored; the next one is dealt, or the match is over."""
        self._say(common.CLOSE, NO_SEAT, self.keeper.points)
        self._follow()

    def announce(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Say what is no move: somebody leaves, returns, changes seats, the round is void, the match ends.

        Return the reason if it is refused, else None. A move is refused here: the cards would not know of it.
        """
        reason = ("unknown_what", what) if what >= DONE else self.keeper.why_not(what, seat, arg)
        if reason is None:
            if what == common.SWAP:
                hands = self.hands
                lacks = self.lacks
                hands[seat], hands[arg] = hands[arg], hands[seat]
                lacks[seat], lacks[arg] = lacks[arg], lacks[seat]
            self._say(what, seat, arg)
            self._follow()
        return reason

    def _name(self, seat: int, colour: int) -> None:
        self._say(SAYS_COLOUR, seat, colour)
        self._fits = ON_COLOUR[colour]
        if SYMBOL[self.pile[-1]] == PLUS_FOUR:
            self._owe(self.keeper.ring.following[seat])

    def _owe(self, seat: int) -> None:
        """A plus card was played on this seat: it may answer, or has taken the cards (R21, R24, R31)."""
        if self.keeper.owed:
            self._look()
        else:
            self._fill(seat)

    def _look(self) -> None:
        """Look at the pile: what may be played on it?"""
        if self.keeper.phase != PLAY:
            self._fits = None
            return
        top = self.pile[-1]
        if self.keeper.owed:
            self._fits = ANSWERS[SYMBOL[top]]
        elif COLOUR[top] == NO_COLOUR:
            self._fits = ON_COLOUR[self.keeper.colour]
        else:
            self._fits = ON_CARD[top]

    def _draw(self, seat: int) -> None:
        keeper = self.keeper
        say = self._say
        if keeper.owed:
            say(SAYS_DRAW, seat, 0)
            self._follow()
            return
        if self._until:
            self._draw_until(seat)
        else:
            say(SAYS_DRAW, seat, 0)
            if not self._mixed:
                self._more()
            self._mixed -= 1
            self.drawn = card = self.stock.pop()
            self.hands[seat].append(card)
        colour = COLOUR[self.pile[-1]]
        self.lacks[seat] = 1 << (colour if colour != NO_COLOUR else keeper.colour)

    def _draw_until(self, seat: int) -> None:
        """Draw until a card fits or none is left; one card if something in hand fits already (R32, A7)."""
        hand = self.hands[seat]
        fits = self._fits
        drawing = True not in [fits[card] for card in hand]
        while True:
            self._say(SAYS_DRAW, seat, 0)
            self.drawn = card = self._top()
            hand.append(card)
            if not drawing or fits[card] or not (self.stock or len(self.pile) > 1):
                return

    def _pass(self, seat: int) -> None:
        """Nothing fits and nothing is left to draw: whoever says so may pass (A10)."""
        self._say(SAYS_DRAW, seat, 0)
        self._say(DONE, seat, 0)
        if self.keeper.deals != self._deals:
            self._follow()

    def _go_out(self, seat: int, payer: int) -> None:
        """R1, R27, R28: the round is over; the hands are counted. payer: takes what a last plus card owes."""
        keeper = self.keeper
        self._fits = None
        self._say(OUT, seat, 0)
        if payer != seat:
            self._fill(payer)
        while keeper.phase == SCORING:
            other = keeper.entering
            points = 0
            for card in self.hands[other]:
                points += POINTS[card]
            self._say(SUM, other, points)

    def _follow(self) -> None:
        """Do with the cards what the keeper has come to by an announcement that is no card."""
        keeper = self.keeper
        if keeper.deals != self._deals:
            self.deal()
        elif keeper.phase in (SHORT, OVER):
            self._put_away()
        else:
            for seat in range(keeper.seats):
                self._fill(seat)
            self._look()

    def _put_away(self) -> None:
        self.hands = [[] for _ in self.hands]
        self.lacks = [0] * len(self.hands)
        self.stock = []
        self.pile = []
        self._fits = None
        self._mixed = 0

    def _fill(self, seat: int) -> None:
        """Give the seat the cards that the keeper has counted for it."""
        hand = self.hands[seat]
        missing = self.keeper.counts[seat] - len(hand)
        if missing > 0:
            self.lacks[seat] = 0
            if missing <= self._mixed:
                hand.extend(self.stock[: -1 - missing : -1])
                del self.stock[-missing:]
                self._mixed -= missing
            else:
                for _ in range(missing):
                    hand.append(self._top())

    def _top(self) -> int:
        """Take the top card of the stock."""
        if not self._mixed:
            self._more()
        self._mixed -= 1
        return self.stock.pop()

    def _more(self) -> None:
        """Put more cards in order on top of the stock; if it is empty the pile becomes it (R18, A16)."""
        if not self.stock:
            self.stock = self.pile
            self.pile = [self.stock.pop()]
        self._mix(MIXED)

    def _mix(self, cards: int) -> None:
        """Put so many cards in random order on top of the stock: as good as a shuffled stock, and quicker.

        A card farther down has no place yet: it is as likely as any other there to come up next.
        """
        self._mixed = min(cards, len(self.stock))
        self.random.shuffle(self.stock, self._mixed)

    # Snapshots.

    def snapshot(self) -> bytes:
        """Return cards, keeper and random numbers; equal states give equal bytes on every interpreter."""
        state = self.keeper.snapshot()
        out = bytearray(self.random.state())
        put(out, len(state))
        out.extend(state)
        put(out, self.drawn)
        put(out, self._mixed)
        for cards in [self.stock, self.pile] + self.hands:
            put(out, len(cards))
            out.extend(bytes(cards))
        for colours in self.lacks:
            put(out, colours)
        out.extend(_check(out))
        return bytes(out)

    def restore(self, data: bytes) -> None:
        """Take over a snapshot() of this deal or of another one.

        Raises ValueError, and changes nothing, if it is none or damaged.

        The keeper takes its part over; where announcements go to a log, that has to be brought to the
        same state before.
        """
        if _check(data[:-4]) != bytes(data[-4:]):
            raise ValueError("not a snapshot of a deal")
        reader = Reader(data[:-4])
        state = bytes(reader.take(STATE_SIZE))
        keeper = bytes(reader.take(reader.get()))
        drawn = reader.get()
        mixed = reader.get()
        cards = [list(reader.take(reader.get())) for _ in range(2 + self.keeper.seats)]
        lacks = [reader.get() for _ in range(self.keeper.seats)]
        if not reader.done() or not 0 <= mixed <= len(cards[0]):
            raise ValueError("not a snapshot of a deal")
        Prng().resume(state)  # raises before anything is changed
        self.keeper.restore(keeper)
        self.random.resume(state)
        self.stock = cards[0]
        self.pile = cards[1]
        self.hands = cards[2:]
        self.lacks = lacks
        self.drawn = drawn
        self._deals = self.keeper.deals
        self._mixed = mixed
        self._until = self.keeper.rules[DRAW_UNTIL] == 1
        self._look()


def _check(data: "bytes | bytearray") -> bytes:
    """Return the checksum at the end of a snapshot: CRC-32, 4 bytes, the lowest first."""
    check: bytes = struct.pack("<I", crc32(data))
    return check
