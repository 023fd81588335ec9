"""Follows a table: fetches what it has into the history and folds the match in play."""

from __future__ import annotations

from typing import Any

from cardrules import announcement as says

from chautari import live, sync
from chautari.history import Store, game_name
from chautari.link import Session


def fetch(session: Session, store: Store, take: bool = False, known_settings: str = "") -> sync.Outcome:
    """Bring all that the table has into the history, and who it says sits where.

    known_settings: fingerprint of settings that need not be fetched again.
    """
    outcome = sync.sync(session, store, take=take)
    hello = outcome.hello
    if known_settings and hello.settings == known_settings:
        return outcome
    values = session.settings()
    names, people = values.get("names"), values.get("players")
    if isinstance(names, list) and isinstance(people, list):
        store.name_seats(
            hello.board_id,
            [name if isinstance(name, str) else "" for name in names],
            [player if isinstance(player, int) and 0 < player < 2**32 else 0 for player in people],
        )
    return outcome


def warning(outcome: sync.Outcome) -> str:
    """Return what to tell about a table whose journal went back or whose id another device had, else ""."""
    told = []
    if outcome.back:
        told.append(
            "The table's journal had gone back behind what this history has of it. Nothing was replaced: "
            "what the table has now is kept beside it, as another journal."
        )
    if outcome.copied:
        told.append(
            f"Another device had the board id {outcome.hello.board_id} before. "
            "If it is a copy, reset the id of one of them."
        )
    return " ".join(told)


class Follower:
    """The match in play, kept up to date from the history."""

    def __init__(self, store: Store, session: Session) -> None:
        self.store = store
        self.table = live.Table()
        self.journal = ""
        self.names: list[str] = []
        self.board_id = ""
        self.firmware = ""
        self.warning = ""
        self._settings = ""
        self.update(session)

    def update(self, session: Session) -> None:
        """Fetch what is new and fold it."""
        outcome = fetch(session, self.store, known_settings=self._settings)
        hello = outcome.hello
        self._settings = hello.settings
        self.warning = warning(outcome)
        self.board_id, self.firmware = hello.board_id, hello.firmware
        if hello.journal_id != self.journal:
            self.table, self.journal = live.Table(), hello.journal_id
        after = self.table.last or self.store.latest(hello.board_id, hello.journal_id, says.GAME) - 1
        self.table.hear(self.store.announcements(hello.board_id, hello.journal_id, max(after, 0)))
        self.names = self.store.seat_names(hello.board_id)

    def state(self) -> dict[str, Any] | None:
        """Return the table as JSON has it."""
        keeper = self.table.keeper
        return None if keeper is None else live.state(keeper, self.seat_names(), game_name(keeper.game))

    def seat_names(self) -> list[str]:
        """Return the names at the seats, from seat 0: of players with an id, else what the board shows."""
        names = list(self.names)
        keeper = self.table.keeper
        if keeper is None:
            return names
        for seat, player in enumerate(keeper.players):
            known = self.store.players.get(player) if player else None
            if known is not None:
                names += [""] * (seat + 1 - len(names))
                names[seat] = known.name
        return names

    def json(self, port: str) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "port": port,
            "board_id": self.board_id,
            "firmware": self.firmware,
            "journal_id": self.journal,
            "number": self.table.last,
            "table": self.state(),
        }
