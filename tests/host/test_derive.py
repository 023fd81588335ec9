"""What is derived from any evening agrees with the keeper at the table, however the evening arrives."""

import random

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT, Announcement
from cardrules.last_card import says as last_card
from chautari.derive import derive
from evening import Evening
from hypothesis import given, settings
from hypothesis import strategies as st

LIKELY = (
    says.UNDO,
    says.UNDO,
    says.UNDO,
    says.REDO,
    says.REDO,
    says.SWAP,
    says.CORRECT,
    says.LEAVE,
    says.JOIN,
)


def wild_evening(seed: int, steps: int) -> Evening:
    """A match in which rounds end early and much is taken back, corrected and swapped."""
    chance = random.Random(seed)
    evening = Evening().match(chance.randint(2, 6), target=chance.choice((1, 200, 300)))
    for _ in range(steps):
        keeper = evening.log.keeper
        assert keeper is not None
        what, seat, arg = _something(chance, evening)
        if evening.log.why_not(what, seat, arg) is None:
            evening.say(what, seat, arg)
    return evening


def _something(chance: random.Random, evening: Evening) -> tuple[int, int, int]:
    keeper = evening.log.keeper
    assert keeper is not None
    if keeper.phase == "scoring" and chance.random() < 0.8:
        return last_card.SUM, keeper.entering, chance.choice((20, 30, 45, 140))
    if keeper.phase == "scored" and chance.random() < 0.6:
        return says.CLOSE, NO_SEAT, keeper.points
    if chance.random() < 0.4:
        what = chance.choice(LIKELY)
        seat = NO_SEAT if what in (says.UNDO, says.REDO) else chance.randrange(6)
        arg = 0
        if what == says.SWAP:
            arg = chance.randrange(6)
        elif what == says.CORRECT:
            arg = chance.randint(1, 3) * 65536 + 32768 + chance.randrange(200)
        return what, seat, arg
    if chance.random() < 0.5:
        return last_card.OUT, chance.randrange(6), 0
    return chance.choice((last_card.DONE, last_card.DRAW, last_card.SKIP)), keeper.turn, 0


def totals(found: object) -> dict[int, int]:
    sums: dict[int, int] = {}
    for fact in found.facts:  # type: ignore[attr-defined]
        if fact.number in found.standing:  # type: ignore[attr-defined]
            for part in fact.scores:
                sums[part.chair] = sums.get(part.chair, 0) + part.points
    return sums


@given(st.integers(0, 2**32), st.integers(10, 150))
@settings(max_examples=60, deadline=None)
def test_the_facts_that_count_add_up_to_the_scores_at_the_table(seed: int, steps: int) -> None:
    evening = wild_evening(seed, steps)
    keeper = evening.log.keeper
    assert keeper is not None
    found = derive(evening.said[1:])
    assert found.refused == []
    assert sorted(chair.score for chair in found.chairs if chair.score) == sorted(filter(None, keeper.scores))
    sums = totals(found)
    for chair in found.chairs:
        assert sums.get(chair.chair, 0) == chair.score == keeper.scores[chair.seat], (seed, steps)
    assert len(found.standing) == len(keeper.rounds)


@given(st.integers(0, 2**32), st.integers(10, 120), st.data())
@settings(max_examples=40, deadline=None)
def test_what_stood_before_is_what_was_found_before(seed: int, steps: int, data: st.DataObject) -> None:
    said = wild_evening(seed, steps).said[1:]
    cut = data.draw(st.integers(1, len(said)))
    before, after = derive(said[:cut]), derive(said, known_to=said[cut - 1].number)
    assert after.standing_before == before.standing
    assert after.rules_before == before.rules
    assert [fact for fact in after.facts if fact.number <= said[cut - 1].number] == before.facts


def test_a_rule_nobody_mentioned_is_played_as_it_is_stored() -> None:
    said: list[Announcement] = Evening().match(3).round(1, 250).round(1, 60).said[1:]
    found = derive(said, said[-1].number, {"target": 500, "stacking": 0, "draw_until": 0})
    assert found.rules["target"] == 500 and found.rules_before["target"] == 300
    assert found.state == "running" and len(found.standing) == 2
