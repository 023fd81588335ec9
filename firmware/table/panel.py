"""What stands on the screen: one layout for every state, one for lists.

A line on top for the last announcement, a picture or a figure of 32 pixels on the left, words of 16
or 32 pixels beside it, a line below. A list has its title on top and three rows.
"""

from table import cues
from table import text as words
from table.screen import BIG, NORMAL, WIDTH, cut, width

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from table.screen import Screen


LEFT = 38  # where the words beside the picture begin
ROOM = WIDTH - LEFT
ROWS = 3
BREAK = "|"
"""Where the words of a message are to be broken into two lines."""


def fit(key: str, pixels: int, **fields: object) -> str:
    """Return a message within a width: the names in it are cut, the rest of it stays whole."""
    whole = words.fill(key, **fields)
    if width(whole) <= pixels:
        return whole
    name = str(fields.get("name", ""))
    other = str(fields.get("other", ""))
    template = words.word(key)
    names = template.count("{name}") + template.count("{other}")
    if not names:
        return cut(whole, pixels)
    fields["name"] = fields["other"] = ""
    room = (pixels - width(words.fill(key, **fields))) // names - 2
    if room < 1:
        return cut(whole, pixels)
    fields["name"] = cut(name, room)
    fields["other"] = cut(other, room)
    return words.fill(key, **fields)


def wrap(text: str, pixels: int) -> "tuple[str, str]":
    """Return a text as two lines of at most so many pixels, broken between words where possible."""
    if width(text) <= pixels:
        return text, ""
    best = 0
    at = text.find(" ")
    while at >= 0:
        if width(text[:at]) > pixels:
            break
        best = at
        at = text.find(" ", at + 1)
    if not best:
        first = cut(text, pixels)
        return first, cut(text[len(first) :].lstrip(), pixels)
    return text[:best], cut(text[best + 1 :], pixels)


class Panel:
    """Fields to fill, then draw()."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Make every field empty."""
        self.head = ""
        self.picture = ""
        self.figure = ""  # instead of the picture: a big number such as "+4"
        self.line = ""
        self.below = ""
        self.foot = ""
        self.foot_right = ""
        self.title = ""
        self.title_right = ""
        self.rows: "list[str] | None" = None  # texts of a list
        self.cells: "list[tuple[str, str]] | None" = None  # (left, right) texts, two columns of three

    def show(self, state: str, line: str = "", **fields: object) -> None:
        """Take picture and words of a state from its cue; the words stand below a line given."""
        cue = cues.CUES[state]
        self.picture = cue[1]
        said = words.fill(cue[2], **fields) if cue[2] else ""
        if line:
            self.line = line
            self.below = said
        else:
            self.line = said

    def draw(self, screen: "Screen") -> None:
        """Compose the fields into the screen's buffer."""
        screen.clear()
        if self.cells is not None:
            screen.text(0, 0, self.title)
            screen.invert(0, 2)
            half = WIDTH // 2
            for i in range(min(len(self.cells), 2 * ROWS)):
                words_left, words_right = self.cells[i]
                page = 2 + 2 * (i % ROWS)
                x = half * (i // ROWS)
                end = x + half - 5
                room = end - width(words_right) - 4
                screen.text(x, page, words_left, NORMAL, room)
                screen.text_right(page, words_right, NORMAL, end)
            return
        if self.rows is not None:
            right = WIDTH - 1
            if self.title_right:
                screen.text_right(0, self.title_right, NORMAL, right)
                right -= width(self.title_right) + 4
            screen.text(1, 0, self.title, NORMAL, right)
            screen.invert(0, 2)
            for i in range(min(len(self.rows), ROWS)):
                screen.text(0, 2 + 2 * i, self.rows[i])
            return
        screen.text(0, 0, self.head)
        left = LEFT
        if self.figure:
            left = max(LEFT, screen.text(2, 2, self.figure, BIG) + 4)
        elif self.picture:
            screen.picture(0, 2, self.picture)
        else:
            left = 0
        room = WIDTH - left
        if BREAK in self.line:
            at = self.line.index(BREAK)
            self.below = self.line[at + 1 :]
            self.line = self.line[:at]
        if self.below:
            screen.text(left, 2, self.line)
            screen.text(left, 4, self.below)
        elif width(self.line, BIG) <= room:
            screen.text(left, 2, self.line, BIG)
        else:
            first, second = wrap(self.line, room)
            if second:
                screen.text(left, 2, first)
                screen.text(left, 4, second)
            else:
                screen.text(left, 3, first)
        right = WIDTH
        if self.foot_right:
            screen.text_right(6, self.foot_right)
            right -= width(self.foot_right) + 4
        screen.text(0, 6, self.foot, NORMAL, right)
