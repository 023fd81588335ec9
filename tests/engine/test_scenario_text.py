"""Scenario texts that are cut, edited or wrong. Runs under CPython and in the MicroPython VM."""

from both import guess
from cardrules import announcement as says
from cardrules import scenario
from cardrules.announcement import NO_SEAT, Announcement
from cardrules.log import Log
from cardrules.prng import Prng

try:
    from typing import Any
except ImportError:
    Any = object

START = "chautari scenario 1\ngame last_card\njoin 0\njoin 1\ndealer 0\nstart\n"


def error(text: str) -> "tuple[int, str, str]":
    """Return (line, code, detail) of the error that a scenario gives."""
    try:
        for _ in scenario.run(text):
            pass
    except scenario.ScenarioError as found:
        assert found.code in scenario.ERRORS
        return found.line, found.code, found.detail
    return 0, "", ""


def recorded() -> "tuple[str, Log]":
    """Return a recorded match and the log it was said to."""
    random = Prng(77)
    log = Log()
    said = []
    number = 0
    ms = 0
    what, seat, arg = says.GAME, NO_SEAT, 1
    while len(said) < 400:
        ms += random.below(900)
        if log.say(what, seat, arg, ms)[0] is None:
            number += 1
            said.append(Announcement(number, ms, seat, what, arg))
        what, seat, arg = guess(random, log)
    return scenario.write(said), log


def test_good_ones() -> None:
    assert error(START + "end") == (0, "", "")
    assert error(START + "end\n\n# afterwards\n") == (0, "", "")
    assert error(START.replace("\n", "\r\n") + "end\r\n") == (0, "", "")
    steps = list(scenario.run(START + "@5 1 done\n> played 1 done\n> turn 0\n0 skip\nend\n"))
    assert [step.line for step in steps] == [2, 3, 4, 5, 6, 7, 10]
    assert tuple(steps[5].say) == (32, 1, 0, 5) and steps[6].say.ms == 5
    assert steps[5].reason is None and steps[5].notices == [("played", 1, 32), ("turn", 0, 0)]
    assert steps[6].keeper.turn == 0


def test_a_recorded_match_comes_back_as_it_was() -> None:
    text, log = recorded()
    again = Log()
    said = 0
    for step in scenario.run(text, again):
        assert step.reason is None
        said += 1
    assert said == 400
    assert again.checkpoint() == log.checkpoint()
    assert scenario.write(item_announcements(text)) == text
    assert error(text.replace("\n", "\r\n")) == (0, "", "")


def item_announcements(text: str) -> "list[Any]":
    return [item.say for item in scenario.parse(text)]


