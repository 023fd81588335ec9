"""The PC's port: for one program alone, every wait with an end, troubles in words."""

import errno
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
import tty
from pathlib import Path

import pytest
from chautari import errors, transport
from chautari.link import NoAnswer, Session
from chautari.transport import Busy, Lost, NoPermission, NoPort, SerialTransport, classified, normalise

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def line():
    """A raw pseudo terminal: (file descriptor of the far end, name of the port)."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.close(slave)
    yield master, name
    os.close(master)


def run(code, *arguments):
    """Start a program of its own that has the host's packages."""
    path = os.pathsep.join([str(ROOT / "host"), str(ROOT / "engine")])
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        text=True,
    )


HOLDS = """
import sys
from chautari.transport import SerialTransport
line = SerialTransport(sys.argv[1])
print("open", flush=True)
for _ in sys.stdin:
    print(line.read(5).decode().strip(), flush=True)
"""

TRIES = """
import sys
from chautari import errors
from chautari.transport import SerialTransport
try:
    SerialTransport(sys.argv[1])
except errors.Trouble as trouble:
    sys.exit(print(trouble, file=sys.stderr) or trouble.exit_code)
"""


def test_bytes_go_both_ways_through_a_symbolic_link(line, tmp_path):
    master, name = line
    link = tmp_path / "table.port"
    link.symlink_to(name)
    opened = SerialTransport(str(link))
    assert opened.name == str(link)
    every = bytes(range(256))
    opened.write(every)
    assert os.read(master, 4096) == every
    os.write(master, every)
    seen = b""
    while len(seen) < 256:
        seen += opened.read(5)
    assert seen == every
    assert opened.read(0.01) == b""
    opened.close()


def test_the_second_program_is_told_who_has_the_port_and_the_first_loses_nothing(line):
    master, name = line
    first = run(HOLDS, name)
    try:
        assert first.stdout.readline() == "open\n"
        second = run(TRIES, name)
        _, said = second.communicate()
        assert second.returncode == errors.BUSY
        assert "in use by" in said and f"(pid {first.pid})" in said and said.count("\n") == 1
        os.write(master, b"not lost\n")
        first.stdin.write("read\n")
        first.stdin.flush()
        assert first.stdout.readline() == "not lost\n"
    finally:
        first.kill()
        first.communicate()
    third = run(TRIES, name)
    _, said = third.communicate()
    assert (third.returncode, said) == (0, "")


def test_a_stopped_program_still_holds_the_port(line):
    _, name = line
    first = run(HOLDS, name)
    try:
        assert first.stdout.readline() == "open\n"
        first.send_signal(signal.SIGSTOP)
        with pytest.raises(Busy) as trouble:
            SerialTransport(name)
        assert f"(pid {first.pid})" in trouble.value.holder
    finally:
        first.kill()
        first.communicate()


def test_a_reader_that_stops_ends_a_write_with_an_error(line):
    _, name = line
    assert transport.WRITE_SECONDS < 2
    opened = SerialTransport(name, write_seconds=0.2)
    with pytest.raises(NoAnswer) as trouble:
        for _ in range(10_000):
            opened.write(b"x" * 240)
    assert "does not read" in str(trouble.value) and "\n" not in str(trouble.value)
    opened.close()


def test_a_request_to_a_reader_that_stopped_ends_too(line):
    _, name = line
    opened = SerialTransport(name, write_seconds=0.2)
    session = Session(opened)
    with pytest.raises(NoAnswer):
        opened.write(b"x" * 100_000)
    with pytest.raises(NoAnswer):
        session.hello(0.5)
    session.close()


@pytest.mark.parametrize("action", ["read", "write"])
def test_a_port_that_goes_away_is_lost(action):
    master, slave = pty.openpty()
    tty.setraw(slave)
    opened = SerialTransport(os.ttyname(slave))
    os.close(slave)
    os.close(master)
    with pytest.raises(Lost) as trouble:
        opened.read(5) if action == "read" else opened.write(b"x")
    assert "\n" not in str(trouble.value)
    opened.close()
    opened.close()


def test_a_closed_transport_is_lost_not_a_traceback(line):
    opened = SerialTransport(line[1])
    opened.close()
    with pytest.raises(Lost):
        opened.read(0.1)
    with pytest.raises(Lost):
        opened.write(b"x")


def test_closing_from_another_thread_ends_a_read(line):
    opened = SerialTransport(line[1])
    ended = []

    def read():
        try:
            opened.read(30)
        except Lost:
            ended.append("lost")

    thread = threading.Thread(target=read)
    thread.start()
    opened._line.cancel_read()
    opened.close()
    thread.join(20)
    assert not thread.is_alive()


