"""What holds for the keeper of Twenty-Two whatever is said. Runs under CPython and in the MicroPython VM.

The rules one by one are in scenarios/twenty_two.
"""

from cardrules import announcement as common
from cardrules import games
from cardrules.announcement import NO_SEAT
from cardrules.keeper import COLOUR, CONFIRM, OUT, PHASES
from cardrules.log import Log
from cardrules.notices import NOTICES, REASONS
from cardrules.prng import Prng
from cardrules.seating import ELIMINATED
from cardrules.twenty_two import NAMES, SETTINGS, WORDS, Keeper, says
from cardrules.twenty_two.settings import FINAL_TIE, LIMIT, OF_A_RANK, PACK, RETURN_CARDS, value

try:
    from typing import Any
except ImportError:
    Any = object

CODES = sorted(list(common.COMMON) + list(NAMES))
_BY_SEAT = (common.JOIN, common.LEAVE, common.DEALER, common.SWAP, common.CORRECT)
_BY_SEAT += (says.EXCHANGE, says.TRICK, says.KEEPS)
_RARE = (common.UNDO,) * 5 + (common.REDO,) * 3 + (common.LEAVE,) * 3
_RARE += (common.JOIN, common.JOIN, common.SWAP, common.CORRECT, common.CORRECT, common.VOID)


def guess(random: Prng, log: Log) -> "tuple[int, int, int]":
    """Return an announcement that often, but not always, can be said now."""
    keeper: Any = log.keeper
    phase = keeper.phase
    likely = random.below(12)
    what = CODES[random.below(len(CODES))]
    seat = random.below(6) if likely else (NO_SEAT, 6, 31, 254)[random.below(4)]
    arg = random.below(4) if random.below(3) else 0
    if likely == 1 and phase != "setup":
        what = _RARE[random.below(len(_RARE))]
    elif keeper.paused and likely > 4:
        what = common.RESUME
    elif phase == "setup" and likely:
        what = (common.JOIN, common.JOIN, common.RULE, common.START, common.DEALER)[random.below(5)]
    elif phase == "play" and likely > 1:
        what = (says.TRICK, says.TRICK, says.EXCHANGE, says.LEFT, says.LAST, says.KEEPS)[random.below(6)]
        seats = keeper.ring.active()
        seat = seats[random.below(len(seats))]
        if keeper.left == 1 and random.below(4):
            what = says.LAST
    elif phase == "scoring" and likely > 1:
        what = says.KEEPS
    elif phase == "scored" and likely > 1:
        what = common.CLOSE
        arg = keeper.points + (random.below(8) == 0)
        seats = [other for other in keeper.ring.active() if not keeper.keeping >> other & 1]
        if seats and random.below(6) > (1 if keeper.round & 1 else 4):  # every other time all of them tie
            what = says.KEEPS
            seat = seats[0]
    elif phase == "over" and likely > 5:
        what = (common.GAME, common.CORRECT, common.UNDO)[random.below(3)]
    if what == common.GAME:
        seat = NO_SEAT
        arg = 3
    elif what == common.END and random.below(4):
        what = common.UNDO
    elif what == common.RULE:
        key, _, values, _ = SETTINGS[random.below(len(SETTINGS))]
        arg = key * 65536 + values[random.below(len(values))]
    elif what == says.LAST:
        arg = (11 + random.below(4)) if random.below(2) else random.below(16)
    elif what == common.CORRECT:
        points = (0, 0, 2, 5, 9, 10, 11, 12)[random.below(8)]
        arg = (1 + random.below(4)) * 65536 + 32768 + points
    if what in (says.LAST, says.LEFT) and likely > 1:
        seat = NO_SEAT
    if what == says.KEEPS and random.below(9):
        arg = 0
    return what, seat, arg


def walk(seed: int, steps: int) -> "Any":
    """Give (log, announcement, before, reason, notices) for things said by chance."""
    random = Prng(seed)
    log = Log()
    log.say(common.GAME, NO_SEAT, 3)
    for place in range(steps):
        said = guess(random, log)
        before = log.keeper.snapshot() if log.keeper is not None else b""
        why = log.why_not(said[0], said[1], said[2])
        assert log.keeper is not None and log.keeper.snapshot() == before, "why_not changes nothing"
        reason, notices = log.say(said[0], said[1], said[2], place)
        assert reason == why
        yield log, said, before, reason, notices


