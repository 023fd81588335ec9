"""The table's end of the line to the PC.

Link is the whole behaviour without any waiting: received() takes bytes, tick() looks at the clock,
output goes into a small queue. serve() drives it from asyncio; Console is the real line, shared with
the MicroPython console. Kinds and shapes: tablelink.messages.

A table without a PC, or with one that never reads, plays on: what does not fit the queue is dropped
and counted. A port that says it takes more takes one byte at least, and waits when it is given too
many. So pieces are written only as long as the PC shows that it reads, and else byte by byte.
"""

import asyncio
import binascii
import gc
import os
import select
import sys

import cardrules
from cardrules import announcement
from tablelink import asciijson, chunks, frames, messages

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from typing import Any


FIRMWARE = "0.1.0"
"""Version of the firmware, told in hello."""

TICK_MS = 20
TAP_MS = 60
"""A remote tap holds its control down for so long."""

SAFE_MS = 1000
"""`say` is answered when it is in flash, or after so long with what is in flash by then."""

DRAIN_MS = 500
"""The answer to `console` and `reset` gets so long to leave."""

SESSIONS = 4
"""Host programs whose last request is remembered, so that a late repeat is never a new request."""

QUEUE = 3 * frames.LONGEST
PIECE = 64
"""Bytes written before other tasks get their turn."""

CREDIT = 250
"""Bytes that may be on their way before the PC has shown that it reads; a Pico's USB buffer has 256."""

STALL_MS = 100
"""A piece that took so long was too much: from then on byte by byte."""

PER_LINE = 8
"""Announcements in one line."""

CONTROLS = tuple("seat%d" % seat for seat in range(1, 7)) + tuple("0123456789ABCD*#")
ALWAYS = (messages.CONSOLE, messages.RESET)
"""Beside reading, what another protocol version may ask: the road to an update."""



class _Session:
    def __init__(self, nonce: str, number: int) -> None:
        self.nonce = nonce
        self.number = number  # of the last request
        self.answer = b""  # empty while it is being worked on
        self.reads_only = False


class _No(Exception):
    """Refusal of a request; args: code and whole numbers."""


