"""What the keepers of all games share: seats, dealer, clocks, pause, rounds, snapshots.

A keeper knows what is public at a table. Given an announcement it either refuses with a reason and
changes nothing, or changes and tells what happened in notices (see cardrules.notices).
"""

import struct
from binascii import crc32

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT
from cardrules.seating import ACTIVE, AWAY, BACK, EMPTY, NEW, Ring
from cardrules.varint import Reader, put

try:
    from typing import Any, ClassVar
except ImportError:
    pass

SETUP = "setup"  # people join, rules are set
PLAY = "play"
COLOUR = "colour"  # a colour has to be named before anything else
OUT = "out"  # somebody seems to be out and is asked
SCORING = "scoring"  # hands are being entered
SCORED = "scored"  # all are entered, the round waits to be confirmed
OVER = "over"  # the match is won or ended
SHORT = "short"  # fewer than two are left: the next round waits for somebody
CONFIRM = "confirm"  # something that would win has to be confirmed

PHASES = (SETUP, PLAY, COLOUR, OUT, SCORING, SCORED, OVER, SHORT, CONFIRM)
"""All phases; the reason wrong_phase carries an index of this tuple."""

_MASK = 0xFFFFFFFF
_HALF = 0x80000000
_MAGIC = b"CK"
_VERSION = 2


