"""The house rules of Last Card and the make-up of its pack."""

TARGET = 1
STACKING = 2
DRAW_UNTIL = 3

SETTINGS = (
    (TARGET, "target", (0, 200, 300, 500), 300),  # R29, R30: points; 0 is one round
    (STACKING, "stacking", (0, 1), 0),  # R31
    (DRAW_UNTIL, "draw_until", (0, 1), 0),  # R32
)
"""(key, name, values allowed, value unless changed)"""

SEATS_MIN = 2  # R2
SEATS_MAX = 6

HAND = 7  # R9: cards dealt to each
PACK = 108  # R5, R6
ZEROS = 4  # one a colour
EACH_NUMBER = 8  # 1 to 9: two a colour
ACTIONS = 24
WILDS = 8
ACTION_POINTS = 20  # R27
WILD_POINTS = 50
