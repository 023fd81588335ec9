"""Print how many decisions a second this engine makes beside its peers, as ratios.

    .venv/bin/python tools/bench_engines.py [--slices 31] [--decisions 40000]

Peers: RLCard's UNO and OpenSpiel's crazy_eights with special cards. They are installed into an
environment of their own, `.bench` in the checkout, which git ignores (needs the network, once). Four
seats, random legal play, draw only when stuck, in all of them. Our deal runs with the quiet keeper,
`SilentKeeper`: it makes no notices; as in every deal without a log, moves are done unchecked, no clock
runs and nothing can be undone. A decision is a choice by a player: a card, to draw, to keep or pass, a
colour or suit; dealing and what is drawn is chance.

The engines take turns, slice by slice, so that a slow moment of the machine meets all of them; every
other turn goes through them backwards, so that none always comes first. Two ratios are printed for each
peer: the median of the ratios taken within each turn, and the ratio of the median speeds. PyPy runs this
engine too where it is found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import venv
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
PLAYERS = Path(__file__).resolve().parent / "bench_engines"
ENVIRONMENT = ROOT / ".bench"
PEERS = ("rlcard==1.2.0", "open_spiel==2.0.2")
WANTED = {"OpenSpiel crazy_eights": 1.0, "RLCard UNO": 3.0}
OURS = "Chautari Last Card"
PYPY = "Chautari, PyPy"
FEWEST_SLICES = 15


def peers() -> Path:
    """Return the interpreter of the peers' environment, made if it is not there."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = ENVIRONMENT / "installed"
    wanted = "\n".join(PEERS)
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"Setting up {ENVIRONMENT.name}: {', '.join(PEERS)} ...", flush=True)
        venv.EnvBuilder(with_pip=True, clear=True).create(ENVIRONMENT)
        pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        if subprocess.run([*pip, *PEERS]).returncode:
            raise SystemExit(
                "The peers could not be installed: check that the Python package index is reached."
            )
        stamp.write_text(wanted)
    return python


class Player:
    """An engine that plays slices in a process of its own."""

    def __init__(self, name: str, interpreter: str, program: str) -> None:
        self.name = name
        self.speeds: list[float] = []
        self.rounds = 0
        self.decisions = 0
        self._process = subprocess.Popen(
            [interpreter, str(PLAYERS / program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        )

    def slice(self, decisions: int) -> float:
        """Play so many decisions at least; return decisions a second."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{decisions}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if len(answer) != 3:
            raise SystemExit(f"{self.name} stopped: its message stands above.")
        done, took, rounds = (int(word) for word in answer)
        self.decisions += done
        self.rounds += rounds
        return done / took * 1e9

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """Return lower quartile, median, upper quartile."""
    low, middle, high = statistics.quantiles(values, n=4)
    return low, middle, high


def main() -> int:
    """Measure and print the table."""
    options = argparse.ArgumentParser(description="Decisions a second beside the peers, as ratios.")
    options.add_argument("--slices", type=int, default=31, help="slices of each engine, 15 at least")
    options.add_argument("--decisions", type=int, default=40_000, help="decisions a slice")
    chosen = options.parse_args()
    if chosen.slices < FEWEST_SLICES or chosen.decisions < 1:
        options.error(f"at least {FEWEST_SLICES} slices of at least 1 decision are needed")
    python = str(peers())
    players = [
        Player(OURS, sys.executable, "chautari_player.py"),
        Player("OpenSpiel crazy_eights", python, "openspiel_player.py"),
        Player("RLCard UNO", python, "rlcard_player.py"),
    ]
    pypy = shutil.which("pypy3")
    if pypy:
        players.append(Player(PYPY, pypy, "chautari_player.py"))
    for player in players:
        player.slice(chosen.decisions)  # warms up, is not counted
    for turn in range(chosen.slices):
        for player in players[::-1] if turn % 2 else players:
            player.speeds.append(player.slice(chosen.decisions))
    for player in players:
        player.close()
    show(players, chosen.slices)
    if not pypy:
        print("PyPy was not found (Debian: apt install pypy3).")
    return 0


def show(players: list[Player], slices: int) -> None:
    """Print speeds and ratios: medians, and in brackets the middle half of the slices."""
    ours = players[0]
    columns = ("engine", "decisions a second", "a round", "ratio within a turn", "of medians", "at least")
    table = Table(*columns)
    for player in players:
        low, middle, high = quartiles(player.speeds)
        speed = f"{middle:,.0f} ({low:,.0f} to {high:,.0f})"
        within = of_medians = wanted = ""
        if player is not ours:
            of_medians = f"{statistics.median(ours.speeds) / middle:.2f}"
            low, middle, high = quartiles([a / b for a, b in zip(ours.speeds, player.speeds, strict=True)])
            within = f"{middle:.2f} ({low:.2f} to {high:.2f})"
        if player.name in WANTED:
            wanted = f"{WANTED[player.name]:.1f}"
        decisions = f"{player.decisions / player.rounds:.0f}"
        table.add_row(player.name, speed, decisions, within, of_medians, wanted)
    Console(width=120).print(table)
    print(f"A ratio says how many times as fast as that engine {OURS} is.")
    print(f"Medians of {slices} slices in turn; in brackets the middle half of them.")
    print(f"Python {sys.version.split()[0]}; {', '.join(PEERS)}.")


if __name__ == "__main__":
    raise SystemExit(main())