class Link:
    """The table's end.

    app: see table.app; read: async function, returns the next bytes (at least one);
    write: function, takes bytes and whether there is surely room for all of them, returns how many it
    took, never waits.

    left: "" while the line is served, then "console" or "reset": what the PC asked for.
    engine: fingerprint of the rules on this board, "" until serve() has read them.
    """

    def __init__(
        self,
        app: "Any",
        read: "Callable[[], Awaitable[bytes]]",
        write: "Callable[[bytes, bool], int]",
    ) -> None:
        self.app = app
        self.engine = ""
        self.left = ""
        self.decoder = frames.Decoder()
        self.unknown = 0
        self.repeats = 0
        self.out_of_date = 0
        self.news_again = 0
        self.dropped = 0
        self._read = read
        self._write = write
        self.trouble: Exception | None = None  # what a request ran into
        self._sessions: list[_Session] = []  # the latest first
        self._heard: int | None = None  # ticks of the last request
        self._queue = b""
        self._unread = 0  # bytes written since the PC showed that it reads
        self._stalled = False
        self._told: list[object] | None = None  # what the PC confirmed to know
        self._news: tuple[int, list[object]] | None = None  # number and what it says
        self._news_at = 0
        self._news_wait = 0
        self._news_number = 0
        self._safe: tuple[_Session, int, int] | None = None  # session, request, announcement not in flash
        self._safe_at = 0
        self._held: dict[str, int | None] = {}  # control -> ticks of its release, None while held
        self._outgoing = b""
        self._joiner = chunks.Joiner()
        self._leaving = ""
        self._leaving_at = 0
        self._interrupt: int | None = None

    # What the application may ask

    @property
    def connected(self) -> bool:
        """True while a PC has an open session and was heard of lately."""
        return self._heard is not None and self._since(self._heard) < messages.QUIET_MS

    def counters(self) -> list[int]:
        """Return the counts in the order of messages.COUNTERS."""
        decoder = self.decoder
        controls = getattr(self.app, "controls", None)
        return [
            decoder.good,
            decoder.bad_checksum,
            decoder.too_long,
            decoder.not_a_frame,
            self.unknown,
            self.repeats,
            self.out_of_date,
            self.news_again,
            self.dropped,
            controls.ghosts if controls is not None else 0,
            controls.lost if controls is not None else 0,
            getattr(self.app, "heap_free", 0),
            gc.mem_free() + gc.mem_alloc() if hasattr(gc, "mem_free") else 0,
        ]

    # Driven by serve(), or by a test

    def received(self, data: bytes) -> None:
        """Take bytes from the line, carry out what they ask for, put the answers into the queue."""
        self._interrupt_policy()  # whoever is told that a match is in play may count on it
        for number, kind, values in self.decoder.feed(data):
            self._frame(number, kind, values)
        self.pump()

    def tick(self) -> None:
        """Do what is due: late answers, releases, news, the interrupt character. Never waits."""
        self._interrupt_policy()
        if not self.connected:
            self._heard = None  # ticks wrap: after a week of silence it would look recent
        if self._safe is not None:
            journal = self.app.journal
            session, number, said = self._safe
            if journal.durable >= said or self._since(self._safe_at) >= SAFE_MS:
                self._safe = None
                self._answer(session, number, messages.ACK, [said, journal.durable])
        if self._held:
            self._let_go()
        self._tell_news()
        self.pump()
        if self._leaving and (not self._queue or self._since(self._leaving_at) >= DRAIN_MS):
            self.left = self._leaving

    def _let_go(self) -> None:
        for control, at in list(self._held.items()):
            if not self.connected or (at is not None and self._since(at) >= 0):
                del self._held[control]
                self.app.remote(control, False)

    def pump(self) -> bool:
        """Write at most PIECE bytes of the queue; return True when the port took them all."""
        if not self._queue:
            return False
        piece = self._queue[:PIECE]
        began = self._now()
        taken = self._write(piece, not self._stalled and self._unread + len(piece) <= CREDIT)
        if self._since(began) >= STALL_MS:
            self._stalled = True
        self._unread += taken
        self._queue = self._queue[taken:]
        return taken == len(piece)

    async def serve(self) -> str:
        """Serve the line until the PC asks for the console or a reset; return which."""
        reader = asyncio.create_task(self._receive())
        steps: Iterator[int] | None = engine_steps(_folder(cardrules))
        crc = 0
        try:
            while not self.left:
                self.tick()
                if reader.done():
                    await reader  # says why
                if steps is not None:
                    try:
                        crc = next(steps)
                    except StopIteration:
                        self.engine = "%08x" % crc
                        steps = None
                left = len(self._queue)
                if self.pump():
                    await _sleep(0)
                else:
                    await _sleep(2 if steps is not None or len(self._queue) < left else TICK_MS)
        finally:
            reader.cancel()
            self._set_interrupt(3)
        return self.left

    async def _receive(self) -> None:
        while True:
            data = await self._read()
            if not data:  # end of file: nobody there
                await _sleep(100)
                continue
            self.received(data)
            while self.pump():
                await _sleep(0)

    # Lines in

    def _frame(self, number: int, kind: str, values: list[object]) -> None:
        if kind == messages.GOT:
            if self._news is not None and self._news[0] == number:
                self._unread = 0
                self._told = self._news[1]
                self._news = None
            return
        if kind in (messages.ACK, messages.NAK, messages.NEW):
            self.unknown += 1  # an echo of our own
            return
        nonce = values[0] if values else None
        if not isinstance(nonce, str) or len(nonce) != 8:
            self._send(number, messages.NAK, ["", "bad_values"])
            return
        session = self._session(nonce)
        if kind == messages.HELLO_KIND:
            self._hello(session, nonce, number, values[1:])
            return
        if session is None:
            self._send(number, messages.NAK, [nonce, "no_session"])
            return
        if number < session.number:
            self.out_of_date += 1
            return
        self._heard = self._now()
        if number == session.number:
            if session.answer:
                self.repeats += 1
                self._put(session.answer)
            return
        if number == session.number + 1:
            self._unread = 0
        session.number = number
        session.answer = b""
        try:
            answer = self._carry_out(session, number, kind, values[1:])
        except _No as no:
            self._answer(session, number, messages.NAK, list(no.args))
            return
        except Exception as error:
            # A fault of ours must not end the evening of six people: it is noted and told.
            if "link" not in self.app.board.faults:
                self.app.board.faults.append("link")
            self.trouble = error
            self._answer(session, number, messages.NAK, ["failed"])
            return
        if answer is not None:
            self._answer(session, number, messages.ACK, answer)

    def _session(self, nonce: str) -> "_Session | None":
        for place, session in enumerate(self._sessions):
            if session.nonce == nonce:
                if place:
                    del self._sessions[place]
                    self._sessions.insert(0, session)
                return session
        return None

    def _hello(self, session: "_Session | None", nonce: str, number: int, values: list[object]) -> None:
        if session is None:
            session = _Session(nonce, number)
            self._sessions.insert(0, session)
            del self._sessions[SESSIONS:]
            self._told = None
            self._news = None
            self._unread = 0
            self._stalled = False
        elif number > session.number:
            if number == session.number + 1:
                self._unread = 0
            session.number = number
            session.answer = b""
        session.reads_only = not values or values[0] != messages.MAJOR
        self._heard = self._now()
        app = self.app
        journal = app.journal
        settings = app.settings
        faults = list(self.faults())
        said = [
            nonce,
            messages.MAJOR,
            messages.MINOR,
            FIRMWARE,
            self.engine,
            settings.get("board_id"),
            app.board.hardware_id().hex(),
            settings.fingerprint(),
            journal.boots,
            self._uptime(),
            journal.id,
            journal.first,
            journal.durable,
            len(app.board.seats),
            1 if app.in_play() else 0,
        ]
        while faults and frames.room(number, messages.ACK, said + [faults]) < 0:
            faults.pop()
        self._send(number, messages.ACK, said + [faults])

    def _carry_out(
        self, session: _Session, number: int, kind: str, values: list[object]
    ) -> "list[object] | None":
        if kind not in messages.REQUESTS:
            self.unknown += 1
            raise _No("unknown_kind")
        if session.reads_only and kind not in messages.READING and kind not in ALWAYS:
            raise _No("read_only")
        app = self.app
        journal = app.journal
        settings = app.settings
        if kind == messages.PING:
            return [self._uptime(), journal.boots, journal.last, journal.durable, settings.fingerprint()]
        if kind == messages.STATUS:
            status: list[object] = [journal.last]
            status += app.status()
            return self._chunk(values, status) if values else status
        if kind == messages.ANNOUNCEMENTS:
            return self._announcements(values)
        if kind == messages.RENEW:
            return self._renew(values)
        if kind == messages.ACKNOWLEDGE:
            return self._acknowledge(values)
        if kind == messages.SAY:
            return self._say(session, number, values)
        if kind == messages.PRESS:
            return self._press(values)
        if kind == messages.GET:
            return [self._get(_text(values, 0))]
        if kind == messages.SET:
            if len(values) != 2:
                raise _No("bad_values")
            self._set(_text(values, 0), values[1])
            return []
        if kind == messages.SETTINGS:
            return self._chunk(values, [[key, value] for key, value in settings.items()])
        if kind == messages.FAULTS:
            return self._chunk(values, list(self.faults()))
        if kind == messages.PUT:
            return self._put_settings(values)
        if kind == messages.COUNTERS_KIND:
            counts: list[object] = []
            counts += self.counters()
            return counts
        self._leaving = kind  # console or reset
        self._leaving_at = self._now()
        return []

    def _announcements(self, values: list[object]) -> list[object]:
        journal = self.app.journal
        if _text(values, 0) != journal.id:
            raise _No("other_journal")
        said = journal.read(_count(values, 1), PER_LINE)
        packed = b"".join([announcement.pack(one) for one in said])
        return [journal.id, journal.first, journal.durable, chunks.base64(packed)]

    def _renew(self, values: list[object]) -> list[object]:
        journal = self.app.journal
        if _text(values, 0) != journal.id:
            raise _No("other_journal")
        if not journal.renew():
            raise _No("failed")
        if self._safe is not None:
            # What another program said has been written with the rest, and has another number now.
            session, number, _ = self._safe
            self._safe = None
            self._answer(session, number, messages.ACK, [journal.last, journal.durable])
        return [journal.id, journal.durable]

    def _acknowledge(self, values: list[object]) -> list[object]:
        journal = self.app.journal
        settings = self.app.settings
        if _text(values, 0) != journal.id:
            raise _No("other_journal")
        number = _count(values, 1)
        host = _text(values, 2)
        if number > journal.durable or not host:
            raise _No("bad_values")
        owner = settings.get("owner")
        if owner != host and (not owner or _count(values, 3)):
            self._set("owner", host)
            owner = host
        if owner == host:
            journal.acknowledge(number)
        return [number, 1 if owner == host else 0]

    def _say(self, session: _Session, number: int, values: list[object]) -> "list[object] | None":
        journal = self.app.journal
        state = _count(values, 0)
        what = _count(values, 1)
        seat = _count(values, 2)
        arg = _count(values, 3)
        if what > 255 or arg > 0xFFFFFFFF or seat > announcement.NO_SEAT or what == announcement.BOOT:
            raise _No("bad_values")
        if state != journal.last:
            raise _No("stale", journal.last)
        reason = self.app.say(what, seat, arg)
        if reason is not None:
            raise _No(*reason)
        if journal.durable >= journal.last:
            return [journal.last, journal.durable]
        if self._safe is not None:  # of a program that did not wait for its answer
            self._answer(self._safe[0], self._safe[1], messages.ACK, [self._safe[2], journal.durable])
        self._safe = (session, number, journal.last)
        self._safe_at = self._now()
        return None

    def _press(self, values: list[object]) -> list[object]:
        control = _text(values, 0)
        action = _text(values, 1)
        if control not in CONTROLS or action not in ("down", "up", "tap"):
            raise _No("unknown_control")
        if len(values) > 2 and values[2] is not None:
            state = _count(values, 2)
            if state != self.app.journal.last:
                raise _No("stale", self.app.journal.last)
        if action == "up":
            if control in self._held:
                del self._held[control]
                self.app.remote(control, False)
        else:
            if control not in self._held:
                self.app.remote(control, True)
            self._held[control] = self._now() + TAP_MS if action == "tap" else None
        return []

    def _get(self, key: str) -> object:
        for name, value in self.app.settings.items():
            if name == key:
                if len(asciijson.dumps(value)) > chunks.SIZE:
                    raise _No("too_long")
                return value
        raise _No("unknown_setting")

    def _set(self, key: str, value: object) -> None:
        reason = self.app.set(key, value)
        if reason is not None:
            raise _No(*reason)

    def _chunk(self, values: list[object], whole: object) -> list[object]:
        offset = _count(values, 0)
        if offset == 0:
            self._outgoing = asciijson.dumps(whole).encode()
        elif offset >= len(self._outgoing):
            raise _No("chunk_order", 0)
        return chunks.cut(self._outgoing, offset)

    def _put_settings(self, values: list[object]) -> list[object]:
        try:
            whole = self._joiner.add(values)
        except ValueError:
            raise _No("chunk_order", self._joiner.next) from None
        if whole is None:
            return [self._joiner.next, 0]
        self._joiner.clear()
        try:
            pairs = asciijson.loads(whole)
        except ValueError:
            raise _No("bad_values") from None
        if not isinstance(pairs, list):
            raise _No("bad_values")
        before = dict(self.app.settings.items())
        done = []
        try:
            for pair in pairs:
                if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
                    raise _No("bad_values")
                self._set(pair[0], pair[1])
                done.append(pair[0])
        except _No:
            for key in done:  # all or nothing
                self.app.set(key, before[key])
            raise
        return [len(whole), 1]

    # Lines out

    def _answer(self, session: _Session, number: int, kind: str, values: list[object]) -> None:
        try:
            line = frames.encode(number, kind, [session.nonce] + values)
        except ValueError:
            line = frames.encode(number, messages.NAK, [session.nonce, "too_long"])
        if session.number == number:
            session.answer = line
        self._put(line)

    def _send(self, number: int, kind: str, values: list[object]) -> None:
        self._put(frames.encode(number, kind, values))

    def _put(self, line: bytes) -> None:
        if len(self._queue) + len(line) > QUEUE:
            self.dropped += 1
            return
        self._queue += line

    def _tell_news(self) -> None:
        if not self.connected:
            self._news = None
            return
        journal = self.app.journal
        told = self._told
        if self._news is not None:
            if self._since(self._news_at) < self._news_wait:
                return
        elif told and told[2] == journal.last and told[1] == journal.durable and told[0] == journal.id:
            return  # nothing is made while there is nothing to tell: this runs fifty times a second
        news: list[object] = [journal.id, journal.durable, journal.last]
        if self._news is not None:
            self.news_again += 1
            self._news_wait = min(2 * self._news_wait, messages.NEWS_LONGEST_MS)
            if self._news[1] == news:
                self._news_at = self._now()
                self._send(self._news[0], messages.NEW, news)
                return
        else:
            self._news_wait = messages.NEWS_FIRST_MS
        self._news_number = self._news_number + 1 & frames.HIGHEST
        self._news = (self._news_number, news)
        self._news_at = self._now()
        self._send(self._news_number, messages.NEW, news)

    # The table behind it

    def faults(self) -> list[str]:
        """Return the codes of all faults known, each once."""
        app = self.app
        seen = list(app.board.faults)
        for part in (app.journal, app.settings):
            if part.fault and part.fault not in seen:
                seen.append(part.fault)
        return seen

    def _now(self) -> int:
        ticks: int = self.app.board.ticks_ms()
        return ticks

    def _since(self, at: int) -> int:
        passed: int = self.app.board.ticks_diff(self.app.board.ticks_ms(), at)
        return passed

    def _uptime(self) -> int:
        uptime: int = self.app.uptime_ms() & 0xFFFFFFFF
        return uptime

    def _interrupt_policy(self) -> None:
        # In play a stray Ctrl-C (or a byte 3 in somebody's data) must not end the match.
        self._set_interrupt(-1 if self.app.in_play() else 3)

    def _set_interrupt(self, code: int) -> None:
        if code != self._interrupt:
            self._interrupt = code
            self.app.board.interrupt_char(code)


