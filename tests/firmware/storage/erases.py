"""Plays about 1,000 announcements on littlefs and prints what it cost the flash, as `name value` pairs.

Arguments: a seed for real matches of Last Card, or 0, rounds and plays in a round for a made-up one.
Settings are changed and saved along the way, and the table is switched off and on twice.
"""

import gc
import sys
import time

from cardrules.announcement import BOOT
from cardrules.log import Log
from fake_log import FakeLog
from flash import Flash, unmount
from made_up_match import match
from real_match import Chooser
from table.journal import Journal
from table.settings import Settings


def start(flash, make_log):
    flash.mount()
    journal = Journal("/f")
    log = make_log(journal.archive)
    journal.open(log)
    return journal, log, Settings("/f")


def main(seed, rounds, plays):
    flash = Flash(352)
    flash.make()
    make_log = Log if seed else FakeLog
    journal, log, settings = start(flash, make_log)
    while journal.flush():
        pass
    before = flash.erases
    said = 0
    append_us = flush_us = 0
    flushes = 0
    worst = worst_calm = 0
    chooser = Chooser(seed, 4)
    made_up = list(match(rounds, plays, True))
    for step in range(1000 if seed else len(made_up)):
        what, seat, arg = chooser.next(log) if seed else made_up[step]
        reason, _ = log.say(what, seat, arg, said * 900)
        assert reason is None
        began = time.ticks_us()
        journal.append(said * 900, seat, what, arg)
        append_us += time.ticks_diff(time.ticks_us(), began)
        erased = flash.erases
        began = time.ticks_us()
        # Once within 100 ms of the announcement, and again while the table waits for the next.
        journal.flush()
        flush_us += time.ticks_diff(time.ticks_us(), began)
        flushes += 1
        worst = max(worst, flash.erases - erased)
        erased = flash.erases
        journal.flush()
        worst_calm = max(worst_calm, flash.erases - erased)
        said += 1
        if said % 100 == 50:
            settings.set("brightness", said // 100 + 1)
            settings.set("names", ["Anu " + str(said), "Bo", "Chandra", "", "", ""])
            assert settings.save_now()
        if said in (400, 800):
            unmount()
            journal, log, settings = start(flash, make_log)
            log.say(BOOT, 255, journal.boots, 0)
            journal.append(0, 255, BOOT, journal.boots)
            said += 1
    while journal.flush():
        pass
    assert journal.fault is None, journal.fault
    assert journal.durable == said
    unmount()
    flash.mount()
    del journal
    gc.collect()
    free = gc.mem_free()
    again = Journal("/f")
    again.open(log)
    gc.collect()
    figures = (
        ("announcements", said),
        ("erases", flash.erases - before),
        ("thousandths", (flash.erases - before) * 1000 // said),
        ("worst", worst),
        ("worst_calm", worst_calm),
        ("programs", flash.programs),
        ("hottest", max(flash.hot)),
        ("heap", free - gc.mem_free()),
        ("append_ns", append_us * 1000 // said),
        ("flush_us", flush_us // flushes),
    )
    print(" ".join(f"{name} {value}" for name, value in figures))


main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
