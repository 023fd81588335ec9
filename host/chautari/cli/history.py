"""chautari history: what was played."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer
from cardrules import scenario

from chautari import console, export, words
from chautari.cli.common import DataOption, JsonOption, described, group, local_time, open_store
from chautari.console import Column
from chautari.errors import DATA, BadFile, NoAccess, NotAllowed
from chautari.history import Match, Round, Store, zone_name

app = group(
    described(
        "Read, export and mend the history of all matches.",
        "chautari history list",
        "chautari history show latest",
    )
)

MatchArgument = Annotated[
    str,
    typer.Argument(metavar="MATCH", help="Number of the match, its key, or `latest`.", show_default=False),
]
PracticeOption = Annotated[
    bool | None,
    typer.Option(
        "--practice/--no-practice",
        help="Only matches in which a program held the cards, or all but those.",
        show_default=False,
    ),
]
NONE_YET = {
    None: "No match yet. `chautari sync` fetches what a table holds.",
    True: "No practice match yet. `chautari play` plays one.",
    False: "No match yet but practice. `chautari sync` fetches what a table holds.",
}
STATES = {
    "setup": "being set up",
    "running": "in play",
    "won": "won",
    "ended": "ended early",
    "left": "left unfinished",
    "unknown_game": "game not known here",
}


class Format(StrEnum):
    """Kinds of export."""

    csv = "csv"
    json = "json"
    scenario = "scenario"


class Table(StrEnum):
    """What a CSV export holds."""

    rounds = "rounds"
    matches = "matches"
    announcements = "announcements"


def game_title(name: str) -> str:
    """Return a game's name as a title."""
    return name.replace("_", " ").title()


def _game(match: Match) -> str:
    return game_title(match.game_name) + (", practice" if match.practice else "")


def _state(match: Match) -> str:
    words = STATES.get(match.state, match.state)
    if match.state == "won" and match.winner is not None:
        winner = next((chair.name for chair in match.chairs if chair.chair == match.winner), "")
        words = f"{winner} won"
    return words


@app.command(
    "list",
    help=described(
        "List all matches, the latest last.",
        "chautari history list",
        "chautari history list --no-practice --json",
    ),
)
def list_matches(practice: PracticeOption = None, as_json: JsonOption = False, data: DataOption = "") -> None:
    screen = console.screen()
    with open_store() as store:
        matches = store.matches(practice)
        if as_json:
            for match in matches:
                screen.json(export.match_json(store, match))
            return
        if not matches:
            screen.print(NONE_YET[practice])
            return
        rows = [
            (
                match.id,
                local_time(match.started),
                _game(match),
                match.rounds,
                _state(match),
                ", ".join(f"{chair.name} {chair.score}" for chair in match.chairs),
            )
            for match in matches
        ]
        screen.table(
            [
                Column("Match", right=True),
                Column("Began", widest=44),
                Column("Game"),
                Column("Rounds", right=True),
                Column("State", widest=30),
                Column("Scores", widest=60, own_row=True),
            ],
            rows,
        )
        _warn(store, matches)


def _warn(store: Store, matches: list[Match]) -> None:
    """Say on stderr what is not as it should be."""
    notes = console.errors()
    aside = len(store.kept_aside())
    if aside:
        notes.print(
            f"{aside} announcements contradict the stored ones and were kept aside: see `chautari doctor`."
        )
    differences = store.differences()
    if differences:
        notes.print(
            f"{len(differences)} differences between facts and rules: see `chautari history rebuild`."
        )
    for match in matches:
        if match.missing:
            notes.print(
                f"Match {match.id}: the journal has a gap; what follows it is not counted. Sync again."
            )


@app.command(
    help=described(
        "Show one match: its score sheet, house rules and times.",
        "chautari history show latest",
        "chautari history show 3 --json",
    )
)
def show(match: MatchArgument = "latest", as_json: JsonOption = False, data: DataOption = "") -> None:
    screen = console.screen()
    with open_store() as store:
        found = store.find_match(match)
        if as_json:
            screen.json(export.match_json(store, found, rounds=True))
            return
        score_sheet(screen, found, store.rounds(found.id))
        _warn(store, [found])


