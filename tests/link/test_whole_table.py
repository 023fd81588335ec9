"""The line between the real firmware on the virtual board and the real history."""

import pytest
from cardrules.announcement import PAUSE, RESUME
from cardrules.last_card.says import DONE
from cardrules.log import Log
from chautari import cli, ports
from chautari.history import Store
from chautari.link import Refused, engine_fingerprint
from chautari.sync import sync
from chautari.virtual import VirtualBoard


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.setenv("CHAUTARI_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(ports.list_ports, "comports", list)
    ports.virtual_folder().mkdir(parents=True)
    name = str(ports.virtual_folder() / "tea.port")
    with VirtualBoard(tmp_path / "board", port_name=name) as running:
        yield running


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "history.sqlite3") as opened:
        yield opened


def until(look, wanted):
    """Ask until the answer is the one wanted; the test's time-out ends it otherwise."""
    for _ in range(20_000):
        seen = look()
        if wanted(seen):
            return seen
    raise AssertionError(seen)


def start_match(session, seats=3):
    for seat in range(1, seats + 1):
        session.press(f"seat{seat}")
    state = until(session.ping, lambda ping: ping.state == ping.safe and ping.state >= 2 + seats).state
    session.press("#")
    until(lambda: (session.ping().state, session.hello()), lambda seen: seen[1].in_play)
    return until(session.ping, lambda ping: ping.state == ping.safe and ping.state > state).state


def say_in_turn(session, count):
    """Let whoever is on turn play a plain card, `count` times."""
    for _ in range(count):
        state, _, _, turn = session.status()[:4]
        session.say(state, DONE, turn)


def test_a_match_by_remote_presses_reaches_the_history_once(board, store):
    with ports.connect() as session:
        start_match(session)
        say_in_turn(session, 9)
        outcome = sync(session, store)
        assert outcome.owner and outcome.gone == () and not outcome.copied
        assert outcome.added == outcome.last == session.ping().safe
        assert sync(session, store).added == 0
        assert len(store.matches()) == 1
        say_in_turn(session, 2)
        assert sync(session, store).added == 2
        hello = session.hello()
    said = store.announcements(hello.board_id, hello.journal_id)
    assert [one.number for one in said] == list(range(1, len(said) + 1))
    assert len(store.matches()) == 1
    boots = store.boots(hello.board_id, hello.journal_id)
    assert [boot.count for boot in boots] == [1]


def test_the_rules_refuse_over_the_line_as_at_the_table(board):
    with ports.connect() as session:
        start_match(session)
        state, _, _, turn = session.status()[:4]
        other = (turn + 1) % 3
        with pytest.raises(Refused) as no:
            session.say(state, PAUSE + 200, turn)
        assert no.value.code == "unknown_what"
        with pytest.raises(Refused) as no:
            session.say(state, DONE, 5)
        with pytest.raises(Refused) as no:
            session.say(state, RESUME, other)
        assert no.value.code == "not_paused"
        with pytest.raises(Refused) as no:
            session.say(state - 1, DONE, turn)
        assert no.value.code == "stale"
        assert session.ping().state == state
        assert session.say(state, DONE, turn) == (state + 1, state + 1)


def test_settings_of_the_real_table(board):
    with ports.connect() as session:
        names = ["अनु", "👍🏻👨‍👩‍👧", "李", "A;B", 'C,"D"', "x" * 30]
        session.put({"names": names, "sound": 0})
        assert session.settings()["names"] == names and session.get("sound") == 0
        print_now = session.hello().settings
        for key, value, code in (
            ("sound", 9, "setting_value"),
            ("volume", 1, "unknown_setting"),
            ("board_id", "00000000", "setting_fixed"),
            ("names", ["line\nbreak"] * 6, "setting_value"),
            ("names", ["x" * 31] * 6, "setting_value"),
        ):
            with pytest.raises(Refused) as no:
                session.set(key, value)
            assert no.value.code == code
        with pytest.raises(Refused):
            session.put({"sound": 1, "brightness": 99})
        assert session.hello().settings == print_now
        start_match(session)
        with pytest.raises(Refused) as no:
            session.set("target", 500)
        assert no.value.code == "match_running"


def test_the_same_rules_on_both_ends_have_one_fingerprint(board):
    with ports.connect() as session:
        hello = until(session.hello, lambda hello: hello.engine)
    assert hello.engine == engine_fingerprint()


def test_power_cut_after_an_answer_loses_nothing(board, store):
    with ports.connect() as session:
        start_match(session)
        say_in_turn(session, 5)
        before = session.status()[:6]
        hello = session.hello()
    board.kill()
    board.start()
    with ports.connect(hello.board_id) as session:
        again = session.greeting
        assert (again.board_id, again.journal_id, again.boots) == (hello.board_id, hello.journal_id, 2)
        assert again.in_play
        assert session.status()[1:6] == before[1:6]
        until(session.ping, lambda ping: ping.state == ping.safe)
        outcome = sync(session, store)
    assert outcome.gone == () and len(store.matches()) == 1
    assert [boot.count for boot in store.boots(hello.board_id, hello.journal_id)] == [1, 2]


