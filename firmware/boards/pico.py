"""The table device on a Raspberry Pi Pico, Pico W or Pico 2.

make() turns pins into objects that the table program uses without knowing what is behind them.
A part that does not answer is named in `faults` and replaced by one that does nothing.
"""

import time

import machine
import micropython
import neopixel

from boards import pico_pins as pins

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UNDO_ROW = 3  # the key "*", held at power-on, asks for safe mode
UNDO_COLUMN = 0

# What each display needs before the picture. First off, its supply (unlock, charge pump, converter),
# clock, precharge and common level by its data sheet; then the geometry, which all share.
_FIRST = {
    "ssd1309": b"\xfd\x12\xae\xd5\xa0\xd9\x22\xdb\x34",
    "ssd1306": b"\xae\x8d\x14\xd5\x80\xd9\xf1\xdb\x30",
    "sh1106": b"\xae\xad\x8b\xd5\x80\xd9\x22\xdb\x35",
}
_SHARED = b"\xa8\x3f\xd3\x00\x40\xda\x12\xa4\xa6"
_PAGE_MODE = b"\x20\x02"  # the SH1106 knows no other and not the command


class Pixels:
    """The chain of lights. n: how many."""

    def __init__(self, pin: machine.Pin, n: int, order: tuple[int, int, int]) -> None:
        self.n = n
        self._chain = neopixel.NeoPixel(pin, n)
        self._order = order

    def show(self, buf: bytes | bytearray) -> None:
        """Send a frame: 3 * n bytes, red green blue for each pixel, already scaled to the current budget."""
        wire = self._chain.buf
        first, second, third = self._order
        for i in range(0, 3 * self.n, 3):
            wire[i] = buf[i + first]
            wire[i + 1] = buf[i + second]
            wire[i + 2] = buf[i + third]
        self._chain.write()


