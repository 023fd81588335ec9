"""Practice in a terminal: the cards on the screen, moves typed as lines, the match kept at a table.

Two ways of showing it: a picture of the table that is drawn anew with every move, and, for pipes, screen
readers and small terminals, plain lines. What is shown of a match in play comes from the person's View and
from what is public.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import select
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from cardrules.announcement import NO_SEAT
from cardrules.last_card.cards import (
    COLOUR,
    NO_COLOUR,
    PLUS_FOUR,
    PLUS_TWO,
    POINTS,
    REVERSE,
    SKIP,
    SYMBOL,
    WILD,
    name,
)
from cardrules.last_card.deal import DRAW, KEEP, NAME, View
from cardrules.last_card.settings import DECK, SETTINGS
from rich.text import Text

from chautari import console, errors, folders, ports, words
from chautari.cli.history import rule_words, score_sheet
from chautari.console import COLOURS, Column, Screen
from chautari.history import Store
from chautari.link import LinkError, Session
from chautari.practice import Practice, Told, sitters
from chautari.virtual import VirtualBoard, VirtualBoardError

FOLDER = "practice"
"""Holds the virtual table that practice is played at, and what is unfinished."""

WIDTH = 80
HEIGHT = 24
WIDEST = 100
PAUSE_S = 0.9
"""How long a bot takes for a move, so that one can follow."""
LOOK_S = 0.2
"""How often the table is looked at while nothing is typed."""

NO_BREAK = "\u00a0"
STYLES = ("bright_red", "bright_yellow", "bright_green", "bright_blue", "")
SYMBOL_WORDS = {SKIP: "Skip", REVERSE: "Reverse", PLUS_TWO: "+2", WILD: "Wild", PLUS_FOUR: "Wild +4"}
SHAPE_WORDS = ("circle", "triangle", "square", "diamond")

HELP = (
    "number     plays that card of your hand",
    "r5 ys b+2  so does its name: red 5, yellow Skip, blue +2; gr is green Reverse",
    "w  +4      Wild and Wild +4; with a colour behind it that is named: w blue",
    "d          draws a card, or takes the cards that are pending",
    "p  k       plays or keeps the card that you drew",
    "r y g b    names a colour after a wild: red, yellow, green, blue",
    "h          hint: what the hard bot would do",
    "u          undo: back to your previous decision, as often as you like",
    "s  r  ?    scores, rules, this help",
    "q          leaves; the match is kept: `{program} play --resume`",
    "end        ends the match, unfinished, for good",
)
RULES = (
    "Get rid of your cards. Play one with the colour or the sign of the top card,",
    "or a wild; or draw one, and play it at once if it fits. Who plays the last",
    "card wins the round and gets what the others hold: numbers at their value,",
    "Skip, Reverse and +2 20 each, wilds 50 each.",
    "Skip: the next player loses a turn. Reverse: play turns round. +2, Wild +4:",
    "the next player takes so many cards and loses the turn. A wild fits",
    "everything; who plays it names a colour.",
)


@dataclass(frozen=True)
class Options:
    """What was asked for. levels: of the bots; rules: key -> value; player: name or id, "" for nobody."""

    levels: Sequence[str] = ("medium",) * 3
    rules: Mapping[int, int] = field(default_factory=dict)
    seed: int | None = None
    fast: bool = False
    plain: bool = False
    resume: bool = False
    name: str = ""
    player: str = ""
    port: str = ""


# Cards in words


def colour_words(colour: int) -> str:
    """Return a colour with its shape: ● red."""
    return f"{COLOURS[colour][1]} {COLOURS[colour][0]}"


def card_words(card: int) -> str:
    """Return a card with its shape: ● red 5, ◆ blue +2, Wild."""
    sign = SYMBOL_WORDS.get(SYMBOL[card], str(SYMBOL[card]))
    return sign if COLOUR[card] == NO_COLOUR else f"{colour_words(COLOUR[card])} {sign}"


def cards_words(cards: Sequence[int]) -> str:
    """Return several cards."""
    return ", ".join(card_words(card) for card in cards)


def number_of(count: int, word: str) -> str:
    """Return a number with its word: 1 card, 2 cards."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def in_order(hand: Sequence[int]) -> list[int]:
    """Return the hand as it is shown: by colour, then by sign, wilds last."""
    return sorted(hand, key=lambda card: (COLOUR[card], SYMBOL[card], card))


