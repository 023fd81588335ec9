"""Draws the table device: ring of lights, seat buttons, screen and key pad, as a Pillow image.

Seat 1 sits at the near edge (at the bottom of the picture), the others follow clockwise, as the
chain of lights does.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from chautari.virtual.wiring import Wiring

SIZE = 640
"""Width and height of the device's picture at scale 1."""

_FINE = 2  # drawn larger by this and reduced at the end, for smooth edges
_CENTRE = SIZE / 2
_RING = 222  # radius of the ring of lights
_BUTTONS = 278
_GROUND = (246, 243, 236)
_CASE = (47, 52, 61)
_CASE_EDGE = (30, 33, 39)
_FACE = (60, 66, 77)
_INK = (225, 228, 233)
_DARK_PIXEL = (36, 39, 46)
_BUTTON = (212, 170, 76)
_BUTTON_HELD = (255, 233, 170)
_GLASS = (10, 13, 18)
_LIT = (196, 226, 255)
_SPECIAL = {
    "A": ((206, 72, 62), "●"),
    "B": ((226, 190, 60), "▲"),
    "C": ((72, 160, 92), "■"),
    "D": ((70, 120, 206), "◆"),
}
_Point = tuple[float, float]


def screen(picture: bytes, lit: tuple[int, int, int] = (255, 255, 255), scale: int = 1) -> Image.Image:
    """Return 1024 bytes of picture (page after page, low bit on top) as an image of 128x64 times scale."""
    if len(picture) != 1024:
        raise ValueError("a picture has 1024 bytes")
    image = Image.new("RGB", (128, 64))
    image.putdata(
        [
            lit if picture[(y >> 3) * 128 + x] >> (y & 7) & 1 else (0, 0, 0)
            for y in range(64)
            for x in range(128)
        ]
    )
    return image.resize((128 * scale, 64 * scale), Image.Resampling.NEAREST)


def seat_angle(seat: int, seats: int) -> float:
    """Return where a seat (from 0) sits, in radians clockwise from the top."""
    return math.pi + 2 * math.pi * seat / seats


def pixel_angle(pixel: int, pixels: int, seats: int) -> float:
    """Return where a pixel of the chain lies, in radians clockwise from the top."""
    per_seat = pixels / seats
    return math.pi + 2 * math.pi * (pixel - (per_seat - 1) / 2) / pixels


def device(
    wiring: Wiring,
    pixels: Sequence[tuple[int, int, int]],
    picture: bytes,
    *,
    turned: bool = False,
    held: Collection[str] = (),
    scale: int = 1,
    grey: bool = False,
) -> Image.Image:
    """Return the device as seen from above.

    pixels: (red, green, blue) of the lights; picture: the screen as its reader sees it; turned: the
    reader sits at the far side; held: controls that are pressed; grey: as somebody sees it who
    tells no colours apart.
    """
    factor = scale * _FINE
    image = Image.new("RGB", (SIZE * factor, SIZE * factor), _GROUND)
    draw = ImageDraw.Draw(image)
    seats = len(wiring.seats)
    _case(draw, factor)
    for seat in range(seats):
        _button(draw, factor, seat, seats, f"seat{seat + 1}" in held)
    _pad(draw, factor, wiring, held)
    _screen(image, draw, factor, picture, turned)
    image = _lights(image, factor, pixels, seats)
    image = image.resize((SIZE * scale, SIZE * scale), Image.Resampling.LANCZOS)
    return image.convert("L") if grey else image


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _at(angle: float, radius: float) -> _Point:
    return _CENTRE + radius * math.sin(angle), _CENTRE - radius * math.cos(angle)


def _circle(draw: ImageDraw.ImageDraw, factor: int, at: _Point, radius: float, **style: object) -> None:
    x, y = at
    box = ((x - radius) * factor, (y - radius) * factor, (x + radius) * factor, (y + radius) * factor)
    draw.ellipse(box, **style)  # type: ignore[arg-type]


def _text(
    draw: ImageDraw.ImageDraw, factor: int, at: _Point, text: str, size: int, ink: tuple[int, int, int]
) -> None:
    draw.text((at[0] * factor, at[1] * factor), text, fill=ink, font=_font(size * factor), anchor="mm")


