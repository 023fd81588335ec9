"""Two programs at one history, and programs that are killed: nothing is lost, nothing comes twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from chautari.history import Store
from evening import Evening

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

WRITER = """
import sys
sys.path[:0] = {paths!r}
from chautari.errors import Trouble
from chautari.history import Store
from evening import Evening

board, rounds = sys.argv[2], int(sys.argv[3])
evening = Evening().match(3, target=500)
with Store(sys.argv[1]) as store:
    told = 0
    for number in range(rounds):
        if evening.log.keeper.phase == "over":
            evening.match(3, target=500)
        evening.round(number % 3, 40)
        try:
            reached = store.add_announcements(board, "10c4a1e5", evening.said[told:])
        except Trouble as trouble:
            print("refused", trouble, flush=True)
            continue
        told = reached
        print(reached, flush=True)
    store.matches()
"""


def writer(path: Path, board: str, rounds: int) -> subprocess.Popen[str]:
    program = WRITER.format(paths=[str(ROOT / "host"), str(ROOT / "engine"), str(HERE)])
    return subprocess.Popen(
        [sys.executable, "-c", program, str(path), board, str(rounds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_programs_add_200_rounds_each_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    running = [writer(path, board, 200) for board in ("aaaa0001", "bbbb0002")]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        assert len(out.splitlines()) == 200
    with Store(path) as store:
        assert store.counts()["confirmed_rounds"] == 400
        assert sum(match.rounds for match in store.matches()) == 400
        assert store.kept_aside() == [] and store.differences() == []
        for board in ("aaaa0001", "bbbb0002"):
            said = store.announcements(board, "10c4a1e5")
            assert [one.number for one in said] == list(range(1, len(said) + 1))


def test_a_killed_program_loses_nothing_that_was_told(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    told = 0
    for rounds_before_the_end in (1, 4, 9):
        process = writer(path, "aaaa0001", 200)
        assert process.stdout is not None
        for _ in range(rounds_before_the_end):
            told = max(told, int(process.stdout.readline()))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)
        with Store(path) as store:
            assert store.in_order("aaaa0001", "10c4a1e5") >= told
            assert len(store.matches()) == 1
            assert store.match(1).rounds >= rounds_before_the_end
    evening = Evening().match(3, target=500)
    for number in range(9):
        evening.round(number % 3, 40)
    with Store(path) as store:
        # What the next program fetches again is there already.
        store.add_announcements("aaaa0001", "10c4a1e5", evening.said)
        assert store.kept_aside() == [] and len(store.matches()) == 1
