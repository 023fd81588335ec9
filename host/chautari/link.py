"""Talking with one table: requests and answers, resent until answered, each with an end.

Session is one open line. Connection follows one table across unplugging and other port names.
Kinds and shapes of the lines: tablelink.messages.
"""

from __future__ import annotations

import binascii
import os
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from cardrules.announcement import PACKED_SIZE, Announcement, unpack
from tablelink import asciijson, chunks, frames, messages

from chautari import board_files, errors
from chautari.transport import Busy, LinkError, Lost, NoAnswer, NoPermission, NoPort, Transport
from chautari.words import say

__all__ = [
    "Busy",
    "Connection",
    "Hello",
    "LinkError",
    "Lost",
    "News",
    "NoAnswer",
    "NoPermission",
    "NoPort",
    "Ping",
    "Refused",
    "Session",
    "Unsure",
    "VersionMismatch",
]

FIRST_WAIT = 0.25
"""Seconds until a request is sent again; each further wait is twice as long."""

END = 4.0
"""Seconds after which a request without an answer is NoAnswer."""

RENEW_SECONDS = 30.0
"""The same for a request that lets the table copy its journal."""

KEEP_ALIVE = 2.0
"""Seconds of silence after which a waiting session says that it is still there."""


UPDATE_TABLE = "Copy the firmware of this version onto it: the README's part on building one says how."

_REFUSALS = {
    "unknown_kind": f"Its firmware is older than this program. {UPDATE_TABLE}",
    "no_session": "It was started anew; try again.",
    "bad_values": "What was sent cannot be; see `chautari doctor` for both versions.",
    "stale": "Somebody pressed something meanwhile: look at the table, then try again.",
    "other_journal": "Its journal was begun anew; sync again.",
    "unknown_control": "It has no such button or key.",
    "unknown_setting": "`chautari settings show` lists the settings there are.",
    "setting_value": "`chautari settings show` says what is allowed.",
    "chunk_order": "Parts came in the wrong order; try again.",
    "too_long": "It does not fit one line.",
    "read_only": "It speaks another version: see `chautari doctor`.",
    "failed": "It met a fault of its own: see `chautari doctor`.",
}
"""What to do about the line's own refusals; those of the rules are worded in the catalogue."""


class VersionMismatch(LinkError):
    """Table and PC speak different versions: it can be read, not changed."""

    exit_code = errors.VERSIONS


class Unsure(Lost):
    """The table started anew before it answered: whether it did what was asked is not known."""


class Refused(LinkError):
    """The table says no. code: see tablelink.messages.REASONS and the rules' reasons; values: its numbers."""

    exit_code = errors.ERROR

    def __init__(self, kind: str, code: str, values: Sequence[int]) -> None:
        numbers = "".join(f" {value}" for value in values)
        text = _REFUSALS.get(code)
        if text is None:
            words = say(f"reason.{code}")
            # Fields that only the table can fill (a name, a seat) leave the bare code as the better word.
            text = "" if words == f"reason.{code}" or "{" in words else f"{words}."
        super().__init__(f"The table refuses {kind} ({code}{numbers}). {text}".strip())
        self.kind = kind
        self.code = code
        self.values = tuple(values)


@dataclass(frozen=True)
class Hello:
    """What a table says about itself; see tablelink.messages.HELLO."""

    major: int
    minor: int
    firmware: str
    engine: str = ""
    board_id: str = ""
    hardware_hint: str = ""
    settings: str = ""
    boots: int = 0
    uptime_ms: int = 0
    journal_id: str = ""
    first: int = 0
    last: int = 0
    seats: int = 0
    in_play: bool = False
    faults: tuple[str, ...] = ()
    booted: datetime = field(default=datetime.fromtimestamp(0, UTC), compare=False)
    """When this boot of the table began, UTC, as this PC's clock says."""

    @classmethod
    def read(cls, values: Sequence[object], booted_before: datetime) -> Hello:
        """Make it from an answer; booted_before: the PC's time when the answer's uptime was true.

        What another version left out or changed keeps its default. Raises ValueError when not even
        the versions can be read.
        """
        known: dict[str, Any] = {}
        for name, value in zip(messages.HELLO, values, strict=False):
            kind = cls._KINDS[name]
            if name == "in_play":
                value = bool(value)
            elif name == "faults":
                value = tuple(str(code) for code in value) if isinstance(value, list) else ()
            if isinstance(value, kind):
                known[name] = value
        if not {"major", "minor", "firmware"} <= known.keys():
            raise ValueError("not a hello")
        booted = booted_before - timedelta(milliseconds=known.get("uptime_ms", 0))
        return cls(**known, booted=booted)

    _KINDS = {
        "major": int,
        "minor": int,
        "firmware": str,
        "engine": str,
        "board_id": str,
        "hardware_hint": str,
        "settings": str,
        "boots": int,
        "uptime_ms": int,
        "journal_id": str,
        "first": int,
        "last": int,
        "seats": int,
        "in_play": bool,
        "faults": tuple,
    }


