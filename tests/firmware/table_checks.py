"""Checks of the table's parts that run alike on CPython and on MicroPython.

Under pytest each check_ function is a test; as a program (`micropython table_checks.py`) it prints
one line per check and ends with an error at the first that fails.
"""

import sys

if sys.implementation.name == "micropython":
    _here = __file__[: __file__.rfind("/")] if "/" in __file__ else "."
    for _room in ("/../../firmware", "/../../engine"):
        sys.path.insert(0, _here + _room)
    sys.path.insert(0, _here)

from fake_board import WRAP, Board
from table import controls, cues, fonts, screen, text
from table.controls import CLASH, HELD, LONG, OK, PAUSE, PRESS, SHORT, UNDO, Controls
from table.lights import Lights, Scene
from table.screen import Screen
from table.sound import Sound


class Hand:
    """Controls with a board, polled every millisecond; the events stand in `seen`."""

    def __init__(self, start=1000, low=()):
        self.board = Board(start)
        for control in low:
            self.board.press(control)
        board = self.board
        self.controls = Controls(board.seats, board.rows, board.columns, board.ticks_diff)
        self.turn = -1
        self.direction = 1
        self.seen = []

    def run(self, ms):
        for _ in range(ms):
            count = self.controls.poll(self.board.ticks_ms(), self.turn, self.direction)
            for i in range(count):
                self.seen.append((self.controls.controls[i], self.controls.kinds[i]))
            self.board.clock += 1

    def hold(self, control, ms):
        self.board.press(control)
        self.run(ms)
        self.board.release(control)

    def take(self):
        seen = self.seen
        self.seen = []
        return seen


def key(legend):
    return controls.control(legend)


def check_bouncing_press_counts_once():
    # edges at 0, 3, 7, 12 ms, steady, let go at 180 with bounces to 190
    hand = Hand()
    hand.run(100)
    edges = {0: 1, 3: 0, 7: 1, 12: 0, 15: 1, 180: 0, 183: 1, 186: 0, 188: 1, 190: 0}
    for ms in range(400):
        if ms in edges:
            (hand.board.press if edges[ms] else hand.board.release)("seat3")
        hand.run(1)
    assert hand.take() == [(2, PRESS)], hand.seen
    assert not hand.controls.down(2)


def check_press_acts_on_its_first_edge():
    hand = Hand()
    hand.run(100)
    hand.board.press("seat1")
    hand.run(1)
    assert hand.take() == [(0, PRESS)]


def check_level_is_read_after_the_quiet_time():
    # a tap shorter than the quiet time is a press, and let go again
    hand = Hand()
    hand.run(100)
    hand.hold("seat1", 5)
    hand.run(24)
    assert hand.controls.down(0)
    hand.run(2)
    assert not hand.controls.down(0)
    hand.run(31)
    hand.hold("seat1", 60)
    assert hand.take() == [(0, PRESS), (0, PRESS)]


def check_long_key_gives_one_action():
    hand = Hand()
    hand.run(100)
    hand.hold("*", 790)
    hand.run(100)
    assert hand.take() == [(UNDO, PRESS), (UNDO, SHORT)]
    hand.hold("*", 900)
    hand.run(100)
    assert hand.take() == [(UNDO, PRESS), (UNDO, LONG)]
    # a tap, then a hold: one of each
    hand.hold("*", 100)
    hand.run(60)
    hand.hold("*", 900)
    hand.run(60)
    assert hand.take() == [(UNDO, PRESS), (UNDO, SHORT), (UNDO, PRESS), (UNDO, LONG)]


def check_long_fires_while_held():
    hand = Hand()
    hand.run(100)
    hand.board.press("0")
    hand.run(799)
    assert hand.take() == [(PAUSE, PRESS)]
    hand.run(3)
    assert hand.take() == [(PAUSE, LONG)]
    hand.run(1300)
    assert hand.take() == [(PAUSE, HELD)]
    hand.board.release("0")
    hand.run(100)
    assert hand.take() == []


