"""Makes what a table says in an evening, checked by the keeper itself."""

from __future__ import annotations

from collections.abc import Sequence

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT, Announcement
from cardrules.last_card import says as last_card
from cardrules.log import Log

TARGET = 1


class Evening:
    """said: all announcements so far, numbered from 1. Only what the keeper accepts gets in."""

    def __init__(self, step_ms: int = 1500, boot: int = 1) -> None:
        self.said: list[Announcement] = []
        self.log = Log()
        self.step_ms = step_ms
        self.ms = 0
        self.points = 0
        self.boot(boot)

    def say(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> Evening:
        """Announce something."""
        self.ms += self.step_ms
        if self.log.keeper is not None or what == says.GAME:
            reason, _ = self.log.say(what, seat, arg, self.ms)
            assert reason is None, (what, seat, arg, reason)
        self.said.append(Announcement(len(self.said) + 1, self.ms, seat, what, arg))
        return self

    def boot(self, count: int) -> Evening:
        """Switch the board on."""
        self.ms = 0
        return self.say(says.BOOT, NO_SEAT, count)

    def match(self, seats: int, target: int = 300, players: Sequence[int] = ()) -> Evening:
        """Begin a match; seat 0 deals."""
        self.say(says.GAME, NO_SEAT, 1)
        if target != 300:
            self.say(says.RULE, NO_SEAT, TARGET * 65536 + target)
        for seat in range(seats):
            self.say(says.JOIN, seat, players[seat] if players else 0)
        self.say(says.DEALER, 0)
        return self.say(says.START)

    def round(self, winner: int, points: int) -> Evening:
        """Play a round that the winner wins with so many points, and confirm it.

        The first of the others is left with cards worth all the points, the rest with one zero each.
        """
        keeper = self.log.keeper
        assert keeper is not None
        others = [seat for seat in range(keeper.seats) if keeper.ring.has(seat) and seat != winner]
        cards, left = 0, points
        for worth in (50, 20, 9):
            cards += left // worth
            left %= worth
        cards += left > 0 or not cards
        for seat in others:
            self.say(last_card.COUNT, seat, cards if seat == others[0] else 1)
        self.say(last_card.OUT, winner)
        while keeper.phase == "scoring":
            self.say(last_card.SUM, keeper.entering, points if keeper.entering == others[0] else 0)
        return self.close(points)

    def close(self, points: int) -> Evening:
        """Confirm the round."""
        return self.say(says.CLOSE, NO_SEAT, points)

    def undo(self) -> Evening:
        """Take the latest back."""
        return self.say(says.UNDO)

    def redo(self) -> Evening:
        """Do it again."""
        return self.say(says.REDO)

    def correct(self, number: int, winner: int, points: int) -> Evening:
        """Correct an old round."""
        return self.say(says.CORRECT, winner, number * 65536 + points + 32768)