@dataclass(frozen=True)
class Ping:
    """A sign of life. state: number of the latest announcement; safe: of the latest in flash."""

    uptime_ms: int
    boots: int
    state: int
    safe: int
    settings: str
    booted: datetime


@dataclass(frozen=True)
class News:
    """There is more: journal id, highest number in flash, number of the latest announcement."""

    journal_id: str
    last: int
    state: int


class Session:
    """One open line to one table. Safe to use from several threads: one request at a time.

    counters: own counts: lines good, bad_checksum, too_long, not_a_frame, sent again, answers repeated.
    greeting: the answer to the last hello. news: the latest News, None before the first.
    on_news: called with each News, from whatever thread reads it; must not make requests itself.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
        protocol: tuple[int, int] = (messages.MAJOR, messages.MINOR),
        host_id: str = "",
        on_news: Callable[[News], None] | None = None,
    ) -> None:
        self.transport = transport
        self.host_id = host_id
        self.protocol = protocol
        self.greeting: Hello | None = None
        self.news: News | None = None
        self._told: News | None = None
        self.on_news = on_news
        self.sent_again = 0
        self.answers_repeated = 0
        self.decoder = frames.Decoder()
        self._clock = clock
        self._today = today
        self._nonce = secrets.token_hex(4)
        self._raw = b""  # the latest bytes, frames or not
        self._number = 0
        self._lock = threading.RLock()
        self._heard = clock()
        self._open = True

    # The session itself

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the line go. Nothing is said: a table does not need it."""
        self._open = False
        self.transport.close()

    @property
    def name(self) -> str:
        """Name of the port."""
        return self.transport.name

    @property
    def read_only(self) -> bool:
        """True when the table speaks another major version."""
        return self.greeting is not None and self.greeting.major != self.protocol[0]

    def counters(self) -> dict[str, int]:
        """Return this end's counts."""
        decoder = self.decoder
        return {
            "good": decoder.good,
            "bad_checksum": decoder.bad_checksum,
            "too_long": decoder.too_long,
            "not_a_frame": decoder.not_a_frame,
            "sent_again": self.sent_again,
            "answers_repeated": self.answers_repeated,
        }

    def hello(self, seconds: float = END) -> Hello:
        """Open the session, or ask again. Raises NoAnswer, Lost.

        A table of another major version is greeted too; from then on only reading is allowed.
        """
        with self._lock:
            if self.greeting is None:
                self.transport.write(b"\n")  # ends what another program left unfinished
            major, minor = self.protocol
            answer = self._ask(messages.HELLO_KIND, (major, minor, self.host_id), seconds)
            try:
                self.greeting = Hello.read(answer, self._today())
            except ValueError:
                raise NoAnswer(
                    f"What is on {self.name} is not a table. See `chautari devices`."
                ) from None
            return self.greeting

    def mismatch(self) -> VersionMismatch | None:
        """Return what to tell about different versions, None if they go together."""
        hello = self.greeting
        if hello is None or hello.major == self.protocol[0]:
            return None
        table = f"{hello.major}.{hello.minor} (firmware {hello.firmware})"
        here = f"{self.protocol[0]}.{self.protocol[1]}"
        if hello.major < self.protocol[0]:
            advice = UPDATE_TABLE
        else:
            advice = "Update Chautari on this PC (the host), for example `pip install --upgrade chautari`."
        return VersionMismatch(f"The table speaks protocol {table}, this PC {here}: reading only. {advice}")

    # Requests

    def request(self, kind: str, *args: object, seconds: float = END) -> list[object]:
        """Ask and return the answer's values.

        Raises Refused, NoAnswer (within `seconds`, 4 unless told), Lost, Unsure, VersionMismatch.
        """
        with self._lock:
            if self.greeting is None:
                self.hello(seconds)
            mismatch = self.mismatch()
            if mismatch and kind not in messages.READING and kind not in (messages.CONSOLE, messages.RESET):
                raise mismatch
            try:
                return self._ask(kind, args, seconds)
            except Refused as no:
                if no.code != "no_session":
                    raise
            # The table was started anew and knows nobody.
            board_id = self.greeting.board_id if self.greeting else ""
            if self.hello(seconds).board_id != board_id:
                raise Lost(f"On {self.name} is another table now. Connect again.")
            if kind not in messages.READING:
                raise Unsure(
                    f"The table on {self.name} started anew before it answered; look at it, then do it again."
                )
            return self._ask(kind, args, seconds)

    def ping(self) -> Ping:
        """Return a sign of life."""
        with self._lock:
            uptime, boots, state, safe, settings = self._shaped(messages.PING, (), int, int, int, int, str)
            booted = self._today() - timedelta(milliseconds=uptime)
            return Ping(uptime, boots, state, safe, settings, booted)

    def status(self) -> list[object]:
        """Return [state number, ...what the table's application says about itself]."""
        try:
            return self.request(messages.STATUS)
        except Refused as no:
            if no.code != "too_long":
                raise
        status = asciijson.loads(self._fetch(messages.STATUS))
        if not isinstance(status, list):
            raise self._odd(messages.STATUS)
        return status

    def announcements(self, after: int, journal_id: str = "") -> tuple[list[Announcement], int, int]:
        """Return (the next announcements above `after`, in order; first; last).

        One line's worth: ask again from the last of them. first, last: what the table still has.
        Raises Refused with code other_journal when the table's journal is not journal_id
        (default: that of the greeting).
        """
        with self._lock:
            if self.greeting is None:
                self.hello()
            assert self.greeting is not None
            wanted = journal_id or self.greeting.journal_id
            _, first, last, text = self._shaped(
                messages.ANNOUNCEMENTS, (wanted, after), str, int, int, str
            )
            try:
                packed = chunks.unbase64(text)
                if len(packed) % PACKED_SIZE:
                    raise ValueError
            except ValueError:
                raise self._odd(messages.ANNOUNCEMENTS) from None
            said = [unpack(packed, offset) for offset in range(0, len(packed), PACKED_SIZE)]
            return said, first, last

    def renew(self, journal_id: str) -> str:
        """Let the table go on under a new journal id, because this one has gone back; return the new id."""
        answer = self._shaped(messages.RENEW, (journal_id,), str, int, seconds=RENEW_SECONDS)
        return str(answer[0])

    def acknowledge(self, journal_id: str, number: int, *, take: bool = False) -> bool:
        """Say that all up to number is safe here; return True if this PC is the table's owner.

        take: become the owner, whoever was it before.
        """
        if not self.host_id:
            raise ValueError("a session that acknowledges needs a host id")
        answer = self._shaped(
            messages.ACKNOWLEDGE, (journal_id, number, self.host_id, int(take)), int, int
        )
        return bool(answer[1])

    def say(self, state: int, what: int, seat: int, arg: int = 0) -> tuple[int, int]:
        """Announce at the table; state: number of the latest announcement that the PC knew.

        Return (number of the latest announcement now, number of the latest in flash).
        Raises Refused with code stale when something was announced since, or the rules' reason.
        """
        number, safe = self._shaped(messages.SAY, (state, what, seat, arg), int, int)
        return number, safe

    def press(self, control: str, action: str = "tap", state: int | None = None) -> None:
        """Press a control of the table from here; action: down, up or tap."""
        self.request(messages.PRESS, control, action, state)

    def get(self, key: str) -> object:
        """Return one setting."""
        try:
            answer = self.request(messages.GET, key)
        except Refused as no:
            if no.code != "too_long":
                raise
            return self.settings()[key]
        if len(answer) != 1:
            raise self._odd(messages.GET)
        return answer[0]

    def set(self, key: str, value: object) -> None:
        """Change one setting. Raises Refused."""
        if len(asciijson.dumps([key, value])) > chunks.SIZE:
            self.put({key: value})
        else:
            self.request(messages.SET, key, value)

    def settings(self) -> dict[str, Any]:
        """Return all settings."""
        pairs = asciijson.loads(self._fetch(messages.SETTINGS))
        if not isinstance(pairs, list):
            raise self._odd(messages.SETTINGS)
        return {pair[0]: pair[1] for pair in pairs}

    def put(self, settings: dict[str, Any]) -> None:
        """Change several settings, all or none. Raises Refused."""
        whole = asciijson.dumps([[key, value] for key, value in settings.items()]).encode()
        offset = 0
        complete = 0
        while not complete:
            chunk = chunks.cut(whole, offset)
            so_far, complete = self._shaped(messages.PUT, tuple(chunk), int, int)
            if not complete and so_far <= offset:
                raise self._odd(messages.PUT)
            offset = so_far

    def faults(self) -> list[str]:
        """Return the codes of all faults that the table knows of."""
        codes = asciijson.loads(self._fetch(messages.FAULTS))
        return [str(code) for code in codes] if isinstance(codes, list) else []

    def board_counters(self) -> dict[str, int]:
        """Return the table's counts; see tablelink.messages.COUNTERS."""
        values = self.request(messages.COUNTERS_KIND)
        names = messages.COUNTERS
        return {name: value for name, value in zip(names, values, strict=False) if isinstance(value, int)}

    def console(self) -> None:
        """End the table's program and leave the line to the MicroPython console, even in play."""
        self.request(messages.CONSOLE)

    def reset(self) -> None:
        """Start the table anew."""
        self.request(messages.RESET)

    def wait(self, seconds: float) -> News | None:
        """Wait for news for at most so long; return it, or None. Also tells the table we are there.

        News that came in between, beside the answer to a request, is returned at once.
        """
        with self._lock:
            end = self._clock() + seconds
            while self.news is self._told and self._clock() < end:
                if self._clock() - self._heard >= KEEP_ALIVE:
                    self.ping()
                self._take(min(end - self._clock(), KEEP_ALIVE / 2))
            if self.news is self._told:
                return None
            self._told = self.news
            return self.news

    # Inside

    def _ask(self, kind: str, args: Sequence[object], seconds: float) -> list[object]:
        self._number += 1
        self._raw = b""
        number = self._number
        line = frames.encode(number, kind, [self._nonce, *args])
        end = self._clock() + seconds
        wait = FIRST_WAIT
        self.transport.write(line)
        again = self._clock() + wait
        while True:
            for answered, answer, values in self._take(min(again, end) - self._clock()):
                if answered != number or not values or values[0] not in (self._nonce, ""):
                    self.answers_repeated += 1
                    continue
                if answer == messages.ACK:
                    return values[1:]
                code = values[1] if len(values) > 1 else ""
                rest = [value for value in values[2:] if isinstance(value, int)]
                raise Refused(kind, str(code), rest)
            time_now = self._clock()
            if time_now >= end:
                self._number += 1  # tells the table that this answer was not read
                if b">>> " in self._raw:
                    raise NoAnswer(
                        f"On {self.name} is a MicroPython console; the table's program does not run."
                        f" Start it again: `mpremote connect {self.name} reset`, or unplug it and plug it in."
                    )
                raise NoAnswer(
                    f"What is on {self.name} does not answer ({seconds:g} seconds)."
                    " Is it a table, and does its program run? See `chautari doctor`."
                )
            if time_now >= again:
                wait *= 2
                again = time_now + wait
                self.sent_again += 1
                self.transport.write(line)

    def _take(self, seconds: float) -> list[tuple[int, str, list[object]]]:
        """Read once; return the answers among what came, after taking note of news."""
        if not self._open:
            raise Lost(f"The line to {self.name} is closed.")
        answers = []
        data = self.transport.read(max(0.0, seconds))
        self._raw = (self._raw + data)[-400:]
        for number, kind, values in self.decoder.feed(data) if data else []:
            self._heard = self._clock()
            if kind in (messages.ACK, messages.NAK):
                answers.append((number, kind, values))
            elif kind == messages.NEW:
                self.transport.write(frames.encode(number, messages.GOT, [self._nonce]))
                self._note(values)
        return answers

    def _note(self, values: list[object]) -> None:
        if len(values) < 3:
            return
        journal_id, last, state = values[:3]
        if isinstance(journal_id, str) and isinstance(last, int) and isinstance(state, int):
            self.news = News(journal_id, last, state)
            if self.on_news:
                self.on_news(self.news)

    def _shaped(
        self, kind: str, args: Sequence[object], *shape: type, seconds: float = END
    ) -> list[Any]:
        answer = self.request(kind, *args, seconds=seconds)
        if len(answer) < len(shape):
            raise self._odd(kind)
        for value, wanted in zip(answer, shape, strict=False):
            if not isinstance(value, wanted):
                raise self._odd(kind)
        return answer[: len(shape)]

    def _fetch(self, kind: str) -> bytes:
        """Return what the table sends in chunks."""
        with self._lock:
            for _ in range(5):  # it may change while it is on its way
                joiner = chunks.Joiner()
                try:
                    while True:
                        whole = joiner.add(self.request(kind, joiner.next))
                        if whole is not None:
                            return whole
                except ValueError:
                    continue
                except Refused as no:
                    if no.code != "chunk_order":
                        raise
        raise self._odd(kind)

    def _odd(self, kind: str) -> LinkError:
        version = self.greeting.firmware if self.greeting else "unknown"
        return LinkError(
            f"The table's answer to {kind} is not understood (firmware {version}). {UPDATE_TABLE}"
        )


