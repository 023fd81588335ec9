"""Any text on any console: widths, cuts, tables, and nothing in a name that acts."""

import io
import json

import pytest
import wcwidth
from chautari import console
from chautari.console import Column, Screen
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ["त्पि", "👍🏻", "👨‍👩‍👧‍👦", "Bo", "अनु", "李小龙", "🇳🇵", "e\u0301le\u0300ve", "ক্ষ"]


def screen(encoding: str = "utf-8") -> Screen:
    return Screen(io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n"))


def printed(shown: Screen) -> str:
    shown.file.flush()
    assert isinstance(shown.file, io.TextIOWrapper) and isinstance(shown.file.buffer, io.BytesIO)
    return shown.file.buffer.getvalue().decode(shown.encoding)


def widths(lines: list[str]) -> set[int]:
    return {wcwidth.wcswidth(line) for line in lines}


@pytest.mark.parametrize("name", NAMES)
def test_a_cut_never_splits_what_a_reader_takes_as_one_character(name: str) -> None:
    whole = list(console.graphemes(name))
    for width in range(0, 12):
        short = console.cut(name, width)
        assert console.cells(short) <= width
        kept = short.removesuffix("…") if short != name else short
        assert any("".join(whole[:count]) == kept for count in range(len(whole) + 1))


def test_a_conjunct_a_skin_tone_and_a_family_are_one_character_each() -> None:
    for name in ("त्पि", "👍🏻", "👨‍👩‍👧‍👦", "🇳🇵", "ক্ষ"):
        assert list(console.graphemes(name)) == [name]
    assert list(console.graphemes("🇳🇵🇮🇳")) == ["🇳🇵", "🇮🇳"]


def test_borders_stay_in_line_whatever_the_names() -> None:
    lines = screen().table_lines(
        [Column("Player", widest=12), Column("Score", right=True)], [(n, 7) for n in NAMES]
    )
    assert len(widths(lines)) == 1
    assert all(line[-1] in "│┐┤┘" for line in lines)


def test_a_cut_to_three_cells_keeps_the_border_in_line() -> None:
    lines = screen().table_lines(
        [Column("P", widest=3), Column("Score", right=True)], [(n, 7) for n in NAMES]
    )
    assert len(widths(lines)) == 1
    assert wcwidth.wcswidth(lines[0]) == len("┌─────┬───────┐")


def test_a_long_name_has_a_row_of_its_own_and_scores_stay_in_line() -> None:
    long_name = "Maharajadhiraj Bir Bikram Shah"
    assert len(long_name) == 30
    lines = screen().table_lines(
        [Column("Seat"), Column("Player", widest=12, own_row=True), Column("Score", right=True)],
        [(1, "Anu", 40), (2, long_name, 155), (3, "Bo", 7)],
    )
    assert len(widths(lines)) == 1
    row = next(i for i, line in enumerate(lines) if "Bir" in line)
    inner = wcwidth.wcswidth(lines[0]) - 4
    assert (
        "".join(line[2:-2] for line in lines[row : row + 2])
        .replace(" ", "")
        .startswith(long_name.replace(" ", "")[:inner])
    )
    ends = {
        line.index(score) + len(score)
        for line in lines
        for score in (" 40 ", " 155 ", " 7 ")
        if score in line
    }
    assert len(ends) == 1
    assert not any("155" in line and "Bir" in line for line in lines)


def test_a_table_gives_way_to_a_narrow_console(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [
        Column("Round", right=True),
        Column("Winner", own_row=True),
        Column("Nothing after this"),
        Column(""),
    ]
    columns += [Column(f"{seat} {name}", right=True) for seat, name in enumerate(NAMES[:6], 1)]
    row: list[object] = [12, "a winner with a long name", "some words to be cut", "", 1, 22, 333, 4444, 5, 6]
    wide = screen().table_lines(columns, [row])
    monkeypatch.setenv("COLUMNS", "70")
    narrow = screen().table_lines(columns, [row])
    assert wcwidth.wcswidth(wide[0]) > 70 and widths(narrow) == {70}
    assert "a winner with a long name" in narrow[3] and "some wo…" in narrow[4]
    assert all(str(number) in narrow[4] for number in (12, 22, 333, 4444))
    assert wide[1].count("│") == narrow[1].count("│") == 10


def test_a_name_is_text_and_never_acts() -> None:
    name = "[bold red]x[/] \x1b[31mred\x1b[0m \x07\r\n\x9b2J :smile: \u202eabc\u2066\ud800\x00"
    shown = screen()
    shown.print(name)
    shown.table([Column("Player", widest=100)], [(name,)])
    text = printed(shown)
    assert "[bold red]x[/]" in text and ":smile:" in text
    assert not any(character in text for character in "\x1b\x07\r\x9b\u202e\u2066\x00\ud800")
    assert len(widths(text.splitlines()[2:])) == 1
    assert text.count("\n") == 7  # a line break in a printed text is a line; one in a cell is not


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
def test_a_narrow_console_shows_a_placeholder_and_keeps_its_columns(encoding: str) -> None:
    shown = screen(encoding)
    shown.table(
        [Column("Player"), Column("Score", right=True)], [(name, 7) for name in [*NAMES, "🎲", "● red"]]
    )
    lines = printed(shown).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert any("? " in line for line in lines)
    assert any("o red" in line for line in lines)


@given(st.text(max_size=40), st.sampled_from(["utf-8", "cp1252", "ascii"]))
@settings(max_examples=150, deadline=None)
def test_any_text_can_be_printed_anywhere(text: str, encoding: str) -> None:
    shown = screen(encoding)
    shown.print(text)
    shown.table([Column("A", widest=9), Column("B", widest=9, own_row=True)], [(text, text)])
    shown.json({"name": text})
    lines = printed(shown).rstrip("\n").split("\n")
    assert json.loads(lines[-1])["name"] == text
    assert not any(
        ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for line in lines for character in line
    )


@given(st.text(max_size=30), st.integers(min_value=2, max_value=12))
@settings(max_examples=150, deadline=None)
def test_pieces_lose_nothing_and_fit(text: str, width: int) -> None:
    safe = console.harmless(text)
    parts = console.pieces(safe, width)
    assert "".join(parts) == safe
    assert all(console.cells(part) <= width or len(list(console.graphemes(part))) == 1 for part in parts)
