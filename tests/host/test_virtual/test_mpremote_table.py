"""The real mpremote and the real table: out of play as on any board, in play only after `console`."""

import re
import shlex
import time
from pathlib import Path

import pytest
from chautari import ports
from chautari.link import LinkError
from chautari.virtual import VirtualBoard
from real_mpremote import mpremote

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def table(tmp_path):
    with VirtualBoard(tmp_path / "board") as board:
        greet(board)
        yield board


def greet(board, seconds=15):
    """Wait until the table answers; return what it says of itself."""
    end = time.monotonic() + seconds
    while True:
        try:
            with ports.open(board.port) as session:
                return session.hello(), session.status(), session.settings()
        except LinkError:
            assert time.monotonic() < end, "the table does not answer"
            time.sleep(0.1)


def test_out_of_play_files_and_programs_as_on_any_board(table, tmp_path):
    with ports.open(table.port) as session:
        session.put({"names": ["Anu", "", "", "", "", ""]})
    time.sleep(0.2)
    before, _, settings = greet(table)
    here, back = tmp_path / "here.txt", tmp_path / "back.txt"
    here.write_text("कार्ड\n", encoding="utf-8")
    listed = mpremote(table, "fs", "ls")
    assert "main.py" in listed and "table/" in listed
    mpremote(table, "fs", "cp", str(here), ":there.txt")
    mpremote(table, "fs", "cp", ":there.txt", str(back))
    assert back.read_bytes() == here.read_bytes()
    assert mpremote(table, "exec", "print(6 * 7)").strip() == "42"
    mpremote(table, "soft-reset")
    mpremote(table, "reset")
    after, _, kept = greet(table)
    assert (after.board_id, after.journal_id) == (before.board_id, before.journal_id)
    assert after.boots > before.boots
    assert kept == settings and kept["names"][0] == "Anu"


def test_in_play_only_the_console_request_frees_the_prompt_and_the_match_stays(table):
    for control in ("seat1", "seat2", "seat3", "#"):
        table.panel.tap(control)
    time.sleep(0.3)
    _, before, _ = greet(table)
    assert before[2] == "play"
    refused = mpremote(table, "fs", "ls", check=False, timeout=60)
    assert "could not enter raw repl" in refused
    hello, status, _ = greet(table)
    assert hello.in_play and status[2:] == before[2:]
    with ports.open(table.port) as session:
        session.console()
    time.sleep(0.5)
    assert "main.py" in mpremote(table, "fs", "ls")
    mpremote(table, "reset")
    hello, status, _ = greet(table)
    assert hello.in_play
    # The clock of the seat on turn went on; everything else is as it was.
    assert status[2:-1] == before[2:-1]


def test_the_readmes_command_brings_a_table_up_to_date(table, monkeypatch):
    monkeypatch.chdir(ROOT)
    command = re.search(r"^mpremote (cp .*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert command
    before, _, _ = greet(table)
    mpremote(table, "exec", "f = open('/table/text.py', 'w'); f.write('broken ='); f.close()")
    mpremote(table, *shlex.split(command[1]), timeout=120)
    after, _, _ = greet(table)
    assert (after.board_id, after.engine) == (before.board_id, before.engine)
    text = dict(table.files())["table/text.py"]
    size = mpremote(table, "exec", "import os; print(os.stat('/table/text.py')[6])")
    assert int(size) == text.stat().st_size
