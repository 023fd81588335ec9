"""The demo board: the same firmware in CPython, where there is no MicroPython VM."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chautari import board_files
from chautari.virtual import VirtualBoard, VirtualBoardError

HOST = Path(board_files.__file__).resolve().parents[1]


@pytest.fixture
def demo(make):
    """Return a function that makes demo boards."""

    def make_demo(**options):
        return make(interpreter="cpython", **options)

    return make_demo


def test_it_says_what_it_is_and_the_real_one_says_nothing(demo, make, monkeypatch):
    board = demo()
    assert not board.real and board.banner.startswith("This is the demo board")
    assert make().banner == ""
    monkeypatch.setattr("chautari.virtual.vm.find", lambda: None)
    assert not VirtualBoard(board.folder).real


def test_buttons_lights_screen_and_sound_work_over_a_socket(demo, talking):
    board = demo()
    told = talking(board)
    assert board.port.startswith("socket://127.0.0.1:")
    told.until(b"here\n")
    names = ["seat1", "seat6", "5", "*", "D"]
    for name in names:
        board.panel.tap(name)
    board.panel.press("seat2", "seat3")
    assert told.ask("sorted(scan())") == ["seat2", "seat3"]
    board.panel.release("seat2", "seat3")
    felt = told.ask("[e[:2] for e in events]")
    assert felt[:10] == [edge for name in names for edge in ((name, 1), (name, 0))]
    told.do("f = bytearray(72); f[0:3] = bytes((1, 2, 3)); board.pixels.show(f)")
    assert board.panel.pixels()[0] == (1, 2, 3)
    told.do("board.screen.buffer[:] = bytes([5]) * 1024; [board.screen.page(n) for n in range(8)]")
    board.panel.wait_for(lambda: board.panel.screen() == bytes([5]) * 1024)
    told.do("board.tone(880, 3000)")
    board.panel.wait_for(lambda: board.panel.tones()[-1][1:] == (880, 3000))
    assert told.ask("board.faults") == []


@pytest.mark.parametrize("name", ["screen", "column2", "seat3"])
def test_parts_can_be_broken(demo, talking, name):
    board = demo(faults=[name])
    told = talking(board)
    told.until(b"here\n")
    board.panel.tap("seat1")
    board.panel.tap("5")
    felt = [e[0] for e in told.ask("events") if e[1]]
    assert ("5" in felt) == (name != "column2") and ("seat3" in felt) == (name == "seat3")
    assert told.ask("board.faults") == (["screen"] if name == "screen" else [])


def test_its_clock_runs_faster_when_asked(demo, talking):
    board = demo(speed=20)
    told = talking(board)
    start = time.monotonic()
    before = board.panel.now_ms()
    board.panel.hold("seat1", ms=4000)
    assert board.panel.now_ms() - before >= 4000
    assert time.monotonic() - start < 4
    a, b = (e[2] for e in told.ask("events"))
    assert b - a >= 4000


def test_files_stay_within_its_folder_and_survive(demo, talking, tmp_path):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    board = demo()
    told = talking(board)
    told.do("f = open('/kept.txt', 'w'); f.write('kept'); f.close()")
    told.do("os.mkdir('/d'); f = open('d/x', 'wb'); f.write(bytes([1, 10, 13])); f.close()")
    told.do("os.rename('/d/x', '/d/y')")
    assert told.ask("os.listdir('/d')") == ["y"]
    assert told.ask("os.stat('/d/y')[6]") == 3
    assert "kept.txt" in told.ask("os.listdir('/')") and "main.py" in told.ask("os.listdir('/')")
    for path in (f"{tmp_path}/mine.txt", "../../mine.txt", "/../../mine.txt"):
        assert "No such file" in told.ask(f"open('{path}').read()")
        assert "No such file" in told.ask(f"os.remove('{path}')")
    board.kill()
    board.start()
    assert told.ask("open('/kept.txt').read()") == "kept"
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_reset_interrupt_and_ctrl_d_start_it_anew(demo, talking):
    board = demo()
    told = talking(board)
    told.until(b"here\n")
    told.line.write(b"board.reset()\n")
    told.until(b"here\n")
    told.line.write(b"\x03")
    told.until(b"talker was interrupted\n")
    told.until(b"needs the real MicroPython VM. Ctrl-D starts the table again.\r\n>>> ")
    told.line.write(b"x\x04")
    told.until(b"MPY: soft reboot\r\n")
    told.until(b"here\n")
    told.do("import micropython; micropython.kbd_intr(-1)")
    told.line.write(b"'\x03'\n")
    told.until(b"= '\\x03'\n")
    assert board.starts == 3


def test_what_only_the_real_vm_can_is_refused(demo):
    board = demo()
    with pytest.raises(VirtualBoardError, match="needs the real MicroPython VM"):
        board.fault("full")
    with pytest.raises(VirtualBoardError, match="needs the real MicroPython VM"):
        board.cut_power_after(3)


WAITS = "import time\nwhile True:\n    time.sleep_ms(10)\n"


@pytest.mark.parametrize("main", [WAITS, "while True:\n    pass\n"], ids=["waits", "hangs"])
def test_it_does_not_outlive_its_host(tmp_path, program, main):
    script = (
        f"import sys, time; sys.path.insert(0, {str(HOST)!r})\n"
        "from chautari.virtual import VirtualBoard\n"
        f"folder, program = {str(tmp_path / 'b')!r}, {str(program(main))!r}\n"
        "board = VirtualBoard(folder, program=program, interpreter='cpython')\n"
        "board.start()\nprint(board.pid, flush=True)\ntime.sleep(60)\n"
    )
    host = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    os.kill(pid, 0)
    host.send_signal(signal.SIGKILL)
    host.wait()
    host.stdout.close()
    end = time.monotonic() + 10
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(pid, 0)
            time.sleep(0.05)


def test_the_whole_firmware_runs_on_it(make):
    board = make(program=None, interpreter="cpython").start()
    dark = [(0, 0, 0)] * 24
    board.panel.wait_for(lambda: any(board.panel.screen()) and board.panel.pixels() != dark)
    board.panel.tap("seat1")
    board.panel.tap("seat3")
    lit = board.panel.wait_for(lambda: any(any(p) for p in board.panel.pixels()[:4]) and board.panel.pixels())
    assert any(any(pixel) for pixel in lit[8:12])
    assert board.starts == 1