# What is typed


class NotUnderstood(Exception):
    """What was typed is no move here. The text is one line that says what can be typed."""


_COMMANDS = {
    "h": "hint", "hint": "hint", "u": "undo", "undo": "undo", "s": "scores", "scores": "scores",
    "r": "rules", "rules": "rules", "?": "help", "help": "help", "q": "leave", "quit": "leave",
    "exit": "leave", "leave": "leave", "end": "end",
}  # fmt: skip
_COLOUR_TYPED = {
    typed: colour
    for colour, (word, shape) in enumerate(COLOURS)
    for typed in (word, word[0], shape, SHAPE_WORDS[colour])
}
_SIGN_TYPED = {"skip": "s", "reverse": "r", "rev": "r", "wild": "w", "w+4": "+4", "w4": "+4"}


def meant(typed: str, view: View) -> str | list[int]:
    """Return the command or the moves (a wild and its colour) that were typed. Raises NotUnderstood."""
    text = " ".join(typed.lower().split())
    naming = view.colour == NO_COLOUR and bool(view.moves)
    if naming:
        if text in _COLOUR_TYPED:
            return [NAME + _COLOUR_TYPED[text]]
        if text in _COMMANDS and text != "r":
            return _COMMANDS[text]
        raise NotUnderstood(
            "That is no colour. Type r, y, g or b for the colour: red, yellow, green or blue; ? for help."
        )
    if text in _COMMANDS:
        return _COMMANDS[text]
    if text in ("d", "draw", "take"):
        if DRAW not in view.moves:
            raise NotUnderstood(_can_be(view, "There is nothing to draw now."))
        return [DRAW]
    if text in ("k", "keep", "pass"):
        if KEEP not in view.moves:
            raise NotUnderstood(_can_be(view, "You have drawn no card to keep."))
        return [KEEP]
    if text in ("p", "play") and view.drawn in view.moves:
        return [view.drawn]
    card, colour = _card(text, view)
    if card not in view.moves:
        why = "In this turn you may only play the card you drew." if view.drawn >= 0 else ""
        if not why:
            why = f"{card_words(card)} does not {'answer' if view.owed else 'fit'}."
        raise NotUnderstood(_can_be(view, why))
    if colour is not None and COLOUR[card] == NO_COLOUR and len(view.hand) > 1:
        return [card, NAME + colour]
    return [card]


def _card(text: str, view: View) -> tuple[int, int | None]:
    """Return the card that was typed, and the colour behind it. Raises NotUnderstood."""
    hand = in_order(view.hand)
    colour: int | None = None
    parts = text.split()
    if len(parts) > 1 and parts[-1] in _COLOUR_TYPED and parts[0] not in _COLOUR_TYPED:
        colour = _COLOUR_TYPED[parts.pop()]
    if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit():
        if len(parts[0]) < 4 and 1 <= int(parts[0]) <= len(hand):
            return hand[int(parts[0]) - 1], colour
        raise NotUnderstood(_can_be(view, f"Your cards have the numbers 1 to {len(hand)}."))
    if len(parts) == 2 and parts[0] in _COLOUR_TYPED:
        parts[0] = COLOURS[_COLOUR_TYPED[parts[0]]][0][0]
    wanted = "".join(_SIGN_TYPED.get(part, part) for part in parts).upper()
    wanted = {"W+4": "+4"}.get(wanted, wanted)
    held = [card for card in hand if name(card) == wanted]
    if not held:
        known = any(name(card) == wanted for card in range(DECK))
        raise NotUnderstood(_can_be(view, f"You do not hold {wanted}." if known else "That is no card."))
    return next((card for card in held if card in view.moves), held[0]), colour


