"""The table's journal: every announcement, kept in flash through any power cut.

An announcement goes into RAM at once (append) and into flash soon after (flush). Only what is in
flash is shown to a PC (read). Each record is 16 bytes: the packed announcement and a check that
covers the journal id too, so that a record of an older journal is never taken for one of this.
"""

import struct
from binascii import crc32

from cardrules.announcement import BOOT, GAME, Announcement

from table.shelf import (
    BLOCK,
    ENOSPC,
    FORMAT,
    RECORD,
    SEGMENT,
    Checkpoint,
    Shelf,
    archive_name,
    hex_number,
    listing,
    load,
    make_directory,
    new_id,
    read_archive,
    remove_tree,
    rename,
    write_archive,
    write_checkpoint,
)

try:
    from typing import Any
except ImportError:
    pass

FAULTS = (
    "journal_checkpoint",  # a checkpoint was damaged; the state was found another way
    "journal_tail",  # the last record was cut or damaged; all before it is kept
    "journal_back",  # it had gone back behind what a PC has of it: it goes on under another id
    "journal_refused",  # the rules of this firmware refuse an announcement of an older one
    "journal_hole",  # records inside the journal are damaged or missing
    "journal_lost",  # no state could be found: the table starts empty
    "flash_full",  # nothing more can be written: play goes on in RAM
    "flash_error",  # the file system answers with errors: play goes on in RAM
)
"""All values of Journal.fault beside None, the worse the later."""

RING = 128
"""Records kept in RAM: those waiting for flash, and the latest ones for quick reading."""
MERGE_AT = 16
"""Small files after which they are merged even in the middle of a round."""
CHECKPOINT_EVERY = 256
"""Records after which a checkpoint is written even in the middle of a round."""
ROUNDS = 64
"""Rounds of a match that undo can reach back to."""
BUDGET = 262144
"""Bytes of flash that merged files, checkpoints and archives may take."""
RETRY = 20
"""Calls of flush() left out after one that failed for good."""

_HEAD = "<4s8sI"


class Archive:
    """The rounds of the match in play, for undo across round ends; kept by the journal.

    A file is named by the announcement that saved it and never written again: a round that was undone
    and closed anew is another file, so that an older checkpoint still finds the rounds it knew.
    """

    def __init__(self, journal: "Journal") -> None:
        self._journal = journal
        self.table: dict[int, int] = {}  # index -> key of its file
        self.waiting: list[tuple[int, int, bytes, bytes]] = []

    def save(self, index: int, snapshot: bytes, records: bytes) -> None:
        """Keep a round: the state at its start and its records. Written by later calls of flush()."""
        journal = self._journal
        key = journal.saying << 8 | index & 255
        self.table[index] = key
        while len(self.table) > ROUNDS:
            del self.table[min(self.table)]
        journal.round_ended()
        if journal.shelf is not None and key in journal.shelf.archives and self._read(key):
            return  # it was written before the power went
        for place in range(len(self.waiting)):
            if self.waiting[place][1] == key:
                del self.waiting[place]
                break
        self.waiting.append((index, key, bytes(snapshot), bytes(records)))
        if journal.replaying:
            journal.flush_archive()
        if len(self.waiting) > 2:  # the flash is full: RAM must not fill as well
            gone = self.waiting.pop(0)
            if self.table.get(gone[0]) == gone[1]:
                del self.table[gone[0]]

    def load(self, index: int) -> "tuple[bytes, bytes]":
        """Return (snapshot, records) as saved. Raises KeyError if that round is not there any more."""
        key = self.table[index]
        for waiting in self.waiting:
            if waiting[1] == key:
                return waiting[2], waiting[3]
        found = self._read(key)
        if found is None:
            raise KeyError(index)
        return found

    def drop_after(self, index: int) -> None:
        """Forget the rounds above index."""
        for known in list(self.table):
            if known > index:
                del self.table[known]
        self.waiting = [item for item in self.waiting if self.table.get(item[0]) == item[1]]

    def write(self, shelf: Shelf) -> None:
        """Write the first waiting round."""
        _, key, snapshot, records = self.waiting[0]
        write_archive(shelf, key, snapshot, records)
        del self.waiting[0]

    def _read(self, key: int) -> "tuple[bytes, bytes] | None":
        shelf = self._journal.shelf
        return read_archive(shelf, key) if shelf is not None else None