async def _sleep(ms: int) -> None:
    if hasattr(asyncio, "sleep_ms"):
        await asyncio.sleep_ms(ms)
    else:  # CPython
        await asyncio.sleep(ms / 1000)


def _text(values: list[object], place: int) -> str:
    value = values[place] if place < len(values) else None
    if not isinstance(value, str):
        raise _No("bad_values")
    return value


def _count(values: list[object], place: int) -> int:
    value = values[place] if place < len(values) else None
    if not isinstance(value, int) or value is True or value is False or value < 0:
        raise _No("bad_values")
    return value


# Which rules are on this board


def _folder(package: "Any") -> str:
    path = package.__file__
    return path[: path.rfind("/")] if "/" in path else "."


def engine_steps(folder: str) -> "Iterator[int]":
    """Yield, after each piece read, the checksum so far over the rules in folder; the last counts.

    Every source file counts, in order of its path: path below folder, line feed, contents. Rules that
    are frozen into the firmware have no files: 0.
    """
    crc = 0
    yield crc
    for path in _sources(folder, ""):
        crc = binascii.crc32(path.encode() + b"\n", crc)
        with open(folder + "/" + path, "rb") as file:
            while True:
                piece = file.read(1024)
                if not piece:
                    break
                crc = binascii.crc32(piece, crc)
                yield crc


