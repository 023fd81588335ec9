"""The serial line from the PC's side: opened for one program alone, every wait with an end.

Errors are LinkError kinds; each is one line that says what to do.
"""

from __future__ import annotations

import contextlib
import errno
import getpass
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any, ClassVar, Protocol

import serial

from chautari import errors

if sys.platform != "win32":
    import fcntl
    import grp
    import termios

    _TROUBLES: tuple[type[Exception], ...] = (OSError, TypeError, AttributeError, termios.error)
else:
    _TROUBLES = (OSError, TypeError, AttributeError)
# pyserial's own errors are OSErrors; a port closed under its feet raises the next two.
_OPEN_TROUBLES: tuple[type[Exception], ...] = (*_TROUBLES, ValueError)

BAUD = 115200
"""Without meaning on USB; real serial adapters take it."""

WRITE_SECONDS = 1.5
"""A write that the other end does not take is given up after this."""

RULE_FILE = Path(__file__).parent / "data" / "60-chautari.rules"
"""The udev rule that lets people at this PC open a table, and keeps modem services away from it."""


class LinkError(errors.Trouble):
    """Something between PC and table; one line that says what to do."""

    exit_code: ClassVar[int] = errors.NO_ANSWER


class NoPort(LinkError):
    """There is no such port, or no table at all."""

    exit_code = errors.NO_DEVICE


class Busy(LinkError):
    """Another program has the port. holder: its name and pid if they could be found out, else ""."""

    exit_code = errors.BUSY

    def __init__(self, text: str, holder: str = "") -> None:
        super().__init__(text)
        self.holder = holder


class NoPermission(LinkError):
    """This user may not open the port."""

    exit_code = errors.NO_PERMISSION


class Lost(LinkError):
    """The table was there and is gone: unplugged, switched off, or its program ended."""


class NoAnswer(LinkError):
    """The port is there, but what is on it does not answer in time."""


class Transport(Protocol):
    """A line that bytes go over. name: how people know it."""

    name: str

    def read(self, timeout: float) -> bytes:
        """Return what has come, after at most timeout seconds; b"" if nothing. Raises Lost."""

    def write(self, data: bytes) -> None:
        """Write all. Raises Lost, or NoAnswer when the other end does not take it in time."""

    def close(self) -> None:
        """Let the line go."""


def normalise(port: str) -> str:
    r"""Return the one name of a port: `COM11` for `com11` and `\\.\COM11`; others as they are."""
    match = re.fullmatch(r"(?:[\\/]{2}\.[\\/])?com(\d+):?", port.strip(), re.IGNORECASE)
    return f"COM{int(match[1])}" if match else port.strip()


class SerialTransport:
    """A serial port, a pseudo terminal (also by a symbolic link), or `socket://host:port`."""

    def __init__(self, port: str, write_seconds: float = WRITE_SECONDS) -> None:
        """Open the port for this program alone, DTR raised.

        Raises NoPort, Busy or NoPermission.
        """
        self.name = normalise(port)
        self._broken = False
        try:
            line: Any = serial.serial_for_url(self.name, do_not_open=True)
            line.baudrate = BAUD
            line.timeout = 0
            line.write_timeout = write_seconds
            line.dtr = True  # MicroPython throws output away while DTR is low
            if "://" not in self.name and os.name == "posix":
                line.exclusive = True
            line.open()
        except _OPEN_TROUBLES as error:
            raise classified(self.name, error) from None
        self._line = line
        self._keep_others_out()

    def _keep_others_out(self) -> None:
        # pyserial's lock is advice that minicom or a modem service never asks for. TIOCEXCL binds all, and
        # ends with the last close. A pseudo terminal's other end keeps it open: there it would outlive us.
        if sys.platform == "win32" or "://" in self.name or "/pts/" in os.path.realpath(self.name):
            return
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._line.fd, termios.TIOCEXCL)

    def read(self, timeout: float) -> bytes:
        try:
            self._line.timeout = max(0.0, timeout)
            data: bytes = self._line.read(1)
            if data and (more := self._line.in_waiting):
                self._line.timeout = 0
                data += self._line.read(min(more, 4096))
            return data
        except _TROUBLES as error:
            raise self._lost(error) from None

    def write(self, data: bytes) -> None:
        try:
            self._line.write(data)
        except serial.SerialTimeoutException:
            self._broken = True
            raise NoAnswer(
                f"{self.name} takes no data: what is on it does not read. Unplug it and plug it in again,"
                " or see `chautari doctor`."
            ) from None
        except _TROUBLES as error:
            raise self._lost(error) from None

    def _lost(self, _error: BaseException) -> Lost:
        self._broken = True
        return Lost(f"The table on {self.name} is gone: unplugged or switched off. It keeps its scores.")

    def close(self) -> None:
        with contextlib.suppress(*_TROUBLES):
            if self._broken:  # else the system may wait half a minute for the last bytes to leave
                self._line.reset_output_buffer()
        with contextlib.suppress(*_TROUBLES):
            self._line.close()


