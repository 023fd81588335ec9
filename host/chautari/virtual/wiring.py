"""What the panel's controls are wired to, read from hardware/pins.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from chautari import board_files


@dataclass(frozen=True)
class Wiring:
    """Pins by GPIO number. `keys` maps a legend to (row pin, column pin)."""

    seats: tuple[int, ...]
    keys: dict[str, tuple[int, int]]
    rows: tuple[str, ...]
    columns: tuple[int, ...]
    pixels: int
    order: tuple[int, ...]
    driver: str

    def control(self, name: str) -> str:
        """Return the panel line's beginning for a control: seat1 ..., a key's legend or bootsel.

        Raises ValueError for a name that no control has.
        """
        if name == "bootsel":
            return "bootsel 0 0"
        if name in self.keys:
            row, column = self.keys[name]
            return f"key {row} {column}"
        if name.startswith("seat") and name[4:].isdecimal() and 1 <= int(name[4:]) <= len(self.seats):
            return f"pin {self.seats[int(name[4:]) - 1]} 0"
        known = ", ".join([*(f"seat{n}" for n in range(1, len(self.seats) + 1)), *self.keys, "bootsel"])
        raise ValueError(f"no control {name!r}; there are {known}")


@cache
def wiring() -> Wiring:
    """Return the wiring that hardware/pins.toml describes."""
    pins = tomllib.loads(board_files.pins_file().read_text(encoding="utf-8"))
    pad = pins["key_pad"]
    keys = {
        legend: (row, column)
        for row, legends in zip(pad["rows"], pins["keys"], strict=True)
        for column, legend in zip(pad["columns"], legends, strict=True)
    }
    return Wiring(
        seats=tuple(pins["seat_buttons"]["pins"]),
        keys=keys,
        rows=tuple(pins["keys"]),
        columns=tuple(pad["columns"]),
        pixels=pins["pixels"]["count"],
        order=tuple("RGB".index(letter) for letter in pins["pixels"]["order"]),
        driver=pins["screen"]["driver"],
    )
