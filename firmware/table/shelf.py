"""The files of the table's journal in flash.

Files, below the root:

    journal/h0 h1               head: journal id and boot count, the newer valid one counts
    journal/<id>/s<first>       up to 8 records, small enough to lie in the directory itself
    journal/<id>/old/m<first>   up to 256 records: exactly one block, merged at round ends
    journal/<id>/old/c0 c1      checkpoints: the state after a given number
    journal/<id>/old/a<n>_<i>   archive of round i for undo, saved by announcement n

Names carry the first number as 8 hex digits, so that sorting them sorts the records. The hot small
files have a directory of their own: a directory's blocks are rewritten with all that lies in it.
"""

import os
import struct
from binascii import crc32

from cardrules.announcement import Announcement

try:
    from collections.abc import Iterator, Sequence
    from typing import Any
except ImportError:
    pass

RECORD = 16
SEGMENT = 8
"""Records in a small file: one write of 256 bytes each time, and one erase in about ten."""
MERGED = 256
"""Records in a merged file: one block of flash."""
BLOCK = 4096

FORMAT = "<IIBBI"
_CHECKPOINT = "<4sIIIHI"
_ARCHIVE = "<4sII"
ENOSPC = 28
ENOENT = 2
_IS_DIRECTORY = 0x4000

rename = getattr(os, "replace", os.rename)  # CPython's rename does not replace everywhere


def listing(path: str) -> "list[tuple[str, int]]":
    """Return (name, bytes) for each entry of a directory; -1 bytes for a directory."""
    found = []
    if hasattr(os, "ilistdir"):
        entry: Any
        for entry in os.ilistdir(path):
            found.append((entry[0], -1 if entry[1] == _IS_DIRECTORY else entry[3]))
    else:
        for name in os.listdir(path):
            stat = os.stat(path + "/" + name)
            found.append((name, -1 if stat[0] & 0xF000 == _IS_DIRECTORY else stat[6]))
    found.sort()
    return found


def make_directory(path: str) -> None:
    try:
        os.mkdir(path)
    except OSError as error:
        try:
            os.stat(path)  # it is there already
        except OSError:
            raise error from None


def remove_tree(path: str) -> None:
    for name, size in listing(path):
        if size < 0:
            remove_tree(path + "/" + name)
        else:
            os.remove(path + "/" + name)
    os.rmdir(path)


def load(path: str) -> bytes:
    with open(path, "rb") as file:
        data: bytes = file.read()
    return data


def blocks(size: int) -> int:
    """Blocks of flash that a file takes; up to 512 bytes lie in the directory."""
    return (size + BLOCK - 1) // BLOCK if size > 512 else 0


def hex_number(text: str) -> int:
    """Return the number in 8 hex digits, -1 if it is anything else."""
    if len(text) != 8:
        return -1
    for char in text:
        if char not in "0123456789abcdef":
            return -1
    return int(text, 16)


def new_id() -> str:
    """Return 8 random hex digits."""
    return os.urandom(4).hex()


