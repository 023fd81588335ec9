"""The state of a table as the fold of its announcements, with undo and redo across round ends.

Nothing said is ever deleted: UNDO and REDO are announcements like the others. In RAM lie the keeper,
a snapshot (the base) and the records since, at most LIMIT; older ones lie in an archive, one piece a
round. So neither undo nor a start of the board grows with the match.
"""

import struct
from binascii import crc32

from cardrules import games
from cardrules.announcement import BOOT, CLOSE, GAME, KEPT_BY_UNDO, NO_SEAT, REDO, UNDO, VOID
from cardrules.keeper import game_of

try:
    from typing import Any

    from cardrules.keeper import Keeper
except ImportError:
    pass

LIMIT = 256
"""Records kept in RAM; a longer round is archived in pieces."""
STRIDE = 16
"""Records between snapshots in RAM: undo folds no more than so many again."""
RECORD = 10
_FORMAT = "<BBII"  # what, seat, arg, ms

_MASK = 0xFFFFFFFF
_HEAD = "<2sBBHHHHH"
_MAGIC = b"CL"
_VERSION = 1


def _target(records: "bytes | bytearray", place: int) -> tuple[int, int, int]:
    what, seat, arg, _ = struct.unpack_from(_FORMAT, records, place * RECORD)
    return what, seat, arg


class MemoryArchive:
    """An archive in RAM: pieces of a match by index from 0."""

    def __init__(self) -> None:
        self._pieces: dict[int, tuple[bytes, bytes]] = {}
        self._last = -1  # the highest index there has been

    def save(self, index: int, snapshot: bytes, records: bytes) -> None:
        """Keep a piece: the state at its start and the records that followed."""
        self._pieces[index] = (snapshot, records)
        self._last = max(self._last, index)

    def load(self, index: int) -> tuple[bytes, bytes]:
        """Return (snapshot, records). Raises KeyError if that piece is not there any more."""
        return self._pieces[index]

    def drop_after(self, index: int) -> None:
        """Forget the pieces above index."""
        while self._last > index:
            self._pieces.pop(self._last, None)
            self._last -= 1


