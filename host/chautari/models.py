"""The tables of the history.

Truth: boards, journals, announcements, announcements kept aside, boots, confirmed facts, house rules,
players, profiles. Derived, and rebuilt from the truth at any time: matches, seats, differences.
Points are whole points, times are milliseconds or UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import DateTime


class Utc(TypeDecorator[datetime]):
    """A moment. Only moments with a zone go in, UTC comes out; the file holds plain UTC."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a moment without a zone: it would mean another one on another PC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment in the history needs its zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment back with its zone, UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """Base of all tables; names of constraints are fixed so that migrations can find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Utc, dict[str, Any]: JSON}


class Board(Base):
    """A device, by the random id that it gave itself at its first boot."""

    __tablename__ = "boards"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    hardware: Mapped[str] = mapped_column(Text, default="")  # the chip's own id: a hint, copies exist
    first_seen: Mapped[datetime]
    last_seen: Mapped[datetime]


class Journal(Base):
    """One journal of a board; a wiped or damaged journal comes back under a new id."""

    __tablename__ = "journals"
    __table_args__ = (UniqueConstraint("board_id", "journal_id"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    journal_id: Mapped[str] = mapped_column(String(64))
    first_seen: Mapped[datetime]
    in_order: Mapped[int] = mapped_column(BigInteger, default=0)  # everything up to here has arrived
    dirty_from: Mapped[int | None] = mapped_column(BigInteger)  # lowest number not yet derived from


class Said(Base):
    """An announcement as it came. Never changed, never deleted."""

    __tablename__ = "announcements"
    __table_args__ = (
        CheckConstraint("number > 0", name="number"),
        {"sqlite_with_rowid": False},
    )

    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    ms: Mapped[int] = mapped_column(BigInteger)  # since the boot, modulo 2**32
    seat: Mapped[int] = mapped_column(Integer)
    what: Mapped[int] = mapped_column(Integer)
    arg: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[datetime]


class Aside(Base):
    """An announcement that came under a number already taken by a different one: kept, not used."""

    __tablename__ = "announcements_aside"
    __table_args__ = (UniqueConstraint("journal", "number", "ms", "seat", "what", "arg"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"))
    number: Mapped[int] = mapped_column(BigInteger)
    ms: Mapped[int] = mapped_column(BigInteger)
    seat: Mapped[int] = mapped_column(Integer)
    what: Mapped[int] = mapped_column(Integer)
    arg: Mapped[int] = mapped_column(BigInteger)
    received: Mapped[datetime]


class Boot(Base):
    """One boot of a board, and when it was, as far as that is known."""

    __tablename__ = "boots"
    __table_args__ = (CheckConstraint("how in ('', 'link', 'hand')", name="how"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"), index=True)
    count: Mapped[int] = mapped_column(BigInteger)  # the board's own count; 0: began before what we have
    number: Mapped[int | None] = mapped_column(BigInteger)  # of its BOOT announcement, once that has come
    started: Mapped[datetime | None]
    zone: Mapped[str] = mapped_column(String(64), default="")
    how: Mapped[str] = mapped_column(String(8), default="")
    first_received: Mapped[datetime | None]  # it began before this moment
    seen: Mapped[datetime | None]  # a PC was connected to it at this moment


class Fact(Base):
    """A round as the table confirmed it, by CLOSE or CORRECT. Never changed by a newer engine."""

    __tablename__ = "facts"
    __table_args__ = (
        ForeignKeyConstraint(["journal", "number"], ["announcements.journal", "announcements.number"]),
    )

    journal: Mapped[int] = mapped_column(Integer, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)  # of the confirming announcement
    match_number: Mapped[int] = mapped_column(BigInteger, index=True)  # of the match's GAME announcement
    round: Mapped[int] = mapped_column(Integer)  # from 1
    winner: Mapped[int] = mapped_column(Integer)  # seat, 255 if nobody
    points: Mapped[int] = mapped_column(Integer)
    standing: Mapped[bool] = mapped_column(Boolean)  # False: taken back by undo, or corrected later
    engine: Mapped[str] = mapped_column(String(32))  # version that first derived it


class FactScore(Base):
    """What one chair got in a confirmed round. A chair keeps its number when its player changes seats."""

    __tablename__ = "fact_scores"
    __table_args__ = (ForeignKeyConstraint(["journal", "number"], ["facts.journal", "facts.number"]),)

    journal: Mapped[int] = mapped_column(Integer, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    chair: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    player: Mapped[int] = mapped_column(BigInteger)  # 0 if unknown
    points: Mapped[int] = mapped_column(Integer)


class HouseRule(Base):
    """One house rule of a match, as it stood at the start: an old match keeps its own rules."""

    __tablename__ = "house_rules"

    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"), primary_key=True)
    match_number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)


class Player(Base):
    """Somebody who plays. Two may have the same name; the id tells them apart."""

    __tablename__ = "players"
    __table_args__ = (CheckConstraint("id > 0 and id < 4294967296", name="id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text)
    folded: Mapped[str] = mapped_column(Text, index=True)  # the name as compared: NFC, trimmed, case-folded
    added: Mapped[datetime]


class SeatName(Base):
    """The name a board showed at a seat, for players without an id."""

    __tablename__ = "seat_names"

    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    player: Mapped[int] = mapped_column(BigInteger, default=0)


class Profile(Base):
    """A set of settings under a name."""

    __tablename__ = "profiles"

    folded: Mapped[str] = mapped_column(String(200), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    values: Mapped[dict[str, Any]]
    saved: Mapped[datetime]


class Match(Base):
    """A match as derived from its announcements."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("journal", "first_number"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"))
    first_number: Mapped[int] = mapped_column(BigInteger)
    last_number: Mapped[int] = mapped_column(BigInteger)  # everything up to here is counted in
    start_number: Mapped[int] = mapped_column(BigInteger)  # when play began: its START, or its GAME
    last_play: Mapped[int] = mapped_column(BigInteger)  # the last one that people made
    game: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))  # setup, running, won, ended, unknown_game
    round: Mapped[int] = mapped_column(Integer, default=0)  # in play, from 1; 0 before the start
    winner: Mapped[int] = mapped_column(Integer, default=255)  # chair
    refused: Mapped[int] = mapped_column(Integer, default=0)  # announcements this engine refuses
    missing: Mapped[bool] = mapped_column(Boolean, default=False)  # a gap in the journal follows
    practice: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    engine: Mapped[str] = mapped_column(String(32))


class MatchSeat(Base):
    """A chair of a match."""

    __tablename__ = "match_seats"

    match: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    chair: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)  # where it sits now
    player: Mapped[int] = mapped_column(BigInteger, default=0)
    name: Mapped[str] = mapped_column(Text, default="")  # what the board called a player without an id
    score: Mapped[int] = mapped_column(Integer, default=0)
    clock_ms: Mapped[int] = mapped_column(BigInteger, default=0)
    present: Mapped[bool] = mapped_column(Boolean, default=True)


class Difference(Base):
    """Where deriving again did not give what had been stored; what was stored stays."""

    __tablename__ = "differences"
    __table_args__ = (UniqueConstraint("journal", "number", "kind", "stored", "derived"),)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    journal: Mapped[int] = mapped_column(ForeignKey("journals.id"))
    match_number: Mapped[int] = mapped_column(BigInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(32))
    stored: Mapped[str] = mapped_column(Text)
    derived: Mapped[str] = mapped_column(Text)
    engine: Mapped[str] = mapped_column(String(32))
    found: Mapped[datetime]
