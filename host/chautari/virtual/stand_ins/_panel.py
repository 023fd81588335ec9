"""The virtual board's end of the panel channel, and its clock.

Loaded from the host before the board's own file system is mounted. File descriptor 3 brings text
lines from the panel (never blocking), 4 takes messages to it: one tag byte, the payload's length
(2 bytes), the board's milliseconds since power-on (4 bytes), the payload; all little endian.

Everything a program does between two waits happens at one moment of the board's clock as far as
the panel is concerned: lines are read when the program waits (asyncio or time.sleep), and now and
then when it only looks at pins.
"""

import select
import struct

import utime

SEEN_WITHIN = 200  # ms; an edge that nobody looks at gives way to the next one after this
WAITING = 40  # edges kept here; further ones wait on the panel's side, not on the board's heap

_in = open(3, "r+b")
_out = open(4, "wb")
_poller = select.poll()
_poller.register(_in, select.POLLIN)
_buffer = bytearray(512)
_rest = b""
_header = bytearray(7)

speed = 1000  # thousandths of real time
_base = 0  # native milliseconds at power-on

low = bytearray(32)  # pins pulled to ground from outside
driven = bytearray(32)  # pins that the board itself pulls to ground
links = {}  # pin -> list of pins that a closed contact ties it to
bootsel = 0
faults = {}
watchers = {}  # pin -> function(level), of Pin.irq
_edges = {}  # waiting: (kind, a, b) -> list of [level, delay, ack, due or None]
_pending = 0
_unseen = {}  # (kind, a, b) -> [level, applied at, ack]
_looks = 0

interrupt = False
_answered = False
on_line = {}  # first word -> function(words), for the other stand-ins


def start(speed_thousandths, age_ms):
    """Start the board's clock age_ms after power-on."""
    global speed, _base
    speed = speed_thousandths
    _base = utime.ticks_ms() - age_ms * 1000 // speed_thousandths


def ticks_ms():
    """Return the board's milliseconds; never behind the native clock, which asyncio's queue uses."""
    if speed == 1000:
        return utime.ticks_ms()
    return _base + (utime.ticks_ms() - _base) * speed // 1000


def send(tag, payload=b""):
    """Send one message to the panel."""
    struct.pack_into("<BHI", _header, 0, tag, len(payload), (ticks_ms() - _base) & 0xFFFFFFFF)
    _out.write(_header)
    if payload:
        _out.write(payload)


def halt():
    """Wait to be killed by the supervisor."""
    while True:
        utime.sleep_ms(1000)


def level(pin):
    """Return the level that the outside gives an input with pull-up: 0 when tied to ground."""
    global _looks
    _looks += 1
    if _looks > 200:
        _looks = 0
        poll()
    if links and pin in links:
        grounded = _tied(pin)
    else:
        grounded = low[pin]
    if _unseen:
        _seen(pin)
    return 0 if grounded else 1


def _tied(pin):
    # Closed contacts pass ground on to each other, so three keys make a fourth appear, as they do
    # on a matrix without diodes.
    todo = [pin]
    been = [pin]
    while todo:
        here = todo.pop()
        if low[here] or (driven[here] and here != pin):
            return True
        for there in links.get(here, ()):
            if there not in been:
                been.append(there)
                todo.append(there)
    return False


def _seen(pin):
    for key in _unseen:
        kind, a, b = key
        if a == pin if kind == "pin" else (b == pin and driven[a]) or (a == pin and driven[b]):
            _settle(key)
            break


def _settle(key):
    ack = _unseen.pop(key)[2]
    if ack:
        send(65, struct.pack("<I", ack))  # A


def _apply(kind, a, b, value):
    global bootsel
    if kind == "pin":
        low[a] = 0 if value else 1
        if a in watchers:
            watchers[a](value)
    elif kind == "key":
        for here, there in ((a, b), (b, a)):
            tied = links.setdefault(here, [])
            if value and there not in tied:
                tied.append(there)
            elif not value and there in tied:
                tied.remove(there)
            if not tied:
                del links[here]
    else:
        bootsel = value


def _run_edges():
    global _pending
    now = ticks_ms()
    if _unseen:
        for key in list(_unseen):
            if now - _unseen[key][1] > SEEN_WITHIN:
                _settle(key)
    for key in list(_edges):
        if key in _unseen:
            continue
        waiting = _edges[key]
        edge = waiting[0]
        if edge[3] is None:
            edge[3] = now + edge[1]
        if edge[3] > now:
            continue
        waiting.pop(0)
        _pending -= 1
        if not waiting:
            del _edges[key]
        _apply(key[0], key[1], key[2], edge[0])
        _unseen[key] = [edge[0], now, edge[2]]


def until_edge(limit):
    """Return how many board ms a wait of limit (-1: endless) may last before an edge is due."""
    if _edges or _unseen:
        now = ticks_ms()
        wait = 20
        for key in _edges:
            due = _edges[key][0][3]
            if due is not None:
                wait = min(wait, max(due - now, 1))
        if limit < 0 or wait < limit:
            return wait
    return limit


def _line(line):
    global interrupt, _answered, _pending
    words = line.split()
    if not words:
        return
    what = words[0]
    if what == b"pin" or what == b"key" or what == b"bootsel":
        a, b, value, delay, ack = [int(word) for word in words[1:6]]
        if not (0 <= a < 30 and 0 <= b < 30 and 0 <= value <= 1 and delay >= 0):
            raise ValueError
        _edges.setdefault((what.decode(), a, b), []).append([value, delay, ack, None])
        _pending += 1
    elif what == b"int":
        interrupt = True
    elif what == b"noint":
        interrupt = False
    elif what == b"ok":
        _answered = True
    elif what == b"fault":
        faults[words[1].decode()] = int(words[2])
    else:
        on_line[what](words)


def _read(limit=WAITING):
    global _rest
    while _pending < limit:
        n = _in.readinto(_buffer)
        if n is None:
            break
        if n == 0:
            raise SystemExit  # the supervisor is gone
        lines = (_rest + _buffer[:n]).split(b"\n")
        _rest = lines.pop()
        if len(_rest) > 256:
            _rest = b""
            send(88)  # X
        for line in lines:
            try:
                _line(line)
            except (ValueError, IndexError, KeyError, UnicodeError, OverflowError):
                send(88)
        if n < len(_buffer):
            break


def poll():
    """Take what the panel sent. Raises KeyboardInterrupt when Ctrl-C was among it."""
    global interrupt
    _read()
    if _edges or _unseen:
        _run_edges()
    for job in jobs:
        job()
    if interrupt:
        interrupt = False
        send(73)  # I
        raise KeyboardInterrupt


jobs = []  # functions called at every poll


def ask(tag, payload=b""):
    """Send a message and wait, a second at most, until the supervisor has taken it."""
    global _answered
    _answered = False
    send(tag, payload)
    for _ in range(1000):
        _read(1000)
        if _answered:
            break
        _poller.poll(1)


def sleep_ms(ms):
    """Sleep on the board's clock, with the panel alive."""
    end = ticks_ms() + ms
    while True:
        poll()
        left = end - ticks_ms()
        if left <= 0:
            break
        us = until_edge(left) * 1000000 // speed
        if us >= 1000:
            _poller.poll(us // 1000)
        else:
            utime.sleep_us(us)


def scaled_us(us):
    """Return native microseconds on the board's clock."""
    base = _base * 1000
    return base + (us - base) * speed // 1000
