"""The history: announcements as they came, and the matches derived from them.

Announcements are the truth. They are kept under (board id, journal id, number); what came once is
never changed. Matches are derived by folding a journal from each GAME to the next with
cardrules.log.Log. What a table confirmed (CLOSE, CORRECT) is kept as a fact, with the house rules
of its match; deriving again compares, reports differences and leaves the facts as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from cardrules import announcement as says
from cardrules.announcement import Announcement
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from chautari import database, models
from chautari.errors import NotAllowed, NotFound
from chautari.keeping import derive_journal
from chautari.players import Players
from chautari.reading import announcement_of, find_journal, match_key, matches_of, rounds_of, said_of
from chautari.records import (
    BoardSeen,
    BootSeen,
    Chair,
    Difference,
    KeptAside,
    Match,
    Round,
    When,
    game_name,
    now,
    zone_name,
)
from chautari.times import Times

__all__ = [
    "BoardSeen",
    "BootSeen",
    "Chair",
    "Difference",
    "KeptAside",
    "Match",
    "Round",
    "Store",
    "When",
    "game_name",
    "now",
    "zone_name",
]

_IN = 400  # numbers in one query; SQLite takes up to 999


class Store:
    """An open history. Safe to use from several processes at once; each thread takes its own."""

    def __init__(self, path: Path | str, wait_ms: int = database.WAIT_MS) -> None:
        """Open, or make, the history at path. Raises what database.open() raises."""
        self.database = database.open(path, wait_ms)
        self.path = self.database.path
        self.players = Players(self.database)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    # -- what comes from a board

    def add_announcements(
        self,
        board_id: str,
        journal_id: str,
        announcements: Iterable[Announcement],
        received_at: datetime | None = None,
        first: int | None = None,
    ) -> int:
        """Store what came from a board; on disk when this returns. Return the highest number in order.

        Adding again adds nothing. Something else under a number already taken is kept aside (see
        kept_aside()) and changes nothing. In order means from number 1, or from first: the lowest number
        that the board still holds; what lies below it cannot come any more and is not waited for.
        """
        received = received_at or now()
        batch = [Announcement(*said) for said in announcements]
        with self.database.write() as session:
            journal = self._journal(session, board_id, journal_id, received)
            if not batch and first is None:
                return journal.in_order
            there: dict[int, models.Said] = {}
            numbers = sorted({said.number for said in batch})
            for i in range(0, len(numbers), _IN):
                query = select(models.Said).where(
                    models.Said.journal == journal.id, models.Said.number.in_(numbers[i : i + _IN])
                )
                there.update((row.number, row) for row in session.scalars(query))
            new: dict[int, Announcement] = {}
            for said in batch:
                row = there.get(said.number)
                known = new.get(said.number) if row is None else announcement_of(row)
                if known is None:
                    new[said.number] = said
                elif known != said:
                    self._keep_aside(session, journal.id, said, received)
            for number in sorted(new):
                said = new[number]
                session.add(
                    models.Said(
                        journal=journal.id,
                        number=number,
                        ms=said.ms,
                        seat=said.seat,
                        what=said.what,
                        arg=said.arg,
                        received=received,
                    )
                )
            session.flush()
            for number in sorted(new):
                if new[number].what == says.BOOT:
                    self._met_boot(session, journal.id, new[number].arg, number, received)
            if new:
                lowest = min(new)
                journal.dirty_from = lowest if journal.dirty_from is None else min(lowest, journal.dirty_from)
            self._advance(session, journal, first)
            return journal.in_order

    def in_order(self, board_id: str, journal_id: str) -> int:
        """Return the number up to which everything has arrived, 0 if nothing has."""
        with self.database.read() as session:
            journal = find_journal(session, board_id, journal_id)
            return 0 if journal is None else journal.in_order

    def announcements(
        self, board_id: str, journal_id: str, after: int = 0, before: int | None = None
    ) -> list[Announcement]:
        """Return what is stored of a journal, numbers above after and below before, in order."""
        with self.database.read() as session:
            journal = find_journal(session, board_id, journal_id)
            return [] if journal is None else said_of(session, journal.id, after, before)

    def latest(self, board_id: str, journal_id: str, what: int) -> int:
        """Return the number of the latest announcement of this kind in a journal, 0 if there is none."""
        with self.database.read() as session:
            journal = find_journal(session, board_id, journal_id)
            if journal is None:
                return 0
            query = select(func.max(models.Said.number)).where(
                models.Said.journal == journal.id, models.Said.what == what
            )
            return session.scalars(query).one() or 0

    def kept_aside(self) -> list[KeptAside]:
        """Return what contradicts something stored, oldest first."""
        query = (
            select(models.Aside, models.Journal)
            .join(models.Journal, models.Aside.journal == models.Journal.id)
            .order_by(models.Aside.id)
        )
        with self.database.read() as session:
            return [
                KeptAside(journal.board_id, journal.journal_id, announcement_of(row), row.received)
                for row, journal in session.execute(query)
            ]

    def met_board(self, board_id: str, seen_at: datetime | None = None, hardware: str = "") -> bool:
        """Note that a board was connected. Return False when its chip is not the one that had this id before.

        Two boards with one id are copies of each other: ask which is meant, never guess.
        """
        seen = seen_at or now()
        with self.database.write() as session:
            board = self._board(session, board_id, seen)
            same = not (board.hardware and hardware and board.hardware != hardware)
            if same and hardware:
                board.hardware = hardware
            board.last_seen = max(board.last_seen, seen)
            return same

    def name_seats(self, board_id: str, names: Sequence[str], players: Sequence[int] = ()) -> None:
        """Note the names that a board shows at its seats, and the ids of those who have one.

        Somebody whose id is new here is added under that name. Seats from 0; "" or 0 for none.
        """
        known = {player.id for player in self.players.all()}
        for name, player in zip(names, players, strict=False):
            if player and player not in known and name.strip():
                self.players.add(name[:60], player)
        with self.database.write() as session:
            self._board(session, board_id, now())
            for seat, name in enumerate(names):
                player = players[seat] if seat < len(players) else 0
                session.merge(models.SeatName(board_id=board_id, seat=seat, name=name, player=player))

    def seat_names(self, board_id: str) -> list[str]:
        """Return the names that a board shows at its seats, from seat 0."""
        query = (
            select(models.SeatName).where(models.SeatName.board_id == board_id).order_by(models.SeatName.seat)
        )
        with self.database.read() as session:
            return [row.name for row in session.scalars(query)]

    def boards(self) -> list[BoardSeen]:
        """Return the boards met, the latest met first."""
        query = select(models.Board).order_by(models.Board.last_seen.desc())
        with self.database.read() as session:
            return [BoardSeen(row.id, row.first_seen, row.last_seen) for row in session.scalars(query)]

    def counts(self) -> dict[str, int]:
        """Return how many rows there are of what matters."""
        with self.database.read() as session:
            return {
                name: session.scalars(select(func.count()).select_from(table)).one()
                for name, table in (
                    ("boards", models.Board),
                    ("announcements", models.Said),
                    ("matches", models.Match),
                    ("confirmed_rounds", models.Fact),
                    ("players", models.Player),
                    ("kept_aside", models.Aside),
                    ("differences", models.Difference),
                )
            }

    # -- when it was

    def date_boot(
        self,
        board_id: str,
        journal_id: str,
        boot: int,
        started: datetime,
        zone: str | None = None,
        how: str = "link",
        seen_at: datetime | None = None,
    ) -> None:
        """Say when a boot of a board began. boot: the board's boot count; started: with its zone.

        A connected PC knows it from the board's uptime (how="link", seen_at: this moment). A date
        given by hand stays; so does the first one from a link, since uptimes drift.
        """
        if how not in ("link", "hand"):
            raise ValueError("a boot is dated by link or by hand")
        if started.tzinfo is None:
            raise ValueError("a moment in the history needs its zone")
        received = seen_at or now()
        with self.database.write() as session:
            journal = self._journal(session, board_id, journal_id, received)
            query = (
                select(models.Boot)
                .where(models.Boot.journal == journal.id, models.Boot.count == boot)
                .order_by(models.Boot.number.desc().nulls_first())
            )
            row = session.scalars(query).first()
            if row is None:
                row = models.Boot(journal=journal.id, count=boot, zone="", how="")
                session.add(row)
            if how == "link":
                row.seen = received if row.seen is None else max(row.seen, received)
            if row.how == "" or how == "hand":
                row.started, row.zone, row.how = started, zone or zone_name(), how

    def boots(self, board_id: str, journal_id: str) -> list[BootSeen]:
        """Return the boots of a journal in their order."""
        with self.database.read() as session:
            journal = find_journal(session, board_id, journal_id)
            if journal is None:
                return []
            times = Times(session, journal.id)
            return [
                BootSeen(board_id, journal_id, boot.count, boot.number, times.start(boot), boot.how)
                for boot in times.boots
            ]

    def date_match(
        self, match_id: int, started: datetime, zone: str | None = None, anyway: bool = False
    ) -> None:
        """Say by hand when a match began; this dates the boot it began in.

        Raises NotAllowed when that cannot have been, going by what else is known, unless anyway.
        """
        match = self.match(match_id)
        with self.database.read() as session:
            journal = find_journal(session, match.board_id, match.journal_id)
            if journal is None:
                raise NotFound(f"The journal of match {match_id} is gone.")
            times = Times(session, journal.id)
            boot = times.boot_of(match.start_number)
            since_boot = times.since_boot(match.start_number)
            earliest, latest = times.bounds(boot)
        begun = started - timedelta(milliseconds=since_boot)
        if not anyway:
            if boot.how == "link":
                raise NotAllowed(
                    f"Match {match_id} was dated by the PC that was connected; --anyway dates it by hand."
                )
            if earliest is not None and begun < earliest:
                raise NotAllowed(
                    f"Match {match_id} began after {_minute(earliest)}; --anyway dates it all the same."
                )
            if latest is not None and started > latest:
                raise NotAllowed(
                    f"Match {match_id} began before {_minute(latest)}; --anyway dates it all the same."
                )
        self._date_row(match.board_id, match.journal_id, boot.number, boot.count, begun, zone)

    def _date_row(
        self, board_id: str, journal_id: str, number: int, count: int, begun: datetime, zone: str | None
    ) -> None:
        with self.database.write() as session:
            journal = self._journal(session, board_id, journal_id, now())
            row = session.scalars(
                select(models.Boot).where(models.Boot.journal == journal.id, models.Boot.number == number)
            ).first()
            if row is None:
                row = models.Boot(journal=journal.id, count=count, number=number, zone="", how="")
                session.add(row)
            row.started, row.zone, row.how = begun, zone or zone_name(), "hand"

    # -- what was played

    def matches(self, practice: bool | None = None) -> list[Match]:
        """Return all matches, in the order in which they were first received.

        practice: only those in which a program held the cards, or only the others.
        """
        self.derive()
        with self.database.read() as session:
            return matches_of(session, practice=practice)

    def match(self, match_id: int) -> Match:
        """Return one match. Raises NotFound."""
        self.derive()
        with self.database.read() as session:
            found = matches_of(session, match_id)
        if not found:
            raise NotFound(f"There is no match {match_id}; `chautari history list` shows all.")
        return found[0]

    def find_match(self, words: str) -> Match:
        """Return the match meant by its number, its key, or `latest`. Raises NotFound."""
        if words == "latest":
            everything = self.matches()
            if not everything:
                raise NotFound("There is no match yet; `chautari sync` fetches what a board holds.")
            return everything[-1]
        if words.isascii() and words.isdigit() and len(words) < 18:
            return self.match(int(words))
        for match in self.matches():
            if match.key == words:
                return match
        raise NotFound(f"There is no match {words!r}; `chautari history list` shows all.")

    def rounds(self, match_id: int) -> list[Round]:
        """Return the confirmed rounds of a match, in order, as corrected by now."""
        match = self.match(match_id)
        with self.database.read() as session:
            journal = find_journal(session, match.board_id, match.journal_id)
            return [] if journal is None else rounds_of(session, journal.id, match.first_number)

    def said(self, match_id: int) -> list[Announcement]:
        """Return the announcements of a match, from its GAME on, as far as they have come."""
        match = self.match(match_id)
        return self.announcements(
            match.board_id, match.journal_id, match.first_number - 1, match.last_number + 1
        )

    def differences(self) -> list[Difference]:
        """Return where deriving again did not give what is stored, oldest first."""
        query = (
            select(models.Difference, models.Journal)
            .join(models.Journal, models.Difference.journal == models.Journal.id)
            .order_by(models.Difference.id)
        )
        with self.database.read() as session:
            return [
                Difference(
                    match_key(journal, row.match_number),
                    row.number,
                    row.kind,
                    row.stored,
                    row.derived,
                    row.engine,
                    row.found,
                )
                for row, journal in session.execute(query)
            ]

    def without_match(self) -> int:
        """Return how many announcements belong to a match whose beginning is not here."""
        self.derive()
        with self.database.read() as session:
            count = 0
            for journal in session.scalars(select(models.Journal)):
                first = session.scalars(
                    select(func.min(models.Said.number)).where(
                        models.Said.journal == journal.id, models.Said.what == says.GAME
                    )
                ).one()
                query = select(func.count()).where(
                    models.Said.journal == journal.id, models.Said.what > says.RESUME
                )
                if first is not None:
                    query = query.where(models.Said.number < first)
                count += session.scalars(query).one()
            return count

    # -- deriving

    def derive(self) -> None:
        """Bring the matches up to date with the announcements; quick when nothing has come."""
        with self.database.read() as session:
            stale = list(
                session.scalars(select(models.Journal.id).where(models.Journal.dirty_from.is_not(None)))
            )
        for journal_id in stale:
            with self.database.write() as session:
                journal = session.get_one(models.Journal, journal_id)
                if journal.dirty_from is not None:
                    derive_journal(session, journal, journal.dirty_from)
                    journal.dirty_from = None

    def rebuild(self) -> list[Difference]:
        """Derive everything anew from the announcements. Facts stay; return all differences found."""
        with self.database.write() as session:
            session.execute(delete(models.Difference))
            kept = set()
            for journal in session.scalars(select(models.Journal).order_by(models.Journal.id)):
                kept |= derive_journal(session, journal, 0)
                journal.dirty_from = None
            for match in session.scalars(select(models.Match)):
                if match.id not in kept:
                    session.execute(delete(models.MatchSeat).where(models.MatchSeat.match == match.id))
                    session.delete(match)
        return self.differences()

    # -- inside

    @staticmethod
    def _board(session: Session, board_id: str, seen: datetime) -> models.Board:
        board = session.get(models.Board, board_id)
        if board is None:
            board = models.Board(id=board_id, hardware="", first_seen=seen, last_seen=seen)
            session.add(board)
            session.flush()
        return board

    def _journal(self, session: Session, board_id: str, journal_id: str, seen: datetime) -> models.Journal:
        journal = find_journal(session, board_id, journal_id)
        if journal is None:
            self._board(session, board_id, seen)
            journal = models.Journal(board_id=board_id, journal_id=journal_id, first_seen=seen, in_order=0)
            session.add(journal)
            session.flush()
        return journal

    @staticmethod
    def _keep_aside(session: Session, journal: int, said: Announcement, received: datetime) -> None:
        query = select(models.Aside.id).where(
            models.Aside.journal == journal,
            models.Aside.number == said.number,
            models.Aside.ms == said.ms,
            models.Aside.seat == said.seat,
            models.Aside.what == said.what,
            models.Aside.arg == said.arg,
        )
        session.flush()
        if session.scalars(query).first() is None:
            session.add(models.Aside(journal=journal, received=received, **said._asdict()))

    @staticmethod
    def _met_boot(session: Session, journal: int, count: int, number: int, received: datetime) -> None:
        """Join a BOOT announcement with the date that the link gave before it came, if it did."""
        rows = list(
            session.scalars(
                select(models.Boot).where(models.Boot.journal == journal, models.Boot.count == count)
            )
        )
        if any(row.number == number for row in rows):
            return
        row = next((row for row in rows if row.number is None), None)
        if row is None:
            row = models.Boot(journal=journal, count=count, zone="", how="")
            session.add(row)
        row.number = number
        row.first_received = received
        session.flush()

    @staticmethod
    def _advance(session: Session, journal: models.Journal, first: int | None) -> None:
        """Move the mark up to which everything has arrived."""
        if first is not None and first - 1 > journal.in_order:
            journal.in_order = first - 1
        numbers = session.scalars(
            select(models.Said.number)
            .where(models.Said.journal == journal.id, models.Said.number > journal.in_order)
            .order_by(models.Said.number)
        )
        for number in numbers:
            if number != journal.in_order + 1:
                break
            journal.in_order = number


def _minute(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
