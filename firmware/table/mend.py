"""Copying what is good of a damaged journal into a new one; loaded only when that happens."""

import struct

from cardrules.announcement import GAME

from table.shelf import FORMAT, MERGED, RECORD, Shelf, read_archive, write_archive


def copy(
    old: Shelf, new: Shelf, good: int, acknowledged: int, table: "dict[int, int]"
) -> "tuple[int, dict[int, int]]":
    """Copy records up to number good, and the archived rounds in table (index -> key of its file).

    Returns (how far numbers moved down, the table for the new files). Raises OSError.
    """
    start, last = _worth_keeping(old, good, acknowledged)
    shift = start - 1
    number = 1
    while number <= last - shift:
        first = number
        end = min(number + MERGED, last - shift + 1)
        with open(new.old + "tmp", "wb") as file:
            while number < end:
                found = old.read(number + shift, min(32, end - number))
                if not found:
                    raise OSError(5)
                for announcement in found:
                    record = struct.pack(FORMAT, number, *announcement[1:])
                    file.write(record + struct.pack("<H", new.check(record)))
                    number += 1
        new.move("m%08x" % first, (end - first) * RECORD)
        new.firsts.append(first)
        new.counts.append(end - first)
        new.merged.append(True)
    moved = {}
    for index in table:
        found_round = read_archive(old, table[index])
        if found_round is not None:
            moved[index] = max((table[index] >> 8) - shift, 0) << 8 | index & 255
            write_archive(new, moved[index], found_round[0], found_round[1])
    return shift, moved


def _worth_keeping(shelf: Shelf, good: int, acknowledged: int) -> "tuple[int, int]":
    """Return the first and the last number of the records worth keeping under a new id.

    From a GAME on without a gap: the latest one that has all that the owner PC lacks. Where records up to
    good are missing at the end, they stay missing: none is told under another's number.
    """
    start = 0
    seen = 0
    for announcement in shelf.walk(1):
        number = announcement.number
        if number > good:
            break
        if number != seen + 1:
            start = 0
        seen = number
        if announcement.what == GAME and (not start or number <= acknowledged + 1):
            start = number
    return (start, seen) if start else (good + 1, good)
