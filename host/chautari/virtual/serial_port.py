"""The outer end of the virtual board's serial line: a pty with a symlink, or a TCP socket."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import Protocol

from chautari.virtual import hold
from chautari.virtual.vm import VirtualBoardError


class Port(Protocol):
    """What the supervisor needs of an outer end. read() gives b"" when there is nothing."""

    name: str

    def filenos(self) -> list[int]: ...
    def connected(self) -> bool: ...
    def read(self, limit: int) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def close(self) -> None: ...


def is_live(entry: Path) -> bool:
    """Return whether this port entry leads to a running board, or to whatever a person made it for.

    After a host process was killed its symlink stays and may by and by lead to somebody else's
    terminal, so whoever searches for boards must ask before opening one.
    """
    try:
        held = hold.take(_claim_file(entry), make=False)
    except OSError:
        return entry.exists()
    if held is None:
        return os.path.lexists(entry)
    os.close(held)
    return False


def _claim_file(entry: Path) -> Path:
    return entry.with_name(f".{entry.name}.held")


def _claim(entry: Path) -> int:
    """Hold the entry as long as the returned descriptor is open."""
    entry.parent.mkdir(parents=True, exist_ok=True)
    held = hold.take(_claim_file(entry))
    if held is None:
        raise VirtualBoardError(f"another virtual board is on {entry}")
    return held


def _let_go(entry: Path, held: int) -> None:
    # Windows removes no file that is open; the others must not let go before it is removed.
    with contextlib.suppress(OSError):
        _claim_file(entry).unlink(missing_ok=True)
    os.close(held)
    with contextlib.suppress(OSError):
        _claim_file(entry).unlink(missing_ok=True)


class PtyPort:
    """A pseudo terminal in raw mode; the symlink `name` is what programs open."""

    def __init__(self, link: Path) -> None:
        import pty
        import termios

        self._held = _claim(link)
        self._master, slave = pty.openpty()
        state = termios.tcgetattr(slave)
        state[0] = state[1] = state[3] = 0
        state[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        state[6][termios.VMIN] = 1
        state[6][termios.VTIME] = 0
        termios.tcsetattr(slave, termios.TCSANOW, state)
        self._path = os.ttyname(slave)
        # With the supervisor's own descriptor closed, the kernel says whether anybody has the port open.
        os.close(slave)
        os.set_blocking(self._master, False)
        self.name = str(link)
        self._link = link
        link.unlink(missing_ok=True)
        link.symlink_to(self._path)
        self._was_connected = False

    def filenos(self) -> list[int]:
        # A pty that nobody holds open reports a hang-up without end, so it is asked now and then instead.
        return [self._master] if self._was_connected else []

    def connected(self) -> bool:
        """Return whether a program has the port open."""
        import select

        poller = select.poll()
        poller.register(self._master, select.POLLIN)
        now = not any(event & select.POLLHUP for _, event in poller.poll(0))
        if self._was_connected and not now:
            self._flush()
        self._was_connected = now
        return now

    def _flush(self) -> None:
        # What the program that left did not read must not greet the next one.
        import termios

        with contextlib.suppress(OSError, termios.error):
            slave = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                termios.tcflush(slave, termios.TCIOFLUSH)
            finally:
                os.close(slave)

    def read(self, limit: int) -> bytes:
        try:
            return os.read(self._master, limit)
        except (BlockingIOError, OSError):
            return b""

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._master, data)
        except (BlockingIOError, OSError):
            return 0

    def close(self) -> None:
        """Unplug: programs that have the port open see a hang-up, the symlink is gone."""
        with contextlib.suppress(OSError):
            if os.readlink(self._link) == self._path:
                self._link.unlink()
        _let_go(self._link, self._held)
        os.close(self._master)


class TcpPort:
    """A socket on this machine's own address; one program at a time, as with a serial port.

    The file `entry` holds the address as long as the board is plugged in.
    """

    def __init__(self, entry: Path, number: int = 0) -> None:
        self._entry = entry
        self._held = _claim(entry)
        self._listener = socket.create_server(("127.0.0.1", number))
        self._listener.setblocking(False)
        self._peer: socket.socket | None = None
        self.number = self._listener.getsockname()[1]
        self.name = f"socket://127.0.0.1:{self.number}"
        entry.unlink(missing_ok=True)
        entry.write_text(self.name + "\n", encoding="ascii")

    def filenos(self) -> list[int]:
        return [self._listener.fileno()] + ([self._peer.fileno()] if self._peer else [])

    def connected(self) -> bool:
        """Return whether a program is connected; takes one that waits."""
        with contextlib.suppress(OSError):
            peer, _ = self._listener.accept()
            if self._peer is None:
                peer.setblocking(False)
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._peer = peer
            else:
                peer.close()
        return self._peer is not None

    def read(self, limit: int) -> bytes:
        if self._peer is None:
            return b""
        try:
            data = self._peer.recv(limit)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._drop()
        return data

    def write(self, data: bytes) -> int:
        if self._peer is None:
            return 0
        try:
            return self._peer.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self._drop()
            return 0

    def _drop(self) -> None:
        if self._peer is not None:
            self._peer.close()
            self._peer = None

    def close(self) -> None:
        """Unplug."""
        self._drop()
        self._listener.close()
        self._entry.unlink(missing_ok=True)
        _let_go(self._entry, self._held)
