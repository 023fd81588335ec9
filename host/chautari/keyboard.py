"""Single key presses from the terminal, without waiting for Enter."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

if sys.platform == "win32":
    import msvcrt
else:
    import select
    import termios
    import tty

ESCAPE = "\x1b"


class Keyboard:
    """The terminal's keys while the `with` block lasts; the terminal is as before afterwards.

    Ctrl-C raises KeyboardInterrupt as usual. Arrow and function keys are swallowed whole, so that
    their escape sequences never count as presses; Escape alone is given as ESCAPE.
    """

    def __enter__(self) -> Keyboard:
        if sys.platform != "win32":
            self._file = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32":
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def read(self, wait_s: float) -> str:
        """Return what was typed within wait_s seconds, perhaps nothing. Raises EOFError at its end."""
        if sys.platform == "win32":
            end = time.monotonic() + wait_s
            while not msvcrt.kbhit():
                if time.monotonic() >= end:
                    return ""
                time.sleep(0.01)
            typed = ""
            while msvcrt.kbhit():
                key = msvcrt.getwch()
                if key in "\x00\xe0":
                    msvcrt.getwch()  # the second half of an arrow or function key
                elif key == "\x03":
                    raise KeyboardInterrupt
                else:
                    typed += key
            return typed
        ready, _, _ = select.select([self._file], [], [], wait_s)
        if not ready:
            return ""
        data = os.read(self._file, 256)
        if not data:
            raise EOFError
        return plain_keys(data.decode("utf-8", "ignore"))


def plain_keys(typed: str) -> str:
    """Return typed without the escape sequences of arrow and function keys."""
    keys = []
    at = 0
    while at < len(typed):
        if typed[at] == ESCAPE and typed[at + 1 : at + 2] in ("[", "O"):
            at += 2
            while at < len(typed) and not ("@" <= typed[at] <= "~"):
                at += 1
        else:
            keys.append(typed[at])
        at += 1
    return "".join(keys)
