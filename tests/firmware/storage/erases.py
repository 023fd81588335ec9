"""Plays a made-up match of about 1,000 announcements on littlefs and prints what it cost the flash.

Prints one line of `name value` pairs. Settings are changed and saved along the way, and the table is
switched off and on twice.
"""

import gc
import sys
import time

from fake_log import FakeLog
from flash import Flash, unmount
from made_up_match import match
from table.journal import Journal


def start(flash):
    flash.mount()
    journal = Journal("/f")
    log = FakeLog(journal.archive)
    journal.open(log)
    return journal, log


def main(rounds, plays):
    flash = Flash(352)
    flash.make()
    journal, log = start(flash)
    while journal.flush():
        pass
    before = flash.erases
    said = 0
    append_us = flush_us = 0
    flushes = 0
    for what, seat, arg in match(rounds, plays, True):
        log.say(what, seat, arg, said * 900)
        began = time.ticks_us()
        journal.append(said * 900, seat, what, arg)
        append_us += time.ticks_diff(time.ticks_us(), began)
        began = time.ticks_us()
        # Once within 100 ms of the announcement, and again while the table waits for the next.
        journal.flush()
        flush_us += time.ticks_diff(time.ticks_us(), began)
        flushes += 1
        journal.flush()
        said += 1
        if said in (400, 800):
            unmount()
            journal, log = start(flash)
    while journal.flush():
        pass
    assert journal.fault is None, journal.fault
    assert journal.durable == said
    unmount()
    flash.mount()
    gc.collect()
    free = gc.mem_free()
    again = Journal("/f")
    again.open(FakeLog(again.archive))
    gc.collect()
    figures = (
        ("announcements", said),
        ("erases", flash.erases - before),
        ("thousandths", (flash.erases - before) * 1000 // said),
        ("programs", flash.programs),
        ("hottest", max(flash.hot)),
        ("heap", free - gc.mem_free()),
        ("append_ns", append_us * 1000 // said),
        ("flush_us", flush_us // flushes),
    )
    print(" ".join(f"{name} {value}" for name, value in figures))


main(int(sys.argv[1]), int(sys.argv[2]))
