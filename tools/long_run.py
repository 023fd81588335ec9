"""Runs that take too long for the tests. Prints how far it is, then one line with figures.

    .venv/bin/python tools/long_run.py properties --games 10000 --seed 1 --jobs 2
    .venv/bin/python tools/long_run.py properties --only 4711

properties: whole games of Last Card by chance; after every step all that has to hold is checked (see
tests/engine/random_games.py). The exit code is 1 if something did not hold in one of them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "tests" / "engine")]

import random_games  # noqa: E402

PIECE = 20
"""Games that a process plays at a time."""

Played = tuple[dict[str, int], tuple[int, str] | None]
"""Figures of some games, and (seed, words) of the first one that broke."""
Play = Callable[[range], Played]


def play_piece(seeds: range) -> Played:
    """Play the games of these seeds, up to one that breaks."""
    total: dict[str, int] = {}
    for seed in seeds:
        try:
            random_games.add(total, random_games.play_game(seed))
        except random_games.Broken as error:
            return total, (seed, str(error))
    return total, None


def pieces(first: int, games: int) -> list[range]:
    """Return the seeds in pieces."""
    last = first + games
    return [range(start, min(start + PIECE, last)) for start in range(first, last, PIECE)]


def properties(args: argparse.Namespace) -> int:
    """Play games of many seeds until all are played or one breaks; the jobs change nothing but the time."""
    todo = [range(args.only, args.only + 1)] if args.only is not None else pieces(args.seed, args.games)
    games = sum(len(piece) for piece in todo)
    began = time.monotonic()
    total = dict.fromkeys(random_games.FIGURES, 0)
    told = 0
    with multiprocessing.Pool(args.jobs) if args.jobs > 1 and len(todo) > 1 else Here() as pool:
        for figures, broken in pool.imap(play_piece, todo):
            random_games.add(total, figures)
            if broken:
                seed, words = broken
                print(f"BROKEN {words}", file=sys.stderr)
                print(f"Again: python tools/long_run.py properties --only {seed}", file=sys.stderr)
                return 1
            if total["games"] * 20 // games > told:
                told = total["games"] * 20 // games
                spent = time.monotonic() - began
                print(f"{told * 5:3} %  {total['games']} games  {spent:.0f} s", file=sys.stderr, flush=True)
    spent = time.monotonic() - began
    figures_in_words = ", ".join(f"{key} {value}" for key, value in total.items())
    print(f"properties hold: {figures_in_words}, jobs {args.jobs}, {spent:.0f} s")
    return 0


class Here:
    """A pool of no processes but this one."""

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def imap(self, play: Play, todo: Iterable[range]) -> Iterator[Played]:
        """Play piece after piece."""
        return map(play, todo)


def whole(least: int) -> Callable[[str], int]:
    """Return what reads a whole number from least on, and otherwise says what is wanted."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"give a whole number, {least} or more, not {text!r}")
        return number

    return read


def main() -> int:
    """Do what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(description="Runs that take too long for the tests.")
    runs = parser.add_subparsers(dest="run", required=True)
    run = runs.add_parser("properties", help="whole games by chance, checked after every step")
    run.add_argument("--games", type=whole(1), default=10000, help="how many (10000)")
    run.add_argument("--seed", type=whole(0), default=1, help="seed of the first game; the others follow (1)")
    run.add_argument("--jobs", type=whole(1), default=os.cpu_count() or 1, help="processes (all cores)")
    run.add_argument("--only", type=whole(0), metavar="SEED", help="the game of this seed alone")
    run.set_defaults(do=properties)
    args = parser.parse_args()
    try:
        code: int = args.do(args)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return code


if __name__ == "__main__":
    raise SystemExit(main())