def _can_be(view: View, why: str) -> str:
    """Return why not, and what can be typed."""
    fits = [str(place) for place, card in enumerate(in_order(view.hand), 1) if card in view.moves]
    ways = []
    if fits:
        ways.append(f"{', '.join(fits)} for a card that {'answers' if view.owed else 'fits'}")
    if DRAW in view.moves:
        ways.append("d to take the cards" if view.owed else "d to draw")
    if KEEP in view.moves:
        ways.append("k to keep it" if view.drawn >= 0 else "k to pass")
    ways.append("? for help")
    return f"{why} Type {', '.join(ways[:-1])}{', or ' if len(ways) > 2 else ' or '}{ways[-1]}.".strip()


# What happened


@dataclass
class Line:
    """What somebody did, in phrases. loud: somebody is down to the last card; printed: phrases shown."""

    seat: int
    phrases: list[str] = field(default_factory=list)
    loud: bool = False
    printed: int = 0


_UNTOLD = (
    "turn", "match_new", "match_started", "practice", "rule", "joined", "colour_wanted", "out_asked",
    "entering", "entered", "round_scored", "score", "undone",
)  # fmt: skip


def phrase(told: Told, practice: Practice) -> str:
    """Return something that happened in words, "" for what is seen or said elsewhere."""
    code = told.code
    if code in _UNTOLD:
        return ""
    yours = told.seat == practice.seat
    fields: dict[str, Any] = {
        "name": practice.name(told.seat) if told.seat != NO_SEAT else "",
        "n": told.value,
        "card": cards_words(told.cards),
        "cards": cards_words(told.cards) or words.say("pc.nothing_drawn"),
        "colour": colour_words(told.value) if code == "colour" else "",
    }
    keys = [f"notice.{code}"]
    if code == "played":
        keys.insert(0, "pc.plays")
    elif code == "turned":
        keys.insert(0, "pc.turned_up")
    if yours:
        keys.insert(0, "pc.you_plays" if code == "played" else f"pc.you_{code}")
    return next((text for key in keys if (text := words.say(key, **fields)) != key), "")


def merged(told: Sequence[Told]) -> list[Told]:
    """Return what happened with the cards of one draw after the other put together."""
    result: list[Told] = []
    for one in told:
        before = result[-1] if result else None
        if before is not None and one.code == before.code == "drew" and one.seat == before.seat:
            result[-1] = Told("drew", one.seat, before.value + one.value, before.cards + one.cards)
        else:
            result.append(one)
    return result


# The terminal


class Typing(Protocol):
    """Where lines come from."""

    def read(self, wait_s: float) -> str | None:
        """Return the next line, None if none was finished within wait_s. Raises EOFError at the end."""


class Keys:
    """Lines from stdin, without ever waiting longer than one wants to."""

    def __init__(self) -> None:
        self._rest = b""
        self._ended = False
        self._lines: queue.SimpleQueue[str] | None = None
        if sys.platform == "win32":
            self._lines = queue.SimpleQueue()
            threading.Thread(target=self._feed, name="typing", daemon=True).start()

    def _feed(self) -> None:
        assert self._lines is not None
        for line in sys.stdin:
            self._lines.put(line)
        self._lines.put("")

    def read(self, wait_s: float) -> str | None:
        """See Typing."""
        if self._lines is not None:
            try:
                line = self._lines.get(timeout=wait_s)
            except queue.Empty:
                return None
            if not line:
                raise EOFError
            return line
        while b"\n" not in self._rest:
            if self._ended:
                raise EOFError
            ready, _, _ = select.select([sys.stdin.fileno()], [], [], wait_s)
            if not ready:
                return None
            data = os.read(sys.stdin.fileno(), 4096)
            if not data:
                self._ended = True
                if self._rest:
                    break
                raise EOFError
            self._rest += data
        line_bytes, _, self._rest = self._rest.partition(b"\n")
        return line_bytes.decode("utf-8", "replace")


class Leave(Exception):
    """The person wants to go; the match is kept."""


