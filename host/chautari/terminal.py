"""The table in a terminal: ring of lights, screen and scores; keys stand for buttons.

Works on a virtual board, whose lights and screen are shown as they are, and on a real one, where the
presses travel over the line and the facts come back as announcements.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from chautari import console, errors, folders, live, ports
from chautari.follow import Follower
from chautari.history import Store
from chautari.keyboard import ESCAPE, Keyboard
from chautari.link import Connection, Refused, Session
from chautari.terminal_picture import Pixel, braille, coarse, light, seat_lights
from chautari.virtual import Panel, VirtualBoard, VirtualBoardError

NAME = "table"
"""The virtual table that this program runs; it keeps its scores from one evening to the next."""

SEATS = 6
WIDTH = 80
HEIGHT = 24
SCREEN_CELLS = 64
SCREEN_LINES = 16
WIDEST_SIDE = 24
FRAMES_PER_SECOND = 12

SEAT_KEYS = "qwerty"
HOLDS = {"u": "*", "m": "0", "h": "#"}
"""Keys that hold one of the pad: u UNDO (redo), m PAUSE (menu), h OK (what the keys mean)."""
NAMED = {"\n": "#", "\r": "#", "\x7f": "*", "\b": "*"}
QUIT = ("x", ESCAPE, "\x04")

LEGEND = (
    "1 SKIP    2 REVERSE  3 +2    A {red} red    | seats Q 1  W 2  E 3  R 4  T 5  Y 6",
    "4 WILD    5 +4       6 DRAW  B {yellow} yellow | hold  U redo  M menu  H key help",
    "7 PLAYED  8 COUNT    9 OUT   C {green} green  | also  Enter OK   Backspace UNDO",
    "* UNDO    0 PAUSE    # OK    D {blue} blue   | X     leave; everything is kept",
)


class Device(Protocol):
    """What the terminal needs of a table."""

    def tap(self, control: str) -> None:
        """Press and release "seat1" to "seat6" or a key of the pad."""

    def hold(self, control: str) -> None:
        """Press a key of the pad for its long action."""

    def pixels(self) -> Sequence[Pixel] | None:
        """Return the 24 lights, or None where they cannot be read."""

    def screen(self) -> bytes | None:
        """Return the screen as the person in front of it sees it, or None where it cannot be read."""


@dataclass
class Facts:
    """What the announcements say of the table: by seat (0 to 5) name, cards held, points; then one line."""

    names: list[str] = field(default_factory=lambda: [""] * SEATS)
    cards: list[int | None] = field(default_factory=lambda: [None] * SEATS)
    points: list[int | None] = field(default_factory=lambda: [None] * SEATS)
    on_turn: int | None = None
    line: str = ""


def control(typed: str) -> tuple[str, bool] | None:
    """Return the control that a typed character stands for and whether it is held; None for no control."""
    low = typed.lower()
    if low in SEAT_KEYS:
        return f"seat{SEAT_KEYS.index(low) + 1}", False
    if low in HOLDS:
        return HOLDS[low], True
    key = NAMED.get(typed, typed.upper())
    return (key, False) if len(key) == 1 and key in "0123456789ABCD*#" else None


class View:
    """Composes one picture of the table."""

    def __init__(self, screen: console.Screen) -> None:
        self._screen = screen
        self._plain = not screen.unicode

    def picture(self, device: Device, facts: Facts, message: str, width: int = WIDTH) -> RenderableType:
        """Return the whole table as it is now: 23 lines of at most width columns, WIDTH or more."""
        pixels = device.pixels() or [(0, 0, 0)] * (4 * SEATS)
        shown = device.screen()
        side = min((width - SCREEN_CELLS) // 2, WIDEST_SIDE)
        rows = [self._top(pixels, facts, side)]
        rows += self._middle(pixels, shown, facts, side)
        rows.append(Text(self._fit(facts.line, width), style="bold"))
        shapes = {name: self._screen.safe(shape) for name, shape in console.COLOURS}
        rows += [Text(line.format(**shapes), style="dim") for line in LEGEND]
        rows.append(Text(self._fit(message, width), style="yellow"))
        return Group(*rows)

    def _fit(self, text: str, width: int) -> str:
        return console.cut(self._screen.safe(text), width, "~" if self._plain else "…")

    def _pad(self, text: str, width: int) -> str:
        fitted = self._fit(text, width)
        return fitted + " " * (width - console.cells(fitted))

    def _words(self, facts: Facts, seat: int) -> list[str]:
        """Return what stands beside a seat's lights: its number and name, cards, points."""
        cards, points = facts.cards[seat], facts.points[seat]
        return [
            f"{seat + 1} {facts.names[seat]}".strip(),
            "" if cards is None else f"{cards} left" if cards < 10 else f"{cards}left",
            "" if points is None else f"{points} pt",
        ]

    def _top(self, pixels: Sequence[Pixel], facts: Facts, side: int) -> Text:
        """Return the line of seats 3 and 4, above the screen."""
        lights_width = 7
        half = SCREEN_CELLS // 2
        row = Text(" " * side)
        for seat in (2, 3):
            label = "  ".join(word for word in self._words(facts, seat) if word)
            style = "bold reverse" if facts.on_turn == seat else ""
            row.append_text(seat_lights(pixels, seat, plain=self._plain))
            row.append(" ")
            row.append(self._pad(label, half - lights_width - 1), style=style)
        return row

    def _middle(self, pixels: Sequence[Pixel], shown: bytes | None, facts: Facts, side: int) -> list[Text]:
        """Return sixteen lines: seats 2 and 1 (clockwise is upwards), the screen, seats 5 and 6."""
        if shown is None:
            picture = self._list(facts)
        elif self._plain:
            picture = coarse(shown)
        else:
            picture = braille(shown)
        left = self._side(pixels, facts, (1, 0), side, mirrored=False)
        right = self._side(pixels, facts, (4, 5), side, mirrored=True)
        rows = []
        for beside_left, line, beside_right in zip(left, picture, right, strict=True):
            row = Text()
            row.append_text(beside_left)
            row.append(line, style="bright_white on grey7")
            row.append_text(beside_right)
            rows.append(row)
        return rows

    def _list(self, facts: Facts) -> list[str]:
        """Return who holds and has what, where the screen itself cannot be seen."""
        lines = ["", "  The table's own screen and lights show what happens.", ""]
        for seat in range(SEATS):
            if facts.points[seat] is not None:
                mark = ">" if facts.on_turn == seat else " "
                lines.append(f" {mark} " + "   ".join(word for word in self._words(facts, seat) if word))
        lines += [""] * (SCREEN_LINES - len(lines))
        return [self._pad(line, SCREEN_CELLS) for line in lines]

    def _side(
        self, pixels: Sequence[Pixel], facts: Facts, seats: tuple[int, int], side: int, mirrored: bool
    ) -> list[Text]:
        """Return sixteen pieces of side cells each for the seats above and below on one side.

        mirrored: on the right, where the ring runs downwards and the lights stand left of the words.
        """
        rows = []
        for seat in seats:
            words = self._words(facts, seat)
            lamps = [light(pixels[4 * seat + place], self._plain) for place in range(4)]
            if not mirrored:
                lamps.reverse()
            for at in range(-2, 6):
                style = "bold reverse" if facts.on_turn == seat and at == 0 else ""
                word = Text(self._pad(words[at] if 0 <= at < len(words) else "", side - 2), style=style)
                lamp = lamps[at] if 0 <= at < len(lamps) else Text(" ")
                row = Text()
                for part in (Text(" "), lamp, word) if mirrored else (word, lamp, Text(" ")):
                    row.append_text(part)
                rows.append(row)
        return rows