def test_console_in_play_flushes_and_the_table_comes_back_as_it_was(board):
    with ports.connect() as session:
        start_match(session)
        say_in_turn(session, 4)
        before = session.status()[1:6]
        session.console()
        seen = b""
        while b">>> " not in seen:
            seen += session.transport.read(1)
        session.transport.write(b"\x04")
        while b"soft reboot" not in seen:
            seen += session.transport.read(1)
        assert session.ping().boots == 2  # greeted anew by itself
        assert session.status()[1:6] == before


def test_reset_by_request(board):
    with ports.connect() as session:
        session.press("seat1")
        session.reset()
        until(session.ping, lambda ping: ping.boots == 2)


def test_a_second_pc_reads_and_the_owner_keeps_its_say(board, store, tmp_path):
    with ports.connect() as session:
        start_match(session)
        assert sync(session, store).owner
        assert session.get("owner") == session.host_id
    (tmp_path / "data" / "host_id").unlink()
    with ports.connect() as session, Store(tmp_path / "guest.sqlite3") as guest:
        outcome = sync(session, guest)
        assert not outcome.owner and len(guest.matches()) == 1
        assert sync(session, guest, take=True).owner
        assert session.get("owner") == session.host_id


def back_to(board, image):
    """Put an older flash back, as a damaged directory block or a restored copy would."""
    board.kill()
    board.flash_file.write_bytes(image)
    board.start(update=False)


@pytest.mark.parametrize("further", [2, 30], ids=["behind", "overtaken"])
def test_a_journal_that_went_back_never_mixes_with_what_the_history_has(board, store, further):
    with ports.connect() as session:
        start_match(session)
        say_in_turn(session, 6)
        until(session.ping, lambda ping: ping.state == ping.safe)
        board.kill()
    image = board.flash_file.read_bytes()
    board.start(update=False)
    with ports.connect() as session:
        say_in_turn(session, 9)
        first = sync(session, store)
        assert not first.back
    hello = first.hello
    old = store.announcements(hello.board_id, hello.journal_id)
    back_to(board, image)
    with ports.connect() as session:
        for _ in range(further):
            state = session.ping().state
            session.say(state, PAUSE, 255)
            session.say(session.ping().state, RESUME, 255)
        now = session.status()[2:]
        outcome = sync(session, store)
        assert outcome.back
        assert outcome.hello.journal_id != hello.journal_id and outcome.hello.board_id == hello.board_id
        assert outcome.owner and outcome.last == session.ping().safe
        assert "journal_back" in session.faults()
        assert session.status()[2:-1] == now[:-1]
        again = sync(session, store)
        assert (again.added, again.back) == (0, False)
        say_in_turn(session, 1)
        assert sync(session, store).added == 1
        status = session.status()
    # Both lines of play are kept, each once; the new one comes to the state of the table.
    assert store.announcements(hello.board_id, hello.journal_id) == old
    new = store.announcements(outcome.hello.board_id, outcome.hello.journal_id)
    assert [one.number for one in new] == list(range(1, len(new) + 1))
    assert store.kept_aside() == []
    log = Log()
    for one in new:
        assert log.say(one.what, one.seat, one.arg, one.ms)[0] is None
    assert log.keeper.turn == status[3] and log.keeper.phase == status[2]


def test_the_command_says_once_that_a_journal_went_back(board, capsys):
    with ports.connect() as session:
        start_match(session)
        until(session.ping, lambda ping: ping.state == ping.safe)
        board.kill()
    image = board.flash_file.read_bytes()
    board.start(update=False)
    with ports.connect() as session:
        say_in_turn(session, 9)
    assert cli.main(["sync"]) == 0
    assert "gone back" not in capsys.readouterr().err
    back_to(board, image)
    assert cli.main(["sync"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "journal had gone back" in told and "Nothing was replaced" in told
    assert cli.main(["sync"]) == 0
    assert "gone back" not in capsys.readouterr().err


def test_only_the_present_journal_can_be_renewed(board):
    with ports.connect() as session:
        start_match(session)
        known = session.hello().journal_id
        renewed = session.renew(known)
        assert renewed != known and session.hello().journal_id == renewed
        with pytest.raises(Refused) as no:
            session.renew(known)
        assert no.value.code == "other_journal"
        before = session.status()[2:-1]
    board.kill()
    board.start(update=False)
    with ports.connect() as session:
        assert session.hello().journal_id == renewed
        assert session.status()[2:-1] == before


def test_two_fifths_of_a_picos_heap_are_free_after_the_start(board):
    with ports.connect() as session:
        counts = session.board_counters()
    assert 470_000 <= counts["heap"] <= 236 * 1024 * 2
    assert 5 * counts["heap_free"] >= 2 * counts["heap"]
    assert counts["ghosts"] == counts["lost_presses"] == 0
