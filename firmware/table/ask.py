"""Questions asked step by step: a seat, a number, a long hold and its confirmation.

UNDO takes back one digit or one step; before the first step it closes the question, and nothing
has happened. A question that nobody answers closes by itself.
"""

from cardrules.announcement import NO_SEAT

from table import controls, cues, text
from table.panel import ROOM, fit

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from table.app import App
    from table.lights import Scene
    from table.panel import Panel


SEAT = "seat"
NUMBER = "number"
HOLD = "hold"  # OK held for two seconds
CONFIRM = "confirm"  # then OK once more
KEYS_HELP = ("key.digits_ok", "key.back", "key.seat_meant")
KEY = "key"  # one of the game's keys; the answer is the control


class Ask:
    """title: key of the words on top; steps: some of the above; done(values) -> reason or None.

    prompts: keys of the words shown at each step. start: values already known.
    """

    patience_ms = 25000
    max_digits = 4

    def __init__(
        self,
        app: "App",
        title: str,
        steps: "tuple[str, ...]",
        prompts: "tuple[str, ...]",
        done: "Callable[[list[int]], tuple[Any, ...] | None]",
        start: "tuple[int, ...]" = (),
    ) -> None:
        self.app = app
        self.title = title
        self.steps = steps
        self.prompts = prompts
        self.done = done
        self.values = list(start)
        self.given = len(start)
        self.digits = ""
        self.about = NO_SEAT  # whom it concerns, when no step asks for a seat
        self.since = app.now

    def wants_hold(self) -> bool:
        """Does this step wait for a long hold of OK?"""
        return self.step() == HOLD

    def step(self) -> str:
        """Return the kind of the step that waits for an answer."""
        return self.steps[len(self.values)]

    def event(self, number: int, kind: int) -> bool:
        """Take a gesture; return True when it was for this question."""
        self.since = self.app.now
        step = self.step()
        if number == controls.UNDO:
            if kind == controls.LONG:
                self.app.close_ask()
            elif kind == controls.SHORT:
                if self.digits:
                    self.digits = self.digits[:-1]
                elif len(self.values) > self.given:
                    self.values.pop()
                else:
                    self.app.close_ask()
            return True
        if number < controls.SEATS:
            if step == SEAT:
                self._answer(number)
            elif step == KEY:
                # play goes on: whoever asked has thought better of it
                self.app.close_ask()
                self.app.event(number, kind)
            elif step == NUMBER and SEAT in self.steps and len(self.values) > self.given:
                self.values[-1] = number  # a slip: another seat is meant
                self.digits = ""
            else:
                self.app.refuse_words(number, self.prompts[len(self.values)])
            return True
        if number == controls.PAUSE and kind == controls.LONG:
            self.app.close_ask()
            return True
        if step == NUMBER:
            digit = controls.digit(number)
            if digit >= 0 and kind in (controls.PRESS, controls.SHORT):
                if len(self.digits) < self.max_digits:
                    self.digits = (self.digits + str(digit)).lstrip("0") or "0"
                return True
            if number == controls.OK and kind == controls.SHORT:
                if self.digits:
                    self._answer(int(self.digits))
                else:
                    self.app.refuse_words(NO_SEAT, self.prompts[len(self.values)])
                return True
        elif step == HOLD:
            if number == controls.OK and kind == controls.HELD:
                self.app.sound.play(cues.BEEP, self.app.now)
                self._answer(1)
            elif number == controls.OK and kind == controls.SHORT:
                self.app.refuse_words(NO_SEAT, self.prompts[len(self.values)])
            return True
        elif step == CONFIRM:
            if number == controls.OK:
                if kind == controls.SHORT:
                    self._answer(1)
                return True
        elif step == KEY:
            if kind == controls.PRESS or (kind == controls.SHORT and number == controls.PAUSE):
                self._answer(number)
            return True
        if kind in (controls.PRESS, controls.SHORT):
            self.app.refuse_words(NO_SEAT, self.prompts[len(self.values)])
        return True

    def _answer(self, value: int) -> None:
        digits = self.digits
        self.values.append(value)
        self.digits = ""
        if len(self.values) < len(self.steps):
            return
        reason = self.done(self.values)
        if reason is None:
            self.app.close_ask()
        else:
            self.values.pop()
            self.digits = digits
            self.app.refuse(NO_SEAT, reason)

    def late(self) -> bool:
        """Has nobody answered for so long that the question should go?"""
        return self.app.now - self.since >= self.patience_ms

    def state(self) -> str:
        """Return the name of the state in cues.py."""
        return "confirm" if self.step() in (HOLD, CONFIRM) else "asking"

    def scene(self, scene: "Scene") -> None:
        """Set what the lights show."""
        state = self.state()
        scene.pattern = cues.CUES[state][0]
        if state == "asking":
            scene.seat = self._seat()

    def _seat(self) -> int:
        for i in range(len(self.values)):
            if self.steps[i] == SEAT:
                return self.values[i]
        return self.about

    def compose(self, panel: "Panel") -> None:
        """Set what the screen shows."""
        step = self.step()
        seat = self._seat()
        name = self.app.name(seat) if seat != NO_SEAT else ""
        panel.head = text.word(self.title)
        panel.show(self.state())
        panel.picture = cues.STEP_PICTURES.get(step, panel.picture)
        panel.line = text.fill(self.prompts[len(self.values)], name=name)
        if step == NUMBER:
            panel.line = fit(self.prompts[len(self.values)], ROOM, name=name)
            panel.below = self.digits + "_"
            panel.foot = text.word("screen.type_ok")
        else:
            panel.foot = text.word("screen.undo_back")
