"""The table itself: ties buttons, rules, lights, screen, sound, journal and line together.

tick() does what is due at one moment and never waits, so that a test drives the whole table with a
clock of its own; run() is the same under asyncio on the board. The order within a tick: a press and
its lights first; then a light frame, one page of the screen, the journal, the settings.
"""

import asyncio
import gc
import time

from cardrules import announcement as says
from cardrules import games, seating
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says as last_card
from cardrules.log import Log

from table import SEATS, controls, cues, text
from table.ask import KEYS_HELP as ASK_HELP
from table.controls import Controls
from table.entry import KEYS_HELP as ENTRY_HELP
from table.entry import Entry
from table.lights import Lights, Scene
from table.lobby import KEYS_HELP as LOBBY_HELP
from table.lobby import OVER_HELP, Lobby
from table.panel import ROOM, Panel, fit
from table.play import KEYS_HELP as PLAY_HELP
from table.play import Play
from table.screen import WIDTH, Screen, cut, width
from table.sound import Sound

try:
    from typing import TYPE_CHECKING, Any
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from table.ask import Ask
    from table.menu import Menu


try:
    from asyncio import sleep_ms
except ImportError:

    async def sleep_ms(ms: int) -> None:  # type: ignore[no-redef]
        await asyncio.sleep(ms / 1000)


_RULE_KEYS = ("target", "stacking", "draw_until")
_SWITCHES = ("catch_up", "turn_screen", "stacking")

_clock: Any = time
if hasattr(time, "ticks_us"):
    _us = _clock.ticks_us
    _us_since = _clock.ticks_diff
else:

    def _us() -> int:
        microseconds: int = _clock.perf_counter_ns() // 1000
        return microseconds

    def _us_since(now: int, start: int) -> int:
        return now - start


