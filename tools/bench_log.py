"""Print what an announcement and an undo cost early and late in a match, as ratios.

    .venv/bin/python tools/bench_log.py [--rounds 1000]

A table of four plays rounds that are won with no points, so that the match never ends. The cost of
saying something, of taking it back, of taking back a whole round's end, and the size of what has to be
kept for a restart are measured after the 10th round and after the last one. Every repeat plays the one
round that follows, from the same checkpoint, so that the match is never longer than the heading says.
Nothing passes or fails.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engine"))

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says
from cardrules.log import Log

SEATS = 4
EARLY = 10
TURNS = 40
"""Turns of a round before somebody is out."""
REPEATS = 60


def say(log: Log, what: int, seat: int = NO_SEAT, arg: int = 0) -> None:
    """Say it; whatever is refused here is a fault of this program."""
    reason = log.say(what, seat, arg)[0]
    if reason is not None:
        raise SystemExit(f"refused: {what} {seat} {arg} {reason}")


class Start:
    """A match after so many rounds, which can be begun from there again and again.

    log: the match; size: bytes of its checkpoint.
    """

    def __init__(self, rounds: int) -> None:
        self.log = new_match()
        for _ in range(rounds):
            round_(self.log)
        self._pieces = rounds  # a round is archived at its end, as one piece
        self._checkpoint = self.log.checkpoint()
        self.size = len(self._checkpoint)

    def again(self) -> Log:
        """Return the match as it was after these rounds, whatever was said since."""
        self.log.resume(self._checkpoint)
        self.log.archive.drop_after(self._pieces - 1)
        return self.log


def new_match() -> Log:
    """Return a match that has just been dealt."""
    log = Log()
    say(log, common.GAME, NO_SEAT, 1)
    for seat in range(SEATS):
        say(log, common.JOIN, seat, seat + 1)
    say(log, common.START)
    return log


def turns(log: Log, count: int) -> None:
    """Let everybody play and draw by turns, so that no hand becomes empty."""
    keeper = log.keeper
    for number in range(count):
        if number // SEATS % 2:
            say(log, says.DRAW)
        say(log, says.DONE, keeper.turn)  # type: ignore[union-attr]


def end_round(log: Log) -> None:
    """Somebody is out, the others hold a zero each; the next round is dealt."""
    keeper = log.keeper
    winner = keeper.turn  # type: ignore[union-attr]
    for seat in range(SEATS):
        if seat != winner:
            say(log, says.COUNT, seat, 1)
    say(log, says.OUT, winner)
    for _ in range(SEATS - 1):
        say(log, says.CARD, NO_SEAT, 0)
    say(log, common.CLOSE, NO_SEAT, 0)


def round_(log: Log) -> None:
    """Play one round to its end."""
    turns(log, TURNS)
    end_round(log)


def timed(work: Callable[[], int]) -> float:
    """Return microseconds for each of the things that work() says it has done."""
    began = time.perf_counter_ns()
    done = work()
    return (time.perf_counter_ns() - began) / done / 1000


def measure(starts: list[Start]) -> list[dict[str, float]]:
    """Return the medians for each match, in µs; they take turns, so that a slow moment meets all."""
    found: list[dict[str, list[float]]] = [{} for _ in starts]

    def note(place: int, name: str, value: float) -> None:
        found[place].setdefault(name, []).append(value)

    for _ in range(REPEATS):
        for place, start in enumerate(starts):
            log = start.again()
            note(place, "announcement in a round", timed(lambda log=log: turns(log, TURNS) or TURNS * 3 // 2))  # type: ignore[misc]
            note(place, "undo in a round", timed(lambda log=log: undo(log, 20)))  # type: ignore[misc]
            note(place, "redo in a round", timed(lambda log=log: redo(log, 20)))  # type: ignore[misc]
            note(place, "end of a round", timed(lambda log=log: end_round(log) or 1))  # type: ignore[misc]
            note(place, "undo across the end", timed(lambda log=log: undo(log, 1)))  # type: ignore[misc]
    return [{name: statistics.median(values) for name, values in each.items()} for each in found]


def undo(log: Log, times: int) -> int:
    """Take back so many announcements."""
    for _ in range(times):
        say(log, common.UNDO)
    return times


def redo(log: Log, times: int) -> int:
    """Say them again."""
    for _ in range(times):
        say(log, common.REDO)
    return times


def main() -> int:
    """Measure and print the table."""
    options = argparse.ArgumentParser(description="Cost of an announcement and of undo, early and late.")
    options.add_argument("--rounds", type=int, default=1000, help="rounds before the late measurement")
    chosen = options.parse_args()
    if chosen.rounds < EARLY:
        options.error(f"at least {EARLY} rounds are needed")
    early, late = Start(EARLY), Start(chosen.rounds)
    first, last = measure([early, late])
    table = Table("", f"after {EARLY} rounds", f"after {chosen.rounds:,} rounds", "ratio")
    for name in first:
        ratio = last[name] / first[name]
        table.add_row(name, f"{first[name]:.1f} µs", f"{last[name]:.1f} µs", f"{ratio:.2f}")
    ratio = late.size / early.size
    table.add_row("checkpoint", f"{early.size:,} bytes", f"{late.size:,} bytes", f"{ratio:.2f}")
    Console(width=100).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
