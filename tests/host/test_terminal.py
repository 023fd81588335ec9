"""The table in a terminal: what it draws, what its keys mean, and the real program on a real pty."""

import fcntl
import io
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest
from chautari import console
from chautari.keyboard import plain_keys
from chautari.terminal import SEATS, WIDTH, Facts, View, control, facts_of
from chautari.terminal_picture import braille, brightness, coarse, light
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
DARK = (0, 0, 0)


def test_braille_shows_each_dot_where_it_is() -> None:
    screen = bytearray(1024)
    screen[0] |= 1  # x 0, y 0
    screen[7 * 128 + 127] |= 0x80  # x 127, y 63
    screen[1 * 128 + 3] |= 0x10  # x 3, y 12
    lines = braille(bytes(screen))
    assert len(lines) == 16 and {len(line) for line in lines} == {64}
    shown = {(x, y): ord(cell) - 0x2800 for y, line in enumerate(lines) for x, cell in enumerate(line)}
    assert {place: cell for place, cell in shown.items() if cell} == {
        (0, 0): 0x01,
        (63, 15): 0x80,
        (1, 3): 0x08,
    }


def test_a_console_without_braille_gets_ascii() -> None:
    lines = coarse(bytes([255] * 1024))
    assert lines == ["#" * 64] * 16
    assert all(line.isascii() for line in coarse(bytes(range(256)) * 4))


def test_lights_tell_brightness_without_colour() -> None:
    marks = [light((level, level, level)).plain for level in (0, 1, 30, 255)]
    assert len(set(marks)) == len(marks)
    assert [light((255, 0, 0)).plain, light((0, 255, 0)).plain] == ["●", "●"]
    assert brightness((0, 0, 0)) == 0 and brightness((0, 255, 0)) == 255


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("q", ("seat1", False)),
        ("Y", ("seat6", False)),
        ("7", ("7", False)),
        ("c", ("C", False)),
        ("\r", ("#", False)),
        ("\x7f", ("*", False)),
        ("u", ("*", True)),
        ("m", ("0", True)),
        ("h", ("#", True)),
        ("é", None),
        ("z", None),
    ],
)
def test_keys_stand_for_buttons(typed: str, meant: tuple[str, bool] | None) -> None:
    assert control(typed) == meant


def test_arrow_and_function_keys_press_nothing() -> None:
    assert plain_keys("q\x1b[A\x1b[15~w\x1bOP\x1b") == "qw\x1b"


class Still:
    """A device that shows the same picture all the time."""

    def __init__(self, screen: bytes | None) -> None:
        self._screen = screen

    def tap(self, control: str) -> None: ...

    def hold(self, control: str) -> None: ...

    def pixels(self) -> list[tuple[int, int, int]]:
        return [DARK] * 24

    def screen(self) -> bytes | None:
        return self._screen


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
@pytest.mark.parametrize("screen", [bytes(1024), None])
def test_the_picture_keeps_its_columns_whatever_the_names(encoding: str, screen: bytes | None) -> None:
    facts = Facts(
        names=["Anu", "त्पि", "👍🏻👩‍👩‍👧", "[bold]x\x1b[2J", "A name of thirty characters here", ""],
        cards=[1, 12, 7, None, 100, 3],
        points=[0, 299, -15, None, 20, 4],
        on_turn=1,
        line="Round 3",
    )
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    view = View(console.Screen(stream))
    out = Console(file=io.StringIO(), width=200, color_system=None)
    with out.capture() as captured:
        out.print(view.picture(Still(screen), facts, "a message"))
    lines = captured.get().splitlines()
    assert len(lines) == 23
    assert "\x1b" not in captured.get()
    captured.get().encode(encoding)
    for line in lines[1:17]:
        assert console.cells(line) == WIDTH
    assert all(console.cells(line) <= WIDTH for line in lines)


def test_facts_say_what_the_table_says() -> None:
    assert "No match" in facts_of(None).line
    state = {
        "round": 2,
        "phase": "colour",
        "turn": 3,
        "direction": "anticlockwise",
        "owed": 4,
        "colour": {"name": "blue", "shape": "◆"},
        "paused": False,
        "seats": [
            {"seat": 1, "name": "Anu", "score": 20, "cards": 1, "last_card": True},
            {"seat": 3, "name": "Seat 3", "score": 0, "cards": 9, "last_card": False},
        ],
    }
    facts = facts_of(state)
    assert facts.names[0] == "Anu" and facts.names[2] == "" and facts.cards == [1, None, 9, None, None, None]
    assert facts.on_turn == 2 and len(facts.points) == SEATS
    wanted = ("turn: seat 3", "anticlockwise", "4 cards owed", "◆ blue", "LAST CARD: Anu")
    for words in (*wanted, "WAITING FOR A COLOUR"):
        assert words in facts.line


class Program:
    """The real `chautari table` on a pty of 24 lines by 80 columns."""

    def __init__(self, folder: Path, *words: str, size: tuple[int, int] = (24, 80)) -> None:
        self.screen = pyte.Screen(size[1], size[0])
        self._stream = pyte.ByteStream(self.screen)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chautari", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join((str(ROOT / "host"), str(ROOT / "engine"))),
                "CHAUTARI_DATA": str(folder),
                "TERM": "xterm-256color",
                "PYTHONIOENCODING": "utf-8",
            },
        )
        self.terminal = theirs

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def wait(self, words: str, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while words not in self.text():
            assert time.monotonic() < end, f"{words!r} did not appear:\n{self.text()}"
            self._read(0.1)

    def end(self, seconds: float = 20) -> int:
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text()
            self._read(0.1)
        self._read(0.1)
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)
        os.close(self.terminal)

    def _read(self, seconds: float) -> None:
        ready, _, _ = select.select([self._ours], [], [], seconds)
        if ready:
            try:
                self._stream.feed(os.read(self._ours, 65536))
            except OSError:
                time.sleep(0.05)  # the other end is closed


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    running = Program(tmp_path, "table")
    yield running
    running.close()


def test_people_play_in_the_terminal_and_everything_is_kept(program: Program, tmp_path: Path) -> None:
    program.wait("Press your seats")
    program.type("qwr")
    program.wait("4  0 pt")
    program.type("\r")
    program.wait("Round 1")
    program.wait("7 left")
    turn = next(seat for seat in (1, 2, 4) if f"turn: seat {seat}" in program.text())
    program.type("qwerty"[turn - 1])
    program.wait("6 left")
    following = {1: 2, 2: 4, 4: 1}[turn]
    program.wait(f"turn: seat {following}")
    program.type("\x7f")
    program.wait(f"turn: seat {turn}")
    program.type("x")
    assert program.end() == 0
    assert "history list" in program.text()

    again = Program(tmp_path, "table")
    try:
        again.wait(f"turn: seat {turn}")
        again.type("\x03")
        assert again.end() == 0
    finally:
        again.close()


def test_a_small_terminal_is_told_so(tmp_path: Path) -> None:
    small = Program(tmp_path, "table", size=(20, 70))
    try:
        assert small.end() == 1
        assert "70 columns and 20 lines" in small.text()
        assert "Traceback" not in small.text()
    finally:
        small.close()


def test_without_a_terminal_it_says_what_works(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chautari", "table"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(ROOT / "host"), str(ROOT / "engine"))),
            "CHAUTARI_DATA": str(tmp_path),
        },
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1 and "chautari demo" in done.stderr
