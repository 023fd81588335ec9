"""Runs a storage script in the real MicroPython VM, for the tests on the PC's side."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def run(script: str, *arguments: object, heap: str = "8m") -> list[str]:
    """Return the lines that tests/firmware/storage/<script> printed; AssertionError if it failed."""
    beside = str(Path(sys.executable).parent)
    program = shutil.which("micropython", path=beside) or shutil.which("micropython")
    assert program, "micropython is not installed"
    paths = [str(ROOT / "engine"), str(ROOT / "firmware"), str(HERE)]
    done = subprocess.run(
        [program, "-X", "heapsize=" + heap, str(HERE / script), *map(str, arguments)],
        env={**os.environ, "MICROPYPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def figures(line: str) -> dict[str, int]:
    """Read a line of `name value` pairs."""
    words = line.split()
    return {words[at]: int(words[at + 1]) for at in range(0, len(words), 2)}
