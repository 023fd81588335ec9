"""The journal on the PC's file system: what is written comes back, and damage never gives wrong data."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for room in ("firmware", "tests/firmware/storage"):
    if str(ROOT / room) not in sys.path:
        sys.path.insert(0, str(ROOT / room))

from cardrules.announcement import BOOT, CLOSE, GAME, UNDO  # noqa: E402
from cardrules.log import Log, MemoryArchive  # noqa: E402
from cardrules.prng import Prng  # noqa: E402
from fake_log import FakeLog  # noqa: E402
from made_up_match import match  # noqa: E402
from real_match import Chooser  # noqa: E402
from table.journal import CHECKPOINT_EVERY, FAULTS, RING, Journal  # noqa: E402


class Table:
    """A journal and its log, with what was said and what the state was after each announcement."""

    def __init__(self, root, **options):
        self.root = str(root)
        self.options = options
        self.said = [None]
        self.states = []
        self.start()

    def start(self):
        self.journal = Journal(self.root, **self.options)
        self.log = FakeLog(self.journal.archive)
        self.journal.open(self.log)
        if not self.states:
            self.states.append(self.log.checkpoint())
        return self.journal

    def say(self, what, seat=255, arg=0):
        ms = len(self.said) * 500
        reason, _ = self.log.say(what, seat, arg, ms)
        assert reason is None
        number = self.journal.append(ms, seat, what, arg)
        assert number == len(self.said)
        self.said.append((number, ms, seat, what, arg))
        self.states.append(self.log.checkpoint())

    def play(self, announcements, settle=True):
        for what, seat, arg in announcements:
            self.say(what, seat, arg)
            self.journal.flush()  # within 100 ms
            if settle:
                self.journal.flush()  # while the table waits for the next
        if settle:
            self.settle()

    def settle(self):
        while self.journal.flush():
            pass


def all_records(journal, limit=7):
    found = []
    after = 0
    while True:
        part = journal.read(after, limit)
        if not part:
            return found
        assert len(part) <= limit
        assert [a.number for a in part] == list(range(part[0].number, part[0].number + len(part)))
        found += [tuple(a) for a in part]
        after = part[-1].number


def files(root):
    return sorted(path for path in Path(root).rglob("*") if path.is_file())


def test_first_boot_makes_an_id_and_nothing_else_to_read(tmp_path):
    journal = Table(tmp_path).journal
    assert len(journal.id) == 8 and int(journal.id, 16) >= 0
    assert (journal.first, journal.last, journal.durable, journal.boots) == (0, 0, 0, 1)
    assert journal.fault is None
    assert journal.read(0, 10) == []


def test_two_tables_have_two_ids(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert Table(tmp_path / "a").journal.id != Table(tmp_path / "b").journal.id


def test_append_is_not_shown_before_it_is_durable(tmp_path):
    table = Table(tmp_path)
    table.say(GAME, 255, 1)
    assert (table.journal.last, table.journal.durable) == (1, 0)
    assert table.journal.read(0, 10) == []
    table.journal.flush()
    assert table.journal.durable == 1
    assert [tuple(a) for a in table.journal.read(0, 10)] == table.said[1:]


def test_everything_comes_back_after_any_number_of_boots(tmp_path):
    table = Table(tmp_path)
    table.play(match(4, 40, True))
    before = (table.journal.id, table.journal.last, table.log.checkpoint())
    for boot in range(2, 5):
        journal = table.start()
        assert (journal.id, journal.last, table.log.checkpoint()) == before
        assert journal.fault is None
        assert journal.boots == boot
        assert all_records(journal) == table.said[1:]


def test_boot_records_aside_three_boots_leave_the_state_as_it_was(tmp_path):
    table = Table(tmp_path)
    table.play(list(match(2, 30))[:-11])
    state = table.log.checkpoint()
    for _ in range(3):
        table.start()
        table.say(BOOT, 255, table.journal.boots)
        table.settle()
        assert table.log.checkpoint() == state
    assert [a[4] for a in table.said[-3:]] == [2, 3, 4]


def test_boot_count_survives_damaged_heads(tmp_path):
    table = Table(tmp_path)
    for _ in range(4):
        table.say(BOOT, 255, table.journal.boots)
        table.settle()
        table.start()
    journal_id = table.journal.id
    for slot in ("h0", "h1"):
        (tmp_path / "journal" / slot).write_bytes(b"")
    journal = table.start()
    assert journal.id == journal_id
    assert journal.boots == 5
    assert journal.last == 4


def test_reading_is_by_number(tmp_path):
    table = Table(tmp_path)
    table.play(match(6, 60))
    last = table.journal.last
    table.start()
    for after in (0, 1, 7, 8, 9, 255, 256, 257, last - 9, last - 1, last, last + 5):
        for limit in (0, 1, 8, 33, 1000):
            found = [tuple(a) for a in table.journal.read(after, limit)]
            assert found == table.said[1:][after : after + limit]


def test_the_latest_are_read_without_opening_a_file(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.play(match(3, 40))
    last = table.journal.last
    monkeypatch.setattr("builtins.open", None)
    assert [tuple(a) for a in table.journal.read(last - 20, 20)] == table.said[-20:]


def test_a_flush_writes_one_file_at_most(tmp_path):
    table = Table(tmp_path)
    for what, seat, arg in match(3, 30, True):
        table.say(what, seat, arg)
        if len(table.said) % 4 == 0:
            before = {path: path.stat().st_mtime_ns for path in files(tmp_path)}
            more = table.journal.flush()
            after = {path: path.stat().st_mtime_ns for path in files(tmp_path)}
            written = [path for path, when in after.items() if before.get(path) != when]
            gone = [path for path in before if path not in after]
            assert len(written) + len(gone) <= 1
            assert more


def test_few_files_are_left_and_starting_does_not_grow(tmp_path, monkeypatch):
    table = Table(tmp_path)
    for _ in range(4):
        table.play(match(10, 60))
    assert table.journal.last > 2500
    names = [path.name for path in files(tmp_path)]
    assert sum(name[0] == "s" for name in names) <= 1
    assert sum(name[0] == "m" for name in names) == -(-table.journal.last // 256)
    # Rounds of the match in play, and of the two checkpoints; none of older matches.
    assert sum(name[0] == "a" for name in names) == 10
    said = []
    say = FakeLog.say
    monkeypatch.setattr(FakeLog, "say", lambda self, *given: (said.append(given), say(self, *given))[1])
    table.start()
    assert table.log.checkpoint() == table.states[-1]
    assert len(said) <= CHECKPOINT_EVERY


def test_a_long_round_gets_checkpoints_too(tmp_path):
    table = Table(tmp_path)
    table.play([(GAME, 255, 1)] + [(40, 1, n) for n in range(CHECKPOINT_EVERY + 50)])
    assert any(path.name in ("c0", "c1") for path in files(tmp_path))
    state = table.log.checkpoint()
    table.start()
    assert table.log.checkpoint() == state


def test_undo_reaches_back_across_rounds_after_a_boot(tmp_path):
    table = Table(tmp_path)
    table.play(match(4, 20))
    table.start()
    table.play([(UNDO, 255, 0)] * 30)
    table.start()
    assert table.log.checkpoint() == table.states[-1]
    assert table.log.round == 2


@pytest.mark.parametrize("flushes", range(9))
def test_a_round_closed_anew_is_not_mixed_up_with_its_first_version(tmp_path, flushes):
    """The checkpoint must find the rounds it knew, though one was undone and closed anew since."""
    table = Table(tmp_path)
    table.play(match(2, 20))
    for what, seat, arg in [(UNDO, 255, 0), (UNDO, 255, 0), (40, 1, 99), (CLOSE, 255, 7)]:
        table.say(what, seat, arg)
        table.journal.flush()
    for _ in range(flushes):
        table.journal.flush()
    journal = table.start()
    assert journal.last == len(table.said) - 1
    assert table.log.checkpoint() == table.states[-1]
    assert journal.fault is None
    # Undo finds the second version of the round, as in a log that never lost its power.
    other = FakeLog(MemoryArchive())
    for _, ms, seat, what, arg in table.said[1:]:
        other.say(what, seat, arg, ms)
    for _ in range(12):
        table.play([(UNDO, 255, 0)])
        other.say(UNDO)
        assert table.log.checkpoint() == other.checkpoint()


def test_a_damaged_checkpoint_leaves_the_older_one(tmp_path):
    table = Table(tmp_path)
    table.play(match(2, 20))
    table.play([(UNDO, 255, 0), (UNDO, 255, 0), (40, 1, 99), (CLOSE, 255, 7)])
    for name in ("c0", "c1"):
        for path in files(tmp_path):
            if path.name == name:
                kept = path.read_bytes()
                path.write_bytes(kept[:-1])
                table.start()
                assert table.log.checkpoint() == table.states[table.journal.last]
                assert table.journal.fault == "journal_checkpoint"
                path.write_bytes(kept)


def test_acknowledging_deletes_nothing_while_there_is_room(tmp_path):
    table = Table(tmp_path)
    table.play(match(5, 50))
    table.journal.acknowledge(table.journal.last)
    table.settle()
    assert table.journal.first == 1
    assert table.journal._acknowledged == table.journal.last


def test_over_budget_whole_old_files_go_and_the_match_in_play_stays(tmp_path):
    table = Table(tmp_path, budget=40960)
    starts = []
    journal_id = table.journal.id
    for number in range(8):
        starts.append(table.journal.last + 1)
        table.play(match(6, 60))
        table.journal.acknowledge(starts[-1] - 1 if number < 6 else 0)
    journal = table.journal
    assert journal.id == journal_id and journal.fault is None
    assert 1 < journal.first <= starts[-1]
    assert journal.shelf.blocks * 4096 <= 40960
    assert all_records(journal) == table.said[journal.first :]
    assert journal.read(0, 3)[0].number == journal.first
    table.start()
    assert table.journal.id == journal_id and table.journal.fault is None
    assert table.log.checkpoint() == table.states[-1]
    assert all_records(table.journal) == table.said[table.journal.first :]


def test_without_any_checkpoint_the_match_is_said_again_from_its_beginning(tmp_path):
    table = Table(tmp_path, budget=40960)
    for _ in range(5):
        table.play(match(6, 60))
    assert table.journal.first > 1
    for path in files(tmp_path):
        if path.name in ("c0", "c1"):
            path.unlink()
    table.start()
    assert table.log.checkpoint() == table.states[-1]
    assert table.journal.fault is None
    table.play([(UNDO, 255, 0)] * 70)
    assert table.log.round == 4


def check_after_damage(table, root):
    """Open what is left; all that is shown must be what was said, in order, and the state one that was."""
    journal = Journal(str(root))
    log = FakeLog(journal.archive)
    journal.open(log)
    assert journal.fault is None or journal.fault in FAULTS
    shown = all_records(journal)
    if journal.id == table.journal.id:
        assert all(table.said[record[0]] == record for record in shown)
        assert log.checkpoint() == table.states[journal.last]
    else:
        # Renewed: the good part of the match, numbered anew.
        assert [record[0] for record in shown] == list(range(1, len(shown) + 1))
        start = next(n for n, record in enumerate(table.said) if record and record[3] == GAME)
        plain = [record[1:] for record in table.said[start:]]
        assert [record[1:] for record in shown] == plain[: len(shown)]
        if shown:
            # Where the last records are missing and a checkpoint makes up for them, it is ahead of them.
            assert log.checkpoint() == table.states[start - 1 + journal.last]
            assert journal.last == len(shown) or journal.fault == "journal_hole"
        else:  # records are missing that only the checkpoint makes up for
            assert log.checkpoint() in table.states[1:]
        assert journal.fault in ("journal_tail", "journal_hole")
    # It goes on, and is whole at the next start.
    log.say(40, 1, 2, 3)
    number = journal.append(3, 1, 40, 2)
    while journal.flush():
        pass
    assert journal.durable == number
    journal.good = number - 1
    again = Journal(str(root))
    log_again = FakeLog(again.archive)
    again.open(log_again)
    assert (again.id, again.last) == (journal.id, number)
    assert log_again.checkpoint() == log.checkpoint()
    return journal


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small journal with all kinds of files: merged, small, checkpoints, archives."""
    root = tmp_path_factory.mktemp("small")
    table = Table(root)
    table.say(BOOT, 255, 1)
    table.play(match(2, 9))
    table.play([(40, 1, n) for n in range(11)], settle=False)
    kinds = {path.name[0] for path in files(root)}
    assert kinds == {"h", "m", "s", "c", "a"}
    return table