class VirtualDevice:
    """A virtual board in this program: pressed and looked at directly."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    def tap(self, control: str) -> None:
        """Press and release."""
        self._panel.tap(control)

    def hold(self, control: str) -> None:
        """Press for the long action."""
        self._panel.hold(control)

    def pixels(self) -> Sequence[Pixel]:
        """Return the 24 lights."""
        return self._panel.pixels()

    def screen(self) -> bytes:
        """Return the screen."""
        return self._panel.screen()


class RemoteDevice:
    """A board on a port: presses travel over the line; its lights and screen are there, not here."""

    def __init__(self, press: Callable[[str, str], None]) -> None:
        """press: is given a control and "tap" or "hold"."""
        self._press = press

    def tap(self, control: str) -> None:
        """Press and release."""
        self._press(control, "tap")

    def hold(self, control: str) -> None:
        """Press for the long action."""
        self._press(control, "hold")

    def pixels(self) -> None:
        """They cannot be read over the line."""

    def screen(self) -> None:
        """It cannot be read over the line."""


class Watcher:
    """Keeps the history up to date from the table, in a thread of its own, and carries presses to it."""

    HOLD_S = 1.0
    LOOK_S = 0.1
    """How long it waits for news before it looks for presses to carry."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._presses: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._session = session
        self._folder = folder
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._facts = Facts()
        self._message = ""
        self._thread = threading.Thread(target=self._run, name="history", daemon=True)
        self._thread.start()

    def press(self, control: str, action: str) -> None:
        """Have a control pressed over the line: "tap" or "hold"."""
        self._presses.put((control, action))

    def facts(self) -> tuple[Facts, str]:
        """Return what is known now, and what there is to say about the line."""
        with self._lock:
            return self._facts, self._message

    def say(self, message: str) -> None:
        """Show a line until the next one."""
        with self._lock:
            self._message = message

    def close(self) -> None:
        """Fetch what is left and let the line go."""
        self._end.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        connection = Connection(self._session, ports.reopen, self.say)
        try:
            with Store(folders.history_file(self._folder)) as store:
                follower = Follower(store, self._session)
                self._show(follower)
                while not self._end.is_set():
                    connection.run(lambda session: self._work(session, follower))
                    if connection.session is None:
                        self._end.wait(0.2)
                connection.run(follower.update)
        except errors.Trouble as trouble:
            self.say(str(trouble))
        finally:
            connection.close()

    def _work(self, session: Session, follower: Follower) -> None:
        while not self._presses.empty():
            control, action = self._presses.get()
            try:
                if action == "tap":
                    session.press(control)
                else:
                    session.press(control, "down")
                    time.sleep(self.HOLD_S)
                    session.press(control, "up")
            except Refused as no:
                self.say(str(no))
        if session.wait(self.LOOK_S) is not None:
            follower.update(session)
            self._show(follower)

    def _show(self, follower: Follower) -> None:
        facts = facts_of(follower.state())
        with self._lock:
            self._facts = facts


