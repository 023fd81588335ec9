"""Practice at the real firmware in its virtual table: one match for PC, table and history."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cardrules import announcement as says
from cardrules.announcement import NO_SEAT
from cardrules.last_card.cards import COLOUR, POINTS, named
from cardrules.last_card.deal import DRAW, NAME, View
from cardrules.last_card.settings import DRAW_UNTIL, STACKING, TARGET
from chautari import database, errors, ports, practice
from chautari.export import read_csv
from chautari.history import Store
from chautari.link import Lost, Refused, Session
from chautari.practice import Disagrees, Practice, reasons, sitters
from chautari.virtual import VirtualBoard
from command import run
from evening import Evening

ONE_ROUND = {TARGET: 1, STACKING: 0, DRAW_UNTIL: 0}
TO_200 = {TARGET: 200, STACKING: 1, DRAW_UNTIL: 1}
LEVELS = ("easy", "medium", "hard")
SET_UP = 12
"""Announcements until such a match is dealt, the card turned up included."""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualBoard]:
    """A virtual table whose clock runs fast; each test begins a match of its own at it."""
    with VirtualBoard(tmp_path_factory.mktemp("table"), speed=20) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of this PC, as long as the table."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def home(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CHAUTARI_DATA", str(shared))
    return shared


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    monkeypatch.setenv("CHAUTARI_DATA", str(tmp_path))
    return tmp_path


@contextmanager
def practising(board: VirtualBoard, home: Path) -> Iterator[Practice]:
    with Store(home / "history.sqlite3") as store, ports.open(board.port) as session:
        session.hello()
        yield Practice(session, store, home / "practice")


def first(view: View) -> int:
    return view.moves[0]


def step(play: Practice, choose: Callable[[View], int] = first) -> None:
    if play.scored:
        play.confirm()
    elif play.your_turn:
        play.do(choose(play.view()))
    else:
        play.bot_moves()


def play_on(play: Practice, until: Callable[[Practice], bool] = lambda play: play.over) -> None:
    for _ in range(3000):
        if until(play):
            return
        step(play)
    raise AssertionError("it does not end")


def to_my_turn(play: Practice) -> None:
    play_on(play, lambda play: play.your_turn)


def stands(play: Practice) -> list[object]:
    """How the table stands, but for its clocks and the number of the latest announcement."""
    return play.session.status()[1:14]


def said(store: Store, play: Practice) -> list[tuple[int, int, int]]:
    return [(one.what, one.seat, one.arg) for one in store.said(play.match().id) if one.what != says.BOOT]


def test_a_match_is_the_same_with_the_cards_at_the_table_and_in_the_history(
    board: VirtualBoard, home: Path
) -> None:
    with practising(board, home) as play:
        anu = play.store.players.add("Anu")
        play.session.put({"names": ["Ram", "", "Sita", "", "", ""], "players": [0, 0, 4711, 0, 0, 0]})
        play.begin(sitters("Anu", anu.id, LEVELS), ONE_ROUND, seed=7)
        assert play.session.settings()["names"] == ["Anu", "Easy 1", "", "Medium 2", "Hard 3", ""]
        told = list(play.told)
        assert told[0].code == "match_started"
        while not play.over:
            play.told.clear()
            held = [len(hand) for hand in play.deal.hands]
            assert held == stands(play)[9], "the table counts the cards that are held"
            step(play)
            told += play.told
            if play.scored:
                left = [sum(POINTS[card] for card in hand) for hand in play.deal.hands]
                assert sum(left) == play.keeper.points
        # Of cards that are not open the person learns only her own.
        assert {one.code for one in told if one.cards} <= {"played", "turned", "drew", "takes"}
        assert all(one.seat == 0 for one in told if one.cards and one.code in ("drew", "takes"))
        scores = list(play.keeper.scores)
        assert stands(play)[10] == scores and max(scores) > 0
        play.close()
        assert play.session.settings()["names"] == ["Ram", "", "Sita", "", "", ""]
        assert play.session.settings()["players"] == [0, 0, 4711, 0, 0, 0]
        match = play.match()
        assert (match.practice, match.state, match.rounds) == (True, "won", 1)
        assert [(chair.seat, chair.name, chair.score) for chair in match.chairs] == [
            (0, "Anu", scores[0]),
            (1, "Easy 1", scores[1]),
            (3, "Medium 2", scores[3]),
            (4, "Hard 3", scores[4]),
        ]
        assert match.chairs[0].player == anu.id
        assert match.rules == {"target": 1, "stacking": 0, "draw_until": 0}
        assert not play.kept
    # What the seats are called now changes nothing about the match.
    assert "Easy 1" in run(home, "history", "show").out


def test_the_history_tells_practice_apart(fresh: Path) -> None:
    with VirtualBoard(fresh / "own", speed=20) as board, practising(board, fresh) as play:
        play.begin(sitters("You", 0, ("easy",)), ONE_ROUND, seed=1)
        play_on(play)
        play.close()
        evening = Evening().match(3, 200).round(1, 155).round(1, 70).said
        play.store.add_announcements("b0a2d001", "10c4a1e5", evening)
        practised = play.match().id
        other = next(match.id for match in play.store.matches(practice=False))
    out = run(fresh, "history", "list").out
    assert "Last Card, practice" in out and out.count("practice") == 1
    assert "practice" not in run(fresh, "history", "list", "--no-practice").out
    only = [
        json.loads(line) for line in run(fresh, "history", "list", "--practice", "--json").out.splitlines()
    ]
    assert [(match["match"], match["practice"]) for match in only] == [(practised, True)]
    assert "Match" in run(fresh, "history", "show", str(practised)).out.splitlines()[0]
    for table in ("rounds", "matches"):
        rows = read_csv(run(fresh, "history", "export", "--table", table).out.encode())
        assert {row["match"]: row["practice"] for row in rows} == {str(practised): "1", str(other): "0"}
        rows = read_csv(run(fresh, "history", "export", "--table", table, "--no-practice").out.encode())
        assert {row["match"] for row in rows} == {str(other)}
    exported = json.loads(run(fresh, "history", "export", "--format", "json").out)
    assert sorted(match["practice"] for match in exported["matches"]) == [False, True]
    file = fresh / "evening.json"
    file.write_text(json.dumps(exported), encoding="utf-8")
    assert run(fresh / "other", "history", "import", str(file)).code == 0
    assert run(fresh / "other", "history", "list", "--practice").out.count("practice") == 1


def test_undo_goes_back_to_each_decision_over_the_end_of_a_round_too(board: VirtualBoard, home: Path) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, ("easy", "hard")), TO_200, seed=5)
        before = []
        play_on(play, lambda play: play.your_turn)
        while play.keeper.round == 1 or len(before) < 4:
            if play.your_turn:
                before.append((play.keeper.round, stands(play), play.deal.snapshot()))
            step(play)
        to_my_turn(play)
        assert play.keeper.round == 2
        for number, table, cards in reversed(before[-4:]):
            play.undo()
            assert (play.keeper.round, stands(play), play.deal.snapshot()) == (number, table, cards)
            assert play.your_turn
        # It goes on as it went: the same draws, the same moves of the bots.
        for number, table, cards in before[-4:]:
            to_my_turn(play)
            assert (play.keeper.round, stands(play), play.deal.snapshot()) == (number, table, cards)
            step(play)
        play.close()
        assert play.match().refused == 0 and play.match().state == "running"


def test_somebody_at_the_table_is_noticed_at_once_and_nothing_is_lost(
    board: VirtualBoard, home: Path
) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=11)
        to_my_turn(play)
        play.do(first(play.view()))
        to_my_turn(play)
        play.watch(0.05)
        play.fetch()
        before, state = said(play.store, play), play.state
        board.panel.tap("*")
        with pytest.raises(Disagrees, match="pressed something at the table.*play --resume") as stopped:
            for _ in range(40):
                play.watch(0.1)
        assert "\n" not in str(stopped.value)
        play.close()
        match = play.match()
        assert (match.state, match.practice, match.refused) == ("running", True, 0)
        after = said(play.store, play)
        assert after == [*before, (says.UNDO, NO_SEAT, 0)] and play.session.ping().state == state + 1
    with practising(board, home) as play, pytest.raises(Disagrees, match="does not stand where"):
        play.resume()
    # Put right at the table, it goes on.
    with practising(board, home) as play:
        play.session.say(play.session.ping().state, says.REDO, NO_SEAT)
        play.resume()
        play_on(play)
        play.close()
        assert play.match().state == "won" and play.match().refused == 0


def test_a_press_between_two_moves_is_refused_as_stale_by_the_next(board: VirtualBoard, home: Path) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=12)
        to_my_turn(play)
        with ports_session(play) as other:
            other.say(other.ping().state, says.PAUSE, NO_SEAT)
        with pytest.raises(Disagrees, match="pressed something"):
            play.do(first(play.view()))
        play.close()
        assert play.match().state == "running"


@contextmanager
def ports_session(play: Practice) -> Iterator[Session]:
    """Another program at the same line, as a press at the table would be."""
    yield Session(play.session.transport)


def test_a_rule_that_only_the_table_has_stops_practice(
    board: VirtualBoard, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=12)
        to_my_turn(play)
        ask = play.session.status
        monkeypatch.setattr(play.session, "status", lambda: [*ask()[:11], [1] * 6, *ask()[12:]])
        with pytest.raises(Disagrees, match="Table and cards disagree"):
            play.check()
        monkeypatch.undo()

        def refuses(*_: object) -> tuple[int, int]:
            raise Refused("say", "owes", (1, 2))

        monkeypatch.setattr(play.session, "say", refuses)
        with pytest.raises(Disagrees, match="owes.*stays as it is"):
            play.do(first(play.view()))


@pytest.fixture(scope="module")
def undisturbed(board: VirtualBoard, shared: Path) -> list[tuple[int, int, int]]:
    """What is said in the match with seed 21."""
    with practising(board, shared) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=21)
        play_on(play)
        play.close()
        return said(play.store, play)


@pytest.mark.parametrize("part", [15, 45, 80])
def test_a_match_cut_off_anywhere_goes_on_as_if_nothing_had_happened(
    board: VirtualBoard,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    undisturbed: list[tuple[int, int, int]],
    part: int,
) -> None:
    """part: percent of the match after which the program ends in the middle of a move."""
    with practising(board, home) as play:
        play.session.put({"names": ["Ram"] + [""] * 5})
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=21)
        real, left = play.session.say, [(len(undisturbed) - SET_UP) * part // 100]

        def cut_off(*words: Any) -> tuple[int, int]:
            answer = real(*words)
            left[0] -= 1
            if not left[0]:
                raise Lost("The cable is out.")
            return answer

        monkeypatch.setattr(play.session, "say", cut_off)
        with pytest.raises(Lost):
            play_on(play)
        assert play.kept
    with practising(board, home) as play:
        play.resume()
        assert play.session.settings()["names"][0] == "You"
        play_on(play)
        play.close()
        assert said(play.store, play) == undisturbed
        # Names that the program could not put back are put back by the next one.
        assert play.session.settings()["names"] == ["Ram"] + [""] * 5


def test_the_table_may_be_switched_off_in_between(fresh: Path) -> None:
    with VirtualBoard(fresh / "own", speed=20) as board:
        with practising(board, fresh) as play:
            play.begin(sitters("You", 0, ("hard",)), TO_200, seed=3)
            play_on(play, lambda play: play.keeper.round == 2 and play.your_turn)
            facts = stands(play)
            play.close()
        board.kill()
        board.start()
        with practising(board, fresh) as play:
            assert play.left_behind
            play.resume()
            assert stands(play) == facts
            play.undo()  # decisions from before can still be taken back
            play_on(play)
            play.close()
            assert [(match.state, match.practice) for match in play.store.matches()] == [("won", True)]


def test_an_unfinished_match_is_ended_by_a_new_one_and_kept_in_the_history(
    board: VirtualBoard, home: Path
) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), TO_200, seed=3)
        to_my_turn(play)
        play.close()
        one = play.match().id
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), TO_200, seed=4)
        play.end()
        assert play.over and not play.kept
        assert play.store.match(one).state == "ended" and play.match().state == "ended"
        with pytest.raises(errors.NotFound):
            play.resume()
        play.close()


def test_people_who_play_at_the_table_are_left_alone(board: VirtualBoard, home: Path) -> None:
    with practising(board, home) as play:
        state = play.session.ping().state
        for words in (
            (says.GAME, NO_SEAT, 1),
            (says.JOIN, 0, 0),
            (says.JOIN, 1, 0),
            (says.START, NO_SEAT, 0),
        ):
            state, _ = play.session.say(state, *words)
    with practising(board, home) as play:
        before = stands(play)
        with pytest.raises(errors.NotAllowed, match="in play at the table"):
            play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=3)
        play.close()
        assert stands(play) == before and play.session.settings()["names"][0] != "You"
        play.session.say(play.session.ping().state, says.END, NO_SEAT)


def test_a_table_that_does_not_know_practice_is_told_so(
    board: VirtualBoard, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with practising(board, home) as play:
        real = play.session.say

        def older(state: int, what: int, seat: int, arg: int = 0) -> tuple[int, int]:
            if what == says.PRACTICE:
                raise Refused("say", "unknown_what", (what,))
            return real(state, what, seat, arg)

        monkeypatch.setattr(play.session, "say", older)
        with pytest.raises(errors.Trouble, match="does not know practice.*firmware"):
            play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=3)
        play.close()
        assert play.session.settings()["names"][0] != "You"


def test_a_file_that_cannot_be_read_is_one_line(board: VirtualBoard, home: Path) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=3)
        play.close()
        (file,) = (home / "practice").iterdir()
        whole = json.loads(file.read_text())
        texts = ["", "{", "[]", json.dumps({**whole, "version": 99})]
        for key, value in (("now", ["00", "00", 1]), ("moments", [[1]]), ("sitters", [{"seat": 1}])):
            texts.append(json.dumps({**whole, key: value}))
        for text in texts:
            file.write_text(text)
            with pytest.raises(errors.BadFile, match="begins another"):
                play.resume()
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=3)
        play.close()
        assert json.loads(file.read_text())["now"] == whole["now"]


def test_only_moves_that_can_be_made_are_made(board: VirtualBoard, home: Path) -> None:
    with practising(board, home) as play:
        play.begin(sitters("You", 0, LEVELS), ONE_ROUND, seed=3)
        with pytest.raises(errors.NotAllowed):
            play.undo()
        to_my_turn(play)
        state = play.state
        with pytest.raises(errors.NotAllowed):
            play.do(NAME)
        strange = next(card for card in range(108) if card not in play.view().hand)
        with pytest.raises(errors.NotAllowed):
            play.do(strange)
        assert play.state == state
        move, _ = play.hint()
        assert move in play.view().moves and play.state == state
        play.close()


def seen(hand: str, moves: str, **more: Any) -> View:
    """A view of seat 0 among two others; cards by name."""
    cards = [named(text)[0] for text in hand.split()]
    values: dict[str, Any] = {
        "seat": 0, "hand": cards, "moves": [*[named(text)[0] for text in moves.split()], DRAW], "drawn": -1,
        "pile": named("R5")[:1], "colour": 0, "symbol": 5, "stock": 60, "owed": 0, "turn": 0, "direction": 1,
        "order": [2, 4, 0], "counts": [len(cards), 0, 5, 0, 5, 0], "scores": [0] * 6, "lacks": [0] * 6,
        "dealer": 4, "rules": ONE_ROUND,
    }  # fmt: skip
    return View(**{**values, **more})


def test_a_hint_says_which_advice_holds_for_the_move() -> None:
    view = seen("R7 RS W Y1", "R7 RS W")
    assert reasons(view, named("R7")[0]) == [1]
    few = [4, 0, 2, 0, 5, 0]
    assert reasons(view._replace(counts=few), named("RS")[0]) == [1, 3]
    assert reasons(view._replace(counts=few), named("W")[0]) == [4]
    assert reasons(view._replace(lacks=[0, 0, 1, 0, 0, 0]), named("R7")[0]) == [1, 5]
    assert reasons(view, DRAW) == []
    naming = view._replace(colour=4, moves=[NAME + colour for colour in range(4)])
    assert reasons(naming, NAME) == [2] and reasons(naming, NAME + 3) == []
    assert COLOUR[named("R7")[0]] == 0


def test_practice_of_an_older_history_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.sqlite3"
    plain = Evening().match(3, 200).said
    practised = Evening()
    practised.say(says.GAME, NO_SEAT, 1).say(says.PRACTICE)
    practised.say(says.JOIN, 0).say(says.JOIN, 3).say(says.START)
    with monkeypatch.context() as old:
        old.setattr(database, "HEAD", "0001")
        with Store(path) as store:
            store.add_announcements("b0a2d001", "10c4a1e5", plain)
            store.add_announcements("b0a2d001", "10c4a1e6", practised.said)
            assert database.stored_schema(store.database) == "0001"
    with sqlite3.connect(path) as connection:
        # As the program of that time left it: everything is derived.
        for journal, last in ((1, len(plain)), (2, len(practised.said))):
            connection.execute(
                "insert into matches (journal, first_number, last_number, start_number, last_play, game,"
                f" state, round, winner, refused, missing, engine) values ({journal}, 2, {last}, 6, {last},"
                " 1, 'running', 1, 255, 0, 0, '0.1.0')"
            )
        connection.execute("update journals set dirty_from = null")
    connection.close()
    with Store(path) as store:
        assert [match.practice for match in store.matches()] == [False, True]
        assert database.stored_schema(store.database) == database.HEAD
        assert store.rebuild() == []
    assert (tmp_path / "history.sqlite3.schema-0001").exists()


def test_everybody_has_a_seat_of_their_own() -> None:
    for players, seats in practice.SEATS.items():
        who = sitters("You", 0, ["easy"] * (players - 1))
        assert [each.seat for each in who] == sorted(set(seats)) and len(
            {each.name for each in who}
        ) == players
