"""What holds for the keeper of Sequence Stacks whatever is said. Runs under CPython and MicroPython.

The rules one by one are in scenarios/sequence_stacks.
"""

from cardrules import announcement as common
from cardrules import games
from cardrules.announcement import NO_SEAT
from cardrules.keeper import CONFIRM, OVER, PHASES, PLAY, SETUP, SHORT
from cardrules.log import Log
from cardrules.notices import NOTICES, REASONS
from cardrules.prng import Prng
from cardrules.sequence_stacks import NAMES, SETTINGS, WORDS, Keeper, says
from cardrules.sequence_stacks.keeper import wins

try:
    from typing import Any
except ImportError:
    Any = object

CODES = sorted(list(common.COMMON) + list(NAMES))
_BY_SEAT = (common.JOIN, common.LEAVE, common.DEALER, common.SWAP, common.CORRECT)
_BY_SEAT += (says.DONE, says.CATCH_UP)
_RARE = (common.UNDO,) * 4 + (common.REDO,) * 3 + (common.LEAVE,) * 3
_RARE += (common.JOIN, common.JOIN, common.SWAP, common.CORRECT, common.VOID)
_PLAY = (says.DONE,) * 4 + (says.RED, says.BLUE) * 3 + (says.BLOCK,) * 3
_PLAY += (says.SKIP, says.SKIP, says.REVERSE, says.STEAL_CHIP, says.STEAL_CARD, says.CATCH_UP)


def guess(random: Prng, log: Log) -> "tuple[int, int, int]":
    """Return an announcement that often, but not always, can be said now."""
    keeper: Any = log.keeper
    phase = keeper.phase
    likely = random.below(10)
    what = CODES[random.below(len(CODES))]
    seat = random.below(6) if likely else (NO_SEAT, 6, 31, 254)[random.below(4)]
    arg = random.below(4) if random.below(3) else 0
    if likely == 1 and phase != SETUP:
        what = _RARE[random.below(len(_RARE))]
    elif keeper.paused and likely > 4:
        what = common.RESUME
    elif phase == SETUP and likely:
        what = (common.JOIN, common.JOIN, common.START, common.LEAVE, common.DEALER)[random.below(5)]
    elif phase == PLAY and likely > 1:
        what = _PLAY[random.below(len(_PLAY))]
        seat = keeper.due if what == says.CATCH_UP else keeper.turn
    elif phase == CONFIRM and likely > 2:
        what = says.DONE if likely == 3 else says.BLOCK
        seat = keeper.turn
    elif phase == SHORT and likely > 3:
        what = common.JOIN
    elif phase == OVER and likely > 5:
        what = (common.GAME, common.UNDO)[random.below(2)]
    if what == says.BLOCK and likely > 1:
        seat = NO_SEAT
    if what in (says.STEAL_CHIP, says.STEAL_CARD):
        arg = random.below(13)
    elif what == common.GAME:
        seat = NO_SEAT
        arg = 2
    elif what == common.END and random.below(4):
        what = common.UNDO
    elif what >= 32 and random.below(20):
        arg = 0
    return what, seat, arg


def walk(seed: int, steps: int) -> "Any":
    """Give (log, announcement, before, reason, notices) for things said by chance."""
    random = Prng(seed)
    log = Log()
    log.say(common.GAME, NO_SEAT, 2)
    for place in range(steps):
        said = guess(random, log)
        before = log.keeper.snapshot() if log.keeper is not None else b""
        why = log.why_not(said[0], said[1], said[2])
        assert log.keeper is not None and log.keeper.snapshot() == before, "why_not changes nothing"
        reason, notices = log.say(said[0], said[1], said[2], place)
        assert reason == why
        yield log, said, before, reason, notices


def keeper_of(snapshot: bytes) -> Keeper:
    keeper = Keeper()
    keeper.restore(snapshot)
    return keeper


def test_what_is_refused_changes_nothing() -> None:
    refused = 0
    for log, said, before, reason, notices in walk(1, 1500):
        if reason is not None:
            refused += 1
            assert log.keeper.snapshot() == before, said
            assert notices == []
            assert reason[0] in REASONS, reason
            for number in reason[1:]:
                assert isinstance(number, int)
        else:
            for code, seat, value in notices:
                assert code in NOTICES, code
                assert (seat == NO_SEAT or 0 <= seat < 6) and isinstance(value, int)
    assert 100 < refused < 1400


