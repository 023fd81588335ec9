"""Print what the table costs on a board: heap, time from press to lights, flash, presses.

    .venv/bin/python tools/bench_board.py

The whole application runs in the real MicroPython VM with a Pico's heap, and once more with that of a
board with 192 KB (the VM's words are twice as long, so it gets twice the bytes). A recorded match of
four players is pressed into it again and again, up to 10,000 announcements. Each figure stands beside
what is wanted of it; nothing here passes or fails.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import serial
from chautari.demo_match import DemoMatch
from chautari.virtual import VirtualBoard
from rich.console import Console
from rich.table import Table

PROGRAM = Path(__file__).resolve().parent / "bench_board"
SEATS = 6
KEYS = "123A456B789C*0#D"
LONGEST_S = 540
SLOWER = (80, 100)
"""A Pico runs Python so many times slower than this VM on a PC."""


def number(control: str) -> int:
    """Return a control's number on the board: seats first, then the keys row by row."""
    if control.startswith("seat"):
        return int(control[4:]) - 1
    return SEATS + KEYS.index(control)


def measure(match: DemoMatch, heap: str) -> dict[str, int]:
    """Press the match on a virtual board with this heap; return its figures by name."""
    found: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as home:
        program = Path(home) / "program"
        shutil.copytree(PROGRAM, program)
        (program / "presses").write_text(
            "".join(f"{number(press.control)} {press.ms} {press.wait_ms}\n" for press in match.presses)
        )
        with (
            VirtualBoard(Path(home) / "board", heap=heap, program=program) as board,
            serial.Serial(board.port, timeout=LONGEST_S) as port,
        ):
            before = board.flash.erases
            while (line := port.readline().decode("ascii", "replace").split()) != ["mark", "end"]:
                if not line or line[0] not in ("result", "mark"):
                    port.timeout = 1
                    rest = port.read(4096).decode("ascii", "replace")
                    raise SystemExit(f"The board said: {' '.join(line)}\n{rest}")
                if line == ["mark", "match"]:
                    found["erases_of_a_match"] = board.flash.erases - before
                else:
                    found[line[1]] = int(line[2])
            found["erases"] = board.flash.erases - before
    return found


def main() -> int:
    """Measure with both heaps and print the table."""
    match = DemoMatch(1)
    screen = Console(width=100)
    runs = {name: measure(match, heap) for name, heap in (("a Pico's heap", "236wk"), ("192 KB", "192wk"))}
    table = Table("", *runs, "wanted")

    def row(name: str, cells: list[str], wanted: str) -> None:
        table.add_row(name, *cells, wanted)

    def each(form: str, *names: str) -> list[str]:
        return [form.format(*(run[name] for name in names)) for run in runs.values()]

    row("heap, bytes (64-bit words)", each("{:,}", "heap"), "")
    row(
        "free after the start",
        [f"{100 * run['free_after_boot'] / run['heap']:.0f} %" for run in runs.values()],
        "40 % or more of a Pico's",
    )
    row(
        "free after the last match",
        [f"{100 - 100 * run['heap_used'] / run['heap']:.0f} %" for run in runs.values()],
        "",
    )
    row("announcements", each("{:,}", "announcements"), "10,000")
    row("heap grown meanwhile, bytes", each("{:,}", "grown"), "nothing")
    row("press to lights, median", each("{} µs", "press_us_median"), "under 200 µs here")
    row("press to lights, 99 of 100", each("{} µs", "press_us_p99"), "")
    row("press to lights, worst", each("{} µs", "press_us_worst"), "")
    row(
        f"median on a Pico ({SLOWER[0]} to {SLOWER[1]} times)",
        [
            " to ".join(f"{run['press_us_median'] * factor / 1000:.0f}" for factor in SLOWER) + " ms"
            for run in runs.values()
        ],
        "under 20 ms",
    )
    for name, erases, said in (
        ("erases an announcement, one match", "erases_of_a_match", "announcements_of_a_match"),
        ("erases an announcement, all", "erases", "announcements"),
    ):
        row(name, [f"{run[erases] / run[said]:.3f}" for run in runs.values()], "0.25 at most")
    presses = match.turn_presses / match.turns
    row("presses a turn, round ends apart", [f"{presses:.2f}"] * len(runs), "under 1.4")
    screen.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
