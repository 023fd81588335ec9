"""Records every operation of a session on a flash chip, then cuts the power at each of them.

Arguments: every (try each n-th operation), offset, seed (a real match of that seed; 0: a made-up one).
Prints one line per failure and last a line `cuts <n> bad <n> operations <n> records <n>`.
"""

import sys

from cardrules.announcement import BOOT, UNDO
from cardrules.log import Log
from fake_log import FakeLog
from flash import Flash, play, unmount
from made_up_match import match
from real_match import Chooser
from table.journal import Journal

BLOCKS = 40


class Session:
    """Plays, and keeps what the table's state was after each announcement."""

    def __init__(self, flash, make_log):
        self.flash = flash
        self.make_log = make_log
        self.states = []  # after number n: states[n]
        self.said = [None]  # announcement n
        self.marks = []  # (operations done, durable number) after each flush

    def start(self):
        self.flash.mount()
        self.journal = Journal("/f")
        self.log = self.make_log(self.journal.archive)
        self.journal.open(self.log)
        if not self.states:
            self.states.append(self.log.checkpoint())
        self.mark()
        self.say(BOOT, 255, self.journal.boots)

    def mark(self):
        self.marks.append((len(self.flash.operations), self.journal.durable))

    def say(self, what, seat, arg):
        ms = len(self.said) * 700
        reason, _ = self.log.say(what, seat, arg, ms)
        assert reason is None
        number = self.journal.append(ms, seat, what, arg)
        assert number == len(self.said)
        self.said.append((number, ms, seat, what, arg))
        self.states.append(self.log.checkpoint())

    def flush(self):
        self.journal.flush()
        self.mark()


def record(seed):
    flash = Flash(BLOCKS)
    flash.make()
    image = bytes(flash.data)
    flash.operations = []
    session = Session(flash, Log if seed else FakeLog)
    session.start()
    chooser = Chooser(seed, 2 + seed % 3, 8)
    made_up = list(match(5, 22, True)) + list(match(2, 30, True))
    for step in range(300 if seed else len(made_up)):
        what, seat, arg = chooser.next(session.log) if seed else made_up[step]
        session.say(what, seat, arg)
        if step % 5:  # now and then two announcements wait for one flush
            session.flush()
        if step % 3 == 0:
            session.flush()
        if step in (60, 61, 130):
            while session.journal.flush():
                pass
            session.mark()
            unmount()
            session.start()
    while session.journal.flush():
        session.mark()
    session.mark()
    unmount()
    return image, flash.operations, session


def look(data, session, durable, where):
    """Open what the cut left; return what is wrong, or None."""
    flash = Flash(BLOCKS, data)
    flash.mount()
    journal = Journal("/f")
    log = session.make_log(journal.archive)
    journal.open(log)
    wrong = None
    if journal.fault is not None:
        wrong = "fault " + journal.fault
    elif journal.last < durable:
        wrong = f"lost: last {journal.last}, durable was {durable}"
    elif log.checkpoint() != session.states[journal.last]:
        wrong = f"another state at {journal.last}"
    else:
        number = 0
        while number < journal.last:
            found = journal.read(number, 50)
            if not found or found[0].number != number + 1:
                wrong = f"gap after {number}"
                break
            for announcement in found:
                if tuple(announcement) != session.said[announcement.number]:
                    wrong = f"wrong record {announcement.number}"
            number = found[-1].number
        if number != journal.durable:
            wrong = f"read up to {number} of {journal.durable}"
    if wrong is None and session.make_log is Log and where[0] % 37 == 0 and not where[1]:
        wrong = undo_all(log, session, journal)
    if wrong is None:
        # Play goes on.
        before = journal.last
        log.say(BOOT, 255, 9, 1)
        journal.append(1, 255, BOOT, 9)
        while journal.flush():
            pass
        state = log.checkpoint()
        unmount()
        flash.mount()
        journal = Journal("/f")
        log = session.make_log(journal.archive)
        journal.open(log)
        if journal.last != before + 1 or log.checkpoint() != state or journal.fault is not None:
            wrong = f"after going on: last {journal.last} of {before + 1}, {journal.fault}"
    unmount()
    if wrong is not None:
        print("cut at", where, wrong)
    return wrong


def undo_all(log, session, journal):
    """Undo as far as it goes, beside a log that never lost its power; return what differs, or None."""
    other = Log()
    for _, ms, seat, what, arg in session.said[1 : journal.last + 1]:
        other.say(what, seat, arg, ms)
    for count in range(400):
        reason, _ = log.say(UNDO, 255, 0, 1)
        if other.say(UNDO, 255, 0, 1)[0] != reason:
            return f"undo {count} answers {reason}"
        if log.checkpoint() != other.checkpoint():
            return f"undo {count} leads elsewhere"
        if reason is not None:
            return None
        journal.append(1, 255, UNDO, 0)
        journal.flush()
        journal.flush()
    return "undo without end"


def main(every, offset, seed):
    image, operations, session = record(seed)
    data = bytearray(image)
    cuts = bad = mark = durable = 0
    for number in range(len(operations) + 1):
        while mark < len(session.marks) and session.marks[mark][0] <= number:
            durable = session.marks[mark][1]
            mark += 1
        if number % every == offset % every or number == len(operations):
            cuts += 1
            bad += look(data, session, durable, (number, 0)) is not None
            if number < len(operations):
                for torn in (1, 2):
                    half = bytearray(data)
                    play(half, operations[number], torn)
                    cuts += 1
                    bad += look(half, session, durable, (number, torn)) is not None
        if number < len(operations):
            play(data, operations[number], 0)
    print("cuts", cuts, "bad", bad, "operations", len(operations), "records", len(session.said) - 1)


main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
