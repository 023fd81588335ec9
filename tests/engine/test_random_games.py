"""A sample of the games that `tools/long_run.py properties` plays; faults in a deal are found by them."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import random_games
from cardrules.last_card.cards import COLOUR, SYMBOL, name
from cardrules.last_card.deal import DRAW, KEEP, Deal, View
from cardrules.last_card.settings import DECK
from cardrules.prng import Prng
from random_games import MOST_IN_A_ROUND, MOST_STEPS, Broken, add, play_game

ROOT = Path(__file__).parent.parent.parent


def test_a_sample_of_random_games() -> None:
    """108 cards after every step, keeper and deal agree with the rules told once more, undo, replay, end.

    A10 comes about among them: hoarders leave with all that fits, the others can only pass.
    """
    total: dict[str, int] = {}
    for seed in range(1, 61):
        add(total, play_game(seed))
    assert total["games"] == 60
    assert total["decisions"] > 6000 and total["rounds"] > 80
    assert total["reshuffles"] > 10 and total["voids"] > 3 and total["comings"] > 100
    assert total["passed_out"] > 0
    assert total["taken_back"] > 300 and total["copies"] > 1000
    assert total["most_steps"] < MOST_STEPS and total["most_in_a_round"] < MOST_IN_A_ROUND


def test_a_seed_says_all_of_a_game() -> None:
    assert play_game(7) == play_game(7) != play_game(8)


def test_a_view_can_be_sent_and_holds_no_hidden_card() -> None:
    """Pickled, a view is numbers; a card that the seat does not see is in none of its lists of cards."""
    deal = Deal(Prng(6))
    deal.begin([0, 1, 2, 3])
    random = Prng(6)
    for _ in range(60):
        moves = deal.legal()
        if not moves:
            break
        deal.do(moves[random.below(len(moves))])
        for seat in range(4):
            view = deal.view(seat)
            again = pickle.loads(pickle.dumps(view))
            assert isinstance(again, View) and again == view
            hidden = {
                *deal.stock,
                *(card for other in range(4) if other != seat for card in deal.hands[other]),
            }
            seen = {*view.hand, *view.pile, *(move for move in view.moves if move < DECK)}
            assert not hidden & seen and len(hidden | seen) == DECK
            assert view.drawn not in hidden


# Deals with a fault. Each of them has to be found out by a few games.


class DealsEight(Deal):
    """The first player gets eight cards, and the keeper is told so."""

    def deal(self, stock: "list[int] | None" = None) -> None:
        super().deal(stock)
        self.hands[self.keeper.turn].append(self.stock.pop())
        self.keeper.counts[self.keeper.turn] += 1


class LosesACard(Deal):
    """A card falls under the table when there is nothing else to draw than the pile."""

    def do(self, move: int) -> None:
        before = len(self.pile)
        super().do(move)
        if len(self.pile) < before and len(self.stock) > 1:
            del self.stock[0]


class DoublesThePile(Deal):
    """The pile is shuffled into the stock and stays where it is."""

    def do(self, move: int) -> None:
        before = list(self.pile)
        deals = self.keeper.deals
        super().do(move)
        if len(self.pile) < len(before) and self.keeper.deals == deals:
            self.pile[:0] = before


class PlaysAfterDrawing(Deal):
    """Whoever has drawn may play any card that fits (against R16)."""

    def legal(self) -> list[int]:
        moves = super().legal()
        if self.keeper.phase == "play" and self.keeper.drew:
            held = [card for card in self.hands[self.keeper.turn] if name(card) in ("W", "+4")]
            return [card for card in held if card not in moves] + moves
        return moves


class AnswersWithAnyPlus(Deal):
    """A Plus Four answers a Plus Two (against R31, A13)."""

    def legal(self) -> list[int]:
        moves = super().legal()
        if self.keeper.owed and SYMBOL[self.pile[-1]] == 12:
            return [card for card in self.hands[self.keeper.turn] if name(card) == "+4"] + moves
        return moves


class PassesTooSoon(Deal):
    """Passing is offered where drawing is possible (against A10)."""

    def legal(self) -> list[int]:
        return [KEEP if move == DRAW and not self.keeper.owed else move for move in super().legal()]


class OpensWithPlusFour(Deal):
    """A Plus Four turned up stays (against R13)."""

    def deal(self, stock: "list[int] | None" = None) -> None:
        super().deal(stock)
        top = self.stock[-1]
        if name(top) == "+4":
            self.stock[-1], self.pile[-1] = self.pile[-1], top


class SwapsNoHands(Deal):
    """Two change seats and leave their cards (against R35)."""

    def announce(self, what: int, seat: int = 255, arg: int = 0) -> "tuple[object, ...] | None":
        before = [list(hand) for hand in self.hands]
        reason = super().announce(what, seat, arg)
        if what == 14 and reason is None and len(before[seat]) == len(before[arg]):
            self.hands = before
        return reason


class GivesToTheWrongOne(Deal):
    """A card that a Plus card costs goes to the one behind."""

    def do(self, move: int) -> None:
        keeper = self.keeper
        counts = list(keeper.counts)
        seat = keeper.turn
        deals = keeper.deals
        super().do(move)
        if keeper.deals == deals and keeper.phase == "play":
            for victim in range(6):
                other = keeper.ring.next(victim)
                if victim != seat and keeper.counts[victim] > counts[victim] and other not in (victim, seat):
                    self.hands[other].append(self.hands[victim].pop())
                    keeper.counts[victim] -= 1
                    keeper.counts[other] += 1


class ShowsTheStock(Deal):
    """A view tells the next card."""

    def view(self, seat: int) -> View:
        view = super().view(seat)
        return view._replace(stock=self.stock[-1] if self.stock else 0)


class ShowsAHand(Deal):
    """A view shows who holds a Plus Four."""

    def view(self, seat: int) -> View:
        held = [sum(name(card) == "+4" for card in hand) for hand in self.hands]
        return super().view(seat)._replace(lacks=held)


class ShowsTheCardDrawn(Deal):
    """A view shows everybody the card that the seat on turn has drawn."""

    def view(self, seat: int) -> View:
        view = super().view(seat)
        return view._replace(drawn=self.drawn) if self.keeper.drew else view


class ShowsWhoCouldFollow(Deal):
    """A view tells who drew on a colour only of hands that hold no card of it."""

    def view(self, seat: int) -> View:
        return super().view(seat)._replace(lacks=lacking(self.lacks, self.hands))


class NotesWhoCouldFollow(Deal):
    """Who drew on a colour is noted only of a hand that holds no card of it."""

    def do(self, move: int) -> None:
        super().do(move)
        self.lacks = lacking(self.lacks, self.hands)


def lacking(colours: list[int], hands: list[list[int]]) -> list[int]:
    """Return by seat the bit mask of colours, 0 where the hand holds a card of them."""
    return [
        0 if any(1 << COLOUR[card] & mask for card in hand) else mask
        for mask, hand in zip(colours, hands, strict=True)
    ]


class ForgetsOnUndo(Deal):
    """What seats are known to lack is not brought back."""

    def restore(self, data: bytes) -> None:
        super().restore(data)
        self.lacks = [0] * len(self.lacks)


FAULTY = (
    *(DealsEight, LosesACard, DoublesThePile, PlaysAfterDrawing, AnswersWithAnyPlus, PassesTooSoon),
    *(OpensWithPlusFour, SwapsNoHands, GivesToTheWrongOne, ShowsTheStock, ShowsAHand, ShowsTheCardDrawn),
    *(ShowsWhoCouldFollow, NotesWhoCouldFollow, ForgetsOnUndo),
)
LEAKS = (ShowsTheStock, ShowsAHand, ShowsTheCardDrawn, ShowsWhoCouldFollow)
"""These are found by dealing anew what a seat does not see."""


@pytest.mark.parametrize("faulty", FAULTY, ids=lambda each: each.__name__)
def test_a_deal_with_a_fault_is_found_out(faulty: type[Deal]) -> None:
    found = "AssertionError a view shows what is hidden$" if faulty in LEAKS else ""
    with pytest.raises(Broken, match=rf"^game \d+, .*{found}"):
        for seed in range(1, 61):
            play_game(seed, faulty)


def long_run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "long_run.py"), *words],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_long_run_counts_the_same_whatever_the_number_of_processes() -> None:
    lines = []
    for jobs in ("1", "2"):
        done = long_run("properties", "--games", "24", "--seed", "3", "--jobs", jobs)
        assert done.returncode == 0, done.stderr
        assert "100 %" in done.stderr
        lines.append(done.stdout.split(", jobs ")[0])
    assert lines[0] == lines[1] and lines[0].startswith("properties hold: games 24, decisions ")


def test_the_long_run_plays_one_game_again() -> None:
    done = long_run("properties", "--only", "5")
    assert done.returncode == 0 and done.stdout.startswith("properties hold: games 1, ")
    wanted = play_game(5)
    assert done.stdout.startswith("properties hold: " + ", ".join(f"{key} {wanted[key]}" for key in wanted))


@pytest.mark.parametrize(
    ("option", "value", "least"),
    [
        *(("--seed", "-1", 0), ("--only", "-3", 0), ("--games", "0", 1), ("--jobs", "0", 1)),
        *(("--jobs", "many", 1), ("--seed", "1.5", 0)),
    ],
)
def test_the_long_run_says_which_numbers_it_takes(option: str, value: str, least: int) -> None:
    done = long_run("properties", f"{option}={value}")
    assert done.returncode == 2 and done.stdout == ""
    wanted = f"error: argument {option}: give a whole number, {least} or more, not '{value}'"
    assert done.stderr.splitlines()[-1].endswith(wanted)


def test_the_long_run_says_which_game_broke(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import long_run as program

    monkeypatch.setattr(random_games, "MOST_STEPS", 300)
    monkeypatch.setattr(sys, "argv", ["long_run.py", "properties", "--games", "40", "--jobs", "1"])
    assert program.main() == 1
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert out == "" and told[-2].startswith("BROKEN game ") and "the game does not end" in told[-2]
    seed = told[-2].split()[2].strip(",")
    assert told[-1] == f"Again: python tools/long_run.py properties --only {seed}"
    with pytest.raises(Broken):
        play_game(int(seed))
