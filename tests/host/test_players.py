"""People with ids: equal names stay apart, a rename keeps everything."""

import unicodedata
from pathlib import Path

import pytest
from chautari import database
from chautari.errors import NotAllowed, NotFound
from chautari.players import Players, code, folded, shown, tidy
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def players(tmp_path: Path) -> Players:
    return Players(database.open(tmp_path / "history.sqlite3"))


def test_two_people_may_have_one_name_and_are_told_apart(players: Players) -> None:
    one, two = players.add("Anu"), players.add(" ANU ")
    other = players.add("Bo")
    assert len({one.id, two.id, other.id}) == 3
    names = shown((each.id, each.name) for each in players.all())
    assert names[other.id] == "Bo"
    assert names[one.id].startswith("Anu #") and names[two.id].startswith("ANU #")
    assert names[one.id] != names[two.id]
    with pytest.raises(NotFound, match=f"#{code(one.id)}"):
        players.find("anu")
    assert players.find(f"#{code(two.id)}") == two
    assert players.find(names[one.id]) == one


def test_ids_that_begin_alike_are_shown_as_far_as_they_differ() -> None:
    names = shown([(0x1234AAAA, "Anu"), (0x1234AABB, "anu"), (5, "Bo")])
    assert names == {0x1234AAAA: "Anu #1234aaa", 0x1234AABB: "anu #1234aab", 5: "Bo"}


def test_a_rename_keeps_the_id(players: Players) -> None:
    anu = players.add("Anu")
    renamed = players.rename(anu.id, "Anu K")
    assert renamed.id == anu.id
    assert players.find("anu k") == renamed
    assert len(players.all()) == 1


@pytest.mark.parametrize("bad", ["", "   ", "x" * 61, "\ud83d"])
def test_a_name_that_cannot_be_is_refused(players: Players, bad: str) -> None:
    with pytest.raises(NotAllowed):
        players.add(bad)
    assert players.all() == []


def test_somebody_met_elsewhere_keeps_the_id(players: Players) -> None:
    assert players.add("Anu", 77).id == 77
    assert players.add("Somebody", 77).name == "Anu"
    with pytest.raises(NotAllowed):
        players.add("Zero", 0)
    with pytest.raises(NotAllowed):
        players.add("Much", 2**32)


def test_nobody_of_that_name(players: Players) -> None:
    with pytest.raises(NotFound, match="players list"):
        players.find("Nobody")


@given(st.text(min_size=1, max_size=20))
@settings(max_examples=300, deadline=None)
def test_a_name_is_the_same_however_it_was_typed(name: str) -> None:
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    assert folded(forms[0]) == folded(forms[1]) == folded(f" \t{forms[1]} ")
    assert folded(folded(name)) == folded(name)
    assert folded(name.casefold()) == folded(name)


@given(
    st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=20).filter(lambda name: name.strip())
)
@settings(max_examples=100, deadline=None)
def test_a_tidy_name_stays_as_it_is(name: str) -> None:
    kept = tidy(name)
    assert tidy(kept) == kept
    assert folded(kept) == folded(name)