def test_what_always_holds() -> None:
    """A9, A11, A16: twenty chips of each colour, who wins and waits, Skips, the phases."""
    phases = []
    for log, _, _, _, _ in walk(2, 5000):
        keeper = log.keeper
        red = sum([chips[0] for chips in keeper.chips])
        blue = sum([chips[1] for chips in keeper.chips])
        assert keeper.bank == [20 - red, 20 - blue] and min(keeper.bank) >= 0
        assert min([min(chips) for chips in keeper.chips]) >= 0
        assert min(keeper.clock_ms) >= 0 and keeper.phase in PHASES
        if keeper.phase not in phases:
            phases.append(keeper.phase)
        if keeper.phase in (PLAY, CONFIRM):
            assert keeper.ring.is_active(keeper.turn)
            assert 0 <= keeper.skips <= max(0, keeper.ring.live - 1)
            assert keeper.round == 1 and not keeper.rounds_closed and not any(keeper.scores)
        else:
            assert keeper.turn == NO_SEAT and keeper.blockable == -1 and keeper.due == NO_SEAT
        if keeper.phase == PLAY:
            assert keeper.ring.live >= 2
        for seat in range(6):
            enough = keeper.chips[seat]
            done = sum(enough) >= 5 and min(enough) >= 2
            assert done == (seat == keeper.winner or keeper.wins_match and seat == keeper.turn) or (
                keeper.ended and not done
            )
        if keeper.phase == CONFIRM:
            assert keeper.wins_match and keeper.blockable >= 0
        if keeper.winner != NO_SEAT:
            assert keeper.phase == OVER and keeper.rounds == [
                (keeper.winner, sum(keeper.chips[keeper.winner]))
            ]
            assert keeper.scores == [sum(chips) for chips in keeper.chips]
        else:
            assert not any(keeper.scores)
    assert set(phases) == {SETUP, PLAY, CONFIRM, SHORT, OVER}, phases


