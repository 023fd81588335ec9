"""Boards for these tests, and somebody to talk to the program that runs on them."""

import ast
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from chautari.virtual import VirtualBoard

TALKER = Path(__file__).with_name("talker")


class Talk:
    """A serial program that asks the talker on the board."""

    def __init__(self, board: VirtualBoard) -> None:
        self.line = serial.serial_for_url(board.port, timeout=0.2, write_timeout=2)
        self.seen = b""

    def until(self, text: bytes, timeout_s: float = 10) -> bytes:
        """Return what came up to and with text."""
        end = time.monotonic() + timeout_s
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} did not come, only {self.seen!r}"
            self.seen += self.line.read(max(1, self.line.in_waiting))
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def ask(self, expression: str) -> Any:
        """Return the value of an expression on the board."""
        self.line.write(expression.encode() + b"\n")
        self.until(b"= ")
        return ast.literal_eval(self.until(b"\n").decode().strip())

    def do(self, statement: str) -> None:
        """Run a statement on the board and wait until it is done."""
        self.line.write(statement.encode() + b"\n")
        self.until(b"= None\n")

    def close(self) -> None:
        self.line.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., VirtualBoard]]:
    """Return a function that makes boards (not started) which are stopped after the test."""
    made = []

    def make_board(folder: Path | None = None, **options: Any) -> VirtualBoard:
        options.setdefault("program", TALKER)
        board = VirtualBoard(folder or tmp_path / "board", **options)
        made.append(board)
        return board

    yield make_board
    for board in made:
        board.stop()


@pytest.fixture
def talking(talk: Callable[[VirtualBoard], Talk]) -> Callable[[VirtualBoard], Talk]:
    """Return a function that opens a board's port and only then switches it on: no word is missed."""

    def start(board: VirtualBoard) -> Talk:
        board.plug_in()
        told = talk(board)
        board.start(update=True)
        return told

    return start


@pytest.fixture
def talk() -> Iterator[Callable[[VirtualBoard], Talk]]:
    """Return a function that opens a board's port; closed after the test."""
    opened = []

    def open_port(board: VirtualBoard) -> Talk:
        opened.append(Talk(board))
        return opened[-1]

    yield open_port
    for one in opened:
        one.close()


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that makes a program folder with one main.py."""

    def write(text: str) -> Path:
        folder = tmp_path / "program"
        folder.mkdir(exist_ok=True)
        (folder / "main.py").write_text(text, encoding="utf-8")
        return folder

    return write