class Log:
    """The fold of a log. archive: save(), load(), drop_after() as MemoryArchive has them.

    keeper: the keeper of the match, None before the first GAME. The keeper object is replaced by a new
    match and changes in place otherwise.

    Undo reaches back to the GAME that set the match up, not beyond. What the device did (KEPT_BY_UNDO)
    stays when undo passes over it.
    """

    def __init__(self, archive: "Any" = None) -> None:
        self.archive = archive if archive is not None else MemoryArchive()
        self.keeper: Keeper | None = None
        self._base = b""
        self._index = 0  # of the piece that the records in RAM will be
        self._records = bytearray(RECORD * LIMIT)
        self._said = 0  # records in RAM
        self._near: list[bytes] = []  # states after STRIDE, 2 * STRIDE ... of them, as far as known
        self._redo = bytearray()  # records taken back, the latest last
        self._redo_late = False  # the device did something since: a redone record gets the time of its REDO

    # May it be said?

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Return why this cannot be said now, None if it can. Changes nothing."""
        keeper = self.keeper
        if what == GAME:
            if arg not in games.GAMES.values():
                return ("game_unknown", arg)
            if keeper is not None:
                reason = keeper.why_not(GAME, seat, keeper.game)
                if reason is not None:
                    return reason
            elif seat != NO_SEAT:
                return ("seat_unknown",)
            try:
                games.load(arg)
            except ValueError:
                return ("game_unknown", arg)
            return None
        if keeper is None:
            return None if what == BOOT else ("no_match",)
        if what != UNDO and what != REDO:
            return keeper.why_not(what, seat, arg)
        reason = keeper.why_not(what, seat, arg)
        if reason is not None and reason[0] not in ("nothing_to_undo", "nothing_to_redo"):
            return reason
        if what == UNDO:
            return ("nothing_to_undo",) if self.undo_target() is None else None
        target = self.redo_target()
        return ("nothing_to_redo",) if target is None else keeper.why_not(target[0], target[1], target[2])

    def undo_target(self) -> "tuple[int, int, int] | None":
        """Return (what, seat, arg) of what UNDO would take back, None if there is nothing."""
        place = self._latest(self._records, self._said)
        if place >= 0:
            return _target(self._records, place)
        index = self._index
        while index > 0:
            index -= 1
            piece = self._load(index)
            if piece is None:
                return None
            place = self._latest(piece[1], len(piece[1]) // RECORD)
            if place >= 0:
                return _target(piece[1], place)
        return None

    def redo_target(self) -> "tuple[int, int, int] | None":
        """Return (what, seat, arg) of what REDO would bring back, None if there is nothing."""
        if not self._redo:
            return None
        return _target(self._redo, len(self._redo) // RECORD - 1)

    # It is said.

    def say(
        self, what: int, seat: int = NO_SEAT, arg: int = 0, ms: int = 0
    ) -> "tuple[tuple[Any, ...] | None, list[tuple[str, int, int]]]":
        """Say it: return (reason, no notices) and change nothing, or (None, notices).

        ms: uptime, taken modulo 2**32.
        """
        reason = self.why_not(what, seat, arg)
        if reason is not None:
            return reason, []
        ms &= _MASK
        if what == GAME:
            return None, self._new_match(arg, ms)
        keeper = self.keeper
        if keeper is None:
            return None, []  # a BOOT with nothing set up
        if what == UNDO:
            return None, self._undo()
        keeper.notices = []
        if what == REDO:
            what, seat, arg, then = struct.unpack_from(_FORMAT, self._redo, len(self._redo) - RECORD)
            if not self._redo_late:
                ms = then
            self._redo = self._redo[: len(self._redo) - RECORD]
            keeper.tell("redone", seat, what)
        elif what not in KEPT_BY_UNDO:
            if self._redo:
                self._redo = bytearray()
            self._redo_late = False
        else:
            self._redo_late = True
        keeper.step(what, seat, arg, ms)
        self._put(what, seat, arg, ms)
        self._mark()
        if what == CLOSE or what == VOID or self._said >= LIMIT:
            self._archive()
        return None, keeper.notices

    def _new_match(self, game: int, ms: int) -> "list[tuple[str, int, int]]":
        keeper: Keeper = games.load(game).Keeper()
        keeper.last_ms = ms
        keeper.step(GAME, NO_SEAT, game, ms)
        self.keeper = keeper
        self._base = keeper.snapshot()
        self._index = 0
        self._said = 0
        self._near = []
        self._redo = bytearray()
        self._redo_late = False
        self.archive.drop_after(-1)
        return keeper.notices

    def _put(self, what: int, seat: int, arg: int, ms: int) -> None:
        records = self._records
        said = self._said
        if what == BOOT and said and records[(said - 1) * RECORD] == BOOT:
            said -= 1  # nothing happened in between: one boot is as good as many
            del self._near[said // STRIDE :]
        if (said + 1) * RECORD > len(records):
            records.extend(bytes(RECORD * 16))
        struct.pack_into(_FORMAT, records, said * RECORD, what, seat, arg, ms)
        self._said = said + 1

    def _mark(self) -> None:
        """Keep the state now if it is time to; the keeper has to be up to date."""
        place, rest = divmod(self._said, STRIDE)
        if not rest and place and self.keeper is not None:
            del self._near[place - 1 :]
            if len(self._near) == place - 1:
                self._near.append(self.keeper.snapshot())

    def _fill(self, records: bytes) -> None:
        """Put these records in place of those in RAM."""
        if len(records) > len(self._records):
            self._records.extend(bytes(len(records) - len(self._records)))
        self._records[: len(records)] = records
        self._said = len(records) // RECORD
        self._near = []

    def _archive(self) -> None:
        """Put the records in RAM away; the state now is the new base."""
        keeper = self.keeper
        if keeper is not None:
            self.archive.save(self._index, self._base, bytes(self._records[: self._said * RECORD]))
            self._base = keeper.snapshot()
            self._index += 1
            self._said = 0
            self._near = []

    def _undo(self) -> "list[tuple[str, int, int]]":
        """Take back the latest record that can be: the base and what is left are folded again."""
        keeper = self.keeper
        if keeper is None:
            return []
        mark = keeper.mark()
        passed = b""  # what undo passes over, and keeps
        place = self._latest(self._records, self._said)
        while place < 0:
            passed = bytes(self._records[: self._said * RECORD]) + passed
            piece = self._load(self._index - 1)
            if piece is None:
                return []
            self._index -= 1
            self._base = piece[0]
            self._fill(piece[1])
            place = self._latest(self._records, self._said)
        self.archive.drop_after(self._index - 1)
        at = place * RECORD
        end = self._said * RECORD
        record = bytes(self._records[at : at + RECORD])
        passed = bytes(self._records[at + RECORD : end]) + passed
        self._said = place
        del self._near[place // STRIDE :]
        for start in range(0, len(passed), RECORD):
            what, seat, arg, ms = struct.unpack_from(_FORMAT, passed, start)
            self._put(what, seat, arg, ms)
        if len(self._redo) >= LIMIT * RECORD:
            self._redo = self._redo[RECORD:]
        if passed:
            self._redo_late = True
        elif not self._redo:
            self._redo_late = False
        self._redo.extend(record)
        self._fold()
        keeper.notices = []
        keeper.tell("undone", record[1], record[0])
        keeper.tell_again(mark)
        return keeper.notices

    def _fold(self) -> None:
        """Bring the keeper from the nearest state known to that after all records."""
        keeper = self.keeper
        if keeper is None:
            return
        near = self._near
        if near:
            keeper.rewind(near[-1])
        else:
            keeper.restore(self._base)
        all_said = self._said
        for place in range(len(near) * STRIDE, all_said):
            what, seat, arg, ms = struct.unpack_from(_FORMAT, self._records, place * RECORD)
            keeper.step(what, seat, arg, ms)
            keeper.notices.clear()
            self._said = place + 1
            self._mark()

    def _latest(self, records: "bytes | bytearray", said: int) -> int:
        """Return the place of the latest record that undo may take back, -1 if there is none."""
        for place in range(said - 1, -1, -1):
            if records[place * RECORD] not in KEPT_BY_UNDO:
                return place
        return -1

    def _load(self, index: int) -> "tuple[bytes, bytes] | None":
        """Return an archived piece, None if it is gone."""
        if index < 0:
            return None
        try:
            found: tuple[bytes, bytes] | None = self.archive.load(index)
        except KeyError:
            return None
        return found

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """Return all that has to be known beside the archive, so that resume() can go on from here."""
        state = self.keeper.snapshot() if self.keeper is not None else b""
        out = bytearray(
            struct.pack(
                _HEAD,
                _MAGIC,
                _VERSION,
                1 if self._redo_late else 0,
                self._index,
                len(state),
                len(self._base),
                self._said,
                len(self._redo) // RECORD,
            )
        )
        out.extend(state)
        out.extend(self._base)
        out.extend(self._records[: self._said * RECORD])
        out.extend(self._redo)
        out.extend(struct.pack("<I", crc32(out)))
        return bytes(out)

    def resume(self, data: bytes) -> None:
        """Go on from a checkpoint(). Raises ValueError, and changes nothing, if it is damaged or of
        another version."""
        head = struct.calcsize(_HEAD)
        if len(data) < head + 4 or struct.unpack_from("<I", data, len(data) - 4)[0] != crc32(data[:-4]):
            raise ValueError("damaged checkpoint")
        magic, version, late, index, state, base, said, redo = struct.unpack_from(_HEAD, data)
        if magic != _MAGIC or version != _VERSION:
            raise ValueError("checkpoint of another version")
        if len(data) != head + state + base + (said + redo) * RECORD + 4:
            raise ValueError("damaged checkpoint")
        at = head
        keeper: Keeper | None = None
        if state:
            snapshot = data[at : at + state]
            keeper = games.load(game_of(snapshot)).Keeper()
            keeper.restore(snapshot)
        at += state
        self.keeper = keeper
        self._base = bytes(data[at : at + base])
        at += base
        self._index = index
        self._fill(data[at : at + said * RECORD])
        self._redo = bytearray(data[at + said * RECORD : len(data) - 4])
        self._redo_late = late == 1
