"""Every state of the table by name, and how it looks, reads and sounds.

The one place for the look of a cue: which pattern the lights show, which picture and words stand
on the screen, which tune plays, for how long, and which of several cues at once is shown. The
patterns themselves are drawn in lights.py from the numbers below.

No cue leans on colour or sound: position and motion carry it, colour only helps.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


# Patterns that last as long as the state does.
DARK = 0
LOBBY = 1
TURN = 2
COLOUR_WANTED = 3
OUT_ASKED = 4
ENTERING = 5
SCORED = 6
SHORT = 7
MATCH_WON = 8
MATCH_ENDED = 9
PAUSED = 10
ASKING = 11
TIE = 12
CONFIRM = 13

# Patterns that pass, laid over the ones above.
NOTHING = 20
LAST_CARD = 21
SKIPPED = 22
REFUSED = 23
TOOK = 24
CAUGHT_UP = 25
UNDONE = 26
REDONE = 27
ROUND_WON = 28
ROUND_VOID = 29
FAULT = 30
LINK = 31
WELCOME = 32
COUNTED = 33
REVERSED = 34
COLOUR_CALLED = 35
JOINED = 36
LEFT = 37
RETURNED = 38
SWAPPED = 39
STARTED = 40
RESUMED = 41
DREW = 42
CORRECTED = 43
TAKEN = 44

# Tunes: hertz and milliseconds in turn, 0 hertz is a rest.
SILENT = ()
TICK = (2400, 12)
STEP = (880, 45)
GONG = (1320, 60, 0, 30, 1320, 60)
NO = (220, 110, 0, 40, 196, 160)
LAST_CARD_TUNE = (1047, 90, 1319, 90, 1568, 90, 0, 50, 1568, 90, 1319, 90, 1568, 180)
HOP = (988, 50, 0, 20, 1480, 70)
TURN_ROUND = (1175, 60, 784, 80)
DRAWN = (587, 60)
TAKE = (494, 80, 415, 80, 349, 110)
TWO_NOTES = (740, 60, 988, 80)
BACK = (880, 50, 659, 80)
FORTH = (659, 50, 880, 80)
CALL = (784, 60, 1047, 90)
ASK = (659, 90, 0, 40, 659, 90, 988, 140)
ROUND_TUNE = (784, 110, 988, 110, 1175, 110, 1568, 260)
MATCH_TUNE = (784, 130, 784, 90, 784, 90, 1047, 260, 988, 130, 1175, 130, 1568, 420)
TROUBLE = (330, 140, 0, 60, 330, 140, 0, 60, 330, 140)
HELLO = (523, 80, 784, 80, 1047, 120)
LINKED = (1319, 40, 1760, 60)
BEEP = (1760, 90)
"""Marks that a long press has been long enough."""

#   name: (pattern, picture, words, tune, ms it lasts (0: as long as the state), rank)
# Words stand on their own, or below the name that a state is about; a list has them as its title. No
# picture: a number stands in its place, or the state adds nothing to what the screen shows.
# The highest rank among the cues of one announcement is the one that is shown and heard.
CUES = {
    "dark": (DARK, "", "", SILENT, 0, 0),
    "lobby": (LOBBY, "people", "screen.lobby", SILENT, 0, 0),
    "turn": (TURN, "clockwise", "", STEP, 0, 10),
    "direction_back": (TURN, "anticlockwise", "", STEP, 0, 10),
    "colour_wanted": (COLOUR_WANTED, "shapes", "screen.colour_wanted", CALL, 0, 30),
    "colour_red": (TURN, "circle", "colour.0", SILENT, 0, 10),
    "colour_yellow": (TURN, "triangle", "colour.1", SILENT, 0, 10),
    "colour_green": (TURN, "square", "colour.2", SILENT, 0, 10),
    "colour_blue": (TURN, "diamond", "colour.3", SILENT, 0, 10),
    "owes": (TURN, "", "screen.owes", TAKE, 0, 30),
    "out_asked": (OUT_ASKED, "question", "screen.out_asked", ASK, 0, 70),
    "entering": (ENTERING, "", "screen.cards_entered", STEP, 0, 10),
    "scored": (SCORED, "sum", "screen.plus_points", GONG, 0, 40),
    "short": (SHORT, "people", "screen.short", TROUBLE, 0, 60),
    "match_won": (MATCH_WON, "cup", "screen.points", MATCH_TUNE, 0, 90),
    "match_ended": (MATCH_ENDED, "out", "screen.match_ended", GONG, 0, 80),
    "tie": (TIE, "swap", "screen.tie", GONG, 0, 85),
    "paused": (PAUSED, "pause", "screen.paused", BACK, 0, 60),
    "asking": (ASKING, "pencil", "", SILENT, 0, 0),
    "confirm": (CONFIRM, "hold", "", SILENT, 0, 0),
    "absent": (TURN, "", "", SILENT, 0, 0),
    "eliminated": (TURN, "", "", GONG, 0, 65),
    "last_card_held": (TURN, "", "", SILENT, 0, 0),
    "menu": (TURN, "", "menu.title", SILENT, 0, 0),
    "keys_help": (TURN, "", "screen.keys_page", SILENT, 0, 0),
    "last_card": (LAST_CARD, "card_one", "screen.last_card", LAST_CARD_TUNE, 1500, 96),
    "skipped": (SKIPPED, "skip", "screen.skipped", HOP, 900, 50),
    "refused": (REFUSED, "no", "screen.refused", NO, 900, 100),
    "took": (TOOK, "draw", "screen.took", TAKE, 1400, 55),
    "taken": (TAKEN, "correct", "screen.taken", STEP, 500, 20),
    "drew": (DREW, "draw", "screen.drew", DRAWN, 500, 15),
    "caught_up": (CAUGHT_UP, "correct", "screen.caught_up", TWO_NOTES, 900, 35),
    "reversed": (REVERSED, "reverse", "screen.reversed", TURN_ROUND, 1000, 40),
    "colour_called": (COLOUR_CALLED, "", "", CALL, 900, 42),
    "counted": (COUNTED, "cards", "screen.counted", GONG, 1200, 30),
    "undone": (UNDONE, "undo", "screen.undone", BACK, 900, 95),
    "redone": (REDONE, "redo", "screen.redone", FORTH, 900, 95),
    "round_won": (ROUND_WON, "star", "screen.round_won", ROUND_TUNE, 2600, 80),
    "round_void": (ROUND_VOID, "no", "screen.round_void", TROUBLE, 1500, 82),
    "started": (STARTED, "cards", "screen.dealt", ROUND_TUNE, 1200, 60),
    "resumed": (RESUMED, "correct", "screen.resumed", FORTH, 800, 60),
    "corrected": (CORRECTED, "correct", "screen.corrected", GONG, 1000, 60),
    "joined": (JOINED, "person", "screen.joined", FORTH, 500, 40),
    "left": (LEFT, "out", "screen.left", BACK, 700, 40),
    "returned": (RETURNED, "person", "screen.returned", FORTH, 900, 40),
    "swapped": (SWAPPED, "swap", "screen.swapped", GONG, 1200, 60),
    "fault": (FAULT, "fault", "screen.fault", TROUBLE, 2000, 98),
    "link": (LINK, "plug", "screen.link", LINKED, 1200, 12),
    "welcome": (WELCOME, "sun", "screen.welcome", HELLO, 1600, 97),
}

COLOURS = ("colour_red", "colour_yellow", "colour_green", "colour_blue")
"""The state while this colour is called; its picture and word are those of the call itself too."""

STEP_PICTURES = {"seat": "person", "key": "turned", "confirm": "question"}
"""What a question's step shows instead of the picture of its state."""

