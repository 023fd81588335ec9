"""The real firmware in the real VM, its buttons pressed one by one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chautari.demo_match import DemoMatch
from chautari.link import Session
from chautari.transport import SerialTransport
from chautari.virtual import VirtualBoard

BUDGET_MA = 450
ASKED_S = 20


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard(tmp_path / "board", speed=4) as running:
        yield running


def session(board: VirtualBoard) -> Session:
    return Session(SerialTransport(str(board.port)))


def press_all(board: VirtualBoard, match: DemoMatch) -> None:
    for press in match.presses:
        board.panel.tap(press.control, ms=press.ms)


def until(look: Callable[[], bool]) -> None:
    """Ask the line until it is so. (Not under the panel's lock: the answer comes through it.)"""
    end = time.monotonic() + ASKED_S
    while not look():
        assert time.monotonic() < end, "the table did not get there"


def status(line: Session) -> dict[str, object]:
    names = (
        "state", "game", "phase", "turn", "direction", "dealer", "round", "paused", "owed", "colour",
        "counts", "scores", "players", "active", "seconds",
    )  # fmt: skip
    return dict(zip(names, line.status(), strict=True))


def test_a_match_of_one_round_by_pressing_buttons(board: VirtualBoard) -> None:
    with session(board) as line:
        line.set("target", 1)
    match = DemoMatch(9, (0, 1, 4), target=1)
    press_all(board, match)
    with session(board) as line:
        seen = status(line)
    assert seen["phase"] == "over"
    winner, points = match.rounds[0]
    scores = seen["scores"]
    assert isinstance(scores, list) and scores[winner] == points and sum(scores) == points
    # waves of light run from the winner; the screen is not blank
    board.panel.wait_for(lambda: all(sum(p) > 60 for p in board.panel.pixels()[4 * winner : 4 * winner + 4]))
    assert sum(bin(byte).count("1") for byte in board.panel.screen()) > 200
    for _, pixels in board.panel.frames(0.5):
        assert sum(sum(pixel) for pixel in pixels) * 20 // 255 <= BUDGET_MA


def test_a_press_lights_the_next_seat_and_a_power_cut_keeps_it(board: VirtualBoard) -> None:
    panel = board.panel
    with session(board) as line:
        line.hello()
    for seat in ("seat1", "seat2", "seat4"):
        panel.tap(seat)
    panel.tap("#")
    with session(board) as line:
        turn = int(str(status(line)["turn"]))
        nexts = {0: 1, 1: 3, 3: 0}

        def breathes(seat: int) -> bool:
            return all(sum(pixel) > 20 for pixel in panel.pixels()[4 * seat : 4 * seat + 4])

        panel.wait_for(lambda: breathes(turn))
        panel.tap(f"seat{turn + 1}")
        panel.wait_for(lambda: breathes(nexts[turn]))
        until(lambda: line.ping().safe == line.ping().state)
        before = status(line)
    board.kill()
    board.start()
    panel.wait_for(lambda: breathes(nexts[turn]), ASKED_S)
    with session(board) as line:
        after = status(line)
    for name in ("phase", "turn", "direction", "dealer", "round", "owed", "colour", "counts", "scores"):
        assert after[name] == before[name], name


def test_parts_that_fail_are_named_and_the_table_plays_on(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board", speed=4, faults=("seat2", "screen")) as board:
        with session(board) as line:
            until(lambda: {"screen", "stuck_seat2"} <= set(line.faults()))
        for seat in ("seat1", "seat3"):
            board.panel.tap(seat)
        board.panel.tap("#")
        with session(board) as line:
            seen = status(line)
            assert seen["phase"] == "play" and seen["active"] == 0b101


def test_it_runs_with_a_small_heap(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board", speed=4, heap_kw=192) as board:
        with session(board) as line:
            line.hello()  # it is up: presses while it starts are nobody's
        press_all(board, DemoMatch(9, (0, 1, 4), target=1))
        with session(board) as line:
            assert line.faults() == []
            assert status(line)["round"] == 2
