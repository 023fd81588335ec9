"""What holds for the keeper whatever is said. Runs under CPython and in the MicroPython VM."""

from both import CODES, guess
from cardrules import announcement as says
from cardrules import games
from cardrules.announcement import NO_SEAT
from cardrules.keeper import CONFIRM, PHASES
from cardrules.last_card import Keeper
from cardrules.last_card import says as last_card
from cardrules.log import Log
from cardrules.notices import NOTICES, REASONS
from cardrules.prng import Prng

try:
    from typing import Any
except ImportError:
    Any = object

_BY_SEAT = (says.JOIN, says.LEAVE, says.DEALER, says.SWAP, says.CORRECT) + (
    last_card.DONE,
    last_card.CATCH_UP,
    last_card.COUNT,
    last_card.OUT,
    last_card.CARD,
    last_card.SUM,
    last_card.ALL,
)


def walk(seed: int, steps: int) -> "Any":
    """Give (log, announcement, before, reason, notices) for things said by chance."""
    random = Prng(seed)
    log = Log()
    log.say(says.GAME, NO_SEAT, 1)
    for place in range(steps):
        said = guess(random, log)
        before = log.keeper.snapshot() if log.keeper is not None else b""
        why = log.why_not(said[0], said[1], said[2])
        assert log.keeper is not None and log.keeper.snapshot() == before, "why_not changes nothing"
        reason, notices = log.say(said[0], said[1], said[2], place)
        assert reason == why
        yield log, said, before, reason, notices


def test_what_is_refused_changes_nothing() -> None:
    refused = 0
    for log, said, before, reason, notices in walk(1, 1500):
        if reason is not None:
            refused += 1
            assert log.keeper.snapshot() == before, said
            assert notices == []
            assert reason[0] in REASONS
            for number in reason[1:]:
                assert isinstance(number, int)
        else:
            for code, seat, value in notices:
                assert code in NOTICES
                assert (seat == NO_SEAT or 0 <= seat < 6) and isinstance(value, int)
    assert 100 < refused < 1400


def test_cards_are_never_negative_and_never_too_many() -> None:
    phases = []
    for log, _, _, _, _ in walk(2, 4000):
        keeper = log.keeper
        assert min(keeper.counts) >= 0
        assert sum(keeper.counts) <= 107 and keeper.stock == 107 - sum(keeper.counts)
        assert keeper.owed >= 0 and min(keeper.clock_ms) >= 0
        assert keeper.phase in PHASES
        if keeper.phase not in phases:
            phases.append(keeper.phase)
        if keeper.phase in ("play", "colour", "out"):
            assert keeper.ring.is_active(keeper.turn) and keeper.ring.live >= 2
            for seat in keeper.ring.active():
                assert keeper.counts[seat] >= 1 or (keeper.phase == "out" and seat == keeper.out_seat)
        else:
            assert keeper.turn == NO_SEAT
        if keeper.phase == "scoring":
            assert keeper.entering in keeper.to_enter()
    assert set(phases) == set(PHASES) - {CONFIRM}, phases  # in Last Card nothing has to be confirmed


def test_scores_are_the_sum_of_the_rounds() -> None:
    confirmed = 0
    for log, said, _, reason, _ in walk(3, 3000):
        keeper = log.keeper
        totals = [0] * 6
        for winner, points in keeper.rounds:
            totals[winner] += points
        assert keeper.scores == totals
        confirmed += reason is None and said[0] == says.CLOSE
        if keeper.winner != NO_SEAT:
            assert keeper.phase == "over"
    assert confirmed > 5


def test_allowed_agrees_with_why_not() -> None:
    random = Prng(4)
    place = 0
    for log, _, _, _, _ in walk(4, 600):
        place += 1
        if place % 10:
            continue
        keeper = log.keeper
        allowed = keeper.allowed()
        assert len(allowed) > 0
        for what in CODES:
            for seat in list(range(6)) + [NO_SEAT]:
                said = (what, seat if what in _BY_SEAT else NO_SEAT) in allowed
                args = [0, 1, 2, 33, 34, 65536 + 300, 65536 + 32768, random.below(1300)]
                for arg in args + [keeper.points]:
                    if keeper.why_not(what, seat, arg) is None:
                        # The seat on turn may be named or not.
                        entering = (what, keeper.entering) in allowed
                        assert said or entering, (keeper.phase, what, seat, arg, allowed)


