"""Plays on a flash that is full, then makes room; prints what was true at each step as `name value` lines."""

import os

from cardrules.announcement import CLOSE, GAME, UNDO
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


def play(journal, log, announcements):
    for what, seat, arg in announcements:
        log.say(what, seat, arg, 5)
        journal.append(5, seat, what, arg)
        journal.flush()
        journal.flush()


def fill():
    """Write until nothing fits any more, then small pieces into what is left."""
    number = 0
    for size in (4096, 400, 100):
        while True:
            name = f"/f/ballast/{number}"
            number += 1
            try:
                with open(name, "wb") as file:
                    file.write(b"x" * size)
            except OSError:
                if name[len("/f/ballast/") :] in os.listdir("/f/ballast"):
                    os.remove(name)
                break


def report(name, value):
    print(name, value)


def main():
    flash = Flash(60)
    flash.make()
    flash.mount()
    os.mkdir("/f/ballast")
    unmount()

    # Old matches that the owner PC has, then no room: they are let go, and nothing of this match.
    journal, log = start(flash)
    for _ in range(2):
        play(journal, log, match(4, 70))
    acknowledged = journal.last
    journal.acknowledge(acknowledged)
    play(journal, log, match(1, 20))
    while journal.flush():
        pass
    fill()
    report("before_first", journal.first)
    play(journal, log, [(40, 1, n) for n in range(400)])
    for _ in range(400):
        journal.flush()
    report("room_made_first", journal.first > 1)
    report("room_made_kept", journal.first <= acknowledged + 1)
    report("room_made_durable", journal.durable == journal.last)
    last = journal.last
    unmount()

    # Nothing left to let go: play goes on, the fault says why, the state at the cut is one that was.
    journal, log = start(flash)
    report("reopened_last", journal.last == last)
    fill()
    states = {journal.last: log.checkpoint()}
    for n in range(900):
        play(journal, log, [(33, 2, n)])
        if n % 200 == 199:
            play(journal, log, [(CLOSE, 255, n), (UNDO, 255, 0), (40, 1, 1), (CLOSE, 255, n)])
        states[journal.last] = log.checkpoint()
        if n % 90 == 0:
            fill()
    report("full_fault", journal.fault)
    report("full_waiting", journal.last - journal.durable > 128)
    before = journal.last
    unmount()
    full = bytes(flash.data)
    cut, log_cut = start(Flash(60, full))
    report("cut_state", log_cut.checkpoint() == states.get(cut.last))
    unmount()

    # Somebody makes room: everything that still waits is written, and the state whatever it hung on.
    flash.mount()
    for name in os.listdir("/f/ballast"):
        os.remove("/f/ballast/" + name)
    for _ in range(100):
        journal.flush()
    while journal.flush():
        pass
    report("after_fault", journal.fault)
    report("after_durable", journal.durable == journal.last == before)
    play(journal, log, [(34, 3, 1)] * 20)
    state = log.checkpoint()
    journal_id = journal.id
    unmount()
    journal, log = start(flash)
    report("again_state", log.checkpoint() == state)
    report("again_last", journal.last == before + 20)
    report("again_id", journal.id == journal_id)
    found = journal.read(journal.last - 30, 100)
    report("again_read", len(found) == 30 and found[-1].what == 34)
    unmount()

    # First boot on a full flash.
    flash = Flash(16)
    flash.make()
    flash.mount()
    os.mkdir("/f/ballast")
    fill()
    unmount()
    journal, log = start(flash)
    report("first_fault", journal.fault)
    play(journal, log, [(GAME, 255, 1)] + [(40, 1, 1)] * 200)
    report("first_last", journal.last == 201)
    for name in os.listdir("/f/ballast"):
        os.remove("/f/ballast/" + name)
    for _ in range(100):
        journal.flush()
    report("first_after", journal.fault)
    report("first_durable", journal.durable == 201)


main()