BY_NOTICE = {
    "turn": "turn",
    "round_started": "started",
    "match_started": "started",
    "direction": "reversed",
    "turned": "counted",
    "skipped": "skipped",
    "owes": "owes",
    "takes": "took",
    "taken": "taken",
    "drew": "drew",
    "caught_up": "caught_up",
    "colour_wanted": "colour_wanted",
    "colour": "colour_called",
    "last_card": "last_card",
    "count": "counted",
    "out_asked": "out_asked",
    "out": "round_won",
    "round_won": "round_won",
    "round_scored": "scored",
    "entering": "entering",
    "round_void": "round_void",
    "match_won": "match_won",
    "match_ended": "match_ended",
    "corrected": "corrected",
    "paused": "paused",
    "resumed": "resumed",
    "joined": "joined",
    "joins_next_round": "joined",
    "left": "left",
    "returned": "returned",
    "swapped": "swapped",
    "chip": "taken",
    "chip_lost": "took",
    "no_chip": "taken",
    "blocked": "skipped",
    "card_stolen": "took",
    "skips": "drew",
    "one_chip": "last_card",
    "wins_unless_blocked": "out_asked",
    "drawn_unless_blocked": "out_asked",
    "match_drawn": "tie",
    "exchanged": "drew",
    "trick": "taken",
    "each_holds": "counted",
    "last_trick": "last_card",
    "last_rank": "entering",
    "keeps": "taken",
    "in_danger": "last_card",
    "eliminated": "left",
    "match_shared": "tie",
    "sudden_death": "started",
    "undone": "undone",
    "redone": "redone",
}
"""The cue of a notice; notices without one are read from the screen alone."""

