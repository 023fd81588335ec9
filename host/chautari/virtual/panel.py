"""What a person at the virtual table has: buttons to press, lights, a screen and a sounder.

Times are milliseconds of the board's clock since it was first switched on; they go on through
resets. With a speed factor they run that much faster than the clock on the wall.
"""

from __future__ import annotations

import itertools
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from chautari.virtual.display import Display
from chautari.virtual.vm import VirtualBoardError
from chautari.virtual.wiring import wiring

if TYPE_CHECKING:
    from PIL import Image

Colour = tuple[int, int, int]
T = TypeVar("T")

TAP_MS = 60
HOLD_MS = 900
REST_MS = 40
"""How long a finger stays away between two presses, longer than any debounce."""


TAKEN_S = 10.0
"""Seconds of the wall clock that a board has to look at its buttons before a press has failed."""


class FlashCount(NamedTuple):
    """Block operations of the board's flash so far: programs, erases, programmed bytes."""

    programs: int
    erases: int
    bytes: int


class Panel:
    """The board's outside. Made by VirtualBoard; safe to use from several threads."""

    def __init__(self, speed: float, driver: str | None = None) -> None:
        self.wiring = wiring()
        self.speed = speed
        self.display = Display(driver or self.wiring.driver)
        self.malformed = 0
        """How many lines the board could not understand."""
        self.on_change: Callable[[], None] | None = None
        """Called without arguments after every change of lights, screen or sound; must return soon."""
        self.lock = threading.Condition(threading.RLock())
        self._send: Callable[[str], bool] = lambda line: False
        self._held: set[str] = set()
        self._stuck: set[str] = set()
        self._dead_columns: set[int] = set()
        self._screen_dead = False
        self._pixels: list[Colour] = [(0, 0, 0)] * self.wiring.pixels
        self._frames: deque[tuple[int, list[Colour]]] = deque(maxlen=20_000)
        self._tones: deque[tuple[int, int, int]] = deque(maxlen=20_000)
        self._acks: set[int] = set()
        self._numbers = itertools.count(1)
        self._zero = time.monotonic()
        self._flash_before = FlashCount(0, 0, 0)
        self._flash = FlashCount(0, 0, 0)
        self._dead = False
        self._picture: bytes | None = None

    # What a person does.

    def press(self, *controls: str) -> None:
        """Press controls and keep them pressed; several at once land in the same moment."""
        self._level(controls, True)

    def release(self, *controls: str) -> None:
        """Let go of controls."""
        self._level(controls, False)

    def tap(self, *controls: str, ms: int = TAP_MS) -> None:
        """Press controls together for ms, let go, and wait until the board has had time to see it all.

        Raises VirtualBoardError when the board does not take the press.
        """
        now, later = [], []
        acks = []
        for control in controls:
            begin = self._control(control)
            if begin is None:
                continue
            number = next(self._numbers)
            acks.append(number)
            now.append(f"{begin} {self._value(control, True)} 0 0")
            later.append(f"{begin} {self._value(control, False)} {ms} {number}")
        if not acks:
            return
        with self.lock:
            if not self._send("\n".join(now + later) + "\n"):
                raise VirtualBoardError("the board is not running, nothing can be pressed")
        limit = TAKEN_S + (ms + 500) / 1000 / self.speed
        try:
            self.wait_for(lambda: self._acks.issuperset(acks), limit)
        except TimeoutError:
            raise VirtualBoardError(f"the board does not look at {' and '.join(controls)}") from None
        self._acks.difference_update(acks)
        time.sleep(REST_MS / 1000 / self.speed)

    def hold(self, *controls: str, ms: int = HOLD_MS) -> None:
        """Press controls for longer than any long press needs, and let go."""
        self.tap(*controls, ms=ms)

    def _control(self, name: str) -> str | None:
        begin = self.wiring.control(name)
        if name in self._stuck:
            return None
        if name in self.wiring.keys and self.wiring.keys[name][1] in self._dead_columns:
            return None
        return begin

    @staticmethod
    def _value(control: str, pressed: bool) -> int:
        # Buttons pull their pin to ground; a contact of the pad and the board's own button are 1 when closed.
        return int(pressed != control.startswith("seat"))

    def _level(self, controls: tuple[str, ...], pressed: bool) -> None:
        lines = []
        with self.lock:
            for control in controls:
                begin = self._control(control)
                if begin is not None:
                    lines.append(f"{begin} {self._value(control, pressed)} 0 0")
                if pressed:
                    self._held.add(control)
                else:
                    self._held.discard(control)
            if lines:
                self._send("\n".join(lines) + "\n")

    def line(self, text: str) -> None:
        """Send a raw line to the board; a malformed one is counted in `malformed` and does nothing."""
        with self.lock:
            self._send(text + "\n")

    # What a person sees and hears.

    def now_ms(self) -> int:
        """Return the board's clock."""
        return int((time.monotonic() - self._zero) * 1000 * self.speed)

    def pixels(self) -> list[Colour]:
        """Return the lights as (red, green, blue), 0 to 255, seat 1's first pixel first."""
        with self.lock:
            return list(self._pixels)

    def frames(self, seconds: float) -> list[tuple[int, list[Colour]]]:
        """Watch the lights for so many seconds of the board's clock.

        Returns (ms, pixels) for what is shown at the beginning and for every frame that came.
        """
        begin = self.now_ms()
        first = (begin, self.pixels())
        time.sleep(seconds / self.speed)
        end = begin + int(seconds * 1000)
        return [first, *(frame for frame in self.frames_since(begin) if frame[0] <= end)]

    def frames_since(self, ms: int) -> list[tuple[int, list[Colour]]]:
        """Return the frames after a moment, as (ms, pixels); the latest 20,000 are kept."""
        with self.lock:
            return [frame for frame in self._frames if frame[0] > ms]

    def tones(self) -> list[tuple[int, int, int]]:
        """Return what the sounder was told, as (ms, hertz, duty 0 to 65535); duty 0 is silence."""
        with self.lock:
            return list(self._tones)

    def screen(self) -> bytes:
        """Return the picture as its reader sees it: 1024 bytes, page after page, low bit on top.

        A picture that the board turned by 180 degrees reads the same; `turned()` tells.
        """
        with self.lock:
            if self._picture is None:
                self._picture = bytes(1024) if self._screen_dead else self.display.picture()
            return self._picture

    def turned(self) -> bool:
        """Return whether the screen is turned by 180 degrees, towards the far side of the table."""
        with self.lock:
            return self.display.turned

    def screen_image(self) -> Image.Image:
        """Return the screen as its reader sees it, as a picture of 128x64, black and white."""
        from chautari.virtual import render

        return render.screen(self.screen())

    def image(self, scale: int = 1, grey: bool = False) -> Image.Image:
        """Return a picture of the whole device: ring, buttons, screen, key pad."""
        from chautari.virtual import render

        with self.lock:
            held, turned = self._held | self._stuck, self.turned()
            pixels, screen = self.pixels(), self.screen()
        return render.device(self.wiring, pixels, screen, turned=turned, held=held, scale=scale, grey=grey)

    def wait_for(self, predicate: Callable[[], T], timeout_s: float = 5) -> T:
        """Wait until predicate() is true and return what it gave.

        Asked again after every message of the board. Raises TimeoutError after timeout_s seconds.
        """
        end = time.monotonic() + timeout_s
        with self.lock:
            while True:
                value = predicate()
                if value:
                    return value
                left = end - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"the virtual board did not get there within {timeout_s:g} s")
                self.lock.wait(min(left, 0.05))

    def flash(self) -> FlashCount:
        """Return the block operations since the board was made, over all its starts."""
        with self.lock:
            return FlashCount(*(a + b for a, b in zip(self._flash_before, self._flash, strict=True)))

    # For the supervisor.

    def attach(self, send: Callable[[str], bool]) -> None:
        """Take the function that sends text to the board; it returns False when no board runs."""
        self._send = send

    def power_up(self) -> str:
        """Return the lines that tell a starting board how everything stands."""
        with self.lock:
            lines = [
                f"{self.wiring.control(control)} {self._value(control, True)} 0 0"
                for control in sorted(self._held | self._stuck)
                if control in self._stuck or self._control(control) is not None
            ]
            lines.append(f"fault screen {int(self._screen_dead)}")
            return "\n".join(lines) + "\n"

    def power_down(self) -> None:
        """Everything goes dark; what is pressed stays pressed."""
        with self.lock:
            now = self.now_ms()
            self._flash_before = self.flash()
            self._flash = FlashCount(0, 0, 0)
            self._acks.clear()
            self._show(now, [(0, 0, 0)] * self.wiring.pixels)
            self._tones.append((now, 0, 0))
            self.display.reset()
            self._tell()

    def reset(self) -> None:
        """The controller starts anew while lights, screen and sounder keep their power."""
        with self.lock:
            self._flash_before = self.flash()
            self._flash = FlashCount(0, 0, 0)
            self._tones.append((self.now_ms(), 0, 0))
            self._tell()

    def fault(self, name: str, on: bool) -> None:
        """Break or mend a part: screen, column1 to column4, seat1 to seat6 (stuck pressed)."""
        with self.lock:
            if name == "screen":
                self._screen_dead = on
                self._send(f"fault screen {int(on)}\n")
            elif name.startswith("column") and name[6:] in ("1", "2", "3", "4"):
                column = self.wiring.columns[int(name[6:]) - 1]
                keys = [key for key in self._held if self.wiring.keys.get(key, (0, 0))[1] == column]
                if on:
                    self._lines(keys, False)
                    self._dead_columns.add(column)
                else:
                    self._dead_columns.discard(column)
                    self._lines(keys, True)
            elif name.startswith("seat"):
                begin = self.wiring.control(name)
                if on:
                    self._stuck.add(name)
                else:
                    self._stuck.discard(name)
                self._send(f"{begin} {self._value(name, on or name in self._held)} 0 0\n")
            else:
                known = "screen, column1 to column4, seat1 to seat6, full"
                raise ValueError(f"no fault {name!r}; there are {known}")
            self._tell()

    def _lines(self, controls: list[str], pressed: bool) -> None:
        for control in controls:
            self._send(f"{self.wiring.control(control)} {self._value(control, pressed)} 0 0\n")

    def clock(self, ms: int) -> None:
        """Set the board's clock by what the board says."""
        self._zero = time.monotonic() - ms / 1000 / self.speed

    def message(self, tag: int, ms: int, payload: bytes) -> None:
        """Take what the board says about its parts."""
        with self.lock:
            if ms > self.now_ms():
                # Messages take a while to get here: the board's clock is never behind what it says.
                self.clock(ms)
            if tag == ord("P"):
                order = self.wiring.order
                pixels = []
                for i in range(0, len(payload) - 2, 3):
                    wire = payload[i : i + 3]
                    pixels.append((wire[order.index(0)], wire[order.index(1)], wire[order.index(2)]))
                count = self.wiring.pixels
                # Data for fewer pixels leaves the rest of the chain as it was.
                self._show(ms, (pixels + self._pixels[len(pixels) :])[:count])
            elif tag == ord("T"):
                hz, duty = struct.unpack("<IH", payload)
                self._tones.append((ms, hz if duty else 0, duty))
            elif tag == ord("D"):
                self.display.write(payload)
            elif tag == ord("B"):
                self._flash = FlashCount(*struct.unpack("<III", payload))
            elif tag == ord("A"):
                self._acks.add(struct.unpack("<I", payload)[0])
            elif tag == ord("X"):
                self.malformed += 1
            self._tell()

    def _show(self, ms: int, pixels: list[Colour]) -> None:
        self._pixels = pixels
        self._frames.append((ms, pixels))

    def tell(self) -> None:
        """Wake everybody who waits for a change."""
        with self.lock:
            self._tell()

    def _tell(self) -> None:
        self._picture = None
        self.lock.notify_all()
        if self.on_change is not None:
            self.on_change()
