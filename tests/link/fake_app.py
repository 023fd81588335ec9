"""A table's application with nothing behind it, for the link alone. Runs on both interpreters.

What is said is kept in a list; it is "in flash" after flush(). Setting names are few, control presses
are written down.
"""

from cardrules.announcement import BOOT, Announcement
from tablelink.fingerprint import fingerprint


class FakeBoard:
    def __init__(self, ticks_ms, ticks_diff=None):
        self.name = "fake"
        self.faults = []
        self.seats = [None] * 6
        self.ticks_ms = ticks_ms
        self.ticks_diff = ticks_diff or (lambda later, earlier: later - earlier)
        self.was_reset = 0
        self.interrupt = None

    def hardware_id(self):
        return b"\xe6\x60\x58\x38\x83\x12\x34\x56"

    def reset(self):
        self.was_reset += 1

    def interrupt_char(self, char):
        self.interrupt = char


class FakeJournal:
    def __init__(self, journal_id="abcdef01"):
        self.id = journal_id
        self.boots = 3
        self.first = 0
        self.last = 0
        self.durable = 0
        self.fault = None
        self.said = []
        self.acknowledged = 0
        self.stuck = False  # flash does not take anything

    def append(self, ms, seat, what, arg):
        self.last += 1
        self.said.append(Announcement(self.last, ms, seat, what, arg))
        if not self.first:
            self.first = 1
        return self.last

    def flush(self):
        if not self.stuck:
            self.durable = self.last

    def read(self, after, limit):
        found = []
        for one in self.said:
            if after < one.number <= self.durable and len(found) < limit:
                found.append(one)
        return found

    def acknowledge(self, number):
        self.acknowledged = number

    def go_back(self, last):
        """As a flash of an earlier day: what came after is gone, the id is the same."""
        self.said = self.said[:last]
        self.last = self.durable = last

    def renew(self):
        self.flush()
        if self.durable != self.last:
            return False
        self.id = "%08x" % (int(self.id, 16) + 1)
        kept = self.said[len(self.said) // 2 :]  # numbered anew, as a match in play is
        self.said = [Announcement(at + 1, *kept[at][1:]) for at in range(len(kept))]
        self.last = self.durable = len(kept)
        self.first = 1
        return True

    def let_go(self, below):
        self.said = [one for one in self.said if one.number >= below]
        self.first = self.said[0].number if self.said else 0


class FakeSettings:
    def __init__(self):
        self.fault = None
        self.values = {"board_id": "0badcafe", "owner": "", "sound": 2, "names": [""] * 6}
        self.changes = 0

    def get(self, key):
        return self.values[key]

    def set(self, key, value):
        if key not in self.values:
            return ("unknown_setting",)
        if key == "sound" and (not isinstance(value, int) or not 0 <= value <= 2):
            return ("setting_value", 0, 2)
        self.values[key] = value
        self.changes += 1
        return None

    def items(self):
        return sorted(self.values.items())

    def fingerprint(self):
        return fingerprint(self.items())


class FakeApp:
    """say() counts up: `what` 35 adds arg to total."""

    def __init__(self, ticks_ms, ticks_diff=None):
        self.board = FakeBoard(ticks_ms, ticks_diff)
        self.journal = FakeJournal()
        self.settings = FakeSettings()
        self.playing = False
        self.total = 0
        self.pressed = []
        self.born = ticks_ms()
        self.journal.append(0, 255, BOOT, 3)
        self.journal.flush()

    def uptime_ms(self):
        return self.board.ticks_diff(self.board.ticks_ms(), self.born)

    def in_play(self):
        return self.playing

    def status(self):
        return ("play" if self.playing else "lobby", self.total)

    def say(self, what, seat, arg):
        if what == 99:
            return ("not_your_turn", 2)
        if what == 98:
            raise RuntimeError("a fault in the application")
        if what == 35:
            self.total += arg
        self.journal.append(self.uptime_ms(), seat, what, arg)
        return None

    def set(self, key, value):
        return self.settings.set(key, value)

    def remote(self, control, down):
        self.pressed.append((control, down))
