"""Runs one virtual board in the foreground and prints its port: python -m chautari.virtual --folder F."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from chautari.board_files import BoardFilesError
from chautari.virtual import VirtualBoard, VirtualBoardError


def main(arguments: list[str] | None = None) -> int:
    """Run until Ctrl-C or a termination signal; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m chautari.virtual",
        description="Run a virtual table device and print the serial port it is on. Ctrl-C switches it off.",
        epilog="Example: python -m chautari.virtual --folder my-table --speed 4",
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the board remembers")
    parser.add_argument("--speed", type=float, default=1, help="how much faster than real time")
    parser.add_argument("--heap", type=int, default=236, metavar="KW", help="heap in thousand words")
    parser.add_argument("--serial", choices=("pty", "socket"), help="kind of port")
    parser.add_argument("--program", type=Path, help="a folder whose files lie over the board's own")
    parser.add_argument("--fault", action="append", default=[], help="a part that is broken, such as screen")
    given = parser.parse_args(arguments)
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    try:
        board = VirtualBoard(
            given.folder,
            given.heap,
            given.speed,
            serial=given.serial,
            program=given.program,
            faults=given.fault,
        )
        with board:
            if board.banner:
                print(f"chautari: {board.banner}", file=sys.stderr)
            print(board.port, flush=True)
            while not over.wait(0.5):
                if not board.running:
                    raise VirtualBoardError(board.failure or "the board has lost its power")
    except (VirtualBoardError, BoardFilesError, ValueError, OSError) as error:
        print(f"chautari: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
