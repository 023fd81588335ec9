"""`chautari simulate`: figures that add up, the same for any number of processes, and a clean end."""

import csv
import json
import math
import multiprocessing
import os
import pty
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from cardrules import announcement
from cardrules.last_card import bots as last_card_bots
from cardrules.last_card.deal import Deal
from chautari import errors, simulate
from chautari.simulate import Played, RoundPlayed, Tally, set_up
from command import ROOT, Ran, run, run_program

DOCUMENT = ROOT / "docs" / "commands.md"
KEYS = {
    "game", "players", "rules", "bots", "seed", "matches", "unfinished", "rounds_per_match",
    "points_per_round", "decisions_per_round", "decisions_per_match", "cards_left_per_round",
    "minutes_per_match", "assumed", "wins_by_seat", "wins_by_level", "wins_by_first_dealer_distance",
    "round_wins_by_seat", "round_wins_by_dealer_distance", "rounds_won", "rounds_void",
    "void_share", "mean_final_scores",
}  # fmt: skip
SUMMARY = {"n", "mean", "sd", "min", "p10", "p50", "p90", "max"}


def simulated(data: Path, *words: str) -> dict[str, Any]:
    """Run the command in this process and return its one object."""
    ran = run(data, "simulate", "--json", *words)
    assert (ran.code, ran.err) == (0, "") and ran.out.count("\n") == 1
    report: dict[str, Any] = json.loads(ran.out)
    return report


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Figures of 60 matches and their rows."""
    folder = tmp_path_factory.mktemp("some")
    file = folder / "matches.csv"
    words = ("--bots", "easy", "--matches", "60", "--seed", "7", "--jobs", "1", "--csv", str(file))
    report = simulated(folder, *words)
    with file.open(newline="", encoding="ascii") as text:
        rows = list(csv.DictReader(text))
    assert [each.name for each in folder.iterdir()] == ["matches.csv"]
    return report, rows


# -- what is printed


def test_one_object_has_all_keys_and_the_document_knows_them(some: Any) -> None:
    report, rows = some
    assert set(report) == KEYS
    assert report["game"] == "last-card" and report["players"] == 4 and report["seed"] == 7
    assert report["rules"] == {"target": 300, "stacking": 0, "draw_until": 0}
    assert report["bots"] == ["easy"] * 4
    assert report["matches"] == 60 == len(rows)
    for key in report:
        if "_per_" in key:
            assert set(report[key]) == SUMMARY
    text = DOCUMENT.read_text(encoding="utf-8")
    known = text[text.index("## chautari simulate") : text.index("## chautari settings")]
    for key in [*KEYS, *SUMMARY, *rows[0]]:
        assert f"`{key}`" in known or key in ("score_3", "score_4"), key


def test_counts_add_up(some: Any) -> None:
    report, rows = some
    matches, rounds = report["matches"], report["rounds_won"]
    assert report["unfinished"] == 0 and report["void_share"] == report["rounds_void"] / rounds
    for key, total in (
        ("wins_by_seat", matches),
        ("wins_by_first_dealer_distance", matches),
        ("round_wins_by_seat", rounds),
        ("round_wins_by_dealer_distance", rounds),
    ):
        counts = report[key]["counts"]
        assert len(counts) == 4 and sum(counts) == total
        assert report[key]["shares"] == [round(count / total, 6) for count in counts]
    assert report["wins_by_level"] == {"easy": {"seats": 4, "wins": 60, "share": 1.0}}
    assert report["rounds_per_match"]["n"] == matches
    for key in ("points_per_round", "decisions_per_round", "cards_left_per_round"):
        assert report[key]["n"] == rounds
    # Each point of a round is a point of a final score.
    scored = sum(report["mean_final_scores"]) * matches
    assert scored == pytest.approx(report["points_per_round"]["mean"] * rounds, rel=1e-6)
    # Three hands are left, each with a card at least; a round needs seven cards of its winner.
    assert report["cards_left_per_round"]["min"] >= 3 and report["decisions_per_round"]["min"] >= 7


def test_rows_are_the_matches_behind_the_figures(some: Any) -> None:
    report, rows = some
    assert [row["match"] for row in rows] == [str(number) for number in range(1, 61)]
    assert [row["first_dealer"] for row in rows] == ["1", "2", "3", "4"] * 15
    for row in rows:
        scores = [int(row[f"score_{seat}"]) for seat in range(1, 5)]
        assert [score >= 300 for score in scores] == [seat == int(row["winner"]) for seat in range(1, 5)]
    lengths = sorted(int(row["rounds"]) for row in rows)
    found = report["rounds_per_match"]
    assert sum(lengths) == report["rounds_won"]
    assert found["mean"] == round(statistics.mean(lengths), 6)
    assert found["sd"] == round(statistics.stdev(lengths), 6)
    assert (found["min"], found["max"]) == (lengths[0], lengths[-1])
    assert (found["p10"], found["p50"], found["p90"]) == (lengths[5], lengths[29], lengths[53])
    decisions = [int(row["decisions"]) for row in rows]
    assert report["decisions_per_match"]["mean"] == round(statistics.mean(decisions), 6)
    minutes = [
        (5 * int(row["decisions"]) + 60 * (int(row["rounds"]) + int(row["void"]))) / 60 for row in rows
    ]
    assert report["assumed"] == {"seconds_per_decision": 5, "seconds_per_deal": 60}
    assert report["minutes_per_match"]["mean"] == pytest.approx(statistics.mean(minutes), abs=1e-6)
    assert report["minutes_per_match"]["p90"] == pytest.approx(sorted(minutes)[53], abs=1e-6)
    wins = [sum(row["winner"] == str(seat) for row in rows) for seat in range(1, 5)]
    assert report["wins_by_seat"]["counts"] == wins
    behind = [(int(row["winner"]) - int(row["first_dealer"]) - 1) % 4 for row in rows]
    assert report["wins_by_first_dealer_distance"]["counts"] == [behind.count(place) for place in range(4)]


def test_a_match_of_easy_bots_takes_some_rounds(some: Any) -> None:
    report, _ = some
    assert 3 < report["rounds_per_match"]["mean"] < 11
    assert 20 < report["points_per_round"]["mean"] < 250
    assert 15 < report["decisions_per_round"]["mean"] < 200


def test_people_read_the_same_figures(tmp_path: Path) -> None:
    words = ("--bots", "easy,medium,hard", "--players", "3", "--matches", "30", "--stacking", "--jobs", "1")
    report = simulated(tmp_path, *words)
    ran = run(tmp_path, "simulate", *words, COLUMNS="80")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Last Card, 3 players (easy, medium, hard): to 300 points, stacking, draw one card"
    assert lines[1] == "30 matches, seed 1"
    assert lines[2].startswith(
        f"A match takes about {report['rounds_per_match']['mean']:.0f} rounds, most take "
    )
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    lengths = next(row for row in cells if row[0] == "Rounds in a match")
    assert lengths[1] == f"{report['rounds_per_match']['mean']:.1f}"
    assert lengths[7] == str(report["rounds_per_match"]["max"])
    seats = [row for row in cells if row[0].startswith("Seat ")]
    assert [row[1] for row in seats] == ["easy", "medium", "hard"]
    assert [int(row[2]) for row in seats] == report["wins_by_seat"]["counts"]
    assert [row[3] for row in seats] == [f"{100 * share:.1f} %" for share in report["wins_by_seat"]["shares"]]
    assert [int(row[4]) for row in seats] == report["round_wins_by_seat"]["counts"]
    assert [row[6] for row in seats] == [f"{score:.1f}" for score in report["mean_final_scores"]]
    dealer = next(row for row in cells if row[1:2] == ["the dealer"])
    assert int(dealer[2]) == report["round_wins_by_dealer_distance"]["counts"][2]
    assert int(dealer[4]) == report["wins_by_first_dealer_distance"]["counts"][2]
    assert max(len(line) for line in lines if line.startswith("│")) <= 80


def test_one_round_and_each_rule_are_played(tmp_path: Path) -> None:
    words = ("--bots", "easy", "--matches", "24", "--jobs", "1", "--players", "2")
    plain = simulated(tmp_path, *words, "--target", "one-round")
    assert plain["rules"]["target"] == 1
    assert plain["rounds_per_match"] == {
        "n": 24, "mean": 1.0, "sd": 0.0, "min": 1, "p10": 1, "p50": 1, "p90": 1, "max": 1
    }  # fmt: skip
    assert plain["wins_by_seat"] == plain["round_wins_by_seat"]
    assert plain == simulated(tmp_path, *words, "--target", "1", "--no-stacking", "--no-draw-until")
    shown = run(tmp_path, "simulate", *words, "--target", "one-round").out
    assert "A match takes about 1 round, most take 1; the longest took 1." in shown
    for option, rule in (("--stacking", "stacking"), ("--draw-until", "draw_until")):
        other = simulated(tmp_path, *words, "--target", "1", option)
        assert other["rules"] == {**plain["rules"], rule: 1}
        assert other["decisions_per_round"] != plain["decisions_per_round"]
    longer = simulated(tmp_path, *words, "--target", "500")
    assert longer["rounds_per_match"]["mean"] > 3


# -- the same request gives the same figures


def test_jobs_do_not_change_a_digit(tmp_path: Path) -> None:
    words = ("--json", "--bots", "hard,easy", "--players", "2", "--matches", "130", "--seed", "3")
    outs, files = [], []
    for jobs in ("1", "2", "3"):
        file = tmp_path / f"{jobs}.csv"
        runs = run_program if jobs == "2" else run
        ran = runs(tmp_path, "simulate", *words, "--jobs", jobs, "--csv", str(file))
        assert (ran.code, ran.err) == (0, "")
        outs.append(ran.out)
        files.append(file.read_bytes())
    assert outs[0] == outs[1] == outs[2]
    assert files[0] == files[1] == files[2] and files[0].count(b"\r\n") == 131


def test_more_matches_begin_with_the_same_ones_and_seeds_differ() -> None:
    setup = set_up("last-card", 4, {}, ["easy"], 5)
    few = list(simulate.play(setup, 3))
    assert list(simulate.play(setup, 5))[:3] == few
    other = list(simulate.play(set_up("last-card", 4, {}, ["easy"], 6), 3))
    assert [each.scores for each in other] != [each.scores for each in few]
    assert len({each.scores for each in few}) == 3


def test_other_bots_get_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands, first card and dealer of each deal, as far as both line-ups deal."""
    dealt: list[Any] = []

    class Watched(Deal):
        def deal(self, stock: "list[int] | None" = None) -> None:
            super().deal(stock)
            hands = [sorted(hand[:7]) for hand in self.hands]
            dealt.append((self.keeper.dealer, hands, self.pile[0]))

    monkeypatch.setattr(simulate, "Deal", Watched)
    deals = []
    for levels in (["easy"], ["hard", "medium", "easy"]):
        dealt.clear()
        simulate.play_last_card(set_up("last-card", 3, {"target": 500}, levels, 11), 4)
        deals.append(list(dealt))
    both = min(len(each) for each in deals)
    assert both >= 3 and deals[0][:both] == deals[1][:both]
    assert len({str(each) for each in deals[0]}) == len(deals[0])


