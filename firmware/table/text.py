"""Words for people, and what of them the screen's letters can show.

A layer above the screen: letters with marks lose them ("Åsa" is shown as "Asa"), what has no
letter at all is left out, and a name of which nothing is left gives way to its seat ("P2").
"""

_LATIN = (
    "AAAAAA&CEEEEIIIIDNOOOOOx0UUUUYTs"
    "aaaaaa&ceeeeiiiidnooooo/0uuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOo"
    "RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs"
)
"""What stands for U+00C0 to U+017F; a few of them become two letters below."""

_TWO = {
    0xC6: "AE", 0xE6: "ae", 0xDF: "ss", 0xDE: "Th", 0xFE: "th", 0xD8: "O", 0xF8: "o",
    0x152: "OE", 0x153: "oe", 0x132: "IJ", 0x133: "ij",
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-", 0x2026: "...",
    0xA0: " ", 0x218: "S", 0x219: "s", 0x21A: "T", 0x21B: "t",
}

_groups: "dict[str, str]" = {}


def use(groups: "dict[str, str]") -> None:
    """Take the words: one string of "name=template" lines for each group, by the group's name.

    Few long strings take a fifth of the room that a dict of all templates would take.
    """
    global _groups
    _groups = groups


def _find(key: str) -> "str | None":
    group, _, name = key.partition(".")
    lines: "str | None" = _groups.get(group)
    if lines is None:
        return None
    at = lines.find("\n" + name + "=")
    if at < 0:
        return None
    at += len(name) + 2
    return lines[at : lines.find("\n", at)]


def word(key: str) -> str:
    """Return the template of a message; the key itself when there is none, never an error."""
    found = _find(key)
    return key if found is None else found


def has(key: str) -> bool:
    """Is there a message of this key?"""
    return _find(key) is not None


def fill(key: str, **fields: object) -> str:
    """Return the message with its {fields} filled in; the bare template when they do not fit it."""
    template = word(key)
    try:
        return template.format(**fields)
    except (KeyError, IndexError, ValueError):
        return template


def plain(text: str) -> str:
    """Return the text in letters that the screen has: printable ASCII."""
    for letter in text:
        if not " " <= letter <= "~":
            break
    else:
        return text
    out = []
    for letter in text:
        code = ord(letter)
        if 32 <= code < 127:
            out.append(letter)
        elif code in _TWO:
            out.append(_TWO[code])
        elif 0xC0 <= code < 0xC0 + len(_LATIN):
            out.append(_LATIN[code - 0xC0])
        elif code < 32:
            out.append(" ")
    return " ".join("".join(out).split())


def seat_label(seat: int) -> str:
    """Return the short name of a seat as people count them: "P1" is seat 0."""
    return fill("screen.seat", n=seat + 1)


def name(wanted: str, seat: int) -> str:
    """Return a name that the screen can show; the seat's label when nothing of it can be."""
    shown = plain(wanted)
    for letter in shown:
        if letter.isalpha() or letter.isdigit():
            return shown
    return seat_label(seat)


def minutes(ms: int) -> str:
    """Return a time as minutes and seconds, "4:07"."""
    seconds = ms // 1000
    rest = seconds % 60
    return str(seconds // 60) + (":0" if rest < 10 else ":") + str(rest)