class Keeper:
    """The keeper that each game's keeper extends.

    game: id. phase: one of PHASES. paused. ring: who sits where, and the direction. dealer, turn: seats
    or NO_SEAT. round: number from 1, 0 before the first. scores: points by seat. players: ids by seat.
    clock_ms: milliseconds on turn by seat. rules: key -> value. winner: seat that won the match or NO_SEAT.
    practice: a program holds the cards. deals: rounds dealt since this object was made, a sign that
    another one has begun; not part of the state. notices: what the latest step told, nothing unless
    telling.
    """

    game = 0
    game_version = 1
    """Version of the game's part of a snapshot."""
    seats = 6
    """Seats round the table."""
    fewest = 2
    """Players that a round needs."""
    settings: "ClassVar[tuple[tuple[int, str, tuple[int, ...], int], ...]]" = ()
    """House rules: (key, name, values, default)."""
    names: "ClassVar[dict[int, str]]" = {}
    """What can be said in the game beside the common announcements: code -> word."""
    takes_arg: "ClassVar[tuple[int, ...]]" = ()
    """Codes of the game whose announcements carry a number."""
    round_format = "<BH"
    """How the facts of a confirmed round are packed: first a seat or NO_SEAT, then points."""

    def __init__(self) -> None:
        seats = self.seats
        self.phase = SETUP
        self.paused = False
        self.ring = Ring(seats)
        self.dealer = NO_SEAT
        self.turn = NO_SEAT
        self.round = 0
        self.scores = [0] * seats
        self.players = [0] * seats
        self.clock_ms = [0] * seats
        self.rules: dict[int, int] = {}
        for key, _, _, default in self.settings:
            self.rules[key] = default
        self._rounds = bytearray()  # packed: a snapshot copies them whole, however many there are
        self.winner = NO_SEAT
        self.practice = False
        self.ended = False
        self.deals = 0
        self.last_ms = 0
        self.telling = True
        self.notices: list[tuple[str, int, int]] = []

    @property
    def direction(self) -> int:
        """Which way play goes: 1 clockwise, -1 the other way."""
        return self.ring.direction

    @property
    def rounds(self) -> "list[tuple[int, ...]]":
        """The facts of each round confirmed, the first one first: a seat, points, and what a game adds.

        The seat is the one that the points went to: in most games the winner of the round.
        """
        packed = self._rounds
        layout = self.round_format
        size = struct.calcsize(layout)
        return [struct.unpack_from(layout, packed, at) for at in range(0, len(packed), size)]

    @property
    def rounds_closed(self) -> int:
        """How many rounds are confirmed."""
        return len(self._rounds) // struct.calcsize(self.round_format)

    @property
    def winners(self) -> int:
        """Bit mask of the seats that won the match; more than one where victory is shared."""
        return 1 << self.winner if self.winner != NO_SEAT else 0

    def places(self) -> "list[int]":
        """Return by seat the place in a match that was won, from 1; 0 for who has none.

        Seats that are equal share a place, and the next one is as much farther down.
        """
        places = [0] * self.seats
        winners = self.winners
        if winners:
            for seat in self.ring.seats():
                ahead = 0
                for other in self.ring.seats():
                    if winners >> other & 1:
                        ahead += 1
                    elif self._ahead(other, seat):
                        ahead += 1
                places[seat] = 1 if winners >> seat & 1 else 1 + ahead
        return places

    def _ahead(self, seat: int, other: int) -> bool:
        """Did seat do better than other? Asked of two who have not won."""
        return self.scores[seat] > self.scores[other]

    def _add_round(self, *facts: int) -> None:
        self._rounds.extend(struct.pack(self.round_format, *facts))

    def _set_round(self, number: int, *facts: int) -> None:
        """Put other facts in the place of a confirmed round. number: from 1."""
        layout = self.round_format
        struct.pack_into(layout, self._rounds, (number - 1) * struct.calcsize(layout), *facts)

    # May it be said?

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Return why this cannot be said now, None if it can. Changes nothing and never raises."""
        if not isinstance(what, int) or (what not in says.COMMON and what not in self.names):
            return ("unknown_what", what if isinstance(what, int) else -1)
        if not isinstance(seat, int) or not (0 <= seat < self.seats or seat == NO_SEAT):
            return ("seat_unknown",)
        if not isinstance(arg, int) or not 0 <= arg <= _MASK:
            return ("arg_unknown", arg if isinstance(arg, int) else -1)
        if arg and what not in _TAKE_ARG and what not in self.takes_arg:
            return ("arg_unknown", arg)
        phase = self.phase
        if what >= 32:
            if phase == OVER:
                return ("match_over",)
            if self.paused:
                return ("paused",)
            if phase == SETUP or phase == SHORT:
                return wrong_phase(phase)
            return self._why_not(what, seat, arg)
        if what == says.BOOT:
            return None
        if what == says.UNDO:
            return ("nothing_to_undo",)  # the log knows, a keeper has no past
        if what == says.REDO:
            return ("nothing_to_redo",)
        if what == says.RESUME:
            return None if self.paused else ("not_paused",)
        if what == says.GAME:
            if arg != self.game:
                return ("game_unknown", arg)
            return None if phase == SETUP or phase == OVER else ("match_running",)
        if what == says.CORRECT:
            return self._why_not_correct(seat, arg)
        if phase == OVER:
            return ("match_over",)
        if what == says.PAUSE:
            if self.paused:
                return ("paused",)
            return wrong_phase(phase) if phase == SETUP else None
        if what in (says.RULE, says.DEALER, says.PRACTICE, says.START) and phase != SETUP:
            return ("match_running",)
        if what == says.PRACTICE:
            return None
        if what == says.RULE:
            return self._why_not_rule(arg >> 16, arg & 65535)
        if what == says.START:
            return None if self.ring.live >= self.fewest else ("seats_too_few", self.fewest)
        if what == says.VOID:
            return wrong_phase(phase) if phase in (SETUP, SHORT) else None
        if what == says.END:
            return wrong_phase(phase) if phase == SETUP else None
        if what == says.CLOSE:
            if self.paused:
                return ("paused",)
            return self._why_not_close(arg)
        # What is left concerns a seat.
        if seat == NO_SEAT:
            return ("seat_unknown",)
        state = self.ring.states[seat]
        if what == says.JOIN:
            if state == EMPTY:
                return None
            if state != AWAY or (arg and self.players[seat] and arg != self.players[seat]):
                return ("seat_taken", seat)
            return None
        if what == says.LEAVE:
            if state not in (ACTIVE, NEW, BACK):
                return ("seat_absent", seat)
            return self._why_not_leave(seat)
        if what == says.DEALER:
            return None if state == ACTIVE else ("seat_absent", seat)
        # SWAP
        if arg >= self.seats:
            return ("seat_unknown",)
        if seat == arg:
            return ("seat_taken", seat)
        return None if self.ring.has(seat) or self.ring.has(arg) else ("seat_absent", seat)

    def _why_not_rule(self, key: int, value: int) -> "tuple[Any, ...] | None":
        for known, _, values, _ in self.settings:
            if known == key:
                return None if value in values else ("rule_value", key, value)
        return ("rule_unknown", key)

    def allowed(self) -> list[tuple[int, int]]:
        """Return (what, seat) of all that may be said now with a suitable number, in order of codes.

        seat is NO_SEAT for what concerns no seat, or only the seat on turn.
        """
        found = []
        for what in sorted(list(says.COMMON) + list(self.names)):
            for seat in range(self.seats) if self._of_a_seat(what) else (NO_SEAT,):
                for arg in self._examples(what, seat):
                    if self.why_not(what, seat, arg) is None:
                        found.append((what, seat))
                        break
        return found

    def _of_a_seat(self, what: int) -> bool:
        return what in (says.JOIN, says.LEAVE, says.DEALER, says.SWAP, says.CORRECT)

    def _examples(self, what: int, seat: int) -> "Any":
        """Return numbers of which one will do if any will."""
        if what == says.GAME:
            return (self.game,)
        if what == says.RULE:
            return tuple(key * 65536 + default for key, _, _, default in self.settings)
        if what == says.SWAP:
            return range(self.seats)
        return (0,)

    # It is said.

    def apply(
        self, what: int, seat: int = NO_SEAT, arg: int = 0, ms: int = 0
    ) -> "tuple[tuple[Any, ...] | None, list[tuple[str, int, int]]]":
        """Say it: return (reason, no notices) and change nothing, or (None, notices)."""
        reason = self.why_not(what, seat, arg)
        if reason is not None:
            return reason, []
        self.notices = []
        self.step(what, seat, arg, ms)
        return None, self.notices

    def step(self, what: int, seat: int, arg: int, ms: int) -> None:
        """Do what why_not() allows, unchecked; adds to notices. ms: uptime modulo 2**32."""
        if what == says.BOOT:
            self.last_ms = ms
            return
        passed = ms - self.last_ms & _MASK
        if passed:
            # Time that seems to run back (an announcement redone after others) counts for nobody.
            if passed < _HALF:
                self.last_ms = ms
                turn = self.turn
                if turn != NO_SEAT and not self.paused:
                    self.clock_ms[turn] += passed
        self.do(what, seat, arg)

    def do(self, what: int, seat: int, arg: int) -> None:
        """step() at the moment of the last one: where no clock runs and speed matters.

        Each game does its own announcements here and leaves the others to this.
        """
        self._common(what, seat, arg)

    def clock(self, seat: int, ms: int) -> int:
        """Return milliseconds on turn of a seat at uptime ms, the turn in play included."""
        passed = ms - self.last_ms & _MASK
        if seat == self.turn and not self.paused and passed < _HALF:
            return self.clock_ms[seat] + passed
        return self.clock_ms[seat]

    def tell(self, code: str, seat: int = NO_SEAT, value: int = 0) -> None:
        """Add a notice."""
        if self.telling:
            self.notices.append((code, seat, value))

    def mark(self) -> "Any":
        """Return what tell_again() needs to know of the state before an undo."""
        return None

    def tell_again(self, mark: "Any") -> None:
        """Add the notices that say where the table stands after an undo. mark: mark() before it."""
        if self.paused:
            self.tell("paused")
        if self.turn != NO_SEAT:
            self.tell("turn", self.turn)

    def _common(self, what: int, seat: int, arg: int) -> None:
        ring = self.ring
        if what == says.PAUSE:
            self.paused = True
            self.tell("paused", seat)
        elif what == says.RESUME:
            self.paused = False
            self.tell("resumed", seat)
        elif what == says.GAME:
            self.tell("match_new", NO_SEAT, self.game)
        elif what == says.RULE:
            self.rules[arg >> 16] = arg & 65535
            self.tell("rule", NO_SEAT, arg)
        elif what == says.PRACTICE:
            self.practice = True
            self.tell("practice")
        elif what == says.JOIN:
            self._join(seat, arg)
        elif what == says.LEAVE:
            if self.phase == SETUP:
                ring.give_up(seat)
                self.players[seat] = 0
                if self.dealer == seat:
                    self.dealer = NO_SEAT
                self.tell("left", seat)
            else:
                was_active = ring.is_active(seat)
                ring.leave(seat)
                if not ring.has(seat):
                    self.players[seat] = 0
                self.tell("left", seat)
                if was_active:
                    self._left(seat)
        elif what == says.DEALER:
            self.dealer = seat
            self.tell("dealer", seat)
        elif what == says.START:
            if self.dealer == NO_SEAT:
                self.dealer = ring.active()[0]
            self.tell("match_started")
            self._deal()
        elif what == says.SWAP:
            self._swap(seat, arg)
            self.tell("swapped", seat, arg)
        elif what == says.VOID:
            self._void()
        elif what == says.END:
            self._over(NO_SEAT)
            self.ended = True
            self.tell("match_ended")
        elif what == says.CLOSE:
            self._close(arg)
        elif what == says.CORRECT:
            self._correct(seat, arg)

    def _join(self, seat: int, player: int) -> None:
        ring = self.ring
        if ring.states[seat] == AWAY:
            if player:
                self.players[seat] = player
            ring.come_back(seat, self._holds_cards(seat))
            self.tell("returned", seat)
            if not ring.is_active(seat):
                self.tell("joins_next_round", seat, self.players[seat])
        else:
            self.players[seat] = player
            self.scores[seat] = 0
            self.clock_ms[seat] = 0
            if self.phase == SETUP:
                ring.join(seat)
                self.tell("joined", seat, player)
            else:
                ring.join_late(seat)
                self.tell("joins_next_round", seat, player)
        if self.phase == SHORT and ring.live + ring.late >= self.fewest:
            self._next_round()

    def _swap(self, seat: int, other: int) -> None:
        """Let two seats change places with all that belongs to them; one may be empty."""
        self.ring.swap(seat, other)
        for by_seat in (self.scores, self.players, self.clock_ms):
            by_seat[seat], by_seat[other] = by_seat[other], by_seat[seat]
        self.turn = moved(self.turn, seat, other)
        self.dealer = moved(self.dealer, seat, other)
        number = 0
        for facts in self.rounds:
            number += 1
            self._set_round(number, *self._moved_facts(facts, seat, other))

    def _moved_facts(self, facts: "tuple[int, ...]", seat: int, other: int) -> "tuple[int, ...]":
        """Return the facts of a round as they are after two seats have changed places."""
        return (moved(facts[0], seat, other),) + tuple(facts[1:])

    def _void(self) -> None:
        """The round in play counts for nobody; the next dealer deals."""
        self.tell("round_void", NO_SEAT, self.round)
        self._next_round()

    def _next_round(self) -> None:
        """Move the deal on and deal, or wait until enough people are there."""
        ring = self.ring
        if ring.live + ring.late < self.fewest:
            self._clear()
            self.phase = SHORT
            self.turn = NO_SEAT
            return
        ring.admit()
        self.dealer = self._next_dealer()
        self._deal()

    def _next_dealer(self) -> int:
        """Return who deals the next round: the next active seat clockwise."""
        return self.ring.step(self.dealer, 1)

    def _deal(self) -> None:
        self._clear()
        self.ring.face(1)
        self.round = self.rounds_closed + 1
        self.deals += 1
        self.phase = PLAY
        self.tell("dealer", self.dealer)
        self.tell("round_started", NO_SEAT, self.round)
        self._dealt()

    def _over(self, winner: int) -> None:
        self._clear()
        self.phase = OVER
        self.turn = NO_SEAT
        self.winner = winner

    # What a game adds.

    def _why_not(self, what: int, seat: int, arg: int) -> "tuple[Any, ...] | None":
        """Return why an announcement of the game cannot be made in a round."""
        return ("unknown_what", what)

    def _why_not_close(self, arg: int) -> "tuple[Any, ...] | None":
        return wrong_phase(self.phase)

    def _why_not_correct(self, seat: int, arg: int) -> "tuple[Any, ...] | None":
        return ("round_unknown", 0)

    def _why_not_leave(self, seat: int) -> "tuple[Any, ...] | None":
        return None

    def _close(self, points: int) -> None:
        """The round's scores are confirmed."""

    def _correct(self, seat: int, arg: int) -> None:
        """A confirmed round is corrected."""

    def _clear(self) -> None:
        """Forget the round in play: no hands, nothing owed, nothing asked."""

    def _dealt(self) -> None:
        """A round is dealt; say who begins."""

    def _left(self, seat: int) -> None:
        """An active seat has left while a match runs."""

    def _holds_cards(self, seat: int) -> bool:
        """Does a hand of the round in play wait for this seat?"""
        return False

    def _pack(self, out: bytearray) -> None:
        """Append the game's part of the snapshot."""

    def _unpack(self, reader: Reader) -> None:
        """Take the game's part of the snapshot."""

    # Snapshots.

    def snapshot(self) -> bytes:
        """Return the whole state; equal states give equal bytes on every interpreter."""
        out = bytearray(_MAGIC)
        out.append(_VERSION)
        put(out, self.game)
        put(out, self.game_version)
        put(out, PHASES.index(self.phase))
        put(out, 1 if self.paused else 0)
        put(out, 1 if self.ended else 0)
        put(out, 1 if self.practice else 0)
        put(out, self.last_ms)
        for number in (self.dealer, self.turn, self.winner, self.round, self.ring.direction):
            put(out, number)
        put(out, self.seats)
        for seat in range(self.seats):
            put(out, self.ring.states[seat])
            put(out, self.players[seat])
            put(out, self.scores[seat])
            put(out, self.clock_ms[seat])
        put(out, len(self.settings))
        for key, _, _, _ in self.settings:
            put(out, key)
            put(out, self.rules[key])
        put(out, self.rounds_closed)
        out.extend(self._rounds)
        self._pack(out)
        check = crc32(out)
        for shift in (0, 8, 16, 24):
            out.append(check >> shift & 255)
        return bytes(out)

    def restore(self, data: bytes) -> None:
        """Take over a snapshot. Raises ValueError, and changes nothing, if it is damaged or of another
        game or version."""
        if game_of(data) != self.game:
            raise ValueError("snapshot of another game")
        end = len(data) - 4
        # With a good checksum only a program with other tables can have written what does not fit.
        other = type(self)()
        try:
            other._take(Reader(data, 3, end))
        except (IndexError, ValueError) as error:
            raise ValueError("snapshot of another version") from error
        self.rewind(data)

    def rewind(self, data: bytes) -> None:
        """Take over a snapshot that this very program has made, unchecked: for undo, where time counts."""
        self._take(Reader(data, 3, len(data) - 4))

    def _take(self, reader: Reader) -> None:
        get = reader.get
        if get() != self.game or get() != self.game_version:
            raise ValueError("version")
        self.phase = PHASES[get()]
        self.paused = get() == 1
        self.ended = get() == 1
        self.practice = get() == 1
        self.last_ms = get()
        self.dealer = get()
        self.turn = get()
        self.winner = get()
        self.round = get()
        direction = get()
        if get() != self.seats:
            raise ValueError("seats")
        states = bytearray(self.seats)
        for seat in range(self.seats):
            states[seat] = get()
            self.players[seat] = get()
            self.scores[seat] = get()
            self.clock_ms[seat] = get()
        self.ring.load(states, direction)
        if get() != len(self.settings):
            raise ValueError("rules")
        for _ in self.settings:
            key = get()
            self.rules[key] = get()
        self._rounds = bytearray(reader.take(get() * struct.calcsize(self.round_format)))
        self._unpack(reader)
        if not reader.done():
            raise ValueError("too long")
        self.notices = []