def rule_words(name: str, value: int) -> str:
    """Return a house rule as people say it, "name value" for one that the catalogue does not know."""
    for key in (f"pc.rule_{name}_{value}", f"pc.rule_{name}"):
        text = words.say(key, value=value)
        if text != key:
            return text
    return f"{name} {value}"


def score_sheet(screen: console.Screen, match: Match, rounds: list[Round]) -> None:
    """Print a match: standings, then its rounds with running totals."""
    screen.print(f"Match {match.id}: {_game(match)}, {_state(match)}")
    screen.print(f"Began {local_time(match.started)}; last play {local_time(match.ended)}")
    if match.rules:
        said = [rule_words(name, value) for name, value in match.rules.items()]
        screen.print(f"House rules: {', '.join(said)}")
    best = max((chair.score for chair in match.chairs), default=0)
    screen.table(
        [
            Column("Seat", right=True),
            Column("Player", widest=24, own_row=True),
            Column("Score", right=True),
            Column("Rounds won", right=True),
            Column("On turn", right=True),
            Column(""),
        ],
        [
            (
                chair.seat + 1,
                chair.name,
                chair.score,
                sum(each.winner == chair.chair for each in rounds),
                _clock(chair.clock_ms),
                "winner"
                if match.winner == chair.chair
                else "away"
                if not chair.present
                else "leads"
                if match.winner is None and chair.score == best and best > 0
                else "",
            )
            for chair in match.chairs
        ],
    )
    if not rounds:
        screen.print("No round is confirmed yet.")
        return
    names = {chair.chair: chair.name for chair in match.chairs}
    totals = dict.fromkeys(names, 0)
    day = local_time(match.started)
    rows: list[list[object]] = []
    for each in rounds:
        row: list[object] = [
            each.round,
            "" if each.winner is None else names.get(each.winner, ""),
            each.points,
        ]
        for chair in match.chairs:
            totals[chair.chair] += each.scores.get(chair.chair, 0)
            row.append(totals[chair.chair])
        row += [_same_day(local_time(each.when), day), "corrected" if each.corrected else ""]
        rows.append(row)
    screen.table(
        [
            Column("Round", right=True),
            Column("Winner", widest=24, own_row=True),
            Column("Points", right=True),
            *(
                Column(f"{chair.seat + 1} {console.cut(chair.name, 12)}", right=True)
                for chair in match.chairs
            ),
            Column("Confirmed", widest=44),
            Column(""),
        ],
        rows,
        title="Totals after each round:",
    )


def _same_day(moment: str, other: str) -> str:
    """Return a moment without its day when that is the day of the other one."""
    return moment[11:] if len(moment) == len(other) == 16 and moment[:10] == other[:10] else moment


def _clock(ms: int) -> str:
    seconds = ms // 1000
    return (
        f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        if seconds >= 3600
        else (f"{seconds // 60}:{seconds % 60:02}")
    )


@app.command(
    "export",
    help=described(
        "Write matches into a file: CSV for spreadsheets, JSON for programs and `history import`, "
        "scenario for `replay`.",
        "chautari history export --output evening.csv",
        "chautari history export 3 4 --format json --output evening.json",
        "chautari history export latest --format scenario --output match.txt",
    ),
)
def export_matches(
    matches: Annotated[
        list[str] | None, typer.Argument(metavar="[MATCH]...", help="Which matches; all if none is named.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Kind of file.")] = Format.csv,
    table: Annotated[Table, typer.Option("--table", "-t", help="What a CSV file holds.")] = Table.rounds,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The file; stdout if none is named.")
    ] = None,
    mark: Annotated[
        bool,
        typer.Option("--bom/--no-bom", help="Begin CSV with the byte order mark that spreadsheets look for."),
    ] = True,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    practice: PracticeOption = None,
    data: DataOption = "",
) -> None:
    with open_store() as store:
        chosen = [store.find_match(words) for words in matches] if matches else store.matches(practice)
        if matches and practice is not None:
            chosen = [match for match in chosen if match.practice == practice]
        if form is Format.json:
            content = export.history_json(store, chosen)
        elif form is Format.scenario:
            if len(chosen) != 1:
                raise NotAllowed("A scenario holds one match; say which, such as `latest`.")
            content = scenario.write(store.said(chosen[0].id), chosen[0].game).encode()
        elif table is Table.rounds:
            content = export.rounds_csv(store, chosen, mark)
        elif table is Table.matches:
            content = export.matches_csv(store, chosen, mark)
        else:
            content = export.announcements_csv(store, chosen, mark)
    if output is None:
        sys.stdout.flush()
        binary = getattr(sys.stdout, "buffer", None)
        if binary is None:
            sys.stdout.write(content.decode("utf-8"))
        else:
            binary.write(content)
            binary.flush()
        return
    _write(output, content, force)
    console.errors().print(f"{len(chosen)} matches written to {output}.")


