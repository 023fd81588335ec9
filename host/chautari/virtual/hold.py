"""Files that one process at a time can hold; let go by the system when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def take(path: Path, *, make: bool = True) -> int | None:
    """Hold the file as long as the returned descriptor is open; None if another holds it.

    make: create the file when it is missing; else FileNotFoundError is raised.
    """
    held = os.open(path, os.O_RDWR | (os.O_CREAT if make else 0), 0o644)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    return held
