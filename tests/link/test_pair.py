"""Both ends together on a hand-driven clock."""

from datetime import timedelta
from pathlib import Path

import pytest
from cardrules.announcement import BOOT
from chautari.link import (
    Lost,
    NoAnswer,
    Refused,
    Unsure,
    VersionMismatch,
    engine_fingerprint,
)
from pair import PERIOD, START, Pair
from table import link as board_end
from tablelink import frames, messages

PLUS = 35


def test_hello_tells_what_the_table_is():
    pair = Pair()
    pair.app.board.faults.append("screen")
    pair.app.playing = True
    pair.app.say(PLUS, 2, 1)
    hello = pair.session.hello()
    assert (hello.major, hello.minor, hello.firmware) == (1, 0, board_end.FIRMWARE)
    assert (hello.board_id, hello.hardware_hint) == ("0badcafe", "e660583883123456")
    assert hello.journal_id == "abcdef01"
    assert hello.settings == pair.app.settings.fingerprint()
    assert (hello.boots, hello.seats, hello.in_play, hello.faults) == (3, 6, True, ("screen",))
    assert (hello.first, hello.last) == (1, 1)  # what is not in flash yet is not told


def test_the_boot_is_dated_from_the_uptime():
    pair = Pair()
    pair.run(60_000)
    hello = pair.session.hello()
    began = START + timedelta(milliseconds=5000)
    assert abs(hello.booted - began) < timedelta(milliseconds=50)
    pair.run(5_000)
    assert abs(pair.session.ping().booted - began) < timedelta(milliseconds=50)


def test_hello_with_very_many_faults_still_fits_the_line():
    pair = Pair()
    pair.app.board.faults += [f"part_number_{number}" for number in range(30)]
    hello = pair.session.hello()
    assert 0 < len(hello.faults) < 30
    assert pair.session.faults() == pair.app.board.faults


def test_lost_answer_of_a_plus_has_one_effect():
    pair = Pair()
    pair.session.hello()
    state = pair.session.ping().state
    carry = pair._harm
    lost = []

    def lose_the_first_two_answers(way, line):
        if way == "up" and b",ack," in line and len(lost) < 2:
            lost.append(line)
            return
        carry(way, line)

    pair._harm = lose_the_first_two_answers
    assert pair.session.say(state, PLUS, 0, 10) == (2, 2)
    assert len(lost) == 2 and pair.session.sent_again >= 2
    assert pair.app.total == 10
    assert pair.link.repeats >= 1


def test_stale_say_is_refused_and_names_the_state():
    pair = Pair()
    pair.session.hello()
    state = pair.session.ping().state
    pair.app.say(PLUS, 1, 1)
    with pytest.raises(Refused) as no:
        pair.session.say(state, PLUS, 0, 10)
    assert (no.value.code, no.value.values) == ("stale", (2,))
    assert pair.app.total == 1


def test_say_is_answered_only_when_it_is_in_flash_or_flash_does_not_take_it():
    pair = Pair()
    pair.session.hello()
    assert pair.session.say(1, PLUS, 0, 1) == (2, 2)
    pair.app.journal.stuck = True
    began = pair.ms
    assert pair.session.say(2, PLUS, 0, 1) == (3, 2)
    assert pair.ms - began >= board_end.SAFE_MS
    assert pair.app.total == 2


@pytest.mark.parametrize(
    "values",
    [
        (1, 300, 0, 0),
        (1, PLUS, 256, 0),
        (1, PLUS, 0, 2**32),
        (1, PLUS, 0, -1),
        (1, PLUS, 0),
        ("1", PLUS, 0, 0),
        (True, PLUS, 0, 0),
        (1, BOOT, 255, 9),
        (1, PLUS, 0, None),
        (),
    ],
)
def test_impossible_announcements_are_refused(values):
    pair = Pair()
    pair.session.hello()
    with pytest.raises(Refused) as no:
        pair.session.request(messages.SAY, *values)
    assert no.value.code == "bad_values"
    assert pair.app.journal.last == 1


def test_a_refusal_of_the_rules_comes_through_with_its_numbers():
    pair = Pair()
    pair.session.hello()
    with pytest.raises(Refused) as no:
        pair.session.say(1, 99, 0)
    assert (no.value.code, no.value.values) == ("not_your_turn", (2,))
    assert str(no.value) == "The table refuses say (not_your_turn 2). Not your turn."


