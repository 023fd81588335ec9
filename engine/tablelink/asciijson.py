"""JSON in plain ASCII, the same on CPython and MicroPython.

The `json` of MicroPython writes raw UTF-8, breaks characters beyond U+FFFF into two halves when it
reads their escapes, and takes things for JSON that are none. So the line has its own, smaller one:
lists, whole numbers, texts, true, false and null; no objects and no fractions. One value has exactly
one text, so a checksum over the text stands for the value.
"""

DEEPEST = 8
"""Lists within lists; deeper ones are refused (a board's stack is small)."""

_ESCAPES = {34: '"', 92: "\\", 47: "/", 98: "\b", 102: "\f", 110: "\n", 114: "\r", 116: "\t"}
_HEX = b"0123456789abcdefABCDEF"
_BLANKS = b" \t"


def dumps(value: object) -> str:
    """Return the one ASCII text of value. `~` is escaped too: on the line it only ever starts a frame.

    Raises TypeError for anything but list, tuple, int, bool, str and None.
    """
    parts: list[str] = []
    _write(value, parts, 0)
    return "".join(parts)


def _write(value: object, parts: list[str], depth: int) -> None:
    if value is None:
        parts.append("null")
    elif value is True:
        parts.append("true")
    elif value is False:
        parts.append("false")
    elif isinstance(value, int):
        parts.append(str(value))
    elif isinstance(value, str):
        parts.append(_quoted(value))
    elif isinstance(value, (list, tuple)):
        if depth >= DEEPEST:
            raise TypeError("too many lists within lists")
        parts.append("[")
        first = True
        for item in value:
            if not first:
                parts.append(",")
            first = False
            _write(item, parts, depth + 1)
        parts.append("]")
    else:
        raise TypeError("cannot be sent: " + type(value).__name__)


def _quoted(text: str) -> str:
    if _is_plain(text):
        return '"' + text + '"'
    parts = ['"']
    for sign in text:
        code = ord(sign)
        if code == 34 or code == 92:
            parts.append("\\" + sign)
        elif 32 <= code < 126:
            parts.append(sign)
        elif 0xD800 <= code < 0xE000:
            parts.append("\\ufffd")  # half a character is no character
        elif code < 0x10000:
            parts.append("\\u%04x" % code)
        else:
            code -= 0x10000
            parts.append("\\u%04x\\u%04x" % (0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)))
    parts.append('"')
    return "".join(parts)


def _is_plain(text: str) -> bool:
    # Built-in loops over bytes only: this is the road of every announcement, and a board is slow.
    if not text:
        return True
    try:
        data = text.encode()
    except UnicodeError:  # half a character
        return False
    return min(data) >= 32 and max(data) < 126 and b'"' not in data and b"\\" not in data


def loads(data: bytes) -> object:
    """Return the value whose text data is. Blanks between the parts are allowed.

    Raises ValueError for anything else than one value of the kinds above, in ASCII. Half a surrogate
    pair reads as U+FFFD.
    """
    value, place = _read(data, _skip(data, 0), 0)
    if _skip(data, place) != len(data):
        raise ValueError("more than one value")
    return value


def _skip(data: bytes, place: int) -> int:
    while place < len(data) and data[place] in _BLANKS:
        place += 1
    return place


def _read(data: bytes, place: int, depth: int) -> "tuple[object, int]":
    if place >= len(data):
        raise ValueError("cut short")
    sign = data[place]
    if sign == 34:
        return _read_text(data, place + 1)
    if sign == 91:
        return _read_list(data, place + 1, depth + 1)
    if sign == 45 or 48 <= sign <= 57:
        return _read_number(data, place)
    if data[place : place + 4] == b"null":
        return None, place + 4
    if data[place : place + 4] == b"true":
        return True, place + 4
    if data[place : place + 5] == b"false":
        return False, place + 5
    raise ValueError("not a value")


def _read_number(data: bytes, place: int) -> "tuple[int, int]":
    start = place
    if data[place] == 45:
        place += 1
    digits = place
    while place < len(data) and 48 <= data[place] <= 57:
        place += 1
    count = place - digits
    if count == 0 or count > 20 or (count > 1 and data[digits] == 48):
        raise ValueError("not a whole number")
    if place < len(data) and data[place] in b".eE":
        raise ValueError("not a whole number")
    return int(str(data[start:place], "ascii")), place


def _read_list(data: bytes, place: int, depth: int) -> "tuple[list[object], int]":
    if depth > DEEPEST:
        raise ValueError("too many lists within lists")
    items: list[object] = []
    place = _skip(data, place)
    if place < len(data) and data[place] == 93:
        return items, place + 1
    while True:
        value, place = _read(data, place, depth)
        items.append(value)
        place = _skip(data, place)
        if place >= len(data):
            raise ValueError("cut short")
        if data[place] == 93:
            return items, place + 1
        if data[place] != 44:
            raise ValueError("not a list")
        place = _skip(data, place + 1)


def _read_text(data: bytes, place: int) -> "tuple[str, int]":
    parts: list[str] = []
    while True:
        end = data.find(b'"', place)
        if end < 0:
            raise ValueError("cut short")
        slash = data.find(b"\\", place, end)
        plain = data[place : end if slash < 0 else slash]
        if plain:
            if min(plain) < 32 or max(plain) > 126:
                raise ValueError("not plain ASCII")
            parts.append(str(plain, "ascii"))
        if slash < 0:
            return "".join(parts), end + 1
        if slash + 1 >= len(data):
            raise ValueError("cut short")
        sign = data[slash + 1]
        if sign == 117:
            code = _read_code(data, slash + 2)
            place = slash + 6
            if 0xD800 <= code < 0xDC00 and data[place : place + 2] == b"\\u":
                other = _read_code(data, place + 2)
                if 0xDC00 <= other < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10) + other - 0xDC00
                    place += 6
            if 0xD800 <= code < 0xE000:
                code = 0xFFFD
            parts.append(chr(code))
        elif sign in _ESCAPES:
            parts.append(_ESCAPES[sign])
            place = slash + 2
        else:
            raise ValueError("unknown escape")


def _read_code(data: bytes, place: int) -> int:
    digits = data[place : place + 4]
    if len(digits) < 4:
        raise ValueError("cut short")
    for digit in digits:
        if digit not in _HEX:
            raise ValueError("unknown escape")
    return int(str(digits, "ascii"), 16)
