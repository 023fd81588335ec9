"""Players: somebody with an id and a name. Names may be equal; ids never are."""

from __future__ import annotations

import secrets
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from chautari import models
from chautari.database import Database
from chautari.errors import NotAllowed, NotFound

NAME_LENGTH = 60
"""Longest name, in characters."""


@dataclass(frozen=True)
class Player:
    """id: 1 to 2**32 - 1; name: as typed, trimmed."""

    id: int
    name: str
    added: datetime


def tidy(name: str) -> str:
    """Return the name as it is kept: NFC, without space around it.

    Raises NotAllowed for an empty name, one that is too long, and one that no file could hold.
    """
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise NotAllowed("A player needs a name; give at least one character.")
    if len(name) > NAME_LENGTH:
        raise NotAllowed(f"That name has {len(name)} characters; {NAME_LENGTH} is the most.")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotAllowed("That name holds half a character; type it again.") from error
    return name


def folded(name: str) -> str:
    """Return the name as it is compared: NFC, trimmed, case-folded, whatever way it was typed.

    Case folding can undo NFC and the other way round, so both are done until nothing changes.
    """
    name = unicodedata.normalize("NFC", name).strip()
    while True:
        again = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold()).strip()
        if again == name:
            return name
        name = again


def code(player_id: int) -> str:
    """Return the id as people see and type it: 8 hex digits."""
    return f"{player_id:08x}"


def shown(people: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return for each (id, name) the name to show: equal names get the start of their id.

    The suffix is as short as tells them apart, four hex digits at least.
    """
    names = dict(people)
    count = Counter(folded(name) for name in names.values())
    result = {}
    for player_id, name in names.items():
        if count[folded(name)] == 1:
            result[player_id] = name
            continue
        twins = [
            code(other)
            for other, theirs in names.items()
            if folded(theirs) == folded(name) and other != player_id
        ]
        length = 4
        while length < 8 and any(twin[:length] == code(player_id)[:length] for twin in twins):
            length += 1
        result[player_id] = f"{name} #{code(player_id)[:length]}"
    return result


class Players:
    """The players in a history."""

    def __init__(self, database: Database) -> None:
        """database: an open history."""
        self._database = database

    def add(self, name: str, player_id: int | None = None) -> Player:
        """Add somebody, under a new random id or the one given, and return them.

        An id that is there already keeps its name: the same person met twice.
        """
        name = tidy(name)
        if player_id is not None and not 0 < player_id < 2**32:
            raise NotAllowed("A player's id is 1 to ffffffff.")
        with self._database.write() as session:
            chosen = player_id
            while chosen is None or (player_id is None and session.get(models.Player, chosen) is not None):
                chosen = secrets.randbelow(2**32 - 1) + 1
            row = session.get(models.Player, chosen)
            if row is None:
                row = models.Player(id=chosen, name=name, folded=folded(name), added=datetime.now(UTC))
                session.add(row)
            return Player(row.id, row.name, row.added)

    def all(self) -> list[Player]:
        """Return everybody, by name."""
        with self._database.read() as session:
            rows = session.scalars(select(models.Player))
            people = [Player(row.id, row.name, row.added) for row in rows]
        return sorted(people, key=lambda player: (folded(player.name), player.id))

    def get(self, player_id: int) -> Player | None:
        """Return the player with that id, or None."""
        with self._database.read() as session:
            row = session.get(models.Player, player_id)
            return None if row is None else Player(row.id, row.name, row.added)

    def find(self, words: str) -> Player:
        """Return the one player meant by a name or an id (`#` and the start of it will do).

        Raises NotFound when nobody or more than one person is meant; the text then lists them.
        """
        everybody = self.all()
        wanted = folded(words)
        meant = [player for player in everybody if folded(player.name) == wanted]
        name, hash_sign, start = words.rpartition("#")
        if not meant and start.strip():
            start = start.strip().lower()
            meant = [player for player in everybody if code(player.id).startswith(start)]
            if hash_sign and name.strip():
                meant = [player for player in meant if folded(player.name) == folded(name)]
            elif not hash_sign and len(start) < 4:
                meant = []
        if len(meant) == 1:
            return meant[0]
        if not meant:
            raise NotFound(f"Nobody is called {words!r}; `chautari players list` shows everybody.")
        choice = ", ".join(f"#{code(player.id)}" for player in meant)
        raise NotFound(f"{len(meant)} people are meant by {words!r}; say which by id: {choice}.")

    def rename(self, player_id: int, name: str) -> Player:
        """Give somebody another name; everything they played stays theirs."""
        name = tidy(name)
        with self._database.write() as session:
            row = session.get(models.Player, player_id)
            if row is None:
                raise NotFound(
                    f"There is no player #{code(player_id)}; `chautari players list` shows everybody."
                )
            row.name, row.folded = name, folded(name)
            return Player(row.id, row.name, row.added)
