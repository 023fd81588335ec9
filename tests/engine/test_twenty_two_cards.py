"""The cards of Twenty-Two and which of them may be played. Runs under CPython and in the MicroPython VM.

The numbers are those of docs/rules/twenty_two.md.
"""

from cardrules.prng import Prng
from cardrules.twenty_two.cards import (
    RANK,
    VALUE,
    can_meet,
    exchanges,
    follows,
    leads,
    may_follow,
    may_lead,
    meets,
    name,
    named,
)
from cardrules.twenty_two.settings import OF_A_RANK, PACK, value

SIGNS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def cards(text: str) -> "list[int]":
    """Return cards by their ranks, sorted; the first ones of each rank."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        card = SIGNS.index(word) * OF_A_RANK
        while card in found:
            card += 1
        assert RANK[card] == SIGNS.index(word) + 2, "five of a rank"
        found.append(card)
    return sorted(found)


def play(text: str) -> "tuple[int, ...]":
    return tuple(cards(text))


def by_rank(plays: "list[tuple[int, ...]]") -> "list[str]":
    """Return plays by the ranks of their cards, in order."""
    return sorted([",".join([SIGNS[RANK[card] - 2] for card in each]) for each in plays])


def legal(hand: str, bench: str, must_beat: bool = False) -> "list[str]":
    return by_rank(follows(cards(hand), play(bench), must_beat))


def is_legal(what: str, hand: str, bench: str, must_beat: bool = False) -> bool:
    """Ask the test and the list, which have to agree."""
    allowed = may_follow(play(what), cards(hand), play(bench), must_beat)
    assert allowed == (by_rank([play(what)])[0] in legal(hand, bench, must_beat)), (what, hand, bench)
    return allowed


def test_the_pack() -> None:
    """R5, R28: 52 cards, four of each rank; what each counts in a score pile."""
    assert len(RANK) == len(VALUE) == PACK == 52 == 13 * OF_A_RANK
    assert list(RANK) == sorted(RANK) and RANK[0] == 2 and RANK[51] == 14
    for card in range(PACK):
        assert VALUE[card] == value(RANK[card])
    for text, points in (("2C", 2), ("9H", 9), ("10D", 10), ("JC", 10), ("QS", 10), ("KD", 10), ("AS", 11)):
        assert VALUE[named(text)] == points, text
    assert sum(VALUE) == 380
    assert named("2C") < named("9H") < named("10D") < named("JC") < named("QS") < named("KD") < named("AS")


def test_names() -> None:
    assert [named(name(card)) for card in range(PACK)] == list(range(PACK))
    refused = False
    try:
        named("1C")
    except ValueError:
        refused = True
    assert refused


def test_a_single_card_is_met_by_an_equal_or_higher_one() -> None:
    """R17, worked example 8: on a 10, the jack or the lowest card; the 9 is neither."""
    assert legal("2 9 J", "10") == ["2", "J"]
    assert is_legal("J", "2 9 J", "10") and is_legal("2", "2 9 J", "10")
    assert not is_legal("9", "2 9 J", "10")


def test_a_set_is_met_card_by_card() -> None:
    """R16, R18, R19, worked example 9: on 6,6 any two from 6 up, or the lowest two."""
    hand = "4 5 6 7 K"
    assert legal(hand, "6 6") == ["4,5", "6,7", "6,K", "7,K"]
    for what in ("5 7", "4 K", "4 6", "5 6"):
        assert not is_legal(what, hand, "6 6"), what
    for what in ("6", "6 7 K"):
        assert not may_follow(play(what), cards(hand), play("6 6")), "as many cards as were led"


def test_what_meets_a_mixed_set() -> None:
    """R19, worked example 10: on 6,7."""
    assert not meets(play("6 6"), play("6 7"))
    assert meets(play("6 A"), play("6 7"))
    assert not meets(play("5 K"), play("6 7"))
    assert meets(play("6 7"), play("6 7")) and meets(play("8 9"), play("6 7"))


def test_three_jacks() -> None:
    """Worked example 11: the set that meets them, or the lowest three."""
    assert legal("3 J Q Q", "J J J") == ["3,J,Q", "J,Q,Q"]


def test_three_of_a_mixed_set() -> None:
    """Worked example 12: on J,Q,Q; 2,2,3 only from a hand in which they are the lowest."""
    assert meets(play("Q K A"), play("J Q Q"))
    assert is_legal("2 2 3", "2 2 3 K A", "J Q Q")
    assert not is_legal("2 2 3", "2 2 2 3 K", "J Q Q")
    assert is_legal("2 2 2", "2 2 2 3 K", "J Q Q")


def test_lowest_cards_may_meet_as_well() -> None:
    """A16, worked example 15: on a 10, of queen and king the queen is the lowest and meets it."""
    assert legal("Q K", "10") == ["K", "Q"]
    assert meets(play("Q"), play("10"))
    assert len(follows(cards("Q K"), play("10"))) == 2, "it is offered once"


def test_what_may_be_led() -> None:
    """R15, R21, worked example 16: a set, but one card stays for the last trick."""
    assert by_rank(leads(cards("5 5 5"))) == ["5", "5,5"]
    assert not may_lead(play("5 5 5"), cards("5 5 5"))
    assert by_rank(leads(cards("5 5"))) == ["5"] and not may_lead(play("5 5"), cards("5 5"))
    assert by_rank(leads(cards("5"))) == ["5"] and may_lead(play("5"), cards("5"))
    assert by_rank(leads(cards("7 Q Q A A A A"))) == ["7", "A", "A,A", "A,A,A", "A,A,A,A", "Q", "Q,Q"]
    assert not may_lead(play("7 Q"), cards("7 Q Q A")) and not may_lead((), cards("7 Q"))


def test_playing_low_is_a_free_choice_unless_the_house_says_otherwise() -> None:
    """A15: with must_beat the lowest cards only when nothing meets the highest play."""
    assert legal("2 9 J", "10") == ["2", "J"]
    assert legal("2 9 J", "10", must_beat=True) == ["J"]
    assert not is_legal("2", "2 9 J", "10", must_beat=True)
    assert legal("2 9 J", "Q", must_beat=True) == ["2"]
    assert legal("Q K", "10", must_beat=True) == ["K", "Q"]
    assert can_meet(cards("4 9"), play("9")) and not can_meet(cards("4 9"), play("9 9"))


def test_the_last_card_is_the_only_play() -> None:
    """R22: with one card in hand that card is the only play, low or high."""
    for must_beat in (False, True):
        assert legal("4", "9", must_beat) == ["4"] and legal("A", "9", must_beat) == ["A"]


def test_exchanges() -> None:
    """R11: any number of cards, none as well, at most as many as there are."""
    assert by_rank(exchanges(cards("3 3 K"), 3)) == sorted(
        ["", "3", "3,3", "K", "3,K", "3,3,K"],
    )
    assert by_rank(exchanges(cards("3 3 K"), 1)) == ["", "3", "K"]
    assert exchanges(cards("3 3 K"), 0) == [()]
    assert len(exchanges(cards("2 3 4 5 6 7 8 9 10 J Q"), 11)) == 2048


# Every choice of ranks, no matter how: what the lists have to hold, each once.


def multisets(hand: "list[int]", size: int) -> "list[tuple[int, ...]]":
    """Return every choice of so many cards of a sorted hand, by ranks, with one set of cards for each."""
    ranks: list[int] = []
    for card in hand:
        if RANK[card] not in ranks:
            ranks.append(RANK[card])
    ways: list[tuple[int, ...]] = [()]
    for rank in ranks:
        those = [card for card in hand if RANK[card] == rank]
        ways = [way + tuple(those[:number]) for way in ways for number in range(len(those) + 1)]
    return [way for way in ways if len(way) == size]


def dealt(random: Prng, most: int) -> "list[int]":
    pack = list(range(PACK))
    random.shuffle(pack)
    return sorted(pack[: 1 + random.below(most)])


def test_the_lists_of_plays_are_complete() -> None:
    """R15-R19, R21, A15, A16: against all choices of ranks, tried one by one."""
    random = Prng(22)
    met = 0
    for place in range(250):
        hand = dealt(random, 11)
        for size in range(1, min(4, len(hand)) + 1):
            bench = dealt(random, 20)
            while len(bench) < size:
                bench = dealt(random, 20)
            if place % 3 == 0:  # a lead: all of one rank
                rank = random.below(13)
                bench = [rank * 4 + suit for suit in range(4)]
            highest = tuple(bench[:size])
            ways = multisets(hand, size)
            wanted = by_rank([way for way in ways if may_lead(way, hand)])
            assert by_rank([way for way in leads(hand) if len(way) == size]) == wanted
            for must_beat in (False, True):
                wanted = by_rank([way for way in ways if may_follow(way, hand, highest, must_beat)])
                assert by_rank(follows(hand, highest, must_beat)) == wanted, (hand, highest)
                assert wanted
            met += can_meet(hand, highest)
            assert can_meet(hand, highest) == (len([way for way in ways if meets(way, highest)]) > 0)
    assert met > 200


def test_the_lists_of_exchanges_are_complete() -> None:
    random = Prng(23)
    for _ in range(60):
        hand = dealt(random, 9)
        most = random.below(len(hand) + 1)
        ways = [way for size in range(most + 1) for way in multisets(hand, size)]
        assert by_rank(exchanges(hand, most)) == by_rank(ways)


def test_all_small_hands_of_four_ranks() -> None:
    """Every hand of up to five cards of four ranks against every lead and every pair."""
    hands: list[list[int]] = [[]]
    for rank in range(4):
        hands = [hand + [rank * 4 + suit for suit in range(number)] for hand in hands for number in range(5)]
    texts = ("2", "3", "5", "2 2", "3 3", "3 4", "4 5", "5 5", "3 3 3", "3 4 5", "2 2 2 2", "2 3 4 5")
    benches = [play(text) for text in texts]
    tried = 0
    for hand in hands:
        if 1 <= len(hand) <= 5:
            for bench in benches:
                if len(bench) <= len(hand):
                    tried += 1
                    ways = multisets(hand, len(bench))
                    wanted = by_rank([way for way in ways if may_follow(way, hand, bench)])
                    assert by_rank(follows(hand, bench)) == wanted, (hand, bench)
    assert tried > 800
