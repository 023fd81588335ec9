"""The screen: letters, pictures and pages of 128 by 64 pixels.

Everything is composed in a buffer of its own; step() then sends one page that differs, so that the
lights never wait for more than one page. Text is 16 or 32 pixels high and lies on whole pages: it
is copied, not drawn. A part that does not answer is left alone and reported in `fault`.
"""

from table import fonts

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


WIDTH = 128
PAGES = 8
NORMAL = 16
BIG = 32

_BLANK = bytes(WIDTH)

# a nibble with every bit doubled, for letters of twice the size
_DOUBLED = bytes(
    [
        (n & 1) * 3 | (n >> 1 & 1) * 12 | (n >> 2 & 1) * 48 | (n >> 3 & 1) * 192
        for n in range(16)
    ]
)


def letter_columns(letter: str) -> "tuple[int, int]":
    """Return (first, last) column of a letter in the font; "?" stands for what it does not have."""
    i = ord(letter) - fonts.FIRST
    if not 0 <= i < fonts.COUNT:
        i = 63 - fonts.FIRST
    starts = fonts.STARTS
    i += i
    return starts[i] | starts[i + 1] << 8, starts[i + 2] | starts[i + 3] << 8


def width(text: str, height: int = NORMAL) -> int:
    """Return how many pixels wide a text is, one pixel between letters (two when big)."""
    total = 0
    for letter in text:
        first, last = letter_columns(letter)
        total += last - first + 1
    if total:
        total -= 1
    return total if height == NORMAL else 2 * total


def cut(text: str, pixels: int, height: int = NORMAL) -> str:
    """Return as much of the start of a text as fits into a width, so that nothing else moves."""
    room = pixels if height == NORMAL else pixels // 2
    total = 0
    for i in range(len(text)):
        first, last = letter_columns(text[i])
        total += last - first
        if total > room:
            return text[:i].rstrip()
        total += 1
    return text


class Screen:
    """part: the board's screen, or None when it did not answer at power-on."""

    dim_contrast = 8
    full_contrast = 207

    def __init__(self, part: "Any") -> None:
        self.part = part
        self.fault = part is None
        self.buffer = bytearray(WIDTH * PAGES)
        self.pages_sent = 0
        self._look = PAGES  # pages still to be compared and sent, PAGES.. = none
        self._all = True
        self._turned = False
        self._on = True
        self._dim = False

    # Composing

    def clear(self) -> None:
        """Start a new picture."""
        for a in range(0, WIDTH * PAGES, WIDTH):
            self.buffer[a : a + WIDTH] = _BLANK

    def text(self, x: int, page: int, text: str, height: int = NORMAL, right: int = WIDTH) -> int:
        """Write a text whose top is at a page (8 pixels each); what would pass `right` is cut.

        Returns the x behind it.
        """
        text = cut(text, right - x, height)
        buffer = self.buffer
        upper = fonts.UPPER
        lower = fonts.LOWER
        a = page * WIDTH + x
        for letter in text:
            first, last = letter_columns(letter)
            if height == NORMAL:
                end = a + last - first
                buffer[a:end] = upper[first:last]
                buffer[a + WIDTH : end + WIDTH] = lower[first:last]
                a = end + 1
            else:
                for k in range(first, last):
                    top = upper[k]
                    low = lower[k]
                    b = a
                    for byte in (
                        _DOUBLED[top & 15], _DOUBLED[top >> 4], _DOUBLED[low & 15], _DOUBLED[low >> 4]
                    ):
                        buffer[b] = byte
                        buffer[b + 1] = byte
                        b += WIDTH
                    a += 2
                a += 2
        return a - page * WIDTH

    def text_right(self, page: int, text: str, height: int = NORMAL, right: int = WIDTH) -> None:
        """Write a text that ends at `right`."""
        self.text(max(0, right - width(text, height)), page, text, height, right)

    def picture(self, x: int, page: int, name: str) -> None:
        """Put a picture of 32 by 32 pixels; an unknown name leaves the place empty."""
        if name not in fonts.PICTURES:
            return
        a = fonts.PICTURES.index(name) * 128
        b = page * WIDTH + x
        for _ in range(4):
            self.buffer[b : b + 32] = fonts.PICTURE_DATA[a : a + 32]
            a += 32
            b += WIDTH

    def invert(self, page: int, pages: int, x: int = 0, right: int = WIDTH) -> None:
        """Turn lit into dark and dark into lit on some pages."""
        buffer = self.buffer
        for p in range(page, page + pages):
            for i in range(p * WIDTH + x, p * WIDTH + right):
                buffer[i] ^= 255

    # Sending

    def changed(self) -> None:
        """Say that a picture has been composed and may be sent."""
        self._look = 0

    def busy(self) -> bool:
        """Are there pages left to look at?"""
        return self._look < PAGES

    def step(self) -> bool:
        """Send at most one page that differs from what is shown; return whether one was sent."""
        if self.fault:
            self._look = PAGES
            return False
        part = self.part
        while self._look < PAGES:
            page = self._look
            a = page * WIDTH
            b = a + WIDTH
            self._look += 1
            if self._all or part.buffer[a:b] != self.buffer[a:b]:
                part.buffer[a:b] = self.buffer[a:b]
                try:
                    part.page(page)
                except OSError:
                    self.fault = True
                    return False
                self.pages_sent += 1
                if self._look == PAGES:
                    self._all = False
                return True
        self._all = False
        return False

    def _tell(self, method: "Callable[[Any], None]", value: "bool | int") -> None:
        if not self.fault:
            try:
                method(value)
            except OSError:
                self.fault = True

    def turn(self, turned: bool) -> None:
        """Turn the picture by 180 degrees, or back; everything is sent again."""
        if turned != self._turned and not self.fault:
            self._turned = turned
            self._tell(self.part.turn, turned)
            self._all = True
            self._look = 0

    def power(self, on: bool) -> None:
        """Blank the screen, or wake it."""
        if on != self._on and not self.fault:
            self._on = on
            self._tell(self.part.power, on)

    def dim(self, dim: bool) -> None:
        """Dim the screen, or make it bright again."""
        if dim != self._dim and not self.fault:
            self._dim = dim
            self._tell(self.part.contrast, self.dim_contrast if dim else self.full_contrast)
