"""The figures of Twenty-Two: the pack, what its cards count, and the house rules that may be chosen."""

LIMIT = 1
FIRST_HAND = 2
MUST_BEAT = 3
TIE_DEALER = 4
RETURN_CARDS = 5
FINAL_TIE = 6

SETTINGS = (
    (LIMIT, "limit", (22, 33), 22),
    (FIRST_HAND, "first_hand", (5, 6, 7, 8), 7),
    (MUST_BEAT, "must_beat", (0, 1), 0),
    (TIE_DEALER, "tie_dealer", (0, 1), 0),
    (RETURN_CARDS, "return_cards", (0, 1), 0),
    (FINAL_TIE, "final_tie", (0, 1), 0),
)
"""House rules: (key, name, values, default). tie_dealer: 0 the tied player who played last, 1 the one who
played first. return_cards: 1 the score pile of who is out goes back into the pack. final_tie: 0 shared
victory, 1 sudden death. Locked from the start of a match to its end."""

PACK = 52
OF_A_RANK = 4
SUDDEN_DEATH_HAND = 7

LOWEST, JACK, QUEEN, KING, ACE = 2, 11, 12, 13, 14
"""Ranks are 2 to 14."""


def value(rank: int) -> int:
    """Return what a card counts (R28): 2 to 10 as they are, jack, queen and king 10, ace 11."""
    return rank if rank <= 10 else 11 if rank == ACE else 10
