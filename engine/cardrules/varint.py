"""Whole numbers as bytes: how snapshots are written, the same bytes on every interpreter."""


def put(out: bytearray, number: int) -> None:
    """Append a number of any size and sign: seven bits to a byte, the low ones first."""
    coded = number << 1 if number >= 0 else (-number << 1) - 1
    while coded > 127:
        out.append(coded & 127 | 128)
        coded >>= 7
    out.append(coded)


class Reader:
    """Reads back what put() wrote. Raises ValueError when the bytes end too early."""

    def __init__(self, data: "bytes | memoryview", at: int = 0, end: int = -1) -> None:
        self._data = data
        self._at = at
        self._end = len(data) if end < 0 else end

    def get(self) -> int:
        """Return the next number."""
        coded = 0
        shift = 0
        while True:
            if self._at >= self._end:
                raise ValueError("cut short")
            byte = self._data[self._at]
            self._at += 1
            coded |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
        return -((coded + 1) >> 1) if coded & 1 else coded >> 1

    def take(self, size: int) -> "bytes | memoryview":
        """Return so many bytes as they are."""
        start = self._at
        if size < 0 or start + size > self._end:
            raise ValueError("cut short")
        self._at = start + size
        return self._data[start : self._at]

    def done(self) -> bool:
        """Has everything been read?"""
        return self._at >= self._end