def test_every_refusal_of_the_line_says_what_to_do():
    for code in messages.REASONS:
        text = str(Refused("say", code, ()))
        assert text.startswith(f"The table refuses say ({code}). ") and text.endswith("."), text
        assert "\n" not in text
    assert str(Refused("say", "unheard_of", (1, 2))) == "The table refuses say (unheard_of 1 2)."


def test_a_fault_of_the_application_is_noted_and_told_and_play_goes_on():
    pair = Pair()
    pair.session.hello()
    with pytest.raises(Refused) as no:
        pair.session.say(1, 98, 0)
    assert no.value.code == "failed"
    assert "link" in pair.session.hello().faults
    assert pair.session.say(1, PLUS, 0, 4) == (2, 2)


def test_unknown_kinds_are_refused_by_name():
    pair = Pair()
    pair.session.hello()
    with pytest.raises(Refused) as no:
        pair.session.request("dance", 1)
    assert no.value.code == "unknown_kind"
    assert pair.session.board_counters()["unknown"] == 1


def test_press_reaches_the_controls_and_a_tap_ends_by_itself():
    pair = Pair()
    pair.session.press("seat3")
    pair.run(200)
    assert pair.app.pressed == [("seat3", True), ("seat3", False)]
    pair.session.press("*", "down")
    pair.run(1000)
    assert pair.app.pressed[2:] == [("*", True)]
    pair.session.press("*", "up")
    assert pair.app.pressed[2:] == [("*", True), ("*", False)]
    for control, action in (("seat7", "tap"), ("E", "tap"), ("1", "hit"), ("", "up")):
        with pytest.raises(Refused) as no:
            pair.session.press(control, action)
        assert no.value.code == "unknown_control"
    with pytest.raises(Refused) as no:
        pair.session.press("1", "tap", state=99)
    assert no.value.code == "stale"
    assert len(pair.app.pressed) == 4


def test_what_is_held_is_let_go_when_the_pc_falls_silent():
    pair = Pair()
    pair.session.press("0", "down")
    pair.run(messages.QUIET_MS + 100)
    assert pair.app.pressed == [("0", True), ("0", False)]
    assert not pair.link.connected


@pytest.mark.parametrize("before", range(0, 400, 20))
def test_everything_goes_on_while_the_ticks_wrap(before):
    pair = Pair(ms=PERIOD - before)
    pair.session.press("seat3")
    assert pair.session.say(1, PLUS, 0, 1) == (2, 2)
    pair.run(300)
    assert pair.app.pressed == [("seat3", True), ("seat3", False)]
    assert pair.link.connected
    assert pair.session.ping().uptime_ms < 1000


def test_a_pc_that_left_long_ago_never_seems_to_be_back():
    pair = Pair()
    pair.session.hello()
    pair.run(messages.QUIET_MS + 100)
    pair.ms += PERIOD * 3 // 4
    pair.run(100)
    assert not pair.link.connected


def test_settings_one_by_one_all_and_together():
    pair = Pair()
    session = pair.session
    print_before = session.hello().settings
    assert session.get("sound") == 2
    session.set("sound", 0)
    assert session.get("sound") == 0
    assert session.hello().settings != print_before
    names = ["अनु" * 10, "👍🏻👨‍👩‍👧" * 3, "李", "A;B", 'C,"D"', "line\nbreak ~*"]
    session.set("names", names)  # longer than a line
    assert session.get("names") == names
    assert session.settings() == {"board_id": "0badcafe", "owner": "", "sound": 0, "names": names}
    assert pair.app.settings.values["names"] == names
    with pytest.raises(Refused) as no:
        session.put({"names": [""] * 6, "sound": 7})
    assert no.value.code == "setting_value"
    assert session.get("names") == names  # all or nothing
    with pytest.raises(Refused) as no:
        session.get("volume")
    assert no.value.code == "unknown_setting"
    with pytest.raises(Refused) as no:
        session.set("volume", 1)
    assert no.value.code == "unknown_setting"


def test_settings_that_change_on_their_way_are_fetched_anew():
    pair = Pair()
    pair.session.hello()
    pair.app.settings.values["names"] = ["x" * 60] * 6
    asked = []

    def change():
        if pair.link._outgoing and not asked:
            asked.append(1)
            pair.app.settings.values["names"] = ["y" * 60] * 6
            pair.link._outgoing = pair.link._outgoing.replace(b"x", b"y")

    pair.every.append(change)
    assert pair.session.settings()["names"] == ["y" * 60] * 6