class Journal:
    """The journal below a root directory, for instance "/" on the board.

    open() once, then append() for each announcement that was said, and flush() within 100 ms of it.
    No method raises OSError: what is wrong with the flash is named by fault, and play goes on.
    """

    def __init__(self, root: str = "/", budget: int = BUDGET) -> None:
        self._base = (root[:-1] if root.endswith("/") else root) + "/journal"
        self._budget = budget
        self.shelf: Shelf | None = None
        self.archive = Archive(self)
        self.boots = 0
        self.last = 0
        self.durable = 0
        self.replaying = 0  # number of the announcement that open() is saying again
        self.writes = 0
        self._log: Any = None
        self._ring = bytearray(RING * RECORD)
        self._view = memoryview(self._ring)
        self._low = 1  # lowest number in the ring
        self._match = 0  # number of the GAME of the match in play
        self._acknowledged = 0
        self._checkpoint_number = 0
        self._checkpoint_slot = 1
        self._kept: list[list[int]] = [[], []]  # keys of archives that the checkpoint in each slot knows
        self._round_end = False
        self._merge = False
        self._sweep = True
        self._head_due = False
        self._open_fault: str | None = None
        self._flash_fault: str | None = None
        self._unsure = False
        self._blank = b""
        self._wait = 0
        self._wait_tidy = 0

    # What others ask.

    @property
    def id(self) -> str:
        """8 hex digits, random; another one after the journal was found damaged or renewed."""
        return self.shelf.id if self.shelf is not None else "00000000"

    @property
    def fault(self) -> "str | None":
        """One of FAULTS, or None. A full flash is named as long as it is full."""
        return self._flash_fault or self._open_fault

    @property
    def first(self) -> int:
        """Lowest number that can be read, 0 if there is none."""
        return self.shelf.first if self.shelf is not None else 0

    @property
    def saying(self) -> int:
        """Number of the announcement that is being said."""
        return self.replaying or self.last + 1

    @property
    def waiting(self) -> int:
        """Records that are in RAM only."""
        return self.last - self.durable

    def append(self, ms: int, seat: int, what: int, arg: int) -> int:
        """Take an announcement that was said; returns its number. RAM only."""
        number = self.last + 1
        at = (number - 1) % RING * RECORD
        struct.pack_into(FORMAT, self._ring, at, number, ms, seat, what, arg)
        self.last = number
        if number - self._low >= RING:
            self._low = number - RING + 1
        if what == GAME:
            self._match = number
        return number

    def read(self, after: int, limit: int) -> list[Announcement]:
        """Return up to limit announcements with numbers above after, only such as are in flash.

        There is no gap inside what one call returns. If it begins above after + 1, the records between
        were let go or lost for good.
        """
        number = max(after + 1, 1)
        if number > self.durable or limit < 1:
            return []
        if number < self._low:
            found: list[Announcement] = []
            if self.shelf is not None:
                found = self.shelf.read(number, min(limit, self.durable - number + 1))
                if self.shelf.bad:
                    self._note("journal_hole")
            if found or self._low > self.durable:
                return found
            number = self._low
        found = []
        while number <= self.durable and len(found) < limit:
            found.append(Announcement(*struct.unpack_from(FORMAT, self._ring, (number - 1) % RING * RECORD)))
            number += 1
        return found

    def acknowledge(self, number: int) -> None:
        """The owner PC has all up to number: older matches up to there may be let go when room is short."""
        if self._acknowledged < number <= self.durable:
            self._acknowledged = number

    # Writing.

    def flush(self) -> bool:
        """Write what is waiting: at most one file. Returns True if there is more to do.

        Records come first; housekeeping (archive, checkpoint, merging, deleting) only when none waits.
        """
        if self.shelf is None and not self._start_again():
            return False
        # Rounds wait in RAM with all their records: never more than one while records are flowing.
        crowded = len(self.archive.waiting) > 1 and not self._wait_tidy
        if self.waiting and not crowded:
            if self._wait:
                self._wait -= 1
                return False
            try:
                self._write_records()
            except OSError as error:
                if not self._failed(error):
                    self._wait = RETRY
                    return False
            except MemoryError:
                self._wait = RETRY
                return False
            return True
        if self._wait_tidy:
            self._wait_tidy -= 1
            return False
        try:
            if self._tidy():
                return True
        except OSError as error:
            if self._failed(error):
                return True
            self._wait_tidy = RETRY
            return False
        except MemoryError:
            self._wait_tidy = RETRY  # the heap is in pieces just now; nothing is lost by waiting
            return False
        self._flash_fault = None
        return False

    def renew(self) -> bool:
        """Go on under a new id: a PC has numbers of this one that mean something else here.

        What waits is written first; the match in play is numbered anew. False if the flash did not allow it.
        """
        if self._log is None:
            return False
        tries = RING
        while (self.waiting or self.archive.waiting) and tries:
            self.flush()
            tries -= 1
        if self.waiting or self.archive.waiting or self.shelf is None:
            return False
        try:
            self._renew(self.shelf, self.durable)
        except OSError as error:
            self._failed(error)
            return False
        self._note("journal_back")
        return True

    def flush_archive(self) -> None:
        """Write the waiting rounds now (while open() says the journal again)."""
        try:
            while self.archive.waiting and self.shelf is not None:
                self.archive.write(self.shelf)
        except OSError as error:
            self._failed(error)

    def round_ended(self) -> None:
        """A round is closed: a good moment for a checkpoint and for merging."""
        self._round_end = True

    def _write_records(self) -> None:
        shelf = self.shelf
        if shelf is None:
            return
        number = self.durable + 1
        if number < self._low:
            # The ring ran over while the flash was full: the state must not hang on records that are lost.
            self._write_checkpoint()
            self.durable = self._low - 1
            return
        place = len(shelf.firsts) - 1
        full = place < 0 or shelf.merged[place] or shelf.counts[place] >= SEGMENT
        if full or shelf.torn or self._unsure or shelf.firsts[place] + shelf.counts[place] != number:
            place = -1
        slot = (number - 1) % RING
        space = SEGMENT - (shelf.counts[place] if place >= 0 else 0)
        count = min(self.last - self.durable, space, RING - slot)
        for at in range(slot * RECORD, (slot + count) * RECORD, RECORD):
            struct.pack_into("<H", self._ring, at + 14, shelf.check(self._view[at : at + 14]))
        first = shelf.firsts[place] if place >= 0 else number
        self._unsure = True  # a write that failed may have arrived: then go on in another file
        with open(shelf.path + "/s%08x" % first, "ab" if place >= 0 else "wb") as file:
            file.write(self._view[slot * RECORD : (slot + count) * RECORD])
        self._unsure = False
        shelf.torn = False
        if place >= 0:
            shelf.counts[place] += count
        else:
            shelf.firsts.append(first)
            shelf.counts.append(count)
            shelf.merged.append(False)
        self.durable += count
        self.writes += 1

    def _tidy(self) -> bool:
        """Do one step of housekeeping; False if there was nothing to do."""
        shelf = self.shelf
        if shelf is None:
            return False
        if self._head_due:
            self._write_head(shelf.id)
            self._head_due = False
        elif self.archive.waiting:
            self.archive.write(shelf)
        elif self._round_end or self.last - self._checkpoint_number >= CHECKPOINT_EVERY:
            self._write_checkpoint()
            self._round_end = False
            self._merge = True
        elif self._merge or len(shelf.firsts) - shelf.merged.count(True) > MERGE_AT:
            self._merge = shelf.merge()
        elif shelf.waste:
            shelf.remove(shelf.waste[-1])
            shelf.waste.pop()
        elif self._sweep:
            self._sweep = False
            self._find_waste()
        elif shelf.blocks * BLOCK > self._budget:
            return self._make_room(False)
        else:
            return False
        self.writes += 1
        return True

    def _find_waste(self) -> None:
        """Archive files that neither the match in play nor a kept checkpoint needs."""
        shelf = self.shelf
        if shelf is None:
            return
        needed = list(self.archive.table.values())
        for key in list(shelf.archives):
            if key not in needed and key not in self._kept[0] and key not in self._kept[1]:
                shelf.archives.remove(key)
                shelf.waste.append(shelf.old + archive_name(key))

    def _write_checkpoint(self) -> None:
        shelf = self.shelf
        if shelf is None or self._log is None:
            return
        slot = 1 - self._checkpoint_slot
        numbers = (self.last, self._match, self._acknowledged)
        write_checkpoint(shelf, slot, numbers, self.archive.table, self._log.checkpoint())
        self._checkpoint_slot = slot
        self._checkpoint_number = self.last
        self._kept[slot] = list(self.archive.table.values())
        self._sweep = True

    def _failed(self, error: OSError) -> bool:
        """Note what is wrong; returns True if room was made and the write is worth another try."""
        full = bool(error.args) and error.args[0] == ENOSPC
        self._flash_fault = "flash_full" if full else "flash_error"
        return full and self._make_room(True)

    def _make_room(self, urgent: bool) -> bool:
        """Let one file go, the least needed first; False if all that is left is needed.

        Acknowledged records of older matches, then unacknowledged ones of older matches, then the oldest
        archived rounds of the match in play (undo then does not reach that far). The records of the match
        in play stay.
        """
        shelf = self.shelf
        if shelf is None:
            return False
        try:
            if urgent and not shelf.waste:
                self._find_waste()
            if urgent and shelf.waste:
                shelf.remove(shelf.waste[-1])
                shelf.waste.pop()
                return True
            if shelf.merged and shelf.merged[0]:
                end = shelf.firsts[0] + shelf.counts[0] - 1
                # Files go from the low end, whole matches stay: what is left can be said again from
                # its first GAME, whatever becomes of the checkpoints.
                if end < self._match:
                    shelf.let_go(0)
                    return True
            if len(self.archive.table) > 1:
                index = min(self.archive.table)
                key = self.archive.table.pop(index)
                self.archive.waiting = [item for item in self.archive.waiting if item[1] != key]
                if key in shelf.archives:
                    shelf.archives.remove(key)
                    shelf.remove(shelf.old + archive_name(key))
                return True
        except OSError:
            pass
        return False

    # Opening.

    def open(self, log: "Any") -> None:
        """Restore the log (made with this journal's archive, nothing said yet) and count the boot.

        The newest good checkpoint and the records after it are taken; without a checkpoint the records
        since the match began. Announcing BOOT is left to the caller.
        """
        self._log = log
        self._blank = log.checkpoint()
        try:
            self._open()
        except OSError as error:
            self._failed(error)

    def _open(self) -> None:
        make_directory(self._base)
        known, self.boots = self._read_heads()
        self.boots += 1
        rooms = [name for name, size in listing(self._base) if size < 0 and hex_number(name) >= 0]
        shelf = None
        if known not in rooms:
            if known:
                self._note("journal_lost")
            # Power went before the first head was written, or both heads are damaged.
            known = self._fullest(rooms)
        if known:
            shelf = Shelf(self._base + "/" + known, known)
            try:
                shelf.make()
                shelf.scan()
            except OSError as error:
                if error.args[0] == ENOSPC:
                    raise
                shelf = None
                self._note("journal_lost")
        if shelf is None:
            shelf = self._new_shelf()
        self.shelf = shelf
        self._restore(shelf)
        try:
            self._write_head(self.shelf.id)
        except OSError as error:
            self._head_due = True
            self._failed(error)
        for name in rooms:
            if name != self.shelf.id:
                self._clear(name)

    def _read_heads(self) -> "tuple[str, int]":
        """Return (journal id, boots) of the newest good head, ("", 0) if there is none."""
        found = ("", 0)
        for slot in (0, 1):
            try:
                data = load(self._base + "/h%d" % slot)
            except OSError:
                continue
            if len(data) == 20 and crc32(data[:16]) == struct.unpack("<I", data[16:])[0]:
                _, journal_id, boots = struct.unpack(_HEAD, data[:16])
                if boots > found[1]:
                    found = (str(journal_id, "ascii"), boots)
        return found

    def _fullest(self, rooms: list[str]) -> str:
        best = ""
        most = -1
        for name in rooms:
            try:
                path = self._base + "/" + name
                size = len(listing(path)) + len(listing(path + "/old"))
            except OSError:
                size = 0
            if size > most:
                best = name
                most = size
        return best

    def _clear(self, name: str) -> None:
        """Remove the directory of another journal id."""
        try:
            remove_tree(self._base + "/" + name)
        except OSError as error:
            self._failed(error)

    def _note(self, fault: str) -> None:
        if self._open_fault is None or FAULTS.index(fault) > FAULTS.index(self._open_fault):
            self._open_fault = fault

    def _restore(self, shelf: Shelf) -> None:
        checkpoints = []
        for slot in (0, 1):
            try:
                checkpoint = Checkpoint(shelf, slot)
            except OSError:
                continue
            except ValueError:
                self._note("journal_checkpoint")
                continue
            self._kept[slot] = list(checkpoint.table.values())
            checkpoints.append(checkpoint)
        checkpoints.sort(key=lambda checkpoint: -checkpoint.number)
        if shelf.torn:
            self._note("journal_tail")
        good = -1
        for checkpoint in checkpoints:
            self._acknowledged = max(self._acknowledged, checkpoint.acknowledged)
            if shelf.end > checkpoint.number and shelf.first > checkpoint.number + 1:
                continue  # of a match that was let go
            try:
                self._log.resume(checkpoint.state)
            except ValueError:
                self._note("journal_checkpoint")
                continue
            self._match = checkpoint.match
            self._checkpoint_number = checkpoint.number
            self._checkpoint_slot = checkpoint.slot
            self.archive.table = {}
            for index in checkpoint.table:
                if checkpoint.table[index] in shelf.archives:
                    self.archive.table[index] = checkpoint.table[index]
            good, refused = self._say_again(shelf, checkpoint.number + 1, True)
            if not refused:
                break
            self._note("journal_checkpoint")
            good = -1
        if good < 0:
            self._start_over()
            first = max(shelf.first, 1)
            good, refused = self._say_again(shelf, first, first == 1)
            if good < first and shelf.end:
                self._note("journal_lost")
            if refused:
                self._note("journal_refused")
        self.last = self.durable = max(good, shelf.end)
        self._low = self.last + 1
        behind = bool(checkpoints) and checkpoints[0].number > shelf.end
        if behind:
            self._note("journal_hole")
        if behind or shelf.end > good:
            # Records after the damage cannot count, and their numbers may be known to a PC. The same where
            # records are fewer than a checkpoint knew of: those after it may have gone with them.
            try:
                self._renew(shelf, good)
            except OSError as error:
                self._failed(error)
                self._round_end = True  # a checkpoint, so that the state no longer hangs on the damage

    def _start_over(self) -> None:
        self._log.resume(self._blank)
        self._match = 0
        self._checkpoint_number = 0
        self.archive.table = {}
        self.archive.waiting = []

    def _say_again(self, shelf: Shelf, number: int, whole: bool) -> "tuple[int, int]":
        """Say the records from number on; whole: the log's state is that before number.

        Returns (number of the last announcement that is part of the state, how many were refused).
        """
        good = number - 1
        seen = good
        refused = 0
        for announcement in shelf.walk(number):
            if announcement.number != seen + 1:
                self._note("journal_hole")
                whole = False
            seen = announcement.number
            if announcement.what == GAME:
                if not whole:
                    # A match begins: nothing before it matters any more.
                    self._start_over()
                    whole = True
                self._match = seen
            if not whole:
                continue
            if announcement.what == BOOT and announcement.arg >= self.boots:
                self.boots = announcement.arg + 1
            self.replaying = seen
            try:
                reason, _ = self._log.say(
                    announcement.what, announcement.seat, announcement.arg, announcement.ms
                )
            except Exception:
                # Whatever an older firmware wrote: it must not keep the table from starting.
                reason = ("journal_refused",)
            self.replaying = 0
            if reason is not None:
                refused += 1
            good = seen
        if shelf.end > seen:
            self._note("journal_tail" if seen == good else "journal_hole")
        return good, refused

    def _renew(self, old: Shelf, good: int) -> None:
        """Go on under a new id: the good records up to good, numbered anew, and the state as it is."""
        from table import mend

        new = self._new_shelf()
        shift, table = mend.copy(old, new, good, self._acknowledged, self.archive.table)
        match = max(self._match - shift, 0)
        write_checkpoint(new, 0, (good - shift, match, 0), table, self._log.checkpoint())
        self._write_head(new.id)
        self.archive.table = table
        self.archive.waiting = []
        self._take(new, good - shift, match)
        self._checkpoint_number = self.last
        self._checkpoint_slot = 0
        self._kept[0] = list(table.values())

    def _take(self, shelf: Shelf, last: int, match: int) -> None:
        """Go on with another id: number of the last record and of the match's GAME."""
        self.shelf = shelf
        self.last = self.durable = last
        self._low = last + 1
        self._match = match
        self._acknowledged = 0
        self._kept = [[], []]
        self._checkpoint_number = 0
        self._unsure = False
        self._sweep = True

    def _start_again(self) -> bool:
        """The flash could not be used when the table started: try once more, now and then."""
        if self._wait:
            self._wait -= 1
            return False
        self._wait = RETRY
        try:
            shelf = self._new_shelf()
            self._write_head(shelf.id)
        except OSError as error:
            self._failed(error)
            return False
        self._wait = 0
        self.shelf = shelf
        return True

    def _new_shelf(self) -> Shelf:
        make_directory(self._base)
        name = new_id()
        shelf = Shelf(self._base + "/" + name, name)
        shelf.make()
        return shelf

    def _write_head(self, journal_id: str) -> None:
        data = struct.pack(_HEAD, b"jrn1", journal_id.encode(), self.boots)
        with open(self._base + "/tmp", "wb") as file:
            file.write(data + struct.pack("<I", crc32(data)))
        rename(self._base + "/tmp", self._base + "/h%d" % (self.boots & 1))
