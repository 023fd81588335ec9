"""Whole matches of Last Card, pressed at the table, against scores counted from the cards."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import press_player
import pytest
from cardrules import announcement as common
from cardrules.announcement import CLOSE, NO_SEAT
from cardrules.keeper import OVER, SCORED
from cardrules.last_card.says import CATCH_UP
from cardrules.last_card.settings import TARGET
from cardrules.log import Log
from chautari.demo_match import DemoMatch, Press, presses
from rig import Rig

HERE = Path(__file__).resolve().parent


def play(rig: Rig, match: DemoMatch) -> None:
    """Press everything, faster than people do."""
    for press in match.presses:
        rig.run(min(press.wait_ms, 60))
        rig.tap(press.control, ms=min(press.ms, 60) if press.ms < 800 else press.ms)


@pytest.mark.parametrize(
    ("seed", "seats", "target"),
    [(1, (0, 1, 3, 4), 300), (2, (0, 3), 200), (3, (0, 1, 2, 3, 4, 5), 300), (4, (1, 2, 5), 300)],
)
def test_the_table_comes_to_the_scores_of_the_cards(seed: int, seats: tuple[int, ...], target: int) -> None:
    match = DemoMatch(seed, seats, target)
    rig = Rig()
    rig.app.set("target", target)
    play(rig, match)
    keeper = rig.keeper
    assert keeper.phase == OVER
    assert keeper.rounds == match.rounds
    assert {seat: keeper.scores[seat] for seat in match.seats} == match.scores
    assert keeper.winner == match.rounds[-1][0] and max(match.scores.values()) >= target


def test_many_matches_can_be_told_by_presses() -> None:
    """Every announcement that the presses stand for is taken, whoever forgot to press."""
    forgotten = 0
    for seed in range(1, 31):
        match = DemoMatch(seed, ((0, 3), (0, 1, 3, 4), (1, 2, 5))[seed % 3], 200)
        log = Log()
        setup = [(common.GAME, NO_SEAT, 1), (common.RULE, NO_SEAT, (TARGET << 16) + 200)]
        setup += [(common.JOIN, seat, 0) for seat in match.seats]
        setup += [(common.DEALER, match.first_dealer, 0), (common.START, NO_SEAT, 0)]
        for said in [*setup, *match.announced]:
            if log.keeper is not None and log.keeper.phase == SCORED:
                assert log.say(CLOSE, NO_SEAT, log.keeper.points)[0] is None
            assert log.say(*said)[0] is None, (seed, said)
        assert log.say(CLOSE, NO_SEAT, log.keeper.points)[0] is None
        assert log.keeper.phase == OVER and log.keeper.rounds == match.rounds, seed
        forgotten += sum(said.what == CATCH_UP for said in match.announced)
    assert forgotten > 60


def test_what_is_announced_is_what_the_match_says() -> None:
    match = DemoMatch(7)
    rig = Rig()
    play(rig, match)
    rig.run(500)
    said = []
    after = 0
    while True:
        some = rig.app.journal.read(after, 100)
        if not some:
            break
        after = some[-1].number
        said += [(one.what, one.seat, one.arg) for one in some if one.what > 31 and one.what != CLOSE]
    assert said == [(one.what, one.seat, one.arg) for one in match.announced]
    assert NO_SEAT not in {seat for what, seat, arg in said if what == 32}


def test_presses_per_turn_stay_under_the_limit() -> None:
    for seed in range(1, 9):
        match = DemoMatch(seed)
        assert match.turn_presses / match.turns < 1.4, seed
    plain = [DemoMatch(seed, forgetful=False) for seed in range(1, 9)]
    assert sum(match.turn_presses for match in plain) / sum(match.turns for match in plain) < 1.4


def test_the_same_seed_gives_the_same_match() -> None:
    assert DemoMatch(5).presses == DemoMatch(5).presses
    assert DemoMatch(5).presses != DemoMatch(6).presses
    assert list(presses(5)) == DemoMatch(5).presses
    assert all(isinstance(press, Press) and press.ms > 0 for press in presses(1))


def test_both_interpreters_come_to_the_same_state_screen_and_lights(tmp_path: Path) -> None:
    match = DemoMatch(3)
    script = tmp_path / "presses.txt"
    script.write_text("".join(f"{press.wait_ms} {press.control} {press.ms}\n" for press in match.presses))
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    vm = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert vm, "the MicroPython VM is not installed"
    done = subprocess.run(
        [vm, "-X", "heapsize=236wk", str(HERE / "press_player.py"), str(script), str(tmp_path / "there")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    there = json.loads(done.stdout)
    assert there.pop("free_percent") >= 40
    app, board = press_player.play(press_player.read(str(script)), str(tmp_path / "here"))
    assert there == press_player.outcome(app, board)
    assert app.log.keeper.rounds == match.rounds and there["safe"] == there["said"] and not there["faults"]