class Shelf:
    """The files of one journal id: what is in them and how to read it.

    path: the directory of this id. Numbers are journal numbers. Methods that touch flash raise OSError.
    """

    def __init__(self, path: str, journal_id: str) -> None:
        self.path = path
        self.old = path + "/old/"
        self.id = journal_id
        self.seed = crc32(journal_id.encode())
        # Parallel lists, sorted by number: first number, records, and whether it is a merged file.
        self.firsts: list[int] = []
        self.counts: list[int] = []
        self.merged: list[bool] = []
        self.archives: list[int] = []  # keys of the archive files that exist
        self.waste: list[str] = []  # paths of files that nobody needs any more
        self.blocks = 0
        self.torn = False  # the last file ends with a cut record: nothing may be added to it
        self.bad = False  # a record was met whose check fails

    def make(self) -> None:
        make_directory(self.path)
        make_directory(self.path + "/old")

    def check(self, record: "bytes | memoryview") -> int:
        """Return the 2-byte check of a packed announcement."""
        value: int = crc32(record, self.seed)
        return (value ^ (value >> 16)) & 0xFFFF

    def name(self, place: int) -> str:
        """Return the path of the file at a place in the lists."""
        if self.merged[place]:
            return self.old + "m%08x" % self.firsts[place]
        return self.path + "/s%08x" % self.firsts[place]

    def scan(self) -> None:
        """Find out which files there are; no file is opened."""
        found = []
        for name, size in listing(self.path):
            if name[0] == "s" and size >= 0 and hex_number(name[1:]) > 0:
                found.append((hex_number(name[1:]), 1, size))
        for name, size in listing(self.old[:-1]):
            if name != "tmp":
                self.blocks += blocks(size)
            if name[0] == "m" and hex_number(name[1:]) > 0:
                found.append((hex_number(name[1:]), 0, size))
            elif name[0] == "a" and hex_number(name[1:9]) >= 0 and len(name) == 12:
                self.archives.append(hex_number(name[1:9]) << 8 | int(name[10:], 16))
            elif name not in ("c0", "c1"):
                self.waste.append(self.old + name)  # a temporary file that a cut left behind
        found.sort()
        for first, small, size in found:
            count = size // RECORD
            if small and first <= self.end:
                if first + count - 1 <= self.end:
                    self.waste.append(self.path + "/s%08x" % first)
                    continue
                # Written anew because it was not sure that the last write had arrived.
                self.counts[-1] = first - self.firsts[-1]
            self.firsts.append(first)
            self.counts.append(count)
            self.merged.append(not small)
            self.torn = size % RECORD != 0

    @property
    def first(self) -> int:
        """Lowest number, 0 if there is no record."""
        return self.firsts[0] if self.firsts and self.end >= self.firsts[0] else 0

    @property
    def end(self) -> int:
        """Number of the last record as the sizes of files tell it, 0 if there is none."""
        return self.firsts[-1] + self.counts[-1] - 1 if self.firsts else 0

    def read(self, number: int, limit: int) -> list[Announcement]:
        """Return up to limit announcements without a gap, from the first good one at or after number."""
        low = 0
        high = len(self.firsts)
        while low < high:  # the last file that begins at or before number
            middle = (low + high) // 2
            if self.firsts[middle] <= number:
                low = middle + 1
            else:
                high = middle
        place = max(low - 1, 0)
        found: list[Announcement] = []
        while place < len(self.firsts) and len(found) < limit:
            number = max(number, self.firsts[place])
            if found and number != found[-1].number + 1:
                break
            skip = number - self.firsts[place]
            left = min(self.counts[place] - skip, limit - len(found))
            if left > 0 and not self._read_file(place, skip, limit, found):
                break
            if found:
                number = found[-1].number + 1
            place += 1
        return found

    def _read_file(self, place: int, skip: int, limit: int, found: list[Announcement]) -> bool:
        """Add good records of one file to found; False if a bad one ended the row."""
        while skip < self.counts[place] and len(found) < limit:
            size = min(self.counts[place] - skip, limit - len(found)) * RECORD
            data = memoryview(self._load_part(place, skip, size))
            if len(data) < RECORD:
                self.bad = True
                return not found
            for at in range(0, len(data) - RECORD + 1, RECORD):
                record = data[at : at + 14]
                good = self.check(record) == data[at + 14] | data[at + 15] << 8
                number, ms, seat, what, arg = struct.unpack(FORMAT, record)
                if good and number == self.firsts[place] + skip:
                    found.append(Announcement(number, ms, seat, what, arg))
                else:
                    self.bad = True
                    if found:
                        return False
                skip += 1
        return True

    def _load_part(self, place: int, skip: int, size: int) -> bytes:
        """Return bytes of a file from a record on; nothing if it cannot be read."""
        try:
            with open(self.name(place), "rb") as file:
                file.seek(skip * RECORD)
                data: bytes = file.read(size)
                return data
        except OSError:
            return b""

    def walk(self, number: int) -> "Iterator[Announcement]":
        """Go through all good records from number on; a gap shows as a jump of the number."""
        while True:
            found = self.read(number, 32)
            if not found:
                return
            for announcement in found:
                yield announcement
            number = found[-1].number + 1

    def put(self, name: str, parts: "Sequence[bytes]") -> None:
        """Write a file beside its final place, then move it there: old or new, never mixed."""
        size = 0
        with open(self.old + "tmp", "wb") as file:
            for part in parts:
                size += len(part)
                file.write(part)
        self.move(name, size)

    def move(self, name: str, size: int) -> None:
        try:
            before = os.stat(self.old + name)[6]
        except OSError:
            before = 0
        rename(self.old + "tmp", self.old + name)
        self.blocks += blocks(size) - blocks(before)

    def merge(self) -> bool:
        """Move the full small files into a merged one, as many as fit. False if there was none."""
        place = 0
        while place < len(self.firsts) and self.merged[place]:
            place += 1
        target = place - 1
        first = self.firsts[place] if place < len(self.firsts) else 0
        count = 0
        if target >= 0 and self.firsts[target] + self.counts[target] == first:
            count = self.counts[target]
        last = place
        # The last one is still written to, unless it is full.
        while last < len(self.firsts) and (last < len(self.firsts) - 1 or self.counts[last] >= SEGMENT):
            if count and count + self.counts[last] > MERGED:
                if last > place:
                    break
                count = 0
            if last > place and self.firsts[last] != self.firsts[last - 1] + self.counts[last - 1]:
                break
            count += self.counts[last]
            last += 1
        if last == place:
            return False
        begin = place
        if target >= 0 and count > self.firsts[last - 1] + self.counts[last - 1] - first:
            begin = target
        with open(self.old + "tmp", "wb") as out:
            for source in range(begin, last):
                left = self.counts[source] * RECORD
                while left > 0:
                    size = min(left, 512)
                    data = self._load_part(source, self.counts[source] - left // RECORD, size)
                    # What cannot be read stays a hole, and later records stay in their places.
                    out.write(data + bytes(size - len(data)))
                    left -= size
        self.move("m%08x" % self.firsts[begin], count * RECORD)
        for source in range(place, last):
            self.waste.append(self.name(source))
        self.firsts[begin:last] = [self.firsts[begin]]
        self.counts[begin:last] = [count]
        self.merged[begin:last] = [True]
        return True

    def remove(self, path: str) -> None:
        try:
            size = os.stat(path)[6]
            os.remove(path)
        except OSError as error:
            if error.args[0] != ENOENT:
                raise
            return
        if path.startswith(self.old) and path != self.old + "tmp":
            self.blocks -= blocks(size)

    def let_go(self, place: int) -> None:
        """Delete the merged file at a place in the lists."""
        self.remove(self.name(place))
        del self.firsts[place], self.counts[place], self.merged[place]


def archive_name(key: int) -> str:
    """Return the file name of an archive; key: number of the announcement that saved it * 256 + index."""
    return "a%08x_%02x" % (key >> 8, key & 255)


def write_archive(shelf: Shelf, key: int, snapshot: bytes, records: bytes) -> None:
    head = struct.pack(_ARCHIVE, b"arc1", len(snapshot), len(records))
    check = crc32(records, crc32(snapshot, crc32(head, shelf.seed)))
    shelf.put(archive_name(key), [head, snapshot, records, struct.pack("<I", check)])
    if key not in shelf.archives:
        shelf.archives.append(key)


def read_archive(shelf: Shelf, key: int) -> "tuple[bytes, bytes] | None":
    """Return (snapshot, records) of an archive file, None if it is missing or damaged."""
    try:
        data = memoryview(load(shelf.old + archive_name(key)))
    except OSError:
        return None
    size = struct.calcsize(_ARCHIVE)
    if len(data) < size + 4 or crc32(data[:-4], shelf.seed) != struct.unpack("<I", data[-4:])[0]:
        return None
    _, snapshot, records = struct.unpack(_ARCHIVE, data[:size])
    if len(data) != size + snapshot + records + 4:
        return None
    return bytes(data[size : size + snapshot]), bytes(data[size + snapshot : -4])


def write_checkpoint(
    shelf: Shelf, slot: int, numbers: "tuple[int, int, int]", table: "dict[int, int]", state: bytes
) -> None:
    """Write a checkpoint; numbers: its own number, that of the match's GAME, the acknowledged one."""
    parts = [struct.pack(_CHECKPOINT, b"chk1", *numbers, len(table), len(state))]
    for index in sorted(table):
        parts.append(struct.pack("<HI", index, table[index] >> 8))
    parts.append(state)
    check = shelf.seed
    for part in parts:
        check = crc32(part, check)
    parts.append(struct.pack("<I", check))
    shelf.put("c%d" % slot, parts)


class Checkpoint:
    """A checkpoint as read: number, match (number of its GAME, 0 if none), acknowledged, table, state."""

    def __init__(self, shelf: Shelf, slot: int) -> None:
        """Raises OSError if there is none, ValueError if it is damaged."""
        data = memoryview(load(shelf.old + "c%d" % slot))
        size = struct.calcsize(_CHECKPOINT)
        if len(data) < size + 4 or crc32(data[:-4], shelf.seed) != struct.unpack("<I", data[-4:])[0]:
            raise ValueError("checkpoint damaged")
        self.slot = slot
        _, self.number, self.match, self.acknowledged, rounds, length = struct.unpack(
            _CHECKPOINT, data[:size]
        )
        self.table: dict[int, int] = {}
        for _ in range(rounds):
            index, number = struct.unpack("<HI", data[size : size + 6])
            self.table[index] = number << 8 | index & 255
            size += 6
        if len(data) != size + length + 4:
            raise ValueError("checkpoint damaged")
        self.state = bytes(data[size:-4])
