"""First program of the virtual board's VM: stand-ins, file system, then the board's main.py.

Arguments: speed in thousandths, milliseconds since power-on, image, its blocks, chip id as hex,
whether main.py runs (1 or 0). Afterwards the VM's own REPL takes the serial line.
"""

import sys


def _start():
    words = sys.argv[1:]
    here = __file__.rsplit("/", 1)[0]
    sys.path[:] = [here, ".frozen"]
    import gc

    import _panel

    _panel.start(int(words[0]), int(words[1]))
    import micropython
    import utime
    import vfs

    import _flash
    import _waits
    import machine
    import neopixel
    import os
    import rp2
    import time
    import struct

    image = open(words[2], "r+b")
    machine._chip = bytes.fromhex(words[4])
    flash = _flash.Flash(image, int(words[3]))

    def cut(line):
        flash.cut = int(line[1])
        flash.torn = int(line[2])

    def fill(line):
        # A file that takes what is free but for some blocks; the rest of the board sees ENOSPC.
        nonlocal filling
        filling = int(line[1])

    def full():
        nonlocal filling
        if filling is None:
            return
        leave = filling
        filling = None
        if leave < 0:
            try:
                os.remove("/full.bin")
            except OSError:
                pass
            return
        part = bytes(1024)
        with open("/full.bin", "wb") as f:
            # littlefs counts some blocks twice: only a refused write shows that none is left.
            while not leave or os.statvfs("/")[3] > leave:
                try:
                    f.write(part)
                    f.flush()
                except OSError:
                    break

    filling = None
    going = False

    def go(line):
        nonlocal going
        going = True

    _panel.on_line.update({b"cut": cut, b"full": fill, b"go": go})

    class Stand:
        pass

    board_micropython = Stand()
    for name in dir(micropython):
        if name[0] != "_":
            setattr(board_micropython, name, getattr(micropython, name))

    def kbd_intr(char):
        _panel.ask(75, struct.pack("<h", char))  # K

    board_micropython.kbd_intr = kbd_intr
    board_micropython.alloc_emergency_exception_buf = lambda size: None
    sys.modules["micropython"] = board_micropython

    board_vfs = Stand()
    board_vfs.mount = vfs.mount
    board_vfs.umount = vfs.umount
    board_vfs.VfsLfs2 = vfs.VfsLfs2
    board_vfs.VfsFat = vfs.VfsFat
    sys.modules["vfs"] = board_vfs
    sys.modules["uvfs"] = board_vfs
    sys.modules["uos"] = os

    vfs.umount("/")
    try:
        vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/")
    except OSError:
        # As the boot script of a Pico does.
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/")
    _panel.jobs += [full, flash.report]
    sys.path[:] = ["", ".frozen", "/lib"]
    sys.argv[:] = [""]
    gc.collect()
    _panel.send(72, struct.pack("<II", gc.mem_alloc(), gc.mem_free()))  # H
    while True:
        # Without poll(): a Ctrl-C that comes this early is for main.py.
        _panel._read()
        if going:
            break
        utime.sleep_ms(1)
    _panel._run_edges()
    full()
    return words[5] == "1"


def _has_main():
    import os

    try:
        os.stat("/main.py")
        return True
    except OSError:
        return False


def _ended(error):
    if isinstance(error, SystemExit):
        import machine

        machine.soft_reset()
    sys.print_exception(error)


_run = _start() and _has_main()
del _start, _has_main
sys.modules["_panel"].send(77 if _run else 76)  # M, L
if _run:
    try:
        execfile("/main.py")
    except BaseException as _error:
        _ended(_error)
    sys.modules["_panel"].send(76)  # L
del _run, _ended