def check_seats_and_other_keys_have_no_long_action():
    hand = Hand()
    hand.run(100)
    hand.hold("seat2", 3000)
    hand.hold("6", 3000)
    hand.run(100)
    assert hand.take() == [(1, PRESS), (key("6"), PRESS)]


def check_clock_may_wrap():
    hand = Hand(WRAP - 500)
    hand.run(100)
    hand.board.press("#")
    hand.run(900)  # over the wrap
    assert hand.take() == [(OK, PRESS), (OK, LONG)]
    hand.board.release("#")
    hand.run(100)
    hand.hold("seat1", 50)
    hand.run(100)
    assert hand.take() == [(0, PRESS)]


def check_stuck_seat_is_masked_and_named():
    hand = Hand(low=("seat2",))
    hand.run(500)
    assert hand.take() == [] and hand.controls.stuck() == []
    hand.run(600)
    assert hand.take() == [] and hand.controls.stuck() == [1] and hand.controls.stuck_changed()
    hand.hold("seat1", 50)
    hand.run(50)
    assert hand.take() == [(0, PRESS)]
    hand.board.release("seat2")
    hand.run(100)
    assert hand.take() == [] and hand.controls.stuck() == [] and hand.controls.stuck_changed()
    hand.hold("seat2", 50)
    assert hand.take() == [(1, PRESS)]


def check_remote_press_passes_a_stuck_button():
    hand = Hand(low=("seat2",))
    hand.run(1200)
    hand.controls.remote(1, True)
    hand.run(60)
    hand.controls.remote(1, False)
    hand.run(60)
    assert hand.take() == [(1, PRESS)] and hand.controls.stuck() == [1]


def check_remote_tap_between_two_scans_is_not_lost():
    hand = Hand()
    hand.run(100)
    hand.controls.remote(key("*"), True)
    hand.controls.remote(key("*"), False)
    hand.run(100)
    assert hand.take() == [(UNDO, PRESS), (UNDO, SHORT)]


def check_stuck_key_at_power_on():
    hand = Hand(low=("#",))
    hand.run(3000)
    assert hand.take() == [] and hand.controls.stuck() == [OK]
    hand.hold("5", 50)
    hand.run(50)
    assert hand.take() == [(key("5"), PRESS)]


def check_somebody_leans_on_a_button():
    hand = Hand()
    hand.run(100)
    hand.board.press("seat4")
    hand.run(15100)
    assert hand.take() == [(3, PRESS)] and hand.controls.stuck() == [3]
    hand.board.release("seat4")
    hand.run(50)
    assert hand.controls.stuck() == []


def check_ghost_keys_do_nothing():
    hand = Hand()
    hand.run(100)
    for legend in ("1", "2"):
        hand.board.press(legend)
        hand.run(50)
    assert hand.take() == [(key("1"), PRESS), (key("2"), PRESS)]
    hand.board.press("4")  # now "5" looks pressed as well
    hand.run(50)
    assert hand.take() == [] and hand.controls.ghosts > 0
    hand.board.release("1")  # the picture is clear again
    hand.run(50)
    assert hand.take() == [(key("4"), PRESS)]
    for legend in ("2", "4"):
        hand.board.release(legend)
    hand.run(50)
    assert hand.take() == []
    assert not hand.controls.down(key("5"))


def check_two_seats_in_one_scan():
    for turn, direction, pressed, winner in (
        (0, 1, (0, 3), 0),  # the seat on turn wins
        (5, 1, (1, 3), 1),  # else the nearest the way play goes
        (5, -1, (1, 3), 3),
        (2, 1, (1, 5), 5),
        (2, -1, (1, 5), 1),
    ):
        hand = Hand()
        hand.run(100)
        hand.turn = turn
        hand.direction = direction
        for seat in pressed:
            hand.board.press("seat" + str(seat + 1))
        hand.run(1)
        seen = hand.take()
        assert seen[0] == (winner, PRESS), (turn, direction, pressed, seen)
        assert [kind for _, kind in seen] == [PRESS, CLASH]


