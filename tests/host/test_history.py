"""The history on a real file: announcements once and for all, matches derived, facts kept, times told."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cardrules import announcement as says
from cardrules.announcement import Announcement
from cardrules.last_card import says as last_card
from chautari import history
from chautari.errors import NotAllowed, NotFound
from chautari.history import Store
from evening import TARGET, Evening
from sqlalchemy import text

BOARD, JOURNAL = "b0a2d001", "10c4a1e5"
START = datetime(2025, 10, 20, 13, 45, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "history.sqlite3") as opened:
        yield opened


def add(store: Store, said: list[Announcement], **more: object) -> int:
    return store.add_announcements(BOARD, JOURNAL, said, **more)  # type: ignore[arg-type]


def scores(store: Store, match: int = 1) -> dict[int, int]:
    return {chair.chair: chair.score for chair in store.match(match).chairs}


# -- announcements


def test_adding_again_adds_nothing_and_the_highest_in_order_is_told(store: Store) -> None:
    said = Evening().match(3).round(1, 25).said
    assert add(store, said[:5]) == 5
    assert add(store, said) == len(said)
    assert add(store, said) == len(said)
    assert add(store, []) == len(said)
    assert store.announcements(BOARD, JOURNAL) == said
    assert store.in_order(BOARD, JOURNAL) == len(said)
    assert len(store.matches()) == 1


def test_a_gap_is_not_counted_as_in_order_until_it_is_filled(store: Store) -> None:
    said = Evening().match(3).round(1, 25).said
    assert add(store, said[6:]) == 0
    assert add(store, said[:4]) == 4
    assert store.match(1).missing
    assert add(store, said[4:6]) == len(said)
    assert not store.match(1).missing
    assert scores(store)[1] == 25


def test_what_the_board_has_let_go_is_not_waited_for(store: Store) -> None:
    said = Evening().match(3).round(1, 25).round(2, 30).said
    assert add(store, said[10:], first=11) == len(said)
    assert store.matches() == []
    assert store.without_match() > 0
    assert add(store, said[:10]) == len(said)
    assert scores(store)[2] == 30


def test_a_contradiction_is_kept_aside_and_replaces_nothing(store: Store) -> None:
    said = Evening().match(3).round(1, 25).said
    add(store, said)
    other = said[7]._replace(arg=said[7].arg + 1)
    for _ in range(3):
        assert add(store, [other, said[8]]) == len(said)
    assert [each.announcement for each in store.kept_aside()] == [other]
    assert store.announcements(BOARD, JOURNAL) == said


def test_two_different_ones_under_one_number_in_one_batch(store: Store) -> None:
    one = Announcement(1, 5, says.NO_SEAT, says.BOOT, 1)
    assert add(store, [one, one._replace(ms=6), one]) == 1
    assert store.announcements(BOARD, JOURNAL) == [one]
    assert len(store.kept_aside()) == 1


def test_journals_and_boards_do_not_mix(store: Store) -> None:
    said = Evening().match(3).round(1, 25).said
    for board, journal in ((BOARD, JOURNAL), (BOARD, "other"), ("another", JOURNAL)):
        store.add_announcements(board, journal, said)
        store.add_announcements(board, journal, said)
    assert len(store.matches()) == 3
    assert len({match.key for match in store.matches()}) == 3


def test_everything_there_can_be_comes_back_as_it_was(store: Store) -> None:
    said = [Announcement(1, 2**32 - 1, 255, 255, 2**32 - 1), Announcement(2, 0, 0, 0, 0)]
    add(store, said)
    assert store.announcements(BOARD, JOURNAL) == said
    assert store.matches() == []


# -- matches


def test_a_match_with_its_house_rules_and_scores(store: Store) -> None:
    evening = Evening().match(4, target=200).round(1, 120).round(3, 30).round(1, 90)
    add(store, evening.said)
    match = store.match(1)
    assert match.state == "won" and match.winner == 1 and match.rounds == 3
    assert scores(store) == {0: 0, 1: 210, 2: 0, 3: 30}
    assert 200 in match.rules.values()
    assert [(each.round, each.winner, each.points) for each in store.rounds(1)] == [
        (1, 1, 120),
        (2, 3, 30),
        (3, 1, 90),
    ]


def test_each_game_begins_a_match_and_one_may_be_ended_early(store: Store) -> None:
    evening = Evening().match(3).round(0, 30).say(says.END).match(3).round(1, 40)
    add(store, evening.said)
    assert [match.state for match in store.matches()] == ["ended", "running"]
    assert scores(store, 1)[0] == 30 and scores(store, 2)[1] == 40


def test_arriving_piece_by_piece_gives_the_same_as_all_at_once(tmp_path: Path) -> None:
    evening = (
        Evening()
        .match(4)
        .round(1, 120)
        .undo()
        .close(120)
        .round(3, 30)
        .correct(1, 2, 70)
        .say(says.END)
        .match(2)
        .round(0, 9)
    )
    said = evening.said
    with Store(tmp_path / "one") as one, Store(tmp_path / "many") as many:
        add(one, said)
        chance = random.Random(5)
        place = 0
        while place < len(said):
            step = chance.randint(1, 4)
            add(many, said[max(0, place - 2) : place + step])
            place += step
            many.matches()
        assert many.differences() == []
        timeless = [replace(match, started=None, ended=None) for match in many.matches()]  # type: ignore[arg-type]
        assert timeless == [replace(match, started=None, ended=None) for match in one.matches()]  # type: ignore[arg-type]
        for match in one.matches():
            assert [replace(r, when=None) for r in many.rounds(match.id)] == [  # type: ignore[arg-type]
                replace(r, when=None)
                for r in one.rounds(match.id)  # type: ignore[arg-type]
            ]


def test_a_set_up_that_was_never_started_is_no_match(store: Store) -> None:
    evening = Evening()
    evening.say(says.GAME, arg=1).say(says.JOIN, 0)
    add(store, evening.said)
    assert store.matches() == []
    evening.match(3)
    add(store, evening.said)
    assert [match.id for match in store.matches()] == [1]


def test_a_start_taken_back_and_played_by_other_rules(store: Store) -> None:
    evening = Evening().match(3)
    add(store, evening.said)
    assert store.match(1).rules["target"] == 300
    evening.undo().say(says.RULE, arg=TARGET * 65536 + 200)
    add(store, evening.said)
    assert store.match(1).rules == {} and store.match(1).state == "setup"
    evening.say(says.START)
    add(store, evening.said)
    assert store.match(1).rules["target"] == 200 and store.differences() == []


def test_undo_across_the_round_border_takes_the_fact_back_and_redo_brings_it_again(store: Store) -> None:
    evening = Evening().match(3).round(1, 25).round(2, 40)
    add(store, evening.said)
    assert store.match(1).rounds == 2
    evening.undo()
    add(store, evening.said)
    assert store.match(1).rounds == 1 and scores(store) == {0: 0, 1: 25, 2: 0}
    evening.redo()
    add(store, evening.said)
    assert store.match(1).rounds == 2 and scores(store)[2] == 40
    assert store.differences() == []


def test_a_won_match_that_is_taken_back_runs_on(store: Store) -> None:
    evening = Evening().match(3, target=200).round(1, 210)
    add(store, evening.said)
    assert store.match(1).state == "won"
    evening.undo()
    add(store, evening.said)
    match = store.match(1)
    assert match.state == "running" and match.winner is None and match.rounds == 0


def test_a_correction_replaces_the_round_and_all_totals(store: Store) -> None:
    evening = Evening().match(3).round(1, 40).round(2, 40).round(0, 12)
    evening.correct(2, 2, 4)
    add(store, evening.said)
    assert scores(store) == {0: 12, 1: 40, 2: 4}
    corrected = store.rounds(1)[1]
    assert (corrected.winner, corrected.points, corrected.corrected) == (2, 4, True)
    evening.correct(2, 0, 5)
    add(store, evening.said)
    assert scores(store) == {0: 17, 1: 40, 2: 0}
    evening.undo()
    add(store, evening.said)
    assert scores(store) == {0: 12, 1: 40, 2: 4}
    assert store.differences() == []


def test_a_player_who_changes_seats_takes_the_points_along(store: Store) -> None:
    evening = Evening().match(3, players=[11, 12, 13]).round(1, 40)
    evening.say(says.SWAP, 1, 2)
    evening.round(2, 7)
    add(store, evening.said)
    chairs = {chair.player: chair for chair in store.match(1).chairs}
    assert (chairs[12].seat, chairs[12].score, chairs[13].seat, chairs[13].score) == (2, 47, 1, 0)
    assert [each.winner for each in store.rounds(1)] == [1, 1]
    evening.undo()
    add(store, evening.said)
    assert {chair.player: chair.score for chair in store.match(1).chairs} == {11: 0, 12: 40, 13: 0}


def test_an_unknown_game_is_kept_and_named(store: Store) -> None:
    add(store, [Announcement(1, 0, 255, says.GAME, 77), Announcement(2, 0, 0, says.JOIN, 0)])
    match = store.match(1)
    assert match.state == "unknown_game" and match.game_name == "game 77" and match.chairs == ()


def test_what_these_rules_refuse_is_reported_and_passed_over(store: Store) -> None:
    evening = Evening().match(3).round(1, 40)
    odd = Announcement(len(evening.said) + 1, 999, 0, 30, 1)
    add(store, [*evening.said, odd])
    assert store.match(1).refused == 1
    assert [each.kind for each in store.differences()] == ["refused"]
    assert scores(store)[1] == 40


# -- facts


def test_facts_stay_facts_when_deriving_gives_something_else(store: Store) -> None:
    add(store, Evening().match(3).round(1, 40).round(2, 5).said)
    store.matches()
    with store.database.write() as session:
        session.execute(text("update fact_scores set points = 41 where points = 40"))
        session.execute(text("update facts set points = 41 where points = 40"))
    found = store.rebuild()
    assert [each.kind for each in found] == ["fact"]
    assert "41" in found[0].stored and "40" in found[0].derived
    assert scores(store)[1] == 41
    assert store.rebuild() == found or len(store.rebuild()) == 1
    assert scores(store)[1] == 41


def test_house_rules_stay_with_the_match(store: Store) -> None:
    add(store, Evening().match(3).round(1, 250).said)
    name = next(name for name, value in store.match(1).rules.items() if value == 300)
    with store.database.write() as session:
        session.execute(text("update house_rules set value = 500 where value = 300"))
    # As if the default had been 500 when the match was played: 310 points then did not end it.
    found = store.rebuild()
    assert [each.kind for each in found] == ["rule"] and f"{name} 500" == found[0].stored
    assert store.match(1).rules[name] == 500 and store.match(1).state == "running"


def test_rebuild_gives_the_same_and_keeps_the_numbers_of_matches(store: Store) -> None:
    add(store, Evening().match(3).round(1, 40).say(says.END).match(4).round(3, 9).said)
    before = store.matches()
    with store.database.write() as session:
        session.execute(text("update matches set state = 'setup', round = 9, winner = 3"))
        session.execute(text("delete from match_seats"))
    assert store.rebuild() == []
    assert store.matches() == before


# -- people


def test_a_rename_keeps_old_matches_and_equal_names_stay_apart(store: Store) -> None:
    one, two = store.players.add("Anu"), store.players.add("Anu")
    add(store, Evening().match(3, players=[one.id, 0, two.id]).round(2, 10).said)
    names = {chair.chair: chair.name for chair in store.match(1).chairs}
    assert names[0] != names[2] and names[0].startswith("Anu #") and names[1] == "Seat 2"
    assert scores(store) == {0: 0, 1: 0, 2: 10}
    store.players.rename(two.id, "Anu K")
    assert {chair.chair: chair.name for chair in store.match(1).chairs} == {0: "Anu", 1: "Seat 2", 2: "Anu K"}


def test_names_from_the_board_are_shown_and_new_ids_become_players(store: Store) -> None:
    store.name_seats(BOARD, ["Anu", "Bo", ""], [77, 0, 0])
    add(store, Evening().match(3, players=[77, 0, 0]).said)
    assert [chair.name for chair in store.match(1).chairs] == ["Anu", "Bo", "Seat 3"]
    assert [player.id for player in store.players.all()] == [77]


def test_two_devices_with_one_id_are_noticed(store: Store) -> None:
    assert store.met_board(BOARD, hardware="aa")
    assert store.met_board(BOARD, hardware="aa")
    assert not store.met_board(BOARD, hardware="bb")


# -- times


def test_a_boot_dated_by_the_link_dates_everything_in_it(store: Store) -> None:
    evening = Evening(step_ms=60_000).match(3).round(1, 40)
    store.date_boot(BOARD, JOURNAL, 1, START, "Asia/Kathmandu", seen_at=START + timedelta(hours=1))
    add(store, evening.said, received_at=START + timedelta(hours=1))
    match = store.match(1)
    began = next(said.ms for said in evening.said if said.what == says.START)
    assert match.started.at == START + timedelta(milliseconds=began)
    assert match.started.zone == "Asia/Kathmandu"
    assert store.rounds(1)[0].when.at == START + timedelta(milliseconds=evening.said[-1].ms)


def test_an_earlier_evening_is_between_the_last_sync_and_now(store: Store) -> None:
    evening = Evening().match(3).round(1, 40)
    first_evening = list(evening.said)
    store.date_boot(BOARD, JOURNAL, 1, START, seen_at=START + timedelta(hours=3))
    add(store, first_evening, received_at=START + timedelta(hours=3))
    evening.boot(2).say(says.END).match(3).round(2, 30).boot(3)
    later = START + timedelta(days=3)
    add(store, evening.said, received_at=later)
    store.date_boot(BOARD, JOURNAL, 3, later - timedelta(minutes=1), seen_at=later)
    match = store.match(2)
    assert match.started.at is None
    assert match.started.earliest == START + timedelta(hours=3)
    assert match.started.latest == later - timedelta(minutes=1)
    assert store.match(1).started.at is not None


def test_an_evening_dated_by_hand(store: Store) -> None:
    evening = Evening(step_ms=60_000).match(3).round(1, 40)
    add(store, evening.said, received_at=START + timedelta(days=2))
    assert store.match(1).started.at is None
    store.date_match(1, START, "Asia/Kathmandu")
    assert store.match(1).started.at == START and store.match(1).started.zone == "Asia/Kathmandu"
    store.date_boot(BOARD, JOURNAL, 1, START + timedelta(days=1))
    assert store.match(1).started.at == START
    with pytest.raises(NotAllowed, match="before"):
        store.date_match(1, START + timedelta(days=3))
    store.date_match(1, START + timedelta(days=3), anyway=True)
    assert store.match(1).started.at == START + timedelta(days=3)


def test_what_the_link_dated_is_not_dated_by_hand_by_mistake(store: Store) -> None:
    add(store, Evening().match(3).said)
    store.date_boot(BOARD, JOURNAL, 1, START)
    with pytest.raises(NotAllowed, match="anyway"):
        store.date_match(1, START - timedelta(days=1))


def test_milliseconds_that_start_again_after_seven_weeks(store: Store) -> None:
    said = [
        Announcement(1, 10, 255, says.BOOT, 1),
        Announcement(2, 2**32 - 1000, 255, says.GAME, 1),
        Announcement(3, 500, 0, says.JOIN, 0),
        Announcement(4, 700, 1, says.JOIN, 0),
        Announcement(5, 900, 255, says.START, 0),
        Announcement(6, 800, 0, last_card.COUNT, 5),
    ]
    store.date_boot(BOARD, JOURNAL, 1, START, seen_at=START + timedelta(days=50))
    add(store, said, received_at=START + timedelta(days=50))
    assert store.match(1).started.at == START + timedelta(milliseconds=2**32 + 900)
    assert store.match(1).ended.at == START + timedelta(milliseconds=2**32 + 800)


def test_the_last_play_is_not_the_next_mornings_boot(store: Store) -> None:
    evening = Evening().match(3).round(1, 40)
    last = evening.said[-1].ms
    store.date_boot(BOARD, JOURNAL, 1, START)
    evening.boot(2)
    store.date_boot(BOARD, JOURNAL, 2, START + timedelta(days=1))
    add(store, evening.said)
    assert store.match(1).ended.at == START + timedelta(milliseconds=last)


def test_a_moment_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="zone"):
        store.date_boot(BOARD, JOURNAL, 1, datetime(2025, 1, 1))


# -- finding


def test_finding_a_match(store: Store) -> None:
    with pytest.raises(NotFound, match="sync"):
        store.find_match("latest")
    add(store, Evening().match(3).say(says.END).match(4).said)
    assert store.find_match("latest").id == 2
    assert store.find_match("1").id == 1
    assert store.find_match(store.match(2).key).id == 2
    for words in ("3", "-1", "x", "", "9" * 40):
        with pytest.raises(NotFound):
            store.find_match(words)


def test_names_of_the_game_and_codes() -> None:
    assert history.game_name(1) == "last_card"
    assert last_card.DONE == 32
