"""Six seat buttons and sixteen keys: from levels to gestures.

A press acts on its first edge; the edges of the next `debounce_ms` are ignored, then the level is
read again. Seat buttons and most keys have one meaning, given at once (PRESS). UNDO, PAUSE and OK
have a long action too: they give PRESS (a tick to hear), then either SHORT when released early or
LONG once, while still held; HELD follows for the few places that ask for a longer hold.

Any callable can stand for a pin and any numbers for a clock. The rows of the key pad stay driven, so
that four columns tell whether any key is down at all; only then it is scanned row by row.

Several presses in one scan, while somebody is on turn: the seat on turn wins, else the nearest in
the direction of play from the seat on turn; the others give CLASH. A key with one meaning beats
every seat pressed in the same scan. With nobody on turn every press counts.
"""

from table import KEYS as KEYS
from table import SEATS as SEATS

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


CONTROLS = SEATS + len(KEYS)
"""First the seats; key k is control SEATS + k."""

SKIP_1 = SEATS
KEY_A = SEATS + 3
KEY_B = SEATS + 7
KEY_C = SEATS + 11
KEY_D = SEATS + 15
UNDO = SEATS + 12
PAUSE = SEATS + 13
OK = SEATS + 14

PRESS = 0
SHORT = 1
LONG = 2
HELD = 3
CLASH = 4

_DIGITS = "1234567890"


def control(name: str) -> int:
    """Return the number of a control named "seat1" to "seat6" or by its legend, -1 if unknown."""
    if name.startswith("seat") and name[4:].isdigit():
        seat = int(name[4:]) - 1
        return seat if 0 <= seat < SEATS else -1
    if len(name) == 1 and name in KEYS:
        return SEATS + KEYS.index(name)
    return -1


def name(number: int) -> str:
    """Return the name that control() takes."""
    if number < SEATS:
        return "seat" + str(number + 1)
    return KEYS[number - SEATS]


def digit(number: int) -> int:
    """Return the digit on a control, -1 if it bears none."""
    if number >= SEATS:
        legend = KEYS[number - SEATS]
        if legend in _DIGITS:
            return int(legend)
    return -1


