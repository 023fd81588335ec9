"""One generator of random numbers, the same sequence on CPython and MicroPython (their `random` differ)."""

import struct
from hashlib import sha256

STATE_SIZE = 21
"""Bytes of a state."""

_FORMAT = "<16sIB"
_BLOCK = 32
_MASK = 0xFFFFFFFF


class Prng:
    """SHA-256 in counter mode: the digests of a key and a counter, taken byte by byte.

    Choices among few things cost a byte or two and no long numbers, which are slow on every interpreter.
    seed: any number from 0, of any length; ValueError below. Not for secrets.
    """

    def __init__(self, seed: int = 0) -> None:
        if seed < 0:
            raise ValueError("a seed is a number from 0")
        digits = bytearray()
        while seed:
            digits.append(seed & 255)
            seed >>= 8
        self._key = sha256(digits).digest()[:16]
        self._counter = 0
        self._bytes = b""
        self._at = _BLOCK

    def _more(self) -> bytes:
        """Make the next block of random bytes, of which none is used yet."""
        self._bytes = sha256(self._key + struct.pack("<I", self._counter)).digest()
        self._counter = self._counter + 1 & _MASK
        self._at = 0
        return self._bytes

    def word(self) -> int:
        """Return the next number, 0 to 2**32 - 1."""
        number = 0
        for _ in range(4):
            number = number << 8 | self.below(256)
        return number

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, each equally likely. limit: 1 to 2**32, else ValueError."""
        if limit > 256:
            if limit > _MASK + 1:
                raise ValueError("too much to choose from")
            top = _MASK - (_MASK + 1) % limit
            while True:
                found = self.word()
                if found <= top:
                    return found % limit
        if limit < 1:
            raise ValueError("nothing to choose from")
        top = 256 - 256 % limit
        while True:
            if self._at == _BLOCK:
                self._more()
            found = self._bytes[self._at]
            self._at += 1
            if found < top:
                return found % limit

    def shuffle(self, items: "list[int] | bytearray", places: int = 256) -> None:
        """Put the items in a random order, every order equally likely. At most 256 items.

        places: only so many places, the last ones, are filled; each with one of all that are left.
        """
        last = len(items) - 1
        if last > 255:
            raise ValueError("too many items")
        stop = max(last - places, 0)
        # As below(), written out: cards are shuffled all the time.
        while last > stop:
            if self._at == _BLOCK:
                self._more()
            at = self._at
            for found in self._bytes[at:]:
                at += 1
                limit = last + 1
                if found < 256 - 256 % limit:
                    found %= limit
                    items[last], items[found] = items[found], items[last]
                    last -= 1
                    if last == stop:
                        break
            self._at = at

    def state(self) -> bytes:
        """Return the state as STATE_SIZE bytes."""
        return struct.pack(_FORMAT, self._key, self._counter, self._at)

    def resume(self, state: bytes) -> None:
        """Go on from a state(). Raises ValueError when it is none."""
        if len(state) != STATE_SIZE:
            raise ValueError("not a state of this generator")
        key, counter, at = struct.unpack(_FORMAT, state)
        if at > _BLOCK:
            raise ValueError("not a state of this generator")
        self._key = key
        self._counter = counter - 1 & _MASK
        self._more()
        self._at = at
