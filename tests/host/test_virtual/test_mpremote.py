"""The real mpremote against the virtual board: as on a Pico, out of play and in play."""

import shlex
import subprocess
import time

import pytest
import serial
from real_mpremote import mpremote

IN_PLAY = """
import asyncio
import micropython
from boards.pico import make
board = make()
frame = bytearray(72)
micropython.kbd_intr(-1)
async def main():
    print("in play")
    while True:
        frame[0] ^= 1
        board.pixels.show(frame)
        await asyncio.sleep_ms(10)
asyncio.run(main())
"""


@pytest.fixture
def board(make):
    return make().start()


def test_lists_the_boards_files(board):
    listed = mpremote(board, "fs", "ls")
    assert "main.py" in listed and "boards/" in listed
    assert "pico.py" in mpremote(board, "fs", "ls", ":boards")


def test_copies_both_ways_without_a_changed_byte(board, tmp_path):
    here, back = tmp_path / "here.bin", tmp_path / "back.bin"
    here.write_bytes(bytes(range(256)) * 12)
    mpremote(board, "fs", "cp", str(here), ":there.bin")
    mpremote(board, "fs", "cp", ":there.bin", str(back))
    assert back.read_bytes() == here.read_bytes()
    # It lies in flash: it is still there after the power was away.
    board.kill()
    board.start(update=False)
    assert "3072" in mpremote(board, "fs", "ls")
    mpremote(board, "fs", "rm", ":there.bin")
    assert "there.bin" not in mpremote(board, "fs", "ls")


def test_executes_and_shows_errors(board):
    assert mpremote(board, "exec", "import machine; print(len(machine.unique_id()), 6 * 7)") == "8 42\n"
    assert "ZeroDivisionError" in mpremote(board, "exec", "1 // 0", check=False)


def test_several_commands_in_one_session(board):
    words = '"exec" "x = 5" "+" "exec" "print(x)" "+" "fs" "mkdir" ":d" "+" "fs" "ls"'
    printed = mpremote(board, *shlex.split(words))
    assert printed.startswith("5\n") and "d/" in printed


def test_soft_reset_starts_anew_without_main(board):
    starts = board.starts
    mpremote(board, "soft-reset")
    assert board.starts > starts
    line = serial.Serial(board.port, timeout=0.5)
    line.write(b"1 + 1\r")
    assert b"\n2\n>>> " in line.read_until(b"2\n>>> ")
    line.close()


def test_reset_runs_main_again(board):
    starts = board.starts
    mpremote(board, "reset")
    board.panel.wait_for(lambda: board.starts > starts + 1)
    board.panel.tap("seat2")


def test_ctrl_c_frees_the_prompt_and_ctrl_d_starts_the_program_again(board, monkeypatch):
    monkeypatch.setattr("chautari.virtual.supervisor.INTERRUPT_S", 0.5)
    line = serial.Serial(board.port, timeout=0.5)
    line.write(b"\x03")
    seen = line.read_until(b">>> ")
    assert b"talker was interrupted" in seen and seen.endswith(b">>> ")
    line.write(b"21 * 2\r")
    assert b"42" in line.read_until(b"\n>>> ")
    line.write(b"for i in range(10**9): pass\r\r")
    line.read_until(b"... ")
    line.write(b"\r")
    line.read(100)
    line.write(b"\x03")
    line.timeout = 8
    assert line.read_until(b">>> ").endswith(b">>> ")
    line.write(b"\x04")
    assert b"MPY: soft reboot\r\ntalker is here\n" in line.read_until(b"here\n")
    line.close()


def test_in_play_ctrl_c_does_nothing(make, program):
    board = make(program=program(IN_PLAY))
    board.plug_in()
    line = serial.Serial(board.port, timeout=5)
    board.start()
    assert b"in play" in line.read_until(b"in play\n")
    line.timeout = 0.3
    shown = len(board.panel.frames_since(0))
    starts = board.starts
    line.write(b"\x03\x03" + b"A\x03B\n" + b"\r\x03\x01\x04")
    time.sleep(0.5)
    assert b">>>" not in line.read(200)
    line.close()
    # Left alone it would give up after ten seconds; out of play it is in within a fraction of one.
    with pytest.raises(subprocess.TimeoutExpired):
        mpremote(board, "exec", "print('never')", timeout=3)
    assert board.starts == starts
    assert len(board.panel.frames_since(0)) > shown + 50


def test_a_program_that_hangs_is_stopped_by_ctrl_c(make, program, monkeypatch):
    monkeypatch.setattr("chautari.virtual.supervisor.INTERRUPT_S", 0.5)
    board = make(program=program("print('hangs')\nwhile True:\n    pass\n")).start()
    assert mpremote(board, "exec", "print('free')", check=False).endswith("free\n")


def test_a_program_that_catches_ctrl_c_goes_on(make, program):
    board = make(
        program=program(
            "import time\nn = 0\nwhile n < 2:\n    try:\n        time.sleep_ms(50)\n"
            "    except KeyboardInterrupt:\n        n += 1\n        print('caught', n)\n"
        )
    ).start()
    line = serial.Serial(board.port, timeout=5)
    line.write(b"\x03")
    assert line.read_until(b"1\n").endswith(b"caught 1\n")
    line.write(b"\x03")
    assert line.read_until(b">>> ").endswith(b">>> ")
    line.close()


def test_the_hosts_own_files_cannot_be_reached(board, tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("untouched", encoding="utf-8")
    for words in (("rm", f":{mine}"), ("cat", f":{mine}"), ("ls", ":/etc"), ("rm", "-r", ":/usr")):
        assert "No such file" in mpremote(board, "fs", *words, check=False)
    assert mine.read_text(encoding="utf-8") == "untouched"
    code = """
import os, vfs, uos
print([n for m in (os, uos, vfs) for n in dir(m) if n in ('VfsPosix', 'system', 'getenv', 'putenv')])
print(os.listdir('/'))
"""
    names, listed = mpremote(board, "exec", code).splitlines()
    assert names == "[]"
    assert "'main.py'" in listed and "'etc'" not in listed