_TAKE_ARG = (says.BOOT, says.GAME, says.RULE, says.JOIN, says.SWAP, says.CLOSE, says.CORRECT)


def wrong_phase(phase: str) -> tuple[str, int]:
    """Return the reason for what cannot be said in this phase."""
    return ("wrong_phase", PHASES.index(phase))


def moved(seat: int, one: int, other: int) -> int:
    """Return where a seat is after one and other have changed places."""
    if seat == one:
        return other
    return one if seat == other else seat


def moved_bits(mask: int, seat: int, other: int) -> int:
    """Return a bit mask of seats as it is after seat and other have changed places."""
    if (mask >> seat ^ mask >> other) & 1:
        return mask ^ (1 << seat | 1 << other)
    return mask


def game_of(data: "bytes | memoryview") -> int:
    """Return the game id of a snapshot. Raises ValueError if it is damaged or of an unknown version."""
    if len(data) < 8 or bytes(data[:2]) != _MAGIC:
        raise ValueError("not a snapshot")
    check = 0
    for place in (1, 2, 3, 4):
        check = check << 8 | data[len(data) - place]
    if crc32(data[: len(data) - 4]) != check:
        raise ValueError("damaged snapshot")
    if data[2] != _VERSION:
        raise ValueError("snapshot of another version")
    return Reader(data, 3, len(data) - 4).get()
