"""The table's settings: checked, kept in flash, written late and merged.

Two files are written in turn, each beside its place and then moved there; the newest good one counts.
The board id has a file of its own, so that it outlives damaged settings.

    settings/s0 s1    header with a sequence number, one `"name"=value` line each, a checksum
    settings/board    the board id
"""

import os
from binascii import crc32

from cardrules.games import GAMES
from cardrules.last_card.settings import SETTINGS as _LAST_CARD
from tablelink import asciijson
from tablelink.fingerprint import fingerprint

from table import SEATS

try:
    from typing import Any
except ImportError:
    pass

NAME_LENGTH = 30
"""Code points in a name."""
OWNER_LENGTH = 40

NUMBER = "number"  # a whole number from lowest to highest, or one of the values allowed
NAMES = "names"  # a name for each seat: no control characters, at most NAME_LENGTH code points
PLAYERS = "players"  # a player id for each seat, 0 if unknown
TEXT = "text"  # plain ASCII, at most OWNER_LENGTH characters
FIXED = "fixed"  # cannot be set


def _rules() -> "list[tuple[str, str, int, int, Any, tuple[int, ...]]]":
    return [(name, NUMBER, min(values), max(values), value, values) for _, name, values, value in _LAST_CARD]


SCHEMA = [
    # name, kind, lowest, highest, default, values allowed (none: all from lowest to highest)
    ("sound", NUMBER, 0, 2, 2, ()),  # off, low, normal
    ("brightness", NUMBER, 1, 10, 5, ()),
    ("budget_ma", NUMBER, 100, 3000, 450, ()),  # mA that the pixels may draw
    ("catch_up", NUMBER, 0, 1, 1, ()),  # the next seat's press ends a forgotten turn
    ("turn_screen", NUMBER, 0, 1, 1, ()),  # towards the seat on turn
    ("dim_s", NUMBER, 5, 3600, 120, ()),  # seconds without a press
    ("blank_s", NUMBER, 10, 7200, 600, ()),
    ("names", NAMES, 0, NAME_LENGTH, [""] * SEATS, ()),
    ("players", PLAYERS, 0, 0xFFFFFFFF, [0] * SEATS, ()),
    ("game", NUMBER, 1, max(GAMES.values()), 1, ()),
    ("owner", TEXT, 0, OWNER_LENGTH, "", ()),  # id of the PC whose acknowledgement counts
    ("board_id", FIXED, 0, 0, "", ()),
] + _rules()
"""All settings, the house rules of the games included."""

REASONS = ("unknown_setting", "setting_value", "setting_fixed")
"""What set() can answer: unknown_setting; setting_value(lowest, highest); setting_fixed."""

FAULTS = (
    "settings_value",  # a value in the file is not allowed here: the default is used for it
    "settings_old",  # one of the two files is damaged: the other one is used, perhaps an older one
    "settings_lost",  # both files are damaged: defaults are used
    "settings_unsaved",  # the latest changes could not be written
)
"""All values of Settings.fault beside None, the worse the later."""

CALM_MS = 5000
"""Nothing is written before this long after the latest change,"""
LATEST_MS = 30000
"""except that a change never waits longer than this; also the time before another try."""
_TICKS = 0x3FFFFFFF  # ticks of a board wrap at a power of two, on the smallest at this

_HEAD = "chautari settings 1 "

_rename = getattr(os, "replace", os.rename)  # CPython's rename does not replace everywhere


def _good_name(name: object) -> bool:
    """Return whether this may be a name: nothing that breaks a line or turns the direction of writing."""
    if not isinstance(name, str) or len(name) > NAME_LENGTH:
        return False
    for char in name:
        code = ord(char)
        if code < 32 or 127 <= code < 160 or 0xD800 <= code < 0xE000:
            return False
        if 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069:
            return False
    return True


def _good_text(text: object) -> bool:
    if not isinstance(text, str) or len(text) > OWNER_LENGTH:
        return False
    for char in text:
        if not " " < char < "\x7f":
            return False
    return True


