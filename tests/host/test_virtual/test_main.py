"""firmware/main.py on the virtual board: starting the table, safe mode, failures, the way back."""

import pytest

RUNS = """
import asyncio
def run(board):
    frame = bytearray([9] * 72)
    board.pixels.show(frame)
    board.tone(440, 500)
    print("table runs")
    asyncio.run(play(board))
async def play(board):
    while board.seats[0]():
        await asyncio.sleep_ms(10)
    print("console asked for")
"""
FAILS = """
def run(board):
    board.pixels.show(bytearray([9] * 72))
    board.tone(440, 500)
    print("table runs")
    raise ValueError("cards all over the floor")
"""


@pytest.fixture
def table(make, tmp_path):
    """Return a function: a board with main.py as it is and this text as table/app.py."""

    def start(text, **options):
        folder = tmp_path / "program"
        (folder / "table").mkdir(parents=True, exist_ok=True)
        (folder / "table" / "__init__.py").write_text("", encoding="utf-8")
        (folder / "table" / "app.py").write_text(text, encoding="utf-8")
        return make(program=folder, **options)

    return start


def dark(board):
    """Return whether all lights are off and the sounder is silent."""
    return board.panel.pixels() == [(0, 0, 0)] * 24 and board.panel.tones()[-1][2] == 0


def test_the_table_is_started_without_anybody_asking(table):
    board = table(RUNS).start()
    board.panel.wait_for(lambda: board.panel.pixels() == [(9, 9, 9)] * 24)
    board.panel.wait_for(lambda: board.panel.tones()[-1][1:] == (440, 500))


def test_ctrl_c_darkens_the_table_and_frees_the_prompt_and_ctrl_d_starts_it_again(table, talking):
    board = table(RUNS)
    told = talking(board)
    told.until(b"table runs\n")
    told.line.write(b"\x03")
    told.until(b"the table is stopped; Ctrl-D starts it again\n")
    told.until(b">>> ")
    assert dark(board)
    told.line.write(b"\x04")
    told.until(b"table runs\n")
    board.panel.wait_for(lambda: board.panel.pixels() == [(9, 9, 9)] * 24)


def test_a_table_that_ends_by_itself_leaves_the_prompt(table, talking):
    board = table(RUNS)
    told = talking(board)
    told.until(b"table runs\n")
    board.panel.press("seat1")
    told.until(b"console asked for\n")
    told.until(b">>> ")
    assert dark(board)
    told.line.write(b"6 * 7\r")
    told.until(b"42\n")


@pytest.mark.parametrize("button", ["*", "bootsel"])
def test_safe_mode_by_holding_a_button_for_two_seconds_at_power_on(table, talking, button):
    board = table(RUNS, speed=10)
    board.panel.press(button)
    told = talking(board)
    told.until(b"safe mode: the table is not started; Ctrl-D starts it\n")
    told.until(b">>> ")
    board.panel.release(button)
    told.line.write(b"\x04")
    told.until(b"table runs\n")


def test_a_button_let_go_too_early_starts_the_table(table, talking):
    board = table(RUNS, speed=10)
    board.panel.press("*")
    told = talking(board)
    told.until(b"hold on for safe mode\n")
    board.panel.release("*")
    told.until(b"table runs\n")
    assert b"safe mode: " not in told.seen


@pytest.mark.parametrize("button", ["seat1", "5", "0"])
def test_another_button_held_or_stuck_at_power_on_does_not_hinder(table, talking, button):
    board = table(RUNS)
    board.panel.press(button)
    talking(board).until(b"table runs\n")


def test_a_failure_says_why_goes_dark_and_three_in_a_row_lead_to_safe_mode(table, talking):
    board = table(FAILS, speed=20)
    told = talking(board)
    for _ in range(3):
        told.until(b"table runs\n")
        told.until(b"the table failed:\n")
        told.until(b"ValueError: cards all over the floor\n")
        assert told.until(b"MPY: soft reboot\r\n")
    told.until(b"safe mode: 3 starts failed, see /failed.txt; Ctrl-D tries again\n")
    told.until(b">>> ")
    assert dark(board)
    # The next start tries again.
    told.line.write(b"\x04")
    told.until(b"table runs\n")


def test_a_table_that_cannot_be_imported_counts_as_failed(table, talking):
    board = table("this is no Python", speed=20)
    told = talking(board)
    for _ in range(3):
        told.until(b"SyntaxError")
    told.until(b"safe mode: 3 starts failed")
    told.until(b">>> ")
    told.line.write(b"print(open('/failed.txt').read())\r")
    told.until(b"0\n")


def test_failures_are_forgotten_after_a_start_that_lasted(table, talking, tmp_path):
    board = table(FAILS, speed=20)
    told = talking(board)
    told.until(b"MPY: soft reboot\r\n")
    told.until(b"MPY: soft reboot\r\n")
    board.stop()
    told.close()
    board = table(RUNS, speed=20)
    told = talking(board)
    told.until(b"table runs\n")
    before = board.flash.programs
    board.panel.wait_for(lambda: board.flash.programs > before)
    told.line.write(b"\x03")
    told.until(b">>> ")
    told.line.write(b"open('/failed.txt').read()\r")
    told.until(b"'0\\n'")


def test_a_full_flash_does_not_hinder_the_count(table, talking):
    board = table(FAILS, speed=20, faults=["full"])
    told = talking(board)
    told.until(b"the table failed:\n")
    told.until(b"ValueError: cards all over the floor\n")
    told.until(b"MPY: soft reboot\r\n")


def test_a_table_without_screen_still_starts(table, talking):
    board = table(RUNS, faults=["screen"])
    told = talking(board)
    told.until(b"table runs\n")
    told.line.write(b"\x03")
    told.until(b">>> ")
    assert dark(board)