def test_each_seat_has_its_bot_and_no_bot_sees_more_than_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[tuple[int, str]] = set()

    class Asked(last_card_bots.Bot):
        def move(self, view: Any) -> int:
            assert view.seat == view.turn and len(view.moves) > 1
            asked.add((view.seat, self.level))
            return super().move(view)

    monkeypatch.setattr(last_card_bots, "Bot", Asked)
    setup = set_up("last_card", 4, {"target": 1}, ["hard", "easy", "medium", "easy"])
    for _ in simulate.play(setup, 4):
        pass
    assert asked == {(0, "hard"), (1, "easy"), (2, "medium"), (3, "easy")}


# -- figures by themselves


@pytest.mark.parametrize("values", [[4], [1, 2], [5, 1, 1, 9, 3], list(range(100)), [7] * 9 + [8], [0, 0, 3]])
def test_percentiles_are_values_by_nearest_rank(values: list[int]) -> None:
    counted = {value: values.count(value) for value in values}
    for percent in range(1, 101):
        # The least value that so many of all values do not exceed.
        wanted = next(
            value
            for value in sorted(values)
            if 100 * sum(each <= value for each in values) >= percent * len(values)
        )
        assert simulate.percentile(counted, percent) == wanted


def test_summaries_agree_with_plain_statistics() -> None:
    values = [3, 3, 5, 8, 13, 21, 21, 34]
    found = simulate.summary({value: values.count(value) for value in values})
    assert found["mean"] == statistics.mean(values) and found["n"] == 8
    assert found["sd"] == round(statistics.stdev(values), 6)
    halves = simulate.summary({value: values.count(value) for value in values}, 2)
    assert halves["p50"] == 4.0 and halves["max"] == 17.0 and halves["mean"] == 6.75
    assert math.isclose(float(halves["sd"] or 0), float(found["sd"] or 0) / 2, abs_tol=1e-6)
    assert simulate.summary({4: 1})["sd"] is None
    assert simulate.summary({}) == {"n": 0, **dict.fromkeys(SUMMARY - {"n"})}


