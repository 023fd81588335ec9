"""The 52 cards of Twenty-Two, and which of them may be played (R5, R15-R19, R21, R28, A14-A16).

A card is a number from 0 to 51, four of each rank, the low ranks first: a sorted list of cards is sorted
by rank. Suits make no difference (R5). A play is a tuple of cards, sorted.
"""

from cardrules.twenty_two.settings import LOWEST, OF_A_RANK, PACK, value

_SIGNS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_SUITS = "CDHS"

# Tuples, not bytes: they are looked up in every move.
RANK = tuple([LOWEST + card // OF_A_RANK for card in range(PACK)])
"""Rank of each card: 2 to 10, 11 jack, 12 queen, 13 king, 14 ace."""
VALUE = tuple([value(rank) for rank in RANK])
"""What each card counts in a score pile (R28)."""


def name(card: int) -> str:
    """Return a card in letters: 2C, 10D, JH, AS."""
    return _SIGNS[card // OF_A_RANK] + _SUITS[card % OF_A_RANK]


def named(text: str) -> int:
    """Return the card that has this name(). Raises ValueError if there is none."""
    for card in range(PACK):
        if name(card) == text:
            return card
    raise ValueError("no such card: " + text)


def meets(cards: "tuple[int, ...]", bench: "tuple[int, ...]") -> bool:
    """Is each card, in order, equal to or higher than its counterpart? (R17, R19, A14) Both are sorted."""
    for place in range(len(bench)):
        if RANK[cards[place]] < RANK[bench[place]]:
            return False
    return True


def may_lead(cards: "tuple[int, ...]", hand: "list[int]") -> bool:
    """May these cards of the hand be led? (R15, R21)"""
    if not 1 <= len(cards) <= max(1, len(hand) - 1):
        return False
    for card in cards:
        if RANK[card] != RANK[cards[0]]:
            return False
    return True


def may_follow(
    cards: "tuple[int, ...]", hand: "list[int]", bench: "tuple[int, ...]", must_beat: bool = False
) -> bool:
    """May these cards of the hand follow? (R16-R19, A15, A16) All three are sorted.

    bench: the highest play so far. must_beat: the house rule that lets nobody play low without need.
    """
    cards_led = len(bench)
    if len(cards) != cards_led:
        return False
    if meets(cards, bench):
        return True
    for place in range(cards_led):
        if RANK[cards[place]] != RANK[hand[place]]:
            return False
    return not (must_beat and can_meet(hand, bench))


def can_meet(hand: "list[int]", bench: "tuple[int, ...]") -> bool:
    """Can a hand meet the highest play? Its highest cards do, if any do. Both are sorted."""
    behind = len(hand) - len(bench)
    for place in range(len(bench)):
        if RANK[hand[behind + place]] < RANK[bench[place]]:
            return False
    return True


# What follows gives each choice once: of cards of a rank those of the hand that come first.


def leads(hand: "list[int]") -> "list[tuple[int, ...]]":
    """Return all plays that a sorted hand may lead (R15, R21)."""
    found = []
    most = max(1, len(hand) - 1)
    rank = 0
    start = 0
    for place in range(len(hand)):
        if RANK[hand[place]] != rank:
            rank = RANK[hand[place]]
            start = place
        if place - start < most:
            found.append(tuple(hand[start : place + 1]))
    return found


def follows(hand: "list[int]", bench: "tuple[int, ...]", must_beat: bool = False) -> "list[tuple[int, ...]]":
    """Return all plays by which a sorted hand may follow, the lowest cards last where they do not meet the
    highest play (R16-R19, A15, A16)."""
    lowest = tuple(hand[: len(bench)])
    if not can_meet(hand, bench):
        return [lowest]
    found: list[tuple[int, ...]] = [()]
    # Every way to choose a card for each place in order. Since the highest cards of the hand meet the
    # bench, each way that leaves enough cards behind it can be gone on with.
    ends = [-1]
    behind = len(hand) - len(bench)
    for place in range(len(bench)):
        wanted = RANK[bench[place]]
        longer = []
        ends_longer = []
        for way in range(len(found)):
            rank = 0
            for at in range(ends[way] + 1, behind + place + 1):
                card = hand[at]
                if RANK[card] != rank:  # another card of this rank would be the same choice
                    rank = RANK[card]
                    if rank >= wanted:
                        longer.append(found[way] + (card,))
                        ends_longer.append(at)
        found = longer
        ends = ends_longer
    if not must_beat and not meets(lowest, bench):
        found.append(lowest)
    return found


def exchanges(hand: "list[int]", most: int) -> "list[tuple[int, ...]]":
    """Return all choices of at most so many cards of a sorted hand, the empty one first (R11, R12)."""
    found: list[tuple[int, ...]] = [()]
    rank = 0
    start = 0
    for card in hand:
        # Of equal cards the second goes only where the first goes too: so each choice comes once.
        if RANK[card] != rank:
            rank = RANK[card]
            start = 0
        size = len(found)
        for way in range(start, size):
            if len(found[way]) < most:
                found.append(found[way] + (card,))
        start = size
    return found
