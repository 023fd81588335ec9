"""Settings profiles: a set of settings under a name, for this board or another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from chautari import models
from chautari.database import Database
from chautari.errors import NotFound
from chautari.players import folded, tidy

NEVER_IN_PROFILES = ("board_id", "names", "owner", "players")
"""Settings that belong to one board or to who sits there today."""


@dataclass(frozen=True)
class Profile:
    """values: settings by name, as the board takes them."""

    name: str
    values: dict[str, Any]
    saved: datetime


@dataclass(frozen=True)
class Change:
    """One setting in which a profile and a board differ. here: on the board, None if it has none such."""

    name: str
    here: Any
    wanted: Any


def changes(wanted: Mapping[str, Any], here: Mapping[str, Any]) -> list[Change]:
    """Return in which settings the board differs from what is wanted, by name."""
    return [
        Change(name, here.get(name), value)
        for name, value in sorted(wanted.items())
        if here.get(name) != value
    ]


class Profiles:
    """The profiles in a history."""

    def __init__(self, database: Database) -> None:
        """database: an open history."""
        self._database = database

    def save(self, name: str, values: Mapping[str, Any]) -> Profile:
        """Keep the values under a name, in place of what was there."""
        name = tidy(name)
        kept = {key: value for key, value in values.items() if key not in NEVER_IN_PROFILES}
        with self._database.write() as session:
            row = session.merge(
                models.Profile(folded=folded(name), name=name, values=kept, saved=datetime.now(UTC))
            )
            return Profile(row.name, dict(row.values), row.saved)

    def all(self) -> list[Profile]:
        """Return all profiles, by name."""
        with self._database.read() as session:
            rows = session.scalars(select(models.Profile).order_by(models.Profile.folded))
            return [Profile(row.name, dict(row.values), row.saved) for row in rows]

    def get(self, name: str) -> Profile:
        """Return one profile. Raises NotFound, naming those that are there."""
        with self._database.read() as session:
            row = session.get(models.Profile, folded(name))
            if row is not None:
                return Profile(row.name, dict(row.values), row.saved)
        there = ", ".join(profile.name for profile in self.all()) or "none yet"
        raise NotFound(f"There is no profile {name!r}; saved are: {there}.")

    def delete(self, name: str) -> None:
        """Forget one profile. Raises NotFound."""
        self.get(name)
        with self._database.write() as session:
            row = session.get(models.Profile, folded(name))
            if row is not None:
                session.delete(row)
