"""The ring of seats: who sits where, who is in play, which way play goes.

Seats are numbers from 0, clockwise, and never move: whoever leaves, comes back or is out is passed
over, and nobody else's place in the order changes.
"""

EMPTY = 0
ACTIVE = 1
LEFT = 2  # hand and score put aside; may come back
WAITING = 3  # joined while a round was in play; takes part from the next one
ELIMINATED = 4  # out of the match, points kept


class Ring:
    """The seats (a list of the codes above) and the direction: 1 clockwise, -1 anticlockwise."""

    def __init__(self, seats: int) -> None:
        self.states = [EMPTY] * seats
        self.direction = 1

    def __len__(self) -> int:
        return len(self.states)

    def is_active(self, seat: int) -> bool:
        """Tell whether the seat is in play."""
        return 0 <= seat < len(self.states) and self.states[seat] == ACTIVE

    def active(self) -> "list[int]":
        """Return the seats in play, from seat 0 up."""
        return [seat for seat in range(len(self.states)) if self.states[seat] == ACTIVE]

    def count(self) -> int:
        """Return how many seats are in play."""
        return self.states.count(ACTIVE)

    def next(self, seat: int, direction: int = 0) -> int:
        """Return the next seat in play after this one, in the direction of play unless one is given.

        It is the seat itself when nobody else is in play.
        """
        step = direction or self.direction
        size = len(self.states)
        at = seat
        for _ in range(size):
            at = (at + step) % size
            if self.states[at] == ACTIVE:
                return at
        return seat

    def reverse(self) -> None:
        """Turn the direction of play round."""
        self.direction = -self.direction
