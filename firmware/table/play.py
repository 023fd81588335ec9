"""Last Card in play: what a press means.

The own seat says "my turn is over"; everything special has a key. The keeper decides what may be
said; this only words the press as an announcement.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says

from table import controls, cues, text
from table.ask import KEY, NUMBER, SEAT, Ask
from table.screen import WIDTH, cut, width

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from table.app import App
    from table.lights import Scene
    from table.panel import Panel


_KEYS = {
    controls.SKIP_1: says.SKIP,
    controls.SKIP_1 + 1: says.REVERSE,
    controls.SKIP_1 + 2: says.PLUS_TWO,
    controls.SKIP_1 + 4: says.WILD,
    controls.SKIP_1 + 5: says.PLUS_FOUR,
    controls.SKIP_1 + 6: says.DRAW,
    controls.SKIP_1 + 8: says.PLAYED,
}
COUNT_KEY = controls.SKIP_1 + 9
OUT_KEY = controls.SKIP_1 + 10
_COLOURS = {controls.KEY_A: 0, controls.KEY_B: 1, controls.KEY_C: 2, controls.KEY_D: 3}
_STATES = {"colour": "colour_wanted", "out": "out_asked", "short": "short"}
_TURNED = (says.SKIP, says.REVERSE, says.PLUS_TWO, says.WILD)

KEYS_HELP = (
    "key.seat",
    "key.skip_reverse",
    "key.plus_wild",
    "key.four_draw",
    "key.played_count",
    "key.out",
    "key.colours_1",
    "key.colours_2",
    "key.undo",
    "key.pause",
    "key.zero_held",
    "key.ok",
)


class Play:
    """The mode of the phases "play", "colour" and "out"."""

    same_draw_ms = 300  # a second DRAW so soon after the first one passed the turn is a slip

    def __init__(self, app: "App") -> None:
        self.app = app

    def event(self, number: int, kind: int) -> None:
        """Take a gesture."""
        app = self.app
        keeper: Any = app.log.keeper
        if keeper.phase == "short":
            self.short(number, kind)
        elif number < controls.SEATS:
            self.seat(number, keeper)
        elif number == controls.OK:
            if kind == controls.SHORT:
                if self.may_be_turned_up():
                    app.open_ask(Ask(app, "screen.turned_up", (KEY,), ("screen.turned_key",), self._turned))
                else:
                    app.next_info()
        elif kind != controls.PRESS:
            return
        elif number in _COLOURS:
            self.say(number, says.COLOUR, keeper.turn, _COLOURS[number])
        elif number == COUNT_KEY:
            if keeper.phase == "out":
                known = (keeper.out_seat,)
                app.open_ask(Ask(app, "screen.count", (SEAT, NUMBER), _COUNT_ASKS, self._count, known))
            else:
                app.open_ask(Ask(app, "screen.count", (SEAT, NUMBER), _COUNT_ASKS, self._count))
        elif number == OUT_KEY:
            app.open_ask(Ask(app, "screen.out_key", (SEAT,), ("screen.out_who",), self._out))
        elif number in _KEYS:
            what = _KEYS[number]
            if what == says.DRAW and app.drew_turn_away(self.same_draw_ms):
                return
            self.say(number, what, keeper.turn, 0)

    def seat(self, seat: int, keeper: "Any") -> None:
        """A seat was pressed: turn over, taken, caught up, out, or no."""
        app = self.app
        if keeper.phase == "out" and seat == keeper.out_seat:
            self.say(seat, says.OUT, seat, 0)
            return
        reason = app.say(says.DONE, seat, 0)
        if reason is not None and (not app.catch_up or app.say(says.CATCH_UP, seat, 0) is not None):
            app.refuse(seat, reason)

    def short(self, number: int, kind: int) -> None:
        """Too few are left to play: whoever comes back presses the own seat."""
        app = self.app
        if number < controls.SEATS:
            self.say(number, common.JOIN, number, app.player(number))
        elif kind == controls.PRESS:
            app.refuse_words(NO_SEAT, "screen.short")

    def say(self, number: int, what: int, seat: int, arg: int) -> None:
        """Say it, or refuse at the seat that was pressed."""
        reason = self.app.say(what, seat, arg)
        if reason is not None:
            self.app.refuse(number if number < controls.SEATS else NO_SEAT, reason)

    def may_be_turned_up(self) -> bool:
        """May an action card still be named as the one turned up at the deal?"""
        return self.app.log.why_not(says.TURNED, NO_SEAT, says.SKIP) is None

    def _turned(self, values: "list[int]") -> "tuple[Any, ...] | None":
        if values[0] == controls.OK:
            self.app.next_info()
            return None
        what = _KEYS.get(values[0])
        if what not in _TURNED:
            return ("wrong_card",)
        return self.app.say(says.TURNED, NO_SEAT, what)

    def _count(self, values: "list[int]") -> "tuple[Any, ...] | None":
        return self.app.say(says.COUNT, values[0], values[1])

    def _out(self, values: "list[int]") -> "tuple[Any, ...] | None":
        return self.app.say(says.OUT, values[0], 0)

    def state(self, keeper: "Any") -> str:
        """Return the name of the state in cues.py."""
        if keeper.phase != "play":
            return _STATES[keeper.phase]
        if 0 <= keeper.colour < 4:
            return cues.COLOURS[keeper.colour]
        if keeper.owed:
            return "owes"
        return "turn" if keeper.direction > 0 else "direction_back"

    def scene(self, scene: "Scene") -> None:
        """Set what the lights show."""
        keeper: Any = self.app.log.keeper
        state = self.state(keeper)
        scene.pattern = cues.CUES[state][0]
        if state == "out_asked":
            scene.seat = keeper.out_seat
        elif state == "short":
            scene.seat = NO_SEAT
        else:
            scene.seat = keeper.turn

    def compose(self, panel: "Panel") -> None:
        """Set what the screen shows."""
        app = self.app
        keeper: Any = app.log.keeper
        state = self.state(keeper)
        if state == "short":
            panel.show(state)
            panel.foot = text.word("screen.hold_menu")
            return
        if state == "out_asked":
            panel.show(state, app.name(keeper.out_seat))
            panel.foot = text.word("screen.seat_is_yes")
            return
        panel.show(state, app.name(keeper.turn))
        panel.foot_right = ">>" if keeper.direction > 0 else "<<"
        if state == "owes":
            panel.figure = "+" + str(keeper.owed)
        elif state in cues.COLOURS:
            if keeper.owed:
                panel.below += " +" + str(keeper.owed)
        elif keeper.drew > 0 and state != "colour_wanted":
            panel.below = text.fill("screen.drew_n", n=keeper.drew)
        few = self.few(keeper)
        panel.foot = few or app.fault_words() or text.fill("screen.round", n=keeper.round)

    def few(self, keeper: "Any") -> str:
        """Return the seats that hold three cards or fewer, with their counts."""
        found = []
        mask = self.app.active_mask()
        for s in range(controls.SEATS):
            if mask >> s & 1 and 0 < keeper.counts[s] <= 3:
                found.append(s)
        if not found:
            return ""
        # each the same share of the line beside the direction
        share = (WIDTH - 16) // len(found) - 10
        out = []
        for s in found:
            count = str(keeper.counts[s])
            out.append(cut(self.app.name(s), share - width(count) - 5) + " " + count)
        return "  ".join(out)


_COUNT_ASKS = ("screen.count_whose", "screen.count_how_many")
