"""Undo, redo, archive and checkpoints. Runs under CPython and in the MicroPython VM."""

from both import guess
from cardrules import announcement as says
from cardrules.announcement import KEPT_BY_UNDO, NO_SEAT
from cardrules.last_card import says as last_card
from cardrules.log import LIMIT, RECORD, Log, MemoryArchive
from cardrules.prng import Prng

try:
    from typing import Any
except ImportError:
    Any = object


def started(seats: int = 4, archive: "Any" = None) -> Log:
    log = Log(archive)
    log.say(says.GAME, NO_SEAT, 1)
    for seat in range(seats):
        log.say(says.JOIN, seat, 100 + seat)
    log.say(says.DEALER, 0)
    log.say(says.START)
    return log


def say(log: Log, what: int, seat: int = NO_SEAT, arg: int = 0, ms: int = 0) -> None:
    reason, _ = log.say(what, seat, arg, ms)
    assert reason is None, (what, seat, arg, reason)


def state(log: Log) -> bytes:
    return log.keeper.snapshot() if log.keeper is not None else b""


def play_round(log: Log) -> None:
    """Play a round of two cards each and confirm it."""
    keeper: Any = log.keeper
    for seat in keeper.ring.active():
        say(log, last_card.COUNT, seat, 2)
    while keeper.phase == "play":
        say(log, last_card.DONE, keeper.turn)
    say(log, last_card.DONE, keeper.out_seat)
    while keeper.phase == "scoring":
        say(log, last_card.CARD, keeper.entering, 2)
    say(log, says.CLOSE, NO_SEAT, keeper.points)


def test_undo_of_any_prefix_gives_the_state_before() -> None:
    for seed in range(4):
        random = Prng(seed)
        log = started()
        states: list[Any] = []  # before each announcement that undo may take back
        for _ in range(150):
            before = state(log)
            what, seat, arg = guess(random, log)
            if what in KEPT_BY_UNDO or what == says.GAME:
                continue
            if log.say(what, seat, arg)[0] is None:
                states.append(before)
        for before in reversed(states):
            say(log, says.UNDO)
            assert state(log) == before


def test_redo_brings_all_of_it_back() -> None:
    random = Prng(11)
    log = started(3)
    states = []
    while len(states) < 120:
        what, seat, arg = guess(random, log)
        if what in KEPT_BY_UNDO or what == says.GAME:
            continue
        if log.say(what, seat, arg, len(states) * 10)[0] is None:
            states.append(state(log))
    for _ in states:
        say(log, says.UNDO)
    for after in states:
        say(log, says.REDO)
        assert state(log) == after
    assert log.say(says.REDO)[0] == ("nothing_to_redo",)


def test_the_fold_of_all_announcements_is_the_live_state() -> None:
    random = Prng(21)
    log = Log()
    said = [(says.GAME, NO_SEAT, 1, 0)]
    log.say(says.GAME, NO_SEAT, 1)
    for place in range(1500):
        what, seat, arg = guess(random, log)
        if log.say(what, seat, arg, place * 7)[0] is None:
            said.append((what, seat, arg, place * 7))
    again = Log()
    for what, seat, arg, ms in said:
        say(again, what, seat, arg, ms)
    assert len([one for one in said if one[0] in (says.UNDO, says.REDO)]) > 20
    assert again.checkpoint() == log.checkpoint()


def test_a_log_goes_on_from_any_checkpoint() -> None:
    random = Prng(31)
    archive = MemoryArchive()
    log = started(3, archive)
    for place in range(300):
        kept = log.checkpoint()
        if place % 3 == 0:
            other = Log(archive)
            other.resume(kept)
            assert other.checkpoint() == kept
            log = other
        what, seat, arg = guess(random, log)
        log.say(what, seat, arg, place)
    straight = started(3)
    random = Prng(31)
    for place in range(300):
        what, seat, arg = guess(random, straight)
        straight.say(what, seat, arg, place)
    assert straight.checkpoint() == log.checkpoint()


def test_only_the_round_in_play_is_in_ram() -> None:
    class Counted(MemoryArchive):
        saved: "list[int]" = []

        def save(self, index: int, snapshot: bytes, records: bytes) -> None:
            self.saved.append(index)
            MemoryArchive.save(self, index, snapshot, records)

    Counted.saved = []
    log = started(3, Counted())
    sizes = []
    for _ in range(5):
        play_round(log)
        sizes.append(len(log.checkpoint()))
    assert Counted.saved == [0, 1, 2, 3, 4]
    assert max(sizes) - min(sizes) < 40
    # A round without an end is put away in pieces.
    keeper: Any = log.keeper
    for _ in range(LIMIT * 3):
        say(log, last_card.COUNT, keeper.turn, 9)
        say(log, last_card.DONE, keeper.turn)
        assert len(log.checkpoint()) < LIMIT * RECORD + 600
    assert Counted.saved[-1] >= 10
    before = state(log)
    for _ in range(LIMIT * 3 + 50):
        say(log, says.UNDO)
    for _ in range(LIMIT):  # so many are remembered
        say(log, says.REDO)
    assert log.redo_target() is None
    assert state(log) != before


def test_an_archive_that_lost_its_pieces_ends_undo() -> None:
    log = started(3)
    play_round(log)
    play_round(log)
    log.archive.drop_after(0)
    before = log.checkpoint()
    assert log.undo_target() is None
    assert log.say(says.UNDO) == (("nothing_to_undo",), [])
    assert log.checkpoint() == before
    play_round(log)
    say(log, says.UNDO)
    assert log.keeper is not None and log.keeper.phase == "scored"