def _write(path: Path, content: bytes, force: bool) -> None:
    """Write the whole file or nothing."""
    if path.exists() and not force:
        raise NotAllowed(f"{path} is there already; choose another name, or --force to write over it.")
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise NoAccess(f"{path} cannot be written ({reason}); choose another place with --output.") from error


@app.command(
    "import",
    help=described(
        "Add matches from a JSON export. Adding the same file again adds nothing.",
        "chautari history import evening.json",
    ),
)
def import_matches(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file that `history export --format json` wrote.")
    ],
    data: DataOption = "",
) -> int:
    try:
        content = file.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadFile(f"{file} cannot be read ({reason}).") from error
    with open_store() as store:
        done = export.import_json(store, content)
    console.screen().print(f"{done.announcements} announcements and {done.players} players are new here.")
    if done.kept_aside:
        console.errors().print(
            f"{done.kept_aside} announcements contradict those stored; "
            "they were kept aside and nothing was replaced."
        )
        return DATA
    return 0


@app.command(
    "date",
    help=described(
        "Say when a match began, if no PC was connected at the time.",
        'chautari history date 3 "2025-10-20 19:30"',
        'chautari history date 3 "2025-10-20 19:30" --zone Asia/Kathmandu',
    ),
)
def date_match(
    match: MatchArgument,
    began: Annotated[str, typer.Argument(metavar="TIME", help="Local time, as 2025-10-20 19:30.")],
    zone: Annotated[
        str,
        typer.Option(
            "--zone", metavar="ZONE", help="Time zone, such as Asia/Kathmandu; this PC's if not given."
        ),
    ] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Even when other dates say that it cannot be.")
    ] = False,
    data: DataOption = "",
) -> None:
    name = zone or zone_name()
    try:
        at = datetime.fromisoformat(began.strip())
    except ValueError as error:
        raise NotAllowed(f"{began!r} is not a time; write it as 2025-10-20 19:30.") from error
    try:
        moment = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise NotAllowed(f"There is no time zone {name!r}; write it as Asia/Kathmandu.") from error
    with open_store() as store:
        found = store.find_match(match)
        store.date_match(found.id, moment, name, anyway)
        screen = console.screen()
        screen.print(f"Match {found.id} began {local_time(store.match(found.id).started)}.")


@app.command(
    help=described(
        "Derive all matches anew from the announcements; confirmed rounds stay, differences are shown.",
        "chautari history rebuild",
    )
)
def rebuild(as_json: JsonOption = False, data: DataOption = "") -> int:
    screen = console.screen()
    with open_store() as store:
        differences = store.rebuild()
        count = len(store.matches())
    if as_json:
        screen.json(
            {
                "matches": count,
                "differences": [
                    {
                        "match_key": each.match_key,
                        "number": each.number,
                        "kind": each.kind,
                        "stored": each.stored,
                        "derived": each.derived,
                        "engine": each.engine,
                    }
                    for each in differences
                ],
            }
        )
        return DATA if differences else 0
    screen.print(f"{count} matches derived; {len(differences)} differences.")
    for each in differences:
        screen.print(
            f"{each.match_key}, announcement {each.number}, {each.kind}: "
            f"stored: {each.stored or 'nothing'}; derived: {each.derived or 'nothing'}. The stored one stays."
        )
    return DATA if differences else 0