def test_distances_are_counted_behind_the_dealer() -> None:
    tally = Tally(set_up("last-card", 3, {"target": 200}, ["easy"]))
    rounds = (RoundPlayed(1, 0, 90, 40, 9), RoundPlayed(1, 1, 120, 50, 8))
    tally.add(Played(0, 0, 1, (0, 210, 0), rounds, 1, 120))
    report = tally.report()
    assert report["round_wins_by_dealer_distance"]["counts"] == [1, 0, 1]
    assert report["wins_by_first_dealer_distance"] == {"counts": [1, 0, 0], "shares": [1.0, 0.0, 0.0]}
    assert report["rounds_void"] == 1 and report["void_share"] == 0.333333
    assert report["minutes_per_match"]["mean"] == (120 * 5 + 3 * 60) / 60
    assert report["mean_final_scores"] == [0, 210, 0]


@pytest.mark.parametrize("cap", ["MOST_DEALS", "MOST_DECISIONS"])
def test_a_match_at_a_cap_is_unfinished_and_nobody_has_won_it(cap: str) -> None:
    chosen = set_up("last-card", 4, {}, ["easy"])
    assert (chosen.most_deals, chosen.most_decisions) == (simulate.MOST_DEALS, simulate.MOST_DECISIONS)
    caps = (1, 10_000) if cap == "MOST_DEALS" else (1000, 6)
    setup = simulate.Setup("last-card", 4, chosen.rules, chosen.bots, 1, *caps)
    tally = Tally(setup)
    for played in simulate.play(setup, 5):
        assert played.winner is None
        tally.add(played)
    report = tally.report()
    assert report["unfinished"] == report["matches"] == 5
    assert report["wins_by_seat"] == {"counts": [0] * 4, "shares": [None] * 4}
    assert report["rounds_per_match"]["n"] == 0 and report["rounds_per_match"]["mean"] is None
    assert report["rounds_won"] == (5 if cap == "MOST_DEALS" else 0)
    json.dumps(report, allow_nan=False)


