"""A log with the protocol of the real one and next to no rules, so that storage is tested alone.

Everything is accepted. CLOSE ends a round, UNDO takes the latest back, across round ends too.
"""

import struct
from binascii import crc32

from cardrules.announcement import BOOT, CLOSE, GAME, PACKED_SIZE, UNDO, Announcement, pack


class FakeLog:
    def __init__(self, archive):
        self.archive = archive
        self.base = 0
        self.round = 0
        self.records = bytearray()
        self.refuse = None

    def say(self, what, seat=255, arg=0, ms=0):
        if what == self.refuse:
            return ("unknown_what",), []
        if what == BOOT:
            return None, []
        if what == GAME:
            self.archive.drop_after(-1)
            self.base = crc32(b"game")
            self.round = 0
            self.records = bytearray()
        if what == UNDO:
            if not self.records and self.round:
                snapshot, records = self.archive.load(self.round - 1)
                self.round -= 1
                self.archive.drop_after(self.round - 1)
                self.base = struct.unpack("<I", snapshot)[0]
                self.records = bytearray(records)
            self.records = self.records[:-PACKED_SIZE]
            return None, []
        self.records += pack(Announcement(0, ms, seat, what, arg))
        if what == CLOSE:
            self.archive.save(self.round, struct.pack("<I", self.base), bytes(self.records))
            self.base = crc32(self.records, self.base)
            self.round += 1
            self.records = bytearray()
        return None, []

    def checkpoint(self):
        return struct.pack("<4sIH", b"fake", self.base, self.round) + bytes(self.records)

    def resume(self, data):
        if data[:4] != b"fake":
            raise ValueError("unknown checkpoint")
        _, self.base, self.round = struct.unpack("<4sIH", data[:10])
        self.records = bytearray(data[10:])