def _case(draw: ImageDraw.ImageDraw, factor: int) -> None:
    _circle(draw, factor, (_CENTRE, _CENTRE), 314, fill=_CASE, outline=_CASE_EDGE, width=4 * factor)
    _circle(draw, factor, (_CENTRE, _CENTRE), 200, fill=_FACE, outline=_CASE_EDGE, width=2 * factor)


def _button(draw: ImageDraw.ImageDraw, factor: int, seat: int, seats: int, held: bool) -> None:
    at = _at(seat_angle(seat, seats), _BUTTONS)
    _circle(draw, factor, at, 27, fill=_CASE_EDGE)
    colour = _BUTTON_HELD if held else _BUTTON
    _circle(draw, factor, at, 20 if held else 23, fill=colour)
    _text(draw, factor, at, str(seat + 1), 20, _CASE_EDGE)


def _pad(draw: ImageDraw.ImageDraw, factor: int, wiring: Wiring, held: Collection[str]) -> None:
    step_x, step_y = 46, 34
    left = _CENTRE - 1.5 * step_x
    top = _CENTRE + 18
    for r, legends in enumerate(wiring.rows):
        for c, legend in enumerate(legends):
            x, y = left + c * step_x, top + r * step_y
            colour, mark = _SPECIAL.get(legend, (_CASE, ""))
            box = [(x - 19) * factor, (y - 13) * factor, (x + 19) * factor, (y + 13) * factor]
            edge = _BUTTON_HELD if legend in held else _CASE_EDGE
            draw.rounded_rectangle(
                box, 5 * factor, fill=colour, outline=edge, width=(4 if legend in held else 2) * factor
            )
            if mark:
                _shape(draw, factor, (x, y), mark)
            else:
                _text(draw, factor, (x, y), legend, 18, _INK)


def _shape(draw: ImageDraw.ImageDraw, factor: int, at: _Point, mark: str) -> None:
    # Drawn, not written: fonts differ in which of these they have.
    x, y = at
    points = {
        "▲": [(0, -7), (8, 7), (-8, 7)],
        "■": [(-7, -7), (7, -7), (7, 7), (-7, 7)],
        "◆": [(0, -9), (8, 0), (0, 9), (-8, 0)],
    }
    if mark == "●":
        _circle(draw, factor, at, 7, fill=_INK)
    else:
        draw.polygon([((x + dx) * factor, (y + dy) * factor) for dx, dy in points[mark]], fill=_INK)


def _screen(image: Image.Image, draw: ImageDraw.ImageDraw, factor: int, picture: bytes, turned: bool) -> None:
    shown = screen(picture, _LIT)
    if turned:
        shown = shown.transpose(Image.Transpose.ROTATE_180)
    width, height = 256, 128
    left, top = _CENTRE - width / 2, _CENTRE - 150
    frame = [
        (left - 10) * factor,
        (top - 10) * factor,
        (left + width + 10) * factor,
        (top + height + 10) * factor,
    ]
    draw.rounded_rectangle(frame, 6 * factor, fill=_GLASS, outline=_CASE_EDGE, width=2 * factor)
    shown = shown.resize((width * factor, height * factor), Image.Resampling.NEAREST)
    image.paste(
        ImageChops.lighter(shown, Image.new("RGB", shown.size, _GLASS)),
        (int(left * factor), int(top * factor)),
    )


def _seen(pixel: tuple[int, int, int]) -> tuple[int, int, int]:
    # A light at a tenth of its power looks far brighter than a tenth: the eye's curve, not the wire's.
    red, green, blue = (round(255 * (value / 255) ** (1 / 2.2)) for value in pixel)
    return red, green, blue


def _lights(
    image: Image.Image, factor: int, pixels: Sequence[tuple[int, int, int]], seats: int
) -> Image.Image:
    draw = ImageDraw.Draw(image)
    glow = Image.new("RGB", image.size)
    halo = ImageDraw.Draw(glow)
    for n, pixel in enumerate(pixels):
        at = _at(pixel_angle(n, len(pixels), seats), _RING)
        _circle(draw, factor, at, 13, fill=_DARK_PIXEL, outline=_CASE_EDGE, width=2 * factor)
        if any(pixel):
            _circle(halo, factor, at, 16, fill=_seen(pixel))
            _circle(draw, factor, at, 11, fill=_seen(pixel))
    if any(any(pixel) for pixel in pixels):
        glow = glow.filter(ImageFilter.GaussianBlur(9 * factor))
        image = ImageChops.add(image, glow)
    return image
