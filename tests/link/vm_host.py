"""Runs vm_table.py in the board's VM behind a pseudo terminal."""

import os
import pty
import shutil
import subprocess
import sys
import termios
import threading
import time
import tty
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VM = shutil.which("micropython", path=str(Path(sys.executable).parent)) or "micropython"


class VmTable:
    """port: what a PC opens. told: lines that the program told. It is killed at the end."""

    def __init__(self):
        # Two pseudo terminals with a shovel between, so that what stands for the cable outlives both ends.
        self.board, self.board_end = self._pair()
        self.pc, self.pc_end = self._pair()
        self.port = os.ttyname(self.pc_end)
        environment = {name: value for name, value in os.environ.items() if name != "HOME"}
        self.program = subprocess.Popen(
            [VM, "-X", "heapsize=236wk", str(HERE / "vm_table.py")]
            + [str(ROOT / "firmware"), str(ROOT / "engine"), str(HERE)],
            stdin=self.board_end,
            stdout=self.board_end,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self.told = []
        self.carry_up = True
        self.raw_up = b""
        threads = (self._listen, self._down, self._up)
        self.threads = [threading.Thread(target=thread, daemon=True) for thread in threads]
        for thread in self.threads:
            thread.start()
        self.wait_for("ready")

    def _pair(self):
        master, slave = pty.openpty()
        tty.setraw(slave)
        attributes = termios.tcgetattr(slave)
        attributes[3] &= ~termios.ISIG
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        return master, slave

    def _listen(self):
        for line in self.program.stderr:
            self.told.append(line.decode().rstrip())

    def _down(self):
        while data := self._read(self.pc):
            os.write(self.board, data)

    def _up(self):
        while data := self._read(self.board):
            while not self.carry_up:
                time.sleep(0.01)
            self.raw_up += data
            os.write(self.pc, data)

    def _read(self, fd):
        try:
            return os.read(fd, 4096)
        except OSError:
            return b""

    def wait_for(self, wanted, seconds=20):
        """Wait until a told line starts with wanted; return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in list(self.told):
                if line.startswith(wanted):
                    return line
            assert self.program.poll() is None or wanted.startswith("left"), self.told
            time.sleep(0.01)
        raise AssertionError((wanted, self.told))

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.program.kill()
        self.program.wait()
        self.carry_up = True
        for fd in (self.board_end, self.pc_end, self.board, self.pc):
            os.close(fd)
