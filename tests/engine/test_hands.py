"""Possible sums of hands, against plain counting. Runs under CPython and in the MicroPython VM."""

from cardrules.last_card.hands import Sums
from cardrules.last_card.settings import DECK, KIND_CARDS, KIND_POINTS, MOST_POINTS
from cardrules.prng import Prng

try:
    from collections.abc import Sequence
except ImportError:
    Sequence = object


def counted(left: "Sequence[int]", most: int) -> "list[int]":
    """Return for 0 to most cards the possible sums as bits: the slow and certain way."""
    found = [0] * (most + 1)
    found[0] = 1
    for kind in range(len(left)):
        for _ in range(left[kind]):
            for cards in range(most, 0, -1):
                found[cards] |= found[cards - 1] << KIND_POINTS[kind]
    return found


def check(left: "Sequence[int]", most: int, step: int) -> None:
    truth = counted(left, most)
    sums = Sums(left)
    for cards in range(most + 1):
        for target in range(0, 50 * cards + 60, step):
            below = target
            while below >= 0 and not truth[cards] >> below & 1:
                below -= 1
            above = target
            while above < 5400 and not truth[cards] >> above & 1:
                above += 1
            above = above if above < 5400 else -1
            assert sums.nearest(cards, target) == (below, above), (left, cards, target)
            assert sums.possible(cards, target) == (below == target)


def test_the_deck() -> None:
    assert sum(KIND_CARDS) == DECK == 108
    assert sum([KIND_CARDS[kind] * KIND_POINTS[kind] for kind in range(12)]) == MOST_POINTS == 1240


def test_small_hands_of_a_whole_deck() -> None:
    check(KIND_CARDS, 6, 1)
    check(KIND_CARDS, 9, 11)


def test_big_hands() -> None:
    truth = counted(KIND_CARDS, 107)
    sums = Sums()
    for cards in (30, 60, 84, 100, 107):
        for target in range(0, 1300, 7):
            assert sums.possible(cards, target) == bool(truth[cards] >> target & 1), (cards, target)


def test_kinds_used_up() -> None:
    check((0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1, 0), 4, 1)
    check((4, 8, 0, 8, 8, 0, 8, 8, 8, 0, 3, 2), 5, 3)
    check((0,) * 10 + (2, 3), 5, 3)
    check((0,) * 12, 2, 1)
    random = Prng(5)
    for _ in range(6):
        left = [random.below(KIND_CARDS[kind] + 1) if random.below(3) else 0 for kind in range(12)]
        check(left, 5, 7)