def test_news_are_told_once_and_confirmed():
    pair = Pair()
    pair.session.hello()
    pair.session.wait(0.2)
    pair.app.say(PLUS, 1, 1)
    news = pair.session.wait(1)
    while news.last < 2:
        news = pair.session.wait(1)
    assert (news.journal_id, news.last, news.state) == ("abcdef01", 2, 2)
    again = pair.link.news_again
    pair.run(3000)
    assert pair.link.news_again == again
    assert pair.session.wait(0.5) is None


def test_one_unconfirmed_line_at_most_and_none_for_a_pc_that_is_gone():
    pair = Pair()
    pair.session.hello()
    lines = []
    pair._harm = lambda way, line: lines.append(line)  # nothing arrives any more
    for _ in range(200):
        pair.app.say(PLUS, 1, 1)
        pair.run(100)
    news = [line for line in lines if b",new," in line]
    assert 1 <= len(news) <= 6  # 0.5 s doubling up to 4 s, for the 6 s after which the PC is gone
    assert lines == news


def test_a_pc_that_does_not_read_never_holds_up_the_table():
    pair = Pair()
    pair.session.hello()
    pair.reading = False
    for number in range(100, 700, 2):
        pair.link.received(frames.encode(number, "ping", [pair.session._nonce]))
        pair.run(1)
    assert len(pair.link._queue) <= board_end.QUEUE
    assert pair.link.dropped > 200
    pair.app.say(PLUS, 1, 1)
    pair.reading = True
    pair.run(500)
    pair.session._number = 800
    assert pair.session.board_counters()["dropped"] == pair.link.dropped
    assert pair.session.ping().state == 2


def test_no_answer_comes_within_the_stated_time():
    pair = Pair(drop=100)
    began = pair.ms
    with pytest.raises(NoAnswer) as trouble:
        pair.session.hello()
    assert 3900 <= pair.ms - began <= 4100
    assert "4 seconds" in str(trouble.value) and "\n" not in str(trouble.value)


def test_an_answer_that_was_not_read_is_told_by_a_number_left_out():
    """The table then knows that its buffer may still be full, and writes byte by byte."""
    pair = Pair()
    pair.session.hello()
    pair.session.ping()
    number = pair.session._number
    pair.reading = False
    with pytest.raises(NoAnswer):
        pair.session.ping()
    pair.reading = True
    pair.session.ping()
    assert pair.session._number == number + 3
    sure = []
    write = pair.link._write
    pair.link._write = lambda data, room: sure.append(room) or write(data, room)
    pair.session.ping()
    assert all(sure)
    pair.link._unread = 0
    for step in (2, 2, 2, 2, 2):
        pair.session._number += step
        pair.link.received(frames.encode(pair.session._number, "settings", [pair.session._nonce, 0]))
        pair.run(20)
    assert not sure[-1]


def test_a_restarted_table_is_greeted_again_and_reading_goes_on():
    pair = Pair()
    pair.session.hello()
    pair.restart()
    assert pair.session.ping().boots == 4
    assert pair.session.greeting.boots == 4


def test_a_restart_leaves_nothing_done_twice_and_says_that_it_is_not_sure():
    pair = Pair()
    pair.session.hello()
    carry = pair._harm

    def restart_before_the_answer(way, line):
        if way == "up":
            pair._harm = carry
            pair.restart()
            return
        carry(way, line)

    pair._harm = restart_before_the_answer
    with pytest.raises(Unsure):
        pair.session.press("seat1", "down")
    pair.run(3000)
    assert pair.app.pressed == [("seat1", True)]


def test_another_table_at_the_same_port_is_not_taken_for_the_first():
    pair = Pair()
    pair.session.hello()
    pair.restart()
    pair.app.settings.values["board_id"] = "11111111"
    with pytest.raises(Lost):
        pair.session.ping()


def test_a_console_is_told_from_a_table_that_does_not_answer():
    pair = Pair()
    pair._harm = lambda way, line: way == "down" and pair.flows["up"].append((pair.ms + 1, b"\r\n>>> "))
    with pytest.raises(NoAnswer) as trouble:
        pair.session.hello()
    assert "console" in str(trouble.value) and "`mpremote connect test line reset`" in str(trouble.value)


