"""A block device in a file of the host, with a flash chip's habits and a power switch."""

import struct

import _panel

BLOCK = 4096


class Flash:
    """blocks of BLOCK bytes in the open file f; counts programs and erases."""

    def __init__(self, f, blocks):
        self._f = f
        self.blocks = blocks
        self.programs = 0
        self.erases = 0
        self.bytes = 0
        self._sent = 0
        self.cut = -1  # operations left until the power goes; -1: never
        self.torn = 0  # the last operation is done by half

    def readblocks(self, block, buf, offset=0):
        self._f.seek(block * BLOCK + offset)
        self._f.readinto(buf)

    def writeblocks(self, block, buf, offset=0):
        self.programs += 1
        self.bytes += len(buf)
        self._f.seek(block * BLOCK + offset)
        if self._cut_now():
            if self.torn:
                self._f.write(memoryview(buf)[: len(buf) // 2])
            self._die()
        self._f.write(buf)

    def ioctl(self, op, arg):
        if op == 4:
            return self.blocks
        if op == 5:
            return BLOCK
        if op == 6:
            self.erases += 1
            self._f.seek(arg * BLOCK)
            cut = self._cut_now()
            parts = BLOCK // len(ERASED)
            if cut:
                parts = parts // 2 if self.torn else 0
            for _ in range(parts):
                self._f.write(ERASED)
            if cut:
                self._die()
            return 0

    def _cut_now(self):
        if self.cut < 0:
            return False
        self.cut -= 1
        return self.cut < 0

    def _die(self):
        self.report()
        _panel.send(67)  # C
        _panel.halt()

    def report(self):
        """Tell the panel how many programs, erases and programmed bytes there were."""
        if self.programs + self.erases != self._sent:
            self._sent = self.programs + self.erases
            _panel.send(66, struct.pack("<III", self.programs, self.erases, self.bytes))  # B


ERASED = b"\xff" * 256  # by parts: the board's heap is small
