"""A line that loses, doubles, delays, cuts and harms lines: everything arrives, in order, once."""

from datetime import datetime

import pytest
from cardrules.announcement import Announcement
from chautari.link import LinkError, NoAnswer, Refused
from chautari.sync import sync
from pair import Pair

PLUS = 35


class MemoryHistory:
    """A history in memory that refuses what no history may be asked to do."""

    def __init__(self):
        self.journals = {}
        self.first = {}
        self.calls = 0
        self.boots = {}
        self.boards = {}

    def in_order(self, board_id, journal_id):
        known = self.journals.get((board_id, journal_id), {})
        number = self.first.get((board_id, journal_id), 1) - 1
        while number + 1 in known:
            number += 1
        return number

    def announcements(self, board_id, journal_id, after=0):
        known = self.journals.get((board_id, journal_id), {})
        return [known[number] for number in sorted(known) if number > after]

    def add_announcements(self, board_id, journal_id, announcements, received_at, first=None):
        self.calls += 1
        assert isinstance(received_at, datetime)
        known = self.journals.setdefault((board_id, journal_id), {})
        for said in announcements:
            assert known.setdefault(said.number, said) == said
        if first is not None:
            self.first[board_id, journal_id] = first
        return self.in_order(board_id, journal_id)

    def met_board(self, board_id, seen_at, hardware):
        return self.boards.setdefault(board_id, hardware) == hardware

    def date_boot(self, board_id, journal_id, boot, started, *, seen_at):
        self.boots[board_id, journal_id, boot] = started

    def numbers(self, journal_id="abcdef01", board_id="0badcafe"):
        return sorted(self.journals.get((board_id, journal_id), {}))


def patiently(work):
    """People try again; each try has an end."""
    for _ in range(60):
        try:
            return work()
        except NoAnswer:
            continue
    raise AssertionError("never came through")


