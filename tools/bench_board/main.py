"""Runs on the virtual board in place of the table's own start: presses matches, prints what they cost.

`presses` beside it has a line for each press: control's number, milliseconds held, milliseconds to
wait before it. The clock is driven by hand, so nothing here depends on how fast the PC is but the
microseconds.
"""

import gc
import time
from array import array

from boards.pico import make
from cardrules.announcement import GAME, NO_SEAT

STEP_MS = 4
FILE = "/presses"
WANTED = 10_000  # announcements
PRESSES = 1_500  # of one match, at most


def free() -> int:
    gc.collect()
    return gc.mem_free()


def percentile(values: "array[int]", count: int, hundredths: int) -> int:
    """Return the value below which so many hundredths of values[:count] lie; makes no list."""
    wanted = count * hundredths // 100
    low, high = 0, 65535
    while low < high:
        middle = (low + high) // 2
        below = 0
        for i in range(count):
            if values[i] <= middle:
                below += 1
        if below > wanted or below == count:
            high = middle
        else:
            low = middle + 1
    return low


def measure() -> None:
    micros = array("H", bytes(2 * PRESSES))
    board = make()
    whole = gc.mem_alloc() + gc.mem_free()
    from table.app import App

    app = App(board)
    clock = board.ticks_ms()
    app.boot()

    def run(ms: int) -> None:
        nonlocal clock
        for _ in range(0, ms, STEP_MS):
            clock += STEP_MS
            app.tick(clock)

    from table.link import Link

    app.link = Link(app, lambda: b"", lambda data, sure: len(data))
    run(3000)
    print("result", "heap", whole)
    print("result", "free_after_boot", free())
    used = []
    while app.journal.last < WANTED:
        count = 0
        with open(FILE) as presses:
            for line in presses:
                control, held, wait = [int(part) for part in line.split()]
                run(wait)
                before = app.presses
                app.controls.remote(control, True)
                run(STEP_MS)
                while app.presses == before:
                    run(STEP_MS)
                micros[count] = min(app.last_press_us, 65535)
                count += 1
                run(held)
                app.controls.remote(control, False)
                run(STEP_MS)
        run(1000)
        if not used:
            print("result", "press_us_median", percentile(micros, count, 50))
            print("result", "press_us_p99", percentile(micros, count, 99))
            print("result", "press_us_worst", percentile(micros, count, 100))
            print("result", "announcements_of_a_match", app.journal.last)
            print("mark match")
        used.append(whole - free())
        run(500)
        app.say(GAME, NO_SEAT, 1)  # everybody sits down anew
        run(500)
        print("result", "announcements", app.journal.last)
        print("result", "heap_used", used[-1])
    print("result", "grown", used[-1] - used[0])
    print("mark end")
    while True:
        time.sleep_ms(100)


measure()
