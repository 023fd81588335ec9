"""One generator of random numbers, the same sequence on CPython and MicroPython (their `random` differ)."""

import struct

_MASK = 0xFFFFFFFF


def _stir(word: int) -> int:
    word = (word + 0x9E3779B9) & _MASK
    word = (word ^ word >> 16) * 0x85EBCA6B & _MASK
    word = (word ^ word >> 13) * 0xC2B2AE35 & _MASK
    return word ^ word >> 16


class Prng:
    """Marsaglia's xorshift of 128 bits: only shifts and exclusive ors of 32-bit numbers.

    seed: any number from 0, of any length. Not for secrets.
    """

    def __init__(self, seed: int = 0) -> None:
        # Every 32 bits of the seed stir the pot; then four words are taken from it.
        pot = _stir(0)
        while seed:
            pot = _stir(pot ^ seed & _MASK)
            seed >>= 32
        self._a = pot = _stir(pot)
        self._b = pot = _stir(pot)
        self._c = pot = _stir(pot)
        self._d = _stir(pot) | 1  # the four must not all be 0

    def word(self) -> int:
        """Return the next number, 0 to 2**32 - 1."""
        t = self._a ^ (self._a << 11 & _MASK)
        self._a = self._b
        self._b = self._c
        self._c = d = self._d
        self._d = d = d ^ d >> 19 ^ t ^ t >> 8
        return d

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, each equally likely. limit: 1 to 2**32."""
        if limit < 1:
            raise ValueError("nothing to choose from")
        top = _MASK - (_MASK + 1) % limit
        while True:
            found = self.word()
            if found <= top:
                return found % limit

    def shuffle(self, items: "list[int] | bytearray") -> None:
        """Put the items in a random order, every order equally likely. At most 2**32 items."""
        left = len(items)
        while left > 1:
            # One number below the product of several limits holds a choice below each of them.
            limits = left
            stop = left - 1
            while stop > 1 and limits * stop <= _MASK:
                limits *= stop
                stop -= 1
            choices = self.below(limits)
            while left > stop:
                other = choices % left
                choices //= left
                left -= 1
                items[left], items[other] = items[other], items[left]

    def state(self) -> bytes:
        """Return the state as 16 bytes."""
        return struct.pack("<IIII", self._a, self._b, self._c, self._d)

    def resume(self, state: bytes) -> None:
        """Go on from a state(). Raises ValueError when it is not 16 bytes or all of them are 0."""
        if len(state) != 16 or state == bytes(16):
            raise ValueError("not a state of this generator")
        self._a, self._b, self._c, self._d = struct.unpack("<IIII", state)
