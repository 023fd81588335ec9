"""What the decoder makes of I2C transfers, by the controllers' data sheets."""

import pytest
from chautari.virtual.display import Display

ON = b"\x00\xa1\xc8\xaf"


def lit(display):
    """Return the coordinates that light up on the glass."""
    return {(x, y) for y, row in enumerate(display.glass()) for x, bit in enumerate(row) if bit}


@pytest.mark.parametrize(("driver", "left"), [("ssd1309", 0), ("ssd1306", 0), ("sh1106", 2)])
def test_a_byte_is_a_column_of_eight_with_the_low_bit_on_top(driver, left):
    display = Display(driver)
    display.write(ON)
    display.write(bytes((0x00, 0xB2, 0x05 + left, 0x10)))
    display.write(b"\x40\x81")
    assert lit(display) == {(5, 16), (5, 23)}


def test_dark_until_switched_on_and_the_memory_stays():
    display = Display()
    display.write(b"\x00\xa1\xc8\xb0\x00\x10")
    display.write(b"\x40\xff")
    assert lit(display) == set()
    display.write(b"\x00\xaf")
    assert len(lit(display)) == 8
    display.write(b"\x00\xae")
    assert lit(display) == set()


def test_both_mirrors_together_turn_by_180_degrees():
    display = Display()
    display.write(b"\x00\xa0\xc0\xaf\xb0\x00\x10")
    display.write(b"\x40\x01\x02")
    assert lit(display) == {(127, 63), (126, 62)}
    assert display.turned
    upright = display.picture()
    assert upright[0] == 1 and upright[1] == 2 and sum(upright) == 3


def test_one_mirror_alone_shows_as_a_mirrored_picture():
    display = Display()
    display.write(b"\x00\xa0\xc8\xaf\xb0\x00\x10")
    display.write(b"\x40\x01")
    assert lit(display) == {(127, 0)}
    display.write(b"\x00\xc0")
    assert lit(display) == {(127, 63)}


def test_horizontal_and_vertical_addressing_wrap_within_their_window():
    display = Display("ssd1306")
    display.write(ON)
    display.write(b"\x00\x20\x00\x21\x02\x03\x22\x01\x02")
    display.write(b"\x40\x01\x02\x03\x04\x05")
    assert [display.ram[page][127 - column] for page in (1, 2) for column in (2, 3)] == [5, 2, 3, 4]
    display.write(b"\x00\x20\x01\x21\x0a\x0b\x22\x04\x05")
    display.write(b"\x40\x11\x12\x13\x14")
    seen = [display.ram[page][127 - column] for column in (10, 11) for page in (4, 5)]
    assert seen == [0x11, 0x12, 0x13, 0x14]


def test_commands_with_arguments_may_be_cut_over_transfers_and_mixed_with_data():
    display = Display()
    display.write(b"\x00\x81")
    display.write(b"\x00\x42")
    assert display.contrast == 0x42
    display.write(b"\x80\xa1\x80\xc8\x80\xaf\x80\xb0\x80\x00\x80\x10\x40\x01")
    assert lit(display) == {(0, 0)}


def test_inverting_all_on_start_line_and_offset():
    display = Display()
    display.write(ON)
    display.write(b"\x00\xb0\x00\x10")
    display.write(b"\x40\x01")
    display.write(b"\x00\xa7")
    assert len(lit(display)) == 128 * 64 - 1
    display.write(b"\x00\xa6\xa5")
    assert len(lit(display)) == 128 * 64
    display.write(b"\x00\xa4\x48")
    assert lit(display) == {(0, 56)}
    display.write(b"\x00\x40\xd3\x08")
    assert {x for x, _ in lit(display)} == {0} and lit(display) != {(0, 0)}


def test_what_it_does_not_know_is_counted_and_a_cut_transfer_is_harmless():
    display = Display()
    display.write(b"\x00\xf1")
    assert display.unknown == 1
    for data in (b"", b"\x80", b"\x00", b"\x40", bytes(range(256))):
        display.write(data)
    assert len(display.picture()) == 1024


def test_the_sh1106_shows_the_middle_of_its_132_columns():
    display = Display("sh1106")
    display.write(ON)
    for column in (0, 1, 2, 129, 130, 131):
        display.write(bytes((0x00, 0xB0, column & 15, 0x10 | column >> 4)))
        display.write(b"\x40\x01")
    assert lit(display) == {(0, 0), (127, 0)}
