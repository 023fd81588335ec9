"""The rules page, the code and the tests speak of the same rules."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from cardrules.last_card import says
from chautari.console import COLOURS as SHAPES

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rules" / "last_card.md").read_text(encoding="utf-8")
SCENARIOS = Path(__file__).parent / "scenarios" / "last_card"
WITH_CARDS = [Path(__file__).parent / name for name in ("test_cards.py", "test_deal.py")]
ALL = {"R": 35, "A": 19, "K": 14, "H": 5}
"""How many numbers there are of each letter."""
OTHER_GAMES = re.compile("sequence_stacks|twenty_two")
"""Their tests name numbers of their own pages."""
NOTHING_TO_TRY = {"R4"}
"""Says where the game is at home."""


def on_the_page() -> set[str]:
    """Return the numbers that the page explains."""
    return set(re.findall(r"^- \*\*([RAKH]\d+)\*\*", PAGE, re.MULTILINE))


def remarks(path: Path) -> Iterator[str]:
    """Give docstrings and comments of a file; elsewhere R5 may be a card."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".txt":
        yield from (line[line.index("#") :] for line in text.splitlines() if "#" in line)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def test_every_rule_is_on_the_page_and_tried_by_a_test_or_a_scenario() -> None:
    wanted = {f"{letter}{number + 1}" for letter, most in ALL.items() for number in range(most)}
    assert on_the_page() == wanted
    named = {
        number
        for path in [*(ROOT / "tests").rglob("*.py"), *SCENARIOS.glob("*.txt")]
        if path != Path(__file__) and not OTHER_GAMES.search(path.name)
        for text in remarks(path)
        for number in re.findall(r"\b[RAKH]\d+\b", text)
    }
    here = set(re.findall(r"\b[RAKH]\d+\b", str(test_colours_have_the_same_shapes_everywhere.__doc__)))
    assert wanted - named - here == NOTHING_TO_TRY


def test_colours_have_the_same_shapes_everywhere() -> None:
    """R7, R8, A9: nobody has to tell colours apart; page, console and the table's screen name one shape."""
    line = re.search(r"^- \*\*R7\*\*.*$", PAGE, re.MULTILINE)
    assert line
    there = re.findall(r"(\w+) (circle|triangle|square|diamond) (\S),?", line[0].replace(".", " "))
    assert [colour for colour, _, _ in there] == list(says.COLOURS)
    assert tuple((colour, mark) for colour, _, mark in there) == SHAPES
    cues = (ROOT / "firmware" / "table" / "cues.py").read_text(encoding="utf-8")
    for number, (colour, shape, _) in enumerate(there):
        assert re.search(rf'"colour_{colour}": \(\w+, "{shape}", "colour\.{number}"', cues), colour
    assert len(there) == 4


def test_every_rule_that_code_or_scenarios_name_is_on_the_page() -> None:
    there = on_the_page()
    files = [*(ROOT / "engine" / "cardrules" / "last_card").glob("*.py"), *SCENARIOS.glob("*.txt")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    named = {number for text in texts for number in re.findall(r"\b[RAKH]\d+\b", text)}
    assert len(named) > 30
    assert named - there == set()


def examples() -> dict[int, tuple[str, str]]:
    """Return scenario (or "-") and test of each worked example on the page."""
    rows = re.findall(r"^\| (\d+) \|.*\| (`\w+`|-) \| `(\w+)` \|$", PAGE, re.MULTILINE)
    found = {int(number): (scenario.strip("`"), test) for number, scenario, test in rows}
    assert len(rows) == len(found) and sorted(found) == list(range(1, 24))
    return found


def test_worked_examples_and_scenarios_name_each_other() -> None:
    """A scenario cites the examples that the page says it plays, no others, and all of them."""
    cited = {
        (int(number), file.stem)
        for file in SCENARIOS.glob("*.txt")
        for number in re.findall(r"worked example (\d+)", file.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert cited == {(number, name) for number, (name, _) in examples().items() if name != "-"}
    assert len(cited) > 15


def test_worked_examples_and_tests_with_cards_name_each_other() -> None:
    """Each example is played with cards as well, by the test that the page names."""
    cited = [
        (int(number), node.name)
        for file in WITH_CARDS
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for number in re.findall(r"worked example (\d+)", ast.get_docstring(node) or "", re.IGNORECASE)
    ]
    assert sorted(cited) == [(number, test) for number, (_, test) in sorted(examples().items())]


def test_every_scenario_that_the_page_names_exists() -> None:
    names = [name for name, _ in examples().values() if name != "-"]
    assert [name for name in names if not (SCENARIOS / f"{name}.txt").exists()] == []


def test_every_house_rule_is_in_the_table() -> None:
    from cardrules.last_card import SETTINGS

    for key, name, values, default in SETTINGS:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name.split('_')[0]}"))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1] == str(key) and cells[3] == str(default)
        assert [int(number) for number in re.findall(r"(?<!\w)\d+", cells[2])] == list(values)
