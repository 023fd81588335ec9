"""pins.toml is the one source: what is made from it is up to date, and mistakes in it are named."""

import copy
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "make_pins.py"
sys.path.insert(0, str(ROOT / "tools"))
import make_pins  # noqa: E402


@pytest.fixture
def pins():
    return tomllib.loads((ROOT / "hardware" / "pins.toml").read_text(encoding="utf-8"))


def test_the_boards_constants_are_not_stale():
    done = subprocess.run([sys.executable, str(TOOL), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_check_finds_a_stale_file_and_changes_nothing(tmp_path, monkeypatch, capsys):
    stale = tmp_path / "pico_pins.py"
    stale.write_text("SOUND = 1\n", encoding="utf-8")
    monkeypatch.setattr(make_pins, "TARGET", stale)
    assert make_pins.main(["--check"]) == 1
    assert "stale: run python tools/make_pins.py" in capsys.readouterr().err
    assert stale.read_text(encoding="utf-8") == "SOUND = 1\n"
    assert make_pins.main([]) == 0
    assert make_pins.main(["--check"]) == 0


def test_the_generated_constants_say_what_pins_toml_says(pins):
    names = {}
    exec(make_pins.generate(pins), names)
    assert names["SEATS"] == (2, 3, 4, 5, 6, 7)
    assert names["ROWS"] == (8, 9, 10, 11) and names["COLUMNS"] == (12, 13, 14, 15)
    assert names["PIXELS"] == 16 and names["PIXEL_COUNT"] == 24 and names["SOUND"] == 17
    assert (names["SCREEN_SDA"], names["SCREEN_SCL"]) == (20, 21)
    # First on the wire is green, which is the second of red, green, blue.
    assert names["PIXEL_ORDER"] == (1, 0, 2)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda p: p["sound"].update(pin=16), "sound: GP16 is already used by pixels"),
        (lambda p: p["seat_buttons"]["pins"].__setitem__(0, 25), "seat 1: the Pico has no free pin GP25"),
        (lambda p: p["seat_buttons"]["pins"].pop(), "6 pins are needed"),
        (lambda p: p["pixels"].update(count=23), "count must be per_seat times the seats"),
        (lambda p: p["screen"].update(driver="st7920"), "driver must be one of ssd1309, ssd1306, sh1106"),
        (lambda p: p["screen"].update(bus=1), "I2C1 does not come out on GP20, GP21"),
        (lambda p: p["keys"].pop(), "one legend for each row and column"),
    ],
)
def test_a_mistake_is_named(pins, change, says):
    assert make_pins.mistakes(pins) == []
    wrong = copy.deepcopy(pins)
    change(wrong)
    assert any(says in line for line in make_pins.mistakes(wrong))


def test_only_the_board_files_know_pin_numbers():
    """Nothing else in the firmware makes pins, or imports the constants."""
    for path in (ROOT / "firmware").rglob("*.py"):
        if path.parent.name != "boards":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\bPin\(|pico_pins|\bGP\d", text), path
