"""The generator. Runs under CPython and in the MicroPython VM."""

from cardrules.prng import Prng


def test_the_sequence_is_fixed() -> None:
    random = Prng(1)
    assert [random.word() for _ in range(4)] == FIRST_WORDS
    random = Prng(2**70 + 5)
    assert [random.below(1000) for _ in range(6)] == BELOW


def test_below_stays_below_and_reaches_all() -> None:
    random = Prng(7)
    for limit in (1, 2, 3, 6, 108, 2**31 + 1, 2**32):
        for _ in range(50):
            assert 0 <= random.below(limit) < limit
    seen = [0] * 6
    for _ in range(6000):
        seen[random.below(6)] += 1
    assert min(seen) > 850 and max(seen) < 1150
    refused = False
    try:
        random.below(0)
    except ValueError:
        refused = True
    assert refused


def test_every_part_of_the_seed_counts() -> None:
    firsts = [Prng(seed).word() for seed in (0, 1, 2, 2**32, 2**32 + 1, 2**64, 2**100)]
    for place in range(len(firsts)):
        assert firsts[place] not in firsts[:place]


def test_shuffle_keeps_the_cards() -> None:
    random = Prng(3)
    cards = list(range(108))
    random.shuffle(cards)
    assert cards != list(range(108))
    assert sorted(cards) == list(range(108))
    first = [0] * 4
    for _ in range(2400):
        some = [0, 1, 2, 3]
        random.shuffle(some)
        first[some[0]] += 1
    assert min(first) > 500 and max(first) < 700


def test_it_goes_on_from_its_state() -> None:
    random = Prng(9)
    random.word()
    other = Prng()
    other.resume(random.state())
    assert [other.word() for _ in range(5)] == [random.word() for _ in range(5)]
    for wrong in (b"", bytes(16), bytes(15), bytes(17)):
        refused = False
        try:
            other.resume(wrong)
        except ValueError:
            refused = True
        assert refused


FIRST_WORDS = [1798257418, 3159789915, 2776468769, 559824710]
BELOW = [536, 22, 5, 632, 818, 163]