def facts_of(state: Mapping[str, Any] | None) -> Facts:
    """Return the facts in a table's state, as live.state() gives it; None: no match is set up."""
    facts = Facts()
    if state is None:
        facts.line = "No match is set up: press your seats, then OK."
        return facts
    parts = [f"Round {state['round']}" if state["round"] else "Press your seats, then OK"]
    for seat in state["seats"]:
        at = seat["seat"] - 1
        if seat["name"] != f"Seat {seat['seat']}":
            facts.names[at] = seat["name"]
        if state["round"]:
            facts.cards[at] = seat.get("cards")
        facts.points[at] = seat["score"]
        if seat.get("last_card"):
            parts.append(f"LAST CARD: {seat['name']}")
    if state["turn"] is not None:
        facts.on_turn = state["turn"] - 1
        parts.insert(1, f"turn: {facts.names[facts.on_turn] or 'seat ' + str(state['turn'])}")
    if state.get("direction") and state["turn"] is not None:
        parts.append("→ clockwise" if state["direction"] == "clockwise" else "← anticlockwise")
    if state.get("owed"):
        parts.append(f"{state['owed']} cards owed")
    if state.get("colour"):
        parts.append(f"colour {state['colour']['shape']} {state['colour']['name']}")
    if state["paused"]:
        parts.append("PAUSED")
    elif state["phase"] not in ("setup", "play"):
        parts.append(live.PHASES.get(state["phase"], state["phase"]).upper())
    facts.line = " · ".join(parts)
    return facts


