"""Parts that fail, power that goes: what the board remembers is what it had finished writing."""

import os
import random
import signal

import pytest
from chautari.virtual import VirtualBoardError

WRITER = """
import os, sys
done = 0
try:
    with open("/log.txt") as f:
        for line in f:
            done += 1
except OSError:
    pass
print("has", done)
while True:
    with open("/log.txt", "a") as f:
        f.write("%05d\\n" % done)
    done += 1
    sys.stdout.buffer.write(b"wrote %d\\n" % done)
"""


def count(told, word):
    """Return the number after the last complete `word n` that was printed."""
    lines = [line.split() for line in told.seen.split(b"\n")[:-1]]
    return [int(parts[1]) for parts in lines if len(parts) == 2 and parts[0] == word][-1:]


def test_a_screen_that_does_not_answer_is_named_and_the_rest_works(make, talking):
    board = make(faults=["screen"])
    told = talking(board)
    assert told.ask("board.faults") == ["screen"]
    told.do("board.screen.buffer[0] = 255; board.screen.page(0); board.screen.power(True)")
    board.panel.wait_for(lambda: board.panel.screen() == bytes(1024))
    board.panel.tap("seat1")
    board.panel.tap("7")
    told.do("board.tone(700)")
    assert [e[:2] for e in told.ask("events")] == [("seat1", 1), ("seat1", 0), ("7", 1), ("7", 0)]


def test_a_screen_that_dies_in_between_raises_and_comes_back(make, talking):
    board = make()
    told = talking(board)
    assert told.ask("board.faults") == []
    board.fault("screen")
    assert "EIO" in told.ask("board.screen.page(0)")
    assert "EIO" in told.ask("board.screen.power(False)")
    board.fault("screen", on=False)
    told.do("board.screen.buffer[:] = bytes([255]) * 1024; board.screen.start()")
    board.panel.wait_for(lambda: board.panel.screen() == b"\xff" * 1024)


def test_a_dead_column_takes_its_four_keys_and_no_others(make, talking):
    board = make(faults=["column2"])
    told = talking(board)
    told.until(b"here\n")
    for key in "123A*0#D":
        board.panel.tap(key)
    assert "".join(e[0] for e in told.ask("events") if e[1]) == "13A*#D"
    board.fault("column2", on=False)
    board.panel.tap("0")
    assert told.ask("events[-1][0]") == "0"


def test_a_column_tied_to_ground_is_a_fault_and_presses_nothing(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    board.panel.line("pin 13 0 0 0 0")
    board.panel.tap("seat1")
    told.do("board.__init__()")
    assert told.ask("board.faults") == ["keys"]
    assert told.ask("sorted(scan())") == []


def test_a_seat_stuck_from_power_on_stays_so_until_mended(make, talking):
    board = make(faults=["seat2"])
    told = talking(board)
    told.until(b"here\n")
    board.panel.tap("seat2")
    board.panel.tap("seat3")
    assert [e[:2] for e in told.ask("events")] == [("seat2", 1), ("seat3", 1), ("seat3", 0)]
    board.fault("seat2", on=False)
    board.panel.tap("seat4")
    assert told.ask("sorted(scan())") == []


def test_a_control_held_through_power_on_is_pressed_from_the_first_look(make, talk):
    board = make()
    board.panel.press("*")
    board.start()
    assert talk(board).ask("board.safe_pressed()") is True
    board.panel.release("*")
    board.panel.press("bootsel")
    board.panel.tap("seat1")
    assert talk(board).ask("board.safe_pressed()") is True


def test_an_unknown_fault_is_refused(make):
    with pytest.raises(ValueError, match="no fault 'magic'; there are screen"):
        make(faults=["magic"])


def test_a_full_flash_refuses_and_serves_again_when_room_is_made(make, talking):
    board = make(faults=["full"])
    told = talking(board)
    board.panel.tap("seat1")
    assert "28" in told.ask("open('/more.bin', 'w').write('x' * 9000)")
    board.fault("full", on=False)
    board.panel.tap("seat1")
    assert told.ask("os.statvfs('/')[3]") > 10
    assert told.ask("open('/more.bin', 'w').write('x' * 9000)") == 9000


def test_block_operations_are_counted(make, talking):
    board = make()
    told = talking(board)
    board.panel.tap("seat1")
    before = board.flash
    told.do("f = open('/n.bin', 'w'); f.write('x' * 20000); f.close()")
    board.panel.tap("seat1")
    after = board.flash
    assert after.erases - before.erases >= 5
    assert after.programs - before.programs >= 5
    assert after.bytes - before.bytes >= 20000
    board.reset()
    assert board.flash >= after


def test_nothing_that_was_finished_is_lost_when_the_vm_is_killed_at_any_time(make, talking, program):
    board = make(program=program(WRITER))
    told = talking(board)
    rng = random.Random(7)
    for _ in range(12):
        for _ in range(rng.randrange(3, 30)):
            told.until(b"wrote ")
        wrote = int(told.until(b"\n"))
        board.kill()
        told.seen += told.line.read(100_000)
        wrote = max([wrote, *count(told, b"wrote")])
        told.seen = b""
        board.start(update=False)
        told.until(b"has ")
        assert int(told.until(b"\n")) >= wrote


@pytest.mark.parametrize("torn", [False, True])
def test_nothing_that_was_finished_is_lost_when_the_power_goes_within_a_block_operation(
    make, talking, program, torn
):
    # The waits are where the board hears of the cut.
    writer = WRITER.replace("while True:", "import time\nwhile True:\n    time.sleep_ms(0)")
    board = make(program=program(writer))
    told = talking(board)
    wrote = [0]
    for operations in range(1, 40, 3):
        told.until(b"wrote ")
        board.cut_power_after(operations, torn)
        assert board.wait_cut()
        assert not board.running
        told.seen += told.line.read(100_000)
        wrote = count(told, b"wrote") or wrote
        told.seen = b""
        board.start(update=False)
        has = int(told.until(b"has ") and told.until(b"\n"))
        assert wrote[0] <= has
        wrote = [has]
    assert wrote[0] > 5


def test_a_vm_that_dies_is_started_again_and_says_so(make, talking):
    board = make()
    told = talking(board)
    told.until(b"here\n")
    os.kill(board.pid, signal.SIGKILL)
    told.until(b"the board's VM ended with signal 9 and is started again\r\n")
    told.until(b"here\n")
    assert told.ask("1 + 1") == 2


def test_a_vm_that_cannot_even_start_is_an_error_in_one_line(make):
    board = make(heap="2k")
    with pytest.raises(VirtualBoardError, match="^the board's VM ended with [^\n]*$"):
        board.start()
    assert not board.running
