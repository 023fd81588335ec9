"""Which tables there are, and which one is meant."""

import sys
from pathlib import Path

import pytest
from chautari import errors, ports, transport
from chautari.link import Hello, Session
from chautari.ports import PortInfo, SeveralTables
from chautari.transport import Busy, Lost, NoAnswer, NoPort

sys.path.append(str(Path(__file__).resolve().parent.parent / "link"))
sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "firmware"))
from pair import Pair


class Listed:
    def __init__(self, device, vid=0x2E8A, pid=0x0005, description="Board in FS mode"):
        self.device, self.vid, self.pid, self.description = device, vid, pid, description


@pytest.fixture(autouse=True)
def nothing_there(monkeypatch, tmp_path):
    """No port of this PC and no virtual board of its user takes part."""
    monkeypatch.setenv("CHAUTARI_DATA", str(tmp_path))
    monkeypatch.setattr(ports.list_ports, "comports", list)
    return tmp_path


@pytest.fixture
def plugged(monkeypatch):
    def plug(*listed):
        monkeypatch.setattr(ports.list_ports, "comports", lambda: list(listed))

    return plug


class Desk:
    """Tables by the name of their port; opener() opens one as ports.open() does."""

    def __init__(self, **boards):
        self.opened = []
        self.tables = {}
        for device, board_id in boards.items():
            self.put(device, board_id)

    def put(self, device, board_id):
        pair = Pair(host_id="feed0123")
        pair.app.settings.values["board_id"] = board_id
        self.tables[device] = pair

    def opener(self, device):
        self.opened.append(device)
        if device not in self.tables:
            raise NoPort(f"There is nothing at {device}.")
        session = self.tables[device].open(host_id="feed0123")
        session.transport.name = device
        return session


def table(device, board_id, kind="usb"):
    return PortInfo(device, kind, hello=Hello(1, 0, "0.1.0", board_id=board_id))


def test_com_ports_are_sorted_by_number_and_reach_the_opener_by_their_name(plugged):
    plugged(Listed("COM10"), Listed("com12"), Listed("\\\\.\\COM11"), Listed("COM3"))
    desk = Desk(COM3="aa", COM10="bb", COM11="cc", COM12="dd")
    found = ports.find(opener=desk.opener)
    assert desk.opened == ["COM3", "COM10", "COM11", "COM12"]
    assert [port.board_id for port in found] == ["aa", "bb", "cc", "dd"]
    for written in ("COM11", "com11", "\\\\.\\COM11"):
        assert ports.choose(found, written).board_id == "cc"
        assert ports.connect(written, desk.opener).name == "COM11"


def test_names_with_numbers_sort_by_number():
    names = ["/dev/ttyACM10", "/dev/ttyACM2", "/dev/ttyACM1", "/dev/ttyUSB0", "COM10", "com9"]
    wanted = ["/dev/ttyACM1", "/dev/ttyACM2", "/dev/ttyACM10", "/dev/ttyUSB0", "com9", "COM10"]
    assert sorted(names, key=ports.sort_key) == wanted


def test_only_boards_that_may_be_tables_are_opened(plugged):
    plugged(
        Listed("/dev/ttyACM0"),
        Listed("/dev/ttyACM1", 0x2341, 0x0043),
        Listed("/dev/ttyS0", None, None),
        Listed("/dev/ttyACM2", 0x2E8A, 0x000C),
    )
    desk = Desk(**{"/dev/ttyACM0": "aa", "/dev/ttyACM1": "bb"})
    assert [port.device for port in ports.find(opener=desk.opener)] == ["/dev/ttyACM0"]
    assert desk.opened == ["/dev/ttyACM0"]


def test_named_ports_are_looked_at_too_and_once(plugged):
    plugged(Listed("COM3"))
    desk = Desk(COM3="aa", COM4="bb")
    found = ports.find(["com3", "com4", "COM4"], desk.opener)
    assert [(port.device, port.kind, port.board_id) for port in found] == [
        ("COM3", "usb", "aa"),
        ("COM4", "named", "bb"),
    ]


def test_virtual_boards_register_themselves(nothing_there):
    folder = ports.virtual_folder()
    assert folder == nothing_there / "virtual"
    assert ports.candidates() == []
    folder.mkdir()
    (folder / "tea.port").symlink_to("/dev/null")
    (folder / "gone.port").symlink_to("/dev/pts/no-such")
    (folder / "web.port").write_text("socket://127.0.0.1:5000\n")
    (folder / "empty.port").write_text("")
    (folder / "tea").mkdir()
    found = [(port.device, port.kind) for port in ports.candidates()]
    assert found == [(str(folder / "tea.port"), "virtual"), ("socket://127.0.0.1:5000", "virtual")]


def test_trouble_with_one_port_does_not_hide_the_others(plugged):
    plugged(Listed("COM3"), Listed("COM4"))
    desk = Desk(COM4="bb")
    found = ports.find(opener=desk.opener)
    assert isinstance(found[0].trouble, NoPort) and found[0].board_id == ""
    assert ports.choose(found).device == "COM4"