@pytest.mark.parametrize("seed", range(200))
def test_exactly_once(seed):
    level = (5, 15, 30)[seed % 3]
    pair = Pair(seed, drop=level, double=level, delay=level // 2, cut=level // 3, flip=level // 3)
    store = MemoryHistory()
    wanted = 0
    unsure = 0
    for press in range(6):
        pair.app.say(PLUS + 1, press % 6, 0)  # somebody at the table
        pair.run(pair.dice.randrange(200))
        state = patiently(pair.session.ping).state
        before = pair.app.total
        try:
            pair.session.say(state, PLUS, 0, 10)
        except NoAnswer:
            # Whether it was done is not known here; at most once it was, now or when a late line arrives.
            pair.run(2000)
            unsure += 1
            assert pair.app.total - before in (0, 10)
            wanted = pair.app.total
            continue
        wanted += 10
        assert pair.app.total == wanted
    patiently(lambda: pair.session.press("seat2", "down"))
    patiently(lambda: pair.session.press("seat2", "up"))
    outcome = patiently(lambda: sync(pair.session, store, today=pair.today))
    journal = pair.app.journal
    assert store.numbers() == list(range(1, journal.durable + 1))
    assert list(store.journals["0badcafe", "abcdef01"].values()) == journal.said[: journal.durable]
    assert outcome.last == journal.durable == journal.acknowledged and outcome.owner
    assert pair.app.total == wanted
    assert pair.app.total == 10 * sum(said.what == PLUS for said in journal.said)
    ups_and_downs = [down for _, down in pair.app.pressed]
    assert ups_and_downs[:1] == [True] and ups_and_downs[-1:] == [False]
    assert all(one != other for one, other in zip(ups_and_downs, ups_and_downs[1:], strict=False))
    calls = store.calls
    patiently(lambda: sync(pair.session, store, today=pair.today))
    assert store.calls == calls  # nothing new, nothing written
    assert len(pair.link._queue) == 0


def filled(count, **chances):
    pair = Pair(**chances)
    for number in range(count):
        pair.app.say(PLUS + 1, number % 6, number)
    pair.app.journal.flush()
    return pair


def test_sync_brings_everything_and_again_brings_nothing():
    pair = filled(700)
    store = MemoryHistory()
    steps = []
    outcome = sync(pair.session, store, today=pair.today, progress=lambda at, of: steps.append((at, of)))
    assert (outcome.added, outcome.last, outcome.gone, outcome.owner) == (701, 701, (), True)
    assert store.numbers() == list(range(1, 702))
    assert steps[-1] == (701, 701) and steps == sorted(steps)
    assert store.calls == 3
    assert list(store.boots) == [("0badcafe", "abcdef01", 3)]
    outcome = sync(pair.session, store, today=pair.today)
    assert (outcome.added, outcome.last) == (0, 701)


def test_sync_that_is_cut_off_goes_on_where_it_was():
    pair = filled(600)
    store = MemoryHistory()
    seen = []

    def unplug(at, _of):
        seen.append(at)
        if at > 300:
            pair.plugged = False

    with pytest.raises(LinkError):
        sync(pair.session, store, today=pair.today, progress=unplug)
    kept = store.in_order("0badcafe", "abcdef01")
    assert kept > 300 and pair.app.journal.acknowledged == 0
    pair.plugged = True
    outcome = sync(pair.open(host_id="feed0123"), store, today=pair.today)
    assert outcome.added == 601 - kept and store.numbers() == list(range(1, 602))
    assert pair.app.journal.acknowledged == 601


def test_acknowledged_only_after_the_history_has_it():
    pair = filled(20)

    class Broken(MemoryHistory):
        def add_announcements(self, *args, **named):
            raise OSError("disk full")

    with pytest.raises(OSError):
        sync(pair.session, Broken(), today=pair.today)
    assert pair.app.journal.acknowledged == 0


def test_what_the_table_let_go_before_is_named_and_not_waited_for():
    pair = filled(100)
    pair.app.journal.let_go(below=41)
    store = MemoryHistory()
    outcome = sync(pair.session, store, today=pair.today)
    assert outcome.gone == ((1, 40),)
    assert store.numbers() == list(range(41, 102)) and outcome.last == 101
    assert pair.app.journal.acknowledged == 101
    again = sync(pair.session, store, today=pair.today)
    assert (again.added, again.gone) == (0, ())


def test_a_hole_is_asked_for_again_then_named():
    pair = filled(60)
    missing = [said for said in pair.app.journal.said if 20 <= said.number <= 22]
    pair.app.journal.said = [said for said in pair.app.journal.said if said not in missing]
    reads = []
    read = pair.app.journal.read

    def counting(after, limit):
        found = read(after, limit)
        for place in range(1, len(found)):  # as the journal does: no gap inside one answer
            if found[place].number != found[place - 1].number + 1:
                found = found[:place]
                break
        reads.append(after)
        return found

    pair.app.journal.read = counting
    store = MemoryHistory()
    outcome = sync(pair.session, store, today=pair.today)
    assert outcome.gone == ((20, 22),)
    assert reads.count(19) >= 2
    assert store.numbers() == [number for number in range(1, 62) if not 20 <= number <= 22]
    assert outcome.last == 61


def test_a_gap_on_the_way_is_filled_by_asking_again():
    pair = filled(60)
    read = pair.app.journal.read
    tries = []

    def skipping(after, limit):
        found = read(after, limit)
        if after == 16 and not tries:
            tries.append(after)
            return found[3:]
        return found

    pair.app.journal.read = skipping
    store = MemoryHistory()
    assert sync(pair.session, store, today=pair.today).gone == ()
    assert store.numbers() == list(range(1, 62))


def test_a_table_that_gives_the_same_for_ever_ends_the_sync():
    pair = filled(60)
    pair.app.journal.read = lambda after, limit: []
    with pytest.raises(LinkError) as trouble:
        sync(pair.session, MemoryHistory(), today=pair.today)
    assert "\n" not in str(trouble.value)


def test_a_wiped_journal_is_another_journal():
    pair = filled(50)
    store = MemoryHistory()
    sync(pair.session, store, today=pair.today)
    wiped = []

    def wipe(at, _of):
        if not wiped:
            wiped.append(at)
            journal = pair.app.journal
            journal.id, journal.said = "abcdef02", [Announcement(1, 7, 255, 8, 1)]
            journal.first = journal.last = journal.durable = 1
            journal.acknowledged = 0

    for number in range(30):
        pair.app.say(PLUS + 1, 0, number)
    pair.app.journal.flush()
    outcome = sync(pair.session, store, today=pair.today, progress=wipe)
    assert outcome.journals == ("abcdef01", "abcdef02")
    assert store.numbers("abcdef02") == [1]
    assert set(store.numbers("abcdef01")) >= set(range(1, 52))
    assert pair.app.journal.acknowledged == 1


def test_a_board_with_anothers_id_is_noticed():
    pair = filled(5)
    store = MemoryHistory()
    assert not sync(pair.session, store, today=pair.today).copied
    pair.app.board.hardware_id = lambda: b"\x01\x02"
    assert sync(pair.session, store, today=pair.today).copied


def test_a_guest_imports_without_letting_the_table_forget():
    pair = filled(50)
    owner, guest = MemoryHistory(), MemoryHistory()
    sync(pair.session, owner, today=pair.today)
    for number in range(10):
        pair.app.say(PLUS + 1, 0, number)
    pair.app.journal.flush()
    outcome = sync(pair.open(host_id="feed9999"), guest, today=pair.today)
    assert guest.numbers() == list(range(1, 62)) and not outcome.owner
    assert pair.app.journal.acknowledged == 51


def test_a_table_of_another_version_is_imported_and_not_acknowledged():
    pair = filled(50, protocol=(2, 0))
    store = MemoryHistory()
    outcome = sync(pair.session, store, today=pair.today)
    assert store.numbers() == list(range(1, 52)) and not outcome.owner
    assert pair.app.journal.acknowledged == 0


def test_a_late_repeat_of_another_program_is_never_a_new_request():
    pair = Pair()
    first = pair.session
    first.hello()
    lines = []
    carry = pair._harm

    def note(way, line):
        if way == "down":
            lines.append(line)
        carry(way, line)

    pair._harm = note
    first.press("seat1", "tap")
    second = pair.open(host_id="feed0002")
    second.hello()
    second.press("seat2", "tap")
    pair.run(200)
    pressed = list(pair.app.pressed)
    for line in lines * 3:
        pair.link.received(line)
        pair.run(5)
    pair.run(200)
    assert pair.app.pressed == pressed
    with pytest.raises(Refused):
        second.press("nothing")


def gone_back(further, boot=False, **chances):
    """Return a pair whose table went back from 41 to 21 and said `further` since, and its history."""
    pair = filled(40)
    store = MemoryHistory()
    sync(pair.session, store, today=pair.today)
    pair.app.journal.go_back(21)
    pair.restart()
    for number in range(further):
        pair.run(7)
        if boot and number == 19:
            pair.app.journal.said.append(store.journals["0badcafe", "abcdef01"][41])
            pair.app.journal.last += 1
        else:
            pair.app.say(PLUS + 2, 3, number)
    pair.app.journal.flush()
    pair.chances = tuple(chances.items())
    return pair, store


def check_both_lines(pair, store, before):
    """The history has what was before, untouched, and all of the table's present journal, each once."""
    journal = pair.app.journal
    assert journal.id != "abcdef01"
    assert store.journals["0badcafe", "abcdef01"] == before
    assert list(store.journals["0badcafe", journal.id].values()) == journal.said
    assert journal.acknowledged == journal.durable == journal.last


@pytest.mark.parametrize("further", [0, 1, 19, 20, 60], ids=lambda further: f"{further}_more")
def test_a_journal_that_went_back_is_fetched_as_another(further):
    pair, store = gone_back(further)
    before = dict(store.journals["0badcafe", "abcdef01"])
    outcome = sync(pair.session, store, today=pair.today)
    assert outcome.back and outcome.owner and outcome.gone == ()
    assert outcome.journals == ("abcdef01", "abcdef02")
    assert outcome.added == outcome.last == pair.app.journal.last
    check_both_lines(pair, store, before)
    again = sync(pair.session, store, today=pair.today)
    assert (again.added, again.back, again.journals) == (0, False, ("abcdef02",))


def test_one_announcement_that_is_the_same_by_chance_hides_nothing():
    pair, store = gone_back(30, boot=True)
    before = dict(store.journals["0badcafe", "abcdef01"])
    assert pair.app.journal.said[40] == before[41]
    assert sync(pair.session, store, today=pair.today).back
    check_both_lines(pair, store, before)


@pytest.mark.parametrize("further", [3, 40], ids=["behind", "overtaken"])
@pytest.mark.parametrize("seed", range(12))
def test_a_journal_that_went_back_over_a_lossy_line(further, seed):
    pair, store = gone_back(further, drop=25, double=25, delay=12, cut=8, flip=8)
    pair.dice.seed(seed)
    before = dict(store.journals["0badcafe", "abcdef01"])
    patiently(lambda: sync(pair.session, store, today=pair.today))
    check_both_lines(pair, store, before)
    assert patiently(lambda: sync(pair.session, store, today=pair.today)).added == 0


def test_presses_that_still_wait_in_ram_are_not_lost_by_renewing():
    pair, store = gone_back(3)
    pair.session.hello()
    pair.app.say(PLUS + 1, 4, 77)
    assert pair.app.journal.durable < pair.app.journal.last
    sync(pair.session, store, today=pair.today)
    new = store.journals["0badcafe", "abcdef02"]
    assert new[max(new)].arg == 77


def test_another_program_that_renewed_first_is_no_trouble():
    pair, store = gone_back(3)
    before = dict(store.journals["0badcafe", "abcdef01"])
    ask = pair.session.renew

    def late(journal_id):
        pair.app.journal.renew()
        return ask(journal_id)

    pair.session.renew = late
    outcome = sync(pair.session, store, today=pair.today)
    assert outcome.back and pair.app.journal.id == "abcdef02"
    check_both_lines(pair, store, before)


def test_a_flash_that_takes_nothing_keeps_its_id_and_the_history_its_line():
    pair, store = gone_back(3)
    pair.app.journal.stuck = True
    pair.app.say(PLUS + 1, 4, 77)
    before = dict(store.journals["0badcafe", "abcdef01"])
    with pytest.raises(Refused) as no:
        sync(pair.session, store, today=pair.today)
    assert no.value.code == "failed"
    assert list(store.journals) == [("0badcafe", "abcdef01")]
    assert store.journals["0badcafe", "abcdef01"] == before
