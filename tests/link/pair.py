"""Both ends in one process, on a hand-driven clock, over a line that does what it is told to."""

import random
from datetime import UTC, datetime, timedelta

from chautari.link import Session
from chautari.transport import Lost
from fake_app import FakeApp
from table.link import Link

PERIOD = 2**30  # of a Pico's ticks
START = datetime(2026, 1, 1, tzinfo=UTC)


def _difference(later, earlier):
    return (later - earlier + PERIOD // 2) % PERIOD - PERIOD // 2


class Pair:
    """app, link: the table's end; session: the PC's.

    A line is lost, doubled, held back, cut or has a bit flipped with the given chances in percent.
    """

    def __init__(
        self, seed=0, drop=0, double=0, delay=0, cut=0, flip=0, host_id="feed0123", ms=5000, **session
    ):
        self.dice = random.Random(seed)
        self.chances = (("drop", drop), ("double", double), ("delay", delay), ("cut", cut), ("flip", flip))
        self.ms = ms
        self.flows = {"up": [], "down": []}  # (due ms, bytes), to the PC and to the table
        self.plugged = True
        self.reading = True  # the PC's port takes what the table writes
        self.app = FakeApp(lambda: self.ms % PERIOD, _difference)
        self.link = Link(self.app, None, self._table_writes)
        self.on_the_way = 0
        self.sent = {"up": b"", "down": b""}
        self.every = []  # called once a millisecond step
        self.session = self.open(host_id=host_id, **session)

    def open(self, **session):
        opened = Session(_Line(self), clock=lambda: self.ms / 1000, today=self.today, **session)
        self.on_the_way = 0  # a port that is opened anew starts empty
        opened._nonce = f"{self.dice.getrandbits(32):08x}"  # so that a seed always gives the same evening
        return opened

    def today(self):
        return START + timedelta(milliseconds=self.ms)

    def restart(self):
        """The table starts anew: its end of the link forgets all, its flash does not."""
        self.link = Link(self.app, None, self._table_writes)
        self.app.born = self.ms % PERIOD
        self.app.journal.boots += 1

    def _table_writes(self, data, sure):
        if not self.reading:
            return 0
        if sure:
            self.on_the_way += len(data)
            assert self.on_the_way <= 256  # a Pico's buffer would be full and the table would wait
        self._carry("up", data)
        return len(data)

    def _carry(self, way, data):
        """Lines are harmed as wholes; the table writes them in pieces."""
        self.sent[way] += data
        while b"\n" in self.sent[way]:
            line, _, self.sent[way] = self.sent[way].partition(b"\n")
            self._harm(way, line + b"\n")

    def _harm(self, way, line):
        due = self.ms + 1
        copies = 1
        for name, chance in self.chances:
            if self.dice.randrange(100) >= chance:
                continue
            if name == "drop":
                return
            if name == "double":
                copies = 2
            if name == "delay":
                due += self.dice.randrange(1500)
            if name == "cut":
                line = line[: self.dice.randrange(len(line))]
            if name == "flip" and line:
                place = self.dice.randrange(len(line))
                line = line[:place] + bytes([line[place] ^ 1 << self.dice.randrange(8)]) + line[place + 1 :]
        for _ in range(copies):
            self.flows[way].append((due, line))
            due += self.dice.randrange(3)

    def due(self, way):
        """Take what has arrived by now."""
        if way == "up":
            self.on_the_way = 0
        now = [line for at, line in self.flows[way] if at <= self.ms]
        self.flows[way] = [(at, line) for at, line in self.flows[way] if at > self.ms]
        return b"".join(now)

    def step(self):
        """Let one millisecond pass at the table."""
        self.ms += 1
        data = self.due("down")
        if data:
            self.link.received(data)
        if self.ms % 20 == 0:
            self.link.tick()
        if self.ms % 50 == 0:
            self.app.journal.flush()
        self.link.pump()
        for call in self.every:
            call()

    def run(self, ms):
        for _ in range(ms):
            self.step()


class _Line:
    name = "test line"

    def __init__(self, pair):
        self.pair = pair

    def read(self, timeout):
        pair = self.pair
        end = pair.ms + max(1, round(timeout * 1000))
        while pair.ms < end:
            pair.step()
            if not pair.plugged:
                raise Lost("unplugged")
            data = pair.due("up")
            if data:
                return data
        return b""

    def write(self, data):
        if not self.pair.plugged:
            raise Lost("unplugged")
        self.pair._carry("down", data)

    def close(self):
        pass
