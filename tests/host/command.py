"""Runs `chautari`: in this process, or as a program of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from chautari import cli

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Ran:
    """How a command ended. out, err: what it printed."""

    code: int
    out: str
    err: str


def _surroundings(data: Path, more: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CHAUTARI_")}
    return {**kept, "CHAUTARI_DATA": str(data), "COLUMNS": "120", **more}


def run(data: Path, *words: str, encoding: str = "utf-8", **environment: str) -> Ran:
    """Run one command on the data in a folder, in this process, on consoles of that encoding."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    with (
        mock.patch.dict(os.environ, _surroundings(data, environment), clear=True),
        mock.patch.object(sys, "stdout", out),
        mock.patch.object(sys, "stderr", err),
    ):
        code = cli.main(words)
    said = [stream.buffer.getvalue().decode(encoding) for stream in (out, err)]  # type: ignore[attr-defined]
    assert "Traceback" not in said[0] + said[1]
    return Ran(code, *said)


def run_program(data: Path, *words: str, encoding: str = "utf-8", **environment: str) -> Ran:
    """Run one command as a program of its own."""
    surroundings = {
        **_surroundings(data, environment),
        "PYTHONPATH": os.pathsep.join(str(ROOT / room) for room in ("host", "engine")),
        "PYTHONIOENCODING": encoding,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "chautari", *words]
    done = subprocess.run(command, env=surroundings, capture_output=True, timeout=60, check=False)
    out, err = (said.decode(encoding).replace("\r\n", "\n") for said in (done.stdout, done.stderr))
    assert "Traceback" not in out + err, err
    return Ran(done.returncode, out, err)
