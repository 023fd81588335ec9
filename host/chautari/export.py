"""The history as files: CSV for spreadsheets, JSON for programs, and back.

CSV is RFC 4180: comma, CRLF, every text in double quotes, UTF-8 with a byte order mark (so that
spreadsheets read any script). A spreadsheet takes a text that begins with = + - or @ for a formula;
so a text that begins with one of GUARDED gets one apostrophe in front, and so does one that begins
with an apostrophe. Whoever reads the file takes one leading apostrophe off and has the very text:
read_csv() does. Numbers are never touched.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cardrules.announcement import Announcement

from chautari.errors import BadFile
from chautari.history import Match, Store, When
from chautari.players import code
from chautari.records import code_name

FORMAT = "chautari history"
VERSION = 1
GUARD = "'"
GUARDED = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", GUARD)
BYTE_ORDER_MARK = "\ufeff"

ROUND_COLUMNS = (
    "match", "match_key", "game", "state", "round", "seat", "player_id", "player", "won", "points", "total",
    "corrected", "confirmed_utc", "zone", "after_utc", "before_utc", "practice",
)  # fmt: skip
MATCH_COLUMNS = (
    "match", "match_key", "game", "state", "rounds", "house_rules", "seat", "player_id", "player", "score",
    "won", "seconds_on_turn", "started_utc", "zone", "after_utc", "before_utc", "practice",
)  # fmt: skip
ANNOUNCEMENT_COLUMNS = ("match", "match_key", "number", "ms", "seat", "what", "arg", "said")


def guarded(text: str) -> str:
    """Return the text as it goes into a cell."""
    return GUARD + text if text.startswith(GUARDED) else text


def unguarded(cell: str) -> str:
    """Return the text that guarded() was given."""
    return cell.removeprefix(GUARD)


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[object]], mark: bool = True) -> bytes:
    """Return a CSV file. mark: with the byte order mark."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(
            ["" if cell is None else guarded(cell) if isinstance(cell, str) else cell for cell in row]
        )
    # Half a character cannot be in UTF-8; it can only come from a damaged name.
    return ((BYTE_ORDER_MARK if mark else "") + text.getvalue()).encode("utf-8", "replace")


def read_csv(data: bytes) -> list[dict[str, str]]:
    """Return the rows of a CSV file that write_csv() made, as texts by column. Raises BadFile."""
    try:
        text = data.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"This is not a CSV file of a history ({error}).") from error
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise BadFile("This is not a CSV file of a history: its rows differ in length.")
    return [{name: unguarded(cell) for name, cell in zip(rows[0], row, strict=True)} for row in rows[1:]]


def moment(at: datetime | None) -> str:
    """Return a moment as ISO 8601 in UTC, "" if it is not known."""
    return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _times(when: When) -> tuple[str, str, str, str]:
    return moment(when.at), when.zone, moment(when.earliest), moment(when.latest)


def _id(player: int) -> str:
    # A bare 8-digit hex id such as 1e234567 would turn into a number in a spreadsheet.
    return f"#{code(player)}" if player else ""


def rounds_csv(store: Store, matches: Sequence[Match], mark: bool = True) -> bytes:
    """Return one row for each player in each confirmed round."""
    rows: list[tuple[object, ...]] = []
    for match in matches:
        totals = {chair.chair: 0 for chair in match.chairs}
        for each in store.rounds(match.id):
            for chair in match.chairs:
                points = each.scores.get(chair.chair)
                totals[chair.chair] += points or 0
                if points is None:
                    continue
                rows.append(
                    (
                        match.id,
                        match.key,
                        match.game_name,
                        match.state,
                        each.round,
                        chair.seat + 1,
                        _id(chair.player),
                        chair.name if not chair.player else plain_name(store, chair.player, chair.name),
                        int(each.winner == chair.chair),
                        points,
                        totals[chair.chair],
                        int(each.corrected),
                        *_times(each.when),
                        int(match.practice),
                    )  # fmt: skip
                )
    return write_csv(ROUND_COLUMNS, rows, mark)


