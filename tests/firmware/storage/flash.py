"""A flash chip in RAM for tests of storage: counts, records and cuts what littlefs does to it."""

import gc
import os

import vfs

BLOCK = 4096
PROGRAM = 256


class Flash:
    """Block device; erased bytes are 0xFF, and a program can only clear bits."""

    def __init__(self, blocks, data=None):
        gc.threshold(-1)  # as the application does once all modules are loaded
        self.blocks = blocks
        self.data = bytearray(data) if data is not None else bytearray(b"\xff" * (blocks * BLOCK))
        self.erases = 0
        self.programs = 0
        self.hot = [0] * blocks
        self.operations = None  # list of (block, offset, bytes or None for an erase) when recording

    def readblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        buffer[:] = self.data[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=0):
        at = block * BLOCK + offset
        for place in range(0, len(buffer), PROGRAM):
            if self.data[at + place : at + place + PROGRAM] != b"\xff" * PROGRAM:
                raise RuntimeError("program of a page that is not erased")
        self.data[at : at + len(buffer)] = buffer
        self.programs += len(buffer) // PROGRAM
        if self.operations is not None:
            self.operations.append((block, offset, bytes(buffer)))

    def ioctl(self, operation, argument):
        if operation == 4:
            return self.blocks
        if operation == 5:
            return BLOCK
        if operation == 6:
            at = argument * BLOCK
            self.data[at : at + BLOCK] = b"\xff" * BLOCK
            self.erases += 1
            self.hot[argument] += 1
            if self.operations is not None:
                self.operations.append((argument, 0, None))
            return 0
        return 0

    def make(self):
        vfs.VfsLfs2.mkfs(self, progsize=PROGRAM)

    def mount(self, where="/f"):
        vfs.mount(vfs.VfsLfs2(self, progsize=PROGRAM), where)


def play(data, operation, torn):
    """Do one recorded operation on an image.

    torn: 0 whole; 1 only the first half arrives; 2 every other bit that should change does.
    """
    block, offset, what = operation
    at = block * BLOCK + offset
    if what is None:
        if torn == 2:
            for place in range(at, at + BLOCK):
                data[place] |= 0x55
        else:
            size = BLOCK // 2 if torn else BLOCK
            data[at : at + size] = b"\xff" * size
    elif torn == 2:
        for place in range(len(what)):
            data[at + place] &= what[place] | 0x55
    else:
        size = len(what) // 2 if torn else len(what)
        data[at : at + size] = what[:size]


def unmount(where="/f"):
    os.umount(where)
