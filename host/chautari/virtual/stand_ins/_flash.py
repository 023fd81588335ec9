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
        self._put(block * BLOCK + offset, buf)

    def ioctl(self, op, arg):
        if op == 4:
            return self.blocks
        if op == 5:
            return BLOCK
        if op == 6:
            self.erases += 1
            self._put(arg * BLOCK, ERASED)
            return 0

    def _put(self, at, buf):
        self._f.seek(at)
        if self.cut >= 0:
            if self.cut == 0:
                if self.torn:
                    self._f.write(memoryview(buf)[: len(buf) // 2])
                self.report()
                _panel.send(67)  # C
                _panel.halt()
            self.cut -= 1
        self._f.write(buf)

    def report(self):
        """Tell the panel how many programs, erases and programmed bytes there were."""
        if self.programs + self.erases != self._sent:
            self._sent = self.programs + self.erases
            _panel.send(66, struct.pack("<III", self.programs, self.erases, self.bytes))  # B


ERASED = b"\xff" * BLOCK