class Controls:
    """Reads all pins in poll(); what came of it stands in events[0:count] as (control, kind) pairs.

    seats, rows, columns: callables, see the board's description; ticks_diff(a, b): signed
    milliseconds from b to a, right over the wrap of the clock.
    """

    debounce_ms = 30
    long_ms = 800
    held_ms = 2000
    name_stuck_ms = 1000  # low from power-on so long: it is named as stuck
    held_stuck_ms = 15000  # nobody leans on a button so long
    MAX_EVENTS = 24

    def __init__(
        self, seats: "Any", rows: "Any", columns: "Any", ticks_diff: "Callable[[int, int], int]"
    ) -> None:
        self.seats = seats
        self.rows = rows
        self.columns = columns
        self.diff = ticks_diff
        self.count = 0
        self.controls = bytearray(self.MAX_EVENTS)
        self.kinds = bytearray(self.MAX_EVENTS)
        self.ghosts = 0
        self.lost = 0
        self._down = bytearray(CONTROLS)  # as accepted
        self._raw = bytearray(CONTROLS)
        self._quiet = bytearray(CONTROLS)  # 1: an edge was just accepted, more are ignored
        self._since = [0] * CONTROLS  # ms of the accepted edge
        self._stage = bytearray(CONTROLS)  # of a held control: 0, 1 after long_ms, 2 held_ms, 3 stuck
        self._masked = bytearray(CONTROLS)  # 1: low since power-on and never seen up
        self._stuck = bytearray(CONTROLS)
        self._remote = bytearray(CONTROLS)
        self._latch = bytearray(CONTROLS)  # a remote press not yet seen by poll
        self._rows_low = bytearray(len(rows))
        self._first = True
        self._attention = True  # a control is held, masked, remote or within its quiet time
        self._keys_low = False
        self._stuck_changed = False
        for row in rows:
            row(0)

    def remote(self, number: int, down: bool) -> None:
        """Press (down true) or release a control by hand of the PC."""
        self._remote[number] = 1 if down else 0
        self._attention = True
        if down:
            self._latch[number] = 1

    def down(self, number: int) -> bool:
        """Is this control pressed now?"""
        return self._down[number] != 0

    def stuck(self) -> "list[int]":
        """Return the controls that look stuck, a list of numbers."""
        return [c for c in range(CONTROLS) if self._stuck[c]]

    def stuck_changed(self) -> bool:
        """Has stuck() changed since this was last asked?"""
        changed = self._stuck_changed
        self._stuck_changed = False
        return changed

    def _read(self) -> None:
        raw = self._raw
        c = 0
        for pin in self.seats:
            raw[c] = 0 if pin() else 1
            c += 1
        for column in self.columns:
            if not column():
                break
        else:
            if self._keys_low:
                self._keys_low = False
                while c < CONTROLS:
                    raw[c] = 0
                    c += 1
            return
        self._keys_low = True
        low = self._rows_low
        for row in self.rows:
            row(1)
        r = 0
        for row in self.rows:
            row(0)
            mask = 0
            bit = 1
            for column in self.columns:
                if not column():
                    mask |= bit
                bit <<= 1
            row(1)
            low[r] = mask
            r += 1
        for row in self.rows:
            row(0)
        # Three keys at the corners of a rectangle make the fourth look pressed. Where two rows share
        # two columns nobody can tell, so there everything stays as it was.
        unsure = 0
        count = len(low)
        for a in range(count):
            if low[a]:
                for b in range(a + 1, count):
                    both = low[a] & low[b]
                    if both & (both - 1):
                        unsure |= 1 << a | 1 << b
        down = self._down
        c = SEATS
        for r in range(count):
            mask = low[r]
            hold = unsure >> r & 1
            for k in range(4):
                if hold:
                    raw[c] = down[c] if mask >> k & 1 else 0
                else:
                    raw[c] = mask >> k & 1
                c += 1
        if unsure:
            self.ghosts += 1

    def _say(self, number: int, kind: int) -> None:
        if self.count < self.MAX_EVENTS:
            self.controls[self.count] = number
            self.kinds[self.count] = kind
            self.count += 1
        else:
            self.lost += 1

    def poll(self, ms: int, turn: int = -1, direction: int = 1) -> int:
        """Read everything once; return how many events stand in controls and kinds.

        turn: the seat on turn, out of 0..5 when nobody is; direction: 1 or -1.
        """
        self.count = 0
        self._read()
        raw = self._raw
        down = self._down
        if not self._attention and raw == down:
            return 0
        plain = not self._attention  # then only what has changed is of interest
        attention = False
        quiet = self._quiet
        since = self._since
        stage = self._stage
        masked = self._masked
        if self._first:
            self._first = False
            for c in range(CONTROLS):
                since[c] = ms
                if raw[c]:
                    masked[c] = 1
        seats = 0
        plain_key = False
        for c in range(CONTROLS - 1, -1, -1):  # keys before seats
            level = raw[c]
            if plain and level == down[c] and not masked[c]:
                continue
            if masked[c]:
                attention = True
                held = self.diff(ms, since[c])
                if level:
                    if held >= self.name_stuck_ms and not self._stuck[c]:
                        self._stuck[c] = 1
                        self._stuck_changed = True
                    level = 0
                else:
                    masked[c] = 0
                    if self._stuck[c]:
                        self._stuck[c] = 0
                        self._stuck_changed = True
                    # the bounces of letting go are no press
                    quiet[c] = 1
                    since[c] = ms
            if self._remote[c] or self._latch[c]:
                level = 1
            if quiet[c]:
                attention = True
                if self.diff(ms, since[c]) < self.debounce_ms:
                    continue
                quiet[c] = 0
            if level or self._remote[c]:
                attention = True
            if level != down[c]:
                attention = True
                self._latch[c] = 0
                down[c] = level
                quiet[c] = 1
                since[c] = ms
                has_long = UNDO <= c <= OK
                if level:
                    stage[c] = 0
                    if c < SEATS:
                        seats |= 1 << c
                    else:
                        self._say(c, PRESS)
                        if not has_long:
                            plain_key = True
                else:
                    if has_long and stage[c] == 0:
                        self._say(c, SHORT)
                    if stage[c] == 3:
                        self._stuck[c] = 0
                        self._stuck_changed = True
            elif level:
                self._latch[c] = 0
                held = self.diff(ms, since[c])
                has_long = UNDO <= c <= OK
                if stage[c] == 0 and held >= self.long_ms:
                    stage[c] = 1
                    if has_long:
                        self._say(c, LONG)
                elif stage[c] == 1 and held >= self.held_ms:
                    stage[c] = 2
                    if has_long:
                        self._say(c, HELD)
                elif stage[c] == 2 and held >= self.held_stuck_ms:
                    stage[c] = 3
                    self._stuck[c] = 1
                    self._stuck_changed = True
        self._attention = attention
        if seats:
            self._say_seats(seats, turn, direction, plain_key)
        return self.count

    def _say_seats(self, seats: "Any", turn: int, direction: int, plain_key: bool) -> None:
        if not 0 <= turn < SEATS:
            for c in range(SEATS):
                if seats >> c & 1:
                    self._say(c, PRESS)
            return
        winner = -1
        if not plain_key:
            c = turn
            for _ in range(SEATS):
                if seats >> c & 1:
                    winner = c
                    self._say(c, PRESS)
                    break
                c = (c + direction) % SEATS
        for c in range(SEATS):
            if c != winner and seats >> c & 1:
                self._say(c, CLASH)
