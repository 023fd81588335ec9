"""The ring of seats. Runs under CPython and in the MicroPython VM."""

from cardrules.announcement import NO_SEAT
from cardrules.seating import AWAY, BACK, ELIMINATED, EMPTY, NEW, Ring


def ring_of(*seats: int, size: int = 6) -> Ring:
    ring = Ring(size)
    for seat in seats:
        ring.join(seat)
    return ring


def test_next_goes_round_by_seat_and_passes_over_empty_ones() -> None:
    ring = ring_of(0, 2, 5)
    assert [ring.next(seat) for seat in range(6)] == [2, 2, 5, 5, 5, 0]
    ring.reverse()
    assert [ring.next(seat) for seat in range(6)] == [5, 0, 0, 2, 2, 2]
    assert ring.live == 3


def test_alone_and_nobody() -> None:
    ring = ring_of(3)
    assert ring.next(3) == 3
    ring.leave(3)
    assert ring.next(3) == NO_SEAT
    assert ring.live == 0


def test_leaving_and_returning_shift_nobody() -> None:
    ring = ring_of(0, 1, 2, 3)
    ring.leave(0)
    assert ring.states[0] == AWAY and ring.absent() == [0]
    assert [ring.next(2), ring.next(3), ring.next(1)] == [3, 1, 2]
    ring.come_back(0, True)
    assert [ring.next(2), ring.next(3), ring.next(0)] == [3, 0, 1]


def test_elimination_keeps_the_seat() -> None:
    ring = ring_of(0, 1, 2)
    ring.eliminate(1)
    assert ring.states[1] == ELIMINATED
    assert ring.has(1) and not ring.is_active(1)
    assert ring.next(0) == 2 and ring.live == 2
    assert ring.seats() == [0, 1, 2] and ring.active() == [0, 2] and ring.absent() == []
    ring.admit()
    assert not ring.is_active(1)


def test_late_comers_play_from_the_next_deal_on() -> None:
    ring = ring_of(0, 1, 2)
    ring.join_late(4)
    ring.leave(2)
    ring.come_back(2, False)
    assert ring.states[4] == NEW and ring.states[2] == BACK
    assert ring.waiting() == [2, 4] and ring.active() == [0, 1]
    ring.admit()
    assert ring.active() == [0, 1, 2, 4] and ring.waiting() == [] and ring.live == 4


def test_who_has_not_played_leaves_nothing_behind() -> None:
    ring = ring_of(0, 1)
    ring.join_late(4)
    ring.leave(4)
    assert ring.states[4] == EMPTY
    ring.leave(1)
    ring.come_back(1, False)
    ring.leave(1)
    assert ring.states[1] == AWAY


def test_swap_moves_states() -> None:
    ring = ring_of(0, 1, 2)
    ring.leave(2)
    ring.swap(2, 0)
    assert ring.absent() == [0] and ring.active() == [1, 2] and ring.live == 2
    ring.swap(1, 5)
    assert ring.active() == [2, 5]


def test_clockwise_from_holds_all_seats() -> None:
    ring = ring_of(0, 1, 3)
    ring.leave(3)
    ring.reverse()
    assert ring.clockwise_from(1) == [3, 0, 1]
    assert ring.clockwise_from(5) == [0, 1, 3]


def test_more_than_six() -> None:
    ring = ring_of(*range(32), size=32)
    assert ring.next(31) == 0 and ring.live == 32
