"""One life of a virtual board: the process that runs the firmware and the lines that lead to it."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from chautari.virtual import image, vm
from chautari.virtual.console import Console

QUEUE = 4096
"""Bytes that wait in each direction of the serial line before the sender is stalled."""
_CONNECT_S = 20.0


@dataclass
class Settings:
    """How a board is started. heap: in the VM's own notation; speed: factor of real time; chip: as hex."""

    folder: Path
    flash: Path
    heap: str
    speed: float
    chip: str
    real: bool
    """Whether the firmware runs in the MicroPython VM; else in CPython, as a demo."""


@dataclass
class Run:
    """The process and its lines. serial_theirs: the board's end of the serial line, if we have it too."""

    process: subprocess.Popen[bytes]
    serial: socket.socket
    serial_theirs: socket.socket | None
    lines: socket.socket
    messages: socket.socket
    leash: int = -1
    console: Console = field(default_factory=Console)
    ready: bool = False
    begun: bool = False
    enter_raw: bool = False
    held: bool = True
    muted: bool = False
    interrupted_at: float = 0.0
    taken_at: float = 0.0
    started_at: float = field(default_factory=time.monotonic)
    to_panel: bytearray = field(default_factory=bytearray)
    buffer: bytearray = field(default_factory=bytearray)

    def close(self) -> None:
        """Kill the process, wait for its end and close everything that led to it."""
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        for end in (self.serial, self.serial_theirs, self.lines, self.messages):
            if end is not None:
                end.close()
        if self.leash >= 0:
            os.close(self.leash)


def start(settings: Settings, age_ms: int, main: bool) -> Run:
    """Start the board's process, age_ms after it was first switched on; main: whether main.py runs."""
    return _start_vm(settings, age_ms, main) if settings.real else _start_cpython(settings, age_ms)


def _start_vm(settings: Settings, age_ms: int, main: bool) -> Run:
    import fcntl
    import pty

    ours, theirs = socket.socketpair()
    lines, lines_theirs = socket.socketpair()
    messages, messages_theirs = socket.socketpair()
    leash, leash_theirs = pty.openpty()
    for end in (ours, lines, lines_theirs, messages):
        end.setblocking(False)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, QUEUE)
    arguments = ["-i", "-X", f"heapsize={settings.heap}", str(vm.STAND_INS / "_start.py")]
    arguments += [str(round(settings.speed * 1000)), str(age_ms), str(settings.flash)]
    arguments += [str(settings.flash.stat().st_size // image.BLOCK), settings.chip, str(int(main))]
    # Copies far above the numbers that the VM is to see, so that none is overwritten on the way.
    passed = [
        fcntl.fcntl(end.fileno(), fcntl.F_DUPFD_CLOEXEC, 64) for end in (lines_theirs, messages_theirs)
    ]
    try:
        process = vm.start(
            arguments,
            stdin=theirs.fileno(),
            output=theirs.fileno(),
            descriptors=tuple(passed),
            leash=leash_theirs,
            cwd=Path("/"),
        )
    finally:
        for number in (*passed, leash_theirs):
            os.close(number)
        lines_theirs.close()
        messages_theirs.close()
    return Run(process, ours, theirs, lines, messages, leash)


def _start_cpython(settings: Settings, age_ms: int) -> Run:
    """Start CPython instead of the VM; it connects three times to this process, with a secret."""
    secret = secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(_CONNECT_S)
        program = Path(__file__).with_name("cpython_board.py")
        arguments = [str(listener.getsockname()[1]), secret, str(settings.flash), settings.chip]
        arguments += [str(round(settings.speed * 1000)), str(age_ms)]
        process = subprocess.Popen(
            [sys.executable, "-I", "-u", str(program), *arguments],
            stdin=subprocess.DEVNULL,
            cwd=settings.folder,
        )
        ends: dict[str, socket.socket] = {}
        try:
            while len(ends) < 3:
                end, _ = listener.accept()
                end.settimeout(_CONNECT_S)
                said = b""
                while len(said) < 33 and (part := end.recv(33 - len(said))):
                    said += part
                if said[:32] == secret.encode():
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    end.setblocking(False)
                    ends[said[32:].decode("ascii", "replace")] = end
                else:
                    end.close()
        except OSError:
            process.kill()
            process.wait()
            raise vm.VirtualBoardError("the board's program does not start") from None
    return Run(process, ends["s"], None, ends["p"], ends["m"])