def test_every_kind_of_line_and_every_error_is_in_the_docs():
    text = (Path(__file__).resolve().parent.parent.parent / "docs" / "link.md").read_text()
    for kind in messages.REQUESTS + (messages.NEW, messages.GOT, messages.ACK, messages.NAK):
        assert f"`{kind}`" in text, kind
    errors = ["NoPort", "SeveralTables", "Busy", "NoPermission", "NoAnswer", "VersionMismatch", "Lost"]
    for error in [*errors, "Unsure", "Refused"]:
        assert f"`{error}`" in text, error


def test_console_ends_the_program_in_play_too_after_the_answer():
    pair = Pair()
    pair.app.playing = True
    pair.session.hello()
    pair.session.console()
    pair.run(100)
    assert pair.link.left == "console"


def test_reset_is_answered_before_it_happens():
    pair = Pair()
    pair.session.reset()
    pair.run(100)
    assert pair.link.left == "reset"


def test_console_is_left_even_when_nobody_reads_the_answer():
    pair = Pair()
    pair.session.hello()
    pair.reading = False
    pair.link.received(frames.encode(9, "console", [pair.session._nonce]))
    pair.run(board_end.DRAIN_MS + 100)
    assert pair.link.left == "console"


@pytest.mark.parametrize(
    ("protocol", "advice"),
    [((3, 0), "firmware of this version"), ((0, 9), "on this PC")],
    ids=["older", "newer"],
)
def test_another_major_version_is_read_only_and_says_how_to_update(protocol, advice):
    pair = Pair(protocol=protocol)
    hello = pair.session.hello()
    assert hello.major == 1 and pair.session.read_only
    pair.session.ping()
    assert pair.session.announcements(0)[0]
    with pytest.raises(VersionMismatch) as trouble:
        pair.session.say(1, PLUS, 0, 1)
    text = str(trouble.value)
    assert advice in text and f"{protocol[0]}.{protocol[1]}" in text and "1.0" in text and "\n" not in text
    pair.session.greeting = None  # a PC that does not care
    pair.link.received(frames.encode(90, "say", [pair.session._nonce, 1, PLUS, 0, 1]))
    assert pair.app.total == 0
    pair.session._number = 100
    pair.session.console()  # the road to an update stays open
    pair.run(100)
    assert pair.link.left == "console"


def test_ctrl_c_is_off_in_play_and_on_otherwise():
    pair = Pair()
    pair.run(50)
    assert pair.app.board.interrupt == 3
    pair.app.playing = True
    pair.run(50)
    assert pair.app.board.interrupt == -1
    pair.app.playing = False
    pair.run(50)
    assert pair.app.board.interrupt == 3


def test_a_status_longer_than_a_line_comes_in_chunks():
    pair = Pair()
    assert pair.session.status() == [1, "lobby", 0]
    pair.app.status = lambda: ("play", [4294967295] * 6, list(range(90)))
    assert pair.session.status() == [1, "play", [4294967295] * 6, list(range(90))]


def test_another_minor_version_changes_nothing():
    pair = Pair(protocol=(messages.MAJOR, messages.MINOR + 5))
    pair.session.hello()
    assert not pair.session.read_only
    assert pair.session.say(1, PLUS, 0, 1) == (2, 2)


def test_hello_of_a_future_version_is_read_as_far_as_it_goes():
    pair = Pair()
    pair.link._hello = lambda session, nonce, number, values: pair.link._send(
        number, "ack", [nonce, 4, 2, "9.9", {"x": 1}.get("x"), ["new"], None]
    )
    hello = pair.session.hello()
    assert (hello.major, hello.minor, hello.firmware, hello.board_id) == (4, 2, "9.9", "")
    assert "4.2" in str(pair.session.mismatch()) and "this PC" in str(pair.session.mismatch())


def test_only_the_owner_lets_the_table_forget():
    pair = Pair(host_id="feed0001")
    for _ in range(5):
        pair.app.say(PLUS, 0, 1)
    pair.app.journal.flush()
    assert pair.session.acknowledge("abcdef01", 4)
    assert pair.app.journal.acknowledged == 4
    other = pair.open(host_id="feed0002")
    assert not other.acknowledge("abcdef01", 6)
    assert pair.app.journal.acknowledged == 4
    assert other.acknowledge("abcdef01", 6, take=True)
    assert pair.app.journal.acknowledged == 6
    assert not pair.session.acknowledge("abcdef01", 6)
    with pytest.raises(Refused):
        other.acknowledge("abcdef01", 7)  # never had
    with pytest.raises(Refused) as no:
        other.acknowledge("00000000", 6)
    assert no.value.code == "other_journal"


