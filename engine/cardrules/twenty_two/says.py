"""What can be said in Twenty-Two, beside the announcements common to all games."""

EXCHANGE = 96  # seat; arg: cards it exchanged before the first trick
TRICK = 97  # seat: took the trick and leads the next; arg: cards led, 0 is as good as 1
LAST = 98  # arg: rank that takes the last trick: 2 to 10, 11 jack, 12 queen, 13 king, 14 ace
KEEPS = 99  # seat: played that rank and keeps its card
LEFT = 100  # arg: cards that each really still holds

NAMES = {EXCHANGE: "exchange", TRICK: "trick", LAST: "last", KEEPS: "keeps", LEFT: "left"}

WORDS = {LAST: {"jack": 11, "queen": 12, "king": 13, "ace": 14}}
"""Words that texts may use for the numbers of announcements: code -> word -> number."""
