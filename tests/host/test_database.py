"""The file of the history: made, brought up to date, refused; never written over."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from chautari import database
from chautari.errors import DamagedHistory, HistoryBusy, NewerHistory, NoAccess
from chautari.models import Base
from sqlalchemy import create_engine, text

ROOT = Path(__file__).resolve().parents[2]


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    database.open(path).close()
    with create_engine(f"sqlite:///{path}").connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        made = {row[0]: row[1] for row in connection.execute(text("select name, sql from sqlite_master"))}
    fresh = create_engine("sqlite://")
    Base.metadata.create_all(fresh)
    with fresh.connect() as connection:
        wanted = {row[0]: row[1] for row in connection.execute(text("select name, sql from sqlite_master"))}
    made.pop("alembic_version")
    made.pop("sqlite_autoindex_alembic_version_1", None)

    def parts(sql: str | None) -> list[str]:
        return sorted(
            " ".join((sql or "").replace("(", " ( ").replace(")", " ) ").replace(",", " ").split()).split(" ")
        )

    assert {name: parts(sql) for name, sql in made.items()} == {
        name: parts(sql) for name, sql in wanted.items()
    }


def test_head_is_the_newest_step_and_there_is_one_line_of_them() -> None:
    script = ScriptDirectory(str(database._MIGRATIONS))
    assert script.get_heads() == [database.HEAD]


def test_the_migrations_are_package_data() -> None:
    # Everything below host/chautari goes into the wheel.
    assert (Path(database.__file__).parent / "migrations" / "env.py").is_file()
    assert (Path(database.__file__).parent / "migrations" / "versions" / "__init__.py").is_file()


def test_the_file_is_safe_against_a_cut_and_checks_what_belongs_together(tmp_path: Path) -> None:
    opened = database.open(tmp_path / "history.sqlite3")
    with opened.read() as session:
        assert session.scalar(text("pragma journal_mode")) == "wal"
        assert session.scalar(text("pragma synchronous")) == 2
        assert session.scalar(text("pragma foreign_keys")) == 1
        assert session.scalar(text("pragma application_id")) == database.APPLICATION_ID
    assert database.check(opened) == []


def test_a_newer_history_is_refused_naming_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    database.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("update alembic_version set version_num = '0907'")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerHistory) as refused:
        database.open(path)
    assert (
        "0907" in str(refused.value)
        and database.HEAD in str(refused.value)
        and "pip install" in str(refused.value)
    )
    assert path.read_bytes() == before


def test_an_older_history_is_brought_up_to_date_and_a_copy_of_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.sqlite3"
    database.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("insert into players values (7, 'Anu', 'anu', '2025-01-01 00:00:00')")
    connection.close()
    steps = tmp_path / "steps"
    shutil.copytree(database._MIGRATIONS, steps)
    (steps / "versions" / "9999_more.py").write_text(
        "from alembic import op\nimport sqlalchemy as sa\nrevision = '9999'\n"
        f"down_revision = '{database.HEAD}'\n"
        "def upgrade():\n    op.add_column('players', sa.Column('hat', sa.Text()))\n"
    )
    old = database.HEAD
    monkeypatch.setattr(database, "_MIGRATIONS", steps)
    monkeypatch.setattr(database, "HEAD", "9999")
    opened = database.open(path)
    with opened.read() as session:
        assert session.execute(text("select name, hat from players")).one() == ("Anu", None)
    with sqlite3.connect(tmp_path / f"history.sqlite3.schema-{old}") as copy:
        assert copy.execute("select * from players").fetchall() == [(7, "Anu", "anu", "2025-01-01 00:00:00")]
    copy.close()


def test_a_step_that_fails_leaves_the_history_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.sqlite3"
    database.open(path).close()
    steps = tmp_path / "steps"
    shutil.copytree(database._MIGRATIONS, steps)
    (steps / "versions" / "9999_broken.py").write_text(
        "from alembic import op\nimport sqlalchemy as sa\nrevision = '9999'\n"
        f"down_revision = '{database.HEAD}'\n"
        "def upgrade():\n    op.add_column('players', sa.Column('hat', sa.Text()))\n"
        "    raise RuntimeError('half way')\n"
    )
    old = database.HEAD
    with monkeypatch.context() as patch:
        patch.setattr(database, "_MIGRATIONS", steps)
        patch.setattr(database, "HEAD", "9999")
        with pytest.raises(RuntimeError):
            database.open(path)
    opened = database.open(path)
    assert database.stored_schema(opened) == old
    with opened.read() as session:
        assert list(session.execute(text("select * from players")).keys()) == [
            "id",
            "name",
            "folded",
            "added",
        ]


@pytest.mark.parametrize("content", [b"not a database at all, only words", b"\x00" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "history.sqlite3"
    path.write_bytes(content)
    with pytest.raises(DamagedHistory) as refused:
        database.open(path)
    assert "\n" not in str(refused.value) and str(path) in str(refused.value)
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["history.sqlite3"]


def test_a_damaged_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    database.open(path).close()
    content = bytearray(path.read_bytes())
    for place in range(100, 3000):
        content[place] = 0xA5
    path.write_bytes(content)
    with pytest.raises(DamagedHistory):
        database.open(path)
    assert path.read_bytes() == bytes(content)


def test_a_history_emptied_under_its_log_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    path.write_bytes(b"")
    (tmp_path / "history.sqlite3-wal").write_bytes(b"something")
    with pytest.raises(DamagedHistory):
        database.open(path)


def test_a_history_that_another_program_begins_is_waited_for(tmp_path: Path) -> None:
    """Its file is empty for a moment, with the log of its first page beside it."""
    done = tmp_path / "done.sqlite3"
    database.open(done).close()
    path = tmp_path / "history.sqlite3"
    path.write_bytes(b"")
    log = tmp_path / "history.sqlite3-journal"
    log.write_bytes(bytes(512))

    def begun() -> None:
        path.write_bytes(done.read_bytes())
        log.unlink()

    other = threading.Timer(0.3, begun)
    other.start()
    try:
        database.open(path).close()
    finally:
        other.join()
    with sqlite3.connect(path) as connection:
        assert connection.execute("select count(*) from alembic_version").fetchone() == (1,)
    connection.close()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("create table recipes (name)")
    connection.close()
    with pytest.raises(DamagedHistory, match="another program"):
        database.open(path)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoAccess):
        database.open(tmp_path)


def test_a_second_writer_is_refused_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    first, second = database.open(path), database.open(path, wait_ms=50)
    with first.write(), pytest.raises(HistoryBusy) as refused, second.write():
        raise AssertionError("two writers at once")
    assert "Another program" in str(refused.value) and "sqlite" not in str(refused.value).replace(
        str(path), ""
    )
    with second.write():
        pass


def test_many_programs_may_make_the_history_at_once(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT / 'host')!r}, {str(ROOT / 'engine')!r}]\n"
        f"from chautari import database\nprint(database.stored_schema(database.open({str(path)!r})))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out.strip(), err) == (0, database.HEAD, "")
