"""Puts the board's files onto the image; run by the VM before the board starts.

Arguments: image, its blocks, a list of lines "<board path> TAB <file of the host>". Makes the file
system when there is none. Files that differ are written anew; files in the folders of the list
that are not in it are removed; everything else (journal, settings, the user's own) stays.
Prints "<written> <removed> <free blocks>".
"""

import os
import sys

import vfs

BLOCK = 4096


class Image:
    """A block device in a file of the host."""

    def __init__(self, f, blocks):
        self.f = f
        self.blocks = blocks

    def readblocks(self, block, buf, offset=0):
        self.f.seek(block * BLOCK + offset)
        self.f.readinto(buf)

    def writeblocks(self, block, buf, offset=0):
        self.f.seek(block * BLOCK + offset)
        self.f.write(buf)

    def ioctl(self, op, arg):
        if op == 4:
            return self.blocks
        if op == 5:
            return BLOCK
        if op == 6:
            self.f.seek(arg * BLOCK)
            self.f.write(b"\xff" * BLOCK)
            return 0


def same(a, b):
    """Return whether two files hold the same; False if b is missing."""
    try:
        size = os.stat(b)[6]
    except OSError:
        return False
    if os.stat(a)[6] != size:
        return False
    with open(a, "rb") as f, open(b, "rb") as g:
        while True:
            x = f.read(2048)
            if x != g.read(2048):
                return False
            if not x:
                return True


def make_folder(path):
    """Make a folder and those above it."""
    parts = path.split("/")
    for n in range(3, len(parts) + 1):
        try:
            os.mkdir("/".join(parts[:n]))
        except OSError:
            pass


def remove_strays(folder, wanted):
    """Remove what is below folder and not wanted; return how many files."""
    gone = 0
    try:
        entries = list(os.ilistdir(folder))
    except OSError:
        return 0
    for entry in entries:
        path = folder + "/" + entry[0]
        if entry[1] & 0x4000:
            gone += remove_strays(path, wanted)
            if not os.listdir(path):
                os.rmdir(path)
        elif path not in wanted:
            os.remove(path)
            gone += 1
    return gone


def populate(image, blocks, listing):
    """Do the work; return how many files were written and removed, and the free blocks."""
    with open(image, "r+b") as f:
        device = Image(f, blocks)
        try:
            vfs.mount(vfs.VfsLfs2(device, progsize=256), "/board")
        except OSError:
            vfs.VfsLfs2.mkfs(device, progsize=256)
            vfs.mount(vfs.VfsLfs2(device, progsize=256), "/board")
        files = []
        with open(listing) as g:
            for line in g:
                there, here = line.rstrip("\n").split("\t")
                files.append(("/board/" + there, here))
        wanted = [there for there, _ in files]
        removed = 0
        rooms = []
        for there in wanted:
            room = "/".join(there.split("/")[:3])
            if room != there and room not in rooms:
                rooms.append(room)
        for room in rooms:
            removed += remove_strays(room, wanted)
        written = 0
        for there, here in files:
            if same(here, there):
                continue
            make_folder(there.rsplit("/", 1)[0])
            with open(here, "rb") as source, open(there, "wb") as target:
                while True:
                    part = source.read(4096)
                    if not part:
                        break
                    target.write(part)
            written += 1
        free = os.statvfs("/board")[3]
        vfs.umount("/board")
    return written, removed, free


print(*populate(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