def test_a_recorded_match_that_is_cut() -> None:
    text, _ = recorded()
    assert error(text[: len(text) // 2])[1] == "cut"
    assert error(text[: text.rindex("end")])[1] == "cut"
    for gone in range(2, 13):
        assert error(text[:-gone])[1] == "cut", gone
    assert error(text[:-1]) == (0, "", "")
    assert error("")[1] == "not_a_scenario"
    assert error(START)[1] == "cut"


def test_a_recorded_match_that_is_edited() -> None:
    text, _ = recorded()
    lines = text.split("\n")
    at = len(lines) - 2
    changed = list(lines)
    changed[30] = "1 join 5" if lines[30] != "1 join 5" else "2 join 5"
    assert error("\n".join(changed))[:2] == (at + 1, "edited")
    assert error("\n".join(lines[:40] + lines[41:]))[1] == "edited"
    assert error("\n".join(lines[:40] + ["# hm"] + lines[40:]))[1] == "edited"
    assert error(text[: text.rindex("end")] + "end\n")[1] == "edited"
    assert error(text + "0 done\n")[:2] == (at + 2, "edited")
    words = lines[at].split()
    assert error("\n".join(lines[:at] + ["end 1 " + words[2], ""]))[1] == "edited"


def test_words_that_do_not_exist() -> None:
    assert error("hello\n")[:2] == (1, "not_a_scenario")
    assert error("chautari scenario 2\nend\n")[:2] == (1, "not_a_scenario")
    assert error(START + "1 jump\nend\n") == (7, "unknown_word", "jump")
    assert error(START + "\u00b2 done\nend\n") == (7, "unknown_word", "\u00b2")
    assert error(START + "1x done\nend\n") == (7, "bad_number", "1x")
    assert error(START + "1\nend\n") == (7, "unknown_word", "")
    assert error(START + "1 done 0 7\nend\n") == (7, "unknown_word", "7")
    assert error(START + "1 count x\nend\n") == (7, "bad_number", "x")
    assert error(START + "@x 1 done\nend\n") == (7, "bad_number", "x")
    assert error(START + "1 colour pink\nend\n") == (7, "bad_number", "pink")
    assert error("chautari scenario 1\n> turn 1\nend\n") == (2, "unknown_word", ">")
    assert error(START + "1 done\n> spin 1\nend\n") == (8, "unknown_word", "spin")
    assert error(START + "1 done\n> turn 1 2 3\nend\n") == (8, "unknown_word", "3")
    assert error(START + "1 done\n! spin 1\nend\n") == (8, "unknown_word", "spin")
    assert error(START + "1 done\n= spin 1\nend\n") == (8, "unknown_word", "spin")
    assert error(START + "1 done\n>\nend\n") == (8, "unknown_word", ">")
    assert error(START + "1 done\n= same before\nend\n") == (8, "unknown_word", "before")
    assert error(START + "1 done\n= turn x\nend\n") == (8, "bad_number", "x")
    assert error("chautari scenario 1\n1 done\nend\n") == (2, "unknown_word", "done")


def test_expectations_that_are_wrong() -> None:
    assert error(START + "0 done\nend\n") == (7, "refused", "not_your_turn 1")
    assert error(START + "0 done\n> turn 1\nend\n") == (7, "refused", "not_your_turn 1")
    assert error(START + "1 done\n! paused\nend\n") == (8, "not_refused", "paused")
    assert error(START + "0 done\n! not_your_turn 2\nend\n") == (8, "reason_differs", "not_your_turn 1")
    assert error(START + "0 done\n! paused\nend\n") == (8, "reason_differs", "not_your_turn 1")
    assert error(START + "1 done\n> turn 0\nend\n") == (8, "notices_differ", "played 1 32")
    assert error(START + "1 done\n> played 1 done\nend\n") == (8, "notices_differ", "turn 0 0")
    assert error(START + "1 done\n> played 1 done\n> turn 0\n> turn 1\nend\n") == (10, "notices_differ", "")
    assert error(START + "1 done\n> ...\n> turn 1\nend\n") == (9, "notices_differ", "")
    assert error(START + "1 done\n> ...\n> turn 0\nend\n") == (0, "", "")
    assert error(START + "1 done\n> played 1 done\n> ...\nend\n") == (0, "", "")
    assert error(START + "= turn 0\nend\n") == (7, "state_differs", "1")
    assert error(START + "= phase setup\nend\n") == (7, "state_differs", "play")
    assert error(START + "= counts 7\nend\n") == (7, "state_differs", "7 7 0 0 0 0")
    assert error(START + "= active 0\nend\n") == (7, "state_differs", "0 1")
    assert error(START + "= mark a\n1 done\n= same a\nend\n") == (9, "state_differs", "")
    assert error("chautari scenario 1\n= turn 1\nend\n") == (2, "state_differs", "")


def test_what_has_no_word_is_written_by_its_number() -> None:
    odd = [
        Announcement(1, 0, NO_SEAT, says.GAME, 1),
        Announcement(2, 0, 9, says.JOIN, 5),
        Announcement(3, 0, NO_SEAT, says.JOIN, 5),
        Announcement(4, 4294967295, 3, 200, 7),
        Announcement(5, 0, NO_SEAT, says.RULE, 99 * 65536 + 3),
        Announcement(6, 0, NO_SEAT, says.END, 0),
        Announcement(7, 0, 2, says.CORRECT, 65536 + 32768 - 30),
        Announcement(8, 0, 2, 45, 11),
        Announcement(9, 0, NO_SEAT, says.GAME, 3),
    ]
    text = scenario.write(odd)
    found = item_announcements(text)
    assert [tuple(one) for one in found] == [(one.what, one.seat, one.arg, one.ms) for one in odd]
    assert "2 correct 1 -30" in text and "2 card wild" in text and "- end\n" in text
