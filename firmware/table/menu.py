"""What is seldom needed: hold PAUSE. Works with the key pad and the screen alone.

Every list shows three numbered rows; a digit chooses, OK turns to the next three, UNDO goes back.
Nothing that ends anything happens by one press: it takes OK held for two seconds, then OK again.
"""

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT

from table import controls, cues, text
from table.ask import CONFIRM, HOLD, NUMBER, SEAT, Ask

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from table.app import App
    from table.panel import Panel

    Row = tuple[str | Callable[[], str], Callable[[], object]]


ROWS = 3
KEYS_HELP = ("key.choose", "key.more", "key.back")


class List:
    """One list of the menu: title key and (text, action) rows."""

    def __init__(self, title: str, rows: "Sequence[Row]") -> None:
        self.title = title
        self.rows = rows
        self.first = 0


class Menu:
    """A stack of lists; the app shows the top one as long as there is one."""

    patience_ms = 40000
    keys_help = KEYS_HELP

    def __init__(self, app: "App") -> None:
        self.app = app
        self.lists = [self._top()]
        self.since = app.now

    # Gestures

    def event(self, number: int, kind: int) -> None:
        """Take a gesture; the menu takes all."""
        app = self.app
        self.since = app.now
        top = self.lists[-1]
        if number == controls.UNDO:
            if kind == controls.SHORT:
                self.lists.pop()
                if not self.lists:
                    app.close_menu()
                    app.left_menu_at = app.now
            elif kind == controls.LONG:
                app.close_menu()
            return
        if number == controls.PAUSE:
            if kind == controls.LONG:
                app.close_menu()
            return
        if number == controls.OK:
            if kind == controls.SHORT:
                top.first += ROWS
                if top.first >= len(top.rows):
                    top.first = 0
            return
        if number < controls.SEATS:
            app.refuse_words(number, "screen.choose")
            return
        digit = controls.digit(number)
        if kind == controls.PRESS and 1 <= digit <= len(top.rows):
            top.rows[digit - 1][1]()
        elif kind == controls.PRESS:
            app.refuse_words(NO_SEAT, "screen.choose")

    def late(self) -> bool:
        """Has it been left alone for so long that it should close?"""
        return self.app.now - self.since >= self.patience_ms

    def compose(self, panel: "Panel") -> None:
        """Set what the screen shows."""
        top = self.lists[-1]
        panel.title = text.word(top.title)
        panel.title_right = text.word("menu.more" if len(top.rows) > ROWS else "screen.undo_back")
        panel.rows = []
        for i in range(top.first, min(top.first + ROWS, len(top.rows))):
            label = top.rows[i][0]
            panel.rows.append(str(i + 1) + " " + (label() if callable(label) else text.word(label)))

    # Lists

    def _open(self, title: str, rows: "Sequence[Row]") -> None:
        self.lists.append(List(title, rows))

    def _top(self) -> "List":
        app = self.app
        phase = app.phase()
        if phase == "setup" or phase is None:
            rows: "list[Row]" = [
                ("menu.rules", self._rules),
                ("menu.dealer", self._dealer),
                ("menu.settings", self._settings),
            ]
        elif phase == "over":
            rows = [
                ("menu.new_match", self._new_match),
                ("menu.correct", self._correct),
                ("menu.scores", self._scores),
                ("menu.settings", self._settings),
            ]
        else:
            rows = [
                ("menu.leave", self._leave),
                ("menu.come_back", self._come_back),
                ("menu.swap", self._swap),
                ("menu.void", self._void),
                ("menu.end", self._end),
                ("menu.correct", self._correct),
                ("menu.scores", self._scores),
                ("menu.settings", self._settings),
            ]
        return List(cues.CUES["menu"][2], rows)

    def _ask(
        self,
        title: str,
        steps: "tuple[str, ...]",
        prompts: "tuple[str, ...]",
        done: "Callable[[list[int]], tuple[Any, ...] | None]",
    ) -> None:
        self.app.open_ask(Ask(self.app, title, steps, prompts, done))

    def _say(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        reason = self.app.say(what, seat, arg)
        if reason is None:
            self.app.close_menu()
        return reason

    def _leave(self) -> None:
        self._ask("menu.leave", (SEAT,), ("screen.press_that_seat",),
                  lambda values: self._say(says.LEAVE, values[0]))

    def _come_back(self) -> None:
        self._ask("menu.come_back", (SEAT,), ("screen.press_that_seat",),
                  lambda values: self._say(says.JOIN, values[0], self.app.player(values[0])))

    def _swap(self) -> None:
        self._ask("menu.swap", (SEAT, SEAT), ("screen.press_that_seat", "screen.press_other_seat"),
                  lambda values: self._say(says.SWAP, values[0], values[1]))

    def _void(self) -> None:
        self._ask("menu.void", (HOLD, CONFIRM), ("screen.hold_ok", "screen.void_sure"),
                  lambda values: self._say(says.VOID))

    def _end(self) -> None:
        self._ask("menu.end", (HOLD, CONFIRM), ("screen.hold_ok", "screen.end_sure"),
                  lambda values: self._say(says.END))

    def _correct(self) -> None:
        def done(values: "list[int]") -> "tuple[Any, ...] | None":
            return self._say(says.CORRECT, values[1], values[0] * 65536 + values[2] + 32768)

        self._ask("menu.correct", (NUMBER, SEAT, NUMBER),
                  ("screen.which_round", "screen.round_winner", "screen.round_points"), done)

    def _new_match(self) -> None:
        reason = self.app.new_match()
        if reason is None:
            self.app.close_menu()
        else:
            self.app.refuse(NO_SEAT, reason)

    def _scores(self) -> None:
        self.app.close_menu()
        self.app.next_info()

    def _dealer(self) -> None:
        def done(values: "list[int]") -> "tuple[Any, ...] | None":
            reason = self.app.lobby.choose_dealer(values[0])
            if reason is None:
                self.app.close_menu()
            return reason

        self._ask("menu.dealer", (SEAT,), ("screen.press_that_seat",), done)

    # Settings

    def _value(self, key: str) -> "Callable[[], str]":
        return lambda: text.word("rule." + key) + ": " + self.app.value_words(key)

    def _choices(self, key: str, values: "Iterable[int]") -> "Callable[[], None]":
        def choose(value: int) -> "Callable[[], None]":
            def chosen() -> None:
                reason = self.app.set(key, value)
                if reason is not None:
                    self.app.refuse(NO_SEAT, reason)
                else:
                    self.lists.pop()
            return chosen

        def label(value: int) -> "Callable[[], str]":
            def words() -> str:
                chosen = self.app.settings.get(key) == value
                return self.app.value_words(key, value) + (" <" if chosen else "")

            return words

        def opened() -> None:
            self._open("rule." + key, [(label(value), choose(value)) for value in values])

        return opened

    def _rules(self) -> None:
        rows: "list[Row]" = []
        for key, values in self.app.rule_choices():
            rows.append((self._value(key), self._choices(key, values)))
        self._open("menu.rules", rows)

    def _settings(self) -> None:
        rows: "list[Row]" = []
        for key, values in (
            ("sound", (0, 1, 2)),
            ("brightness", (1, 3, 5, 8, 10)),
            ("catch_up", (0, 1)),
            ("turn_screen", (0, 1)),
            ("dim_s", (30, 120, 600)),
            ("blank_s", (120, 600, 1800)),
        ):
            rows.append((self._value(key), self._choices(key, values)))
        rows.append(("menu.faults", self._faults))
        self._open("menu.settings", rows)

    def _faults(self) -> None:
        rows: "list[Row]" = []
        for code in self.app.faults[:9]:
            rows.append((self._fault(code), self.app.close_menu))
        if not rows:
            rows.append(("menu.no_faults", self.app.close_menu))
        self._open("menu.faults", rows)

    def _fault(self, code: str) -> "Callable[[], str]":
        return lambda: self.app.words_of_fault(code)
