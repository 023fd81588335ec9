"""What goes to the screen: any text on any console, in columns that stay in line.

Names are text, whatever is in them: nothing in a name is ever taken as markup, colour or movement
of the cursor. Widths are display cells, cuts are between graphemes (what a reader takes as one
character). A console that cannot show a character shows a placeholder; printing never raises.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any, TextIO

import wcwidth
from rich.console import Console
from rich.text import Text

PLACEHOLDER = "?"
COLOURS = (("red", "●"), ("yellow", "▲"), ("green", "■"), ("blue", "◆"))
"""The four colours, each with its shape, by number."""
UNLIMITED = 10_000
"""Cells in a line of a file."""
NARROWEST = 8
"""A column of texts is not made narrower than this."""

_JOINER = "\u200d"
_SHAPES_IN_ASCII = {
    "●": "o",
    "▲": "^",
    "■": "#",
    "◆": "*",
    "…": "~",
    "→": "->",
    "·": "-",
    "–": "-",
    "↻": ">",
    "↺": "<",
}


def _reaches_back(character: str) -> bool:
    """Return whether the character belongs to the one before it."""
    return (
        unicodedata.combining(character) != 0
        or unicodedata.category(character) in ("Mn", "Me", "Mc")
        or character == _JOINER
        or "\ufe00" <= character <= "\ufe0f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def graphemes(text: str) -> Iterator[str]:
    """Give what a reader takes as one character each: marks, skin tones, joined emoji and conjuncts whole."""
    cluster = ""
    flags = 0
    for character in text:
        flag = "\U0001f1e6" <= character <= "\U0001f1ff"
        joined = bool(cluster) and (
            _reaches_back(character)
            or cluster[-1] == _JOINER
            # A virama binds the next consonant to this one; in any script it has combining class 9.
            or (unicodedata.combining(cluster[-1]) == 9 and unicodedata.category(character) == "Lo")
            or (flag and flags % 2 == 1)
        )
        flags = flags + 1 if flag else 0
        if joined:
            cluster += character
            continue
        if cluster:
            yield cluster
        cluster = character
    if cluster:
        yield cluster


def cells(text: str) -> int:
    """Return the width of the text on a terminal, in cells."""
    return max(0, wcwidth.wcswidth(text))


def cut(text: str, width: int, mark: str = "…") -> str:
    """Return the text in at most width cells, cut between graphemes, with a mark where it was cut."""
    if cells(text) <= width:
        return text
    kept = ""
    for cluster in graphemes(text):
        if cells(kept + cluster + mark) > width:
            break
        kept += cluster
    return kept + mark if cells(kept + mark) <= width else kept


def pieces(text: str, width: int) -> list[str]:
    """Return the text in pieces of at most width cells each; nothing is lost."""
    result = [""]
    for cluster in graphemes(text):
        if result[-1] and cells(result[-1] + cluster) > width:
            result.append("")
        result[-1] += cluster
    return result


def cut_to_characters(text: str, count: int) -> str:
    """Return the text in at most count code points, cut between graphemes."""
    kept = ""
    for cluster in graphemes(text):
        if len(kept) + len(cluster) > count:
            break
        kept += cluster
    return kept


def harmless(text: str) -> str:
    """Return the text with everything that would act on a terminal made visible.

    Control characters become their pictures, characters that turn the writing direction or hide
    become the replacement character, half characters too.
    """
    result = []
    for character in text:
        number = ord(character)
        if number < 0x20:
            result.append(chr(0x2400 + number))
        elif number == 0x7F:
            result.append("\u2421")
        elif character in "\u200c\u200d":
            result.append(character)
        elif (
            unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
            and not 0xE0020 <= number <= 0xE007F
        ):
            result.append("\ufffd")
        else:
            result.append(character)
    return "".join(result)


def encodable(text: str, encoding: str) -> str:
    """Return the text with a placeholder for each grapheme that the encoding lacks."""
    try:
        text.encode(encoding)
        return text
    except (UnicodeEncodeError, LookupError):
        pass
    result = []
    for cluster in graphemes(text):
        try:
            cluster.encode(encoding)
            result.append(cluster)
        except (UnicodeEncodeError, LookupError):
            plain = unicodedata.normalize("NFKD", cluster).encode("ascii", "ignore").decode("ascii")
            result.append(_SHAPES_IN_ASCII.get(cluster) or plain.strip() or PLACEHOLDER)
    return "".join(result)


@dataclass(frozen=True)
class Column:
    """One column of a table. own_row: a text wider than widest cells gets a row of its own."""

    head: str
    right: bool = False
    widest: int = 40
    own_row: bool = False


class Screen:
    """A console to print on. One for stdout, one for stderr."""

    def __init__(self, file: TextIO, width: int | None = None) -> None:
        """file: an open text stream; width: cells, by default those of the terminal."""
        if isinstance(file, TextIOWrapper):
            file.reconfigure(errors="replace")
        self.file = file
        self.encoding = getattr(file, "encoding", None) or "ascii"
        self.unicode = self.encoding.lower().replace("-", "").replace("_", "").startswith("utf")
        self.rich = Console(
            file=file,
            width=width,
            markup=False,
            highlight=False,
            emoji=False,
            soft_wrap=True,
            legacy_windows=False,
        )

    @property
    def width(self) -> int:
        """Cells in one line; what goes into a file may be as wide as it likes."""
        return self.rich.width if self.rich.is_terminal or "COLUMNS" in os.environ else UNLIMITED

    def safe(self, text: str) -> str:
        """Return the text as this console can show it, on one line, with nothing in it that acts."""
        return encodable(harmless(text), self.encoding)

    def print(self, text: str = "", style: str = "") -> None:
        """Print one or more lines; each line is made safe."""
        for line in text.split("\n"):
            self.rich.print(Text(self.safe(line), style=style), no_wrap=True, overflow="ignore", crop=False)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[object]], title: str = "") -> None:
        """Print a table."""
        for line in self.table_lines(columns, rows, title):
            self.rich.print(Text(line), no_wrap=True, overflow="ignore", crop=False)

    def table_lines(
        self, columns: Sequence[Column], rows: Iterable[Sequence[object]], title: str = ""
    ) -> list[str]:
        """Return the lines of a table: borders in line whatever is in the cells.

        A cell that is too wide is cut, or in a column with own_row stands alone in the row above its own.
        A column with nothing in it is left out; where the console is too narrow, wide columns give way.
        """
        body = [["" if value is None else self.safe(str(value)) for value in row] for row in rows]
        used = [i for i, column in enumerate(columns) if column.head or any(row[i] for row in body)]
        columns = [columns[i] for i in used]
        body = [[row[i] for i in used] for row in body]
        heads = [self.safe(column.head) for column in columns]
        widths = [cells(head) for head in heads]
        least = [NARROWEST] * len(columns)
        for i, column in enumerate(columns):
            values = [cells(row[i]) for row in body]
            fitting = [
                min(value, column.widest)
                for value in values
                if not (column.own_row and value > column.widest)
            ]
            widths[i] = max([widths[i], *fitting])
            if column.right:
                least[i] = max([1, *values])
        self._narrow(widths, least)
        across, down = ("─", "│") if self.unicode else ("-", "|")
        corners = ("┌┬┐", "├┼┤", "└┴┘") if self.unicode else ("+++", "+++", "+++")
        mark = "…" if self.unicode else "~"

        def border(left: str, middle: str, right: str) -> str:
            return left + middle.join(across * (width + 2) for width in widths) + right

        def line(values: Sequence[str]) -> str:
            shown = []
            for value, width, column in zip(values, widths, columns, strict=True):
                value = cut(value, width, mark)
                room = " " * (width - cells(value))
                shown.append(f" {room}{value} " if column.right else f" {value}{room} ")
            return down + down.join(shown) + down

        inner = sum(widths) + 3 * len(widths) - 3
        lines = [self.safe(title)] if title else []
        lines += [border(*corners[0]), line(heads), border(*corners[1])]
        for row in body:
            shown = list(row)
            for i, value in enumerate(row):
                if columns[i].own_row and cells(value) > widths[i]:
                    for piece in pieces(value, inner):
                        lines.append(f"{down} {piece}{' ' * (inner - cells(piece))} {down}")
                    shown[i] = ""
            lines.append(line(shown))
        return [*lines, border(*corners[2])]

    def _narrow(self, widths: list[int], least: Sequence[int]) -> None:
        """Take cells off the widest columns until the table fits the console, as far as that goes."""
        excess = sum(widths) + 3 * len(widths) + 1 - self.width
        while excess > 0:
            spare = [(width, i) for i, width in enumerate(widths) if width > least[i]]
            if not spare:
                return
            widths[max(spare)[1]] -= 1
            excess -= 1

    def json(self, value: Any) -> None:
        """Print one JSON object on one line. It is ASCII on a console that is not UTF-8."""
        line = json.dumps(value, ensure_ascii=not self.unicode, separators=(", ", ": "))
        if self.unicode:
            # Half characters and controls would act or fail here; JSON has a plain spelling for them.
            line = "".join(
                c
                if c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
                else _escaped(c)
                for c in line
            )
        self.file.write(line + "\n")
        self.file.flush()


def _escaped(character: str) -> str:
    return (
        json.dumps(character)[1:-1]
        if ord(character) < 0x20 or ord(character) > 0x7F
        else f"\\u{ord(character):04x}"
    )


def screen() -> Screen:
    """Return a Screen on stdout."""
    return Screen(sys.stdout)


def errors() -> Screen:
    """Return a Screen on stderr."""
    return Screen(sys.stderr)
