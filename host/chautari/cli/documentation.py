"""Keeps the help texts in docs/commands.md as the commands have them.

    python -m chautari.cli.documentation docs/commands.md

Between `<!-- help: chautari sync -->` and `<!-- end -->` stands what `chautari sync --help` prints.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from chautari.cli.root import app
from chautari.errors import EXIT_CODES

MARK = re.compile(r"<!-- (help: (?P<command>chautari[^>]*?)|exit codes) -->\n.*?<!-- end -->", re.DOTALL)
COLUMNS = "80"


def commands() -> Iterator[tuple[str, Any]]:
    """Give (name as typed, command) for every command and group."""

    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for part, below in getattr(command, "commands", {}).items():
            yield from walk(f"{name} {part}", below)

    yield from walk("chautari", typer.main.get_command(app))


def help_of(name: str, command: Any) -> str:
    """Return what `<name> --help` prints on a console of 80 columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = COLUMNS
    try:
        # The options for help come from the command at the top.
        with typer.main.get_command(app).make_context("chautari", [], resilient_parsing=True) as top:
            names = top.help_option_names
        with command.make_context(name, [], resilient_parsing=True, help_option_names=names) as context:
            text: str = command.get_help(context)
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def refreshed(text: str) -> str:
    """Return the document with the help texts and exit codes of this program."""
    known = {name: help_of(name, command) for name, command in commands()}

    def replaced(found: re.Match[str]) -> str:
        name = found["command"]
        if name is None:
            rows = "\n".join(f"| {code} | {meaning} |" for code, meaning in sorted(EXIT_CODES.items()))
            return f"<!-- exit codes -->\n| code | meaning |\n| --- | --- |\n{rows}\n<!-- end -->"
        body = known.get(name, f"There is no command {name}.")
        return f"<!-- help: {name} -->\n```text\n{body}\n```\n<!-- end -->"

    return MARK.sub(replaced, text)


def documented(text: str) -> set[str]:
    """Return the commands that the document shows."""
    return {found["command"] for found in MARK.finditer(text) if found["command"]}


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