# How the patterns are tuned. Levels are 0 to 255, times are milliseconds.
BREATH_LOW = 50
CHASE_STEP_MS = 90  # the chase moves on by one pixel
CHASE_LEVELS = (60, 42, 26, 10)
DEALER_LEVEL = 40
ABSENT_LEVEL = 70
JOINED_LEVEL = 90
RHYTHM_LEVEL = 64
OWED_STEP_MS = 150  # half of it for more cards than a seat has lights; TOOK likewise
SHAKE_MS = 120  # of all seats, when a key is refused
ANSWER_MS = 110  # of the seat on turn, when another one is refused
SPARKLE_MS = 120  # of the ring, when the winner's light has gone round it
LOBBY_LAG_MS = 400  # from one empty seat to the next

STEP_MS = {
    # the pattern moves on by one step
    COLOUR_WANTED: 250,
    OUT_ASKED: 160,
    SHORT: 300,
    ASKING: 200,
    REFUSED: 90,
    SKIPPED: 150,
    TOOK: 140,
    DREW: 110,
    CAUGHT_UP: 150,
    ROUND_WON: 107,
    FAULT: 250,
    JOINED: 100,
    RETURNED: 200,
    LEFT: 160,
    SWAPPED: 200,
    RESUMED: 133,
    CORRECTED: 250,
}
LAP_MS = {
    # the pattern comes round once
    LOBBY: 2400,
    TURN: 1800,
    SCORED: 2400,
    MATCH_WON: 1400,
    TIE: 1200,
    CONFIRM: 2000,
    UNDONE: 450,
    REDONE: 450,
    ROUND_VOID: 1200,
    LINK: 900,
    WELCOME: 3200,
    REVERSED: 500,
    STARTED: 600,
}
# (on, off, on, off ...) milliseconds
PAUSED_BLINK = (1300, 700)
ABSENT_BLINK = (500, 1000)
ENTERING_BLINK = (350, 350)
WINNER_BLINK = (230, 120)
LAST_CARD_BLINK = (130, 70, 130, 170)  # when it is announced: twice, again and again
HELD_BLINK = (130, 130, 130, 710)  # while it is held: twice-pause-twice

RHYTHMS = (
    # of the ring while a colour is called: (on, off) in milliseconds; corners to count
    (900, 900),  # circle: one long
    (140, 140, 140, 140, 140, 740),  # triangle: three short
    (225, 225, 225, 225, 225, 225, 225, 225),  # square: four even
    (140, 140, 140, 980),  # diamond: two short
)

# Red, green, blue at full level.
WHITE = 0
AMBER = 1
RED = 2
YELLOW = 3
GREEN = 4
BLUE = 5
TINTS = (
    (255, 220, 170),
    (255, 150, 20),
    (255, 30, 20),
    (255, 190, 0),
    (40, 255, 60),
    (50, 110, 255),
)
COLOUR_TINTS = (RED, YELLOW, GREEN, BLUE)

DUTY = (0, 1200, 16000)
"""Of the buzzer's PWM for sound off, low and normal, out of 65535."""

UPSIDE_DOWN = (False, False, True, True, True, False)
"""Which seats read the screen turned by 180 degrees: 1 sits at its lower edge, seats go clockwise."""


def pick(notices: "Sequence[tuple[str, int, int]]") -> "tuple[str, int, int] | None":
    """Return (cue name, seat, value) of the notice whose cue ranks highest, or None."""
    best = None
    name = ""
    highest = -1
    for notice in notices:
        found = BY_NOTICE.get(notice[0])
        if found is not None:
            rank = CUES[found][5]
            if rank > highest:
                highest = rank
                best = notice
                name = found
    return None if best is None else (name, best[1], best[2])
