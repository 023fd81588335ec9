"""Sequence Stacks with its cards: draw pile, sequences, hands and discards, on top of the keeper.

The keeper knows whose turn it is, who has which chips and what may be blocked; the deal holds the cards,
knows which moves they allow, and says each move to the keeper as people would at a table. A deal gives
its keeper nothing but announcements.
"""

from binascii import crc32
from collections import namedtuple

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import CONFIRM, PLAY, SETUP
from cardrules.prng import STATE_SIZE, Prng
from cardrules.sequence_stacks.cards import (
    ALL,
    BLOCK,
    COLOUR,
    COLOURS,
    FACE,
    NO_COLOUR,
    OF_TWO,
    REVERSE,
    SKIP,
    STEAL_CARD,
    WILD,
)
from cardrules.sequence_stacks.keeper import Keeper
from cardrules.sequence_stacks.says import BLOCK as SAYS_BLOCK
from cardrules.sequence_stacks.says import DONE, NAMES, RED
from cardrules.sequence_stacks.says import REVERSE as SAYS_REVERSE
from cardrules.sequence_stacks.says import SKIP as SAYS_SKIP
from cardrules.sequence_stacks.says import STEAL_CARD as SAYS_STEAL_CARD
from cardrules.sequence_stacks.says import STEAL_CHIP as SAYS_STEAL_CHIP
from cardrules.sequence_stacks.settings import DECK, HAND, NUMBERS, PILES
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

# A move is a card that is played, from the hand or from the top of the own discard pile, plus DECK times
# where it goes, or one of those below. A number or wild goes to a place on the table, 0 to 3: colour *
# PILES + 0 or 1. Steal a Card is aimed at a seat, Steal a Chip at seat * COLOURS + colour of the chip.
# Skip and Reverse, and a Block when one is asked, are the card alone.
DISCARD = DECK * 12
"""DISCARD + card: put it on the own discard pile, which ends the turn (R20)."""
LET = DISCARD + DECK
"""Let a sequence pass that one could block, or would have to hold a Block to do so (A12)."""

_SHORT = 4
"""Bytes of the checksum at the end of a snapshot."""

View = namedtuple(
    "View",
    (
        "seat",
        "hand",  # its own cards, the latest last
        "moves",  # what it may do now; empty unless it is asked or on turn
        "actor",  # whose move it is: who is asked for a Block, else the seat on turn
        "piles",  # cards of the sequences on the table, by place; a pile has come as far as it has cards
        "discards",  # cards on the discard pile of each seat, the top one last
        "special",  # action cards that were played
        "removed",  # cards of finished sequences that were not shuffled since
        "stock",  # how many cards are on the draw pile
        "pack",  # how many cards are in the game: DECK, or DECK_OF_TWO
        "counts",  # cards in hand by seat
        "known",  # by seat: cards in its hand that everybody saw it steal
        "chips",  # [red, blue] by seat
        "bank",  # [red, blue]
        "blockable",  # colour of the chip that could still be blocked, else -1
        "skips",  # opponents who will be skipped
        "turn",
        "direction",
        "order",  # active seats in the order of play, the seat behind this one first, this one last
        "dealer",
        "rules",  # key -> value; there are none
    ),
)
"""All that a seat may know; lists are copies."""


def card_of(move: int) -> int:
    """Return the card that a move plays or discards, -1 for LET."""
    return -1 if move >= LET else move % DECK


def target_of(move: int) -> int:
    """Return where the card of a move goes: a place, a seat, seat * COLOURS + colour, else 0."""
    return 0 if move >= DISCARD else move // DECK


class SilentKeeper(Keeper):
    """A keeper that tells nothing: for thousands of matches that nobody watches."""

    def __init__(self) -> None:
        Keeper.__init__(self)
        self.telling = False


