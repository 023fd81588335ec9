"""The table as it stands: read off the keeper, for the screen and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardrules.announcement import CORRECT, GAME, NO_SEAT, Announcement
from cardrules.keeper import Keeper
from cardrules.log import Log

from chautari import words
from chautari.console import COLOURS, Column, Screen
from chautari.players import code
from chautari.records import code_name

PHASES = {
    "setup": "being set up",
    "play": "in play",
    "colour": "waiting for a colour",
    "out": "somebody is out?",
    "scoring": "hands are being entered",
    "scored": "round to be confirmed",
    "over": "match over",
    "short": "waiting for players",
}


class Table:
    """Follows one journal from its latest GAME on."""

    def __init__(self) -> None:
        self.log: Log | None = None
        self.last = 0
        self.latest: Announcement | None = None

    def hear(self, said: Sequence[Announcement]) -> None:
        """Take further announcements, in order."""
        for one in said:
            if one.number <= self.last:
                continue
            self.last = one.number
            if one.what == GAME:
                self.log = Log()
            if self.log is not None:
                reason, _ = self.log.say(one.what, one.seat, one.arg, one.ms)
                if reason is None and one.what > 7:
                    self.latest = one

    @property
    def keeper(self) -> Keeper | None:
        """The keeper of the match, None when there is none."""
        return None if self.log is None else self.log.keeper


def state(keeper: Keeper, names: Sequence[str], game_name: str) -> dict[str, Any]:
    """Return the table as JSON has it; seats from 1. What a game does not have is left out."""
    ring = keeper.ring
    seats = []
    away = ring.absent()
    counts = getattr(keeper, "counts", None)
    for seat, score in enumerate(keeper.scores):
        if not ring.has(seat):
            continue
        entry: dict[str, Any] = {
            "seat": seat + 1,
            "name": names[seat] if seat < len(names) and names[seat] else f"Seat {seat + 1}",
            "player_id": code(keeper.players[seat]) if keeper.players[seat] else None,
            "present": seat not in away,
            "score": score,
            "ms_on_turn": keeper.clock_ms[seat],
        }
        if counts is not None:
            entry["cards"] = counts[seat]
            entry["last_card"] = counts[seat] == 1 and keeper.phase in ("play", "colour")
        seats.append(entry)
    result: dict[str, Any] = {
        "game": game_name,
        "phase": keeper.phase,
        "paused": bool(keeper.paused),
        "round": keeper.round,
        "dealer": _seat(keeper.dealer),
        "turn": _seat(keeper.turn),
        "seats": seats,
    }
    if hasattr(keeper, "direction"):
        result["direction"] = "clockwise" if keeper.direction > 0 else "anticlockwise"
    if hasattr(keeper, "owed"):
        result["owed"] = keeper.owed
    colour = getattr(keeper, "colour", None)
    if colour is not None:
        known = 0 <= colour < len(COLOURS)
        result["colour"] = {"name": COLOURS[colour][0], "shape": COLOURS[colour][1]} if known else None
    return result


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat + 1


def lines(screen: Screen, table: dict[str, Any]) -> list[str]:
    """Return the table as lines for the screen."""
    phase = "paused" if table["paused"] else PHASES.get(table["phase"], table["phase"])
    number = f", round {table['round']}" if table["round"] else ""
    heading = [f"{table['game'].replace('_', ' ').title()}{number}: {phase}"]
    if "direction" in table and table["phase"] != "setup":
        heading.append(("↻ " if table["direction"] == "clockwise" else "↺ ") + table["direction"])
    if table.get("owed"):
        heading.append(f"{table['owed']} cards owed")
    if table.get("colour"):
        heading.append(f"colour {table['colour']['shape']} {table['colour']['name']}")
    columns = [
        Column("Seat", right=True),
        Column("Player", widest=24, own_row=True),
        Column("Score", right=True),
        Column("On turn", right=True),
        Column("", widest=40),
    ]
    counted = any("cards" in seat for seat in table["seats"])
    if counted:
        columns.insert(2, Column("Cards", right=True))
    rows = []
    for seat in table["seats"]:
        marks = []
        if seat["seat"] == table["turn"]:
            marks.append("TURN")
        if seat["seat"] == table["dealer"]:
            marks.append("dealer")
        if seat.get("last_card"):
            marks.append("LAST CARD")
        if not seat["present"]:
            marks.append("away")
        clock = f"{seat['ms_on_turn'] // 60000}:{seat['ms_on_turn'] // 1000 % 60:02}"
        row: list[object] = [seat["seat"], seat["name"], seat["score"], clock, " ".join(marks)]
        if counted:
            row.insert(2, seat.get("cards", ""))
        rows.append(row)
    top = screen.safe(" · ".join(heading))
    if not rows:
        return [top, "Nobody has joined yet."]
    return [top, *screen.table_lines(columns, rows)]


def said_words(one: Announcement, game: int, names: Sequence[str]) -> str:
    """Return an announcement in words. names: by seat from 0, "" where there is none."""

    def name(seat: int) -> str:
        return (names[seat] if seat < len(names) else "") or f"Seat {seat + 1}"

    code_words = code_name(game, one.what)
    card = str(one.arg)
    if code_words == "colour" and one.arg < len(COLOURS):
        card = " ".join(reversed(COLOURS[one.arg]))
    elif code_words == "turned":
        card = code_name(game, one.arg).replace("_", " ")
    text = words.say(
        f"said.{code_words}",
        name=name(one.seat),
        other=name(one.arg & 0xFF),
        n=(one.arg & 0xFFFF) - 32768 if one.what == CORRECT else one.arg,
        round=one.arg >> 16,
        card=card,
        what="",
    )
    return text.rstrip(": ")