def test_a_void_round_is_counted_apart_and_the_next_one_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Legal play of bots never comes to one (A10): here the third move of the first two deals is one."""
    dealers = []

    class Voided(Deal):
        moves = 0

        def deal(self, stock: "list[int] | None" = None) -> None:
            super().deal(stock)
            self.moves = 0
            dealers.append(self.keeper.dealer)

        def do(self, move: int) -> None:
            super().do(move)
            self.moves += 1
            if self.moves == 3 and self.keeper.deals <= 2:
                assert self.announce(announcement.VOID) is None

    monkeypatch.setattr(simulate, "Deal", Voided)
    setup = set_up("last-card", 3, {"target": 1}, ["easy"])
    (played,) = simulate.play(setup, 1)
    assert dealers == [0, 1, 2] and played.void == 2
    (only,) = played.rounds
    assert only.dealer == 2 and only.winner == played.winner
    assert played.decisions == only.decisions + 6
    tally = Tally(setup)
    tally.add(played)
    report = tally.report()
    assert report["rounds_won"] == 1 and report["void_share"] == 0.666667
    assert report["rounds_per_match"]["mean"] == report["decisions_per_round"]["n"] == 1
    assert report["decisions_per_match"]["max"] == played.decisions


# -- what cannot be done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game", "poker"), "'poker' cannot be simulated; these games can: last-card."),
        (("--players", "7"), "Last Card is for 2 to 6 players, not for 7."),
        (("--players", "1"), "Last Card is for 2 to 6 players, not for 1."),
        (("--target", "250"), "target cannot be 250; it is one of 1, 200, 300, 500."),
        (("--target", "lots"), "'lots' is no target; give points such as 300, or one-round."),
        (
            ("--bots", "hard,easy"),
            "These are 2 levels; give one level for all or 4 for 4 seats, each of easy, medium, hard.",
        ),
        (
            ("--bots", "clever"),
            "No bot plays 'clever'; give one level for all or 4 for 4 seats, each of easy, medium, hard.",
        ),
        (("--bots", "easy,,easy,easy"), "No bot plays ''"),
        (("--matches", "0"), "--matches"),
        (("--matches", "many"), "--matches"),
        (("--seed", "-1"), "--seed"),
        (("--jobs", "0"), "--jobs"),
        (("--jobs", "61"), "--jobs"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    ran = run(tmp_path, "simulate", "--json", *words)
    assert (ran.code, ran.out) == (errors.USAGE, "")
    assert said in ran.err and ran.err.count("\n") == 1


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    file.write_text("mine")
    words = ("simulate", "--json", "--matches", "2", "--jobs", "1", "--csv")
    ran = run(tmp_path, *words, str(file))
    assert ran.code == errors.USAGE and "--force" in ran.err and file.read_text() == "mine"
    assert run(tmp_path, *words, str(file), "--force").code == 0
    assert file.read_bytes().count(b"\r\n") == 3
    nowhere = tmp_path / "no" / "x.csv"
    ran = run(tmp_path, *words, str(nowhere))
    assert (ran.code, ran.out) == (errors.NO_PERMISSION, "") and "--csv" in ran.err
    assert not nowhere.parent.exists() and [each.name for each in tmp_path.iterdir()] == ["matches.csv"]


# -- ends


def test_a_process_that_dies_is_reported_and_the_others_end() -> None:
    played = simulate.play(set_up("last-card", 2, {}, ["easy"]), 100_000, 2)
    next(played)
    workers = multiprocessing.active_children()
    assert len(workers) == 2
    workers[0].kill()
    with pytest.raises(errors.Trouble, match="--jobs"):
        for _ in played:
            pass
    assert multiprocessing.active_children() == []


def test_matches_that_nobody_wants_any_more_leave_no_process() -> None:
    played = simulate.play(set_up("last-card", 2, {}, ["easy"]), 100_000, 2)
    next(played)
    played.close()
    assert multiprocessing.active_children() == []


def group(leader: int) -> list[str]:
    """Return the programs that run in a process group; those that have ended and are not collected do not."""
    out = subprocess.run(
        ["ps", "-A", "-o", "pgid=,stat=,command="], capture_output=True, text=True, check=True
    ).stdout
    parts = [line.split(None, 2) for line in out.splitlines()]
    return [part[-1] for part in parts if part[0] == str(leader) and not part[1].startswith("Z")]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_it_at_once_and_leaves_nothing(tmp_path: Path, jobs: str) -> None:
    file = tmp_path / "matches.csv"
    surroundings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / room) for room in ("host", "engine")),
        "CHAUTARI_DATA": str(tmp_path),
    }
    words = ["simulate", "--matches", "1000000", "--bots", "easy", "--players", "2", "--json", "--jobs", jobs]
    process = subprocess.Popen(
        [sys.executable, "-m", "chautari", *words, "--csv", str(file)],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        late = time.monotonic() + 30
        while not any(each.stat().st_size for each in tmp_path.glob("*.unfinished")):
            assert time.monotonic() < late and process.poll() is None
            time.sleep(0.05)
        assert len(group(process.pid)) >= (3 if jobs == "2" else 1)
        # A terminal interrupts all processes of the group.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=10)
        assert (process.returncode, out, err) == (errors.CANCELLED, b"", b"Stopped.\n")
        late = time.monotonic() + 10
        while group(process.pid):
            assert time.monotonic() < late, group(process.pid)
            time.sleep(0.05)
        assert list(tmp_path.iterdir()) == []
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def on_a_terminal(tmp_path: Path, *words: str, piped: bool) -> tuple[Ran, bytes]:
    """Run the command with stderr on a terminal, and stdout too unless piped; return what both got."""
    near, far = pty.openpty()
    surroundings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / room) for room in ("host", "engine")),
        "CHAUTARI_DATA": str(tmp_path),
        "TERM": "xterm",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "chautari", "simulate", *words],
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if piped else far,
        stderr=far,
    )
    os.close(far)
    shown = b""
    while True:
        try:
            part = os.read(near, 65536)
        except OSError:  # Linux says that the other end is closed with an error
            part = b""
        if not part:
            break
        shown += part
    out = process.communicate(timeout=30)[0] or b""
    os.close(near)
    return Ran(process.returncode, out.decode(), ""), shown


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    words = ("--matches", "40", "--bots", "easy", "--jobs", "1")
    ran, shown = on_a_terminal(tmp_path, *words, piped=True)
    assert ran.code == 0 and "Last Card" in ran.out and "\x1b" not in ran.out
    assert b"40/40" in shown and b"Matches" in shown
    ran, shown = on_a_terminal(tmp_path, *words, "--json", piped=False)
    assert ran.code == 0 and b"40/40" in shown and b'"rounds_per_match"' in shown
    ran, shown = on_a_terminal(tmp_path, *words, "--json", piped=True)
    assert ran.code == 0 and shown == b"" and json.loads(ran.out)["matches"] == 40