def matches_csv(store: Store, matches: Sequence[Match], mark: bool = True) -> bytes:
    """Return one row for each player in each match."""
    rows: list[tuple[object, ...]] = []
    for match in matches:
        rules = " ".join(f"{name}={value}" for name, value in sorted(match.rules.items()))
        for chair in match.chairs:
            rows.append(
                (
                    match.id,
                    match.key,
                    match.game_name,
                    match.state,
                    match.rounds,
                    rules,
                    chair.seat + 1,
                    _id(chair.player),
                    chair.name if not chair.player else plain_name(store, chair.player, chair.name),
                    chair.score,
                    int(match.winner == chair.chair),
                    round(chair.clock_ms / 1000),
                    *_times(match.started),
                    int(match.practice),
                )  # fmt: skip
            )
    return write_csv(MATCH_COLUMNS, rows, mark)


def announcements_csv(store: Store, matches: Sequence[Match], mark: bool = True) -> bytes:
    """Return one row for each announcement."""
    rows: list[tuple[object, ...]] = []
    for match in matches:
        for said in store.said(match.id):
            rows.append((match.id, match.key, *said, code_name(match.game, said.what)))
    return write_csv(ANNOUNCEMENT_COLUMNS, rows, mark)


def plain_name(store: Store, player: int, otherwise: str) -> str:
    """Return a player's name without the suffix that tells twins apart on screen: the id is beside it."""
    known = store.players.get(player)
    return otherwise if known is None else known.name


def when_json(when: When) -> dict[str, str | None]:
    """Return a When as it stands in JSON."""
    return {
        "at": moment(when.at) or None,
        "zone": when.zone or None,
        "after": moment(when.earliest) or None,
        "before": moment(when.latest) or None,
    }


def match_json(store: Store, match: Match, rounds: bool = False) -> dict[str, Any]:
    """Return a match as it stands in JSON; seats from 1, as people see them."""
    seats = {chair.chair: chair.seat + 1 for chair in match.chairs}
    result: dict[str, Any] = {
        "match": match.id,
        "key": match.key,
        "game": match.game_name,
        "practice": match.practice,
        "state": match.state,
        "round": match.round,
        "rounds_confirmed": match.rounds,
        "house_rules": match.rules,
        "started": when_json(match.started),
        "last_play": when_json(match.ended),
        "winner_seat": None if match.winner is None else seats.get(match.winner),
        "complete": not match.missing,
        "refused": match.refused,
        "players": [
            {
                "seat": chair.seat + 1,
                "player_id": code(chair.player) if chair.player else None,
                "name": plain_name(store, chair.player, chair.name) if chair.player else chair.name,
                "score": chair.score,
                "ms_on_turn": chair.clock_ms,
                "present": chair.present,
            }
            for chair in match.chairs
        ],
    }
    if rounds:
        result["rounds"] = [
            {
                "round": each.round,
                "winner_seat": None if each.winner is None else seats.get(each.winner),
                "points": each.points,
                "scores": [
                    {"seat": seats[chair], "points": points}
                    for chair, points in each.scores.items()
                    if chair in seats
                ],
                "corrected": each.corrected,
                "confirmed": when_json(each.when),
            }
            for each in store.rounds(match.id)
        ]
    return result


