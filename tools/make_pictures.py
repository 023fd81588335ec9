"""Make the README's pictures with the program itself: docs/pictures/table.png and cues.png.

    .venv/bin/python tools/make_pictures.py

A virtual board is brought into each state by pressing its buttons; what it shows is drawn. Look at
the pictures after every change of a cue, a screen or the drawing of the device.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from chautari import ports
from chautari.virtual import VirtualBoard
from PIL import Image, ImageDraw, ImageFont

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
NAMES = ["Anu", "Bikram", "Chandra", "Deepa", "", ""]
SCALE = 1
COLUMNS = 4
CAPTION = 34
PAPER = (246, 243, 236)
INK = (40, 40, 44)
STATES: list[tuple[str, tuple[str, ...], float]] = [
    ("Seats are taken", ("seat1", "seat2", "seat3", "seat4"), 3),
    ("Bikram's turn", ("hold 0", "2", "seat1", "#"), 3),
    ("Reverse: the other way round", ("seat2", "2"), 0.3),
    ("Which colour?", ("4",), 3),
    ("Blue is called", ("D",), 0.3),
    ("Not your turn", ("seat3",), 0.3),
    ("Last card", ("8", "seat1", "2", "#", "seat1"), 0.3),
    ("A pause", ("0",), 3),
    ("No card left: out?", ("seat1", "8", "seat4", "1", "#", "seat4"), 3),
    ("What is left in each hand", ("seat4", "7", "A", "B"), 3),
    ("Undo says what it takes back", ("*",), 0.3),
    ("What do the keys mean?", ("hold #",), 0.5),
]
"""Caption, presses that lead from the state before to this one, seconds until it is drawn."""


def shot(board: VirtualBoard) -> Image.Image:
    """Return the device as it is now, lit as brightly as it gets within a moment."""
    best = None
    light = -1
    end = time.monotonic() + 0.9
    while time.monotonic() < end:
        now = sum(sum(pixel) for pixel in board.panel.pixels())
        if now > light:
            light, best = now, board.panel.image(SCALE)
        time.sleep(0.03)
    assert best is not None
    return best.convert("RGB")


def sheet(shots: list[tuple[str, Image.Image]]) -> Image.Image:
    """Return all pictures on one sheet, a caption under each."""
    width, height = shots[0][1].size
    rows = -(-len(shots) // COLUMNS)
    page = Image.new("RGB", (COLUMNS * width, rows * (height + CAPTION)), PAPER)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=24)
    for at, (caption, picture) in enumerate(shots):
        left, top = at % COLUMNS * width, at // COLUMNS * (height + CAPTION)
        page.paste(picture, (left, top))
        draw.text((left + width // 2, top + height + 2), caption, INK, font, anchor="ma")
    return page


def main() -> int:
    """Bring a board through all states and save the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    shots = []
    with tempfile.TemporaryDirectory() as home, VirtualBoard(home) as board:
        with ports.open(board.port) as session:
            session.put({"names": NAMES, "turn_screen": 0})
        time.sleep(3)
        for caption, presses, seconds in STATES:
            for press in presses:
                if press.startswith("hold "):
                    board.panel.hold(press.removeprefix("hold "))
                else:
                    board.panel.tap(press)
                time.sleep(0.25)
            time.sleep(seconds)
            shots.append((caption, shot(board)))
            print(f"  {caption}", flush=True)
    shots[1][1].save(PICTURES / "table.png", optimize=True)
    page = sheet(shots)
    page = page.resize((page.width // 2, page.height // 2), Image.Resampling.LANCZOS)
    page.quantize(256).save(PICTURES / "cues.png", optimize=True)
    print(f"saved in {PICTURES}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
