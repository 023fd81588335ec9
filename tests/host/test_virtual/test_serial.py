"""The serial line: every byte passes, nobody blocks for ever, the cable can be pulled."""

import os
import time

import pytest
import serial
from chautari.virtual import VirtualBoardError, is_live

ECHO = """
import asyncio, select, sys
import micropython
micropython.kbd_intr(-1)
async def main():
    source = sys.stdin.buffer
    poller = select.poll()
    poller.register(source, select.POLLIN)
    reader = asyncio.StreamReader(source)
    sys.stdout.buffer.write(b"ready")
    while True:
        data = await reader.read(1)
        while poller.poll(0) and len(data) < 128:
            data += source.read(1)
        sys.stdout.buffer.write(data)
asyncio.run(main())
"""

TALKATIVE = """
import asyncio, sys
from boards.pico import make
board = make()
frame = bytearray(72)
async def main():
    n = 0
    while True:
        sys.stdout.buffer.write(b"%06d " % n + b"x" * 120 + b"\\n")
        n += 1
        frame[0] = n & 255
        board.pixels.show(frame)
        await asyncio.sleep_ms(1)
asyncio.run(main())
"""


def read(line, count):
    """Return count bytes, or what came within five seconds."""
    data = b""
    end = time.monotonic() + 5
    while len(data) < count and time.monotonic() < end:
        data += line.read(count - len(data))
    return data


@pytest.mark.parametrize("kind", ["pty", "socket"])
def test_all_256_byte_values_pass_both_ways(make, program, kind):
    board = make(program=program(ECHO), serial=kind)
    board.plug_in()
    assert board.port.startswith("socket://127.0.0.1:") == (kind == "socket")
    line = serial.serial_for_url(board.port, timeout=0.2)
    board.start()
    assert read(line, 5) == b"ready"
    data = bytes(range(256)) * 8 + bytes([3, 4, 1, 2, 13, 10, 17, 19, 26, 28])
    line.write(data)
    assert read(line, len(data)) == data
    line.close()


def test_a_program_that_does_not_read_stalls_the_board_for_a_moment_only(make, program):
    board = make(program=program(TALKATIVE)).start()
    line = serial.Serial(board.port, timeout=0.2)
    board.panel.wait_for(lambda: len(board.panel.frames_since(0)) > 300, 10)
    read(line, 1000)
    # Now nobody reads: queues fill, the board is held up for a while, then goes on without its output.
    time.sleep(1)
    shown = len(board.panel.frames_since(0))
    board.panel.wait_for(lambda: len(board.panel.frames_since(0)) > shown + 300, 10)
    text = read(line, 12_000).split(b"\n")
    numbers = [int(part[:6]) for part in text if len(part) == 127]
    assert numbers == sorted(numbers)
    line.close()


def test_a_port_that_nobody_opened_stalls_nothing_and_keeps_nothing(make, program):
    board = make(program=program(TALKATIVE)).start()
    board.panel.wait_for(lambda: len(board.panel.frames_since(0)) > 500, 10)
    line = serial.Serial(board.port, timeout=0.2)
    first = read(line, 4096).split(b"\n")[1]
    line.close()
    assert int(first[:6]) > 300


def test_what_one_program_left_unread_does_not_greet_the_next(make, talk, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    told.line.write(b"print('left behind')\n")
    board.panel.tap("seat1")
    told.close()
    time.sleep(0.2)
    again = talk(board)
    assert again.ask("2 + 2") == 4
    assert b"left behind" not in again.seen


def test_one_program_at_a_time_on_a_socket(make, talking):
    board = make(serial="socket")
    told = talking(board)
    assert told.ask("1") == 1
    second = serial.serial_for_url(board.port, timeout=0.5)
    with pytest.raises(serial.SerialException):
        for _ in range(20):
            second.write(b"3\n")
            second.read(1)
    assert told.ask("2") == 2


def test_the_cable_is_pulled_and_plugged_in_again_under_another_name(make, talk, talking):
    board = make()
    told = talking(board)
    told.do("kept = 41")
    old = board.port
    board.unplug()
    assert not os.path.lexists(old)
    with pytest.raises((serial.SerialException, OSError)):
        for _ in range(20):
            told.line.write(b"1\n")
            told.line.read(10)
    with pytest.raises(VirtualBoardError, match="not plugged in"):
        _ = board.port
    board.panel.tap("seat1")

    new = board.replug("another")
    assert new != old and os.path.basename(new) == "another"
    again = talk(board)
    assert again.ask("kept + 1") == 42
    assert again.ask("[e[:2] for e in events]") == [("seat1", 1), ("seat1", 0)]


def test_a_pulled_socket_is_closed_and_comes_back_elsewhere(make, talk, talking):
    board = make(serial="socket")
    told = talking(board)
    told.do("kept = 1")
    board.unplug()
    board.replug()
    assert talk(board).ask("kept") == 1


@pytest.mark.parametrize("kind", ["pty", "socket"])
def test_a_port_entry_is_live_only_while_its_board_is_plugged_in(make, tmp_path, kind):
    entry = tmp_path / "ports" / "kitchen.port"
    board = make(serial=kind, port_name=str(entry)).start()
    assert is_live(entry)
    assert board.port == (str(entry) if kind == "pty" else entry.read_text().strip())
    other = make(folder=tmp_path / "other", serial=kind, port_name=str(entry))
    with pytest.raises(VirtualBoardError, match="another virtual board is on"):
        other.start()
    board.unplug()
    assert not is_live(entry)
    board.replug()
    assert is_live(entry)
    board.stop()
    assert not is_live(entry) and not os.path.lexists(entry)


def test_what_a_killed_board_left_behind_is_not_live(make, tmp_path):
    entry = tmp_path / "left.port"
    entry.symlink_to("/dev/null")
    assert is_live(entry)  # somebody's own
    (tmp_path / ".left.port.held").touch()
    assert not is_live(entry)
    board = make(port_name=str(entry)).start()
    assert is_live(entry) and board.port == str(entry)


@pytest.mark.parametrize("kind", ["pty", "socket"])
def test_unreadable_garbage_and_long_lines_do_not_disturb(make, talking, kind):
    board = make(serial=kind)
    told = talking(board)
    told.line.write(b"\x00\xff\xfe\x80" * 500 + b"\n")
    told.line.write(b"'" + b"y" * 5000 + b"'\n")
    told.until(b"y" * 5000)
    assert told.ask("6 * 7") == 42