def classified(port: str, error: BaseException) -> LinkError:
    """Return the LinkError for what opening a port raised."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number is None:  # pyserial keeps some numbers only in its text
        match = re.search(r"Errno (\d+)|PermissionError\((\d+)|FileNotFoundError\((\d+)", text)
        number = int(next(group for group in match.groups() if group)) if match else None
    if sys.platform == "win32" and number in (errno.EACCES, errno.EPERM):
        number = errno.EBUSY  # there every port is exclusive, and this is how it says so
    if number in (errno.EACCES, errno.EPERM):
        return NoPermission(permission_help(port))
    if number in (errno.EAGAIN, errno.EBUSY):
        who = holder(port)
        by = f"in use by {who}" if who else "in use by another program"
        return Busy(f"{port} is {by}. End that program, then try again.", who)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO, errno.ECONNREFUSED):
        return NoPort(f"There is nothing at {port}. Plug the table in and see `chautari devices`.")
    reason = text.splitlines()[0] if text else type(error).__name__
    return NoPort(f"{port} cannot be opened ({reason}). See `chautari devices`.")


def permission_help(port: str) -> str:
    """Return the line for a port that this user may not open: owner, command, what to do after it."""
    start = f"No permission for {port}: "
    group = owning_group(port)
    if not group:
        return (
            f"{start}its group is not one for people. Run `sudo cp {RULE_FILE} /etc/udev/rules.d/ &&"
            " sudo udevadm control --reload`, then plug the table in again."
        )
    user = getpass.getuser()
    if _is_member(user, group):
        return (
            f"{start}it belongs to the group {group}, and {user} is in it only since the last login."
            " Log out and in again."
        )
    return (
        f"{start}it belongs to the group {group}. Run `sudo usermod -aG {group} {user}`,"
        " then log out and in again."
    )


def owning_group(port: str) -> str:
    """Return the group whose members may open the port; "" if there is none that people can join."""
    if sys.platform == "win32":
        return ""
    try:
        status = os.stat(port)
        group = grp.getgrgid(status.st_gid)
    except (OSError, KeyError):
        return ""
    needed = stat.S_IRGRP | stat.S_IWGRP
    if group.gr_gid == 0 or group.gr_name == "root" or status.st_mode & needed != needed:
        return ""
    return group.gr_name


def _is_member(user: str, group: str) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return user in grp.getgrnam(group).gr_mem
    except KeyError:
        return False


def holder(port: str) -> str:
    """Return who has the port, as `name (pid 123)`; "" if that cannot be found out."""
    try:
        path = os.path.realpath(port)
        status = os.stat(path)
    except OSError:
        return ""
    for pid in _lockers(status) + _openers(path):
        name = _program(pid)
        if name:
            return f"{name} (pid {pid})"
    return ""


def _lockers(status: os.stat_result) -> list[int]:
    """Processes with a lock on the file, from /proc/locks."""
    wanted = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    found = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/locks").read_text().splitlines():
            parts = line.split()
            if len(parts) > 5 and parts[1] != "->" and parts[5] == wanted and int(parts[4]) > 0:
                found.append(int(parts[4]))
    return found


def _openers(path: str) -> list[int]:
    """Processes that have the file open, as far as this user may see; this one left out."""
    found = []
    with contextlib.suppress(OSError):
        for process in Path("/proc").iterdir():
            if not process.name.isdigit() or int(process.name) == os.getpid():
                continue
            with contextlib.suppress(OSError):
                for entry in (process / "fd").iterdir():
                    if os.readlink(entry) == path:
                        found.append(int(process.name))
                        break
    return found


def _program(pid: int) -> str:
    """Return what people call the program: of Python's programs the script or module, not `python`."""
    with contextlib.suppress(OSError):
        raw = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
        words = [word for word in raw.split("\0") if word]
        if not words:
            return Path(f"/proc/{pid}/comm").read_text().strip()
        name = os.path.basename(words[0])
        if re.fullmatch(r"python[\d.]*", name):
            for place, word in enumerate(words[1:], 1):
                if word == "-m" and place + 1 < len(words):
                    return words[place + 1]
                if word == "-c":
                    break
                if not word.startswith("-"):
                    return os.path.basename(word)
        return name
    return ""
