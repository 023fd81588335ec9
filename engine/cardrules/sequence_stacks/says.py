"""What can be said in Sequence Stacks, beside the announcements common to all games."""

DONE = 64  # seat: discarded, the turn is over; while a winning chip waits: nobody blocks it
RED = 65  # the seat on turn finished a red sequence and takes its chip
BLUE = 66
BLOCK = 67  # an opponent blocks the sequence just finished; nobody's seat is recorded
SKIP = 68  # the seat on turn played a Skip
REVERSE = 69
STEAL_CHIP = 70  # the seat on turn took a chip; arg: victim * 2 + colour, 0 red, 1 blue
STEAL_CARD = 71  # the seat on turn took the top card of a discard pile; arg: whose
CATCH_UP = 72  # seat next due: the seat on turn had discarded, then this seat did

NAMES = {
    DONE: "done",
    RED: "red",
    BLUE: "blue",
    BLOCK: "block",
    SKIP: "skip",
    REVERSE: "reverse",
    STEAL_CHIP: "steal_chip",
    STEAL_CARD: "steal_card",
    CATCH_UP: "catch_up",
}

COLOURS = ("red", "blue")
"""Words for the colours 0 and 1 (shapes: circle and diamond)."""

WORDS = {
    STEAL_CHIP: {
        COLOURS[colour] + "_of_" + str(seat): seat * 2 + colour for seat in range(32) for colour in (0, 1)
    },
}
"""Words that texts may use for the numbers of announcements: code -> word -> number."""