class Deal:
    """The cards of a match.

    keeper: knows all that is public. hands, discards: cards by seat, the latest last. stock: the draw
    pile, the top card last. piles: cards of the sequences by place, colour * PILES + 0 or 1. special:
    action cards that were played; removed: cards of finished sequences (R22, R24). pack: the cards that
    are in the game. known: by seat, the cards in its hand that everybody saw it steal.

    A move is a number: a card + DECK * where it goes, DISCARD + card, or LET; see above.
    """

    def __init__(self, random: Prng, keeper: "Keeper | None" = None, say: "Any" = None) -> None:
        """random: shuffles. keeper: one in set-up, a new one if left out.

        say: called with (what, seat, arg) for every announcement, has to bring it to the keeper; left
        out: the keeper's do(), without check, clock and log.
        """
        self.random = random
        self.keeper = keeper if keeper is not None else Keeper()
        self.pack: tuple[int, ...] = ()
        self._say = say if say is not None else self.keeper.do
        self._own = say is None
        self._deals = self.keeper.deals
        self._put_away()

    def _put_away(self) -> None:
        seats = self.keeper.seats
        self.stock: list[int] = []
        self.special: list[int] = []
        self.removed: list[int] = []
        self.piles: list[list[int]] = [[] for _ in range(COLOURS * PILES)]
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.discards: list[list[int]] = [[] for _ in range(seats)]
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self._asked: list[int] = []  # who is still to be asked for a Block, the one whose move it is first
        self._on_turn = NO_SEAT  # whose turn has begun, so that it has drawn already

    @property
    def actor(self) -> int:
        """The seat whose move it is, NO_SEAT if nobody's: the match is over or waits for people."""
        return self._asked[0] if self._asked else self.keeper.turn

    def view(self, seat: int) -> "View":
        """Return what this seat may see: its own cards and what lies open. Bots and pages get no more."""
        keeper = self.keeper
        order = []
        other = seat
        for _ in range(keeper.ring.live):
            other = keeper.ring.following[other]
            order.append(other)
        actor = self.actor
        return View(
            seat,
            list(self.hands[seat]),
            self.legal() if seat == actor else [],
            actor,
            [list(pile) for pile in self.piles],
            [list(pile) for pile in self.discards],
            list(self.special),
            list(self.removed),
            len(self.stock),
            len(self.pack),
            [len(hand) for hand in self.hands],
            [list(cards) for cards in self.known],
            [list(chips) for chips in keeper.chips],
            keeper.bank,
            keeper.blockable,
            keeper.skips,
            keeper.turn,
            keeper.direction,
            order,
            keeper.dealer,
            dict(keeper.rules),
        )

    # The match.

    def begin(self, seats: "list[int]", rules: "dict[int, int] | None" = None, dealer: int = NO_SEAT) -> None:
        """Set a match up, start it and deal. rules: key -> value; dealer: by lot if NO_SEAT (A22).

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
        """Deal the cards to those who play now (R9-R12).

        stock: the cards in order, the top one last, instead of a shuffled pack.
        """
        keeper = self.keeper
        self._deals = keeper.deals
        players = keeper.ring.live
        dealt = HAND * players
        self._put_away()
        self.pack = OF_TWO if players == 2 else ALL
        if stock is None:
            self.stock = list(self.pack)
            self.random.shuffle(self.stock)
        else:
            self.stock = list(stock)
        stock = self.stock
        seat = keeper.dealer
        for place in range(players):
            # One at a time from the top of the stock, which is its end: to each every so many-th card.
            seat = keeper.ring.following[seat]
            self.hands[seat] = stock[-1 - place : -1 - dealt : -players]
        del stock[-dealt:]
        self._begin()

    def legal(self) -> "list[int]":
        """Return the moves of the actor: cards to play first, discards last. Empty if it is nobody's move."""
        keeper = self.keeper
        if keeper.paused:
            return []
        if self._asked:
            for card in self.hands[self._asked[0]]:
                if FACE[card] == BLOCK:
                    return [card, LET]
            return [LET]
        seat = keeper.turn
        if seat == NO_SEAT:
            return []
        moves: list[int] = []
        wanted = self._wanted()
        hand = self.hands[seat]
        for card in hand:
            self._plays(card, wanted, moves)
        if self.discards[seat]:
            self._plays(self.discards[seat][-1], wanted, moves)  # R21, A8, A18
        for card in hand:
            moves.append(DISCARD + card)
        return moves

    def _wanted(self) -> "list[list[int]]":
        """Return the places where a card of each colour can go: by colour * (WILD + 1) + face.

        Of two places where it would be the same there is only the first (A6, R28).
        """
        wanted: list[list[int]] = [[] for _ in range(COLOURS * (WILD + 1))]
        for colour in range(COLOURS):
            first = colour * PILES
            heights = []
            for place in range(first, first + PILES):
                height = len(self.piles[place])
                if height not in heights:
                    heights.append(height)
                    at = colour * (WILD + 1)
                    wanted[at + height + 1].append(place)
                    wanted[at + WILD].append(place)
        return wanted

    def _plays(self, card: int, wanted: "list[list[int]]", moves: "list[int]") -> None:
        """Append the ways to play this card."""
        face = FACE[card]
        colour = COLOUR[card]
        if colour != NO_COLOUR:
            for place in wanted[colour * (WILD + 1) + face]:
                moves.append(card + DECK * place)
        elif face == SKIP or face == REVERSE:
            moves.append(card)
        elif face != BLOCK:  # A13, A18: a Block is played when asked, and from the hand
            keeper = self.keeper
            turn = keeper.turn
            barred = keeper.one_chip(turn)
            seat = keeper.ring.following[turn]
            while seat != turn:  # A19
                if face == STEAL_CARD:
                    if self.discards[seat]:
                        moves.append(card + DECK * seat)
                else:
                    chips = keeper.chips[seat]
                    for colour in range(COLOURS):
                        if chips[colour] and not barred >> colour & 1:  # A10
                            moves.append(card + DECK * (seat * COLOURS + colour))
                seat = keeper.ring.following[seat]

    def do(self, move: int) -> None:
        """Do one of the legal() moves, unchecked."""
        if self._asked:
            self._answer(move)
            return
        seat = self.keeper.turn
        if move >= DISCARD:
            card = move - DISCARD
            self._lay_down(seat, card)
            self.discards[seat].append(card)
            self._say(DONE, seat, 0)
            self._begin()
            return
        card = move % DECK
        target = move // DECK
        top = self.discards[seat]
        if top and top[-1] == card:
            top.pop()
        else:
            self._lay_down(seat, card)
        colour = COLOUR[card]
        if colour == NO_COLOUR:
            self._act(seat, card, target)
            return
        pile = self.piles[target]
        pile.append(card)
        if len(pile) == NUMBERS:  # R17
            self.removed.extend(pile)
            self.piles[target] = []
            self._say(RED + colour, seat, 0)
            if self.keeper.blockable >= 0:
                self._ask(seat)
                return
        self._go_on()

    def announce(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Say what is no move: somebody leaves, returns, changes seats, the deal is void, the match ends.

        Return the reason if it is refused, else None. What people say of their cards is refused: moves
        say it.
        """
        if what in NAMES:
            return ("unknown_what", what)
        reason = self.keeper.why_not(what, seat, arg)
        if reason is None:
            if what == common.SWAP:
                self._swap(seat, arg)
            self._say(what, seat, arg)
            self._follow()
        return reason

    def _lay_down(self, seat: int, card: int) -> None:
        """A card leaves this hand."""
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    def _act(self, seat: int, card: int, target: int) -> None:
        """An action card is played (R24-R30)."""
        face = FACE[card]
        self.special.append(card)
        if face == SKIP:
            self._say(SAYS_SKIP, seat, 0)
        elif face == REVERSE:
            self._say(SAYS_REVERSE, seat, 0)
        elif face == STEAL_CARD:
            stolen = self.discards[target].pop()
            self.hands[seat].append(stolen)
            self.known[seat].append(stolen)
            self._say(SAYS_STEAL_CARD, seat, target)
        else:
            self._say(SAYS_STEAL_CHIP, seat, target)
        self._go_on()

    def _ask(self, seat: int) -> None:
        """Ask the opponents for a Block, one after the other, whether they hold one or not (A12)."""
        other = self.keeper.ring.following[seat]
        while other != seat:
            self._asked.append(other)
            other = self.keeper.ring.following[other]

    def _answer(self, move: int) -> None:
        """Who is asked blocks or lets pass (R31, A12, A14)."""
        if move == LET:
            del self._asked[0]
            if not self._asked:
                self._let()
            return
        self._lay_down(self._asked[0], move)
        self.special.append(move)
        self._asked = []
        self._say(SAYS_BLOCK, NO_SEAT, 0)
        self._go_on()

    def _let(self) -> None:
        """Nobody blocks: the chip stays, which may end the match (R32)."""
        if self.keeper.phase == CONFIRM:
            self._say(DONE, self.keeper.turn, 0)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """The turn goes on: an empty hand is filled (R19, A20), or ends it if nothing is there (A21)."""
        seat = self.keeper.turn
        if seat != NO_SEAT and not self.hands[seat]:
            self._fill(seat)
            if not self.hands[seat]:
                self._say(DONE, seat, 0)
                self._begin()

    def _begin(self) -> None:
        """The turn of the next seat begins: it draws up to five (R23, A2).

        There is an end to it: some hand has a card or some card can be drawn (A15).
        """
        while True:
            seat = self._on_turn = self.keeper.turn
            self._fill(seat)
            if self.hands[seat]:
                return
            self._say(DONE, seat, 0)

    def _fill(self, seat: int) -> None:
        """Draw up to five cards, as far as there are any."""
        hand = self.hands[seat]
        while len(hand) < HAND:
            if not self.stock:
                self._recycle()
                if not self.stock:
                    return
            hand.append(self.stock.pop())

    def _recycle(self) -> None:
        """Make a new draw pile (R22, A15): of finished sequences; failing them of the action cards that
        were played; failing them of what lies below the tops of the discard piles."""
        if self.removed:
            self.stock = self.removed
            self.removed = []
        elif self.special:
            self.stock = self.special
            self.special = []
        else:
            for pile in self.discards:
                self.stock.extend(pile[:-1])
                del pile[:-1]
        self.random.shuffle(self.stock)

    def _swap(self, seat: int, other: int) -> None:
        for by_seat in (self.hands, self.discards, self.known):
            by_seat[seat], by_seat[other] = by_seat[other], by_seat[seat]
        there = {seat: other, other: seat}
        self._asked = [there.get(asked, asked) for asked in self._asked]
        self._on_turn = there.get(self._on_turn, self._on_turn)

    def _follow(self) -> None:
        """Do with the cards what the keeper has come to by an announcement that is no move."""
        keeper = self.keeper
        if keeper.deals != self._deals:
            self.deal()
            return
        if self._on_turn != NO_SEAT and not keeper.ring.is_active(self._on_turn):
            self._on_turn = NO_SEAT  # its turn is over
        if keeper.blockable < 0:
            self._asked = []
        elif self._asked:
            self._asked = [seat for seat in self._asked if keeper.ring.is_active(seat)]
        if self._asked or keeper.paused:
            return  # a pause: what is due comes when it is over
        if keeper.phase == CONFIRM:
            self._let()  # all who could have blocked are gone
        elif keeper.phase == PLAY:
            if keeper.turn == self._on_turn:
                self._go_on()
            else:
                self._begin()

    # Snapshots.

    def snapshot(self) -> bytes:
        """Return cards, keeper and random numbers; equal states give equal bytes on every interpreter.

        The last four bytes are the CRC-32 of the others, the low byte first.
        """
        state = self.keeper.snapshot()
        out = bytearray(self.random.state())
        put(out, len(state))
        out.extend(state)
        put(out, len(self.pack))
        put(out, self._on_turn)
        for cards in [self._asked] + self._places():
            put(out, len(cards))
            out.extend(bytes(cards))
        for cards in self.known:
            put(out, len(cards))
            out.extend(bytes(cards))
        check = crc32(out)
        for shift in (0, 8, 16, 24):
            out.append(check >> shift & 255)
        return bytes(out)

    def _places(self) -> "list[list[int]]":
        """Return all places where cards are, each card at one of them."""
        return [self.stock, self.special, self.removed] + self.piles + self.hands + self.discards

    def restore(self, data: bytes) -> None:
        """Take over a snapshot() of this deal or of another one. Raises ValueError, and changes nothing, if
        it is damaged or none.

        The keeper takes its part over; where announcements go to a log, that has to be brought to the
        same state before.
        """
        end = len(data) - _SHORT
        check = 0
        for place in (1, 2, 3, 4):
            check = check << 8 | (data[len(data) - place] if end > 0 else 0)
        if end <= 0 or crc32(data[:end]) != check:
            raise ValueError("damaged snapshot of a deal")
        seats = self.keeper.seats
        reader = Reader(data, 0, end)
        state = bytes(reader.take(STATE_SIZE))
        keeper = bytes(reader.take(reader.get()))
        size = reader.get()
        on_turn = reader.get()
        asked = list(reader.take(reader.get()))
        first = 3 + COLOURS * PILES
        places = [list(reader.take(reader.get())) for _ in range(first + 2 * seats)]
        known = [list(reader.take(reader.get())) for _ in range(seats)]
        pack = ALL if size == len(ALL) else OF_TWO if size == len(OF_TWO) else ()
        found: list[int] = []
        for cards in places:
            found.extend(cards)
        if not reader.done() or size != len(pack) or sorted(found) != list(pack):
            raise ValueError("not a snapshot of a deal")
        Prng().resume(state)  # raises before anything is changed
        self.keeper.restore(keeper)
        self.random.resume(state)
        self.pack = pack
        self._on_turn = on_turn
        self._asked = asked
        self.stock, self.special, self.removed = places[:3]
        self.piles = places[3:first]
        self.hands = places[first : first + seats]
        self.discards = places[first + seats :]
        self.known = known
        self._deals = self.keeper.deals
