"""chautari replay: run a scenario or a recorded match again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from cardrules import announcement as says
from cardrules import games, scenario
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says as last_card

from chautari import console, live, words
from chautari.cli.common import JsonOption, described
from chautari.console import COLOURS
from chautari.errors import BadFile
from chautari.history import game_name
from chautari.players import code
from chautari.records import code_name

LARGEST = 20_000_000
"""Bytes; a scenario is a text, and a longer file is not one."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=described(
            "Run a scenario or a recorded match through the rules, step by step.",
            "chautari replay evening.txt",
            "chautari replay evening.txt --json",
            "chautari replay evening.txt --speed 10",
        )
    )(replay)


def read_scenario(file: Path) -> str:
    """Return the text of a scenario file. Raises BadFile."""
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST else None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadFile(f"{file} cannot be read ({reason}).") from error
    if content is None:
        raise BadFile(f"{file} is not a scenario: it is far too long.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadFile(f"{file}, line {line}: this is not text in UTF-8; a scenario is.") from error


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A scenario: text that begins `chautari scenario 1`.", show_default=False
        ),
    ],
    speed: Annotated[
        float, typer.Option("--speed", min=0, help="1: as fast as it was played; 10: ten times; 0: at once.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    screen = console.screen()
    text = read_scenario(file)
    before: int | None = None
    keeper = None
    game = 0
    try:
        for step in scenario.run(text):
            keeper = step.keeper
            game = keeper.game if keeper is not None else game
            if speed > 0:
                if before is not None:
                    passed = (step.say.ms - before) % 2**32
                    # Time that runs back is a boot: there was no waiting then.
                    time.sleep(min(60.0, passed / 1000 / speed) if passed < 2**31 else 0)
                before = step.say.ms
            if as_json:
                screen.json(_json(step, game))
            else:
                for line in _lines(step, game):
                    screen.print(line)
                screen.file.flush()
    except scenario.ScenarioError as error:
        raise BadFile(f"{file}, line {error.line}: {error_words(error.code, error.detail)}") from error
    except (ValueError, OverflowError) as error:
        raise BadFile(f"{file} holds something that is no announcement ({error}).") from error
    if keeper is not None and not as_json:
        for line in live.lines(screen, live.state(keeper, [], game_name(game))):
            screen.print(line)


def error_words(kind: str, detail: str) -> str:
    """Return in words what is wrong with a scenario."""
    found = f" ({detail})" if detail else ""
    if kind == "refused":
        return f"the rules refuse this: {reason_words(detail)}."
    texts = {
        "not_a_scenario": f"this is not a scenario: it does not begin with `{scenario.HEADER}`.",
        "cut": "the file is cut: its end is missing. Get a whole copy of it.",
        "edited": f"the file was changed after it was recorded{found}; its checksum does not fit.",
        "unknown_word": f"this cannot be said at a table{found}.",
        "bad_number": f"here should be a number{found}.",
        "not_refused": f"this should have been refused{found}, and was not.",
        "reason_differs": f"this is refused for another reason{found}.",
        "notices_differ": f"something else happens{found}.",
        "state_differs": f"the table stands otherwise{found}.",
    }
    return texts.get(kind, f"{kind}{found}.")


def reason_words(detail: str) -> str:
    """Return a refusal, as a scenario writes it, in words with its code."""
    reason, *numbers = detail.split()
    fields = _fields([int(number) for number in numbers])
    text = words.say(f"reason.{reason}", language=words.DEFAULT, **fields)
    return f"{text} ({detail})" if text != f"reason.{reason}" else detail


def _fields(numbers: Sequence[int]) -> dict[str, object]:
    """Return what the catalogue's texts may ask for; refusals have up to three numbers."""
    fields: dict[str, object] = dict(zip(("n", "m", "k"), numbers, strict=False))
    if numbers:
        fields["name"] = fields["seat"] = _seat(numbers[0])
    return fields


def _seat(seat: int) -> str:
    return "nobody" if seat == NO_SEAT else f"Seat {seat + 1}"


def notice_words(notice: str, seat: int, value: int) -> str:
    """Return a notice in words."""
    colour = COLOURS[value] if 0 <= value < len(COLOURS) else ("?", "?")
    return words.say(
        f"notice.{notice}",
        name=_seat(seat),
        seat=seat + 1,
        n=value,
        other=_seat(value),
        colour=f"{colour[1]} {colour[0]}",
        card=value,
    )


def arg_words(game: int, what: int, arg: int) -> str:
    """Return an announcement's number in words, with a space before it; "" if it says nothing."""
    if what == says.GAME:
        return f" {game_name(arg).replace('_', ' ')}"
    if what == says.RULE:
        return f" {rule_name(game, arg >> 16)} {arg & 0xFFFF}"
    if what == says.CORRECT:
        return f" round {arg >> 16}: {(arg & 0xFFFF) - 32768} points"
    if what == says.JOIN:
        return f" as #{code(arg)}" if arg else ""
    if what == says.SWAP:
        return f" with seat {arg + 1}"
    try:
        known = games.load(game).WORDS.get(what, {})
    except ValueError:
        known = {}
    for word, number in known.items():
        if number == arg:
            return f" {word.replace('_', ' ')}"
    return f" {arg}" if arg or what in _COUNTED else ""


_COUNTED = (says.CLOSE, last_card.SUM)


def rule_name(game: int, key: int) -> str:
    """Return the name of a house rule, its number if this program does not know it."""
    try:
        return next((name for known, name, _, _ in games.load(game).SETTINGS if known == key), str(key))
    except ValueError:
        return str(key)


def _json(step: Any, game: int) -> dict[str, Any]:
    say = step.say
    return {
        "line": step.line,
        "ms": say.ms,
        "seat": None if say.seat == NO_SEAT else say.seat + 1,
        "what": code_name(game, say.what) or say.what,
        "arg": say.arg,
        "refused": None if step.reason is None else list(step.reason),
        "notices": [
            {"code": notice, "seat": None if seat == NO_SEAT else seat + 1, "value": value}
            for notice, seat, value in step.notices
        ],
        "table": None if step.keeper is None else live.state(step.keeper, [], game_name(game)),
    }


def _lines(step: Any, game: int) -> list[str]:
    say = step.say
    what = code_name(game, say.what) or f"code {say.what}"
    seat = "" if say.seat == NO_SEAT else f"seat {say.seat + 1} "
    number = arg_words(game, say.what, say.arg)
    clock = f"{say.ms // 60000}:{say.ms // 1000 % 60:02}"
    lines = [f"{clock:>7}  {seat}{what}{number}"]
    if step.reason is not None:
        lines.append(f"{'':9}refused: {reason_words(' '.join(str(part) for part in step.reason))}")
    lines += [f"{'':9}{notice_words(*notice)}" for notice in step.notices]
    return lines
