"""Runs the mpremote that is installed here against a virtual board."""

import subprocess
import sys


def mpremote(board, *words, check=True, timeout=30):
    """Run mpremote on the board's port and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", board.port, *words],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if check:
        assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout if check else done.stdout + done.stderr
