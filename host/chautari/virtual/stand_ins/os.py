"""The board's `os`: the VM's own without the roads to the host, with what a Pico has more."""

from collections import namedtuple

from uos import VfsLfs2, chdir, getcwd, ilistdir, listdir, mkdir, mount, remove, rename, rmdir
from uos import stat, statvfs, umount, unlink, urandom

sep = "/"
_Uname = namedtuple("uname", ("sysname", "nodename", "release", "version", "machine"))


def uname():
    return _Uname("rp2", "rp2", "1.29.0", "virtual board", "Chautari virtual board with RP2040")


def dupterm(stream, index=0):
    return None


def sync():
    pass
