"""The file of the history: opening it, its schema, its transactions.

One SQLite file. Writers take turns: each write is one short transaction that begins by taking the
write lock, waits for at most WAIT_MS and is on disk (synchronous, write-ahead log) when it returns.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

import chautari
from chautari.errors import DamagedHistory, HistoryBusy, NewerHistory, NoAccess, Trouble

HEAD = "0002"
"""Schema that this program reads and writes; the newest step in migrations/versions."""

APPLICATION_ID = 0x43687472  # "Chtr", in the file's header
WAIT_MS = 10_000

_BEGINS_S = 2.0
"""How long an empty file with a log beside it may be a history that another program begins: far more than
it takes to write a page."""

_FILE_HEADER = b"SQLite format 3\x00"
_MIGRATIONS = Path(__file__).resolve().parent / "migrations"


class Database:
    """An open history. Use read() for a consistent view and write() for one transaction."""

    def __init__(self, path: Path, wait_ms: int = WAIT_MS) -> None:
        """Do not call; see open()."""
        self.path = path
        self.wait_ms = wait_ms
        self._reading = _engine(path, wait_ms)
        self._writing = self._reading.execution_options(chautari_write=True)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session over one unchanging view of the history."""
        with plain_words(self.path), Session(self._reading) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session that holds the write lock; all of it is on disk at the end, or nothing.

        Raises HistoryBusy when another program keeps the lock for longer than WAIT_MS.
        """
        with (
            plain_words(self.path),
            Session(self._writing, expire_on_commit=False) as session,
            session.begin(),
        ):
            session.connection()
            yield session

    def close(self) -> None:
        """Let go of the file."""
        self._reading.dispose()


def open(path: Path | str, wait_ms: int = WAIT_MS) -> Database:
    """Open the history at path, make it if it is not there, bring an older schema up to date.

    Raises NewerHistory, DamagedHistory, HistoryBusy or NoAccess; the file is then left as it was.
    """
    path = Path(path)
    _look_at_file(path)
    database = Database(path, wait_ms)
    try:
        with plain_words(path):
            _prepare(database)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def plain_words(path: Path) -> Iterator[None]:
    """Turn the database's own errors into ours."""
    try:
        yield
    except DatabaseError as error:
        trouble = _trouble(path, error.orig if isinstance(error.orig, BaseException) else error)
        if trouble is None:
            raise
        raise trouble from error
    except sqlite3.DatabaseError as error:
        trouble = _trouble(path, error)
        if trouble is None:
            raise
        raise trouble from error


def _trouble(path: Path, error: BaseException) -> Trouble | None:
    words = str(error).lower()
    if "locked" in words or "busy" in words:
        return HistoryBusy(
            f"Another program is writing into the history {path}; wait until it has finished, then try again."
        )
    if "malformed" in words or "not a database" in words or "disk image" in words:
        return _damaged(path)
    if "unable to open" in words:
        return NoAccess(f"The history {path} cannot be opened; check who owns the file and its folder.")
    if "readonly" in words or "read-only" in words:
        return NoAccess(
            f"The history {path} may only be read by this user; check who owns the file and its folder."
        )
    if "disk is full" in words or "disk i/o" in words:
        return Trouble(
            f"The history {path} cannot be written ({error}); make room on the disk, then try again."
        )
    return None


def _damaged(path: Path) -> DamagedHistory:
    return DamagedHistory(
        f"The history {path} is damaged and was left as it is; move it away (a copy of it may help), "
        "then run `chautari sync` to fetch what the board still has."
    )


def _look_at_file(path: Path) -> None:
    """Refuse a file that is not a database, before anything opens it for writing."""
    end = time.monotonic() + _BEGINS_S
    while True:
        try:
            if path.is_dir():
                raise NoAccess(
                    f"{path} is a folder; the history must be a file. Choose another folder with --data."
                )
            # Looked for before the file is read: who begins a history writes the file first, then takes
            # the log away.
            logs = [tail for tail in ("-wal", "-journal") if path.with_name(path.name + tail).exists()]
            if not path.exists():
                return
            with path.open("rb") as file:
                head = file.read(len(_FILE_HEADER))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise NoAccess(f"The history {path} cannot be read ({reason}); check who owns it.") from error
        if head and head != _FILE_HEADER:
            raise _damaged(path)
        if head or not logs:
            return
        if time.monotonic() > end:
            # Emptied, not new: what the log beside it holds must not be applied to nothing.
            raise _damaged(path)
        time.sleep(0.02)  # another program may be beginning this history right now


def _engine(path: Path, wait_ms: int) -> Engine:
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": wait_ms / 1000})

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {wait_ms}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("chautari_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _prepare(database: Database) -> None:
    schema = stored_schema(database)
    if schema == HEAD:
        return
    if schema is not None:
        _refuse_newer(database.path, schema)
        _keep_copy(database.path, schema)
    _use_log(database)
    with database._writing.begin() as connection:
        # Another program may have done it while this one waited for the lock.
        if _schema(connection) != HEAD:
            _migrate(connection)
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def stored_schema(database: Database) -> str | None:
    """Return the schema of the file, None for a new one. Raises DamagedHistory if it is not a history."""
    with database._reading.connect() as connection:
        schema = _schema(connection)
        if schema is None:
            tables = connection.execute(text("select count(*) from sqlite_master")).scalar_one()
            if tables:
                raise DamagedHistory(
                    f"{database.path} is a database of another program and was left as it is; "
                    "choose another folder with --data."
                )
    return schema


def _schema(connection: Connection) -> str | None:
    there = connection.execute(text("select 1 from sqlite_master where name = 'alembic_version'")).first()
    if there is None:
        return None
    schema = connection.execute(text("select version_num from alembic_version")).scalar()
    return None if schema is None else str(schema)


def _refuse_newer(path: Path, schema: str) -> None:
    known = {step.name.split("_")[0] for step in (_MIGRATIONS / "versions").glob("[0-9]*.py")}
    if schema not in known:
        raise NewerHistory(
            f"The history {path} has schema {schema}; this Chautari {chautari.__version__} knows schemas "
            f"up to {HEAD}. Update Chautari (pip install --upgrade chautari), "
            "or choose another folder with --data."
        )


def _keep_copy(path: Path, schema: str) -> None:
    """Keep the file as it was before a change of schema, beside it."""
    copy = path.with_name(f"{path.name}.schema-{schema}")
    if copy.exists():
        return
    unfinished = path.with_name(f"{copy.name}.{os.getpid()}")
    source, target = sqlite3.connect(path), sqlite3.connect(unfinished)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
    os.replace(unfinished, copy)


def _use_log(database: Database) -> None:
    """Switch to the write-ahead log. SQLite does not wait for the lock that this takes, so we do."""
    end = time.monotonic() + database.wait_ms / 1000
    while True:
        try:
            with database._reading.connect() as connection:
                raw = connection.connection.dbapi_connection
                if raw is None or raw.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                    raise NoAccess(
                        f"The history {database.path} lies on a disk that cannot hold its write-ahead log."
                    )
                return
        except (OperationalError, sqlite3.OperationalError) as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.02)


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)


def check(database: Database) -> list[str]:
    """Return what SQLite finds wrong in the file; nothing means that it is whole."""
    with plain_words(database.path), database._reading.connect() as connection:
        found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(20)"))]
        found += [
            f"a row of {row[0]} belongs to nothing"
            for row in connection.execute(text("PRAGMA foreign_key_check"))
        ]
    return [line for line in found if line != "ok"]
