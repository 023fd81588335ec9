"""The link on the whole virtual board: its console, its cable, several programs at its port."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chautari import ports
from chautari.link import Connection, Session
from chautari.transport import SerialTransport
from chautari.virtual import VirtualBoard

HERE = Path(__file__).resolve().parent
MPREMOTE = shutil.which("mpremote", path=str(Path(sys.executable).parent)) or "mpremote"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    shutil.copy(HERE / "board_main.py", folder / "main.py")
    shutil.copy(HERE / "fake_app.py", folder / "fake_app.py")
    return folder


@pytest.fixture
def board(program, tmp_path, monkeypatch):
    """A running board, registered as a virtual table of this user; no other port of the PC counts."""
    monkeypatch.setenv("CHAUTARI_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(ports.list_ports, "comports", list)
    ports.virtual_folder().mkdir(parents=True)
    with VirtualBoard(tmp_path / "board", program=program, port_name=name_of("tea")) as running:
        yield running


def name_of(name):
    return str(ports.virtual_folder() / f"{name}.port")


def raw(port):
    return SerialTransport(port)


def read_until(line, wanted, seconds=20):
    seen = b""
    end = time.monotonic() + seconds
    while wanted not in seen:
        assert time.monotonic() < end, seen
        seen += line.read(0.2)
    return seen


def start_play(session):
    session.press("6")
    while not session.hello().in_play:
        pass


def test_the_table_is_found_by_its_registration_and_says_hello(board):
    found = ports.find()
    assert [(port.device, port.kind, port.board_id) for port in found] == [
        (board.port, "virtual", "0badcafe")
    ]
    with ports.connect() as session:
        assert session.greeting.hardware_hint == (board.folder / "chip.txt").read_text().strip()
        assert session.greeting.seats == 6 and session.greeting.faults == ()


def test_a_byte_3_in_play_does_nothing_and_console_brings_the_prompt_back(board):
    with ports.connect() as session:
        start_play(session)
        before = session.status()
        session.transport.write(b"A\x03B\n\x03\x03")
        session.transport.write(b"~1,say,[\x03]*00000000\n")
        assert session.ping().boots == 3
        assert session.status() == before and session.hello().in_play
        assert session.board_counters()["not_a_frame"] >= 1
        session.console()
        read_until(session.transport, b">>> ")
    done = subprocess.run(
        [MPREMOTE, "connect", board.port, "resume", "exec", "print(6 * 7)"],
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.strip() == b"42", done
    line = raw(board.port)
    line.write(b"\x04")  # leaving the console starts the table again
    read_until(line, b"soft reboot")
    line.close()
    with ports.connect() as session:
        assert session.greeting.board_id == "0badcafe"


def test_ctrl_c_out_of_play_frees_the_console(board):
    with ports.connect() as session:
        session.hello()
        session.transport.write(b"\x03")
        assert b"stopped" in read_until(session.transport, b">>> ")


def test_mpremote_cannot_break_into_play_and_the_table_goes_on(board):
    with ports.connect() as session:
        start_play(session)
    tried = raw(board.port)
    tried.write(b"\r\x03\x03\r\x01")  # what mpremote knocks with
    assert b"raw REPL" not in tried.read(0.5)
    tried.close()
    with ports.connect() as session:
        assert session.greeting.in_play
        session.press("6")
        while session.hello().in_play:
            pass
    freed = subprocess.run(
        [MPREMOTE, "connect", board.port, "exec", "print(1)"], capture_output=True, timeout=60
    )
    assert freed.stdout.strip() == b"1", freed


def test_reset_starts_the_table_anew(board):
    with ports.connect() as session:
        session.say(session.ping().state, 35, 0, 10)
        starts = board.starts
        session.reset()
        while board.starts == starts:
            time.sleep(0.01)
        assert session.ping().state == 1  # the session greets it again by itself


def test_unplugged_and_back_under_another_name(board):
    told = []
    connection = Connection(ports.connect(), ports.reopen, told.append)
    connection.run(lambda session: session.say(session.ping().state, 35, 0, 10))
    board.unplug()
    for _ in range(5):
        assert connection.run(lambda session: session.ping()) is None
    assert not connection.wait_back(1.5)
    board.replug(name_of("sugar"))
    assert connection.wait_back(20)
    assert len(told) == 2 and told[0].startswith("Device lost") and told[1].startswith("Device back")
    assert "sugar" in connection.session.name
    assert connection.run(lambda session: session.status()) == [2, "lobby", 10]
    connection.close()


def test_two_programs_one_port(board):
    tries = "import sys; from chautari import ports; ports.connect(sys.argv[1])"
    with ports.connect() as session:
        second = subprocess.run(
            [sys.executable, "-c", "import sys; sys.path[:0] = sys.argv[2:]; " + tries]
            + [board.port, str(HERE.parent.parent / "host"), str(HERE.parent.parent / "engine")],
            capture_output=True,
            timeout=60,
        )
        assert second.returncode != 0 and b"is in use by" in second.stderr
        for _ in range(50):
            session.ping()
        assert session.sent_again == 0 and session.decoder.bad_checksum == 0


def test_several_boards_are_listed_and_refused(board, program, tmp_path):
    with VirtualBoard(tmp_path / "other", program=program, port_name=name_of("milk")) as other:
        with pytest.raises(ports.SeveralTables) as trouble:
            ports.connect()
        assert trouble.value.twins  # the fake application gives every board one id
        with ports.connect(other.port) as session:
            session.set("board_id", "0badcaff")
        with pytest.raises(ports.SeveralTables) as trouble:
            ports.connect()
        assert not trouble.value.twins
        with ports.connect("0badcaff") as session:
            assert session.name == other.port


def test_over_a_socket(program, tmp_path):
    running = VirtualBoard(tmp_path / "board", program=program, serial="socket")
    with running, Session(raw(running.port)) as session:
        assert session.hello().board_id == "0badcafe"
        session.set("names", ["अ" * 30] * 6)
        assert session.get("names") == ["अ" * 30] * 6
