"""Plays presses on the whole table with a board in memory, on either interpreter.

As a program: press_player.py PRESSES ROOT; PRESSES is a file of "wait_ms control ms" lines. Prints what
came of it as JSON, so that two interpreters can be compared bit by bit.
"""

import json
import sys
from binascii import hexlify

if sys.implementation.name == "micropython":
    _here = __file__[: __file__.rfind("/")]
    for _room in ("/../../firmware", "/../../engine", ""):
        sys.path.insert(0, _here + _room)

from fake_board import Board
from table.app import App

STEP_MS = 4


def play(presses, root):
    """Press everything; return the app and its board."""
    board = Board(5000)
    app = App(board, root)
    app.boot()

    def run(ms):
        for _ in range(0, ms, STEP_MS):
            board.clock += STEP_MS
            app.tick(board.ticks_ms())

    run(1000)
    for wait, control, ms in presses:
        run(min(wait, 80))
        board.press(control)
        run(ms)
        board.release(control)
        run(40)
    run(5000)
    return app, board


def outcome(app, board):
    """Return everything that has to be the same on both interpreters."""
    return {
        "state": hexlify(app.log.keeper.snapshot()).decode(),
        "screen": hexlify(board.screen.shown).decode(),
        "lights": hexlify(board.pixels.frame).decode(),
        "frames": board.pixels.frames,
        "tones": board.heard,
        "said": app.journal.last,
        "safe": app.journal.durable,
        "faults": app.faults,
    }


def read(path):
    """Yield (wait_ms, control, ms) of a file, a line at a time: a board's heap has no room for all."""
    with open(path) as file:
        for line in file:
            wait, control, ms = line.split()
            yield int(wait), control, int(ms)


if __name__ == "__main__":
    import gc

    played, parts = play(read(sys.argv[1]), sys.argv[2])
    told = outcome(played, parts)
    gc.collect()
    if hasattr(gc, "mem_free"):
        told["free_percent"] = gc.mem_free() * 100 // (gc.mem_free() + gc.mem_alloc())
    print(json.dumps(told))
