"""One generator of random numbers, the same sequence on every Python."""


class Prng:
    """xorshift32. Not for secrets."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x9E3779B9) & 0xFFFFFFFF or 1
        for _ in range(8):
            self.next()

    def next(self) -> int:
        """Return the next number of 32 bits, never 0."""
        x = self.state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self.state = x
        return x

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each as likely. Raises ValueError for a bound below 1."""
        if bound < 1:
            raise ValueError("bound must be at least 1")
        limit = 0xFFFFFFFF - 0xFFFFFFFF % bound
        while True:
            number = self.next() - 1
            if number < limit:
                return number % bound

    def shuffle(self, items: "list") -> None:
        """Put the items into random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