def test_chips_move_as_they_are_said_to() -> None:
    """R17, R30, R31: told from the announcements, apart from the keeper."""
    moved = 0
    for log, said, before, reason, _ in walk(3, 4000):
        what, seat, arg = said
        if reason is not None or what in (common.UNDO, common.REDO, common.GAME, common.SWAP):
            continue
        old = keeper_of(before)
        chips = [list(each) for each in old.chips]
        turn = old.turn
        if what in (says.RED, says.BLUE):
            colour = 0 if what == says.RED else 1
            if old.bank[colour]:
                chips[turn][colour] += 1
                assert log.keeper.blockable == colour
        elif what == says.BLOCK:
            chips[turn][old.blockable] -= 1
        elif what == says.STEAL_CHIP:
            chips[arg // 2][arg % 2] -= 1
            chips[turn][arg % 2] += 1
        elif what in (common.VOID, common.START):
            chips = [[0, 0] for _ in range(6)]
        moved += chips != old.chips
        assert log.keeper.chips == chips, said
        if what >= 32 and what not in (says.RED, says.BLUE):
            assert log.keeper.blockable == -1, said
    assert moved > 300


def test_whose_turn_it_is_next() -> None:
    """R26, R27, A16, A17: counted seat by seat, apart from the ring."""
    turns = 0
    for log, said, before, reason, notices in walk(4, 4000):
        if reason is not None or said[0] != says.DONE:
            continue
        old = keeper_of(before)
        if old.phase != PLAY:
            continue
        here = [seat for seat in range(6) if old.ring.states[seat] == 1]
        if old.direction < 0:
            here.reverse()
        place = here.index(old.turn)
        order = here[place + 1 :] + here[: place + 1]
        skipped = min(old.skips, len(order) - 1)
        wanted = [("skipped", seat, 0) for seat in order[:skipped]] + [("turn", order[skipped], 0)]
        assert notices == wanted and log.keeper.turn == old.due == order[skipped]
        assert log.keeper.skips == 0
        turns += 1
    assert turns > 200


def test_who_is_one_chip_from_winning() -> None:
    """R32, A11: every number of chips that somebody can hold."""
    for red in range(21):
        for blue in range(21):
            enough = red + blue >= 5 and red >= 2 and blue >= 2
            assert wins(red, blue) == enough
            keeper = Keeper()
            keeper.chips[3] = [red, blue]
            want = 0
            if not enough:
                want += 1 if red + 1 >= 2 and blue >= 2 and red + blue >= 4 else 0
                want += 2 if blue + 1 >= 2 and red >= 2 and red + blue >= 4 else 0
            assert keeper.one_chip(3) == want
            assert [keeper.one_chip(seat) for seat in (0, 1, 2, 4, 5)] == [0] * 5


def test_nobody_steals_a_win() -> None:
    """A10: tried with every number of chips that a thief may hold."""
    for red in range(8):
        for blue in range(8):
            if red + blue >= 5 and red >= 2 and blue >= 2:
                continue
            keeper = Keeper()
            for seat in range(2):
                keeper.apply(common.JOIN, seat)
            keeper.apply(common.START)
            assert keeper.turn == 1
            keeper.chips[1] = [red, blue]
            keeper.chips[0] = [1, 1]
            for colour in (0, 1):
                after = [red + (colour == 0), blue + (colour == 1)]
                win = sum(after) >= 5 and min(after) >= 2
                why = keeper.why_not(says.STEAL_CHIP, 1, colour)
                assert why == (("would_win", 1) if win else None), (red, blue, colour)


def test_allowed_agrees_with_why_not() -> None:
    random = Prng(4)
    place = 0
    seen = set()
    for log, _, _, _, _ in walk(5, 800):
        place += 1
        if place % 8:
            continue
        keeper = log.keeper
        allowed = keeper.allowed()
        assert len(allowed) > 0
        for what, _ in allowed:
            seen.add(what)
        for what in CODES:
            for seat in list(range(6)) + [NO_SEAT]:
                said = (what, seat if what in _BY_SEAT else NO_SEAT) in allowed
                for arg in list(range(13)) + [65536 + 32768, random.below(1300)]:
                    if keeper.why_not(what, seat, arg) is None:
                        assert said, (keeper.phase, what, seat, arg, allowed)
    assert seen >= set(NAMES)


def test_snapshot_and_restore() -> None:
    for place, (log, _, _, _, _) in enumerate(walk(6, 1500)):
        if place % 5 == 0:
            keeper = log.keeper
            other = keeper_of(keeper.snapshot())
            assert other.snapshot() == keeper.snapshot()
            assert other.chips == keeper.chips and other.skips == keeper.skips
            assert other.blockable == keeper.blockable and other.ring.live == keeper.ring.live
            assert other.allowed() == keeper.allowed()


def test_damaged_snapshots_are_refused_and_change_nothing() -> None:
    keeper = Keeper()
    for seat in range(3):
        keeper.apply(common.JOIN, seat)
    for what in (common.START, says.RED, says.SKIP):
        assert keeper.apply(what)[0] is None
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
    assert other.skips == 1 and other.chips[1] == [1, 0]


def test_undo_and_redo_tell_where_the_table_stands() -> None:
    """A12: what is near to winning is told again when it has become so by taking back."""
    log = Log()
    log.say(common.GAME, NO_SEAT, 2)
    for seat in range(2):
        log.say(common.JOIN, seat)
    log.say(common.START)
    for what in (says.RED, says.RED, says.BLUE, says.BLUE):
        log.say(what)
    assert log.say(says.SKIP)[0] is None
    # Nothing about chips has changed by this one.
    assert log.say(common.UNDO)[1] == [("undone", NO_SEAT, says.SKIP), ("turn", 1, 0)]
    assert log.say(common.REDO)[1] == [
        ("redone", NO_SEAT, says.SKIP),
        ("played", 1, says.SKIP),
        ("skips", 1, 1),
    ]
    assert log.say(says.RED)[1] == [("chip", 1, 0), ("wins_unless_blocked", 1, 5)]
    told = log.say(common.UNDO)[1]
    assert told == [
        ("undone", NO_SEAT, says.RED),
        ("turn", 1, 0),
        ("skips", 1, 1),
        ("one_chip", 1, 3),
    ]
    for _ in range(2):
        told = log.say(common.UNDO)[1]
    assert told == [("undone", NO_SEAT, says.BLUE), ("turn", 1, 0)]


def test_the_game_is_known_by_its_number() -> None:
    """R1, R2: two to six players; there are no house rules."""
    package = games.load(2)
    assert package.Keeper is Keeper and games.name(2) == "sequence_stacks" and Keeper.game == 2
    assert package.SETTINGS == SETTINGS == () and package.NAMES is NAMES and package.WORDS is WORDS
    assert sorted(NAMES) == list(range(64, 73))
    assert Keeper.seats == 6 and Keeper.fewest == 2
    assert WORDS[says.STEAL_CHIP]["blue_of_3"] == 7
