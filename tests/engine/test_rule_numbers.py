"""The rules page and the code speak of the same rules."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rules" / "last_card.md").read_text(encoding="utf-8")
SCENARIOS = Path(__file__).parent / "scenarios"


def test_every_rule_that_code_or_scenarios_name_is_on_the_page() -> None:
    there = set(re.findall(r"^- \*\*([RAK]\d+)\*\*", PAGE, re.MULTILINE))
    files = [*(ROOT / "engine" / "cardrules" / "last_card").glob("*.py"), *SCENARIOS.glob("*.txt")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    named = {number for text in texts for number in re.findall(r"\b[RAK]\d+\b", text)}
    assert len(named) > 30
    assert named - there == set()


def examples() -> dict[int, str]:
    """Return the scenario (or "-") of each worked example on the page."""
    rows = re.findall(r"^\| (\d+) \|.*\| (`\w+`|-) \|$", PAGE[PAGE.index("## Examples") :], re.MULTILINE)
    assert len(rows) == len(dict(rows))
    return {int(number): name.strip("`") for number, name in rows}


def test_worked_examples_and_scenarios_name_each_other() -> None:
    """A scenario cites the examples that the page says it plays, no others, and all of them."""
    assert sorted(examples()) == list(range(1, 24))
    cited = {
        (int(number), file.stem)
        for file in SCENARIOS.glob("*.txt")
        for number in re.findall(r"worked example (\d+)", file.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert cited == {(number, name) for number, name in examples().items() if name != "-"}


def test_every_scenario_that_the_page_names_exists() -> None:
    names = [name for name in examples().values() if name != "-"]
    assert len(names) > 15
    assert [name for name in names if not (SCENARIOS / f"{name}.txt").exists()] == []


def test_every_house_rule_is_in_the_table() -> None:
    from cardrules.last_card import SETTINGS

    for key, name, values, default in SETTINGS:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name.split('_')[0]}"))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1] == str(key) and cells[3] == str(default)
        assert [int(number) for number in re.findall(r"(?<!\w)\d+", cells[2])] == list(values)