class Game:
    """Plays one match with a person at a terminal."""

    def __init__(
        self, practice: Practice, screen: Screen, typing: Typing, *, plain: bool = True, fast: bool = False
    ) -> None:
        """plain: lines instead of pictures; fast: bots do not pause."""
        self.practice = practice
        self.screen = screen
        self.plain = plain
        self.fast = fast
        self._typing = typing
        self._lines: list[Line] = []
        self._message = ""

    def play(self) -> None:
        """Play until the match is over or ended. Raises Leave, EOFError, Trouble."""
        practice = self.practice
        self._happened()
        while not practice.over:
            if practice.scored:
                self._round_over()
            elif practice.your_turn:
                self._your_turn()
            else:
                self._pause()
                practice.bot_moves()
                self._happened()

    # Asking

    def _ask(self, prompt: str) -> str:
        """Ask for a line; the table is watched meanwhile."""
        self._out(Text(self.screen.safe(prompt), style="bold"), end="" if sys.stdin.isatty() else "\n")
        while True:
            line = self._typing.read(LOOK_S)
            if line is not None:
                return line.strip()
            self.practice.watch(0.01)

    def _pause(self) -> None:
        end = time.monotonic() + (0 if self.fast else PAUSE_S)
        self.practice.watch(0)
        while (left := end - time.monotonic()) > 0:
            self.practice.watch(left)

    def _your_turn(self) -> None:
        practice = self.practice
        view = practice.view()
        if view.moves == [KEEP] and view.drawn >= 0:
            practice.do(KEEP, decision=False)  # there is nothing to decide
            self._happened()
            return
        self._draw_table(view)
        typed = self._ask(self._question(view))
        try:
            found = meant(typed, view)
        except NotUnderstood as no:
            self._say(str(no))
            return
        if isinstance(found, str):
            self._command(found)
            return
        self._message = ""
        self._lines = []
        practice.do(found[0])
        if len(found) > 1 and practice.your_turn and found[1] in practice.view().moves:
            practice.do(found[1], decision=False)
        practice.check()
        self._happened()

    def _question(self, view: View) -> str:
        if view.colour == NO_COLOUR:
            return "Which colour? r red, y yellow, g green, b blue: "
        if view.drawn >= 0:
            return f"You drew {card_words(view.drawn)}, and it fits: p plays it, k keeps it: "
        fits = any(move < DECK for move in view.moves)
        if view.owed:
            answer = "a marked card answers, " if fits else ""
            return f"{number_of(view.owed, 'card')} pending: {answer}d takes them: "
        if not fits:
            return (
                "Nothing fits: d draws: "
                if DRAW in view.moves
                else "Nothing fits or can be drawn: k passes: "
            )
        return "Your move (number or card, d draws, h hint, ? help): "

    def _command(self, command: str) -> None:
        practice = self.practice
        self._message = ""
        if command == "leave":
            raise Leave
        if command == "end":
            practice.end()
        elif command == "undo":
            if not practice.can_undo:
                self._say("There is nothing to take back yet.")
                return
            practice.undo()
            self._lines = []
            self._say("Taken back: it is your decision again.")
        elif command == "hint":
            self._say(self._hint())
        elif command == "scores":
            self._page(self._scores())
        elif command == "rules":
            self._page([Text(self.screen.safe(line)) for line in (self._house_rules(), *RULES)])
        else:
            self._page([Text(line.format(program=folders.program())) for line in HELP])

    def _hint(self) -> str:
        move, hints = self.practice.hint()
        view = self.practice.view()
        if move >= NAME:
            what = f"name {colour_words(move - NAME)}"
        elif move < DECK:
            what = f"play {card_words(move)}"
        else:
            take = f"take the {number_of(view.owed, 'card')}" if view.owed else "draw"
            what = take if move == DRAW else "keep it" if view.drawn >= 0 else "pass"
        following = self.practice.name(view.order[0])
        why = "; ".join(words.say(f"pc.hint_{number}", next=following) for number in hints)
        return f"Hint: {what}{' - ' + why if why else ''}."

    # Showing

    def _out(self, line: Text, end: str = "\n") -> None:
        self.screen.rich.print(line, no_wrap=True, overflow="ignore", crop=False, end=end)
        self.screen.file.flush()

    def _say(self, message: str) -> None:
        """Show one line beside the table."""
        self._message = message
        if self.plain:
            self._out(Text(self.screen.safe(message)))

    def _happened(self) -> None:
        """Take in what has happened, and show it."""
        practice = self.practice
        begins = True
        for told in merged(practice.told):
            text = phrase(told, practice)
            if not text:
                continue
            # A line is what one player does; what a card does to others stands behind it.
            begins |= told.code in ("played", "drew", "kept", "passed")
            if not self._lines or told.code == "dealer" or (begins and told.seat != self._lines[-1].seat):
                self._lines.append(Line(told.seat))
            begins = False
            self._lines[-1].phrases.append(text)
            self._lines[-1].loud |= told.code == "last_card"
        practice.told.clear()
        if self.plain:
            self._print_lines()
        elif not practice.scored and not practice.over:
            self._draw_table(practice.view())

    def _print_lines(self) -> None:
        """Print what is not out yet; a line may have grown since."""
        for line in self._lines:
            if line.phrases[line.printed :]:
                self._out(Text(self.screen.safe(". ".join(line.phrases[line.printed :]) + ".")))
                line.printed = len(line.phrases)

    def _page(self, lines: Sequence[Text]) -> None:
        """Show something else than the table, until Enter."""
        if not self.plain:
            self._clear()
        for line in lines:
            self._out(line)
        if not self.plain:
            self._out(Text())
            self._ask("Enter goes back to the table: ")

    def _clear(self) -> None:
        self.screen.file.write("\x1b[H\x1b[2J")

    def _house_rules(self) -> str:
        rules = self.practice.keeper.rules
        said = [rule_words(known, rules[key]) for key, known, _, _ in SETTINGS]
        return f"Last Card, {', '.join(said)}."

    def _left(self, who: str, hand: Sequence[int]) -> list[Text]:
        """Return what somebody was left with at the end of a round, and what it counts."""
        points = sum(POINTS[card] for card in hand)
        if self.plain:
            return [Text(self.screen.safe(f"{who}: {cards_words(hand)}. {number_of(points, 'point')}."))]
        name_cells = 16
        shown = self._cut(who, name_cells)
        head = f" {shown}{' ' * (name_cells - console.cells(shown))}{points:>5}  "
        lines = []
        held = self.screen.safe(cards_words(hand)).replace(" ", NO_BREAK).replace("," + NO_BREAK, ", ")
        for piece in _wrapped(held, min(self.screen.width, WIDEST) - 26):
            lines.append(Text(head + piece.strip().replace(NO_BREAK, " ")))
            head = " " * 24
        return lines

    def _scores(self, most: int = 0) -> list[Text]:
        """Return the rounds so far with running totals; of many, so many of the latest in a picture."""
        practice = self.practice
        keeper = practice.keeper
        rows: list[list[object]] = []
        totals = {each.seat: 0 for each in practice.sitters}
        rounds = list(keeper.rounds)
        if practice.scored:
            rounds.append((keeper.out_seat, keeper.points))
        for number, (winner, points) in enumerate(rounds, 1):
            totals[winner] += points
            rows.append([number, practice.name(winner), points, *totals.values()])
        if not rows:
            return [Text("No round is over yet.")]
        if most and not self.plain:
            rows = rows[-max(most, 3) :]
        columns = [
            Column("Round", right=True),
            Column("Winner", widest=20),
            Column("Points", right=True),
            *(Column(console.cut(each.name, 12), right=True) for each in practice.sitters),
        ]
        return [Text(line) for line in self.screen.table_lines(columns, rows, "Totals after each round:")]

    def _round_over(self) -> None:
        """Show the hands and what they count, then deal on."""
        practice = self.practice
        keeper = practice.keeper
        winner = keeper.out_seat
        yours = winner == practice.seat
        who = "You are" if yours else f"{practice.name(winner)} is"
        get = "get" if yours else "gets"
        lines = [
            Text(
                self.screen.safe(f"Round {keeper.round} is over: {who} out and {get} {keeper.points} points.")
            )
        ]
        lines[0].stylize("bold")
        for sitter in practice.sitters:
            hand = in_order(practice.deal.hands[sitter.seat])
            if hand:
                lines += self._left(sitter.name, hand)
        if not self.plain:
            lines.append(Text())
        lines += self._scores(self.screen.rich.height - len(lines) - 8)
        if not self.plain:
            self._clear()
            lines.insert(1, Text())
        for line in lines:
            self._out(line)
        following = "ends the match" if keeper.wins_match else f"deals round {keeper.round + 1}"
        while True:
            typed = self._ask(f"Enter {following} (u takes back, q leaves): ").lower()
            if typed in ("", "d", "deal"):
                self._lines, self._message = [], ""
                practice.confirm()
                self._happened()
                return
            command = _COMMANDS.get(typed, "")
            if command in ("leave", "end", "undo"):
                self._command(command)
                return
            self._out(Text(f"Type Enter: it {following}; u takes back, q leaves, end ends the match."))

    # The table in plain lines

    def _draw_table(self, view: View) -> None:
        if not self.plain:
            self._picture(view)
            return
        if not self.practice.your_turn or self._message or view.drawn >= 0:
            self._message = ""  # it was just said, or the question says it
            return
        practice = self.practice
        keeper = practice.keeper
        others = []
        for seat in view.order[:-1]:
            last = ", the last" if view.counts[seat] == 1 else ""
            others.append(f"{practice.name(seat)} ({number_of(view.counts[seat], 'card')}{last})")
        way = "clockwise" if keeper.direction > 0 else "anticlockwise"
        top = self._top_words(view)
        lines = [f"Your turn. On the pile: {top}. {way.capitalize()} follow: {', '.join(others)}."]
        if view.colour != NO_COLOUR:
            hand = list(enumerate(in_order(view.hand), 1))
            fit = [f"{place} {card_words(card)}" for place, card in hand if card in view.moves]
            rest = [f"{place} {card_words(card)}" for place, card in hand if card not in view.moves]
            lines.append(f"You can play: {', '.join(fit) if fit else 'nothing'}.")
            if rest:
                lines.append(f"You also hold: {', '.join(rest)}.")
        else:
            lines.append(f"You hold: {cards_words(in_order(view.hand))}.")
        for line in lines:
            self._out(Text(self.screen.safe(line)))

    def _top_words(self, view: View) -> str:
        """Return the top card in words, with the colour called and what is pending."""
        text = card_words(view.pile[-1])
        if COLOUR[view.pile[-1]] == NO_COLOUR:
            text += f", {colour_words(view.colour)} called" if view.colour != NO_COLOUR else ", no colour yet"
        if view.owed:
            text += f", {number_of(view.owed, 'card')} pending"
        return text

    # The table as a picture

    def _picture(self, view: View) -> None:
        width = min(self.screen.width, WIDEST)
        height = self.screen.rich.height
        top = [self._title(view), *self._ring(view, width)]
        hand = self._hand(view, width)
        room = height - len(top) - len(hand) - 2
        events: list[Text] = []
        for line in self._lines:
            for piece in _wrapped(self.screen.safe(". ".join(line.phrases) + "."), width - 3):
                style = "bold" if line.loud else ""
                events.append(Text(f" {piece}", style=style))
        events = events[-room:] if room > 0 else []
        events += [Text()] * (room - len(events))
        message = Text(self._cut(self._message, width), style="yellow")
        self.screen.file.write("\x1b[H")
        for each in (*top, *events, *hand, message):
            self._out(each, end="\x1b[K\n")
        self.screen.file.write("\x1b[J")
        self.screen.file.flush()

    def _cut(self, text: str, width: int) -> str:
        return console.cut(self.screen.safe(text), width, "…" if self.screen.unicode else "~")

    def _title(self, view: View) -> Text:
        keeper = self.practice.keeper
        way = "↻ clockwise" if keeper.direction > 0 else "↺ anticlockwise"
        target = rule_words("target", keeper.rules[1])
        text = (
            f" Last Card · round {keeper.round} · {target} · {way} · {number_of(view.stock, 'card')} to draw"
        )
        return Text(self.screen.safe(text), style="reverse")

    def _ring(self, view: View, width: int) -> list[Text]:
        """Return the others round the table, in their order clockwise from the person, and the pile."""
        practice = self.practice
        place = practice.sitters.index(next(each for each in practice.sitters if each.seat == practice.seat))
        others = [each.seat for each in (*practice.sitters[place + 1 :], *practice.sitters[:place])]
        sides = len(others) > 1
        left, right = (others[0], others[-1]) if sides else (NO_SEAT, NO_SEAT)
        above = others[1:-1] if sides else others
        rows = []
        blocks = [self._block(view, seat, width // max(len(above), 1)) for seat in above]
        for at in range(3 if above else 0):
            rows.append(Text.assemble(*(block[at] for block in blocks)))
        side = (width - 28) // 2
        blank = Text(" " * side)
        beside = [[blank] * 5, [blank] * 5]
        for at, seat in enumerate((left, right)):
            if seat != NO_SEAT:
                beside[at] = [blank, *self._block(view, seat, side), blank]
        for one, middle, other in zip(beside[0], self._pile(view), beside[1], strict=True):
            rows.append(Text.assemble(one, middle, other))
        style = f"bold {STYLES[view.colour]}".strip()
        rows.append(self._middle(self._top_words(view), width, style))
        return rows

    def _block(self, view: View, seat: int, width: int) -> list[Text]:
        """Return three lines of one player: name, cards, points."""
        practice = self.practice
        count = view.counts[seat]
        on_turn = view.turn == seat
        name_line = (
            f"{'▶ ' if on_turn and self.screen.unicode else '> ' if on_turn else ''}{practice.name(seat)}"
        )
        back = "▮" if self.screen.unicode else "|"
        backs = back * min(count, 12) + ("+" if count > 12 else "")
        cards = f"{backs} {count}"
        if count == 1:
            cards += "  LAST CARD!"
        return [
            self._middle(name_line, width, "bold reverse" if on_turn else "bold"),
            self._middle(cards, width, "bold reverse" if count == 1 else ""),
            self._middle(self._standing(view, seat), width, "dim"),
        ]

    def _standing(self, view: View, seat: int) -> str:
        parts = [number_of(view.scores[seat], "point")]
        if view.dealer == seat:
            parts.append("dealer")
        if seat == view.order[0] and view.turn == view.seat:
            parts.append("next")
        return " · ".join(parts)

    def _middle(self, text: str, width: int, style: str) -> Text:
        """Return the text in the middle of so many cells."""
        shown = self._cut(text, width - 2)
        room = width - console.cells(shown)
        line = Text(" " * (room // 2))
        line.append(shown, style=style)
        line.append(" " * (room - room // 2))
        return line

    def _pile(self, view: View) -> list[Text]:
        """Return five lines of 28 cells: the top card."""
        safe = self.screen.safe
        card = view.pile[-1]
        colour = view.colour
        style = STYLES[colour]
        shape = safe(COLOURS[colour][1]) if colour != NO_COLOUR else " "
        sign = SYMBOL_WORDS.get(SYMBOL[card], str(SYMBOL[card]))
        corners = "┌┐└┘─│" if self.screen.unicode else "++++-|"
        edge = corners[4] * 11
        inner = [f" {shape}         ", f"{sign:^11}", f"         {shape} "]
        rows = [
            f"{corners[0]}{edge}{corners[1]}",
            *(f"{corners[5]}{each}{corners[5]}" for each in inner),
            f"{corners[2]}{edge}{corners[3]}",
        ]
        lines = []
        for row in rows:
            line = Text(" " * 7)
            line.append(row, style=f"bold {style}".strip())
            line.append(" " * 8)
            lines.append(line)
        return lines

    def _hand(self, view: View, width: int) -> list[Text]:
        """Return the person's own line and cards; those that can be played are marked."""
        safe = self.screen.safe
        on_turn = view.turn == view.seat
        count = view.counts[view.seat]
        own = Text(" ")
        mark = ("▶ " if self.screen.unicode else "> ") if on_turn else ""
        own.append(safe(f"{mark}{self.practice.name(view.seat)}"), "bold reverse" if on_turn else "bold")
        own.append(safe(f"  {number_of(count, 'card')}"))
        if count == 1:
            own.append("  LAST CARD!", "bold reverse")
        parts = [number_of(view.scores[view.seat], "point")]
        if view.dealer == view.seat:
            parts.append("dealer")
        own.append(safe(f" · {' · '.join(parts)}"), "dim")
        if on_turn and any(move < DECK for move in view.moves):
            own.append(safe("   * fits"), "dim")
        cell = 18
        rows: list[Text] = [own]
        line = Text()
        for place, card in enumerate(in_order(view.hand), 1):
            fits = card in view.moves
            text = safe(f"{place:>3}{'*' if fits else ' '} {card_words(card)}")
            if console.cells(line.plain) + cell > width:
                rows.append(line)
                line = Text()
            style = STYLES[COLOUR[card]]
            line.append(
                text, f"bold {style}".strip() if fits else f"{'dim ' if on_turn else ''}{style}".strip()
            )
            line.append(" " * (cell - console.cells(text)))
        rows.append(line)
        return rows


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Give the text in lines of at most so many cells, cut between words."""
    line = ""
    for word in text.split(" "):
        if line and console.cells(line) + 1 + console.cells(word) > width:
            yield line
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    yield line


# All together


@contextlib.contextmanager
def table(port: str, home: Path) -> Iterator[Session]:
    """Give a greeted session with the table named, or with the virtual one that practice has for itself."""
    if port:
        session = ports.connect(port)
        try:
            yield session
        finally:
            session.close()
        return
    try:
        with VirtualBoard(home / "table") as board, ports.open(board.port) as session:
            session.hello()
            yield session
    except VirtualBoardError as trouble:
        raise errors.Trouble(
            f"The virtual table cannot run: {trouble}. Does another practice match run already?"
        ) from trouble


def main(options: Options) -> int:
    """Play a match in this terminal; return the exit code. Raises Trouble, in one line."""
    screen = console.screen()
    picture = not options.plain and sys.stdin.isatty() and sys.stdout.isatty()
    if picture:
        size = os.get_terminal_size()
        picture = size.columns >= WIDTH and size.lines >= HEIGHT
    folder = folders.make_folder(folders.data_folder())
    home = folders.make_folder(folder / FOLDER)
    with Store(folders.history_file(folder)) as store:
        person = store.players.find(options.player) if options.player else None
        called = options.name or (person.name if person else "You")
        with table(options.port, home) as session:
            practice = Practice(session, store, home)
            game = Game(practice, screen, Keys(), plain=not picture, fast=options.fast)
            try:
                if options.resume:
                    practice.resume()
                else:
                    if practice.left_behind:
                        screen.print("The match that was left unfinished is ended.")
                    seed = secrets.randbits(32) if options.seed is None else options.seed
                    who = sitters(called, person.id if person else 0, options.levels)
                    practice.begin(who, options.rules, seed)
                _play(game, screen, picture)
            except LinkError as trouble:
                with contextlib.suppress(LinkError):
                    practice.close()
                kept = f" The match is kept: {_goes_on()}." if practice.kept else ""
                trouble.args = (f"{trouble}{kept}",)
                raise
            except BaseException:
                practice.close()
                raise
            practice.close()
            _last_words(practice, screen)
    return errors.OK


def _play(game: Game, screen: Screen, picture: bool) -> None:
    try:
        if picture:
            screen.rich.set_alt_screen(True)
        game.play()
    except (Leave, EOFError, KeyboardInterrupt):
        pass
    finally:
        if picture:
            screen.rich.set_alt_screen(False)


def _goes_on() -> str:
    return f"`{folders.program()} play --resume` goes on"


def _last_words(practice: Practice, screen: Screen) -> None:
    if practice.over:
        match = practice.match()
        screen.print()
        score_sheet(screen, match, practice.store.rounds(match.id))
        return
    screen.print()
    screen.print(f"The match is kept: {_goes_on()}, `{folders.program()} history show` shows it so far.")