def engine_fingerprint(folder: Path | None = None) -> str:
    """Return the fingerprint of the rules in folder, as a table makes it.

    Without a folder: of the rules that this PC would put onto a board.
    """
    if folder is None:
        listed = [(Path(there), here) for there, here in board_files.listing()]
        sources = {
            there.relative_to("cardrules").as_posix(): here
            for there, here in listed
            if there.parts[0] == "cardrules"
        }
    else:
        found = [path for path in folder.rglob("*") if path.suffix in (".py", ".mpy")]
        sources = {path.relative_to(folder).as_posix(): path for path in found}
    crc = 0
    for there in sorted(sources):
        crc = binascii.crc32(there.encode() + b"\n", crc)
        crc = binascii.crc32(sources[there].read_bytes(), crc)
    return f"{crc:08x}"


def host_id(folder: Path) -> str:
    """Return the id of this PC, kept in the data folder; made at the first call."""
    path = folder / "host_id"
    try:
        text = path.read_text(encoding="ascii").strip()
        if len(text) == 16 and all(sign in "0123456789abcdef" for sign in text):
            return text
    except (OSError, ValueError):
        pass
    text = secrets.token_hex(8)
    folder.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"host_id.{os.getpid()}")
    temporary.write_text(text + "\n", encoding="ascii")
    os.replace(temporary, path)
    return text


