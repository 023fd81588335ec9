"""Practice in the terminal: what can be typed, what is shown, and the real program on pipes and on a pty."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyte
import pytest
from cardrules.last_card.cards import named
from cardrules.last_card.deal import DRAW, KEEP, NAME, View
from cardrules.last_card.settings import DRAW_UNTIL, STACKING, TARGET
from cardrules.prng import Prng
from chautari import console, errors, ports
from chautari.history import Store
from chautari.play import Game, Leave, NotUnderstood, Options, card_words, meant, merged, phrase
from chautari.practice import Practice, Told, sitters
from chautari.virtual import VirtualBoard
from command import ROOT, run
from rich.text import Text
from test_terminal import Program

HAND = "R5 R5 R7 YS GR B+2 W +4"


def view(moves: str = "", hand: str = HAND, **more: Any) -> View:
    """A view of seat 0; cards by name, `d` and `k` for draw and keep."""
    left = [card for text in dict.fromkeys(hand.split()) for card in named(text)[: hand.split().count(text)]]
    words = {"d": DRAW, "k": KEEP}
    can = [words[text] if text in words else named(text)[0] for text in moves.split()]
    values: dict[str, Any] = {
        "seat": 0, "hand": left, "moves": can, "drawn": -1, "pile": named("R9")[:1], "colour": 0, "symbol": 9,
        "stock": 60, "owed": 0, "turn": 0, "direction": 1, "order": [2, 4, 0], "counts": [8, 0, 5, 0, 1, 0],
        "scores": [0] * 6, "lacks": [0] * 6, "dealer": 4, "rules": {},
    }  # fmt: skip
    return View(**{**values, **more})


TURN = view("R5 R7 W +4 d")
NAMING = view(colour=4)._replace(moves=[NAME + colour for colour in range(4)])
DRAWN = view("R7 k", drawn=named("R7")[0])


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1", "R5"), ("3", "R7"), ("r7", "R7"), ("R7", "R7"), (" red  7 ", "R7"), ("w", "W"), ("wild", "W"),
        ("+4", "+4"), ("wild +4", "+4"), ("w+4", "+4"), ("8", "+4"), ("circle 7", "R7"),
    ],
)  # fmt: skip
def test_a_card_is_typed_by_its_number_or_its_name(typed: str, move: str) -> None:
    assert meant(typed, TURN) == [named(move)[0]]


def test_a_colour_behind_a_wild_is_named_at_once() -> None:
    wild = named("W")[0]
    for typed, colour in (("w blue", 3), ("w b", 3), ("7 green", 2), ("wild triangle", 1), ("w ◆", 3)):
        assert meant(typed, TURN) == [wild, NAME + colour]
    assert meant("+4 r", TURN) == [named("+4")[0], NAME]
    # The last card needs no colour any more.
    assert meant("w blue", view("W d", hand="W")) == [wild]


def test_drawing_keeping_and_colours_are_typed() -> None:
    assert meant("d", TURN) == [DRAW] and meant("draw", TURN) == [DRAW]
    assert meant("k", DRAWN) == [KEEP] and meant("p", DRAWN) == [named("R7")[0]]
    for colour, words in enumerate(("r red circle ●", "y yellow ▲", "g green", "b Blue diamond")):
        for word in words.split():
            assert meant(word, NAMING) == [NAME + colour]


def test_a_letter_is_a_colour_only_where_one_is_asked_for() -> None:
    assert meant("r", TURN) == "rules" and meant("rules", NAMING) == "rules"
    commands = {"h": "hint", "u": "undo", "s": "scores", "?": "help", "q": "leave", "end": "end"}
    for shown in (TURN, NAMING, DRAWN):
        assert {typed: meant(typed, shown) for typed in commands} == commands


@pytest.mark.parametrize(
    ("shown", "typed", "told"),
    [
        (TURN, "", "Type 1, 3, 7, 8 for a card that fits, d to draw, or ? for help."),
        (TURN, "0", "numbers 1 to 8"),
        (TURN, "99999999999", "numbers 1 to 8"),
        (TURN, "4", "▲ yellow Skip does not fit"),
        (TURN, "g5", "You do not hold G5"),
        (TURN, "banana", "That is no card"),
        (TURN, "k", "drawn no card"),
        (TURN, "r 7 blue", "Type 1"),
        (NAMING, "1", "That is no colour. Type r, y, g or b"),
        (DRAWN, "r5", "only play the card you drew"),
        (DRAWN, "d", "nothing to draw now"),
        (view("B+2 d", owed=2), "r5", "red 5 does not answer. Type 6 for a card that answers, d to take"),
        (view("d", owed=2), "k", "Type d to take the cards or ? for help."),
        (view("k", hand="R5"), "d", "k to pass"),
    ],
)
def test_what_cannot_be_is_one_line_that_says_what_can(shown: View, typed: str, told: str) -> None:
    with pytest.raises(NotUnderstood) as no:
        meant(typed, shown)
    assert told in str(no.value) and "\n" not in str(no.value) and "? for help" in str(no.value)


class Alone(Practice):
    """Practice without a table: for what is shown, in many matches."""

    def __init__(self, levels: tuple[str, ...], rules: dict[int, int], seed: int, name: str = "You") -> None:
        self.told = []
        self._chance = Prng(seed)
        self._moments, self._ahead, self._said, self.state = [], [], 0, 0
        self._sit(sitters(name, 0, levels), Prng(seed))
        from cardrules.last_card.deal import Deal

        self.deal = Deal(Prng(seed), say=self._say)
        self.deal.begin([each.seat for each in self.sitters], rules)
        self._turned_up()

    def _tell(self, what: int, seat: int, arg: int) -> None:
        pass

    def _write(self, pending: object) -> None:
        pass

    def _leave_file(self) -> None:
        pass

    def watch(self, seconds: float) -> None:
        pass

    def check(self) -> None:
        pass

    def fetch(self) -> None:
        pass


class Person:
    """Types a move that can be made, whatever it is, and now and then something else."""

    def __init__(self, alone: Practice, more: tuple[str, ...] = ()) -> None:
        self.alone = alone
        self.more = list(more)
        self.lines = 0

    def read(self, wait_s: float) -> str:
        self.lines += 1
        if self.more and self.lines % 5 == 0:
            return self.more.pop()
        if self.alone.scored or not self.alone.your_turn:
            return ""
        seen = self.alone.view()
        move = seen.moves[0]
        hand = sorted(seen.hand, key=lambda card: (card >= 100, card))
        if move >= NAME:
            return "rygb"[move - NAME]
        return {DRAW: "d", KEEP: "k"}.get(move) or f"{hand.index(move) + 1}"


RULES = {TARGET: 200, STACKING: 1, DRAW_UNTIL: 1}
SHOWN = {"LAST CARD!", "pending", "called", "dealer", "next"}


@pytest.mark.parametrize(
    ("players", "encoding"), [(2, "ascii"), (3, "utf-8"), (4, "ascii"), (5, "utf-8"), (6, "utf-8")]
)
def test_the_picture_fits_the_screen_and_says_what_the_keeper_knows(
    players: int, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    seen: set[str] = set()

    def watch(seed: int) -> None:
        alone = Alone(
            ("easy",) * (players - 1), {**RULES, TARGET: 1}, seed=seed, name="Maharajadhiraj Bir Bikram Shah"
        )
        file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
        screen = console.Screen(file, width=80)
        screen.rich.height = 24
        terminal = pyte.Screen(80, 24)
        terminal.set_mode(pyte.modes.LNM)
        stream = pyte.ByteStream(terminal)

        class Watching(Game):
            def _draw_table(self, view: View) -> None:
                super()._draw_table(view)
                file.buffer.seek(0)
                stream.feed(file.buffer.read())
                file.buffer.seek(0)
                file.buffer.truncate()
                rows = terminal.display
                assert terminal.cursor.y == 23, "one line is left for the question"
                assert rows[0].startswith(" Last Card") and f"round {alone.keeper.round}" in rows[0]
                assert ("anticlockwise" in rows[0]) == (alone.keeper.direction < 0)
                text = "\n".join(rows)
                for seat in view.order[:-1]:
                    assert alone.name(seat) in text and re.search(rf"[▮|+] {view.counts[seat]}\b", text)
                assert text.count("LAST CARD!") == sum(view.counts[seat] == 1 for seat in view.order)
                assert screen.safe(card_words(view.pile[-1])) in text
                if view.owed:
                    assert f"{view.owed} cards pending" in text
                if view.turn == view.seat:
                    fitting = [move for move in view.moves if move < 108]
                    assert len(re.findall(r"\d\* ", text)) == len(fitting)
                seen.update(word for word in SHOWN if word in text)

            def _out(self, line: Text, end: str = "\n") -> None:
                assert console.cells(line.plain) <= 80, line.plain
                super()._out(line, end)

            def _page(self, lines: Any) -> None:
                super()._page(lines)
                file.buffer.seek(0)
                file.buffer.truncate()

            def _clear(self) -> None:
                super()._clear()
                file.buffer.seek(0)
                file.buffer.truncate()

        game = Watching(alone, screen, Person(alone, ("s", "r", "?", "h", "x9", "u")), plain=False, fast=True)
        game.play()
        assert alone.over

    seed = players
    while seen != SHOWN and seed < 60:
        watch(seed)
        seed += 7
    assert seen == SHOWN


def test_a_big_hand_has_room_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    alone = Alone(("easy",) * 5, RULES, seed=2)
    alone.deal.hands[0] += [card for card in alone.deal.stock if card not in alone.deal.hands[0]][:23]
    alone.keeper.counts[0] = len(alone.deal.hands[0])
    file = io.StringIO()
    screen = console.Screen(file, width=80)
    screen.rich.height = 24
    Game(alone, screen, Person(alone), plain=False)._picture(alone.view())
    lines = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", file.getvalue()).split("\n")
    assert len(lines) == 24 and max(map(len, lines)) <= 80
    assert all(re.search(rf"(^|\s){place}[ *] ", file.getvalue()) for place in range(1, 31))


def test_plain_lines_tell_the_whole_match_without_a_question_mark_for_a_shape() -> None:
    alone = Alone(("easy", "medium"), RULES, seed=4)
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    Game(alone, console.Screen(file), Person(alone, ("s", "u", "h", "r", "?")), fast=True).play()
    text = file.buffer.getvalue().decode()  # type: ignore[attr-defined]
    told = text.replace("? help", "").replace("Which colour?", "").replace("s  r  ?", "")
    assert "?" not in told.replace("or ? for help", "")
    for words in (
        "o red",
        "^ yellow",
        "# green",
        "* blue",
        "You play",
        "You drew",
        "keeps the card",
        "You take",
    ):
        assert words in text, words
    assert re.search(r"Round 1 is over: .* (is|are) out and gets? \d+ points", text)
    assert "wins the match" in text or "You win the match" in text
    assert "Taken back" in text and "Hint: " in text and "Totals after each round" in text


def test_what_happened_is_worded_for_the_one_who_reads() -> None:
    alone = Alone(("easy", "medium"), RULES, seed=4)
    red5, skip = named("R5")[0], named("YS")[0]
    assert phrase(Told("played", 0, 32, (red5,)), alone) == "You play ● red 5"
    assert phrase(Told("played", 2, 33, (skip,)), alone) == "Easy 1 plays ▲ yellow Skip"
    assert phrase(Told("drew", 0, 2, (red5, skip)), alone) == "You drew ● red 5, ▲ yellow Skip"
    assert phrase(Told("drew", 2, 2), alone) == "Easy 1 drew 2"
    assert phrase(Told("takes", 4, 1), alone) == "Medium 2 takes 1 card"
    assert phrase(Told("drew", 0, 0), alone) == "You drew nothing: there is no card left"
    assert phrase(Told("colour", 2, 3), alone) == "The colour is ◆ blue"
    assert phrase(Told("last_card", 0, 0), alone) == "You hold the last card"
    assert phrase(Told("turn", 2, 0), alone) == ""
    drew = [Told("drew", 0, 1, (red5,)), Told("drew", 0, 1, (skip,)), Told("kept", 0, 2)]
    assert merged(drew) == [Told("drew", 0, 2, (red5, skip)), Told("kept", 0, 2)]


def test_leaving_is_asked_for_at_any_question() -> None:
    for line in ("q", "QUIT"):
        alone = Alone(("easy",), RULES, seed=4)

        class Goes:
            def read(self, wait_s: float, line: str = line) -> str:
                return line

        file = io.StringIO()
        with pytest.raises(Leave):
            Game(alone, console.Screen(file), Goes(), fast=True).play()


# The program


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--players", "7"), "--players"),
        (("--players", "1"), "--players"),
        (("--bots", "clever"), "easy, medium, hard"),
        (("--bots", "easy,"), "easy, medium, hard"),
        (("--players", "3", "--bots", "easy,hard,hard"), "3 players are you and 2 bots"),
        (("--bots", "easy,easy,easy,easy,easy,easy"), "1 to 5"),
        (("--target", "250"), "200, 300, 500"),
        (("--seed", "-1"), "--seed"),
        (("--player", "Nobody"), "players list"),
    ],
)
def test_what_cannot_be_played_is_one_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ran = run(tmp_path, "play", *words)
    assert ran.code == errors.USAGE and told in ran.err and ran.err.count("\n") == 1 and ran.out == ""


def test_a_port_without_a_table_is_one_line(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "--port", str(tmp_path / "nothing"))
    assert ran.code == errors.NO_DEVICE and ran.err.count("\n") == 1


@contextmanager
def playing(data: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """`chautari play` on pipes; it does not outlive the test."""
    environment = {
        **os.environ,
        "CHAUTARI_DATA": str(data),
        "PYTHONPATH": os.pathsep.join(str(ROOT / room) for room in ("host", "engine")),
        "PYTHONIOENCODING": "utf-8",
    }
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "chautari", "play", "--fast", *words]
    process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for end in (process.stdin, process.stdout, process.stderr):
            assert end is not None
            end.close()


def answer(question: str, fits: str) -> str | None:
    """What somebody types who takes the first card that fits; None where nothing is asked."""
    if question.startswith("Your move"):
        return fits or "d"
    if question.startswith("Nothing fits"):
        return "d"
    if question.startswith("You drew") and question.rstrip().endswith(":"):
        return "p"
    if question.startswith("Which colour"):
        return "g"
    if "pending: " in question:
        return "d"
    return "" if question.startswith("Enter ") else None


def play_lines(process: "subprocess.Popen[str]", turns: int = 10000) -> list[str]:
    """Answer questions until the program ends, or so many; return what it said."""
    assert process.stdin is not None and process.stdout is not None
    lines, fits = [], ""
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("You can play: "):
            found = re.match(r"You can play: (\d+)", line)
            fits = found[1] if found else ""
        typed = answer(line, fits)
        if typed is not None:
            turns -= 1
            if turns < 0:
                break
            process.stdin.write(typed + "\n")
            process.stdin.flush()
    return lines


def test_a_whole_match_on_pipes_is_in_the_history_as_it_was_played(tmp_path: Path) -> None:
    assert run(tmp_path, "players", "add", "Anu").code == 0
    with playing(
        tmp_path, "--target", "1", "--bots", "easy,hard", "--player", "anu", "--seed", "9"
    ) as process:
        lines = play_lines(process)
        assert process.wait(timeout=30) == 0
        assert process.stderr is not None and process.stderr.read() == ""
    over = next(
        re.match(r"Round 1 is over: .*gets? (\d+) points", line) for line in lines if "is over" in line
    )
    assert over
    shown = json.loads(run(tmp_path, "history", "show", "--json").out)
    assert (shown["practice"], shown["state"], shown["rounds_confirmed"]) == (True, "won", 1)
    assert [player["name"] for player in shown["players"]] == ["Anu", "Easy 1", "Hard 2"]
    assert shown["players"][0]["player_id"] is not None
    assert sorted(player["score"] for player in shown["players"]) == [0, 0, int(over[1])]
    assert any("Last Card, practice" in line for line in lines), "the score sheet comes at the end"
    assert len(run(tmp_path, "history", "list", "--practice", "--json").out.splitlines()) == 1


def test_a_match_that_ends_with_its_input_goes_on_later(tmp_path: Path) -> None:
    with playing(tmp_path, "--players", "2", "--seed", "5", "--bots", "easy") as process:
        first = play_lines(process, 3)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        rest = process.stdout.read()
        assert process.wait(timeout=30) == 0 and "play --resume" in rest
    table = next(line for line in reversed(first) if line.startswith("You can play"))
    with Store(tmp_path / "history.sqlite3") as store:
        assert [(match.state, match.practice) for match in store.matches()] == [("running", True)]
    with playing(tmp_path, "--resume") as process:
        again = play_lines(process, 1)
        assert table in again, (table, again)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
        assert process.stdout is not None and "play --resume" in process.stdout.read()
    with playing(tmp_path, "--resume") as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("u\nend\n")
        process.stdin.close()
        out = process.stdout.read()
        assert process.wait(timeout=30) == 0 and "ended early" in out
    with playing(tmp_path, "--resume") as process:
        assert process.wait(timeout=30) == errors.USAGE
        assert process.stderr is not None
        assert process.stderr.read().count("\n") == 1


def test_a_table_at_a_port_shows_the_match_and_is_given_back_as_it_was(tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board", speed=20) as board:
        with ports.open(board.port) as session:
            session.put({"names": ["Ram", "Sita", "", "", "", ""]})
        port = board.port
        with playing(tmp_path / "data", "--port", port, "--seed", "3", "--name", "Anu") as process:
            play_lines(process, 2)
            board.unplug()
            assert process.wait(timeout=30) == errors.NO_ANSWER
            assert process.stderr is not None
            told = process.stderr.read()
            assert told.count("\n") == 1 and "play --resume" in told
        board.replug()
        with playing(tmp_path / "data", "--port", port, "--resume") as process:
            play_lines(process, 1)
            board.panel.tap("*")  # somebody leans on the table
            assert process.wait(timeout=30) == errors.ERROR
            assert process.stderr is not None
            told = process.stderr.read()
            assert told.count("\n") == 1 and "pressed something at the table" in told
        with ports.open(board.port) as session:
            assert session.settings()["names"] == ["Ram", "Sita", "", "", "", ""]
        assert not (tmp_path / "data" / "practice" / "table").exists(), "no virtual table was needed"
        with Store(tmp_path / "data" / "history.sqlite3") as store:
            (match,) = store.matches()
            assert match.practice and match.state == "running" and match.refused == 0
            assert [chair.name for chair in match.chairs] == ["Anu", "Medium 1", "Medium 2", "Medium 3"]


@pytest.mark.parametrize("colour", ["", "1"])
def test_the_picture_on_a_real_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colour: str) -> None:
    """colour: NO_COLOR."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if colour:
        monkeypatch.setenv("NO_COLOR", colour)
    program = Program(tmp_path, "play", "--fast", "--seed", "3", "--bots", "hard", "--players", "5")
    try:
        program.wait("to 300 points")
        program.wait(": ")
        end = time.monotonic() + 20
        while not re.search(r"(Your move|draws|colour|pending|keeps).*: +$", last_line(program)):
            assert time.monotonic() < end, program.text()
            program.wait("You")
            program._read(0.1)
        for name in ("Hard 1", "Hard 2", "Hard 3", "Hard 4", "You"):
            assert name in program.text()
        coloured = {cell.fg for row in program.screen.buffer.values() for cell in row.values()} - {"default"}
        assert bool(coloured) == (not colour)
        program.type("nonsense\n")
        program.wait("? for help")
        program.type("?\n")
        program.wait("Enter goes back")
        program.type("\n")
        program.wait("to 300 points")
        program.type("q\n")
        assert program.end() == 0
        assert "play --resume" in program.text()
    finally:
        program.close()


def last_line(program: Program) -> str:
    return next((row for row in reversed(program.screen.display) if row.strip()), "")


def test_options_have_sensible_values_of_their_own() -> None:
    assert Options().levels == ("medium",) * 3 and not Options().plain
