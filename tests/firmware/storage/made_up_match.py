"""What a table says in a match, made up: (what, seat, arg), repeatable."""

from cardrules.announcement import CLOSE, GAME, JOIN, START, UNDO

DONE = 32


def match(rounds, plays, undo_across=False):
    """Yield a whole match of rounds with plays each, now and then taken back."""
    yield GAME, 255, 1
    for seat in range(4):
        yield JOIN, seat, seat + 10
    yield START, 255, 0
    for number in range(rounds):
        for play in range(plays):
            yield DONE + play % 8, play % 4, play * 7 + number
            if play % 9 == 5:
                yield UNDO, 255, 0
        yield CLOSE, 255, number * 10
        if undo_across and number % 2:
            yield UNDO, 255, 0
            yield UNDO, 255, 0
            yield DONE, 2, number
            yield CLOSE, 255, number * 10 + 1
