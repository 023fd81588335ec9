"""The hands that are left at the end of a round, as they are entered: card by card or as sums (R27, K10)."""

from cardrules.last_card.hands import Sums
from cardrules.last_card.settings import KIND_CARDS, KIND_POINTS, MOST_POINTS
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

KINDS = len(KIND_CARDS)
_NO_KINDS = bytes(KINDS)


class Entry:
    """What is entered of the hands.

    seats: how many; hands: [cards, points] entered, by seat; closed: bit mask of the seats whose hand is
    entered.
    """

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.hands = [[0, 0] for _ in range(seats)]
        self._kinds = bytearray(KINDS * seats)  # cards entered one by one, by seat and kind
        self._typed = 0  # bit mask of seats whose hand was entered as a sum
        self.closed = 0

    def clear(self) -> None:
        """Forget all hands."""
        for hand in self.hands:
            hand[0] = 0
            hand[1] = 0
        self._kinds[:] = _NO_KINDS * self.seats
        self._typed = 0
        self.closed = 0

    def open(self, seat: int) -> None:
        """Forget what is entered of a hand, so that it is entered anew."""
        self.hands[seat][0] = 0
        self.hands[seat][1] = 0
        self._kinds[seat * KINDS : (seat + 1) * KINDS] = _NO_KINDS
        self._typed &= ~(1 << seat)
        self.closed &= ~(1 << seat)

    def card(self, seat: int, kind: int) -> int:
        """Enter one card; return how many cards of this hand are entered."""
        hand = self.hands[seat]
        hand[0] += 1
        hand[1] += KIND_POINTS[kind]
        self._kinds[seat * KINDS + kind] += 1
        return hand[0]

    def total(self, seat: int, cards: int, points: int) -> None:
        """Enter a whole hand as a sum."""
        if self.hands[seat][0]:
            self.open(seat)
        self.hands[seat][0] = cards
        self.hands[seat][1] = points
        self._typed |= 1 << seat
        self.closed |= 1 << seat

    def close(self, seat: int) -> None:
        """No more cards in this hand: it is entered."""
        self.closed |= 1 << seat

    def points(self) -> int:
        """Return the points of all hands together."""
        total = 0
        for hand in self.hands:
            total += hand[1]
        return total

    def why_not_card(self, kind: int) -> "tuple[Any, ...] | None":
        """Return why no hand can hold this card beside those entered, None if one can."""
        if kind >= KINDS:
            return ("arg_unknown", kind)
        left = self._left_of_deck(-1)
        left[kind] -= 1
        # Hands typed as sums must still be possible without this card.
        if left[kind] < 0 or (self._typed and not self._typed_possible(Sums(left), 0, 0)):
            return ("kind_used_up", kind)
        return None

    def why_not_sum(self, seat: int, cards: int, total: int) -> "tuple[Any, ...] | None":
        """Return why this hand of so many cards cannot be worth total, None if it can.

        The reason names the nearest sums that can be, below and above, -1 for none.
        """
        sums = Sums(self._left_of_deck(seat))
        below, above = sums.nearest(cards, total)
        if below == total and self._typed_possible(sums, cards, total):
            return None
        # Nearest sums that also leave enough for the hands typed before.
        if below == total:
            below, above = total - 1, total + 1
        while below >= 0:
            below = sums.nearest(cards, below)[0]
            if below >= 0 and self._typed_possible(sums, cards, below):
                break
            below -= 1
        while 0 <= above <= MOST_POINTS:
            above = sums.nearest(cards, above)[1]
            if above < 0 or self._typed_possible(sums, cards, above):
                break
            above += 1
        return ("sum_impossible", cards, max(below, -1), above if above <= MOST_POINTS else -1)

    def _left_of_deck(self, without: int) -> "list[int]":
        """Return cards by kind that no hand entered card by card holds; seat without is not looked at."""
        left = list(KIND_CARDS)
        for seat in range(self.seats):
            if seat != without:
                for kind in range(KINDS):
                    left[kind] -= self._kinds[seat * KINDS + kind]
        return left

    def _typed_possible(self, sums: Sums, cards: int, points: int) -> bool:
        """Can a hand of so many cards and points lie beside the hands typed as sums?

        Looks at each group of them together: a group needs so many cards worth so many points.
        """
        typed = [self.hands[seat] for seat in range(self.seats) if self._typed >> seat & 1]
        for group in range(1, 1 << len(typed)):
            group_cards = cards
            group_points = points
            for place in range(len(typed)):
                if group >> place & 1:
                    group_cards += typed[place][0]
                    group_points += typed[place][1]
            if not sums.possible(group_cards, group_points):
                return False
        return True

    def swap(self, seat: int, other: int) -> None:
        """Let two seats change their hands."""
        hands = self.hands
        hands[seat], hands[other] = hands[other], hands[seat]
        kinds = self._kinds
        one = seat * KINDS
        two = other * KINDS
        kept = kinds[one : one + KINDS]
        kinds[one : one + KINDS] = kinds[two : two + KINDS]
        kinds[two : two + KINDS] = kept
        self._typed = _swapped(self._typed, seat, other)
        self.closed = _swapped(self.closed, seat, other)

    def pack(self, out: bytearray) -> None:
        """Append what is entered to a snapshot."""
        put(out, self._typed)
        put(out, self.closed)
        for hand in self.hands:
            put(out, hand[0])
            put(out, hand[1])
        out.extend(self._kinds)

    def unpack(self, reader: Reader) -> None:
        """Take what pack() wrote."""
        self._typed = reader.get()
        self.closed = reader.get()
        for hand in self.hands:
            hand[0] = reader.get()
            hand[1] = reader.get()
        self._kinds[:] = reader.take(len(self._kinds))


def _swapped(mask: int, one: int, other: int) -> int:
    """Return a bit mask of seats with two seats exchanged."""
    first = mask >> one & 1
    second = mask >> other & 1
    return mask & ~(1 << one | 1 << other) | first << other | second << one
