"""When things were: boots, dated or not, and the milliseconds since them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from chautari import models
from chautari.errors import NotFound
from chautari.records import When

WRAP_MS = 2**32
"""Milliseconds of an announcement count up to here and start again."""


class Times:
    """When the announcements of a journal were, as far as its boots are dated."""

    def __init__(self, session: Session, journal: int) -> None:
        self._session = session
        self._journal = journal
        rows = list(session.scalars(select(models.Boot).where(models.Boot.journal == journal)))
        self.boots = sorted(
            (Boot.of(row) for row in rows if row.number is not None), key=lambda boot: boot.number
        )
        if not self.boots or self.boots[0].number > 0:
            first = session.scalars(
                select(models.Said)
                .where(models.Said.journal == journal)
                .order_by(models.Said.number)
                .limit(1)
            ).first()
            if first is not None and (not self.boots or first.number < self.boots[0].number):
                self.boots.insert(0, Boot(0, 0, None, "", "", first.received, None))
        self._clocks: dict[int, list[tuple[int, int, int]]] = {}

    def boot_of(self, number: int) -> Boot:
        """Return the boot that an announcement belongs to."""
        found = None
        for boot in self.boots:
            if boot.number > number:
                break
            found = boot
        if found is None:
            raise NotFound(f"Announcement {number} is not in the history.")
        return found

    def _clock(self, boot: Boot) -> list[tuple[int, int, int]]:
        """Return where the boot's milliseconds started again: (from number, added ms, last ms)."""
        if boot.number not in self._clocks:
            index = self.boots.index(boot)
            query = select(models.Said.number, models.Said.ms).where(
                models.Said.journal == self._journal, models.Said.number >= max(boot.number, 1)
            )
            if index + 1 < len(self.boots):
                query = query.where(models.Said.number < self.boots[index + 1].number)
            marks: list[tuple[int, int, int]] = []
            added = 0
            before = -1
            for number, ms in self._session.execute(query.order_by(models.Said.number)):
                if before < 0:
                    marks.append((number, 0, ms))
                elif before - ms > WRAP_MS // 2:
                    added += WRAP_MS
                    marks.append((number, added, ms))
                else:
                    marks[-1] = (marks[-1][0], added, max(ms, marks[-1][2]))
                before = ms
            self._clocks[boot.number] = marks
        return self._clocks[boot.number]

    def since_boot(self, number: int) -> int:
        """Return how many ms after its boot an announcement was made."""
        boot = self.boot_of(number)
        ms = self._session.scalars(
            select(models.Said.ms).where(models.Said.journal == self._journal, models.Said.number == number)
        ).one()
        added = 0
        for first, more, _ in self._clock(boot):
            if first > number:
                break
            added = more
        return ms + added

    def _length(self, boot: Boot) -> int:
        """Return how many ms the boot lasted at least."""
        marks = self._clock(boot)
        return marks[-1][1] + marks[-1][2] if marks else 0

    def bounds(self, boot: Boot) -> tuple[datetime | None, datetime | None]:
        """Return between which moments a boot began: after what came before it, before what followed."""
        index = self.boots.index(boot)
        earliest = latest = None
        for other in self.boots[:index]:
            for moment in (
                other.seen,
                None
                if other.started is None
                else other.started + timedelta(milliseconds=self._length(other)),
            ):
                if moment is not None and (earliest is None or moment > earliest):
                    earliest = moment
        later = [boot.first_received, boot.seen]
        for other in self.boots[index + 1 :]:
            later += [other.first_received, other.started]
        for moment in later:
            if moment is not None and (latest is None or moment < latest):
                latest = moment
        return earliest, latest

    def start(self, boot: Boot) -> When:
        """Return when a boot began."""
        if boot.started is not None:
            return When(boot.started, boot.zone)
        return When(None, "", *self.bounds(boot))

    def at(self, number: int) -> When:
        """Return when an announcement was made."""
        boot = self.boot_of(number)
        start = self.start(boot)
        if start.at is None:
            return start
        return replace(start, at=start.at + timedelta(milliseconds=self.since_boot(number)))


@dataclass(frozen=True)
class Boot:
    """A boot whose place in the journal is known."""

    number: int
    count: int
    started: datetime | None
    zone: str
    how: str
    first_received: datetime | None
    seen: datetime | None

    @staticmethod
    def of(row: models.Boot) -> Boot:
        return Boot(row.number or 0, row.count, row.started, row.zone, row.how, row.first_received, row.seen)
