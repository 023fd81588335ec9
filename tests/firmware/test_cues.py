"""Every named state can be told from every other without colour and without sound."""

import cue_examples
import pytest
from fake_board import Board
from table import SEATS, cues
from table.lights import Lights

SEEN = 20
"""Levels (of 255, grey) by which a light has to differ to be noticed."""

ENOUGH = 24
"""Lights times frames that have to differ within three seconds: one light for a second."""

SCREEN_ONLY = {"menu", "keys_help"}
"""The lights go on showing the table; the screen alone tells these."""

NAMES = sorted(cues.CUES)


def difference(one: list[bytes], other: list[bytes]) -> int:
    """Return how many lights of how many frames differ noticeably; stops counting when it is enough."""
    count = 0
    for a, b in zip(one, other, strict=True):
        if a != b:
            count += sum(abs(x - y) > SEEN for x, y in zip(a, b, strict=True))
            if count >= ENOUGH:
                break
    return count


@pytest.fixture(scope="module")
def movies() -> dict[str, list[bytes]]:
    lights = Lights(Board().pixels)
    return {name: cue_examples.movie(lights, cue_examples.example(name)) for name in NAMES}


def test_any_two_states_differ_in_grey_over_three_seconds(movies: dict[str, list[bytes]]) -> None:
    alike = []
    for i, one in enumerate(NAMES):
        for other in NAMES[i + 1 :]:
            if {one, other} <= SCREEN_ONLY | {"turn"}:
                continue
            if difference(movies[one], movies[other]) < ENOUGH:
                alike.append((one, other))
    assert not alike


def test_lasting_states_differ_however_the_clocks_are_shifted() -> None:
    # nobody at the table knows when a rhythm began: no shift in time may make two states alike
    lights = Lights(Board().pixels)
    lasting = [name for name in NAMES if cues.CUES[name][4] == 0 and name not in SCREEN_ONLY]
    fixed = {name: cue_examples.movie(lights, cue_examples.example(name), 0, 3000, 80) for name in lasting}
    shifted = {
        name: [
            cue_examples.movie(lights, cue_examples.example(name), shift, 3000, 80)
            for shift in range(0, 2400, 120)
        ]
        for name in lasting
    }
    alike = []
    for i, one in enumerate(lasting):
        for other in lasting[i + 1 :]:
            for film in shifted[other]:
                if difference(fixed[one], film) < ENOUGH // 2:
                    alike.append((one, other))
                    break
    assert not alike


def test_passing_cues_end_and_leave_the_state_behind() -> None:
    lights = Lights(Board().pixels)
    for name in NAMES:
        length = cues.CUES[name][4]
        if length:
            scene = cue_examples.example(name)
            lights.show(scene, length - 1)
            assert scene.flash != cues.NOTHING
            lights.show(scene, length)
            assert scene.flash == cues.NOTHING


def test_every_cue_names_words_and_a_picture_that_exist() -> None:
    from table import fonts, text, words_en

    text.use(words_en.WORDS)

    for name, (_, picture, words, tune, length, _) in cues.CUES.items():
        assert picture == "" or picture in fonts.PICTURES, name
        assert words == "" or text.has(words), name
        assert len(tune) % 2 == 0 and all(value >= 0 for value in tune), name
        assert 0 <= length <= 3000, name
    shown = {cue[1] for cue in cues.CUES.values()} | set(cues.STEP_PICTURES.values())
    assert shown - {""} == set(fonts.PICTURES)  # none is drawn for nothing


def test_every_notice_leads_to_a_cue_or_is_read_from_the_screen() -> None:
    from cardrules import notices

    quiet = {
        "match_new", "rule", "practice", "dealer", "kept", "passed", "played", "entered", "score", "hand",
    }  # fmt: skip
    assert set(cues.BY_NOTICE) | quiet == set(notices.NOTICES)
    assert set(cues.BY_NOTICE.values()) <= set(cues.CUES)


def test_the_more_urgent_cue_wins() -> None:
    assert cues.pick([("turn", 2, 0), ("last_card", 1, 1)]) == ("last_card", 1, 1)
    assert cues.pick([("skipped", 3, 0), ("turn", 0, 0), ("direction", 255, 0)]) == ("skipped", 3, 0)
    assert cues.pick([("rule", 255, 0)]) is None
    assert cues.pick([]) is None


def test_tick_and_beep_are_short() -> None:
    assert sum(cues.TICK[1::2]) <= 20 and sum(cues.BEEP[1::2]) <= 120
    assert len(cues.UPSIDE_DOWN) == SEATS
