"""The ring of seats, used by every game.

Seats are held by id and numbered clockwise from 0: whoever leaves, returns or is eliminated never
shifts another seat.
"""

from cardrules.announcement import NO_SEAT

EMPTY = 0  # nobody has it
ACTIVE = 1  # takes its turns
AWAY = 2  # left; its hand and score wait for it
ELIMINATED = 3  # out of the match, passed over; keeps its score
NEW = 4  # joined while a round was in play; plays from the next deal on
BACK = 5  # left before the deal of this round and returned; plays from the next deal on


class Ring:
    """Who sits where and which way play goes. size: number of seats, 2 to 32.

    direction: 1 clockwise, -1 the other way; change it by face() or reverse(). live: number of active
    seats. late: number of seats that play from the next deal on. following: by seat, the active seat that
    follows it in the direction of play. Methods that answer with a seat answer NO_SEAT when there is none.
    Methods that change a seat's state do not check it.
    """

    def __init__(self, size: int = 6) -> None:
        self.size = size
        self.direction = 1
        self.live = 0
        self.late = 0
        self.states = bytearray(size)
        # Who follows whom is asked in every turn and changes a few times an evening: it is kept.
        self._clockwise = [NO_SEAT] * size
        self._counter = [NO_SEAT] * size
        self.following = self._clockwise

    def set(self, seat: int, state: int) -> None:
        """Give the seat one of the states above."""
        self.states[seat] = state
        self._link()

    def load(self, states: "bytes | bytearray", direction: int) -> None:
        """Give all seats their states, and play its direction."""
        self.states[:] = states
        self._link()
        self.face(direction)

    def face(self, direction: int) -> None:
        """Let play go that way: 1 clockwise, -1 the other way."""
        self.direction = direction
        self.following = self._clockwise if direction == 1 else self._counter

    def _link(self) -> None:
        """Find anew who follows whom, and count."""
        active = self.active()
        before = active[-1] if active else NO_SEAT
        for seat in range(self.size):
            self._counter[seat] = before
            if self.states[seat] == ACTIVE:
                before = seat
        after = active[0] if active else NO_SEAT
        for seat in range(self.size - 1, -1, -1):
            self._clockwise[seat] = after
            if self.states[seat] == ACTIVE:
                after = seat
        self.live = len(active)
        self.late = len(self.waiting())

    def has(self, seat: int) -> bool:
        """Does anybody hold this seat, present or not?"""
        return self.states[seat] != EMPTY

    def is_active(self, seat: int) -> bool:
        """Does this seat take turns?"""
        return self.states[seat] == ACTIVE

    def seats(self) -> list[int]:
        """Return the seats that somebody holds, present or not."""
        return [seat for seat in range(self.size) if self.states[seat] != EMPTY]

    def active(self) -> list[int]:
        """Return the seats that take turns."""
        return [seat for seat in range(self.size) if self.states[seat] == ACTIVE]

    def absent(self) -> list[int]:
        """Return the seats whose player left and may come back."""
        return [seat for seat in range(self.size) if self.states[seat] == AWAY]

    def waiting(self) -> list[int]:
        """Return the seats that play from the next deal on."""
        return [seat for seat in range(self.size) if self.states[seat] in (NEW, BACK)]

    def step(self, seat: int, direction: int) -> int:
        """Return the next active seat from seat (any seat, even an empty one) that way round.

        The only active seat follows itself.
        """
        return (self._clockwise if direction == 1 else self._counter)[seat]

    def next(self, seat: int) -> int:
        """Return the active seat that follows seat in the direction of play."""
        return self.following[seat]

    def clockwise_from(self, seat: int) -> list[int]:
        """Return all held seats clockwise, the one behind seat first, seat itself last."""
        size = self.size
        return [(seat + 1 + n) % size for n in range(size) if self.states[(seat + 1 + n) % size] != EMPTY]

    def reverse(self) -> None:
        """Turn the direction of play."""
        self.face(-self.direction)

    def join(self, seat: int) -> None:
        """Take an empty seat before the first deal."""
        self.set(seat, ACTIVE)

    def join_late(self, seat: int) -> None:
        """Take an empty seat while a match runs: active from the next admit() on."""
        self.set(seat, NEW)

    def leave(self, seat: int) -> None:
        """Leave: who has played is away and may return, who has not yet played is gone."""
        self.set(seat, EMPTY if self.states[seat] == NEW else AWAY)

    def give_up(self, seat: int) -> None:
        """Leave for good, as before the first deal."""
        self.set(seat, EMPTY)

    def come_back(self, seat: int, holds_cards: bool) -> None:
        """Return: at once with the hand that waited, else from the next admit() on."""
        self.set(seat, ACTIVE if holds_cards else BACK)

    def eliminate(self, seat: int) -> None:
        """Pass this seat over from now on; its score stays."""
        self.set(seat, ELIMINATED)

    def admit(self) -> None:
        """A new round is dealt: everybody who waited for it takes part."""
        if self.late:
            for seat in self.waiting():
                self.set(seat, ACTIVE)

    def swap(self, seat: int, other: int) -> None:
        """Let two seats change their states."""
        states = self.states
        states[seat], states[other] = states[other], states[seat]
        self._link()
