"""Before a match: who sits where, who deals first, and off it goes.

A press of one's seat joins, another one leaves; OK starts. The first dealer is offered at random
and moved on by D; he is announced only with the start, so that no seat is favoured by joining early.
"""

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT

from table import controls, cues, text
from table.panel import ROOM, fit
from table.screen import WIDTH

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from table.app import App
    from table.lights import Scene
    from table.panel import Panel


KEYS_HELP = ("key.join", "key.start", "key.dealer", "key.menu", "key.undo")
REMATCH_AFTER_MS = 3000  # after the end of a match; sooner, OK is a second press by mistake
OVER_HELP = ("key.rematch", "key.menu", "key.undo")


class Lobby:
    """The mode of the phases before a match and after it."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.dealer = NO_SEAT
        self.moved = False

    def joined(self) -> int:
        """Return the bit mask of the seats that have joined."""
        return self.app.active_mask()

    def offer(self) -> None:
        """Offer a first dealer: at random, unless somebody was chosen who is still there."""
        mask = self.joined()
        if self.moved and self.dealer != NO_SEAT and mask >> self.dealer & 1:
            return
        self.moved = False
        seats = [s for s in range(controls.SEATS) if mask >> s & 1]
        self.dealer = seats[self.app.random(len(seats))] if seats else NO_SEAT

    def move_dealer(self) -> None:
        """Offer the next seat as the first dealer."""
        mask = self.joined()
        if not mask:
            return
        seat = self.dealer if self.dealer != NO_SEAT else controls.SEATS - 1
        for _ in range(controls.SEATS):
            seat = (seat + 1) % controls.SEATS
            if mask >> seat & 1:
                break
        self.choose_dealer(seat)

    def choose_dealer(self, seat: int) -> "tuple[Any, ...] | None":
        """Offer this seat as the first dealer; return a reason or None."""
        if not self.joined() >> seat & 1:
            return ("seat_absent", seat)
        self.dealer = seat
        self.moved = True
        self.app.head = fit("said.dealer", WIDTH, name=self.app.name(seat))
        return None

    def start(self) -> "tuple[Any, ...] | None":
        """Start the match; return a reason or None."""
        app = self.app
        keeper: Any = app.log.keeper
        if keeper is None or keeper.phase != "setup":
            return ("match_running",)
        app.apply_rules()
        reason = app.log.why_not(says.START, NO_SEAT, 0)
        if reason is not None:
            return reason
        if self.dealer == NO_SEAT or not self.joined() >> self.dealer & 1:
            self.offer()
        reason = app.say(says.DEALER, self.dealer, 0)
        if reason is None:
            reason = app.say(says.START, NO_SEAT, 0)
        return reason

    def rematch(self) -> "tuple[Any, ...] | None":
        """Start a match with the same people and rules; return a reason or None."""
        app = self.app
        mask = self.joined()
        reason = app.new_match()
        if reason is not None:
            return reason
        for seat in range(controls.SEATS):
            if mask >> seat & 1:
                app.say(says.JOIN, seat, app.player(seat))
        self.moved = False
        self.offer()
        return self.start()

    def seat(self, seat: int) -> "tuple[Any, ...] | None":
        """Join or leave; return a reason or None."""
        app = self.app
        if self.joined() >> seat & 1:
            reason = app.say(says.LEAVE, seat, 0)
        else:
            reason = app.say(says.JOIN, seat, app.player(seat))
        if reason is None:
            self.offer()
        return reason

    def event(self, number: int, kind: int) -> None:
        """Take a gesture."""
        app = self.app
        over = app.phase() == "over"
        if number < controls.SEATS:
            if over:
                app.refuse_words(number, "screen.ok_rematch")
            else:
                reason = self.seat(number)
                if reason is not None:
                    app.refuse(number, reason)
        elif number == controls.OK and kind == controls.SHORT:
            if over and app.now - app.over_at < REMATCH_AFTER_MS:
                return  # the OK that closed the last round, pressed twice: undo must still reach it
            reason = self.rematch() if over else self.start()
            if reason is not None:
                app.refuse(NO_SEAT, reason)
        elif number == controls.PAUSE and kind in (controls.SHORT, controls.LONG):
            app.open_menu()
        elif number == controls.KEY_D and kind == controls.PRESS and not over:
            self.move_dealer()
        elif kind == controls.PRESS:
            app.refuse_words(NO_SEAT, "screen.ok_rematch" if over else "screen.lobby")

    def state(self, keeper: "Any") -> str:
        """Return the name of the state in cues.py."""
        if self.app.phase() != "over":
            return "lobby"
        return "match_won" if keeper.winner != NO_SEAT else "match_ended"

    def scene(self, scene: "Scene") -> None:
        """Set what the lights show."""
        keeper: Any = self.app.log.keeper
        state = self.state(keeper)
        scene.pattern = cues.CUES[state][0]
        if state != "lobby":
            scene.seat = keeper.winner
            scene.dealer = keeper.dealer
        else:
            scene.seat = NO_SEAT
            scene.dealer = self.dealer

    def compose(self, panel: "Panel") -> None:
        """Set what the screen shows."""
        app = self.app
        keeper: Any = app.log.keeper
        state = self.state(keeper)
        if state != "lobby":
            winner = keeper.winner
            if winner != NO_SEAT:
                panel.show(state, app.name(winner), n=keeper.scores[winner])
            else:
                panel.show(state)
            panel.foot = text.word("screen.ok_rematch")
            return
        mask = self.joined()
        count = 0
        for s in range(controls.SEATS):
            count += mask >> s & 1
        panel.show(state)
        if not count:
            panel.foot = app.fault_words() or text.word("screen.hold_menu")
            return
        panel.line = text.fill("screen.player" if count == 1 else "screen.players", n=count)
        if self.dealer != NO_SEAT:
            panel.below = fit("screen.deals", ROOM, name=app.name(self.dealer))
        reason = app.log.why_not(says.START, NO_SEAT, 0)
        panel.foot = app.fault_words() or (
            text.word("screen.ok_start") if reason is None else app.reason_words(reason)
        )
