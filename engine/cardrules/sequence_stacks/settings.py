"""The figures of Sequence Stacks: the pack, the deal, the chips and what wins. There are no house rules."""

SETTINGS = ()
"""House rules: (key, name, values, default)."""

DECK = 120
DECK_OF_TWO = 112
"""Cards that two players use (R10)."""
HAND = 5

BANK = 20
"""Chips of each colour (R4, A9)."""
WIN_CHIPS = 5
WIN_OF_EACH = 2
"""Who holds so many chips, and of each colour at least so many, wins (R32, A11)."""

NUMBERS = 5
COPIES = 9
"""Cards of each number in each colour (R5, A5)."""
WILDS = 7
"""Wilds of each colour (R5)."""
PILES = 2
"""Unfinished piles of each colour on the table at most (R16, A6)."""

ACTIONS = (("skip", 3, 2), ("reverse", 3, 0), ("steal_card", 3, 2), ("block", 3, 2), ("steal_chip", 4, 2))
"""Action cards: (name, cards, cards when two play) (R6, R10)."""