class App:
    """board: see the board files; root: where journal and settings lie.

    log, journal, settings, controls: the parts others use. now: milliseconds since the start, never
    wrapping; faults: codes of what does not work, shared with the board's list.
    last_press_us, worst_press_us: from reading the edge of a press to the end of the first
    pixels.show() that answers it.
    """

    poll_ms = 4
    flush_ms = 60  # after an announcement, at the latest; sooner when the screen is done
    look_ms = 500  # between two looks at faults and at settings that the PC may have changed
    calm_ms = 300
    after_menu_ms = 1000  # UNDO sooner after the menu was "back" once too often
    sweep_ms = 2000  # garbage of a table at rest is swept this often, so that no press has to wait for it
    remind_ms = 20000  # out of play the lights tell again of a part that does not work
    info_ms = 6000
    cue_hold_ms = 2200  # words of a passing cue stay this long on the screen

    def __init__(
        self, board: "Any", root: str = "/", journal: "Any" = None, settings: "Any" = None
    ) -> None:
        self.board = board
        self.faults = board.faults
        if settings is None:
            from table.settings import Settings

            settings = Settings(root)
        self.settings = settings
        if journal is None:
            from table.journal import Journal

            journal = Journal(root)
        self.journal = journal
        if not text.has("screen.seat"):
            from table import words_en

            text.use(words_en.WORDS)
        self.log = Log(journal.archive)
        self.controls = Controls(board.seats, board.rows, board.columns, board.ticks_diff)
        self.lights = Lights(board.pixels)
        self.screen = Screen(None if "screen" in self.faults else board.screen)
        self.sound = Sound(board.tone)
        self.scene = Scene()
        self.panel = Panel()
        self.link: Any = None
        self.now = 0
        self.head = ""
        self.ask: "Ask | None" = None
        self.menu: "Menu | None" = None
        self.info = ""  # which page of figures is shown: "", "cards", "points", "time", "keys"
        self.info_page = 0
        self.info_since = 0
        self.cue = ""  # whose words are shown
        self.cue_seat = NO_SEAT
        self.cue_value = 0
        self.cue_line = ""  # words of a refusal
        self.cue_until = 0
        self.asleep = False
        self.catch_up = True
        self.last_press_us = 0
        self.worst_press_us = 0
        self._edge_us = 0  # when the pins were read
        self._answered = False  # this press has lit a frame
        self.presses = 0
        self.over_at = 0  # ms when the latest match ended
        self.left_menu_at = -self.after_menu_ms
        self.why = None  # what stopped the program
        self._names = [""] * SEATS
        self._names_from: "list[str] | None" = None
        self._rules_from: "list[int] | None" = None
        self._stale = True
        self._drawing = False
        self._ticks = board.ticks_ms()
        self._frame_at = -1000
        self._look_at = 0
        self._said_at = -1
        self._touched = 0  # ms of the last press
        self._swallow = -1  # control whose press woke the screen
        self._collected = True
        self._swept_at = 0
        self.heap_free = 0  # bytes, after the latest sweep; 0 where that is not known
        self._reminded = 0
        self._head_due: "tuple[Any, ...] | None" = None
        self._told: "list[str]" = []  # faults that have been shown
        self._turn_drawn_at = -1000  # ms when a DRAW passed the turn on
        self._link_known = False
        self.lobby = Lobby(self)
        self.play = Play(self)
        self.entry = Entry(self)
        self._random: Any = None
        journal.open(self.log)
        self._take_settings()

    # What others ask and say

    def boot(self) -> None:
        """Announce the boot; greet, or set up a first match."""
        resumed = self.log.keeper is not None and self.log.keeper.phase != "setup"
        self.say(says.BOOT, NO_SEAT, self.journal.boots)
        if self.log.keeper is None:
            self.new_match()
        self.random(1)  # makes the generator now: the first seat to join need not wait for it
        self.lobby.offer()
        target = self.log.undo_target()
        self._head_due = (says.BOOT, NO_SEAT, 0, None, ())
        if resumed and target is not None:
            self._head_due = (target[0], target[1], target[2], None, ())
        self._show("welcome", NO_SEAT, NO_SEAT, 0)
        if not resumed:
            self.cue_line = text.word("screen.hello")
            self.head = ""
            self._head_due = None
        self.look()
        self._sweep()
        if hasattr(gc, "threshold"):
            gc.threshold(-1)  # from now on it is swept in calm moments

    def uptime_ms(self) -> int:
        """Return milliseconds since the start."""
        return self.now

    def phase(self) -> "str | None":
        """Return the phase of the keeper, None when there is none."""
        keeper: Any = self.log.keeper
        return keeper.phase if keeper is not None else None

    def in_play(self) -> bool:
        """Is a match running?"""
        return self.phase() not in (None, "setup", "over")

    def status(self) -> "tuple[Any, ...]":
        """Return what a spectator may want to know, as plain numbers and lists:

        game, phase, turn, direction, dealer, round, paused, cards owed, colour, counts, scores,
        players, bit mask of active seats, seconds on each clock.
        """
        keeper: Any = self.log.keeper
        if keeper is None:
            return (0, "", NO_SEAT, 1, NO_SEAT, 0, 0, 0, -1, [], [], [], 0, [])
        return (
            keeper.game,
            keeper.phase,
            keeper.turn,
            keeper.direction,
            keeper.dealer,
            keeper.round,
            1 if keeper.paused else 0,
            keeper.owed,
            keeper.colour,
            list(keeper.counts),
            list(keeper.scores),
            list(keeper.players),
            self.active_mask(),
            [ms // 1000 for ms in keeper.clock_ms],
        )

    def say(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        """Announce something: the one road for keys, menu and PC. Return a reason or None."""
        log = self.log
        target = None
        if what == says.UNDO:
            target = log.undo_target()
        elif what == says.REDO:
            target = log.redo_target()
        keeper: Any = log.keeper
        turn = keeper.turn if keeper is not None else NO_SEAT
        over = keeper is not None and keeper.phase == "over"
        reason, notices = log.say(what, seat, arg, self.now & 0xFFFFFFFF)
        if reason is not None:
            return reason
        self.journal.append(self.now & 0xFFFFFFFF, seat, what, arg)
        if self._said_at < 0:
            self._said_at = self.now
        keeper = log.keeper
        if not over and keeper is not None and keeper.phase == "over":
            self.over_at = self.now
        if target is not None and target[0] == says.RULE:
            self._keep_rules(keeper)
        if what == says.CLOSE:
            self.journal.round_ended()
        elif what == last_card.DRAW and keeper is not None and keeper.turn != turn:
            self._turn_drawn_at = self.now
        elif what == says.GAME or what == says.UNDO or what == says.REDO:
            self.close_ask()
        self.info = ""
        self._stale = True
        self._collected = False
        self._touched = self.now
        if self.asleep:
            self._wake()
        self._head_due = (what, seat, arg, target, notices)
        found = cues.pick(notices)
        if found is not None:
            other = NO_SEAT
            if found[0] in ("swapped", "caught_up"):
                other = found[2]
            self._show(found[0], found[1], other, found[2])
        return None

    def remote(self, control: "str | int", down: bool) -> None:
        """Press or release a control by its name, as if by hand."""
        number = controls.control(control) if isinstance(control, str) else control
        if 0 <= number < controls.CONTROLS:
            self.controls.remote(number, down)

    def set(self, key: str, value: object) -> "tuple[Any, ...] | None":
        """Change a setting at the table; return a reason or None. Rules are locked in a match."""
        if key in _RULE_KEYS and self.in_play():
            return ("match_running",)
        reason: "tuple[Any, ...] | None" = self.settings.set(key, value)
        if reason is None:
            self._take_settings()
            self._stale = True
        return reason

    # Names and words

    def name(self, seat: int) -> str:
        """Return the name of a seat as the screen can show it."""
        if 0 <= seat < SEATS:
            return self._names[seat]
        return ""

    def player(self, seat: int) -> int:
        """Return the player id set for a seat, 0 if unknown."""
        player: int = self.settings.get("players")[seat]
        return player

    def _take_settings(self) -> None:
        settings = self.settings
        rules = [settings.get(name) for name in _RULE_KEYS]
        if rules != self._rules_from:
            self._rules_from = rules
            self.apply_rules()
        self.sound.level = settings.get("sound")
        self.lights.brightness = settings.get("brightness")
        self.lights.budget_ma = settings.get("budget_ma")
        self.catch_up = settings.get("catch_up") != 0
        names = settings.get("names")
        if names != self._names_from:
            self._names_from = list(names)
            self._names = [text.name(names[s], s) for s in range(SEATS)]
            self._stale = True

    def value_words(self, key: str, value: "int | None" = None) -> str:
        """Return a setting's value in words."""
        if value is None:
            value = self.settings.get(key)
        for name in (key + "_" + str(value), "switch_" + str(value) if key in _SWITCHES else ""):
            if name and text.has("value." + name):
                return text.word("value." + name)
        if key.endswith("_s"):
            return text.fill("value.seconds", n=value)
        return str(value)

    def rule_choices(self) -> "list[tuple[str, tuple[int, ...]]]":
        """Return (name, values) of the rules that may be chosen before a match."""
        found = []
        for _, name, values, _ in games.load(self.game()).SETTINGS:
            found.append((name, values))
        return found

    def _keep_rules(self, keeper: "Any") -> None:
        """Take the rules of the match into the settings: a rule was undone or redone."""
        for key, name, _, _ in games.load(keeper.game).SETTINGS:
            if name in _RULE_KEYS:
                self.settings.set(name, keeper.rules[key])
        self._rules_from = [self.settings.get(name) for name in _RULE_KEYS]

    def apply_rules(self) -> None:
        """Announce the rules that are set and differ, while a match is being set up."""
        keeper: Any = self.log.keeper
        if keeper is None or keeper.phase != "setup":
            return
        for key, name, _, _ in games.load(keeper.game).SETTINGS:
            if name in _RULE_KEYS:
                value = self.settings.get(name)
                if keeper.rules[key] != value:
                    self.say(says.RULE, NO_SEAT, key * 65536 + value)

    def reason_words(self, reason: "tuple[Any, ...]") -> str:
        """Return a refusal in words."""
        code = reason[0]
        args = reason[1:]
        n = args[0] if args else 0
        m = args[1] if len(args) > 1 else 0
        k = args[2] if len(args) > 2 else 0
        name = cut(self.name(n), 60) if isinstance(n, int) else ""
        return text.fill("reason." + code, name=name, n=n, m=m, k=k)

    def words_of_fault(self, code: str) -> str:
        """Return a fault in words; a stuck control is named."""
        if code.startswith("stuck_"):
            what = code[6:]
            key = "fault.stuck_seat" if what.startswith("seat") else "fault.stuck_key"
            return text.fill(key, n=what[4:] if what.startswith("seat") else what)
        if text.has("fault." + code):
            return text.word("fault." + code)
        return text.fill("fault.other", code=code)

    def fault_words(self) -> str:
        """Return the first fault that lasts in words, "" when there is none.

        What was mended at the start (journal, settings) is told once and stands in the menu.
        """
        for code in self.faults:
            if not code.startswith("journal_") and not code.startswith("settings_"):
                return self.words_of_fault(code)
        return ""

    def _what_name(self, what: int) -> str:
        name = says.COMMON.get(what)
        if name is None:
            keeper: Any = self.log.keeper
            game = keeper.game if keeper is not None else 1
            name = games.load(game).NAMES.get(what, "")
        return name

    def _said(
        self,
        what: int,
        seat: int,
        arg: int,
        notices: "Sequence[tuple[str, int, int]]",
        target: "tuple[int, int, int] | None" = None,
        room: int = WIDTH,
    ) -> str:
        name = self._what_name(what)
        other = ""
        card = ""
        n = arg
        if name in ("undo", "redo"):
            if target is None:
                return text.word("said." + name)
            room -= width(text.fill("said." + name, what=""))
            return text.fill("said." + name, what=self._said(target[0], target[1], target[2], (), None, room))
        if name == "done":
            for notice in notices:
                if notice[0] in ("taken", "kept", "passed"):
                    name = notice[0]
        elif name == "turned":
            card = text.word("card." + self._what_name(arg))
        elif name == "card":
            card = text.word("card." + str(arg)) if arg > 9 else text.fill("card.number", n=arg)
        elif name == "colour":
            card = text.word("colour." + str(arg))
        elif name == "swap":
            other = self.name(arg)
        elif name == "catch_up":
            other = self._caught(notices)
        elif name == "correct":
            n = (arg & 65535) - 32768
        return fit("said." + name, room, name=self.name(seat), n=n, other=other, card=card, round=arg >> 16)

    def _caught(self, notices: "Sequence[tuple[str, int, int]]") -> str:
        for code, seat, _ in notices:
            if code == "caught_up":
                return self.name(seat)
        return ""

    # What the keeper knows, put for lights and screen

    def _mask(self, wanted: int) -> int:
        keeper: Any = self.log.keeper
        mask = 0
        if keeper is not None:
            bit = 1
            for state in keeper.ring.states:
                if state == wanted:
                    mask |= bit
                bit <<= 1
        return mask

    def active_mask(self) -> int:
        """Return the bit mask of the seats that take part now."""
        return self._mask(seating.ACTIVE)

    # Matches

    def game(self) -> int:
        """Return the id of the game that is set; the first one while the set one is not known here."""
        game: int = self.settings.get("game")
        try:
            games.load(game)
        except ValueError:
            return games.GAMES["last_card"]
        return game

    def new_match(self) -> "tuple[Any, ...] | None":
        """Set up a new match by the settings; return a reason or None."""
        reason = self.say(says.GAME, NO_SEAT, self.game())
        if reason is None:
            self.apply_rules()
            self.lobby.moved = False
            self.lobby.offer()
        return reason

    def random(self, below: int) -> int:
        """Return a number from 0 to below - 1, another one every evening."""
        if self._random is None:
            from cardrules.prng import Prng

            self._random = Prng(_seed())
        found: int = self._random.below(below)
        return found

    # Questions, menu, figures

    def open_ask(self, ask: "Ask") -> None:
        """Ask something; it takes the presses until it is answered."""
        self.ask = ask
        self.cue = ""
        self._stale = True

    def close_ask(self) -> None:
        """Stop asking."""
        self.ask = None
        self._stale = True

    def open_menu(self) -> None:
        """Show the menu. It is loaded when it is first asked for: most evenings never do."""
        from table.menu import Menu

        self.ask = None
        self.cue = ""
        self.info = ""
        self.menu = Menu(self)
        self._stale = True

    def close_menu(self) -> None:
        """Leave the menu."""
        self.menu = None
        self._stale = True

    def next_info(self) -> None:
        """Turn to the next page of figures: cards, points, time, and back to the table."""
        order = ("", "cards", "points", "time")
        at = order.index(self.info) if self.info in order else 0
        self.info = order[(at + 1) % len(order)]
        self.info_since = self.now
        self._stale = True

    # Showing

    def _show(self, name: str, seat: int, other: int, value: int) -> None:
        """Start a cue: its lights, its words, its tune."""
        pattern, _, _, tune, length, _ = cues.CUES[name]
        if length:
            self.scene.start(pattern, seat, other, value, self.now, length)
            self.cue = name
            self.cue_seat = seat
            self.cue_value = value
            self.cue_line = ""
            self.cue_until = self.now + max(length, self.cue_hold_ms)
        else:
            self.scene.stop()
            self.cue = ""
        self.sound.play(tune, self.now)
        self._stale = True

    def refuse(self, seat: int, reason: "tuple[Any, ...]") -> None:
        """Say no: a sweep at the seat that was pressed, the seat on turn answers, and the words why."""
        keeper: Any = self.log.keeper
        turn = keeper.turn if keeper is not None else NO_SEAT
        self._show("refused", seat, turn, 0)
        self.cue_line = self.reason_words(reason)

    def refuse_words(self, seat: int, key: str, about: int = NO_SEAT) -> None:
        """Say no with a message of its own: what to do instead."""
        keeper: Any = self.log.keeper
        turn = keeper.turn if keeper is not None and self.in_play() else NO_SEAT
        self._show("refused", seat if seat < SEATS else NO_SEAT, turn, 0)
        self.cue_line = text.fill(key, name=self.name(about))

    def drew_turn_away(self, within_ms: int) -> bool:
        """Did a DRAW pass the turn on within so many milliseconds?"""
        return self.now - self._turn_drawn_at < within_ms

    def mode(self) -> "Lobby | Play | Entry":
        """Return what takes the presses below question and menu: lobby, play or entry."""
        phase = self.phase()
        if phase in ("scoring", "scored"):
            return self.entry
        if phase in ("play", "colour", "out", "short"):
            return self.play
        return self.lobby

    def refresh(self) -> None:
        """Bring the scene of the lights up to date with the state."""
        scene = self.scene
        keeper: Any = self.log.keeper
        scene.owed = 0
        scene.colour = -1
        if keeper is None:
            return
        phase = keeper.phase
        playing = phase in ("play", "colour", "out", "short")
        counts = keeper.counts
        active = absent = last = 0
        bit = 1
        s = 0
        for state in keeper.ring.states:
            if state == seating.ACTIVE:
                active |= bit
                if playing and counts[s] == 1:
                    last |= bit
            elif state == seating.AWAY:
                absent |= bit
            bit <<= 1
            s += 1
        scene.active = active
        scene.absent = absent
        scene.held_last = last
        scene.dealer = keeper.dealer
        if playing:
            scene.direction = keeper.direction
            scene.owed = keeper.owed
            scene.colour = keeper.colour
        if self.asleep:
            scene.pattern = cues.CUES["dark"][0]
            scene.seat = NO_SEAT
        elif self.ask is not None:
            self.ask.scene(scene)
        elif keeper.paused:
            scene.pattern = cues.CUES["paused"][0]
            scene.seat = keeper.turn
        else:
            self.mode().scene(scene)

    def compose(self) -> None:
        """Put together what the screen has to show; draw() follows in a tick of its own."""
        self._stale = False
        due = self._head_due
        if due is not None:
            self._head_due = None
            self.head = self._said(due[0], due[1], due[2], due[4], due[3])
        panel = self.panel
        panel.reset()
        panel.head = self.head
        keeper: Any = self.log.keeper
        if self.info == "keys":
            self._compose_keys(panel)
        elif self.info:
            self._compose_figures(panel)
        elif self._cue_shown():
            self._compose_state(panel)
            state = self.cue
            if state == "colour_called" and 0 <= self.cue_value < 4:
                state = cues.COLOURS[self.cue_value]
            panel.figure = ""
            panel.rows = None
            panel.below = ""
            panel.show(
                state, name=self.name(self.cue_seat), n=self.cue_value, other=self.name(self.cue_value)
            )
            if self.cue == "took":
                panel.figure = "+" + str(self.cue_value)
            elif self.cue == "fault":
                self.cue_line = self.fault_words()
            panel.line = self.cue_line or panel.line
            if self.cue == "refused" and self.in_play() and keeper is not None and keeper.turn < SEATS:
                panel.foot = fit("screen.turn_of", WIDTH - 26, name=self.name(keeper.turn))
        else:
            self._compose_state(panel)
        self._drawing = True

    def draw(self) -> None:
        """Draw what compose() has put together."""
        self._drawing = False
        self._dim_if_idle()
        self.panel.draw(self.screen)
        keeper: Any = self.log.keeper
        turned = False
        if keeper is not None and self.settings.get("turn_screen"):
            seat = self.scene.seat
            turned = seat < SEATS and cues.UPSIDE_DOWN[seat]
        self.screen.turn(turned)
        self.screen.changed()

    def _cue_shown(self) -> bool:
        if not self.cue or self.now >= self.cue_until:
            return False
        # questions and menu stay readable: only what concerns the press itself comes over them
        return (self.ask is None and self.menu is None) or self.cue in ("refused", "fault")

    def _compose_state(self, panel: "Panel") -> None:
        keeper: Any = self.log.keeper
        if self.ask is not None:
            self.ask.compose(panel)
        elif self.menu is not None:
            self.menu.compose(panel)
        elif keeper is not None and keeper.paused:
            panel.show("paused")
            panel.below = fit("screen.turn_of", ROOM, name=self.name(keeper.turn))
            panel.foot = text.word("screen.seat_resumes")
        else:
            self.mode().compose(panel)

    def _compose_figures(self, panel: "Panel") -> None:
        keeper: Any = self.log.keeper
        panel.title = text.word("screen.figures_" + self.info)
        panel.cells = []
        if self.info == "points":
            panel.title += " " + text.fill("screen.round", n=keeper.round)
        for s in keeper.ring.seats():
            if s >= SEATS:
                continue
            if self.info == "cards":
                value = str(keeper.counts[s])
            elif self.info == "points":
                value = str(keeper.scores[s])
            else:
                value = text.minutes(keeper.clock(s, self.now & 0xFFFFFFFF))
            panel.cells.append((self.name(s), value))

    def _compose_keys(self, panel: "Panel") -> None:
        keys = self.help_keys()
        pages = (len(keys) + 2) // 3
        page = self.info_page % pages
        panel.title = text.fill(cues.CUES["keys_help"][2], n=page + 1, m=pages)
        panel.title_right = text.word("menu.more")
        panel.rows = [text.word(key) for key in keys[3 * page : 3 * page + 3]]

    def help_keys(self) -> "tuple[str, ...]":
        """Return the keys of the messages that say what the keys mean now."""
        if self.ask is not None:
            return ASK_HELP
        if self.menu is not None:
            return self.menu.keys_help
        mode = self.mode()
        if mode is self.play:
            return PLAY_HELP
        if mode is self.entry:
            return ENTRY_HELP
        return OVER_HELP if self.phase() == "over" else LOBBY_HELP

    # Presses

    def event(self, number: int, kind: int) -> None:
        """Take one gesture."""
        keeper: Any = None
        self._touched = self.now
        if self.asleep:
            self._wake()
            self._swallow = number
            return
        if number == self._swallow:
            if kind != controls.PRESS:
                return  # the same gesture goes on: it only woke the screen
            self._swallow = -1
        if kind == controls.CLASH:
            keeper = self.log.keeper
            self.refuse(number, ("not_your_turn", keeper.turn if keeper is not None else NO_SEAT))
            return
        two_way = controls.UNDO <= number <= controls.OK
        if two_way and kind == controls.PRESS:
            self.sound.play(cues.TICK, self.now)
            return
        if kind == controls.LONG and not (number == controls.OK and self._wants_hold()):
            self.sound.play(cues.BEEP, self.now)
        self._stale = True
        if number == controls.OK and kind == controls.LONG and not self._wants_hold():
            self.info = "keys"
            self.info_page = 0
            self.info_since = self.now
            return
        if self.info == "keys" and number == controls.OK and kind == controls.SHORT:
            self.info_page += 1
            self.info_since = self.now
            if 3 * self.info_page >= len(self.help_keys()):
                self.info = ""
            return
        if self.info and not (number == controls.OK and self.info != "keys"):
            self.info = ""
            if number == controls.UNDO and kind == controls.SHORT:
                return
        if self.ask is not None:
            self.ask.event(number, kind)
            return
        if self.menu is not None:
            self.menu.event(number, kind)
            return
        keeper = self.log.keeper
        reason = None
        if number == controls.UNDO:
            if kind == controls.SHORT and self.now - self.left_menu_at >= self.after_menu_ms:
                self._answer("undone")
                reason = self.say(says.UNDO, NO_SEAT, 0)
            elif kind == controls.LONG:
                self._answer("redone")
                reason = self.say(says.REDO, NO_SEAT, 0)
        elif keeper is not None and keeper.paused:
            if number < SEATS:
                reason = self.say(says.RESUME, number, 0)
            elif number == controls.PAUSE and kind == controls.SHORT:
                reason = self.say(says.RESUME, NO_SEAT, 0)
            elif number == controls.PAUSE and kind == controls.LONG:
                self.open_menu()
            elif kind == controls.PRESS or kind == controls.SHORT:
                reason = ("paused",)
        elif number == controls.PAUSE and kind == controls.LONG:
            self.open_menu()
        elif number == controls.PAUSE and self.mode() is self.play:
            if kind == controls.SHORT:
                reason = self.say(says.PAUSE, NO_SEAT, 0)
        else:
            self.mode().event(number, kind)
        if reason is not None:
            self.refuse(number if number < SEATS else NO_SEAT, reason)

    def _answer(self, name: str) -> None:
        """Light the first frame of a cue before what takes longer than a plain press."""
        cue = cues.CUES[name]
        self.scene.start(cue[0], NO_SEAT, NO_SEAT, 0, self.now, cue[4])
        self.lights.show(self.scene, self.now)
        self._lit()

    def _lit(self) -> None:
        """The lights have changed; the first time after a press it is measured."""
        if not self._answered:
            self._answered = True
            self.last_press_us = _us_since(_us(), self._edge_us)
            if self.last_press_us > self.worst_press_us:
                self.worst_press_us = self.last_press_us

    def _wants_hold(self) -> bool:
        return self.ask is not None and self.ask.wants_hold()

    def _wake(self) -> None:
        self.asleep = False
        self.screen.power(True)
        self._stale = True

    # What is due

    def tick(self, ticks: int) -> None:
        """Do what is due at this moment of the board's clock (ms, may wrap). Never waits."""
        board = self.board
        passed = board.ticks_diff(ticks, self._ticks)
        if passed > 0:
            self.now += passed
            self._ticks = ticks
        now = self.now
        keeper: Any = self.log.keeper
        turn = NO_SEAT
        direction = 1
        if keeper is not None and self.menu is None and self.ask is None and not keeper.paused:
            if keeper.phase == "play":
                turn = keeper.turn
                direction = keeper.direction
            elif keeper.phase == "colour":
                turn = keeper.turn
        self._edge_us = _us()
        count = self.controls.poll(ticks, turn, direction)
        if count:
            events = self.controls
            self._answered = False
            paused_before = keeper is not None and keeper.paused
            for i in range(count):
                self.event(events.controls[i], events.kinds[i])
                if paused_before and self.log.keeper is not None and not self.log.keeper.paused:
                    break  # whoever resumes resumes: others pressing with them do nothing more
            self.refresh()
            self.lights.show(self.scene, self.now)
            self._lit()
            self.presses += 1
            self._frame_at = now
            self._collected = False
            self.sound.step(now)
            return
        self.sound.step(now)
        if now - self._frame_at >= self.lights.frame_ms:
            self._frame_at = now
            self.refresh()
            self.lights.show(self.scene, now)
            return
        if self._said_at >= 0 and now - self._said_at >= self.flush_ms:
            self._flush()
        elif self._drawing:
            self.draw()
        elif self._stale:
            self.compose()
        elif self.screen.busy() and self.screen.step():
            pass
        elif self._said_at >= 0:
            self._flush()
        elif now - self._look_at >= self.look_ms:
            self._look_at = now
            self.look()
        elif now - self._touched >= self.calm_ms and not self.sound.busy():
            if not self._collected or now - self._swept_at >= self.sweep_ms:
                self._collected = True
                self._swept_at = now
                self._sweep()
            else:
                self.journal.flush()
                self.settings.save_due(ticks)

    def _sweep(self) -> None:
        gc.collect()
        if hasattr(gc, "mem_free"):
            self.heap_free = gc.mem_free()

    def _flush(self) -> None:
        # at most one file a call; what is left over waits for the next calm tick
        self.journal.flush()
        if not self.journal.waiting:
            self._said_at = -1

    def look(self) -> None:
        """Look at what changes without a press: faults, settings set by the PC, the line, time-outs."""
        now = self.now
        if self.controls.stuck_changed():
            stuck = ["stuck_" + controls.name(c) for c in self.controls.stuck()]
            for code in list(self.faults):
                if code.startswith("stuck_") and code not in stuck:
                    self.faults.remove(code)
                    if code in self._told:
                        self._told.remove(code)
                    self._stale = True
            for code in stuck:
                self._fault(code)
        if self.screen.fault:
            self._fault("screen")
        for part in (self.journal, self.settings):
            if part.fault:
                self._fault(part.fault)
        self._take_settings()
        linked = self.link is not None and self.link.connected
        if linked != self._link_known:
            self._link_known = linked
            if linked and self.scene.flash == cues.NOTHING:
                self._show("link", NO_SEAT, NO_SEAT, 0)
        if self.cue and now >= self.cue_until:
            self.cue = ""
            self._stale = True
        if self.info and now - self.info_since >= self.info_ms:
            self.info = ""
            self._stale = True
        if self.ask is not None and self.ask.late():
            self.close_ask()
        if self.menu is not None and self.menu.late():
            self.close_menu()
        if now - self._reminded >= self.remind_ms:
            self._reminded = now
            if self.fault_words() and not self.in_play() and not self.asleep:
                # seen without a screen too, heard only the first time
                self.scene.start(cues.FAULT, NO_SEAT, NO_SEAT, 0, now, cues.CUES["fault"][4])
        self._dim_if_idle()
        idle = now - self._touched
        if idle >= 1000 * self.settings.get("blank_s"):
            if not self.asleep and not self.in_play():
                self.asleep = True
                self.scene.stop()
                self.screen.power(False)
        elif self.asleep:
            self._wake()

    def _dim_if_idle(self) -> None:
        self.screen.dim(self.now - self._touched >= 1000 * self.settings.get("dim_s"))

    def leave(self) -> None:
        """Write what waits, darken lights, screen and sound."""
        tries = 100
        while self.journal.waiting and tries:
            self.journal.flush()
            tries -= 1
        self.settings.save_now()
        self.sound.stop()
        self.scene.pattern = cues.DARK
        self.scene.stop()
        self.lights.show(self.scene, self.now)
        self.screen.power(False)

    def _fault(self, code: str) -> None:
        if code in self._told:
            return
        self._told.append(code)
        if code not in self.faults:
            self.faults.append(code)
        self._show("fault", NO_SEAT, NO_SEAT, 0)
        self.cue_line = self.words_of_fault(code)


def _seed() -> int:
    try:
        from os import urandom

        return int.from_bytes(urandom(4), "little")
    except (ImportError, OSError):
        now: int = _us()
    return now & 0xFFFFFFFF


async def _serve_table(app: "App") -> None:
    while app.why is None:
        app.tick(app.board.ticks_ms())
        await sleep_ms(app.poll_ms)


async def _serve_link(app: "App") -> None:
    from table.link import Console, Link

    console = Console()
    app.link = Link(app, console.read, console.write)
    app.why = await app.link.serve()


async def _main(app: "App", services: "Any") -> None:
    """Run the services until one of them ends; one that fails ends the program and says why."""
    stopped = asyncio.Event()
    failures = []

    def failed(loop: "Any", context: "Any") -> None:
        failures.append(context.get("exception"))
        stopped.set()

    async def until_end(service: "Any") -> None:
        try:
            await service(app)
        except Exception as error:
            failures.append(error)
        stopped.set()

    asyncio.get_event_loop().set_exception_handler(failed)
    tasks = [asyncio.create_task(until_end(service)) for service in services]
    await stopped.wait()
    for task in tasks:
        task.cancel()
    if failures:
        raise failures[0]


def run(board: "Any") -> None:
    """Run the table on a board until the PC asks for the console; raise what made a part fail."""
    app = App(board)
    app.boot()
    try:
        asyncio.run(_main(app, (_serve_table, _serve_link)))
    finally:
        app.leave()
    if app.why == "reset":
        board.reset()
