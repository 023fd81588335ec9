"""Where the program begins: loading it takes half a second, in which Ctrl-C must do no harm either."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

STOPPED = 130


def main() -> int:
    """Run the command line; return its exit code."""
    try:
        _end_like_ctrl_c()
        from chautari.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr, flush=True)
        # Modules that are half loaded have nothing to put in order, and must not complain about it.
        os._exit(STOPPED)


def _end_like_ctrl_c() -> None:
    """Let a program that is told to end (kill, a closed terminal) put its things in order as Ctrl-C does."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, end)
