"""The parts of the table, the same checks on both interpreters."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import table_checks

HERE = Path(__file__).resolve().parent
CHECKS = sorted(name for name in vars(table_checks) if name.startswith("check_"))


@pytest.mark.parametrize("name", CHECKS)
def test_on_this_interpreter(name: str) -> None:
    getattr(table_checks, name)()


def test_all_of_them_on_micropython() -> None:
    vm = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert vm, "the MicroPython VM is not installed"
    done = subprocess.run([vm, str(HERE / "table_checks.py")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok check_") == len(CHECKS)