def _good_number(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and low <= value <= high


def checked(key: str, value: object) -> "tuple[tuple[Any, ...] | None, object]":
    """Return (None, the value to keep) or (reason, None)."""
    row = None
    for one in SCHEMA:
        if one[0] == key:
            row = one
    if row is None:
        return ("unknown_setting",), None
    _, kind, low, high, _, allowed = row
    good = False
    if kind == FIXED:
        return ("setting_fixed",), None
    if value is True or value is False:
        value = 1 if value else 0  # how a PC may say on and off
    if kind == NUMBER:
        good = _good_number(value, low, high)
        if good:
            good = not allowed or value in allowed
    elif kind == TEXT:
        good = _good_text(value)
    elif isinstance(value, (list, tuple)) and len(value) == SEATS:
        good = True
        for one in value:
            good = good and (_good_name(one) if kind == NAMES else _good_number(one, low, high))
        value = list(value)
    return (None, value) if good else (("setting_value", low, high), None)


class Settings:
    """The settings below a root directory, for instance "/" on the board. Loaded at once.

    No method raises OSError: what is wrong is named by fault.
    """

    def __init__(self, root: str = "/") -> None:
        self._base = (root[:-1] if root.endswith("/") else root) + "/settings"
        self._values: dict[str, Any] = {}
        for name, _, _, _, value, _ in SCHEMA:
            self._values[name] = list(value) if isinstance(value, list) else value
        self._sequence = 0
        self._dirty = False  # something is not in flash
        self._changed = False  # since save_due() was called last
        self._timed = False  # when the changes that wait were made is known:
        self._first_ms = 0
        self._last_ms = 0
        self._calm_ms = CALM_MS
        self._load_fault: str | None = None
        self._save_fault: str | None = None
        self._fingerprint = ""  # made when asked for: a PC asks every two seconds
        self.writes = 0
        self._load()
        self._find_board_id()

    @property
    def fault(self) -> "str | None":
        """One of FAULTS, or None."""
        return self._save_fault or self._load_fault

    def get(self, key: str) -> "Any":
        """Return a value; a list is not to be changed. Raises KeyError for an unknown name."""
        return self._values[key]

    def set(self, key: str, value: object) -> "tuple[Any, ...] | None":
        """Change a value; returns None, or the reason why it stays as it is."""
        reason, value = checked(key, value)
        if reason is None and self._values[key] != value:
            self._values[key] = value
            self._fingerprint = ""
            self._dirty = True
            self._changed = True
        return reason

    def items(self) -> "list[tuple[str, Any]]":
        """Return (name, value) pairs, sorted by name."""
        return sorted(self._values.items())

    def fingerprint(self) -> str:
        """Return 8 hex digits that are equal on both ends of the line when all values are."""
        if not self._fingerprint:
            self._fingerprint = fingerprint(self.items())
        return self._fingerprint

    def save_due(self, now_ms: int) -> bool:
        """Write the changes if their time has come; returns whether it wrote. now_ms: may wrap.

        Called at least a few times a second, so that it knows when a change was made.
        """
        if not self._dirty:
            return False
        if not self._timed:
            self._timed = True
            self._first_ms = self._last_ms = now_ms
        elif self._changed:
            self._last_ms = now_ms
        self._changed = False
        calm = (now_ms - self._last_ms) & _TICKS
        waited = (now_ms - self._first_ms) & _TICKS
        if calm < self._calm_ms and waited < LATEST_MS:
            return False
        if not self.save_now():
            # The flash is full or broken: not again at once.
            self._calm_ms = LATEST_MS
            self._first_ms = self._last_ms = now_ms
            return False
        return True

    def save_now(self) -> bool:
        """Write the changes at once, for instance before a restart; returns whether it wrote."""
        if not self._dirty:
            return False
        sequence = self._sequence + 1
        lines = [_HEAD + str(sequence) + "\n"]
        for name, value in self.items():
            lines.append(asciijson.dumps(name) + "=" + asciijson.dumps(value) + "\n")
        try:
            self._write("s%d" % (sequence & 1), "".join(lines))
        except OSError:
            self._save_fault = "settings_unsaved"
            return False
        self._sequence = sequence
        self._calm_ms = CALM_MS
        self._dirty = self._changed = self._timed = False
        self._save_fault = None
        self.writes += 1
        return True

    def _write(self, name: str, text: str) -> None:
        try:
            os.mkdir(self._base)
        except OSError:
            pass  # it is there already, or the next line says what is wrong
        data = text.encode()
        with open(self._base + "/tmp", "wb") as file:
            file.write(data)
            file.write(b"end %08x\n" % crc32(data))
        _rename(self._base + "/tmp", self._base + "/" + name)

    def _read(self, name: str) -> "list[bytes] | None":
        """Return the lines of a file without its checksum, [] if it is damaged, None if there is none."""
        try:
            with open(self._base + "/" + name, "rb") as file:
                data: bytes = file.read()
        except OSError:
            return None
        # 13: the line with the checksum
        if len(data) < 13 or data[-13:] != b"end %08x\n" % crc32(data[:-13]):
            return []
        return data[:-14].split(b"\n")

    def _load(self) -> None:
        best: list[bytes] = []
        there = damaged = 0
        for slot in (0, 1):
            lines = self._read("s%d" % slot)
            if lines is None:
                continue
            there += 1
            sequence = self._sequence_of(lines)
            if sequence < 1 or sequence & 1 != slot:
                damaged += 1
            elif sequence > self._sequence:
                self._sequence = sequence
                best = lines
        if there and not best:
            self._load_fault = "settings_lost"
        elif damaged or (there == 1 and self._sequence > 1):
            self._load_fault = "settings_old"
        for line in best[1:]:
            self._take(line)
        # The damaged file is replaced, so that there are two good ones again.
        self._dirty = self._load_fault == "settings_old"

    @staticmethod
    def _sequence_of(lines: "list[bytes]") -> int:
        if not lines or not lines[0].startswith(_HEAD.encode()):
            return 0
        digits = lines[0][len(_HEAD) :]
        return int(digits) if digits.isdigit() else 0

    def _take(self, line: bytes) -> None:
        key, _, text = line.partition(b"=")
        try:
            name = asciijson.loads(key)
            value = asciijson.loads(text)
        except ValueError:
            return
        if name == "board_id" and _good_text(value):
            self._values["board_id"] = value
            return
        reason, value = checked(str(name), value)
        if reason is None:
            self._values[str(name)] = value
        elif reason[0] == "setting_value" and self._load_fault is None:
            self._load_fault = "settings_value"

    def _find_board_id(self) -> None:
        lines = self._read("board")
        if lines and len(lines[0]) == 8:
            self._values["board_id"] = str(lines[0], "ascii")
            return
        if not self._values["board_id"]:
            self._values["board_id"] = os.urandom(4).hex()
        try:
            self._write("board", self._values["board_id"] + "\n")
        except OSError:
            self._save_fault = "settings_unsaved"
            self._dirty = True  # the settings hold the id as well
