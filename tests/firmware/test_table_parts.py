"""The parts of the table, the same checks on both interpreters."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import table
import table_checks

HERE = Path(__file__).resolve().parent
CHECKS = sorted(name for name in vars(table_checks) if name.startswith("check_"))


@pytest.mark.parametrize("name", CHECKS)
def test_on_this_interpreter(name: str) -> None:
    getattr(table_checks, name)()


def test_seats_keys_and_lights_are_those_of_the_wiring() -> None:
    pins = tomllib.loads((HERE.parents[1] / "hardware" / "pins.toml").read_text(encoding="utf-8"))
    assert pins["seats"] == table.SEATS
    assert "".join(pins["keys"]) == table.KEYS
    assert (pins["pixels"]["per_seat"], pins["pixels"]["count"]) == (table.PER_SEAT, table.PIXELS)


def test_all_of_them_on_micropython() -> None:
    vm = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert vm, "the MicroPython VM is not installed"
    done = subprocess.run([vm, str(HERE / "table_checks.py")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok check_") == len(CHECKS)