def history_json(store: Store, matches: Sequence[Match]) -> bytes:
    """Return the matches with all that was said in them, in a form that import_json() takes."""
    journals: dict[tuple[str, str], dict[int, Announcement]] = {}
    for match in matches:
        kept = journals.setdefault((match.board_id, match.journal_id), {})
        kept.update((said.number, said) for said in store.said(match.id))
    entries = []
    for (board_id, journal_id), kept in journals.items():
        boots = []
        spans = [
            (match.first_number, match.last_number)
            for match in matches
            if (match.board_id, match.journal_id) == (board_id, journal_id)
        ]
        seen = store.boots(board_id, journal_id)
        for boot, after in zip(seen, [*seen[1:], None], strict=True):
            if not any(
                boot.number <= last and (after is None or after.number > first) for first, last in spans
            ):
                continue
            if boot.number:
                for said in store.announcements(board_id, journal_id, boot.number - 1, boot.number + 1):
                    kept[said.number] = said
            if boot.when.at is not None and boot.number:
                boots.append(
                    {
                        "boot": boot.count,
                        "number": boot.number,
                        "started": boot.when.at.isoformat(),
                        "zone": boot.when.zone,
                        "how": boot.how,
                    }  # fmt: skip
                )
        entries.append(
            {
                "board_id": board_id,
                "journal_id": journal_id,
                "boots": boots,
                "announcements": [list(kept[number]) for number in sorted(kept)],
            }
        )
    wanted = {chair.player for match in matches for chair in match.chairs if chair.player}
    value = {
        "format": FORMAT,
        "version": VERSION,
        "players": [
            {"player_id": code(player.id), "name": player.name}
            for player in store.players.all()
            if player.id in wanted
        ],
        "matches": [match_json(store, match, rounds=True) for match in matches],
        "journals": entries,
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace")


@dataclass(frozen=True)
class Imported:
    """What an import did: announcements new here, announcements kept aside, players new here."""

    announcements: int
    kept_aside: int
    players: int


def import_json(store: Store, data: bytes) -> Imported:
    """Add what history_json() gave; what is there already is not added again. Raises BadFile.

    The whole file is looked through first: a file that is not right adds nothing.
    """
    people, journals = _parse(data)
    known = {player.id for player in store.players.all()}
    for player, name in people:
        if player not in known:
            store.players.add(name, player)
    aside = len(store.kept_aside())
    added = 0
    for board_id, journal_id, boots, said in journals:
        before = len(store.announcements(board_id, journal_id))
        store.add_announcements(board_id, journal_id, said)
        added += len(store.announcements(board_id, journal_id)) - before
        for boot, started, zone, how in boots:
            if any(seen.count == boot and seen.how for seen in store.boots(board_id, journal_id)):
                continue
            store.date_boot(board_id, journal_id, boot, started, zone, how)
    return Imported(
        added, len(store.kept_aside()) - aside, len([1 for player, _ in people if player not in known])
    )


_Boots = list[tuple[int, datetime, str, str]]
_Journals = list[tuple[str, str, _Boots, list[Announcement]]]


def _parse(data: bytes) -> tuple[list[tuple[int, str]], _Journals]:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BadFile(f"This file is cut or is not JSON ({error}); export the history again.") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise BadFile("This is not a history that `chautari history export --format json` wrote.")
    if value.get("version") != VERSION:
        raise BadFile(
            f"This file has version {value.get('version')}; this Chautari reads version {VERSION}. "
            "Update Chautari."
        )
    try:
        people = [(int(each["player_id"], 16), str(each["name"])) for each in value["players"]]
        if any(not 0 < player < 2**32 for player, _ in people):
            raise ValueError("a player's id is out of range")
        journals: _Journals = []
        for each in value["journals"]:
            said = [_announcement(numbers) for numbers in each["announcements"]]
            boots: _Boots = []
            for boot in each["boots"]:
                started = datetime.fromisoformat(boot["started"])
                if started.tzinfo is None or boot["how"] not in ("link", "hand"):
                    raise ValueError("a boot's date is not right")
                boots.append((int(boot["boot"]), started, str(boot["zone"]), str(boot["how"])))
            journals.append((str(each["board_id"]), str(each["journal_id"]), boots, said))
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(
            f"This file was edited or damaged ({type(error).__name__}: {error}); export it again."
        ) from error
    return people, journals


def _announcement(numbers: Any) -> Announcement:
    limits = (2**32, 2**32, 256, 256, 2**32)
    if not isinstance(numbers, list) or len(numbers) != len(limits):
        raise ValueError("an announcement has five numbers")
    for number, limit in zip(numbers, limits, strict=True):
        if type(number) is not int or not 0 <= number < limit:
            raise ValueError("an announcement's number is out of range")
    if numbers[0] == 0:
        raise ValueError("announcements are numbered from 1")
    return Announcement(*numbers)
