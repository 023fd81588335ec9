"""Exports: what goes out comes back equal, and no spreadsheet takes it for a formula."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cardrules import announcement as says
from cardrules import scenario
from chautari import export
from chautari.cli.history import rule_words
from chautari.errors import BadFile
from chautari.history import Store
from evening import Evening
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = ["अनु", "李", "A;B", 'C,"D"', "two\nlines"]
ODD = ["=1+1", "+977", "-5", "@x", "'t Hooft", "\t=1"]
TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "history.sqlite3") as opened:
        yield opened


def played(store: Store, names: list[str]) -> None:
    store.name_seats("b0a2d001", names)
    said = Evening().match(len(names)).round(1, 40).round(0, 155).correct(1, 1, 30).said
    store.date_boot("b0a2d001", "10c4a1e5", 1, datetime(2025, 10, 20, 13, 45, tzinfo=UTC), "Asia/Kathmandu")
    store.add_announcements("b0a2d001", "10c4a1e5", said)


@given(st.lists(st.tuples(TEXT, st.integers(), TEXT), max_size=8), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_table_comes_back_equal(rows: list[tuple[str, int, str]], mark: bool) -> None:
    data = export.write_csv(("name", "points", "note"), rows, mark)
    assert data.startswith(b"\xef\xbb\xbf") == mark
    back = [(row["name"], int(row["points"]), row["note"]) for row in export.read_csv(data)]
    assert back == rows


@given(TEXT)
@settings(max_examples=200, deadline=None)
def test_no_text_begins_like_a_formula(text: str) -> None:
    cell = export.guarded(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert export.unguarded(cell) == text


def test_names_of_any_kind_come_back_through_any_csv_reader(store: Store) -> None:
    played(store, NAMES)
    data = export.rounds_csv(store, store.matches())
    assert data[:3] == b"\xef\xbb\xbf"
    assert data.count(b"\r\n") == 1 + 2 * len(NAMES)
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [row["player"] for row in rows[: len(NAMES)]] == NAMES
    assert export.rounds_csv(store, store.matches(), mark=False) == data[3:]


def test_odd_names_come_back_through_ours(store: Store) -> None:
    played(store, ODD)
    rows = export.read_csv(export.rounds_csv(store, store.matches()))
    assert [row["player"] for row in rows[: len(ODD)]] == ODD
    raw = list(
        csv.DictReader(
            io.StringIO(export.rounds_csv(store, store.matches(), mark=False).decode(), newline="")
        )
    )
    assert all(row["player"][0] == "'" for row in raw)
    assert min(int(row["points"]) for row in raw) == 0


def test_rounds_have_ids_points_and_totals(store: Store) -> None:
    one, two = store.players.add("Anu"), store.players.add("Anu")
    said = Evening().match(2, players=[one.id, two.id]).round(1, 40).round(1, 15).said
    store.add_announcements("b0a2d001", "10c4a1e5", said)
    rows = export.read_csv(export.rounds_csv(store, store.matches()))
    assert [(row["round"], row["player"], row["points"], row["total"], row["won"]) for row in rows] == [
        ("1", "Anu", "0", "0", "0"),
        ("1", "Anu", "40", "40", "1"),
        ("2", "Anu", "0", "0", "0"),
        ("2", "Anu", "15", "55", "1"),
    ]
    assert {row["player_id"] for row in rows} == {f"#{one.id:08x}", f"#{two.id:08x}"}
    assert {row["match_key"] for row in rows} == {store.match(1).key}
    store.players.rename(two.id, "Anu K")
    again = export.read_csv(export.rounds_csv(store, store.matches()))
    assert [row["player_id"] for row in again] == [row["player_id"] for row in rows]
    assert again[1]["player"] == "Anu K"


def test_matches_and_announcements_tables(store: Store) -> None:
    played(store, NAMES)
    matches = export.read_csv(export.matches_csv(store, store.matches()))
    assert [int(row["score"]) for row in matches] == [155, 30, 0, 0, 0]
    assert matches[0]["started_utc"] == "2025-10-20T13:45:13Z" and matches[0]["zone"] == "Asia/Kathmandu"
    said = export.read_csv(export.announcements_csv(store, store.matches()))
    assert [int(row["number"]) for row in said] == [one.number for one in store.said(1)]
    assert said[0]["said"] == "game" and said[-1]["said"] == "correct"


def test_an_import_gives_the_same_matches_and_again_nothing(store: Store, tmp_path: Path) -> None:
    anu = store.players.add("अनु")
    said = Evening().boot(2).match(3, players=[anu.id, 0, 0]).round(1, 40).undo().close(40).said
    store.date_boot("b0a2d001", "10c4a1e5", 2, datetime(2025, 10, 20, 13, 45, tzinfo=UTC), "Asia/Kathmandu")
    store.add_announcements("b0a2d001", "10c4a1e5", said)
    data = export.history_json(store, store.matches())
    with Store(tmp_path / "other.sqlite3") as other:
        done = export.import_json(other, data)
        assert done.announcements == len(store.said(1)) + 1 and done.players == 1
        assert export.import_json(other, data) == export.Imported(0, 0, 0)
        assert other.match(1) == replace(store.match(1), id=1)
        assert export.history_json(other, other.matches()) == data
        # The board itself still gives everything, from the first number on.
        assert other.in_order("b0a2d001", "10c4a1e5") == 0
        assert other.add_announcements("b0a2d001", "10c4a1e5", said) == len(said)
        assert len(other.matches()) == 1


def test_an_import_that_contradicts_replaces_nothing(store: Store, tmp_path: Path) -> None:
    played(store, NAMES)
    value = json.loads(export.history_json(store, store.matches()))
    value["journals"][0]["announcements"][5][4] += 1
    before = store.matches()
    done = export.import_json(store, json.dumps(value).encode())
    assert done == export.Imported(0, 1, 0)
    assert store.matches() == before


def damaged(value: dict[str, object]) -> Iterator[bytes]:
    whole = json.dumps(value).encode()
    yield whole[:-20]
    yield b""
    yield b"\xff\xfe"
    yield b"[]"
    yield json.dumps({**value, "format": "something"}).encode()
    yield json.dumps({**value, "version": 99}).encode()
    yield json.dumps({**value, "journals": [{}]}).encode()
    yield json.dumps({**value, "players": [{"player_id": "0", "name": "x"}]}).encode()
    yield whole.replace(b'"announcements": [[', b'"announcements": [[-')
    yield whole.replace(b'"announcements": [[', b'"announcements": [[true, ')
    yield b"[" * 100_000


def test_a_damaged_file_adds_nothing(store: Store, tmp_path: Path) -> None:
    played(store, NAMES)
    value = json.loads(export.history_json(store, store.matches()))
    with Store(tmp_path / "other.sqlite3") as other:
        for data in damaged(value):
            with pytest.raises(BadFile) as refused:
                export.import_json(other, data)
            assert "\n" not in str(refused.value)
        assert other.counts()["announcements"] == 0 and other.counts()["players"] == 0


def test_a_match_as_a_scenario_plays_the_same(store: Store) -> None:
    played(store, NAMES)
    text = scenario.write(store.said(1), 1)
    *_, last = scenario.run(text)
    assert last.keeper.scores[:5] == [155, 30, 0, 0, 0]
    assert last.say.what == says.CORRECT


def test_house_rules_are_words() -> None:
    assert [rule_words("target", value) for value in (1, 500)] == ["one round", "to 500 points"]
    assert [rule_words("stacking", value) for value in (0, 1)] == ["no stacking", "stacking"]
    assert [rule_words("draw_until", value) for value in (0, 1)] == ["draw one card", "draw until a match"]
    assert rule_words("new_rule", 7) == "new_rule 7"
