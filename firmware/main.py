"""Starts the table, or leaves the serial console free.

Safe mode (the console free, no program): UNDO or the board's own button held for two seconds at
power-on, or three starts in a row that failed. The table's end leaves the console free too;
Ctrl-D or a reset starts it again.
"""

import asyncio
import sys
import time

from boards.pico import Board, make

HELD_MS = 2000
WELL_S = 30  # a start that lasted this long has not failed
FAILED_STARTS = 3
SAID = {
    # on the serial console, where no catalogue can be counted on: the table may be what failed
    "hold": "hold on for safe mode",
    "safe": "safe mode: the table is not started; Ctrl-D starts it",
    "failed_often": "safe mode: %d starts failed, see %s; Ctrl-D tries again",
    "stopped": "the table is stopped; Ctrl-D starts it again",
    "failed": "the table failed:",
    "no_room": "the failed start cannot be counted: no room",
}
FILE = "/failed.txt"  # how many starts failed, then why the last one did


def held(board: Board) -> bool:
    """Return whether safe mode is asked for: held without a break for HELD_MS from the first look."""
    if not board.safe_pressed():
        return False
    print(SAID["hold"])
    start = board.ticks_ms()
    while board.ticks_diff(board.ticks_ms(), start) < HELD_MS:
        time.sleep_ms(20)
        if not board.safe_pressed():
            return False
    return True


def failed() -> int:
    """Return how many starts in a row have failed."""
    try:
        with open(FILE) as f:
            return int(f.readline())
    except (OSError, ValueError):
        return 0


def note(count: int, error: Exception | None) -> None:
    """Write down that count starts in a row have failed, and why. A full flash must not stop it."""
    try:
        with open(FILE, "w") as f:
            f.write("%d\n" % count)
            if error is not None:
                sys.print_exception(error, f)
    except OSError:
        print(SAID["no_room"])


async def forget() -> None:
    """Forget earlier failures once this start has lasted."""
    await asyncio.sleep(WELL_S)
    note(0, None)


def go() -> None:
    """Run the table until it ends, fails or is interrupted."""
    board = make()
    count = failed()
    if held(board):
        board.blank()
        print(SAID["safe"])
        return
    if count >= FAILED_STARTS:
        note(0, None)
        board.blank()
        print(SAID["failed_often"] % (count, FILE))
        return
    try:
        from table import app

        if count:
            asyncio.create_task(forget())
        app.run(board)
    except KeyboardInterrupt:
        print(SAID["stopped"])
    except Exception as error:
        print(SAID["failed"])
        sys.print_exception(error)
        board.blank()
        note(failed() + 1, error)
        time.sleep_ms(1000)
        board.restart()
    finally:
        board.blank()
        board.interrupt_char(3)
        asyncio.new_event_loop()


go()
