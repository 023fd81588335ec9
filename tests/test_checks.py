"""ruff and mypy --strict over the whole house, so that the closing line of the tests speaks for them."""

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