def test_undo_names_what_it_takes_back() -> None:
    log = started(3)
    say(log, last_card.PLUS_TWO, 1)
    assert log.undo_target() == (last_card.PLUS_TWO, 1, 0)
    say(log, says.PAUSE)
    assert log.undo_target() == (last_card.PLUS_TWO, 1, 0)
    _, notices = log.say(says.UNDO)
    assert notices == [("undone", 1, last_card.PLUS_TWO), ("paused", NO_SEAT, 0), ("turn", 1, 0)]
    assert log.redo_target() == (last_card.PLUS_TWO, 1, 0)
    assert log.undo_target() == (says.START, NO_SEAT, 0)


def test_a_redone_announcement_keeps_its_time_unless_the_device_did_something() -> None:
    log = started(3)
    keeper: Any = log.keeper
    say(log, last_card.DONE, 1, 0, 5000)
    say(log, says.UNDO, NO_SEAT, 0, 9000)
    say(log, says.REDO, NO_SEAT, 0, 9500)
    assert keeper.clock_ms[1] == 5000
    say(log, says.UNDO, NO_SEAT, 0, 9900)
    say(log, says.BOOT, NO_SEAT, 2, 100)
    say(log, says.REDO, NO_SEAT, 0, 1100)
    assert keeper.clock_ms[1] == 1000
    say(log, last_card.DONE, 2, 0, 1400)
    assert keeper.clock_ms[2] == 300
    # Undo passes over the boot; time before it is nobody's.
    say(log, says.BOOT, NO_SEAT, 3, 50)
    say(log, says.UNDO)
    say(log, last_card.DONE, 2, 0, 250)
    assert keeper.clock_ms[2] == 200


def test_time_never_runs_back() -> None:
    log = started(3)
    keeper: Any = log.keeper
    say(log, last_card.DONE, 1, 0, 5000)
    say(log, last_card.DONE, 2, 0, 4000)
    assert keeper.clock_ms == [0, 5000, 0, 0, 0, 0]
    say(log, last_card.DONE, 0, 0, 6000)
    assert keeper.clock_ms[0] == 1000


def test_many_boots_are_one_record() -> None:
    log = started(3)
    size = len(log.checkpoint())
    for boot in range(500):
        say(log, says.BOOT, NO_SEAT, boot)
    assert len(log.checkpoint()) == size + RECORD


def test_more_kept_records_than_ram_has_room_for() -> None:
    log = started(3)
    for _ in range(LIMIT - 30):
        say(log, says.PAUSE)
        say(log, says.RESUME)
    say(log, last_card.DONE, 1)
    for _ in range(LIMIT // 2 - 2):
        say(log, says.PAUSE)
        say(log, says.RESUME)
    assert log.undo_target() == (last_card.DONE, 1, 0)
    before = log.checkpoint()
    say(log, says.UNDO)
    assert log.keeper is not None and log.keeper.turn == 1
    again = Log(log.archive)
    again.resume(log.checkpoint())
    assert again.checkpoint() == log.checkpoint() != before
    say(log, says.UNDO)  # the start, many kept records back
    assert log.keeper.phase == "setup"


def test_damaged_checkpoints_are_refused_and_change_nothing() -> None:
    log = started(3)
    play_round(log)
    say(log, last_card.DONE, 2)
    say(log, says.UNDO)
    good = log.checkpoint()
    other = started(2)
    before = other.checkpoint()
    wrong = [good[:-1], good + b"\0", b"", good[:20], b"XX" + good[2:]]
    for place in range(0, len(good), 7):
        wrong.append(good[:place] + bytes([good[place] ^ 4]) + good[place + 1 :])
    for data in wrong:
        refused = False
        try:
            other.resume(data)
        except ValueError:
            refused = True
        assert refused
        assert other.checkpoint() == before
    other.resume(good)
    assert other.checkpoint() == good


def test_a_log_without_a_match() -> None:
    log = Log()
    empty = log.checkpoint()
    assert log.say(says.BOOT, NO_SEAT, 1) == (None, [])
    assert log.checkpoint() == empty
    for what in (says.UNDO, says.REDO, says.PAUSE, says.START, last_card.DONE, 77):
        assert log.say(what)[0] == ("no_match",)
    other = started(2)
    other.resume(empty)
    assert other.keeper is None and other.undo_target() is None and other.redo_target() is None
    assert other.say(says.GAME, 3, 1)[0] == ("seat_unknown",)


def test_undo_from_states_kept_on_the_way_and_from_the_base_agree() -> None:
    random = Prng(41)
    log = started(3)
    for place in range(500):
        what, seat, arg = guess(random, log)
        if random.below(4) == 0:
            what, seat, arg = (says.BOOT, NO_SEAT, place) if random.below(2) else (says.UNDO, NO_SEAT, 0)
        log.say(what, seat, arg, place * 3)
        if place % 5 == 0:
            there = MemoryArchive()
            for index in range(place):  # its own archive: undo drops what lies behind
                try:
                    there.save(index, *log.archive.load(index))
                except KeyError:
                    break
            other = Log(there)
            other.resume(log.checkpoint())
            for _ in range(3):
                reason = other.say(says.UNDO)[0]
                kept = log.say(says.UNDO)[0]
                assert kept == reason
                assert state(other) == state(log)
            for _ in range(3):
                if log.redo_target() is not None:
                    log.say(says.REDO)
