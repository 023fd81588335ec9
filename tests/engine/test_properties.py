"""Properties of log and keeper for any sequence of announcements, found by hypothesis."""

from random import Random

import both
from cardrules import announcement as says
from cardrules.announcement import KEPT_BY_UNDO, NO_SEAT
from cardrules.last_card import Keeper
from cardrules.last_card import says as last_card
from cardrules.last_card.settings import KIND_CARDS, KIND_POINTS
from cardrules.log import Log
from hypothesis import given, settings
from hypothesis import strategies as st


class Drawn:
    """A Prng whose choices come from one drawn number, so that hypothesis can make them smaller."""

    def __init__(self, number: int) -> None:
        self.number = number

    def below(self, limit: int) -> int:
        self.number, rest = divmod(self.number, limit)
        return rest


CHOICES = st.lists(st.integers(0, 2**48), max_size=60)
SEATS = st.integers(2, 6)
RULES = st.tuples(st.sampled_from((1, 200, 300)), st.integers(0, 1), st.integers(0, 1))
QUICK = settings(max_examples=60, deadline=None)


def started(seats: int, rules: tuple[int, int, int]) -> Log:
    log = Log()
    log.say(says.GAME, NO_SEAT, 1)
    for place, value in enumerate(rules):
        assert log.say(says.RULE, NO_SEAT, (place + 1) * 65536 + value)[0] is None
    for seat in range(seats):
        log.say(says.JOIN, seat, seat + 1)
    log.say(says.START)
    return log


@QUICK
@given(SEATS, RULES, CHOICES)
def test_undo_then_redo_of_everything(seats: int, rules: tuple[int, int, int], choices: list[int]) -> None:
    log = started(seats, rules)
    assert log.keeper is not None
    states = [log.keeper.snapshot()]
    for place, number in enumerate(choices):
        what, seat, arg = both.guess(Drawn(number), log)
        if what in KEPT_BY_UNDO or what == says.GAME:
            continue
        if log.say(what, seat, arg, place)[0] is None:
            states.append(log.keeper.snapshot())
    for before in reversed(states[:-1]):
        assert log.say(says.UNDO)[0] is None
        assert log.keeper.snapshot() == before
    for after in states[1:]:
        assert log.say(says.REDO)[0] is None
        assert log.keeper.snapshot() == after


@QUICK
@given(SEATS, RULES, CHOICES)
def test_what_is_said_is_refused_whole_or_done_whole(
    seats: int, rules: tuple[int, int, int], choices: list[int]
) -> None:
    log = started(seats, rules)
    again = started(seats, rules)
    for place, number in enumerate(choices):
        assert log.keeper is not None
        what, seat, arg = both.guess(Drawn(number), log)
        before = log.checkpoint()
        reason, notices = log.say(what, seat, arg, place)
        if reason is not None:
            assert not notices and log.checkpoint() == before
        else:
            assert again.say(what, seat, arg, place) == (None, notices)
        keeper = log.keeper
        assert isinstance(keeper, Keeper)
        assert min(keeper.counts) >= 0 and sum(keeper.counts) <= 107
        copy = Keeper()
        copy.restore(keeper.snapshot())
        assert copy.snapshot() == keeper.snapshot() and copy.allowed() == keeper.allowed()
    assert again.checkpoint() == log.checkpoint()


@QUICK
@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=5),
    st.lists(st.tuples(st.booleans(), st.integers(0, 400)), min_size=5, max_size=5),
    st.randoms(use_true_random=False),
)
def test_real_hands_can_always_be_entered(
    sizes: list[int], ways: list[tuple[bool, int]], random: Random
) -> None:
    """Hands really dealt from one deck are accepted, card by card or as sums, in any mixture."""
    deck = [kind for kind, cards in enumerate(KIND_CARDS) for _ in range(cards)]
    random.shuffle(deck)
    log = started(len(sizes) + 1, (300, 0, 0))
    keeper = log.keeper
    assert isinstance(keeper, Keeper)
    for place, size in enumerate(sizes):
        log.say(last_card.COUNT, place + 1, size)
    assert log.say(last_card.OUT, 0)[0] is None
    total = 0
    for place, size in enumerate(sizes):
        hand = [deck.pop() for _ in range(size)]
        points = sum(KIND_POINTS[kind] for kind in hand)
        total += points
        assert keeper.entering == place + 1
        if ways[place][0]:
            wrong = ways[place][1]
            reason = log.why_not(last_card.SUM, NO_SEAT, wrong)
            if reason is not None:
                assert reason[0] == "sum_impossible" and reason[1] == size
                assert reason[2] < wrong and (reason[3] > wrong or reason[3] == -1)
                for near in reason[2:]:
                    assert near == -1 or log.why_not(last_card.SUM, NO_SEAT, near) is None
            assert log.say(last_card.SUM, NO_SEAT, points)[0] is None
        else:
            for kind in hand:
                assert log.say(last_card.CARD, NO_SEAT, kind)[0] is None
    assert keeper.phase == "scored" and keeper.points == total
    assert log.say(says.CLOSE, NO_SEAT, total)[0] is None
