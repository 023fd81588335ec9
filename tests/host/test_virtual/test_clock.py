"""The speed factor: everything that a program can ask about time runs at the same pace."""

import time

import pytest
from chautari.virtual import VirtualBoard

CLOCKS = """
import asyncio, time
from boards.pico import make
board = make()
def lap(name, ms0, us0):
    print(name, time.ticks_diff(time.ticks_ms(), ms0), time.ticks_diff(time.ticks_us(), us0))
async def long():
    await asyncio.sleep(9)
async def main():
    for name, wait in (("asyncio", 400), ("zero", 0)):
        a, b = time.ticks_ms(), time.ticks_us()
        await asyncio.sleep_ms(wait)
        lap(name, a, b)
    try:
        await asyncio.wait_for_ms(long(), 300)
    except asyncio.TimeoutError:
        lap("timeout", a, b)
a, b = time.ticks_ms(), time.ticks_us()
time.sleep_ms(400)
lap("sleep_ms", a, b)
a, b = time.ticks_ms(), time.ticks_us()
time.sleep(0.4)
lap("sleep", a, b)
a, b = time.ticks_ms(), time.ticks_us()
time.sleep_us(400000)
lap("sleep_us", a, b)
asyncio.run(main())
print("over", board.ticks_diff(board.ticks_ms(), a) > 0)
"""


@pytest.mark.parametrize("speed", [1, 7.5, 50])
def test_all_clocks_agree(make, talking, program, speed):
    board = make(program=program(CLOCKS), speed=speed)
    told = talking(board)
    board.reset()
    lines = told.until(b"over True").decode().split("\n")
    laps = {words[0]: (int(words[1]), int(words[2])) for words in map(str.split, lines[-7:-1])}
    for name in ("sleep_ms", "sleep", "sleep_us", "asyncio"):
        ms, us = laps[name]
        assert ms >= 400, name
        assert abs(us // 1000 - ms) <= 2 * speed, name
    assert laps["timeout"][0] >= 300
    assert laps["zero"][0] < 300


def test_a_fast_board_lives_through_more_in_the_same_time(make):
    board = make(speed=20).start()
    before = board.panel.now_ms()
    start = time.monotonic()
    board.panel.hold("seat1", ms=4000)
    real = time.monotonic() - start
    assert board.panel.now_ms() - before >= 4000
    assert real < 4


def test_the_panels_clock_is_the_boards_and_goes_on_through_resets(make, talking):
    board = make(speed=10)
    told = talking(board)
    told.do("board.tone(500)")
    first = board.panel.tones()[-1][0]
    assert first <= board.panel.now_ms()
    board.reset()
    told.until(b"here\n")
    told.do("board.tone(600)")
    assert first < board.panel.tones()[-1][0] <= board.panel.now_ms() + 200


def test_a_slow_clock_is_refused(tmp_path):
    with pytest.raises(ValueError, match="speed must be 1 or more"):
        VirtualBoard(tmp_path, speed=0.5)
