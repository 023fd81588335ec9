"""What the history gives: plain records, and words for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import tzlocal
from cardrules import games
from cardrules.announcement import COMMON, Announcement


def now() -> datetime:
    """Return this moment, UTC."""
    return datetime.now(UTC)


def zone_name() -> str:
    """Return the name of this PC's time zone, such as Asia/Kathmandu."""
    return str(tzlocal.get_localzone_name() or "UTC")


@dataclass(frozen=True)
class When:
    """When something was. at: UTC, None if it is not known; then it was after earliest and before
    latest, either of which may be None too. zone: name of the zone it was in, as far as known."""

    at: datetime | None
    zone: str
    earliest: datetime | None = None
    latest: datetime | None = None


@dataclass(frozen=True)
class Chair:
    """Somebody in a match. chair: stays the same when players change seats; seat: where they sit now,
    from 0; player: id, 0 if unknown; name: to show; score: points; clock_ms: time on turn."""

    chair: int
    seat: int
    player: int
    name: str
    score: int
    clock_ms: int
    present: bool


@dataclass(frozen=True)
class Round:
    """A confirmed round. round: from 1; winner: chair or None; points: what the winner got;
    scores: points by chair; number: the announcement that confirmed it; corrected: not the first to."""

    round: int
    winner: int | None
    points: int
    scores: dict[int, int]
    number: int
    corrected: bool
    when: When


@dataclass(frozen=True)
class Match:
    """A match. state: setup, running, won, ended (before anybody won), left (a new one was begun),
    unknown_game. round: in play, from 1. winner: chair or None. missing: the journal has a gap that
    hides the rest. practice: a program held the cards, and some of the players may be programs.
    refused: announcements that this program's rules refuse."""

    id: int
    key: str
    board_id: str
    journal_id: str
    first_number: int
    last_number: int
    start_number: int
    game: int
    game_name: str
    state: str
    round: int
    rounds: int
    winner: int | None
    rules: dict[str, int]
    chairs: tuple[Chair, ...]
    missing: bool
    practice: bool
    refused: int
    started: When
    ended: When


@dataclass(frozen=True)
class Difference:
    """Where deriving again did not give what is stored. kind: fact, fact_missing, fact_new, rule, refused."""

    match_key: str
    number: int
    kind: str
    stored: str
    derived: str
    engine: str
    found: datetime


@dataclass(frozen=True)
class KeptAside:
    """An announcement that contradicts the one stored under its number."""

    board_id: str
    journal_id: str
    announcement: Announcement
    received: datetime


@dataclass(frozen=True)
class BoardSeen:
    """A board and when it was connected."""

    id: str
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True)
class BootSeen:
    """A boot of a board. count: the board's own, 0 if it began before what is stored."""

    board_id: str
    journal_id: str
    count: int
    number: int
    when: When
    how: str


def game_name(game: int) -> str:
    """Return the name of a game by its number."""
    return next((name for name, number in games.GAMES.items() if number == game), f"game {game}")


def code_name(game: int, what: int) -> str:
    """Return the name of an announcement's code, "" for one this program does not know."""
    if what in COMMON:
        return COMMON[what]
    try:
        return str(games.load(game).NAMES.get(what, ""))
    except ValueError:
        return ""
