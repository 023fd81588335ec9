"""What people are told to type exists: every `chautari ...` in messages and documents is a real command."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from chautari.cli.documentation import commands

ROOT = Path(__file__).resolve().parents[2]
QUOTED = re.compile(r"`(chautari [^`]*)`", re.DOTALL)
FENCED = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILLED = "1"  # stands for what a message fills in
COMMANDS = dict(commands())
NO_COMMANDS = {"chautari scenario 1", "chautari COMMAND --help"}
"""The first line of a scenario file, and what stands for every command."""


def texts_of(source: str) -> Iterator[str]:
    """Yield every string of a module; what an f-string fills in is FILLED."""
    inside = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in node.values)
            yield "".join(part.value if isinstance(part, ast.Constant) else FILLED for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def advised() -> list[tuple[str, str]]:
    """Return (file, what is to be typed) for everything that messages and documents tell people to type."""
    found = []
    for path in sorted((ROOT / "host" / "chautari").rglob("*.py")):
        for text in texts_of(path.read_text(encoding="utf-8")):
            found += [(path, words) for words in QUOTED.findall(text)]
    for path in sorted((ROOT / "host" / "chautari" / "locale").glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file):
                found += [(path, words) for words in QUOTED.findall(str(message.string))]
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = path.read_text(encoding="utf-8")
        found += [(path, words) for words in QUOTED.findall(text)]
        for block in FENCED.findall(text):
            lines = [line.strip().removeprefix(".venv/bin/") for line in block.splitlines()]
            found += [(path, line) for line in lines if line.startswith("chautari ")]
    return [(path.relative_to(ROOT).as_posix(), " ".join(words.split())) for path, words in found]


def wrong_with(typed: str) -> str:
    """Return what the program would not understand in a command line, "" if nothing."""
    words = shlex.split(typed, comments=True)
    name = words.pop(0)
    while words and f"{name} {words[0]}" in COMMANDS:
        name = f"{name} {words.pop(0)}"
    command = COMMANDS[name]
    options = {
        word: option
        for option in command.params
        if option.param_type_name == "option"
        for word in (*option.opts, *option.secondary_opts)
    }
    places = [each for each in command.params if each.param_type_name == "argument"]
    while words:
        word = words.pop(0)
        if word in ("--help", "-h"):
            continue
        if word.startswith("-"):
            word, equals, _ = word.partition("=")
            if word not in options:
                return f"{name} has no option {word}"
            if options[word].is_flag:
                continue
            if not equals and not words:
                return f"{name} {word} needs a value"
            if not equals:
                words.pop(0)
        elif not places:
            return f"{name} does not take {word}"
        elif places[0].nargs != -1:
            places.pop(0)
    return ""


def test_every_command_that_people_are_told_to_type_exists() -> None:
    found = [(file, typed) for file, typed in advised() if typed not in NO_COMMANDS]
    assert [f"{file}: {typed}: {why}" for file, typed in found if (why := wrong_with(typed))] == []
    files = {file for file, _ in found}
    assert {"README.md", "docs/link.md", "host/chautari/link.py", "host/chautari/sync.py"} <= files
    assert len(found) > 40


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ("chautari flash", "chautari does not take flash"),
        ("chautari history show latest --jsn", "chautari history show has no option --jsn"),
        ("chautari doctor now", "chautari doctor does not take now"),
        ("chautari history export latest --output", "chautari history export --output needs a value"),
        ("chautari history export --format=json 3 4  # both", ""),
        ("chautari players add 'Anu Rai'", ""),
        ("chautari players seat 1 Anu Rai", "chautari players seat does not take Rai"),
    ],
)
def test_what_would_not_be_understood_is_found(typed: str, wrong: str) -> None:
    assert wrong_with(typed) == wrong


def test_texts_are_found_in_any_kind_of_string() -> None:
    source = "def f(x):\n    '''See `chautari a`.'''\n    return f'Or `chautari b {x} c`' + 'and ' 'd'\n"
    assert sorted(texts_of(source)) == ["Or `chautari b 1 c`", "See `chautari a`.", "and d"]
