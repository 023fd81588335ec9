"""Bringing a table's announcements into the history: all, in order, once.

What is in the history is never asked for again; what the table lets go is only what its owner's
history has on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from cardrules.announcement import Announcement

from chautari.link import Hello, LinkError, Refused, Session

COMPARED = 8
"""Announcements that are looked at again before new ones are asked for: what one line carries."""


class HistoryStore(Protocol):
    """What sync needs of the history; see chautari.history.Store."""

    def in_order(self, board_id: str, journal_id: str) -> int:
        """Return the number up to which everything that can come has arrived."""

    def add_announcements(
        self,
        board_id: str,
        journal_id: str,
        announcements: list[Announcement],
        received_at: datetime,
        first: int | None = None,
    ) -> int:
        """Store on disk what is not there yet; return as in_order() does.

        first: what lies below it and is not there cannot come any more.
        """

    def announcements(self, board_id: str, journal_id: str, after: int = 0) -> list[Announcement]:
        """Return what is stored of a journal, numbers above after, in order."""

    def met_board(self, board_id: str, seen_at: datetime, hardware: str) -> bool:
        """Note that the board was here; return False when another chip had this id before."""

    def date_boot(
        self, board_id: str, journal_id: str, boot: int, started: datetime, *, seen_at: datetime
    ) -> object:
        """Note when the boot with this count began."""


@dataclass(frozen=True)
class Outcome:
    """What a sync did.

    hello: of the table; added: announcements fetched into the history; last: highest number in order there;
    gone: (first, last) of each run of numbers that neither the table nor the history has;
    owner: True if the table lets go what this PC has; journals: journal ids met;
    copied: True when a board with another chip had this board's id before: two boards, one id;
    back: True when the table's journal had gone back and now goes on under another id.
    """

    hello: Hello
    added: int
    last: int
    gone: tuple[tuple[int, int], ...]
    owner: bool
    journals: tuple[str, ...]
    copied: bool
    back: bool = False


class _WentBack(Exception):
    """The table's journal is not the continuation of what the history has under its id."""


def sync(
    session: Session,
    store: HistoryStore,
    *,
    today: Callable[[], datetime] = lambda: datetime.now(UTC),
    progress: Callable[[int, int], None] | None = None,
    batch: int = 256,
    take: bool = False,
) -> Outcome:
    """Bring all that the table has and the history has not. May be cut off and repeated at any time.

    progress: called with (number reached, highest number). take: become the table's owner.
    Raises LinkError, and what the store raises; what was stored until then stays.
    """
    journals: list[str] = []
    added = 0
    back = False
    for _ in range(5):
        hello = session.hello()
        journals.append(hello.journal_id)
        fetch = _Fetch(session, store, hello, today, progress, batch)
        try:
            fetch.all()
        except _WentBack:
            if session.read_only:
                raise LinkError(
                    "The table's journal has gone back behind what this history has of it, and with the "
                    "versions it has nothing can be done about it. Nothing was replaced."
                ) from None
            try:
                session.renew(hello.journal_id)
            except Refused as no:
                # An answer that was lost, or another program that was faster: it is done already.
                if no.code != "other_journal":
                    raise
            back = True
            continue
        except Refused as no:
            if no.code != "other_journal":
                raise
            added += fetch.added  # the journal was wiped meanwhile: it has another id now
            continue
        copied = not store.met_board(hello.board_id, today(), hello.hardware_hint)
        store.date_boot(hello.board_id, hello.journal_id, hello.boots, hello.booted, seen_at=today())
        owner = False
        if session.host_id and not session.read_only and fetch.stored:
            owner = session.acknowledge(hello.journal_id, fetch.stored, take=take)
        return Outcome(
            hello,
            added + fetch.added,
            fetch.stored,
            tuple(fetch.gone),
            owner,
            tuple(journals),
            copied,
            back,
        )
    raise LinkError("The table's journal changes all the time. See `chautari doctor`.")


class _Fetch:
    """Fetching one journal. Always stores what has come, whatever ends it."""

    def __init__(
        self,
        session: Session,
        store: HistoryStore,
        hello: Hello,
        today: Callable[[], datetime],
        progress: Callable[[int, int], None] | None,
        batch: int,
    ) -> None:
        self.added = 0
        self.gone: list[tuple[int, int]] = []
        self._session = session
        self._store = store
        self._hello = hello
        self._today = today
        self._progress = progress
        self._batch = batch
        self._waiting: list[Announcement] = []
        self._first: int | None = None
        self.stored = store.in_order(hello.board_id, hello.journal_id)

    def all(self) -> None:
        """Fetch until the history has all that the table has. Raises _WentBack."""
        reached = self.stored
        self._compare()
        again = 0
        try:
            while True:
                said, _, last = self._session.announcements(reached, self._hello.journal_id)
                if reached >= last:
                    return
                if (not said or said[0].number != reached + 1) and again < 2:
                    again += 1  # a gap: asked again before it is believed
                    continue
                again = 0
                if not said or said[0].number <= reached:
                    raise LinkError(
                        f"The table does not give number {reached + 1} of its journal. See `chautari doctor`."
                    )
                if said[0].number > reached + 1:
                    self._commit()
                    self.gone.append((reached + 1, said[0].number - 1))
                    reached = said[0].number - 1
                    self._first = reached + 1
                for announcement in said:
                    if announcement.number != reached + 1:
                        break
                    self._waiting.append(announcement)
                    reached += 1
                if len(self._waiting) >= self._batch:
                    self._commit()
                if self._progress:
                    self._progress(reached, last)
        finally:
            self._commit()

    def _compare(self) -> None:
        """Look whether the latest announcements stored are still what the table has under their numbers.

        Several, because a single one may be the same by chance: a start of the table is often said at the
        same ms.
        """
        if not self.stored:
            return
        hello = self._hello
        reached = max(self.stored - COMPARED, 0)
        kept = {
            one.number: one for one in self._store.announcements(hello.board_id, hello.journal_id, reached)
        }
        while reached < self.stored:
            said, _, last = self._session.announcements(reached, hello.journal_id)
            if last < self.stored:
                raise _WentBack
            if not said or said[-1].number <= reached:
                return
            for one in said:
                if one.number <= self.stored and kept.get(one.number, one) != one:
                    raise _WentBack
            reached = said[-1].number

    def _commit(self) -> None:
        if self._waiting:
            batch, self._waiting = self._waiting, []
            hello = self._hello
            self.stored = self._store.add_announcements(
                hello.board_id, hello.journal_id, batch, self._today(), self._first
            )
            self.added += len(batch)
            self._first = None
