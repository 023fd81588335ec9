"""One scene of the lights for every named state: four people at seats 1, 2, 4 and 5, seat 2 on turn."""

from table import cues
from table.lights import NO_SEAT, Scene

ACTIVE = 0b011011
TURN_SEAT = 1
NEXT_SEAT = 3


def base(pattern=cues.TURN, seat=TURN_SEAT):
    """Return a scene in the middle of a round."""
    scene = Scene()
    scene.pattern = pattern
    scene.seat = seat
    scene.active = ACTIVE
    scene.dealer = 0
    return scene


def example(name):
    """Return a scene in which the cue of this name is shown from 0 ms on."""
    pattern, _, _, _, length, _ = cues.CUES[name]
    if length:
        scene = base()
        other = TURN_SEAT
        n = 1
        seat = NEXT_SEAT
        if name == "took":
            n = 2
        elif name == "counted":
            n = 3
        elif name == "caught_up":
            seat, other = NEXT_SEAT, TURN_SEAT
        elif name == "swapped":
            other = 4
        elif name == "reversed":
            scene.direction = -1
        elif name == "colour_called":
            n = 2
            scene.colour = 2
        elif name in ("round_won", "round_void", "fault", "link", "welcome", "undone", "redone"):
            seat = NO_SEAT if name != "round_won" else NEXT_SEAT
        elif name == "left":
            scene.active &= ~(1 << NEXT_SEAT)
            scene.absent = 1 << NEXT_SEAT
        scene.start(pattern, seat, other, n, 0, length)
        return scene
    scene = base(pattern)
    if name == "direction_back":
        scene.direction = -1
    elif name.startswith("colour_") and name != "colour_wanted":
        scene.colour = ("red", "yellow", "green", "blue").index(name[7:])
    elif name == "owes":
        scene.owed = 2
    elif name == "entering":
        scene.seat = NEXT_SEAT
        scene.done = 2
        scene.total = 5
        scene.waiting = 0b010000
    elif name in ("absent", "eliminated"):
        scene.active &= ~(1 << NEXT_SEAT)
        scene.absent = 1 << NEXT_SEAT if name == "absent" else 0
    elif name == "short":
        scene.active = 1 << TURN_SEAT
        scene.absent = ACTIVE & ~scene.active
        scene.seat = NO_SEAT
    elif name == "last_card_held":
        scene.held_last = 1 << NEXT_SEAT
    elif name in ("lobby", "dark", "tie", "match_ended", "confirm"):
        scene.seat = NO_SEAT
    elif name == "asking":
        scene.seat = NEXT_SEAT
    return scene


def movie(lights, scene, start=0, length_ms=3000, step_ms=40):
    """Return the greyscale frames of a scene, one bytes of 24 levels each; flashes end by themselves."""
    frames = []
    for ms in range(start, start + length_ms, step_ms):
        if scene.flash != cues.NOTHING and ms - scene.flash_ms >= scene.flash_length:
            scene.stop()
        raw = lights.draw(scene, ms)
        frames.append(
            bytes([(77 * raw[i] + 150 * raw[i + 1] + 29 * raw[i + 2]) >> 8 for i in range(0, 72, 3)])
        )
    return frames
