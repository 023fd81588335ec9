"""What a table says in real matches of Last Card, made up but always allowed; repeatable by seed."""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import COLOUR as WAITS_COLOUR
from cardrules.keeper import OUT as ASKS_OUT
from cardrules.keeper import OVER, PLAY, SCORED, SCORING, SETUP
from cardrules.last_card import says
from cardrules.prng import Prng

_CARDS = (says.SKIP, says.REVERSE, says.PLUS_TWO, says.WILD, says.PLUS_FOUR)
ONE_ROUND = 65536 + 1


class Chooser:
    """Chooses what is said next. seats: how many play. odd: how many of 100 are undo, pause and the like."""

    def __init__(self, seed, seats=4, odd=6, target=500):
        self.random = Prng(seed)
        self.seats = seats
        self.odd = odd
        self.target = target
        self.joined = 0

    def next(self, log):
        """Return (what, seat, arg) that log takes."""
        keeper = log.keeper
        if keeper is None or keeper.phase == OVER:
            self.joined = 0
            return common.GAME, NO_SEAT, 1
        for _ in range(60):
            found = self._odd(keeper) if self.random.below(100) < self.odd else self._plain(keeper)
            if log.why_not(*found) is None:
                return found
        for what, seat in keeper.allowed():
            if what not in (common.GAME, common.END) and log.why_not(what, seat, 0) is None:
                return what, seat, 0
        return common.END, NO_SEAT, 0

    def _odd(self, keeper):
        what = (
            common.UNDO, common.UNDO, common.UNDO, common.REDO, common.PAUSE, common.RESUME, says.COUNT,
            common.LEAVE, common.JOIN, common.SWAP, common.VOID, common.CORRECT,
        )[self.random.below(12)]  # fmt: skip
        if what == common.VOID and self.random.below(4):
            what = common.UNDO
        seat = self.random.below(6)
        if what in (common.UNDO, common.REDO, common.PAUSE, common.RESUME, common.VOID):
            seat = NO_SEAT
        arg = 0
        if what == says.COUNT:
            arg = self.random.below(9) + 1
        elif what == common.SWAP:
            arg = self.random.below(6)
        elif what == common.JOIN:
            arg = self.random.below(40)
        elif what == common.CORRECT:
            arg = (self.random.below(len(keeper.rounds) + 1) + 1) * 65536 + 32768 + self.random.below(200)
        return what, seat, arg

    def _plain(self, keeper):
        random = self.random
        if keeper.paused:
            return common.RESUME, NO_SEAT, 0
        if keeper.phase == SETUP:
            if self.joined < self.seats:
                self.joined += 1
                return common.JOIN, self.joined - 1, self.joined + 100
            if keeper.rules.get(1) != self.target:
                return common.RULE, NO_SEAT, 65536 + self.target
            return common.START, NO_SEAT, 0
        if keeper.phase == WAITS_COLOUR:
            return says.COLOUR, NO_SEAT, random.below(4)
        if keeper.phase == ASKS_OUT:
            return says.OUT, keeper.out_seat, 0
        if keeper.phase == SCORING:
            if keeper.cards_entered(keeper.entering) >= keeper.counts[keeper.entering]:
                return says.ALL, NO_SEAT, 0
            return says.CARD, NO_SEAT, random.below(12)
        if keeper.phase == SCORED:
            return common.CLOSE, NO_SEAT, keeper.points
        if keeper.phase != PLAY:
            return common.JOIN, random.below(6), 0
        kind = random.below(20)
        if kind < 13:
            return says.DONE, keeper.turn, 0
        if kind < 15:
            return says.DRAW, NO_SEAT, 0
        if kind == 15:
            return says.CATCH_UP, keeper.due, 0
        return _CARDS[random.below(5)], NO_SEAT, 0
