"""The panel: presses that the board feels, lights, screen and tones that it gives back."""

import pytest
from chautari.virtual import VirtualBoardError
from chautari.virtual.panel import HOLD_MS, TAP_MS


def test_every_control_is_felt_by_its_own_name(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    names = [f"seat{n}" for n in range(1, 7)] + list("123A456B789C*0#D")
    for name in names:
        board.panel.tap(name)
    felt = told.ask("[e[:2] for e in events]")
    assert felt == [edge for name in names for edge in ((name, 1), (name, 0))]


def test_a_tap_lasts_as_long_as_asked_on_the_boards_clock(make, talking):
    board = make()
    told = talking(board)
    board.panel.tap("seat2")
    board.panel.hold("*")
    events = told.ask("events")
    down = [b[2] - a[2] for a, b in zip(events[::2], events[1::2], strict=True)]
    assert TAP_MS <= down[0] < HOLD_MS <= down[1]


def test_press_stays_until_release_and_two_at_once_are_seen_in_one_scan(make, talking):
    board = make()
    told = talking(board)
    board.panel.press("seat1", "seat4")
    assert told.ask("sorted(scan())") == ["seat1", "seat4"]
    board.panel.release("seat1")
    assert told.ask("sorted(scan())") == ["seat4"]
    board.panel.release("seat4")
    events = told.ask("events")
    assert [e[:2] for e in events[:2]] == [("seat1", 1), ("seat4", 1)]
    assert events[0][2] == events[1][2]


def test_no_edge_is_lost_when_they_come_faster_than_the_board_looks(make, talking):
    board = make()
    told = talking(board)
    for _ in range(100):
        board.panel.press("seat3")
        board.panel.release("seat3")
        board.panel.press("5")
        board.panel.release("5")
    board.panel.tap("seat6")
    felt = told.ask("[e[:2] for e in events]")
    assert [e for e in felt if e[0] == "seat3"] == [("seat3", 1), ("seat3", 0)] * 100
    assert [e for e in felt if e[0] == "5"] == [("5", 1), ("5", 0)] * 100


def test_bounces_arrive_in_their_order(make, talking):
    """Raw lines carry delays, so that a test can let a contact bounce to the millisecond."""
    board = make()
    told = talking(board)
    bounces = ((0, 0), (1, 4), (0, 5), (1, 60))  # level, ms after the one before
    board.panel.line("\n".join(f"pin 2 0 {level} {delay} 0" for level, delay in bounces))
    board.panel.tap("seat2")
    events = [e for e in told.ask("events") if e[0] == "seat1"]
    assert [e[1] for e in events] == [1, 0, 1, 0]
    gaps = [b[2] - a[2] for a, b in zip(events, events[1:], strict=False)]
    assert gaps[0] >= 4 and gaps[1] >= 5 and gaps[2] >= 60


def test_three_keys_make_the_fourth_corner_appear_as_on_a_matrix_without_diodes(make, talking):
    board = make()
    told = talking(board)
    board.panel.press("1", "2", "4")
    assert told.ask("sorted(scan())") == ["1", "2", "4", "5"]


def test_lights_come_back_in_red_green_blue_with_the_boards_time(make, talking):
    board = make()
    told = talking(board)
    told.do("f = bytearray(72); f[0:3] = bytes((10, 20, 30)); f[69:72] = bytes((1, 2, 3))")
    told.do("board.pixels.show(f)")
    wanted = [(10, 20, 30)] + [(0, 0, 0)] * 22 + [(1, 2, 3)]
    board.panel.wait_for(lambda: board.panel.pixels() == wanted)
    before = board.panel.now_ms()
    told.do("show_slowly(f, (1, 2, 3))")
    frames = [frame for frame in board.panel.frames_since(before - 20) if frame[1][23] == (1, 2, 3)]
    assert [pixels[0][0] for _, pixels in frames[-3:]] == [1, 2, 3]
    assert frames[-1][0] - frames[-3][0] >= 40


def test_frames_watches_for_seconds_of_the_boards_clock(make, program):
    blinker = program(
        "import time\nfrom boards.pico import make\nboard = make()\nframe = bytearray(72)\n"
        "while True:\n    frame[0] ^= 255\n    board.pixels.show(frame)\n    time.sleep_ms(50)\n"
    )
    board = make(program=blinker, speed=10).start()
    frames = board.panel.frames(3)
    assert frames[-1][0] - frames[0][0] <= 3000
    assert len(frames) > 20
    shown = [pixels[0][0] for _, pixels in frames[1:]]
    assert all(a != b for a, b in zip(shown, shown[1:], strict=False))


def test_tones_are_heard_with_pitch_and_loudness(make, talking):
    board = make()
    told = talking(board)
    told.do("board.tone(880, 3000)")
    told.do("board.tone(0)")
    wanted = [(880, 3000), (0, 0)]
    board.panel.wait_for(lambda: [tone[1:] for tone in board.panel.tones()][-2:] == wanted)


@pytest.mark.parametrize("driver", ["ssd1309", "ssd1306", "sh1106"])
def test_what_the_board_draws_is_read_on_each_kind_of_screen(make, talking, driver):
    board = make(driver=driver)
    told = talking(board)
    told.until(b"here\n")
    if driver != "ssd1309":
        told.do(f"from boards import pico; board.screen = pico.Screen(board.screen._i2c, '{driver}')")
        board.panel.display.unknown = 0
        told.do("board.screen.start()")
    told.do("import framebuf; fb = framebuf.FrameBuffer(board.screen.buffer, 128, 64, framebuf.MONO_VLSB)")
    told.do("fb.text('Chautari', 3, 5); fb.rect(0, 0, 128, 64, 1); fb.pixel(100, 50, 1)")
    told.do("[board.screen.page(n) for n in range(8)] and None")
    drawn = told.ask("bytes(board.screen.buffer)")
    assert sum(drawn) > 1000
    board.panel.wait_for(lambda: board.panel.screen() == drawn)  # pictures travel apart from the answers
    assert not board.panel.turned()
    assert board.panel.display.unknown == 0

    told.do("board.screen.turn(True)")
    told.do("[board.screen.page(n) for n in range(8)] and None")
    board.panel.wait_for(lambda: board.panel.turned() and board.panel.screen() == drawn)
    glass = board.panel.display.glass()
    assert glass[13][27] == 1  # the pixel at (100, 50), seen from the other side

    told.do("board.screen.power(False)")
    board.panel.wait_for(lambda: board.panel.screen() == bytes(1024))
    told.do("board.screen.power(True); board.screen.contrast(9)")
    board.panel.wait_for(lambda: board.panel.screen() == drawn and board.panel.display.contrast == 9)


def test_a_single_page_changes_only_its_rows(make, talking):
    board = make()
    told = talking(board)
    told.do("board.screen.buffer[:] = b'\\xff' * 1024; board.screen.page(3)")
    wanted = bytes(3 * 128) + b"\xff" * 128 + bytes(4 * 128)
    board.panel.wait_for(lambda: board.panel.screen() == wanted)


def test_malformed_lines_are_counted_and_harmless(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    lines = ["nonsense", "pin", "pin 2", "pin x 0 1 0 0", "pin 99 0 1 0 0", "pin 2 0 7 0 0", "key 8"]
    lines += ["cut", "full", "fault", "pin 2 0 1 -5 0", "\u0938\u094d", "z" * 2000]
    lines += ["pin 999999999999999999999999 0 0 0 0"]
    for line in lines:
        board.panel.line(line)
    board.panel.tap("seat5")
    assert [e[:2] for e in told.ask("events")] == [("seat5", 1), ("seat5", 0)]
    assert board.panel.malformed >= len(lines)


def test_an_unknown_control_is_refused_with_the_known_ones(make):
    board = make()
    with pytest.raises(ValueError, match="no control 'seat7'; there are seat1"):
        board.panel.press("seat7")


def test_a_board_without_power_cannot_be_pressed(make):
    board = make().start()
    board.kill()
    with pytest.raises(VirtualBoardError, match="not running"):
        board.panel.tap("seat1")


def test_a_program_that_never_looks_is_reported(make, program, monkeypatch):
    board = make(program=program("while True:\n    pass\n")).start()
    monkeypatch.setattr("chautari.virtual.panel.TAKEN_S", 0.5)
    with pytest.raises(VirtualBoardError, match="does not look at seat1"):
        board.panel.tap("seat1")
