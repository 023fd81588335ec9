"""One line of the link: `~<number>,<kind>,<list>*<crc32 as 8 hex digits>` and a line feed.

The `~` tells a frame from console output and tracebacks that share the line; no text inside a frame
contains it, so a frame is found whatever stands before it. The checksum is over all that stands
between `~` and the last `*`.
"""

import binascii

from tablelink import asciijson

LONGEST = 240
"""Bytes of a line, `~` and line feed included: it fits a board's USB buffer of 256 bytes whole."""

HIGHEST = 0xFFFFFFFF
"""Highest number of a line."""

_KIND = b"abcdefghijklmnopqrstuvwxyz_"
_TAIL = 9  # star and checksum


def encode(number: int, kind: str, values: "list[object] | tuple[object, ...]") -> bytes:
    """Return the line as bytes.

    number: 0 to HIGHEST; kind: 1 to 16 of a-z and _; values: see asciijson.
    Raises ValueError when the line would be longer than LONGEST; long things go as chunks.
    """
    text = "%d,%s,%s" % (number, kind, asciijson.dumps(values))
    data = text.encode()
    if len(data) + _TAIL + 2 > LONGEST:
        raise ValueError("line too long")
    return b"~" + data + ("*%08x\n" % binascii.crc32(data)).encode()


def room(number: int, kind: str, values: "list[object] | tuple[object, ...]") -> int:
    """Return how many more bytes of list text fit a line that carries values."""
    text = "%d,%s,%s" % (number, kind, asciijson.dumps(values))
    return LONGEST - _TAIL - 2 - len(text)


class Decoder:
    """Finds the frames in a stream of bytes, however the stream is cut into pieces.

    What comes before the first line feed is half of something that began before we listened: it is
    used if a whole frame is in it, and never counted as a fault. Memory stays under two lines.

    good, bad_checksum, too_long, not_a_frame: lines so far, the three kinds of bad ones dropped.
    """

    def __init__(self) -> None:
        self.good = 0
        self.bad_checksum = 0
        self.too_long = 0
        self.not_a_frame = 0
        self._line = b""  # from the last `~`, or from the start of the line
        self._before = False  # something stood before the `~`
        self._long = False
        self._first = True

    def feed(self, data: bytes) -> "list[tuple[int, str, list[object]]]":
        """Take the next bytes; return the frames completed by them as (number, kind, values)."""
        found: list[tuple[int, str, list[object]]] = []
        start = 0
        while True:
            end = data.find(b"\n", start)
            if end < 0:
                self._take(data[start:])
                return found
            self._take(data[start:end])
            frame = self._close()
            if frame is not None:
                found.append(frame)
            start = end + 1

    def _take(self, piece: bytes) -> None:
        mark = piece.rfind(b"~")
        if mark >= 0:
            if self._line.strip() or self._long or piece[:mark].strip() or len(self._line) + mark > LONGEST:
                self._before = True
            self._line = b""
            self._long = False
            piece = piece[mark:]
        if self._long:
            return
        if len(self._line) + len(piece) > LONGEST:  # one more for the `\r` of a terminal
            self._line = b""
            self._long = True
            return
        self._line += piece

    def _close(self) -> "tuple[int, str, list[object]] | None":
        line = self._line.strip()
        before = self._before
        long = self._long or len(line) + 1 > LONGEST
        first = self._first
        self._line = b""
        self._before = False
        self._long = False
        self._first = False
        if before and not first:
            self.not_a_frame += 1
        if long:
            if not first:
                self.too_long += 1
            return None
        if not line:
            return None
        body = line[1:-_TAIL]
        if line[:1] != b"~" or line[-_TAIL : 1 - _TAIL] != b"*" or min(line) < 32 or max(line) > 126:
            if not first:
                self.not_a_frame += 1
            return None
        if line[1 - _TAIL :] != ("%08x" % binascii.crc32(body)).encode():
            if not first:
                self.bad_checksum += 1
            return None
        frame = _parse(body)
        if frame is None:
            self.not_a_frame += 1
            return None
        self.good += 1
        return frame


def _parse(body: bytes) -> "tuple[int, str, list[object]] | None":
    parts = body.split(b",", 2)
    if len(parts) != 3:
        return None
    number, kind, text = parts
    if not number.isdigit() or len(number) > 10 or (len(number) > 1 and number[0] == 48):
        return None
    if not 1 <= len(kind) <= 16:
        return None
    for sign in kind:
        if sign not in _KIND:
            return None
    value = int(str(number, "ascii"))
    if value > HIGHEST:
        return None
    try:
        values = asciijson.loads(text)
    except ValueError:
        return None
    if not isinstance(values, list):
        return None
    return value, str(kind, "ascii"), values
