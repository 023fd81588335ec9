"""The speed factor: everything that a program can ask about time runs at the same pace."""

import time

import pytest
from chautari.virtual import VirtualBoard

CLOCKS = """
import asyncio, time
from boards.pico import make
board = make()
def now():
    # Milliseconds between two looks at the microseconds, however long each look takes.
    return time.ticks_us(), time.ticks_ms(), time.ticks_us()
def lap(name, began):
    print(name, *(began + now()))
async def long():
    await asyncio.sleep(9)
async def main():
    began = now()
    await asyncio.sleep_ms(400)
    lap("asyncio", began)
    began = now()
    try:
        await asyncio.wait_for_ms(long(), 400)
    except asyncio.TimeoutError:
        lap("timeout", began)
waits = ("sleep_ms", time.sleep_ms, 400), ("sleep", time.sleep, 0.4), ("sleep_us", time.sleep_us, 400000)
for name, wait, much in waits:
    began = now()
    wait(much)
    lap(name, began)
asyncio.run(main())
print("over", board.ticks_diff(board.ticks_ms(), began[1]) > 0)
"""


@pytest.mark.parametrize("speed", [1, 7.5, 50])
def test_all_clocks_agree(make, talking, program, speed):
    board = make(program=program(CLOCKS), speed=speed)
    told = talking(board)
    lines = told.until(b"over True").decode().split("\n")[:-1]
    assert [line.split()[0] for line in lines] == ["sleep_ms", "sleep", "sleep_us", "asyncio", "timeout"]
    for line in lines:
        before, at, after, then_before, then_at, then_after = map(int, line.split()[1:])
        assert before // 1000 - speed <= at <= after // 1000 + speed
        assert then_before // 1000 - speed <= then_at <= then_after // 1000 + speed
        # Waits end on a whole millisecond of the wall clock, which is `speed` of the board's.
        assert then_at - at >= 400 - speed, line
        assert then_after - before >= (400 - speed) * 1000, line


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