def test_snapshot_and_restore() -> None:
    other = Keeper()
    for place, (log, _, _, _, _) in enumerate(walk(5, 1500)):
        if place % 5 == 0:
            data = log.keeper.snapshot()
            other.restore(data)
            assert other.snapshot() == data
            assert other.counts == log.keeper.counts and other.ring.live == log.keeper.ring.live


def test_damaged_snapshots_are_refused_and_change_nothing() -> None:
    keeper = Keeper()
    for seat in range(3):
        keeper.apply(says.JOIN, seat)
    keeper.apply(says.START)
    good = keeper.snapshot()
    other = Keeper()
    other.apply(says.JOIN, 5)
    before = other.snapshot()
    wrong = [b"", good[:7], good[:-1], good + b"\0"]
    for place in range(len(good)):
        wrong.append(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    for data in wrong:
        refused = False
        try:
            other.restore(data)
        except ValueError:
            refused = True
        assert refused and other.snapshot() == before


def test_snapshots_of_other_versions_are_refused() -> None:
    class Newer(Keeper):
        game_version = Keeper.game_version + 1

    class Other(Keeper):
        game = 3

    class Longer(Keeper):
        def _pack(self, out: bytearray) -> None:
            Keeper._pack(self, out)
            out.append(2)

    keeper = Keeper()
    keeper.apply(says.JOIN, 4)
    before = keeper.snapshot()
    for kind in (Newer, Other, Longer):
        refused = False
        try:
            keeper.restore(kind().snapshot())
        except ValueError:
            refused = True
        assert refused and keeper.snapshot() == before


def test_nothing_that_is_no_number_gets_in() -> None:
    keeper: Any = Keeper()
    keeper.apply(says.JOIN, 1)
    before = keeper.snapshot()
    for what in (None, "done", 1.5, -1, 0, 31, 48, 255, 10**12, b"", ()):
        assert keeper.apply(what, 1, 0)[0][0] == "unknown_what"
    for seat in (None, "1", 1.5, -1, 6, 32, 254, 256, 10**12):
        assert keeper.apply(says.JOIN, seat, 0)[0] == ("seat_unknown",)
    for arg in (None, "1", 1.5, -1, 2**32, 10**12):
        assert keeper.apply(says.JOIN, 2, arg)[0][0] == "arg_unknown"
    assert keeper.snapshot() == before


def test_step_needs_no_log_and_no_check() -> None:
    keeper = Keeper()
    for seat in range(4):
        keeper.step(says.JOIN, seat, 0, 0)
    keeper.step(says.START, NO_SEAT, 0, 0)
    keeper.notices.clear()
    for _ in range(6 * 4):
        keeper.step(last_card.DONE, keeper.turn, 0, 0)
    assert keeper.counts[:4] == [1, 1, 1, 1]
    assert len([notice for notice in keeper.notices if notice[0] == "last_card"]) == 4
    keeper.step(last_card.DONE, 1, 0, 0)
    keeper.step(last_card.DONE, 1, 0, 0)
    assert keeper.phase == "scoring" and keeper.to_enter() == [2, 3, 0]


def test_the_clock_can_be_read_while_it_runs() -> None:
    keeper = Keeper()
    for seat in range(3):
        keeper.apply(says.JOIN, seat)
    keeper.apply(says.START, NO_SEAT, 0, 1000)
    assert keeper.clock(1, 1500) == 500 and keeper.clock(2, 1500) == 0
    keeper.apply(says.PAUSE, NO_SEAT, 0, 2000)
    assert keeper.clock(1, 9000) == 1000


def test_games() -> None:
    assert games.load(1).Keeper is Keeper and games.name(1) == "last_card"
    for unknown in (0, 9, 99):
        refused = False
        try:
            games.load(unknown)
        except ValueError:
            refused = True
        assert refused
    assert len(NOTICES) == len(set(NOTICES)) and len(REASONS) == len(set(REASONS))
    assert sorted(last_card.NAMES) == list(range(32, 48))