def test_every_file_cut_at_every_byte(small, tmp_path):
    faults = set()
    for path in files(small.root):
        data = path.read_bytes()
        for size in range(len(data)):
            root = tmp_path / "cut"
            shutil.copytree(small.root, root)
            with open(root / path.relative_to(small.root), "r+b") as file:
                file.truncate(size)
            faults.add(check_after_damage(small, root).fault)
            shutil.rmtree(root)
    assert {"journal_tail", "journal_hole", "journal_checkpoint"} <= faults


def test_a_bit_flipped_in_every_byte(small, tmp_path):
    renewed = kept = 0
    checkpoint = max(record[0] for record in small.said[1:] if record[3] == CLOSE)
    start = next(record[0] for record in small.said[1:] if record[3] == GAME)
    for path in files(small.root):
        data = bytearray(path.read_bytes())
        for at in range(len(data)):
            root = tmp_path / "flip"
            shutil.copytree(small.root, root)
            bad = bytearray(data)
            bad[at] ^= 1 << (at * 5 % 8)
            (root / path.relative_to(small.root)).write_bytes(bad)
            journal = check_after_damage(small, root)
            if journal.id == small.journal.id:
                kept += 1
            else:
                renewed += 1
            number = int(path.name[1:], 16) + at // 16 if path.name[0] == "s" else 0
            if number > checkpoint:
                # Found at the start: all before the damage is there, nothing of it and after it.
                assert journal.id != small.journal.id
                assert journal.good + start - 1 == number - 1
            shutil.rmtree(root)
    assert renewed and kept


