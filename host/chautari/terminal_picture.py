"""Draws the table device with characters: the screen in braille dots, the lights as marks.

Pure functions from what the device shows to Rich text; the terminal table prints what they return.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

Pixel = tuple[int, int, int]

SCREEN_WIDTH = 128
SCREEN_HEIGHT = 64
PIXELS_PER_SEAT = 4

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of each dot of a braille cell, by row (0 to 3) and column (0 to 1)."""

_LEVELS = ((0, "·"), (24, "∘"), (96, "○"), (256, "●"))
"""A light's mark by its brightness (0 to 255, exclusive bounds after the first): readable without colour."""

_PLAIN_LEVELS = ((0, "."), (24, "-"), (96, "o"), (256, "O"))


def lit(screen: bytes, x: int, y: int) -> bool:
    """Tell whether the pixel at x (0 to 127), y (0 to 63) of a 1,024-byte page-wise picture is lit."""
    return bool(screen[(y // 8) * SCREEN_WIDTH + x] & (1 << (y % 8)))


def braille(screen: bytes) -> list[str]:
    """Return the screen as 16 lines of 64 braille characters."""
    lines = []
    for top in range(0, SCREEN_HEIGHT, 4):
        cells = []
        for left in range(0, SCREEN_WIDTH, 2):
            cell = 0
            for row, bits in enumerate(_DOTS):
                for column, bit in enumerate(bits):
                    if lit(screen, left + column, top + row):
                        cell |= bit
            cells.append(chr(0x2800 + cell))
        lines.append("".join(cells))
    return lines


def coarse(screen: bytes) -> list[str]:
    """Return the screen as 16 lines of 64 ASCII marks (2 by 4 dots each), for consoles without braille."""
    marks = " .:+*%@@#"
    return ["".join(marks[(ord(cell) - 0x2800).bit_count()] for cell in line) for line in braille(screen)]


def brightness(pixel: Pixel) -> int:
    """Return how bright a pixel looks, 0 to 255; eyes see low duty cycles far brighter than their share."""
    peak = max(pixel)
    return 0 if not peak else min(255, round(255 * (peak / 255) ** (1 / 2.2)))


def light(pixel: Pixel, plain: bool = False) -> Text:
    """Return one character for a pixel (r, g, b of 0 to 255): its mark tells brightness, its style colour."""
    level = brightness(pixel)
    marks = _PLAIN_LEVELS if plain else _LEVELS
    mark = next(mark for bound, mark in marks if level <= bound)
    if not level:
        return Text(mark, style="dim")
    peak = max(pixel)
    red, green, blue = (round(max(90, level) * part / peak) for part in pixel)
    return Text(mark, style=f"bold rgb({red},{green},{blue})")


def seat_lights(pixels: Sequence[Pixel], seat: int, backwards: bool = False, plain: bool = False) -> Text:
    """Return the four lights of a seat (0 to 5) side by side; backwards where the ring runs right to left."""
    own = list(pixels[PIXELS_PER_SEAT * seat : PIXELS_PER_SEAT * (seat + 1)])
    if backwards:
        own.reverse()
    return Text(" ").join(light(pixel, plain) for pixel in own)
