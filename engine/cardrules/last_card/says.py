"""What can be said in Last Card, beside the announcements common to all games."""

DONE = 32  # seat: "my turn is over": a plain card played, a drawn card kept, or owed cards taken
SKIP = 33  # the seat on turn played a Skip
REVERSE = 34
PLUS_TWO = 35
WILD = 36
PLUS_FOUR = 37
COLOUR = 38  # arg: 0 red, 1 yellow, 2 green, 3 blue
DRAW = 39  # the seat on turn drew: one card, or all that a stack owes
PLAYED = 40  # the seat on turn played the number card it drew
COUNT = 41  # seat; arg: cards it really holds
OUT = 42  # seat: went out, whatever its count says
TURNED = 43  # arg: SKIP, REVERSE, PLUS_TWO or WILD: the card turned up at the deal
CATCH_UP = 44  # seat next due: the seat on turn played a plain card (or kept), then this seat did
CARD = 45  # seat; arg: 0 to 9 number card, 10 action, 11 wild: one card left in its hand
SUM = 46  # seat; arg: points left in its hand, typed as a sum
ALL = 47  # seat: no more cards in this hand, whatever its count says

NAMES = {
    DONE: "done",
    SKIP: "skip",
    REVERSE: "reverse",
    PLUS_TWO: "plus_two",
    WILD: "wild",
    PLUS_FOUR: "plus_four",
    COLOUR: "colour",
    DRAW: "draw",
    PLAYED: "played",
    COUNT: "count",
    OUT: "out",
    TURNED: "turned",
    CATCH_UP: "catch_up",
    CARD: "card",
    SUM: "sum",
    ALL: "all",
}

COLOURS = ("red", "yellow", "green", "blue")
"""Words for the colours 0 to 3 (R7: circle, triangle, square, diamond)."""

WORDS = {
    COLOUR: {"red": 0, "yellow": 1, "green": 2, "blue": 3},
    TURNED: {"skip": SKIP, "reverse": REVERSE, "plus_two": PLUS_TWO, "wild": WILD},
    CARD: {"action": 10, "wild": 11},
}
"""Words that texts may use for the numbers of announcements: code -> word -> number."""