class Screen:
    """128 x 64 pixels. buffer: 1024 bytes, page after page, low bit on top (framebuf.MONO_VLSB).

    All methods raise OSError when the part does not answer.
    """

    def __init__(self, i2c: machine.I2C, driver: str) -> None:
        self.width = pins.SCREEN_WIDTH
        self.height = pins.SCREEN_HEIGHT
        self.buffer = bytearray(self.width * self.height // 8)
        self._i2c = i2c
        self._address = pins.SCREEN_ADDRESS
        self._driver = driver
        # The SH1106 has 132 columns and shows those in the middle.
        self._left = 2 if driver == "sh1106" else 0
        self._pages = memoryview(self.buffer)
        self._data = bytearray(1 + self.width)
        self._data[0] = 0x40
        self._data_page = memoryview(self._data)[1:]
        self._where = bytearray(4)
        self._two = bytearray(2)

    def start(self) -> None:
        """Set the display up and show an empty picture; also after it was away for a while."""
        self._commands(_FIRST[self._driver])
        if self._driver != "sh1106":
            self._commands(_PAGE_MODE)
        self._commands(_SHARED)
        self.turn(False)
        self.contrast(0x7F)
        for n in range(self.height // 8):
            self.page(n)
        self.power(True)

    def _commands(self, commands: bytes) -> None:
        self._i2c.writeto(self._address, b"\x00" + commands)

    def _command(self, command: int) -> None:
        self._two[1] = command
        self._i2c.writeto(self._address, self._two)

    def page(self, n: int) -> None:
        """Send page n, the rows 8 * n to 8 * n + 7 of the buffer; takes 3 ms."""
        where = self._where
        where[1] = 0xB0 | n
        where[2] = self._left & 15
        where[3] = 0x10 | self._left >> 4
        self._i2c.writeto(self._address, where)
        at = n * self.width
        self._data_page[:] = self._pages[at : at + self.width]
        self._i2c.writeto(self._address, self._data)

    def power(self, on: bool) -> None:
        """Switch the glass on or off; the picture is kept."""
        self._command(0xAF if on else 0xAE)

    def contrast(self, value: int) -> None:
        """Set the brightness, 0 to 255."""
        self._commands(bytes((0x81, value)))

    def turn(self, on: bool) -> None:
        """Turn the picture by 180 degrees or back. Every page must be sent again afterwards."""
        self._command(0xA0 if on else 0xA1)
        self._command(0xC0 if on else 0xC8)


class NoScreen:
    """Stands for a screen that does not answer."""

    def __init__(self) -> None:
        self.width = pins.SCREEN_WIDTH
        self.height = pins.SCREEN_HEIGHT
        self.buffer = bytearray(self.width * self.height // 8)

    def page(self, n: int) -> None:
        pass

    def power(self, on: bool) -> None:
        pass

    def contrast(self, value: int) -> None:
        pass

    def turn(self, on: bool) -> None:
        pass


class NoPixels:
    """Stands for lights that cannot be driven."""

    def __init__(self, n: int) -> None:
        self.n = n

    def show(self, buf: bytes | bytearray) -> None:
        pass


class Board:
    """The device's parts.

    seats: callables, 0 while pressed; rows: callables that take 0 to drive a row of the key pad and
    1 to let it go; columns: callables, 0 while a key of a driven row is pressed; keys: the legends,
    row by row; pixels; screen; faults: codes of the parts that did not answer ("screen", "pixels",
    "sound", "keys": a column is tied to ground).
    """

    name = "pico"

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.keys = pins.KEYS
        self.seats = [machine.Pin(n, machine.Pin.IN, machine.Pin.PULL_UP) for n in pins.SEATS]
        # Open drain: two keys pressed in one column would otherwise tie two outputs together.
        self.rows = [machine.Pin(n, machine.Pin.OPEN_DRAIN, value=1) for n in pins.ROWS]
        self.columns = [self._column(n) for n in pins.COLUMNS]
        self.pixels = self._pixels()
        self.screen = self._screen()
        self._sound = self._piezo()

    def _fault(self, code: str) -> None:
        if code not in self.faults:
            self.faults.append(code)

    def _column(self, n: int) -> "machine.Pin | Callable[[], int]":
        column = machine.Pin(n, machine.Pin.IN, machine.Pin.PULL_UP)
        if column():
            return column
        # Low with no row driven: tied to ground, every key of it would seem pressed for ever.
        self._fault("keys")
        return _released

    def _pixels(self) -> "Pixels | NoPixels":
        try:
            return Pixels(machine.Pin(pins.PIXELS, machine.Pin.OUT), pins.PIXEL_COUNT, pins.PIXEL_ORDER)
        except (OSError, ValueError):
            self._fault("pixels")
            return NoPixels(pins.PIXEL_COUNT)

    def _screen(self) -> "Screen | NoScreen":
        try:
            i2c = machine.I2C(
                pins.SCREEN_BUS,
                sda=machine.Pin(pins.SCREEN_SDA),
                scl=machine.Pin(pins.SCREEN_SCL),
                freq=pins.SCREEN_FREQUENCY,
            )
            screen = Screen(i2c, pins.SCREEN_DRIVER)
            screen.start()
            return screen
        except (OSError, ValueError):
            self._fault("screen")
            return NoScreen()

    def _piezo(self) -> "machine.PWM | None":
        try:
            return machine.PWM(machine.Pin(pins.SOUND), freq=440, duty_u16=0)
        except (OSError, ValueError):
            self._fault("sound")
            return None

    def tone(self, hz: int, duty_u16: int = 32768) -> None:
        """Sound a tone; hz or duty 0 is silence. duty_u16 32768 is loudest."""
        if self._sound is None:
            return
        if not hz or not duty_u16:
            self._sound.duty_u16(0)
            return
        self._sound.freq(hz)
        self._sound.duty_u16(duty_u16)

    ticks_ms = staticmethod(time.ticks_ms)
    ticks_diff = staticmethod(time.ticks_diff)

    def hardware_id(self) -> bytes:
        """Return the chip's own number as bytes. Copies exist: a hint, not an identity."""
        return machine.unique_id()

    def reset(self) -> None:
        """Start anew as after switching on. Does not return."""
        machine.reset()

    def restart(self) -> None:
        """Start the program anew while the serial line stays connected. Does not return."""
        machine.soft_reset()

    def interrupt_char(self, char: int) -> None:
        """Say which byte on the serial line interrupts the program; -1: none."""
        micropython.kbd_intr(char)

    def safe_pressed(self) -> bool:
        """Return whether somebody holds UNDO or the board's own button: safe mode is wanted."""
        row = self.rows[UNDO_ROW]
        row(0)
        time.sleep_us(20)
        held = not self.columns[UNDO_COLUMN]()
        row(1)
        return held or _bootsel()

    def blank(self) -> None:
        """Lights, sound and screen off, whatever state they are in."""
        self.pixels.show(bytes(3 * self.pixels.n))
        self.tone(0)
        try:
            self.screen.power(False)
        except OSError:
            self._fault("screen")


def _released() -> int:
    return 1


def _bootsel() -> bool:
    try:
        import rp2

        return bool(rp2.bootsel_button())
    except (ImportError, AttributeError):
        return False


def make() -> Board:
    """Return the Board with all its parts ready."""
    return Board()
