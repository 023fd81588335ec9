"""How the program ends when somebody ends it, or takes its output away."""

import os
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from test_terminal import ROOT, Program

INTERRUPTED_WHILE_LOADING = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "sqlalchemy":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from chautari.start import main
sys.exit(main())
"""


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(ROOT / "host"), str(ROOT / "engine"))),
        "CHAUTARI_DATA": str(folder),
    }


def shell(folder: Path, words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m chautari {words}'],
        env=environment(folder),
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_table_that_is_told_to_end_leaves_the_terminal_as_it_was(number: int, tmp_path: Path) -> None:
    program = Program(tmp_path, "table")
    try:
        before = termios.tcgetattr(program.terminal)
        program.wait("Press your seats")
        assert termios.tcgetattr(program.terminal) != before
        program.process.send_signal(number)
        assert program.end() == 0
        assert termios.tcgetattr(program.terminal) == before
        assert "The table is closed" in program.text()
        assert not program.screen.cursor.hidden
    finally:
        program.close()


def test_ctrl_c_while_the_program_loads_is_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_LOADING, "players", "list"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


@pytest.mark.parametrize("words", ["players list", "--help", "players list --json"])
def test_output_that_nobody_wants_is_no_error(words: str, tmp_path: Path) -> None:
    done = shell(tmp_path, f"{words} >&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "trouble.log").exists()


def test_output_without_room_is_told_in_one_line(tmp_path: Path) -> None:
    done = shell(tmp_path, "players list > /dev/full")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "make room" in done.stderr
    assert not (tmp_path / "trouble.log").exists()


def test_doctor_sees_a_history_that_is_a_link_to_nowhere(tmp_path: Path) -> None:
    (tmp_path / "history.sqlite3").symlink_to("history.sqlite3")
    done = shell(tmp_path, "doctor")
    assert done.returncode != 0
    assert "Nothing is wrong" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
