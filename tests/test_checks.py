"""ruff and mypy --strict over the whole house, so that the closing line of the tests speaks for them."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPINGS = Path(sys.prefix) / "typings"


def run(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff() -> None:
    run("ruff", "check", "--no-cache", "engine", "firmware", "host", "tests", "tools")


def test_types_of_the_host_and_the_engine() -> None:
    run("mypy", "--strict", "host/chautari", "engine/cardrules", "engine/tablelink")


def test_types_of_the_board_code_with_the_boards_own_stubs() -> None:
    """The stubs have errors of their own; only those in our files count."""
    assert TYPINGS.is_dir(), "the board's type stubs are missing: python3 tools/test.py installs them"
    rooms = ("firmware", "engine/cardrules", "engine/tablelink")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-site-packages", "--explicit-package-bases"),
            *("--cache-dir", ".mypy_cache/board", "--custom-typeshed-dir", str(TYPINGS)),
            *("--exclude", "firmware/manifest.py", *rooms),
        ],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": os.pathsep.join(("firmware", "engine", str(TYPINGS)))},
        capture_output=True,
        text=True,
    )
    ours = [line for line in done.stdout.splitlines() if line.startswith(("firmware/", "engine/"))]
    assert not ours, "\n".join(ours)
    counted = re.search(r"checked (\d+) source files|no issues found in (\d+) source files", done.stdout)
    assert counted, done.stdout[-2000:] + done.stderr