def test_no_single_bit_slips_through_the_check(tmp_path):
    table = Table(tmp_path)
    shelf = table.journal.shelf
    record = bytes(range(14))
    good = shelf.check(record)
    for bit in range(14 * 8):
        bad = bytearray(record)
        bad[bit // 8] ^= 1 << bit % 8
        assert shelf.check(bad) != good


def test_every_missing_file(small, tmp_path):
    for path in files(small.root):
        root = tmp_path / "missing"
        shutil.copytree(small.root, root)
        (root / path.relative_to(small.root)).unlink()
        journal = check_after_damage(small, root)
        if path.name[0] == "m":
            # The state is that of the checkpoint; only the records are gone.
            assert journal.good == small.journal.last
            assert journal.read(0, 5)[0].number > 5
        shutil.rmtree(root)


def test_damage_in_an_older_match_leaves_id_and_state_alone(tmp_path):
    table = Table(tmp_path)
    table.play(match(3, 60))
    table.play(match(3, 60))
    first = next(path for path in files(tmp_path) if path.name == "m00000001")
    data = bytearray(first.read_bytes())
    data[16 * 50 + 3] ^= 4
    first.write_bytes(data)
    journal = table.start()
    assert journal.id and journal.last == len(table.said) - 1
    shown = all_records(journal)
    assert [record[0] for record in shown] == [n for n in range(1, len(table.said)) if n != 51]
    assert journal.fault == "journal_hole"
    assert table.log.checkpoint() == table.states[-1]


def test_after_damage_what_the_pc_lacks_is_kept_under_the_new_id(tmp_path):
    """Matches that the owner PC has are not sent twice; one it lacks in part is sent whole."""
    table = Table(tmp_path)
    starts = []
    for _ in range(3):
        starts.append(table.journal.last + 1)
        table.play(match(3, 30))
    table.journal.acknowledge(starts[1] + 10)
    table.play([(CLOSE, 255, 3)])
    table.play([(40, 1, 5)] * 5, settle=False)
    newest = [path for path in files(tmp_path) if path.name[0] == "s"][-1]
    data = bytearray(newest.read_bytes())
    data[-3] ^= 1
    newest.write_bytes(data)
    old = table.journal.id
    journal = table.start()
    assert journal.id != old
    assert journal.fault == "journal_tail"
    assert [record[1:] for record in all_records(journal)] == [r[1:] for r in table.said[starts[1] : -1]]
    assert table.log.checkpoint() == table.states[-2]
    assert [path.name for path in (tmp_path / "journal").iterdir() if path.is_dir()] == [journal.id]


def test_undo_still_reaches_back_under_a_new_id(tmp_path):
    table = Table(tmp_path)
    table.play(match(3, 20))
    table.play([(40, 1, 5)] * 3, settle=False)
    newest = [path for path in files(tmp_path) if path.name[0] == "s"][-1]
    newest.write_bytes(newest.read_bytes()[:-1] + b"?")
    table.start()
    for _ in range(30):
        table.log.say(UNDO, 255, 0, 1)
        table.journal.append(1, 255, UNDO, 0)
        table.journal.flush()
    assert table.log.round == 1


def test_renewing_writes_what_waits_and_keeps_state_and_undo(tmp_path):
    """A PC found that the journal had gone back: it goes on under another id while the match is on."""
    table = Table(tmp_path)
    table.play(match(3, 20))
    table.play([(40, 1, n) for n in range(7)], settle=False)
    for n in range(3):
        table.say(40, 2, n)
    journal = table.journal
    old, state = journal.id, table.log.checkpoint()
    assert journal.waiting
    assert journal.renew()
    assert journal.id != old and journal.fault == "journal_back" and not journal.waiting
    assert [record[1:] for record in all_records(journal)] == [r[1:] for r in table.said[1:]]
    assert journal.first == 1 and table.log.checkpoint() == state
    number = journal.append(5, 1, 40, 9)
    table.log.say(40, 1, 9, 5)
    table.settle()
    assert journal.durable == number
    state = table.log.checkpoint()
    renewed = journal.id
    journal = table.start()
    assert (journal.id, journal.last, table.log.checkpoint()) == (renewed, number, state)
    assert [path.name for path in (tmp_path / "journal").iterdir() if path.is_dir()] == [renewed]
    for _ in range(38):
        table.log.say(UNDO, 255, 0, 1)
        journal.append(1, 255, UNDO, 0)
        journal.flush()
    assert table.log.round == 1


def test_power_cut_while_renewing_leaves_the_one_or_the_other(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.play(match(3, 20))
    old, last, state = table.journal.id, table.journal.last, table.log.checkpoint()
    for steps in range(40):
        left = [steps]

        def cut(*_args, left=left, **_options):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(5)

        root = tmp_path.parent / f"{tmp_path.name}-{steps}"
        shutil.copytree(tmp_path, root)
        journal = Journal(str(root))
        log = FakeLog(journal.archive)
        journal.open(log)
        with monkeypatch.context() as patch:
            for place in ("table.journal.rename", "table.shelf.rename", "table.shelf.make_directory"):
                module, name = place.rsplit(".", 1)
                real = getattr(sys.modules[module], name)
                patch.setattr(place, lambda *args, real=real, cut=cut: (cut(), real(*args))[1])
            done = journal.renew()
        assert done == (journal.id != old)
        again = Journal(str(root))
        log = FakeLog(again.archive)
        again.open(log)
        assert again.id == journal.id and log.checkpoint() == state
        assert again.fault is None
        assert again.last == last if again.id == old else len(all_records(again)) == again.last
        shutil.rmtree(root)
        if done:
            assert steps > 3
            return
    raise AssertionError("never done")


def test_fewer_records_than_a_checkpoint_knew_of_are_noticed_without_a_pc(tmp_path):
    """The directory of the newest records has gone back, that of the checkpoints has not."""
    table = Table(tmp_path)
    table.play([*match(1, 20), (40, 1, 1), (40, 2, 2), (40, 1, 3)], settle=False)
    room = tmp_path / "journal" / table.journal.id
    small = [path for path in files(room) if path.name[0] == "s"]
    assert small
    kept = [(path, path.read_bytes()) for path in small]
    old = table.journal.id
    table.journal.round_ended()
    table.settle()
    state, last = table.log.checkpoint(), table.journal.last
    for path in files(room):
        if path.name[0] in "sm":
            path.unlink()
    for path, data in kept[:-1]:
        path.write_bytes(data)
    journal = table.start()
    assert journal.id != old and journal.fault == "journal_hole"
    assert table.log.checkpoint() == state
    shown = all_records(journal)
    assert [record[1:] for record in shown] == [r[1:] for r in table.said[1 : 1 + len(shown)]]
    assert 0 < len(shown) < journal.last == last
    # The next announcement has a number of its own, above the hole.
    assert journal.append(9, 255, BOOT, 2) == last + 1
    table.settle()
    assert journal.read(len(shown), 9)[0].number == last + 1
    renewed = journal.id
    assert table.start().id == renewed


def test_an_announcement_that_the_rules_no_longer_allow_is_named(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.play([(GAME, 255, 1), (33, 1, 0), (34, 2, 0)], settle=False)
    make = FakeLog.__init__

    def strict(self, archive):
        make(self, archive)
        self.refuse = 33

    monkeypatch.setattr(FakeLog, "__init__", strict)
    journal = table.start()
    assert journal.fault == "journal_refused"
    assert journal.last == 3
    assert len(all_records(journal)) == 3


def test_an_unknown_checkpoint_version_is_no_loss(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.play(match(3, 20))
    resume = FakeLog.resume

    def only_blank(self, data):
        if data != table.states[0]:
            raise ValueError("unknown version")
        resume(self, data)

    monkeypatch.setattr(FakeLog, "resume", only_blank)
    journal = table.start()
    assert journal.fault == "journal_checkpoint"
    assert table.log.checkpoint() == table.states[-1]


def test_a_file_system_that_cannot_be_used_does_not_stop_play(tmp_path):
    (tmp_path / "journal").write_text("a file where the directory should be")
    table = Table(tmp_path)
    assert table.journal.fault == "flash_error"
    table.play([(GAME, 255, 1)] + [(40, 1, n) for n in range(RING + 40)], settle=False)
    assert table.journal.last == RING + 41
    assert table.journal.durable == 0
    assert table.journal.read(0, 10) == []
    assert table.journal.fault == "flash_error"
    # As soon as it can be used, the state is saved and the latest records with it.
    os.remove(tmp_path / "journal")
    for _ in range(60):
        table.journal.flush()
    table.settle()
    assert table.journal.durable == table.journal.last
    assert table.journal.fault is None
    shown = all_records(table.journal)
    assert shown == table.said[-RING:]
    journal = table.start()
    assert journal.last == RING + 41
    assert table.log.checkpoint() == table.states[-1]


@pytest.mark.parametrize("damage", ["gone", "unreadable"])
def test_a_journal_damaged_beyond_repair_gets_a_new_id(tmp_path, damage):
    table = Table(tmp_path)
    table.play(match(2, 20))
    old = tmp_path / "journal" / table.journal.id
    shutil.rmtree(old / "old")
    if damage == "gone":
        shutil.rmtree(old)
    else:
        (old / "old").write_text("a file where the directory should be")
    journal = table.start()
    assert journal.id != old.name
    assert journal.fault == "journal_lost"
    assert (journal.last, journal.boots) == (0, 2)
    assert not old.exists()
    log = FakeLog(journal.archive)
    assert table.log.checkpoint() == log.checkpoint()


def test_a_heap_in_pieces_delays_the_write_and_loses_nothing(tmp_path, monkeypatch):
    table = Table(tmp_path)
    table.play(match(1, 20))
    monkeypatch.setattr(FakeLog, "checkpoint", lambda self: (_ for _ in ()).throw(MemoryError()))
    table.log.say(CLOSE, 255, 3, 1)
    table.journal.append(1, 255, CLOSE, 3)
    for _ in range(50):
        table.journal.flush()
    assert table.journal.durable == table.journal.last
    monkeypatch.undo()
    for _ in range(50):
        table.journal.flush()
    state = table.log.checkpoint()
    table.start()
    assert table.log.checkpoint() == state


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_real_matches_come_back_whenever_the_table_is_switched_off(tmp_path, seed):
    """With the rules of Last Card: boots at odd moments, undo and redo across rounds, house rules."""
    chooser = Chooser(seed, 2 + seed % 3, 10)
    switch = Prng(seed + 100)
    journal = Journal(str(tmp_path))
    log = Log(journal.archive)
    journal.open(log)
    other = Log()
    for step in range(700):
        what, seat, arg = chooser.next(log)
        if what == UNDO and step % 3 == 0:
            for _ in range(switch.below(60)):
                if log.why_not(UNDO) is None:
                    assert log.say(UNDO, 255, 0, step)[0] is None
                    assert other.say(UNDO, 255, 0, step)[0] is None
                    journal.append(step, 255, UNDO, 0)
                    journal.flush()
            continue
        assert log.say(what, seat, arg, step * 500)[0] is None
        assert other.say(what, seat, arg, step * 500)[0] is None
        journal.append(step * 500, seat, what, arg)
        journal.flush()
        for _ in range(switch.below(4)):
            journal.flush()
        if not switch.below(25):
            while journal.waiting:
                journal.flush()
            last = journal.last
            journal = Journal(str(tmp_path))
            log = Log(journal.archive)
            journal.open(log)
            assert (journal.last, journal.fault) == (last, None)
            assert log.checkpoint() == other.checkpoint()
            assert log.undo_target() == other.undo_target()
            assert log.redo_target() == other.redo_target()
    assert log.checkpoint() == other.checkpoint()
