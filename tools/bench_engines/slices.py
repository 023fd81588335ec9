"""What every engine's player shares: it plays a slice when told to and says how long that took.

A player is a program of its own, since the peers live in another environment and PyPy is another
interpreter. It reads numbers from its standard input, one a line: how many decisions at least; for each
it answers "decisions nanoseconds rounds".
"""

import gc
import sys
import time
from collections.abc import Callable

Play = Callable[[int], "tuple[int, int]"]
"""Plays whole rounds until so many decisions are made; returns (decisions, rounds)."""


def serve(play: Play) -> None:
    """Answer slice after slice until the standard input ends."""
    for line in sys.stdin:
        gc.collect()
        began = time.perf_counter_ns()
        decisions, rounds = play(int(line))
        took = time.perf_counter_ns() - began
        print(decisions, took, rounds, flush=True)
