"""The keeper of Sequence Stacks: what everybody at the table can see.

It knows turn, direction, pending Skips, chips and the sequence that may still be blocked; hands, piles
and discards it never knows. The numbers R.., A.. and K.. are those of docs/rules/sequence_stacks.md.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import CONFIRM, PLAY, SETUP, SHORT, moved
from cardrules.keeper import Keeper as BaseKeeper
from cardrules.seating import ACTIVE, EMPTY
from cardrules.sequence_stacks.says import (
    BLOCK,
    BLUE,
    CATCH_UP,
    DONE,
    NAMES,
    RED,
    REVERSE,
    SKIP,
    STEAL_CARD,
    STEAL_CHIP,
)
from cardrules.sequence_stacks.settings import BANK, SETTINGS, WIN_CHIPS, WIN_OF_EACH
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass


def wins(red: int, blue: int) -> bool:
    """Are these chips enough? (R32, A11)"""
    return red + blue >= WIN_CHIPS and red >= WIN_OF_EACH and blue >= WIN_OF_EACH


class Keeper(BaseKeeper):
    """chips: [red, blue] by seat, those of absent seats too. blockable: colour of the chip that a Block
    would take back now, -1 if there is none.

    The whole match is one deal: it is round 1, and its only round is recorded when it is decided: who won,
    or NO_SEAT if it is drawn, and the chips of the winner. Colours are 0 red and 1 blue.
    """

    game = 2
    settings = SETTINGS
    names = NAMES
    takes_arg = (STEAL_CHIP, STEAL_CARD)

    def __init__(self) -> None:
        BaseKeeper.__init__(self)
        self.chips = [[0, 0] for _ in range(self.seats)]
        self._clear()

    def _clear(self) -> None:
        self.turn = NO_SEAT
        self.blockable = -1
        self._skips = 0  # Skips announced in this turn, however many opponents there are
        self._waits = NO_SEAT  # whose turn goes on when somebody comes back (phase SHORT)

    @property
    def bank(self) -> "list[int]":
        """Chips that nobody has: [red, blue] (R4, A9)."""
        bank = [BANK, BANK]
        for red, blue in self.chips:
            bank[0] -= red
            bank[1] -= blue
        return bank

    @property
    def skips(self) -> int:
        """Opponents who lose their next turn when this one ends (A16)."""
        return max(0, min(self._skips, self.ring.live - 1))

    @property
    def due(self) -> int:
        """The seat that is on turn next, pending Skips counted."""
        seat = self.turn
        if seat != NO_SEAT:
            for _ in range(self.skips + 1):
                seat = self.ring.next(seat)
        return seat

    def one_chip(self, seat: int) -> int:
        """Return the colours of which one chip more would win for this seat: 1 red, 2 blue, 3 either.

        0 if no single chip would, and for who has enough already.
        """
        red, blue = self.chips[seat]
        if wins(red, blue):
            return 0
        return (1 if wins(red + 1, blue) else 0) + (2 if wins(red, blue + 1) else 0)

    @property
    def wins_match(self) -> bool:
        """Is the match won if nobody blocks? (R32, A12)"""
        if self.phase != CONFIRM:
            return False
        red, blue = self.chips[self.turn]
        return wins(red, blue)

    # May it be said?

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        reason = BaseKeeper.why_not(self, what, seat, arg)
        if reason is None:
            if what == common.JOIN and self.phase != SETUP and self.ring.states[seat] == EMPTY:
                return ("match_running",)  # K6: there is one deal only
            if what in (common.VOID, common.END) and self.phase == CONFIRM:
                return ("confirm_open", self.turn)
        return reason

    def _why_not(self, what: int, seat: int, arg: int) -> "tuple[Any, ...] | None":
        turn = self.turn
        if what == BLOCK:
            if seat != NO_SEAT:
                return ("seat_unknown",)
            return None if self.blockable >= 0 else ("nothing_to_block",)
        if self.phase == CONFIRM:
            return None if what == DONE and seat == turn else ("confirm_open", turn)
        if what == DONE or what == CATCH_UP:
            if seat == NO_SEAT:
                return ("seat_unknown",)
            if what == DONE:
                return None if seat == turn else ("not_your_turn", turn)
            # K3: while a Block may come the seat on turn says itself that it has gone on.
            late = self.blockable < 0 and seat != turn and seat == self.due
            return None if late else ("not_your_turn", turn)
        if seat != NO_SEAT and seat != turn:
            return ("not_your_turn", turn)
        if what == STEAL_CHIP:
            return self._why_not_chip(arg >> 1, arg & 1)
        if what == STEAL_CARD:
            return self._why_not_victim(arg)
        return None

    def _why_not_victim(self, victim: int) -> "tuple[Any, ...] | None":
        if victim >= self.seats:
            return ("seat_unknown",)
        if victim == self.turn:
            return ("own_chip", victim)
        # K5: what somebody left at the table waits, untouched.
        return None if self.ring.is_active(victim) else ("seat_absent", victim)

    def _why_not_chip(self, victim: int, colour: int) -> "tuple[Any, ...] | None":
        """R30, A10, A19."""
        reason = self._why_not_victim(victim)
        if reason is not None:
            return reason
        if not self.chips[victim][colour]:
            return ("no_such_chip", victim)
        thief = self.turn
        return ("would_win", thief) if self.one_chip(thief) >> colour & 1 else None

    def _why_not_leave(self, seat: int) -> "tuple[Any, ...] | None":
        if self.phase == CONFIRM and seat == self.turn:
            return ("confirm_open", seat)
        return None

    def _of_a_seat(self, what: int) -> bool:
        return what in (DONE, CATCH_UP) or BaseKeeper._of_a_seat(self, what)

    def _examples(self, what: int, seat: int) -> "Any":
        if what == STEAL_CHIP:
            return range(2 * self.seats)
        if what == STEAL_CARD:
            return range(self.seats)
        return BaseKeeper._examples(self, what, seat)

    # It is said.

    def do(self, what: int, seat: int, arg: int) -> None:
        if what < DONE:
            self._common(what, seat, arg)
            return
        if what == BLOCK:
            self._block()
            return
        turn = self.turn
        self.blockable = -1
        if what == DONE:
            if self.phase == CONFIRM:
                self._decided(turn if self.wins_match else NO_SEAT)
            else:
                self._pass_on(turn, self.skips)
        elif what == RED or what == BLUE:
            self._finished(turn, what - RED)
        elif what == CATCH_UP:
            self.tell("caught_up", turn, seat)
            self.do(DONE, turn, 0)
            self.do(DONE, seat, 0)
        else:
            self.tell("played", turn, what)
            if what == SKIP:
                self._skips = min(self._skips + 1, self.seats)
                self.tell("skips", turn, self.skips)
            elif what == REVERSE:
                self.ring.reverse()
                self.tell("direction", NO_SEAT, self.ring.direction)
            elif what == STEAL_CARD:
                self.tell("card_stolen", arg)
            else:
                victim = arg >> 1
                colour = arg & 1
                self.chips[victim][colour] -= 1
                self.tell("chip_lost", victim, colour)
                self._gain(turn, colour)
                self._tell_one_chip(victim)

    def _dealt(self) -> None:
        """R13: nobody has a chip; the seat behind the dealer begins, clockwise."""
        for chips in self.chips:
            chips[0] = 0
            chips[1] = 0
        self._begin(self.ring.next(self.dealer))

    def _begin(self, seat: int) -> None:
        """A turn of this seat begins."""
        self.turn = seat
        self._skips = 0
        if self.telling:
            self.tell("turn", seat)

    def _pass_on(self, seat: int, skips: int) -> None:
        """The turn of this seat is over: so many opponents are skipped, the next one begins (R26, A16)."""
        following = self.ring.following
        for _ in range(skips):
            seat = following[seat]
            self.tell("skipped", seat)
        self._begin(following[seat])

    def _finished(self, seat: int, colour: int) -> None:
        """R17, A9: the sequence is set aside; its chip is taken unless the bank has none."""
        bank = self.bank
        if not bank[colour]:
            self.tell("no_chip", seat, colour)
            return
        self.blockable = colour
        self._gain(seat, colour)
        red, blue = self.chips[seat]
        if wins(red, blue):
            self.phase = CONFIRM
            self.tell("wins_unless_blocked", seat, red + blue)
        elif sum(bank) == 1:  # it was the last one there
            self.phase = CONFIRM
            self.tell("drawn_unless_blocked", seat)

    def _block(self) -> None:
        """R31, A12: the chip goes back, and the turn goes on."""
        seat = self.turn
        colour = self.blockable
        self.blockable = -1
        self.phase = PLAY
        self.chips[seat][colour] -= 1
        self.tell("blocked", seat, colour)
        self._tell_one_chip(seat)
        if self.ring.live < self.fewest:
            self._fall_short(seat)

    def _gain(self, seat: int, colour: int) -> None:
        self.chips[seat][colour] += 1
        self.tell("chip", seat, colour)
        self._tell_one_chip(seat)

    def _tell_one_chip(self, seat: int) -> None:
        if self.telling:
            colours = self.one_chip(seat)
            if colours:
                self.tell("one_chip", seat, colours)

    def _decided(self, winner: int) -> None:
        """R32, A9: the match is won, or drawn if winner is NO_SEAT; chips are what each seat scores."""
        for seat in range(self.seats):
            red, blue = self.chips[seat]
            self.scores[seat] = red + blue
        points = self.scores[winner] if winner != NO_SEAT else 0
        self._add_round(winner, points)
        self._over(winner)
        if winner == NO_SEAT:
            self.tell("match_drawn")
        else:
            self.tell("match_won", winner, points)

    # People.

    def _left(self, seat: int) -> None:
        """K5: passed over, its chips wait; who leaves on turn ends the turn."""
        ring = self.ring
        short = ring.live < self.fewest
        if self.phase == PLAY:
            if seat != self.turn:
                if short:
                    self._fall_short(self.turn)
            elif short:
                self._skips = 0
                self._fall_short(ring.next(seat))
            else:
                self.blockable = -1
                self._pass_on(seat, min(self._skips, ring.live))
        elif self.phase == SHORT and seat == self._waits:
            self._skips = 0
            if ring.live:
                self._waits = ring.next(seat)

    def _fall_short(self, seat: int) -> None:
        """K5: fewer than two are left; the deal waits, to go on with this seat's turn."""
        self._waits = seat
        self.turn = NO_SEAT
        self.blockable = -1
        self.phase = SHORT

    def _next_round(self) -> None:
        if self.phase != SHORT:
            BaseKeeper._next_round(self)
            return
        # Somebody is back: the deal goes on.
        seat = self._waits
        self._waits = NO_SEAT
        self.phase = PLAY
        if self.ring.states[seat] == ACTIVE:
            self.turn = seat
            self.tell("turn", seat)
        else:
            self._pass_on(seat, 0)

    def _holds_cards(self, seat: int) -> bool:
        return True  # its hand lies where it was left

    def _swap(self, seat: int, other: int) -> None:
        BaseKeeper._swap(self, seat, other)
        chips = self.chips
        chips[seat], chips[other] = chips[other], chips[seat]
        self._waits = moved(self._waits, seat, other)

    def mark(self) -> "Any":
        return bytes([self.one_chip(seat) for seat in range(self.seats)])

    def tell_again(self, mark: "Any") -> None:
        BaseKeeper.tell_again(self, mark)
        turn = self.turn
        if self.skips:
            self.tell("skips", turn, self.skips)
        if self.phase == CONFIRM:
            if self.wins_match:
                self.tell("wins_unless_blocked", turn, sum(self.chips[turn]))
            else:
                self.tell("drawn_unless_blocked", turn)
        if turn != NO_SEAT:
            for seat in range(self.seats):
                colours = self.one_chip(seat)
                if colours and colours != mark[seat]:
                    self.tell("one_chip", seat, colours)

    # Snapshots.

    def _pack(self, out: bytearray) -> None:
        put(out, self.blockable)
        put(out, self._skips)
        put(out, self._waits)
        for chips in self.chips:
            for number in chips:
                put(out, number)

    def _unpack(self, reader: Reader) -> None:
        get = reader.get
        self.blockable = get()
        self._skips = get()
        self._waits = get()
        for chips in self.chips:
            chips[0] = get()
            chips[1] = get()