def check_with_nobody_on_turn_every_seat_counts():
    hand = Hand()
    hand.run(100)
    for seat in ("seat1", "seat4", "seat6"):
        hand.board.press(seat)
    hand.run(1)
    assert hand.take() == [(0, PRESS), (3, PRESS), (5, PRESS)]


def check_key_beats_seats_of_the_same_scan():
    hand = Hand()
    hand.run(100)
    hand.turn = 1
    hand.board.press("seat2")
    hand.board.press("1")
    hand.run(1)
    assert hand.take() == [(key("1"), PRESS), (1, CLASH)]


def check_no_key_pad_at_all():
    board = Board(0)
    alone = Controls(board.seats, [], [], board.ticks_diff)
    alone.poll(0)
    board.press("seat5")
    assert alone.poll(100) == 1 and alone.controls[0] == 4


def check_names_of_controls():
    for number in range(controls.CONTROLS):
        assert controls.control(controls.name(number)) == number
    for wrong in ("seat0", "seat7", "seat", "seatx", "E", "", "12"):
        assert controls.control(wrong) == -1, wrong
    assert controls.digit(key("0")) == 0 and controls.digit(key("7")) == 7
    assert controls.digit(key("A")) == -1 and controls.digit(3) == -1


def check_letters_the_screen_has():
    text.use({"screen": "\nseat=P{n}\n"})
    assert text.plain("Åsa Łukasz Ñuñez straße") == "Asa Lukasz Nunez strasse"
    assert text.plain("A\u030asa") == "Asa"  # a letter and a mark of its own
    assert text.plain("\u201cBo\u201d \u2013 \u2026") == '"Bo" - ...'
    assert text.name("Åsa", 0) == "Asa"
    assert text.name("अनु", 1) == "P2"
    assert text.name("🎲", 2) == "P3"
    assert text.name("李!", 3) == "P4"
    assert text.name("🎲 Bo", 3) == "Bo"
    assert text.name("", 5) == "P6"
    assert text.name("a\x00\nb", 0) == "a b"
    for code in range(0x20, 0x3000):
        for letter in text.plain(chr(code)):
            assert " " <= letter <= "~", code


def check_words_never_fail():
    text.use({"a": "\nb={name} has {n}\nbc=\n"})
    assert text.fill("a.b", name="Bo", n=3) == "Bo has 3"
    assert text.fill("a.b", name="Bo") == "{name} has {n}"
    assert text.fill("no.such") == "no.such" and text.fill("a.c") == "a.c" and text.word("a.bc") == ""
    assert text.minutes(0) == "0:00" and text.minutes(247999) == "4:07"


def check_long_name_is_cut_and_moves_nothing():
    wide = "Maximiliana Constantinopolitana"
    shown = screen.cut(wide, 60)
    assert wide.startswith(shown) and screen.width(shown) <= 60 < screen.width(wide)
    part = Board().screen
    one = Screen(part)
    one.clear()
    one.text(0, 2, wide, screen.NORMAL, 60)
    for page in range(8):
        for x in range(128):
            if page not in (2, 3) or x >= 60:
                assert one.buffer[128 * page + x] == 0, (page, x)
    one.text(0, 4, wide, screen.BIG)
    assert screen.width(screen.cut(wide, 128, screen.BIG), screen.BIG) <= 128


