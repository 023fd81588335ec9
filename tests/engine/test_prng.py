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
    for impossible in (0, -1, 2**32 + 1):
        refused = False
        try:
            random.below(impossible)
        except ValueError:
            refused = True
        assert refused


def test_a_seed_is_not_below_0() -> None:
    refused = False
    try:
        Prng(-1)
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
    refused = False
    try:
        random.shuffle([0] * 257)
    except ValueError:
        refused = True
    assert refused


def test_a_part_of_a_shuffle_chooses_from_all() -> None:
    random = Prng(4)
    seen = [0] * 16
    for _ in range(3200):
        some = [0, 1, 2, 3]
        random.shuffle(some, 2)
        assert sorted(some) == [0, 1, 2, 3]
        seen[some[3] * 4 + some[2]] += 1
    pairs = [count for count in seen if count]
    assert len(pairs) == 12 and min(pairs) > 200 and max(pairs) < 340
    some = [0, 1, 2, 3]
    random.shuffle(some, 0)
    assert some == [0, 1, 2, 3]


def test_it_goes_on_from_its_state() -> None:
    random = Prng(9)
    random.word()
    other = Prng()
    other.resume(random.state())
    assert [other.word() for _ in range(5)] == [random.word() for _ in range(5)]
    for wrong in (b"", bytes(20), bytes(22), bytes(20) + b"!"):
        refused = False
        try:
            other.resume(wrong)
        except ValueError:
            refused = True
        assert refused


FIRST_WORDS = [401780795, 2572403807, 3913549182, 4089135070]
BELOW = [86, 572, 284, 437, 513, 200]
