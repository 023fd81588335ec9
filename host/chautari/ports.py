"""Which tables are there: by USB id, by the register of virtual boards, then by hello."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from chautari import errors, folders
from chautari.link import Hello, Session, host_id
from chautari.transport import LinkError, Lost, NoAnswer, NoPort, SerialTransport, normalise
from chautari.virtual.serial_port import is_live

USB_IDS = {
    (0x2E8A, 0x0005): "Raspberry Pi Pico with MicroPython",
}
"""USB vendor and product of boards that may be tables; hello decides whether they are."""

HELLO_SECONDS = 2.0
"""A port that is looked at gets so long for its hello."""


class SeveralTables(LinkError):
    """More than one table fits. ports: which; twins: two of them bear one board id."""

    exit_code = errors.NO_DEVICE

    def __init__(self, ports: Sequence[PortInfo]) -> None:
        self.ports = list(ports)
        self.twins = bool(twins(ports))
        names = ", ".join(f"{port.device} ({port.board_id})" for port in ports)
        if self.twins:
            text = f"Two tables bear one id: {names}. Say which port with --port, and reset the id of one."
        else:
            text = f"Several tables: {names}. Say which with --port."
        super().__init__(text)


@dataclass(frozen=True)
class PortInfo:
    """One port that may lead to a table.

    device: what to open; kind: "usb", "virtual" or "named" (by the user); label: what the system calls it;
    usb: vendor:product in hex or ""; hello: what the table said, None if it was not asked or did not
    answer; trouble: why not.
    """

    device: str
    kind: str
    label: str = ""
    usb: str = ""
    hello: Hello | None = None
    trouble: LinkError | None = None

    @property
    def board_id(self) -> str:
        """The table's id, "" if unknown."""
        return self.hello.board_id if self.hello else ""


def sort_key(device: str) -> tuple[tuple[str, int], ...]:
    """Order of ports: names by letters, numbers in them by value, so COM3 comes before COM10."""
    parts = re.findall(r"(\D*)(\d*)", normalise(device))
    return tuple((text.lower(), int(number) if number else -1) for text, number in parts if text or number)


def virtual_folder() -> Path:
    """Return the folder in which running virtual boards register their ports, as `<name>.port`."""
    return folders.data_folder() / "virtual"


def candidates() -> list[PortInfo]:
    """Return the ports that may lead to a table, in order, without opening them."""
    found = []
    for port in list_ports.comports():
        if port.vid is not None and port.pid is not None and (port.vid, port.pid) in USB_IDS:
            label = port.description or USB_IDS[port.vid, port.pid]
            usb = f"{port.vid:04x}:{port.pid:04x}"
            found.append(PortInfo(normalise(port.device), "usb", label, usb))
    found.sort(key=lambda port: sort_key(port.device))
    return found + _virtual()


def _virtual() -> list[PortInfo]:
    found = []
    try:
        entries = sorted(virtual_folder().glob("*.port"), key=lambda entry: sort_key(entry.name))
    except OSError:
        return []
    for entry in entries:
        if not is_live(entry):  # a board that was killed leaves a link, perhaps to somebody's terminal
            continue
        device = str(entry)
        if entry.is_file():  # the address of a board that has no pseudo terminal
            try:
                device = entry.read_text(encoding="utf-8").strip()
            except (OSError, ValueError):
                continue
        if device:
            found.append(PortInfo(device, "virtual", f"virtual board {entry.stem}"))
    return found


def open(device: str) -> Session:
    """Open a port and return its session, not yet greeted. Raises LinkError."""
    return Session(SerialTransport(device), host_id=host_id(folders.data_folder()))


Opener = Callable[[str], Session]


def look(port: PortInfo, opener: Opener | None = None) -> PortInfo:
    """Ask the port for its hello; return what is known then."""
    try:
        with (opener or open)(port.device) as session:
            hello: Hello | None = session.hello(HELLO_SECONDS)
            trouble: LinkError | None = None
    except LinkError as error:
        hello = None
        trouble = error
    return PortInfo(port.device, port.kind, port.label, port.usb, hello, trouble)


def find(named: Iterable[str] = (), opener: Opener | None = None) -> list[PortInfo]:
    """Return all ports that may lead to a table, each asked for its hello.

    named: further ports, as the user wrote them.
    """
    ports = candidates()
    known = {port.device for port in ports}
    for name in dict.fromkeys(normalise(name) for name in named):
        if name not in known:
            ports.append(PortInfo(name, "named"))
    return [look(port, opener) for port in ports]


def twins(ports: Sequence[PortInfo]) -> list[tuple[PortInfo, PortInfo]]:
    """Return pairs of ports whose tables bear the same board id."""
    pairs = []
    for place, one in enumerate(ports):
        for other in ports[place + 1 :]:
            if one.board_id and one.board_id == other.board_id:
                pairs.append((one, other))
    return pairs


def choose(ports: Sequence[PortInfo], wanted: str = "") -> PortInfo:
    """Return the one table that is meant; never guesses.

    wanted: "" for the only one there is, else a port's name or the beginning of a board id.
    Raises NoPort when none fits (the trouble of the port, if that is why), SeveralTables when more do.
    """
    if wanted:
        name = normalise(wanted)
        by_name = [port for port in ports if port.device.lower() == name.lower()]
        start = wanted.lower()
        fitting = by_name or [port for port in ports if port.hello and port.board_id.startswith(start)]
        if not fitting:
            raise NoPort(f"There is no table {wanted}. See `chautari devices` for those there are.")
    else:
        fitting = [port for port in ports if port.hello]
        if not fitting:
            troubled = [port for port in ports if port.trouble]
            if len(troubled) == 1 and troubled[0].trouble:
                raise troubled[0].trouble
            if troubled:
                names = ", ".join(port.device for port in troubled)
                raise NoAnswer(f"No table answers on {names}. See `chautari doctor` for the reasons.")
            raise NoPort("No table found. Plug it in with a data cable, or name its port with --port.")
    if len(fitting) > 1:
        raise SeveralTables(fitting)
    if fitting[0].trouble:
        raise fitting[0].trouble
    return fitting[0]


def connect(wanted: str = "", opener: Opener | None = None) -> Session:
    """Find the table that is meant, open it and greet it. Raises LinkError.

    wanted: see choose(); the name of a port is opened without looking at any other.
    """
    device = normalise(wanted)
    if not _is_port(device):
        device = choose(find(opener=opener), wanted).device
    session = (opener or open)(device)
    try:
        session.hello()
    except BaseException:
        session.close()
        raise
    return session


def _is_port(name: str) -> bool:
    return name.startswith(("/", "COM", "socket://", "rfc2217://")) or "\\" in name


def reopen(board_id: str, first: str = "", opener: Opener | None = None) -> Session:
    """Find the table with this board id, whatever its port is called now; return a greeted session.

    first: the port to try before the others. Raises Lost when it is not there, SeveralTables for twins.
    """
    ports = candidates()
    devices = [port.device for port in ports]
    if first and first not in devices:
        ports.append(PortInfo(first, "named"))
    seen = [look(port, opener) for port in ports]
    fitting = [port for port in seen if port.board_id == board_id]
    if len(fitting) > 1:
        raise SeveralTables(fitting)
    if not fitting:
        raise Lost(f"The table {board_id} is not there. Plug it in again.")
    session = (opener or open)(fitting[0].device)
    try:
        hello = session.hello()
        if hello.board_id != board_id:
            raise Lost(f"The table {board_id} is not there. Plug it in again.")
    except BaseException:
        session.close()
        raise
    return session
