"""The fold of a log of announcements, with undo and redo across round ends.

In memory are the keeper, a snapshot of it at the last border (match set up, round dealt) and the
packed announcements in force since then. What lies before the border is in the archive, a list of
(snapshot at its beginning, announcements in force) called segments.
"""

import struct

from cardrules.announcement import (
    GAME,
    KEPT_BY_UNDO,
    NO_SEAT,
    PACKED_SIZE,
    REDO,
    UNDO,
    Announcement,
    pack,
    unpack,
)
from cardrules.games import load

CHECKPOINT_VERSION = 1
_HEAD = "<BBHIII"


class MemoryArchive:
    """Segments in memory."""

    def __init__(self) -> None:
        self.segments = []

    def save(self, index: int, snapshot: bytes, records: bytes) -> None:
        """Keep a segment at index, the next one or one to replace."""
        self.drop_after(index - 1)
        self.segments.append((bytes(snapshot), bytes(records)))

    def load(self, index: int):
        """Return (snapshot, records) of a segment. Raises KeyError when it is no longer there."""
        if not 0 <= index < len(self.segments):
            raise KeyError(index)
        return self.segments[index]

    def drop_after(self, index: int) -> None:
        """Forget the segments behind index."""
        del self.segments[index + 1 :]


class Log:
    """Announcements said so far, as a state. seats: how many seats the table has."""

    def __init__(self, archive=None, seats: int = 6) -> None:
        self.archive = archive if archive is not None else MemoryArchive()
        self.seats = seats
        self.keeper = None
        self._index = 0  # of the segment in memory
        self._base = b""  # snapshot at its beginning; empty: it begins with GAME
        self._said = bytearray()
        self._undone = bytearray()

    # What may be said.

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0):
        """Return None, or the reason why this may not be said now."""
        if what in (UNDO, REDO):
            if self.keeper is not None and self.keeper.paused:
                return ("paused",)
            if what == UNDO:
                return None if self.undo_target() else ("nothing_to_undo",)
            return None if self._undone else ("nothing_to_redo",)
        if what == GAME:
            try:
                load(arg)
            except ValueError:
                return ("argument",)
            return None
        if self.keeper is None:
            return None if what in KEPT_BY_UNDO and what == 1 else ("no_match",)
        return self.keeper.why_not(what, seat, arg)

    def undo_target(self):
        """Return (what, seat, arg) of what undo would take back, or None."""
        found = self._last(self._said)
        if found is None and self._index:
            try:
                found = self._last(self.archive.load(self._index - 1)[1])
            except KeyError:
                return None
        if found is None:
            return None
        said = found[1]
        return said.what, said.seat, said.arg

    def redo_target(self):
        """Return (what, seat, arg) of what redo would say again, or None."""
        if not self._undone:
            return None
        said = unpack(self._undone, len(self._undone) - PACKED_SIZE)
        return said.what, said.seat, said.arg

    @staticmethod
    def _last(records):
        """Return (offset, announcement) of the last one that undo takes back, or None."""
        at = len(records) - PACKED_SIZE
        while at >= 0:
            said = unpack(records, at)
            if said.what not in KEPT_BY_UNDO:
                return at, said
            at -= PACKED_SIZE
        return None

    # Saying it.

    def say(self, what: int, seat: int = NO_SEAT, arg: int = 0, ms: int = 0):
        """Say it. Return (None, notices), or (reason, []) with nothing changed."""
        reason = self.why_not(what, seat, arg)
        if reason is not None:
            return reason, []
        return None, self.step(what, seat, arg, ms)

    def step(self, what: int, seat: int, arg: int, ms: int):
        """Say what is known to be allowed; return the notices."""
        if what == UNDO:
            return self._undo()
        if what == REDO:
            said = unpack(self._undone, len(self._undone) - PACKED_SIZE)
            self._undone = self._undone[:-PACKED_SIZE]
            notices = [("redone", said.seat, said.what)]
            notices += self._say(said.what, said.seat, said.arg, ms)
            return notices
        if what not in KEPT_BY_UNDO:
            self._undone = bytearray()
        return self._say(what, seat, arg, ms)

    def _say(self, what, seat, arg, ms):
        if what == GAME:
            if self.keeper is not None:
                self._roll(b"")
            self.keeper = load(arg).Keeper(self.seats)
        keeper = self.keeper
        if keeper is None:
            return []  # a boot before the first match
        round_before = keeper.round
        keeper.notices = []
        keeper.step(what, seat, arg, ms)
        self._said += pack(Announcement(0, ms, seat, what, arg))
        if keeper.round != round_before:
            self._roll(keeper.snapshot())
        return keeper.notices

    def _roll(self, base):
        self.archive.save(self._index, self._base, bytes(self._said))
        self._index += 1
        self._base = base
        self._said = bytearray()

    def _undo(self):
        kept = bytearray()
        found = self._last(self._said)
        if found is None:
            kept = self._said
            self._step_back()
            found = self._last(self._said)
        at, said = found
        self._undone += self._said[at : at + PACKED_SIZE]
        rest = self._said[:at] + self._said[at + PACKED_SIZE :] + kept
        if said.what == GAME and self._index:
            self._step_back()
            rest = self._said + rest
        self._replay(rest)
        return [("undone", said.seat, said.what)] + self._turn_notice()

    def _turn_notice(self):
        keeper = self.keeper
        if keeper is None or keeper.turn == NO_SEAT:
            return []
        return [("turn", keeper.turn, 0)]

    def _step_back(self):
        self._index -= 1
        self._base, records = self.archive.load(self._index)
        self._said = bytearray(records)
        self.archive.drop_after(self._index - 1)

    def _replay(self, records):
        """Make the state anew from the base and these records."""
        self._said = bytearray()
        self.keeper = None
        if self._base:
            self._restore(self._base)
        for at in range(0, len(records), PACKED_SIZE):
            said = unpack(records, at)
            if said.what == GAME:
                self.keeper = load(said.arg).Keeper(self.seats)
            if self.keeper is not None:
                self.keeper.step(said.what, said.seat, said.arg, said.ms)
                self.keeper.notices = []
        self._said = bytearray(records)

    def _restore(self, snapshot):
        # The first packed number of every snapshot is the game's, small enough for one byte.
        keeper = load(snapshot[0] >> 1).Keeper(self.seats)
        keeper.restore(snapshot)
        self.keeper = keeper

    # For the board's start.

    def checkpoint(self) -> bytes:
        """Return all that resume() needs, the archive aside."""
        head = struct.pack(
            _HEAD, CHECKPOINT_VERSION, self.seats, 0, self._index, len(self._base), len(self._said)
        )
        return head + self._base + bytes(self._said) + bytes(self._undone)

    def resume(self, data: bytes) -> None:
        """Take the state of a checkpoint. Raises ValueError when it is damaged; then nothing has changed."""
        size = struct.calcsize(_HEAD)
        if len(data) < size:
            raise ValueError("checkpoint cut short")
        version, seats, _spare, index, base, said = struct.unpack(_HEAD, data[:size])
        if version != CHECKPOINT_VERSION or seats != self.seats or len(data) < size + base + said:
            raise ValueError("checkpoint of another version or cut short")
        if said % PACKED_SIZE or (len(data) - size - base - said) % PACKED_SIZE:
            raise ValueError("checkpoint damaged")
        before = (self.keeper, self._index, self._base, self._said, self._undone)
        try:
            self._index = index
            self._base = bytes(data[size : size + base])
            self._undone = bytearray(data[size + base + said :])
            self._replay(bytearray(data[size + base : size + base + said]))
        except (ValueError, IndexError):
            self.keeper, self._index, self._base, self._said, self._undone = before
            raise ValueError("checkpoint damaged")
