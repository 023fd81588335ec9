"""chautari simulate: thousands of matches between bots, in figures."""

from __future__ import annotations

import csv
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from chautari import console, simulate
from chautari.cli.common import JsonOption, described
from chautari.cli.history import rule_words
from chautari.console import Column, Screen
from chautari.errors import OK, NoAccess, NotAllowed

ONE_ROUND = "one-round"
CSV_COLUMNS = ("match", "first_dealer", "winner", "rounds", "void", "decisions")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "simulate",
        help=described(
            "Let bots play thousands of matches, and say how long they take and who wins.",
            "chautari simulate --players 4 --bots medium --matches 1000",
            "chautari simulate --players 2 --bots hard,medium --target one-round",
            "chautari simulate --matches 5000 --seed 1 --json",
        ),
    )(simulate_matches)


def simulate_matches(
    game: Annotated[
        str,
        typer.Option("--game", "-g", metavar="GAME", help=f"What is played: {', '.join(simulate.GAMES)}."),
    ] = "last-card",
    players: Annotated[int, typer.Option("--players", "-n", metavar="N", help="How many play.")] = 4,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="POINTS",
            help=f"Points that win the match: 200, 300, 500, or {ONE_ROUND}; 300 if not given.",
            show_default=False,
        ),
    ] = None,
    stacking: Annotated[
        bool | None,
        typer.Option("--stacking/--no-stacking", help="House rule: plus cards may be answered."),
    ] = None,
    draw_until: Annotated[
        bool | None,
        typer.Option("--draw-until/--no-draw-until", help="House rule: draw until a card fits."),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            "-b",
            metavar="LEVELS",
            help="easy, medium or hard: one for all, or one for each seat with commas between.",
        ),
    ] = "medium",
    matches: Annotated[
        int, typer.Option("--matches", "-m", min=1, metavar="N", help="How many matches.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same figures.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            max=simulate.MOST_JOBS,
            metavar="N",
            help="Processes; one for each core if not given. The figures do not depend on it.",
            show_default=False,
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Also write one row for each match.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: JsonOption = False,
) -> int:
    rules: dict[str, int] = {}
    if target is not None:
        rules["target"] = _points(target)
    for name, chosen in (("stacking", stacking), ("draw_until", draw_until)):
        if chosen is not None:
            rules[name] = int(chosen)
    setup = simulate.set_up(game, players, rules, bots.split(","), seed)
    tally = simulate.Tally(setup)
    with (
        _rows(file, players, force) as write,
        _progress(matches, as_json) as advance,
        closing(simulate.play(setup, matches, jobs or simulate.cores())) as played,
    ):
        for match in played:
            tally.add(match)
            write(match)
            advance()
    screen = console.screen()
    if as_json:
        screen.json(tally.report())
    else:
        _show(screen, tally.report())
    return OK


def _points(target: str) -> int:
    """Return the number of a target as typed."""
    text = target.strip().lower()
    if text.replace("_", "-").replace(" ", "-") == ONE_ROUND:
        return 1
    if not text.isascii() or not text.isdigit():
        raise NotAllowed(f"{target!r} is no target; give points such as 300, or {ONE_ROUND}.")
    return int(text)


@contextmanager
def _rows(file: Path | None, players: int, force: bool) -> Iterator[Callable[[simulate.Played], None]]:
    """Give what writes the row of a match. The file is there when all rows are in it, or not at all."""
    if file is None:
        yield lambda match: None
        return
    if file.exists() and not force:
        raise NotAllowed(f"{file} is there already; choose another name, or --force to write over it.")
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.unfinished")
    try:
        with _writing(file):
            text = unfinished.open("w", encoding="ascii", newline="")
        with text:
            writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
            writer.writerow((*CSV_COLUMNS, *(f"score_{seat + 1}" for seat in range(players))))

            def write(match: simulate.Played) -> None:
                with _writing(file):
                    writer.writerow(_row(match))

            yield write
            with _writing(file):
                text.close()
        with _writing(file):
            os.replace(unfinished, file)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    """Say of which file it is that it cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        reason = error.strerror or type(error).__name__
        raise NoAccess(f"{file} cannot be written ({reason}); choose another place with --csv.") from error


def _row(match: simulate.Played) -> tuple[int | str, ...]:
    return (
        match.number + 1,
        match.first_dealer + 1,
        "" if match.winner is None else match.winner + 1,
        len(match.rounds),
        match.void,
        match.decisions,
        *match.scores,
    )


@contextmanager
def _progress(matches: int, as_json: bool) -> Iterator[Callable[[], None]]:
    """Give what is called after each match, and show how far it is where somebody sees it."""
    if not sys.stderr.isatty() or (as_json and not sys.stdout.isatty()):
        yield lambda: None
        return
    with Progress(
        TextColumn("Matches"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console.errors().rich,
        transient=True,
    ) as progress:
        task = progress.add_task("", total=matches)
        yield lambda: progress.advance(task)


# For people.


def _show(screen: Screen, report: dict[str, Any]) -> None:
    """Print all figures."""
    players = report["players"]
    bots = report["bots"]
    title = simulate.GAMES[report["game"]].title
    rules = ", ".join(rule_words(name, value) for name, value in report["rules"].items())
    who = bots[0] if len(set(bots)) == 1 else ", ".join(bots)
    screen.print(f"{title}, {players} players ({who}): {rules}")
    screen.print(f"{_number(report['matches'], 'match', 'matches')}, seed {report['seed']}")
    for line in _sentences(report):
        screen.print(line)
    screen.print()
    _show_lengths(screen, report)
    _show_seats(screen, report)
    _show_distances(screen, report)


def _sentences(report: dict[str, Any]) -> list[str]:
    """Return what the figures come to, in a few sentences."""
    rounds = report["rounds_per_match"]
    decisions = report["decisions_per_round"]
    points = report["points_per_round"]
    lines = []
    if rounds["n"]:
        lines.append(
            f"A match takes about {_about(rounds['mean'], 'round', 'rounds')}, most take "
            f"{_span(rounds)}; the longest took {rounds['max']}."
        )
    if decisions["n"]:
        lines.append(
            f"A round takes about {_about(decisions['mean'], 'decision', 'decisions')} and brings its "
            f"winner about {_about(points['mean'], 'point', 'points')}."
        )
    if rounds["n"]:
        assumed = report["assumed"]
        lines.append(
            f"With {assumed['seconds_per_decision']} seconds for a decision and "
            f"{assumed['seconds_per_deal']} for a deal, a match takes about "
            f"{_about(report['minutes_per_match']['mean'], 'minute', 'minutes')}."
        )
    void = report["rounds_void"]
    if void:
        lines.append(f"{_number(void, 'round was', 'rounds were')} void: {_percent(report['void_share'])}.")
    else:
        lines.append("No round was void.")
    if report["unfinished"]:
        lines.append(
            f"{_number(report['unfinished'], 'match', 'matches')} given up: more than "
            f"{simulate.MOST_DEALS} deals, or {simulate.MOST_DECISIONS} decisions in a round; "
            "nobody has won these."
        )
    return lines


def _show_lengths(screen: Screen, report: dict[str, Any]) -> None:
    rows = [
        (head, *(_figure(report[key][what]) for what in ("mean", "sd", "min", "p10", "p50", "p90", "max")))
        for key, head in (
            ("rounds_per_match", "Rounds in a match"),
            ("decisions_per_match", "Decisions in a match"),
            ("minutes_per_match", "Minutes for a match"),
            ("decisions_per_round", "Decisions in a round"),
            ("points_per_round", "Points in a round"),
            ("cards_left_per_round", "Cards left after a round"),
        )
    ]
    heads = ("Mean", "Std. dev.", "Least", "10 %", "Half", "90 %", "Most")
    screen.table(
        [Column("How much"), *(Column(head, right=True) for head in heads)],
        rows,
        title="10 % means: one in ten was not above this; half and 90 % likewise.",
    )


def _show_seats(screen: Screen, report: dict[str, Any]) -> None:
    matches, rounds = report["wins_by_seat"], report["round_wins_by_seat"]
    rows: list[tuple[object, ...]] = [
        (
            f"Seat {seat + 1}",
            bot,
            *_count_and_share(matches, seat),
            *_count_and_share(rounds, seat),
            _figure(report["mean_final_scores"][seat]),
        )
        for seat, bot in enumerate(report["bots"])
    ]
    levels = report["wins_by_level"]
    if len(levels) > 1:
        for level, wins in levels.items():
            rows.append(
                (_number(wins["seats"], "seat", "seats"), level, wins["wins"], _percent(wins["share"]))
                + ("",) * 3
            )
    screen.table(
        [
            Column("Who"),
            Column("Bot"),
            Column("Matches won", right=True),
            Column("Share", right=True),
            Column("Rounds won", right=True),
            Column("Share", right=True),
            Column("Final score", right=True),
        ],
        rows,
    )


def _show_distances(screen: Screen, report: dict[str, Any]) -> None:
    players = report["players"]
    rounds, matches = report["round_wins_by_dealer_distance"], report["wins_by_first_dealer_distance"]
    rows = []
    for place in range(players):
        word = "the dealer" if place == players - 1 else "begins" if place == 0 else ""
        rows.append((place + 1, word, *_count_and_share(rounds, place), *_count_and_share(matches, place)))
    screen.table(
        [
            Column("Behind", right=True),
            Column(""),
            Column("Rounds won", right=True),
            Column("Share", right=True),
            Column("Matches won", right=True),
            Column("Share", right=True),
        ],
        rows,
        title="Rounds by seats behind the dealer, matches by seats behind the one who dealt first:",
    )


def _count_and_share(wins: dict[str, Any], place: int) -> tuple[int, str]:
    return wins["counts"][place], _percent(wins["shares"][place])


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _number(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _about(mean: float, one: str, more: str) -> str:
    return _number(round(mean), one, more)


def _span(values: dict[str, Any]) -> str:
    low, high = values["p10"], values["p90"]
    return str(low) if low == high else f"{low} to {high}"