def test_what_is_refused_changes_nothing() -> None:
    refused = []
    told = []
    steps = 0
    for log, said, before, reason, notices in walk(1, 4000):
        steps += 1
        if reason is not None:
            assert log.keeper.snapshot() == before, said
            assert notices == []
            assert reason[0] in REASONS
            refused.append(reason[0])
            for number in reason[1:]:
                assert isinstance(number, int)
        else:
            for code, seat, value_ in notices:
                assert code in NOTICES
                assert (seat == NO_SEAT or 0 <= seat < 6) and isinstance(value_, int)
                told.append(code)
    assert 500 < len(refused) < steps - 500
    for reason in ("exchange_over", "exchange_missed", "exchange_most", "trick_most", "not_last"):
        assert reason in refused, reason
    for reason in ("rank_unknown", "rank_first", "nobody_keeps", "left_most", "points_differ"):
        assert reason in refused, reason
    for code in ("hand", "exchanged", "trick", "each_holds", "last_trick", "last_rank", "keeps"):
        assert code in told, code
    for code in ("in_danger", "eliminated", "match_won", "match_shared", "sudden_death", "corrected"):
        assert code in told, code


def test_cards_and_seats_always_fit() -> None:
    phases = []
    for log, _, _, _, _ in walk(2, 6000):
        keeper = log.keeper
        phase = keeper.phase
        if phase not in phases:
            phases.append(phase)
        assert min(keeper.clock_ms) >= 0
        if phase in ("play", "scoring", "scored"):
            assert 1 <= keeper.left <= keeper.hand and keeper.spare >= 0
            assert keeper.hand in (7, 5, 6, 8) or keeper.round > 1
            assert keeper.may_exchange <= (phase == "play")
        else:
            assert keeper.left == keeper.hand == keeper.pack == keeper.spare == 0
            assert not keeper.may_exchange
        if phase == "play":
            assert keeper.ring.is_active(keeper.turn) and keeper.ring.live >= 2
            assert keeper.turn == keeper.leader
            assert keeper.rank == keeper.keeping == 0
        else:
            assert keeper.turn == NO_SEAT
        assert (keeper.rank != 0) == (phase in ("scoring", "scored"))
        assert (keeper.keeping != 0) == (phase == "scored")
        assert (keeper.next_hand > 0) == (keeper.next_dealer != NO_SEAT)
        assert not keeper.next_hand or phase == "scored"
        assert (keeper.winners != 0) <= (phase == "over")
        for seat in range(6):
            out = keeper.ring.states[seat] == ELIMINATED
            assert out == (keeper.outs[seat] != 0)
            assert keeper.scores[seat] >= keeper.rules[LIMIT] or not out or keeper.rules[FINAL_TIE]
    assert set(phases) == set(PHASES) - {CONFIRM, COLOUR, OUT}, phases


def test_scores_are_what_was_kept() -> None:
    confirmed = 0
    shared = 0
    for log, said, _, reason, _ in walk(4, 6000):
        keeper = log.keeper
        totals = [0] * 6
        cards = [0] * 6
        for _, points, rank, keeping in keeper.rounds:
            assert keeping and (value(rank) == points if rank else points == 10)
            for seat in range(6):
                if keeping >> seat & 1:
                    totals[seat] += points
                    cards[seat] += 1
        assert keeper.scores == totals
        for seat in range(6):
            if not keeper.rules[RETURN_CARDS] or not keeper.outs[seat]:
                assert keeper.kept[seat] == cards[seat]
        if not keeper.rules[RETURN_CARDS]:
            for rank in range(2, 15):
                kept = [bin(facts[3]).count("1") for facts in keeper.rounds if facts[2] == rank]
                assert sum(kept) <= OF_A_RANK
        confirmed += reason is None and said[0] == common.CLOSE
        if keeper.winners:
            places = keeper.places()
            winners = [seat for seat in range(6) if keeper.winners >> seat & 1]
            assert [seat for seat in range(6) if places[seat] == 1] == winners
            assert keeper.winner == (winners[0] if len(winners) == 1 else NO_SEAT)
            shared += len(winners) > 1
        else:
            assert keeper.winner == NO_SEAT and keeper.places() == [0] * 6
    assert confirmed > 100 and shared > 0


def test_what_comes_next_is_what_comes() -> None:
    """next_hand and next_dealer, asked before a round is confirmed, are those of the next deal."""
    asked = 0
    ended = 0
    for seed in range(4, 8):
        promised: tuple[int, int] | None = None
        for log, said, _, reason, _ in walk(seed, 2500):
            keeper = log.keeper
            if reason is None and said[0] == common.CLOSE:
                assert promised is not None
                if promised[0]:
                    assert keeper.phase == "play" and (keeper.hand, keeper.dealer) == promised
                    asked += 1
                else:
                    assert keeper.phase in ("over", "short")
                    ended += keeper.phase == "over"
            promised = (keeper.next_hand, keeper.next_dealer) if keeper.phase == "scored" else None
    assert asked > 100 and ended > 10