def _sources(folder: str, below: str) -> list[str]:
    found: list[str] = []
    try:
        names = os.listdir(folder + "/" + below if below else folder)
    except OSError:
        return found
    for name in names:
        path = below + "/" + name if below else name
        if name.endswith(".py") or name.endswith(".mpy"):
            found.append(path)
        elif "." not in name and name != "__pycache__":
            found += _sources(folder, path)
    return found if below else sorted(found)


class Console:
    """The real line: standard input and output, which on a board are the USB port."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._reader = asyncio.StreamReader(self._in)
        self._readable = select.poll()
        self._readable.register(self._in, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._out, select.POLLOUT)

    async def read(self) -> bytes:
        """Return the next bytes, at most 128; b"" at the end of file."""
        # One byte is awaited and the rest fetched: read(n) and readline() would hold up every task.
        data = bytearray(await self._reader.read(1))
        while data and len(data) < 128 and self._readable.poll(0):
            more = self._in.read(1)
            if not more:
                break
            data += more
        return bytes(data)

    def write(self, data: bytes, sure: bool) -> int:
        """Write what the port takes at once; return how many bytes that was. sure: there is room for all."""
        if sure:
            if not self._writable.poll(0):
                return 0
            self._out.write(data)
            return len(data)
        for place in range(len(data)):
            if not self._writable.poll(0):
                return place
            self._out.write(data[place : place + 1])
        return len(data)