def main(port: str = "") -> int:
    """Play in this terminal at the table named, at the one plugged in, or else at a virtual one.

    Returns the exit code. Raises Trouble, in one line, when there is nothing to play at.
    """
    screen = console.screen()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise errors.Trouble(
            "The table needs a terminal to play in. Without one: `chautari demo` shows a match, "
            "`chautari virtual` runs a table for other programs."
        )
    width, height = os.get_terminal_size()
    if width < WIDTH or height < HEIGHT:
        raise errors.Trouble(
            f"The terminal has {width} columns and {height} lines; the table needs {WIDTH} by {HEIGHT}. "
            "Make it larger."
        )
    folder = folders.make_folder(folders.data_folder())
    session = _plugged_in(port)
    if session is not None:
        watcher = Watcher(session, folder)
        _play(screen, RemoteDevice(watcher.press), watcher)
    else:
        try:
            home = folders.make_folder(ports.virtual_folder())
            with VirtualBoard(home / NAME, port_name=str(home / f"{NAME}.port")) as board:
                if board.banner:
                    screen.print(board.banner)
                    input("Press Enter to play: ")
                watcher = Watcher(ports.open(board.port), folder)
                _play(screen, VirtualDevice(board.panel), watcher)
        except VirtualBoardError as trouble:
            raise errors.Trouble(f"The virtual table cannot run: {trouble}.") from trouble
    screen.print(f"The table is closed. Its history is in {folders.history_file(folder)}")
    screen.print(f"See it: {folders.program()} history list")
    return errors.OK


def _plugged_in(port: str) -> Session | None:
    """Return a session with the table that is meant, None when there is none and none was named."""
    if port:
        return ports.connect(port)
    if any(found.hello for found in ports.find()):
        return ports.connect()
    return None


def _play(screen: console.Screen, device: Device, watcher: Watcher) -> None:
    """Show the table and carry key presses to it until the person leaves."""
    view = View(screen)
    hands = _Hands(device, watcher.say)
    try:
        with (
            Keyboard() as keyboard,
            _cut_lines(screen),
            Live(console=screen.rich, auto_refresh=False, screen=True) as shown,
        ):
            while True:
                facts, message = watcher.facts()
                shown.update(view.picture(device, facts, message, screen.rich.width), refresh=True)
                for typed in keyboard.read(1 / FRAMES_PER_SECOND):
                    if typed.lower() in QUIT:
                        return
                    meant = control(typed)
                    if meant is not None:
                        hands.press(*meant)
    except (KeyboardInterrupt, EOFError):
        return
    finally:
        hands.close()
        watcher.close()


@contextmanager
def _cut_lines(screen: console.Screen) -> Iterator[None]:
    """Let the terminal cut lines that are too wide for it instead of going on below.

    Terminals do not agree on the width of some scripts; a name must not push the picture down.
    """
    screen.file.write("\x1b[?7l")
    try:
        yield
    finally:
        screen.file.write("\x1b[?7h")
        screen.file.flush()


class _Hands:
    """Presses one control after the other, so that the picture goes on while a key is held."""

    def __init__(self, device: Device, say: Callable[[str], None]) -> None:
        self._device = device
        self._say = say
        self._waiting: queue.SimpleQueue[tuple[str, bool] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="hands", daemon=True)
        self._thread.start()

    def press(self, control: str, held: bool) -> None:
        """Have a control pressed, or held for its long action."""
        self._waiting.put((control, held))

    def close(self) -> None:
        """Finish what was asked for."""
        self._waiting.put(None)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while (meant := self._waiting.get()) is not None:
            control, held = meant
            try:
                if held:
                    self._device.hold(control)
                else:
                    self._device.tap(control)
            except VirtualBoardError as trouble:
                self._say(f"The virtual table: {trouble}.")