def test_sockets_are_ports_too():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        opened = SerialTransport(f"socket://127.0.0.1:{port}")
        there, _ = server.accept()
        opened.write(b"hello\n")
        assert there.recv(100) == b"hello\n"
        there.sendall(b"world\n")
        seen = b""
        while len(seen) < 6:
            seen += opened.read(5)
        assert seen == b"world\n"
        there.close()
        with pytest.raises(Lost):
            while True:
                opened.read(1)
        opened.close()
    with pytest.raises(NoPort):
        SerialTransport(f"socket://127.0.0.1:{port}")


@pytest.mark.parametrize("port", ["/dev/no-such-port", "socket://127.0.0.1:1", "socket://nonsense", "strange://x"])
def test_no_such_port(port):
    with pytest.raises(NoPort) as trouble:
        SerialTransport(port)
    assert port in str(trouble.value) and "\n" not in str(trouble.value)
    assert trouble.value.exit_code == errors.NO_DEVICE


def test_no_answer_from_something_that_is_no_table(line):
    with Session(SerialTransport(line[1])) as session, pytest.raises(NoAnswer) as trouble:
        session.hello(0.3)
    assert line[1] in str(trouble.value)


class Group:
    def __init__(self, name, gid, members=()):
        self.gr_name, self.gr_gid, self.gr_mem = name, gid, list(members)


@pytest.fixture
def owned(monkeypatch):
    """Make a port belong to a group: owned(group or None, mode)."""

    def own(group, mode=0o20660):
        class Status:
            st_gid = group.gr_gid if group else 4321
            st_mode = mode

        def by_number(gid):
            if group is None:
                raise KeyError(gid)
            return group

        real = os.stat

        def status(path, *rest, **named):
            return Status if path == "/dev/ttyACM0" else real(path, *rest, **named)

        monkeypatch.setattr(transport.os, "stat", status)
        monkeypatch.setattr(transport.grp, "getgrgid", by_number)
        monkeypatch.setattr(transport.grp, "getgrnam", lambda name: group)
        monkeypatch.setattr(transport.getpass, "getuser", lambda: "anu")

    return own


def denied():
    trouble = classified("/dev/ttyACM0", OSError(errno.EACCES, "could not open port"))
    assert isinstance(trouble, NoPermission) and trouble.exit_code == errors.NO_PERMISSION
    assert "\n" not in str(trouble)
    return str(trouble)


def test_permission_names_the_group_that_owns_the_port_and_the_command(owned):
    owned(Group("uucp", 986))
    text = denied()
    assert "group uucp" in text and "sudo usermod -aG uucp anu" in text and "log out and in again" in text
    assert "dialout" not in text


def test_permission_of_somebody_just_put_into_the_group(owned):
    owned(Group("dialout", 20, ["anu"]))
    text = denied()
    assert "usermod" not in text and "Log out and in again" in text


@pytest.mark.parametrize(
    ("group", "mode"),
    [(Group("root", 0), 0o20660), (None, 0o20660), (Group("tty", 5), 0o20620), (Group("uucp", 986), 0o20600)],
    ids=["root", "unknown", "write only", "owner only"],
)
def test_permission_points_to_the_rule_when_no_group_helps(owned, group, mode):
    owned(group, mode)
    text = denied()
    assert "60-chautari.rules" in text and "udevadm" in text and "usermod" not in text
    assert transport.RULE_FILE.is_file()


def test_windows_says_no_permission_for_a_port_in_use(monkeypatch):
    monkeypatch.setattr(transport.sys, "platform", "win32")
    text = "could not open port 'COM11': PermissionError(13, 'Access is denied.', None, 5)"
    assert isinstance(classified("COM11", OSError(text)), Busy)


def test_other_troubles_are_one_line():
    trouble = classified("/dev/ttyACM0", ValueError("strange\nthing"))
    assert isinstance(trouble, NoPort) and "\n" not in str(trouble) and "strange" in str(trouble)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("COM10", "COM10"),
        ("com12", "COM12"),
        (r"\\.\COM11", "COM11"),
        ("//./com3", "COM3"),
        ("COM4:", "COM4"),
        (" COM5 ", "COM5"),
        ("/dev/ttyACM0", "/dev/ttyACM0"),
        ("socket://host:1", "socket://host:1"),
        ("/home/com1/port", "/home/com1/port"),
    ],
)
def test_names_of_ports(written, name):
    assert normalise(written) == name
