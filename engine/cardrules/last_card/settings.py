"""The figures of Last Card: the deck, the deal, the points and the house rules that may be chosen."""

TARGET = 1
STACKING = 2
DRAW_UNTIL = 3

ONE_ROUND = 1
"""Value of TARGET: whoever wins the first round wins the match."""

SETTINGS = (
    (TARGET, "target", (ONE_ROUND, 200, 300, 500), 300),
    (STACKING, "stacking", (0, 1), 0),
    (DRAW_UNTIL, "draw_until", (0, 1), 0),
)
"""House rules: (key, name, values, default). Locked from the start of a match to its end (R34)."""

DECK = 108
HAND = 7
"""Cards that each player is dealt (R9)."""

# A hand is entered by kinds: the numbers 0 to 9, and these two.
ACTION = 10
WILD_CARD = 11
KIND_POINTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 50)
"""Points by kind (R27)."""
KIND_CARDS = (4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 24, 8)
"""Cards of each kind in the deck (R5, R6)."""
MOST_POINTS = 1240
"""Points of the whole deck."""
