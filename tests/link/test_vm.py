"""The board's own code in the board's VM, over a real (pseudo) serial line."""

import os
import random

import pytest
from chautari.link import Refused, Session
from chautari.sync import sync
from chautari.transport import SerialTransport
from tablelink import frames
from test_lossy import MemoryHistory
from test_pair import GARBAGE
from vm_host import VmTable


@pytest.fixture
def table():
    with VmTable() as running:
        yield running


@pytest.fixture
def session(table):
    with Session(SerialTransport(table.port), host_id="feed0123") as opened:
        yield opened


def test_hello_from_the_vm(session):
    hello = session.hello()
    assert (hello.major, hello.board_id, hello.seats, hello.boots) == (1, "0badcafe", 6, 3)
    while not hello.engine:  # it is read bit by bit after the start
        hello = session.hello()
    assert len(hello.engine) == 8


def test_say_press_settings_news_and_sync(table, session):
    session.hello()
    state = session.ping().state
    assert session.say(state, 35, 0, 10) == (state + 1, state + 1)
    with pytest.raises(Refused) as no:
        session.say(state, 35, 0, 10)
    assert no.value.code == "stale"
    assert session.status() == [state + 1, "lobby", 10]
    session.press("5")
    table.wait_for("press 5 0")
    while session.ping().safe < state + 2:
        pass
    names = ["अनु", "👍🏻👨‍👩‍👧", "李", "A;B", 'C,"D"', "line\nbreak ~*" * 9]
    session.set("names", names)
    assert session.settings()["names"] == names
    session.press("7")
    table.wait_for("press 7 0")
    news = session.wait(2)
    while news is None or news.last < state + 102:
        news = session.wait(2)
    store = MemoryHistory()
    outcome = sync(session, store)
    assert outcome.owner and store.numbers() == list(range(1, state + 103))
    assert sync(session, store).added == 0
    assert session.settings()["owner"] == "feed0123"


def test_garbage_first_in_any_pieces_then_hello(table):
    dice = random.Random(1)
    stream = b"".join(GARBAGE * 3)
    fd = os.open(table.port, os.O_RDWR | os.O_NOCTTY)
    while stream:
        size = dice.choice([1, 63, 64, 65, 128])
        os.write(fd, stream[:size])
        stream = stream[size:]
    os.close(fd)
    with Session(SerialTransport(table.port)) as session:
        assert session.hello().last == 1
        counts = session.board_counters()
        assert counts["too_long"] == 3 and counts["not_a_frame"] >= 10
        assert not [line for line in table.told if line.startswith("press")]


def test_requests_of_whole_buffers_are_read(session):
    """A line of exactly 64, 128 or 192 bytes is answered like any other."""
    for length in (63, 64, 65, 127, 128, 129, 191, 192, 193, 239, 240):
        key = ""
        while True:
            line = frames.encode(session._number + 1, "get", [session._nonce, key])
            if len(line) >= length:
                break
            key += "k"
        if session.greeting is None:
            session.hello()
            continue
        with pytest.raises(Refused) as no:
            session.get(key)
        assert no.value.code == "unknown_setting"
    assert session.sent_again == 0


def test_a_reader_that_stops_never_stops_the_table(table):
    """The line fills up; the table's tasks go on and it answers again when somebody reads.

    Every second number: a program that reads no answers says so.
    """
    session = Session(SerialTransport(table.port, write_seconds=1))
    session.hello()
    table.carry_up = False
    for number in range(50, 1250, 2):
        session.transport.write(frames.encode(number, "settings", [session._nonce, 0]))
    session.transport.write(frames.encode(1300, "press", [session._nonce, "5", "down", None]))
    table.wait_for("press 5 1")  # carried out although not one answer was read
    table.carry_up = True
    session._number = 2000
    counts = session.board_counters()
    assert counts["good"] >= 600 and counts["dropped"] > 0
    session.close()
    assert b"\x00" not in table.raw_up


@pytest.mark.parametrize("kind", ["console", "reset"])
def test_the_program_ends_when_asked_in_play_too(table, session, kind):
    session.hello()
    session.press("6")
    while not session.hello().in_play:
        pass
    session.request(kind)
    assert table.wait_for("left") == "left " + kind
    assert table.program.wait(10) == 0
