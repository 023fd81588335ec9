"""Which points a hand of so many cards can be worth (R5, R6, R27), found without big tables.

Number cards of neighbouring values make a run: so many cards of a run can be worth anything from its
cheapest to its dearest choice. Only the few runs have to be combined.
"""

from cardrules.last_card.settings import ACTION, KIND_CARDS, KIND_POINTS


class Sums:
    """What can be made of the cards that are left of a deck. left: cards by kind."""

    def __init__(self, left: "list[int] | tuple[int, ...]" = KIND_CARDS) -> None:
        # For each run: points of its cheapest and of its dearest choice of 0, 1, 2 ... cards.
        self._low: list[list[int]] = []
        self._high: list[list[int]] = []
        kind = len(left) - 1
        while kind >= 0:
            last = kind
            while kind > 0 and left[kind] and left[kind - 1] and kind < ACTION:
                kind -= 1
            values: list[int] = []
            for each in range(kind, last + 1):
                values.extend([KIND_POINTS[each]] * left[each])
            if values:
                low = [0]
                high = [0]
                for place in range(len(values)):
                    low.append(low[-1] + values[place])
                    high.append(high[-1] + values[-1 - place])
                self._low.append(low)
                self._high.append(high)
            kind -= 1
        self._target = 0
        self._below = -1
        self._above = -1

    def nearest(self, cards: int, target: int) -> tuple[int, int]:
        """Return the nearest possible points (at most target, at least target) of so many cards.

        Both are target if it is possible; -1 stands for none.
        """
        self._target = target
        self._below = -1
        self._above = -1
        if self._low:
            self._combine(0, cards, 0, 0)
        elif cards == 0:
            self._see(0, 0)
        return self._below, self._above

    def possible(self, cards: int, target: int) -> bool:
        """Can so many cards be worth target?"""
        return self.nearest(cards, target)[0] == target

    def _combine(self, run: int, cards: int, least: int, most: int) -> None:
        """Spread the cards over this run and those behind it; the runs before made least to most."""
        low = self._low[run]
        high = self._high[run]
        if run == len(self._low) - 1:
            if cards < len(low):
                self._see(least + low[cards], most + high[cards])
            return
        for taken in range(min(cards, len(low) - 1) + 1):
            self._combine(run + 1, cards - taken, least + low[taken], most + high[taken])
            if self._below == self._target:
                return

    def _see(self, low: int, high: int) -> None:
        """Note that all points from low to high are possible."""
        target = self._target
        if high < target:
            if high > self._below:
                self._below = high
        elif low > target:
            if self._above < 0 or low < self._above:
                self._above = low
        else:
            self._below = self._above = target