GARBAGE = [
    b"AT\r",
    b"AT+GCAP\r\n",
    b"~x~\r",
    b"\n",
    b'..score":4}\n',
    b"\x95\xed\xff\n",
    b"x" * 5000 + b"\n",
    b"A\x03B\n",
    b"~1,say,[",
    b"~1,say,[1]*00000000\n",
    bytes(range(256)),
    b"~" * 300 + b"\n",
]


@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 10000])
def test_garbage_changes_nothing_and_hello_is_answered(size):
    pair = Pair()
    pair.app.playing = True
    before = (pair.app.total, pair.app.journal.last, dict(pair.app.settings.values))
    stream = b"".join(GARBAGE)
    for start in range(0, len(stream), size):
        pair.link.received(stream[start : start + size])
        pair.run(1)
    assert pair.sent["up"] == b"" and pair.flows["up"] == []  # dropped in silence
    assert pair.session.hello().board_id == "0badcafe"
    assert (pair.app.total, pair.app.journal.last, dict(pair.app.settings.values)) == before
    assert pair.link.left == ""
    counts = pair.session.board_counters()
    assert counts["not_a_frame"] >= 5 and counts["too_long"] == 1 and counts["bad_checksum"] == 1


def test_well_formed_nonsense_is_answered_with_a_reason_and_changes_nothing():
    pair = Pair()
    pair.session.hello()
    nonce = pair.session._nonce
    cases = [
        ("say", []),
        ("say", [5]),
        ("say", ["short"]),
        ("ping", ["00000000"]),
        ("settings", [nonce]),
        ("settings", [nonce, 5000]),
        ("settings", [nonce, -1]),
        ("put", [nonce]),
        ("put", [nonce, "00000000", 0, 99999, ""]),
        ("put", [nonce, "d3d99e8b", 0, 1, "QQ=="]),
        ("set", [nonce, "sound"]),
        ("set", [nonce, 5, 5]),
        ("get", [nonce, None]),
        ("acknowledge", [nonce, "abcdef01", 1, ""]),
        ("announcements", [nonce, 1, 2]),
        ("press", [nonce, ["seat1"], "tap"]),
    ]
    for number, (kind, values) in enumerate(cases, 100):
        pair.due("up")
        pair.link.received(frames.encode(number, kind, values))
        pair.run(10)
        answers = frames.Decoder().feed(pair.due("up"))
        answers = [answer for answer in answers if answer[1] != "new"]
        assert len(answers) == 1 and answers[0][0] == number and answers[0][1] == "nak", (kind, values)
        assert answers[0][2][1] in messages.REASONS and answers[0][2][1] != "failed", answers
    assert pair.app.total == 0 and pair.app.journal.last == 1 and pair.app.settings.changes == 0


def test_an_echoing_line_does_not_answer_itself():
    pair = Pair()
    carry = pair._harm

    def echo(way, line):
        carry(way, line)
        if way == "up":
            carry("down", line)

    pair._harm = echo
    pair.session.hello()
    pair.session.ping()
    pair.run(2000)
    assert pair.session.board_counters()["unknown"] < 20


def test_engine_fingerprint_is_the_same_on_both_ends(tmp_path):
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "b.py").write_bytes(b"y" * 5000)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"z")
    *_, crc = board_end.engine_steps(str(tmp_path))
    assert f"{crc:08x}" == engine_fingerprint(tmp_path)
    (tmp_path / "a.py").write_bytes(b"x = 2\n")
    assert f"{crc:08x}" != engine_fingerprint(tmp_path)


def test_news_that_come_beside_an_answer_are_not_missed():
    pair = Pair()
    pair.session.hello()
    pair.session.wait(0.2)
    pair.app.say(PLUS, 1, 1)
    pair.run(300)  # the table has told of it
    pair.session.ping()  # its answer arrives behind the news
    assert pair.session.news.state == 2
    before = pair.session.news
    assert pair.session.wait(0) is before
    assert pair.session.wait(0) is None