def check_text_lands_on_its_pixels():
    # the letter "I": a stem from the font, twice as large when big
    part = Board().screen
    one = Screen(part)
    one.clear()
    end = one.text(3, 0, "I")
    first, last = screen.letter_columns("I")
    for x in range(first, last):
        assert one.buffer[3 + x - first] == fonts.UPPER[x]
        assert one.buffer[128 + 3 + x - first] == fonts.LOWER[x]
    assert end == 3 + last - first + 1

    def lit(x, y):
        return one.buffer[y // 8 * 128 + x] >> (y % 8) & 1

    small = [[lit(3 + x, y) for x in range(last - first)] for y in range(16)]
    one.clear()
    one.text(10, 4, "I", screen.BIG)
    for y in range(32):
        for x in range(2 * (last - first)):
            assert lit(10 + x, 32 + y) == small[y // 2][x // 2]


def check_only_changed_pages_are_sent_one_at_a_time():
    part = Board().screen
    one = Screen(part)
    one.clear()
    one.changed()
    sent = 0
    while one.busy():
        before = part.pages
        one.step()
        assert part.pages - before <= 1
        sent = part.pages
    assert sent == 8  # the first picture is sent whole
    one.text(0, 4, "x")
    one.changed()
    while one.busy():
        one.step()
    assert part.pages - sent == 2
    assert part.shown == one.buffer
    one.turn(True)
    assert part.turned
    while one.busy():
        one.step()
    assert part.pages - sent == 10


def check_screen_that_dies_is_left_alone():
    part = Board().screen
    one = Screen(part)
    part.dead = True
    one.text(0, 0, "x")
    one.changed()
    for _ in range(20):
        one.step()
    assert one.fault and not one.busy()
    one.turn(True)
    one.power(False)
    one.dim(True)
    nobody = Screen(None)
    nobody.text(0, 0, "x")
    nobody.changed()
    assert nobody.fault and not nobody.step()


def check_tones_follow_each_other():
    board = Board(0)
    sound = Sound(board.tone)
    sound.play((400, 50, 0, 20, 600, 80), 0)
    for ms in range(0, 200, 4):
        board.clock = ms
        sound.step(ms)
    heard = [(hz, duty > 0) for _, hz, duty in board.tones]
    assert heard == [(400, True), (0, False), (600, True), (0, False)], heard
    assert [ms for ms, _, _ in board.tones] == [0, 52, 72, 152]
    assert not sound.busy()


def check_loudness():
    duties = []
    for level in (0, 1, 2):
        board = Board(0)
        sound = Sound(board.tone)
        sound.level = level
        sound.play(cues.TICK, 0)
        sound.step(0)
        duties.append(max([duty for _, _, duty in board.tones] or [0]))
    assert duties[0] == 0 < duties[1] < duties[2]


def current_ma(lights, frame):
    """Return what a frame draws, with everything else on the line."""
    return lights.rest_ma + lights.idle_ma + (sum(frame) * lights.pixel_ma + 254) // 255


def check_current_stays_within_the_budget():
    lights = Lights(Board().pixels)
    white = bytearray([255] * 72)
    for budget in (100, 200, 450, 900):
        for brightness in range(1, 11):
            lights.budget_ma = budget
            lights.brightness = brightness
            assert current_ma(lights, lights.fit(white)) <= budget, (budget, brightness)
    lights.budget_ma = 450
    lights.brightness = 10
    frame = lights.fit(white)
    assert frame[0] > 30 and current_ma(lights, frame) > 400  # capped, not dark
    lights.budget_ma = 50  # less than the rest needs
    assert sum(lights.fit(white)) == 0
    lights.budget_ma = 450
    lights.brightness = 1
    dim = bytearray(72)
    dim[5] = 3
    assert lights.fit(dim)[5] == 1  # dim, but seen


def check_frames_are_a_pure_function():
    lights = Lights(Board().pixels)
    scene = Scene()
    scene.pattern = cues.TURN
    scene.active = 15
    scene.seat = 2
    scene.dealer = 0
    scene.colour = 3
    scene.start(cues.LAST_CARD, 1, 255, 1, 100, 1500)
    for ms in (0, 100, 777, 123456):
        one = bytes(lights.draw(scene, ms))
        lights.draw(Scene(), ms)
        assert bytes(lights.draw(scene, ms)) == one and len(one) == 72


def run_all():
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            check()
            print("ok", name)


if __name__ == "__main__" and sys.implementation.name == "micropython":
    run_all()
