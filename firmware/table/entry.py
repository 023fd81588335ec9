"""The end of a round: the cards left in each hand, and the sum of it all.

Cards, not sums: a digit for a number card, A for an action, B for a wild; it moves on by itself
after as many cards as that seat holds. OK ends a hand early; D, digits, OK types a sum instead.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says

from table import controls, cues, text
from table.ask import NUMBER, Ask
from table.panel import ROOM
from table.screen import cut

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from table.app import App
    from table.lights import Scene
    from table.panel import Panel


ACTION = 10
WILD = 11

KEYS_HELP = (
    "key.digits",
    "key.action",
    "key.wild",
    "key.sum",
    "key.hand_ok",
    "key.undo",
    "key.zero_held",
)


class Entry:
    """The mode of the phases "scoring" and "scored"."""

    def __init__(self, app: "App") -> None:
        self.app = app

    def event(self, number: int, kind: int) -> None:
        """Take a gesture."""
        app = self.app
        keeper: Any = app.log.keeper
        reason = None
        if keeper.phase == "scored":
            if number == controls.OK:
                if kind == controls.SHORT:
                    reason = app.say(common.CLOSE, NO_SEAT, keeper.points)
            elif number < controls.SEATS or kind in (controls.PRESS, controls.SHORT):
                app.refuse_words(number, "screen.ok_next")
        elif number < controls.SEATS:
            app.refuse_words(number, "screen.cards_of", keeper.entering)
        elif number == controls.PAUSE and kind == controls.SHORT:
            reason = app.say(says.CARD, keeper.entering, 0)
        elif number == controls.OK:
            if kind == controls.SHORT:
                reason = app.say(says.ALL, keeper.entering, 0)
        elif kind == controls.PRESS:
            digit = controls.digit(number)
            if digit >= 0:
                reason = app.say(says.CARD, keeper.entering, digit)
            elif number == controls.KEY_A:
                reason = app.say(says.CARD, keeper.entering, ACTION)
            elif number == controls.KEY_B:
                reason = app.say(says.CARD, keeper.entering, WILD)
            elif number == controls.KEY_D:
                self.sum_typed(keeper.entering)
            else:
                app.refuse_words(NO_SEAT, "screen.no_sign")
        if reason is not None:
            app.refuse(NO_SEAT, reason)

    def sum_typed(self, seat: int) -> None:
        """Ask for the sum of a hand instead of its cards."""
        def done(values: "list[int]") -> "tuple[Any, ...] | None":
            return self.app.say(says.SUM, seat, values[0])

        ask = Ask(self.app, "screen.sum_typed", (NUMBER,), ("screen.sum_of",), done)
        ask.patience_ms = 120000  # adding up takes a while
        ask.about = seat
        self.app.open_ask(ask)

    def state(self, keeper: "Any") -> str:
        """Return the name of the state in cues.py."""
        return "scored" if keeper.phase == "scored" else "entering"

    def scene(self, scene: "Scene") -> None:
        """Set what the lights show."""
        keeper: Any = self.app.log.keeper
        state = self.state(keeper)
        scene.pattern = cues.CUES[state][0]
        if state == "scored":
            scene.seat = keeper.out_seat
            return
        seat = keeper.entering
        scene.seat = seat
        scene.done = keeper.cards_entered(seat)
        scene.total = keeper.counts[seat]
        scene.waiting = 0
        for waiting in keeper.to_enter():
            if waiting != seat:
                scene.waiting |= 1 << waiting

    def compose(self, panel: "Panel") -> None:
        """Set what the screen shows."""
        app = self.app
        keeper: Any = app.log.keeper
        state = self.state(keeper)
        if state == "scored":
            winner = keeper.out_seat
            points = keeper.points
            panel.show(state, cut(app.name(winner), ROOM), n=points, total=keeper.scores[winner] + points)
            panel.foot = text.word("screen.ok_finish" if keeper.wins_match else "screen.ok_next")
            return
        seat = keeper.entering
        panel.figure = str(keeper.hand_points(seat))
        panel.show(
            state, cut(app.name(seat), ROOM), n=keeper.cards_entered(seat), total=keeper.counts[seat]
        )
        panel.foot = text.word("screen.entry_keys")
