"""The screen by itself tells the states apart, in words of at least 16 pixels, nothing cut in half."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rig import Rig
from table import cues, screen
from table.lights import NO_SEAT

OF_OTHER_GAMES = {"tie", "eliminated"}
"""States that Last Card does not know."""

DIFFERENT = 60
"""Pixels that have to differ."""


def four(stacking: int = 0) -> Rig:
    """Seats 1, 2, 4, 5; seat 2 on turn, in the middle of a round."""
    rig = Rig()
    rig.app.set("stacking", stacking)
    rig.app.settings.set("turn_screen", 0)
    rig.start(1, 2, 4, 5, dealer=1)
    rig.tap("seat2", "seat4", "seat5", "seat1")
    rig.run(3000)
    return rig


def pressed(*presses: str, stacking: int = 0) -> Callable[[], Rig]:
    """Return what makes a table where these were pressed; "hold 0" holds."""

    def make() -> Rig:
        rig = four(stacking)
        for press in presses:
            if press.startswith("hold "):
                rig.hold(press[5:])
            elif press.startswith("long "):
                rig.hold(press[5:], 2200)
            else:
                rig.tap(press)
        rig.run(3200)
        return rig

    return make


def asleep() -> Rig:
    rig = Rig()
    rig.app.settings.set("blank_s", 10)
    rig.run(11000)
    return rig


def lobby() -> Rig:
    rig = Rig()
    rig.run(4000)
    return rig


def short() -> Rig:
    rig = Rig()
    rig.app.settings.set("turn_screen", 0)
    rig.start(1, 2, dealer=1)
    rig.hold("0")
    rig.tap("1", "seat1")
    rig.run(3200)
    return rig


OUT = ("8", "seat2", "1", "#", "seat2")
ENTRY = (*OUT, "seat2", "8", "seat4", "1", "#", "8", "seat5", "1", "#", "8", "seat1", "1", "#")

LASTING: dict[str, Callable[[], Rig]] = {
    "dark": asleep,
    "lobby": lobby,
    "turn": pressed(),
    "direction_back": pressed("2", "2", "2"),
    "colour_wanted": pressed("4"),
    "colour_red": pressed("4", "A"),
    "colour_yellow": pressed("4", "B"),
    "colour_green": pressed("4", "C"),
    "colour_blue": pressed("4", "D"),
    "owes": pressed("3", stacking=1),
    "out_asked": pressed(*OUT),
    "entering": pressed(*OUT, "seat2"),
    "scored": pressed("8", "seat4", "1", "#", "8", "seat5", "1", "#", "8", "seat1", "1", "#", *OUT, "seat2",
                      "5", "6", "7"),
    "short": short,
    "match_won": pressed("8", "seat4", "7", "#", "8", "seat5", "1", "#", "8", "seat1", "1", "#", *OUT,
                         "seat2", "B", "B", "B", "B", "B", "B", "B", "A", "A", "#"),
    "match_ended": pressed("hold 0", "5", "long #", "#"),
    "paused": pressed("0"),
    "asking": pressed("8", "seat4"),
    "confirm": pressed("hold 0", "5"),
    "absent": pressed("hold 0", "1", "seat5"),
    "last_card_held": pressed("8", "seat4", "1", "#"),
    "menu": pressed("hold 0"),
    "keys_help": pressed("hold #"),
}  # fmt: skip


def picture(rig: Rig) -> bytes:
    """Return what is lit; nothing while the screen is off."""
    rig.run(200)
    return bytes(rig.board.screen.shown) if rig.board.screen.on else bytes(1024)


@pytest.fixture(scope="module")
def rigs() -> dict[str, Rig]:
    return {name: make() for name, make in LASTING.items()}


@pytest.fixture(scope="module")
def pictures(rigs: dict[str, Rig]) -> dict[str, bytes]:
    found = {}
    for name, rig in rigs.items():
        assert rig.app.scene.pattern == cues.CUES[name][0], name
        found[name] = picture(rig)
    rig = four()
    for name, cue in cues.CUES.items():
        if cue[4] and name not in OF_OTHER_GAMES:
            rig.app.head = ""
            value = 2 if name in ("took", "colour_called", "counted") else 3
            rig.app._show(name, 0 if name not in ("fault", "link") else NO_SEAT, 3, value)
            if name == "refused":
                rig.app.refuse(0, ("not_your_turn", 1))
            elif name == "fault":
                rig.app.faults.append("flash_full")
                rig.app._show(name, NO_SEAT, NO_SEAT, 0)
            found[name] = picture(rig)
            rig.app.faults[:] = []
    return found


def test_every_state_has_a_screen_of_its_own(pictures: dict[str, bytes]) -> None:
    assert set(pictures) | OF_OTHER_GAMES == set(cues.CUES)
    alike = []
    names = sorted(pictures)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            differ = sum(
                bin(a ^ b).count("1") for a, b in zip(pictures[one], pictures[other], strict=True)
            )
            if differ < DIFFERENT:
                alike.append((one, other, differ))
    assert not alike


def test_the_cue_alone_decides_picture_words_and_lights_of_a_lasting_state(
    rigs: dict[str, Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    shows_words = set()
    for name, rig in rigs.items():
        app = rig.app
        _, shown, _, tune, length, rank = cues.CUES[name]
        monkeypatch.setitem(cues.CUES, name, (cues.TIE, "sun", "screen.welcome", tune, length, rank))
        app.refresh()
        app.compose()
        if name in ("asking", "confirm"):
            assert app.panel.picture in ("sun", *cues.STEP_PICTURES.values()), name
        elif shown:
            assert app.panel.picture == "sun", name
        if name not in ("menu", "keys_help", "absent", "last_card_held"):
            assert app.scene.pattern == cues.TIE, name  # those four show the lights of the turn
        panel = app.panel
        if "Welcome back" in (panel.line, panel.title, panel.below[:12]):
            shows_words.add(name)
        monkeypatch.undo()
        app.refresh()
    # the words of the menu stand in it since it was opened
    assert {name for name in rigs if cues.CUES[name][2]} <= shows_words | {"menu"}


def test_colour_and_debt_can_both_be_read_while_a_stack_is_pending(pictures: dict[str, bytes]) -> None:
    stacked = {key: pressed("5", key, stacking=1)() for key in "ABCD"}
    owed = {key: picture(rig) for key, rig in stacked.items()}

    def shape(drawn: bytes) -> list[bytes]:
        return [drawn[128 * page : 128 * page + 32] for page in range(2, 6)]

    for key, name in zip("ABCD", cues.COLOURS, strict=True):
        assert shape(owed[key]) == shape(pictures[name]), name  # the same shape as without a debt
        assert stacked[key].app.panel.below.endswith("+4"), name
        others = [owed[other] for other in "ABCD" if other != key] + [pictures[name]]
        for other in others:
            assert sum(bin(a ^ b).count("1") for a, b in zip(owed[key], other, strict=True)) >= 40, name


def test_letters_are_sixteen_pixels_high() -> None:
    assert screen.NORMAL == 16 and screen.BIG == 32
    from table import fonts

    # the ink of capitals and of letters that hang below the line needs most of them
    for letter in "Agy4":
        first, last = screen.letter_columns(letter)
        upper = 0
        lower = 0
        for column in range(first, last):
            upper |= fonts.UPPER[column]
            lower |= fonts.LOWER[column]
        assert bin(upper | lower << 8).count("1") >= 11, letter


def test_the_last_announcement_stays_until_the_next() -> None:
    rig = four()
    rig.tap("1")
    rig.run(60000)
    assert rig.words().startswith("P2: Skip")
    rig.tap("seat2")
    assert "P2: Skip" in rig.words()  # refused: nothing new was said
    rig.tap("seat5")
    assert rig.words().startswith("P5: done")
