"""The words: one catalogue, nothing missing, nothing left over, and everything fits the screen."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import make_fonts  # noqa: E402
import make_words  # noqa: E402
from cardrules import notices  # noqa: E402
from chautari import words  # noqa: E402
from table import screen, text, words_en  # noqa: E402
from table.panel import BREAK, ROOM, wrap  # noqa: E402

FIELD = re.compile(r"\{(\w*)\}")
CATALOGUE = words.catalogue()
TABLE = {
    f"{group}.{line.split('=', 1)[0]}": line.split("=", 1)[1]
    for group, lines in words_en.WORDS.items()
    for line in lines.strip().split("\n")
}


def test_nothing_is_stale_missing_or_unused() -> None:
    assert make_words.problems() == []
    assert make_fonts.text() == make_fonts.FONTS.read_text(encoding="ascii")


def test_the_table_finds_every_word() -> None:
    text.use(words_en.WORDS)
    for key, template in TABLE.items():
        assert text.word(key) == template == CATALOGUE[key]


def test_every_code_of_the_rules_has_words() -> None:
    for code in notices.NOTICES:
        assert f"notice.{code}" in CATALOGUE, code
    for code in notices.REASONS:
        assert f"reason.{code}" in CATALOGUE and f"reason.{code}" in TABLE, code


def test_the_check_finds_a_missing_an_unused_and_a_stale_key(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = dict(CATALOGUE)
    del changed["reason.paused"]
    changed["screen.nobody_says_this"] = "x"
    monkeypatch.setattr(words, "catalogue", lambda language="en": changed)
    found = make_words.problems()
    assert "missing: reason.paused" in found
    assert "unused: screen.nobody_says_this" in found
    assert any("stale" in line for line in found)


def test_the_pc_words_a_refusal_and_never_fails() -> None:
    assert words.say("reason.owes", name="Anu", m=4) == "Anu must take 4"
    assert words.say("reason.owes", name="Anu") == "Anu must take {m}"
    assert words.say("notice.count", name="Anu", n=1) == "Anu holds 1 card"
    assert words.say("notice.count", name="Anu", n=2) == "Anu holds 2 cards"
    assert words.say("no.such.key", n=1) == "no.such.key"
    assert words.say("notice.last_card", name="अनु") == "अनु holds the last card"


def test_the_table_has_the_letters_for_all_its_words() -> None:
    for key, template in TABLE.items():
        assert all(" " <= letter <= "~" for letter in template), key
        for field in FIELD.findall(template):
            assert field in {"name", "other", "n", "m", "k", "what", "card", "round", "total", "code"}, key


def sample(template: str) -> str:
    """Fill in fields as wide as they usually are; names are cut to what is left."""
    wide = {"name": "Anu", "other": "Bo", "what": "", "card": "yellow", "code": "x"}
    return FIELD.sub(lambda match: wide.get(match.group(1), "12"), template)


def test_words_fit_their_place_on_the_screen() -> None:
    for key, template in TABLE.items():
        text = sample(template)
        group = key.split(".")[0]
        if group == "menu":
            assert screen.width("9 " + text) <= 128, key
        elif group in ("key", "said", "fault"):
            assert screen.width(text) <= 128, key
        elif group in ("reason", "screen"):
            # one line across, or two beside the picture with nothing cut
            if BREAK in text:
                assert all(screen.width(part) <= ROOM for part in text.split(BREAK)), key
                continue
            first, second = wrap(text, ROOM)
            assert (first + " " + second).strip() == text or screen.width(text) <= 128, key


def test_feet_fit_one_line() -> None:
    feet = (
        "ok_start", "ok_next", "ok_rematch", "undo_back", "type_ok", "hold_menu", "seat_resumes",
        "seat_is_yes", "entry_keys",
    )  # fmt: skip
    for name in feet:
        assert screen.width(TABLE[f"screen.{name}"]) <= 128, name
    assert screen.width(TABLE["reason.seats_too_few"]) <= 128