def test_two_tables_and_no_choice_are_listed_and_refused():
    found = [table("COM3", "aaaa0001"), table("COM10", "bbbb0002")]
    with pytest.raises(SeveralTables) as trouble:
        ports.choose(found)
    text = str(trouble.value)
    for name in ("COM3", "aaaa0001", "COM10", "bbbb0002", "--port"):
        assert name in text
    assert "\n" not in text and trouble.value.exit_code == errors.NO_DEVICE
    assert trouble.value.ports == found and not trouble.value.twins
    assert ports.choose(found, "bbbb").device == "COM10"
    assert ports.choose(found, "com10").device == "COM10"
    with pytest.raises(NoPort):
        ports.choose(found, "cccc")


def test_two_tables_with_one_id_are_never_chosen_by_it():
    found = [table("COM3", "aaaa0001"), table("COM10", "aaaa0001")]
    assert ports.twins(found) == [(found[0], found[1])]
    for wanted in ("", "aaaa0001", "aaaa"):
        with pytest.raises(SeveralTables) as trouble:
            ports.choose(found, wanted)
        assert trouble.value.twins and "one id" in str(trouble.value)
    assert ports.choose(found, "COM10") is found[1]


def test_nothing_there_says_what_to_do():
    with pytest.raises(NoPort) as trouble:
        ports.choose([])
    assert "--port" in str(trouble.value) and "cable" in str(trouble.value)


def test_the_only_port_that_has_a_trouble_tells_it():
    busy = Busy("COM3 is in use by mpremote (pid 5).", "mpremote (pid 5)")
    with pytest.raises(Busy) as trouble:
        ports.choose([PortInfo("COM3", "usb", trouble=busy)])
    assert trouble.value is busy
    with pytest.raises(Busy):
        ports.choose([PortInfo("COM3", "usb", trouble=busy), table("COM4", "aa")], "COM3")
    with pytest.raises(NoAnswer) as several:
        ports.choose([PortInfo("COM3", "usb", trouble=busy), PortInfo("COM4", "usb", trouble=NoAnswer("no"))])
    assert "COM3" in str(several.value) and "COM4" in str(several.value)


def test_settings_follow_the_table_not_the_socket(plugged):
    plugged(Listed("COM3"), Listed("COM4"))
    desk = Desk(COM3="aaaa0001", COM4="bbbb0002")
    desk.tables["COM3"].app.settings.values["sound"] = 1
    with ports.connect("aaaa0001", desk.opener) as session:
        assert (session.name, session.get("sound")) == ("COM3", 1)
    desk.tables["COM3"], desk.tables["COM4"] = desk.tables["COM4"], desk.tables["COM3"]
    with ports.connect("aaaa0001", desk.opener) as session:
        assert (session.name, session.get("sound")) == ("COM4", 1)


def test_reopen_follows_the_board_id_to_another_port(plugged):
    plugged(Listed("COM3"), Listed("COM7"))
    desk = Desk(COM3="bbbb0002", COM7="aaaa0001")
    session = ports.reopen("aaaa0001", "COM3", desk.opener)
    assert session.name == "COM7" and session.greeting.board_id == "aaaa0001"
    with pytest.raises(Lost):
        ports.reopen("cccc0003", "COM3", desk.opener)
    desk.put("COM3", "aaaa0001")
    with pytest.raises(SeveralTables):
        ports.reopen("aaaa0001", "", desk.opener)


def test_reopen_tries_the_port_that_the_user_named():
    desk = Desk(**{"/tmp/port": "aaaa0001"})
    assert ports.reopen("aaaa0001", "/tmp/port", desk.opener).name == "/tmp/port"


def test_open_gives_a_session_with_this_pcs_id(nothing_there, monkeypatch):
    class Opened:
        def __init__(self, device):
            self.name = device

    monkeypatch.setattr(ports, "SerialTransport", Opened)
    first, second = ports.open("COM3"), ports.open("COM3")
    assert isinstance(first, Session) and len(first.host_id) == 16 and first.host_id == second.host_id
    (nothing_there / "host_id").write_text("damaged")
    assert len(ports.open("COM3").host_id) == 16


def test_the_udev_rule_speaks_of_every_board_and_keeps_the_modem_service_away():
    assert int(transport.RULE_FILE.name.split("-")[0]) < 73
    rules = [line for line in transport.RULE_FILE.read_text().splitlines() if line.startswith("SUBSYSTEM")]
    for vendor, product in ports.USB_IDS:
        fitting = [rule for rule in rules if f'"{vendor:04x}"' in rule and f'"{product:04x}"' in rule]
        assert any(rule.startswith('SUBSYSTEM=="tty"') for rule in fitting)
        for rule in fitting:
            assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rule and 'TAG+="uaccess"' in rule