def test_allowed_agrees_with_why_not() -> None:
    place = 0
    for log, _, _, _, _ in walk(8, 1000):
        place += 1
        if place % 10:
            continue
        keeper = log.keeper
        allowed = keeper.allowed()
        assert len(allowed) > 0
        for what in CODES:
            for seat in list(range(6)) + [NO_SEAT]:
                args = [0, 1, 2, 5, 14, 65536 + 22, 65536 + 32768 + 2, 2 * 65536 + 32768 + 2, keeper.points]
                may = [arg for arg in args if keeper.why_not(what, seat, arg) is None]
                if may:
                    assert (what, seat if what in _BY_SEAT else NO_SEAT) in allowed, (what, seat, allowed)


def test_snapshot_and_restore() -> None:
    other = Keeper()
    for place, (log, _, _, _, _) in enumerate(walk(9, 2000)):
        if place % 5 == 0:
            data = log.keeper.snapshot()
            other.restore(data)
            assert other.snapshot() == data
            for name in ("rounds", "winners", "next_hand", "next_dealer", "leader", "outs", "kept"):
                assert getattr(other, name) == getattr(log.keeper, name), name
            assert other.allowed() == log.keeper.allowed()


def test_damaged_snapshots_are_refused_and_change_nothing() -> None:
    keeper = Keeper()
    for seat in range(3):
        keeper.apply(common.JOIN, seat)
    keeper.apply(common.START)
    keeper.apply(says.LEFT, NO_SEAT, 1)
    keeper.apply(says.LAST, NO_SEAT, 9)
    keeper.apply(says.KEEPS, 2)
    keeper.apply(common.CLOSE, NO_SEAT, 9)
    good = keeper.snapshot()
    other = Keeper()
    other.apply(common.JOIN, 5)
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
    other.restore(good)
    assert other.snapshot() == good


def test_nothing_that_is_no_number_gets_in() -> None:
    keeper: Any = Keeper()
    keeper.apply(common.JOIN, 1)
    before = keeper.snapshot()
    for what in (None, "trick", 1.5, -1, 0, 32, 64, 95, 101, 127, 10**12, b"", ()):
        assert keeper.apply(what, 1, 0)[0][0] == "unknown_what"
    for seat in (None, "1", 1.5, -1, 6, 32, 254, 256, 10**12):
        assert keeper.apply(says.TRICK, seat, 0)[0] == ("seat_unknown",)
    for arg in (None, "1", 1.5, -1, 2**32, 10**12):
        assert keeper.apply(says.TRICK, 2, arg)[0][0] == "arg_unknown"
    assert keeper.snapshot() == before


def test_a_keeper_that_tells_nothing_does_the_same() -> None:
    loud = Keeper()
    silent = Keeper()
    silent.telling = False
    for keeper in (loud, silent):
        for seat in range(4):
            keeper.step(common.JOIN, seat, 0, 0)
        keeper.step(common.START, NO_SEAT, 0, 0)
        keeper.step(says.EXCHANGE, 1, 3, 0)
        keeper.step(says.TRICK, 2, 6, 0)
        keeper.step(says.LAST, NO_SEAT, 12, 0)
        keeper.step(says.KEEPS, 3, 0, 0)
        keeper.step(common.CLOSE, NO_SEAT, 10, 0)
    assert loud.notices and not silent.notices
    assert loud.snapshot() == silent.snapshot() and loud.hand == 10


def test_who_is_in_danger() -> None:
    """R4, R28: 11 points and more, unless it is out."""
    keeper = Keeper()
    for seat in range(3):
        keeper.apply(common.JOIN, seat)
    keeper.apply(common.START)
    for rank, seat in ((13, 1), (14, 2), (12, 0), (2, 0), (11, 0)):
        keeper.apply(says.LEFT, NO_SEAT, 1)
        keeper.apply(says.LAST, NO_SEAT, rank)
        keeper.apply(says.KEEPS, seat)
        assert keeper.apply(common.CLOSE, NO_SEAT, value(rank))[0] is None
        if rank == 12:
            assert [keeper.in_danger(each) for each in range(4)] == [False, False, True, False]
    assert keeper.scores[:3] == [22, 10, 11] and keeper.ring.states[0] == ELIMINATED
    assert [keeper.in_danger(each) for each in range(4)] == [False, False, True, False]


def test_the_game_is_known() -> None:
    assert games.load(3).Keeper is Keeper and games.name(3) == "twenty_two" and Keeper.game == 3
    assert sorted(NAMES) == list(range(96, 101)) and says.LAST in WORDS
    assert [value(rank) for rank in range(2, 15)] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
    assert sum([OF_A_RANK * value(rank) for rank in range(2, 15)]) == 380 and PACK == 52