Result = TypeVar("Result")


class Connection:
    """One table, followed by its board id across unplugging, other port names and restarts.

    tell: called with one line when the table is lost and one when it is back.
    """

    FIRST_PAUSE = 0.5
    LONGEST_PAUSE = 8.0

    def __init__(
        self,
        session: Session,
        reopen: Callable[[str, str], Session],
        tell: Callable[[str], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """session: greeted; reopen: takes a board id and the port it was on last, returns a greeted
        session of that table, raises LinkError while it is not there (see ports.reopen)."""
        hello = session.greeting or session.hello()
        self.board_id = hello.board_id
        self.session: Session | None = session
        self._port = session.name
        self._reopen = reopen
        self._tell = tell
        self._clock = clock
        self._sleep = sleep
        self._pause = self.FIRST_PAUSE
        self._next = 0.0

    def run(self, work: Callable[[Session], Result]) -> Result | None:
        """Let work use the table; None when the table is away (nothing was or could be done).

        Losing it in the middle of work is told once; later calls try to get it back, at intervals
        that double up to LONGEST_PAUSE. Never raises Lost or NoAnswer.
        """
        if self.session is None and not self._try():
            return None
        assert self.session is not None
        try:
            return work(self.session)
        except (Lost, NoAnswer) as error:
            self._lose(error)
            return None

    def wait_back(self, seconds: float) -> bool:
        """Wait until the table is there again, at most so long."""
        end = self._clock() + seconds
        while self.session is None:
            if self._try():
                return True
            left = end - self._clock()
            if left <= 0:
                return False
            self._sleep(min(left, max(0.05, self._next - self._clock())))
        return True

    def close(self) -> None:
        """Let the line go."""
        if self.session is not None:
            self.session.close()
            self.session = None

    def _lose(self, error: LinkError) -> None:
        assert self.session is not None
        self._tell(f"Device lost: {error}")
        self.session.close()
        self.session = None
        self._pause = self.FIRST_PAUSE
        self._next = self._clock() + self._pause

    def _try(self) -> bool:
        if self._clock() < self._next:
            return False
        try:
            session = self._reopen(self.board_id, self._port)
        except LinkError:
            self._pause = min(2 * self._pause, self.LONGEST_PAUSE)
            self._next = self._clock() + self._pause
            return False
        self.session = session
        self._port = session.name
        self._tell(f"Device back on {session.name}.")
        return True
