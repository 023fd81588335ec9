"""Write the board's pin constants from hardware/pins.toml.

    python tools/make_pins.py            write firmware/boards/pico_pins.py
    python tools/make_pins.py --check    exit 1 when it is stale, change nothing

Mistakes in pins.toml (a pin used twice, a pin the Pico lacks, an unknown screen driver, wrong
counts) are refused with one line each.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "hardware" / "pins.toml"
TARGET = ROOT / "firmware" / "boards" / "pico_pins.py"

# GP23 to GP25 and GP29 serve the Pico itself (power, LED, radio).
USABLE = frozenset([*range(0, 23), 26, 27, 28])
# I2C0 and I2C1 come out on fixed pins: data on every fourth from 0 or 2, clock on the pin after.
I2C_DATA = {0: (0, 4, 8, 12, 16, 20), 1: (2, 6, 10, 14, 18, 26)}


def mistakes(pins: dict[str, Any]) -> list[str]:
    """Return what is wrong in a read pins.toml, one line each; empty if nothing is."""
    found = []
    screen, pad, pixels = pins["screen"], pins["key_pad"], pins["pixels"]
    users: dict[int, str] = {}
    wanted = [(f"seat {n}", pin) for n, pin in enumerate(pins["seat_buttons"]["pins"], 1)]
    wanted += [(f"row {n}", pin) for n, pin in enumerate(pad["rows"], 1)]
    wanted += [(f"column {n}", pin) for n, pin in enumerate(pad["columns"], 1)]
    wanted += [("pixels", pixels["pin"]), ("sound", pins["sound"]["pin"])]
    wanted += [("screen data", screen["sda"]), ("screen clock", screen["scl"])]
    for user, pin in wanted:
        if pin not in USABLE:
            found.append(f"{user}: the Pico has no free pin GP{pin}")
        elif pin in users:
            found.append(f"{user}: GP{pin} is already used by {users[pin]}")
        else:
            users[pin] = user
    if len(pins["seat_buttons"]["pins"]) != pins["seats"]:
        found.append(f"seat_buttons: {pins['seats']} pins are needed, one for each seat")
    if pixels["count"] != pixels["per_seat"] * pins["seats"]:
        found.append("pixels: count must be per_seat times the seats")
    if [len(row) for row in pins["keys"]] != [len(pad["columns"])] * len(pad["rows"]):
        found.append("keys: one legend for each row and column is needed")
    if screen["driver"] not in screen["drivers"]:
        found.append(f"screen: driver must be one of {', '.join(screen['drivers'])}")
    if screen["sda"] not in I2C_DATA.get(screen["bus"], ()) or screen["scl"] != screen["sda"] + 1:
        found.append(f"screen: I2C{screen['bus']} does not come out on GP{screen['sda']}, GP{screen['scl']}")
    return found


def generate(pins: dict[str, Any]) -> str:
    """Return the text of the board's constants module."""
    screen, pad, pixels = pins["screen"], pins["key_pad"], pins["pixels"]
    lines = [
        '"""Pins of the table device. Written by tools/make_pins.py from hardware/pins.toml; edit that."""',
        "",
        f"SEATS = {tuple(pins['seat_buttons']['pins'])}",
        f"ROWS = {tuple(pad['rows'])}",
        f"COLUMNS = {tuple(pad['columns'])}",
        "KEYS = (" + ", ".join(f'"{row}"' for row in pins["keys"]) + ")",
        f"PIXELS = {pixels['pin']}",
        f"PIXEL_COUNT = {pixels['count']}",
        f"PIXEL_ORDER = {tuple('RGB'.index(c) for c in pixels['order'])}",
        f'SCREEN_DRIVER = "{screen["driver"]}"',
        f"SCREEN_BUS = {screen['bus']}",
        f"SCREEN_SDA = {screen['sda']}",
        f"SCREEN_SCL = {screen['scl']}",
        f"SCREEN_ADDRESS = 0x{screen['address']:02X}",
        f"SCREEN_FREQUENCY = {screen['frequency']}",
        f"SCREEN_WIDTH = {screen['width']}",
        f"SCREEN_HEIGHT = {screen['height']}",
        f"SOUND = {pins['sound']['pin']}",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Write the board's pin constants from hardware/pins.toml.")
    parser.add_argument("--check", action="store_true", help="only say whether they are stale")
    check = parser.parse_args(arguments).check
    pins = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    found = mistakes(pins)
    for line in found:
        print(f"hardware/pins.toml: {line}", file=sys.stderr)
    if found:
        return 2
    text = generate(pins)
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    if check:
        print("firmware/boards/pico_pins.py is stale: run python tools/make_pins.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
