"""The table's settings as the PC knows them: the table's own list of names, ranges and defaults.

The list is read from the firmware that belongs to this program, so there is one of it.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from chautari import board_files, words
from chautari.console import cut_to_characters
from chautari.errors import NotAllowed, Trouble

ON_OFF = {"on": 1, "off": 0}


@dataclass(frozen=True)
class Setting:
    """A setting. kind: number, names, players, text or fixed; values: all that are allowed, if few."""

    name: str
    kind: str
    low: int
    high: int
    default: Any
    values: tuple[int, ...]

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.kind == "fixed":
            return "cannot be changed"
        if self.kind == "names":
            return f"a list with a name for each seat, {self.high} characters at most"
        if self.kind == "players":
            return "a list with a player's id for each seat"
        if self.kind == "text":
            return f"plain text, {self.high} characters at most"
        if self.values:
            return ", ".join(shown(self.name, value) for value in self.values)
        meanings = words_of(self)
        return f"{self.low} to {self.high}" + (f" ({', '.join(meanings)})" if meanings else "")


@cache
def _board_module() -> ModuleType:
    try:
        path = board_files.root() / "firmware" / "table" / "settings.py"
    except board_files.BoardFilesError as error:
        raise Trouble(f"This installation is not complete: {error}. Install Chautari again.") from error
    spec = importlib.util.spec_from_file_location("chautari_table_settings", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # It takes the number of seats from its own room, which is known by its plain name only on a board.
    known = sys.modules.get("table")
    room = str(path.parent.parent)
    sys.path.insert(0, room)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(room)
        if known is None:
            sys.modules.pop("table", None)
    return module


@cache
def schema() -> dict[str, Setting]:
    """Return all settings by name."""
    return {
        name: Setting(name, kind, low, high, default, tuple(values))
        for name, kind, low, high, default, values in _board_module().SCHEMA
    }


def meaning(name: str, value: Any) -> str:
    """Return what a number means in this setting, "" where it is just a number."""
    setting = schema().get(name)
    if setting is None or setting.kind != "number" or not isinstance(value, int):
        return ""
    keys = [f"value.{name}_{value}"]
    if (setting.low, setting.high) == (0, 1):
        keys.append(f"value.switch_{value}")
    return next((text for key in keys if (text := words.say(key)) != key), "")


def words_of(setting: Setting) -> dict[str, int]:
    """Return the words that can be typed in place of a number, with that number."""
    if setting.kind != "number":
        return {}
    numbers = setting.values or (range(setting.low, setting.high + 1) if setting.high < 10 else ())
    return {text: number for number in numbers if (text := meaning(setting.name, number))}


def shown(name: str, value: Any) -> str:
    """Return a value with its meaning, as in "0 (off)"."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{text} ({said})" if (said := meaning(name, value)) else text


def find(name: str) -> Setting:
    """Return a setting. Raises NotAllowed, naming those there are."""
    known = schema().get(name)
    if known is None:
        raise NotAllowed(f"There is no setting {name!r}; there are: {', '.join(sorted(schema()))}.")
    return known


def check(name: str, value: Any) -> Any:
    """Return the value as the table takes it. Raises NotAllowed, naming what is allowed."""
    setting = find(name)
    reason, kept = _board_module().checked(name, value)
    if reason is not None:
        raise NotAllowed(
            f"{name} cannot be {json.dumps(value, ensure_ascii=False)}; allowed: {setting.allowed}."
        )
    return kept


def parse(name: str, text: str) -> Any:
    """Return the value that somebody typed. Raises NotAllowed."""
    setting = find(name)
    value: Any = text
    if setting.kind == "number":
        typed = text.strip().lower()
        value = {**(ON_OFF if (setting.low, setting.high) == (0, 1) else {}), **words_of(setting)}.get(typed)
        if value is None:
            sign = typed[:1] in "+-"
            number = typed[1:] if sign else typed
            value = int(typed) if number.isascii() and number.isdigit() and len(number) < 19 else text
    elif setting.kind in ("names", "players"):
        try:
            value = json.loads(text)
        except ValueError:
            value = text
    return check(name, value)


def name_for_table(name: str) -> str:
    """Return a player's name as the table can hold it: nothing that acts, not too long."""
    known = _board_module()
    kept = "".join(character for character in name if known._good_name(character))
    return cut_to_characters(kept, int(known.NAME_LENGTH))
