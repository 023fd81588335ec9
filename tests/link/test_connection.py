"""A table that is unplugged, comes back, perhaps under another name: one line each, nothing lost."""

import pytest
from chautari.link import Connection, Lost, Refused
from chautari.sync import sync
from pair import Pair
from test_lossy import MemoryHistory

PLUS = 35


class Cable:
    """A Pair that can be pulled and put back; told: lines that people saw."""

    def __init__(self):
        self.pair = Pair(host_id="feed0123")
        self.pair.session.hello()
        self.told = []
        self.tries = []
        self.name = "COM3"
        self.connection = Connection(
            self.pair.session,
            self.reopen,
            self.told.append,
            clock=lambda: self.pair.ms / 1000,
            sleep=lambda seconds: self.pair.run(round(seconds * 1000)),
        )

    def reopen(self, board_id, last):
        assert board_id == "0badcafe"
        self.tries.append((self.pair.ms, last))
        if not self.pair.plugged:
            raise Lost("not there")
        session = self.pair.open(host_id="feed0123")
        session.transport.name = self.name
        session.hello()
        return session


def test_unplugged_for_half_a_minute_and_back_under_another_name():
    cable = Cable()
    pair, connection = cable.pair, cable.connection
    state = connection.run(lambda session: session.say(1, PLUS, 0, 10))
    assert state == (2, 2)
    pair.plugged = False
    for _ in range(30):
        assert connection.run(lambda session: session.ping()) is None
        pair.app.say(PLUS, 1, 1) if pair.ms % 7 == 0 else None
        pair.run(1000)
    assert len(cable.told) == 1 and cable.told[0].startswith("Device lost")
    waits = [later - earlier for (earlier, _), (later, _) in zip(cable.tries, cable.tries[1:], strict=False)]
    assert waits == sorted(waits) and waits[-1] >= 8000 and len(cable.tries) < 10  # backs off
    pair.plugged = True
    cable.name = "COM7"
    assert connection.wait_back(20)
    assert cable.told[1:] == ["Device back on COM7."]
    assert connection.session.name == "COM7"
    store = MemoryHistory()
    outcome = connection.run(lambda session: sync(session, store, today=pair.today))
    assert outcome.last == pair.app.journal.durable
    assert pair.app.total >= 10 and len(cable.told) == 2


def test_the_next_loss_is_told_again_and_tries_the_new_name_first():
    cable = Cable()
    cable.pair.plugged = False
    cable.connection.run(lambda session: session.ping())
    cable.pair.plugged = True
    cable.name = "COM7"
    assert cable.connection.wait_back(5)
    cable.pair.plugged = False
    cable.connection.run(lambda session: session.ping())
    assert not cable.connection.wait_back(3)
    assert cable.tries[-1][1] == "COM7"
    assert [line.split(" on ")[0] for line in cable.told[:2]] == ["Device lost: unplugged", "Device back"]
    assert len(cable.told) == 3


def test_a_table_that_does_not_answer_counts_as_lost():
    cable = Cable()
    cable.pair._harm = lambda way, line: None
    assert cable.connection.run(lambda session: session.ping()) is None
    assert len(cable.told) == 1 and "does not answer" in cable.told[0]


def test_refusals_are_not_losses():
    cable = Cable()
    with pytest.raises(Refused):
        cable.connection.run(lambda session: session.press("E"))
    assert cable.told == []


def test_waiting_has_an_end():
    cable = Cable()
    cable.pair.plugged = False
    cable.connection.run(lambda session: session.ping())
    began = cable.pair.ms
    assert not cable.connection.wait_back(5)
    assert 5000 <= cable.pair.ms - began <= 5100


def test_closing_says_nothing():
    cable = Cable()
    cable.connection.close()
    cable.connection.close()
    assert cable.told == []
    cable.pair.plugged = False
    assert cable.connection.run(lambda session: session.ping()) is None
    assert cable.told == []
