"""Makes the clone's own Python environment in `.venv`; needs Python 3.11 and nothing else.

Used by run.py and test.py. Nothing is installed again while pyproject.toml and constraints.txt
stay as they are.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
CONSTRAINTS = ROOT / "constraints.txt"
STUBS = "micropython-rp2-stubs"


def python() -> Path:
    """Return the environment's interpreter, there or not."""
    if os.name == "nt":
        return ENVIRONMENT / "Scripts" / "python.exe"
    return ENVIRONMENT / "bin" / "python"


def _stop(text: str) -> None:
    print(text, file=sys.stderr)
    raise SystemExit(1)


def _fingerprint(extras: str) -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {extras}\n".encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def _run(step: str, *command: str) -> None:
    """Run one step of the set-up; show its output only when it fails."""
    print(f"  {step} ...", flush=True)
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        tail = "\n".join(done.stdout.strip().splitlines()[-15:])
        _stop(
            f"{tail}\n\nSet-up stopped at: {step}.\n"
            "Check that this computer reaches its Python package index, then run the same command again."
        )


def _make_venv() -> None:
    try:
        venv.EnvBuilder(with_pip=True, clear=True).create(ENVIRONMENT)
    except (subprocess.CalledProcessError, ImportError):
        # Debian and Ubuntu ship Python without ensurepip; the package python3-venv brings it.
        package = f"python3.{sys.version_info[1]}-venv"
        if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
            _run("Debian package lists", "apt-get", "update", "-q")
            _run(f"Debian package {package}", "apt-get", "install", "-y", "-q", package)
            venv.EnvBuilder(with_pip=True, clear=True).create(ENVIRONMENT)
        else:
            _stop(
                f"Python's venv module is not complete. Install it (Debian: sudo apt install {package}), "
                "then run the same command again."
            )


def prepare(extras: str = "") -> Path:
    """Make or refresh `.venv`, with the extras named (such as "dev"); return its interpreter.

    Raises SystemExit, after saying what to do, when that is not possible.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything is installed
        _stop(f"Chautari needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    stamp = ENVIRONMENT / f"installed-{extras or 'plain'}"
    wanted = _fingerprint(extras)
    if python().exists() and stamp.exists() and stamp.read_text() == wanted:
        return python()
    start = time.monotonic()
    print(f"Setting up {ENVIRONMENT.name} (once; needs the network) ...", flush=True)
    if not python().exists():
        _make_venv()
    target = f".[{extras}]" if extras else "."
    pip = (str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run("packages", *pip, "--constraint", str(CONSTRAINTS), "--editable", target)
    if "dev" in extras:
        # Apart from site-packages: the board's stubs would hide names there.
        _run(
            "type stubs of the board",
            *pip,
            *("--upgrade", "--constraint", str(CONSTRAINTS), "--target", str(ENVIRONMENT / "typings"), STUBS),
        )
    stamp.write_text(wanted)
    print(f"Set-up took {time.monotonic() - start:.0f} s.", flush=True)
    return python()
