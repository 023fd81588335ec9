"""Practice: somebody plays Last Card against programs; the PC holds the cards, a table keeps the match.

Whatever the deal says goes to the table over the line, one announcement after the other, each on top of
the state that was known here. The table keeps turn, counts, lights and scores, as it does for people, and
the history is fetched from it. Beside the cards stands a keeper of their own, which has to come to the
same state; when it does not, or when somebody presses something at the table, practice stops with
Disagrees.

Before every move is a file written that says where the match stands and which move follows, so that it
can go on whatever ends the program. No terminal here.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from cardrules import announcement as says
from cardrules.announcement import NO_SEAT
from cardrules.keeper import OVER, SCORED
from cardrules.last_card.bots import Bot
from cardrules.last_card.cards import COLOUR, COLOURS, NO_COLOUR, PLUS_TWO, POINTS, REVERSE, SKIP, SYMBOL
from cardrules.last_card.deal import NAME, Deal, View
from cardrules.last_card.settings import DECK
from cardrules.prng import Prng

from chautari import errors, live
from chautari.follow import Follower
from chautari.history import Match, Store
from chautari.link import UPDATE_TABLE, LinkError, Refused, Session
from chautari.settings import name_for_table

SEATS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""Which seats of the table are taken, by number of players; the person sits at the first."""

PERSON = 0
"""Place of the person among them."""

MOMENTS = 100
"""How many decisions can be taken back."""

FORMAT = "chautari practice"
VERSION = 1

CLOSES = "close"
UNDOES = "undo"
ENDS = "end"
"""What can follow in a match beside a move."""


class Disagrees(errors.Trouble):
    """Table and cards do not go together (any more). Nothing was lost, nothing was changed."""


@dataclass(frozen=True)
class Sitter:
    """Somebody in the match. seat: from 0; level: of a bot, "" for the person; player: id, 0 if unknown."""

    seat: int
    name: str
    level: str = ""
    player: int = 0


@dataclass(frozen=True)
class Told:
    """Something that happened: a notice of the keeper (see cardrules.notices).

    cards: the card that was played or turned up; cards that the person drew or took. Of the cards that
    others draw nobody is told.
    """

    code: str
    seat: int
    value: int
    cards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Moment:
    """Where a match stands. said: announcements that count since it was begun."""

    cards: bytes
    chance: bytes
    said: int


class Practice:
    """A match at one table. Begin it with begin() or resume(); always end it with close().

    deal: the cards; sitters: who sits where; seat: of the person; told: what happened since somebody
    emptied it; state: number of the latest announcement known here.
    """

    def __init__(self, session: Session, store: Store, folder: Path) -> None:
        """session: greeted. folder: where the file of an unfinished match is kept."""
        hello = session.greeting or session.hello()
        mismatch = session.mismatch()
        if mismatch is not None:
            raise mismatch
        if not re.fullmatch(r"[0-9A-Za-z_-]{1,64}", hello.board_id):
            raise errors.Trouble("The table does not say its id; see `chautari doctor`.")
        self.session = session
        self.store = store
        self.sitters: list[Sitter] = []
        self.told: list[Told] = []
        self.state = 0
        self.deal = Deal(Prng(0), say=self._say)
        self._file = folder / f"{hello.board_id}.json"
        self._chance = Prng(0)
        self._bots: dict[int, Bot] = {}
        self._said = 0
        self._moments: list[Moment] = []
        self._ahead: list[tuple[int, int, int]] = []  # said at the table already, before a resume
        self._before: dict[str, Any] = {}  # the table's names and players, to be put back
        self._doing = False
        # What the table has of earlier matches is fetched before its seats get other names.
        self._follower = Follower(store, session)
        store.derive()

    # Beginning and ending

    @property
    def kept(self) -> bool:
        """Is there an unfinished match to resume?"""
        return self._file.exists()

    @property
    def left_behind(self) -> bool:
        """Is a match in play at the table that is practice?"""
        keeper = self._follower.table.keeper
        return keeper is not None and keeper.practice and keeper.phase not in ("setup", "over")

    def begin(self, sitters: Sequence[Sitter], rules: Mapping[int, int], seed: int) -> None:
        """Set a match up at the table and deal. An unfinished practice match there is ended.

        sitters: the person first. rules: key -> value. Raises NotAllowed when people are playing there.
        """
        self.state = self.session.ping().state
        if self.session.status()[2] not in ("", "setup", "over"):
            if not self.left_behind:
                raise errors.NotAllowed(
                    "A match is in play at the table. Finish it there, or end it in the table's menu "
                    "(hold 0); then `chautari play`."
                )
            self._tell(says.END, NO_SEAT, 0)
            self.fetch()
        found: dict[str, Any] = {}
        with contextlib.suppress(errors.Trouble):
            found = self._read()
        self._leave_file()
        self._sit(sitters, Prng(2 * seed + 1))
        self._name_seats(found)
        self.deal = Deal(Prng(2 * seed), say=self._say)
        self._doing = True
        self.deal.begin([sitter.seat for sitter in sitters], dict(rules))
        self._doing = False
        # Who sits where and by which rules is known to whoever began this.
        started = next(place for place, one in enumerate(self.told) if one.code == "match_started")
        del self.told[:started]
        self._turned_up()
        self._said = 0
        self.check()
        self._write(None)

    def resume(self) -> None:
        """Go on with the unfinished match of this table. Raises NotFound, Disagrees, BadFile."""
        found = self._read()
        try:
            self._moments = [_moment(each) for each in found["moments"]]
            self._sit(found["sitters"], Prng(0))
            self._restore(_moment(found["now"]))
            pending = found["pending"]
        except (LookupError, TypeError, ValueError) as error:
            raise self._unreadable() from error
        if self.session.greeting is None or found["journal_id"] != self.session.greeting.journal_id:
            raise self._other_way()
        self.state = self.session.ping().state
        ahead = self._said_since(found["state"])
        if ahead and pending is not None:
            # The program ended in the middle of a move: what the table has of it is not said again.
            self._ahead = ahead
            self._do(pending)
        if self._ahead or self._facts() != self._table():
            raise self._other_way()
        self.told.clear()
        self._name_seats(found)
        self._write(None)

    def close(self) -> None:
        """Put the table's own names back and bring the history up to date."""
        if not self._before:
            return
        # What was played under these names is derived before they change.
        self.fetch()
        self.session.put(self._before)
        self._before = {}
        if self.over:
            self._leave_file()
        elif not self._doing:
            self._write(None)
        self._follower.update(self.session)

    def fetch(self) -> None:
        """Bring what the table has into the history."""
        self._follower.update(self.session)
        self.store.derive()

    def match(self) -> Match:
        """Return the match as the history has it."""
        journal_id = self._follower.journal
        return [one for one in self.store.matches() if one.journal_id == journal_id][-1]

    def _sit(self, sitters: Sequence[Sitter], chance: Prng) -> None:
        self.sitters = list(sitters)
        self._chance = chance
        self._bots = {each.seat: Bot(each.level, chance) for each in sitters if each.level}

    def _name_seats(self, found: Mapping[str, Any]) -> None:
        """Show who sits where at the table; what stood there is put back in the end.

        found: the file of a match before: what stands there may be its names, left by a program that could
        not put anything back.
        """
        there = {
            name: value for name, value in self.session.settings().items() if name in ("names", "players")
        }
        left = found and found["before"] and there == _shown(found["sitters"], there)
        self._before = found["before"] if left else there
        self.session.put(_shown(self.sitters, there))

    # The match

    @property
    def seat(self) -> int:
        """Seat of the person."""
        return self.sitters[PERSON].seat

    @property
    def keeper(self) -> Any:
        """What is public: the keeper beside the cards."""
        return self.deal.keeper

    @property
    def over(self) -> bool:
        """Is the match won or ended?"""
        return bool(self.keeper.phase == OVER)

    @property
    def scored(self) -> bool:
        """Is a round over and waits to be confirmed?"""
        return bool(self.keeper.phase == SCORED)

    @property
    def your_turn(self) -> bool:
        """Is the person on turn?"""
        return bool(self.keeper.turn == self.seat)

    def name(self, seat: int) -> str:
        """Return the name of who sits there."""
        return next((each.name for each in self.sitters if each.seat == seat), f"Seat {seat + 1}")

    def view(self) -> View:
        """Return what the person may see."""
        return self.deal.view(self.seat)

    def do(self, move: int, decision: bool = True) -> None:
        """Make a move of the person. decision: one that undo goes back to. Raises NotAllowed."""
        if not self.your_turn or move not in self.view().moves:
            raise errors.NotAllowed("That move cannot be made now.")
        if decision:
            self._moments = [*self._moments[-MOMENTS + 1 :], self._moment()]
        self._follow(move)

    def bot_moves(self) -> None:
        """Let the bot on turn make its move."""
        seat = self.keeper.turn
        self._follow(self._bots[seat].move(self.deal.view(seat)))

    def confirm(self) -> None:
        """Confirm the round that is scored: the next one is dealt, or the match is over."""
        self._follow(CLOSES)
        self.check()
        if self.over:
            self._leave_file()
        self.fetch()

    @property
    def can_undo(self) -> bool:
        """Is there a decision to go back to?"""
        return bool(self._moments)

    def undo(self) -> None:
        """Go back to the person's previous decision, cards and table alike. Raises NotAllowed."""
        if not self._moments:
            raise errors.NotAllowed("There is nothing to take back yet.")
        self._follow(UNDOES)
        self.told.clear()
        self.check()
        self._write(None)

    def end(self) -> None:
        """End the match, unfinished, for good."""
        self._follow(ENDS)
        self._leave_file()
        self.fetch()

    def hint(self) -> tuple[int, list[int]]:
        """Return what the hard bot would do in the person's place, and which of H1 to H5 speak for it."""
        view = self.view()
        move = Bot("hard", Prng(0)).move(view)
        return move, reasons(view, move)

    def _follow(self, what: int | str) -> None:
        self._write(what)
        self._doing = True
        self._do(what)
        self._doing = False

    def _do(self, what: int | str) -> None:
        if what == UNDOES:
            moment = self._moments[-1]
            for _ in range(self._said - moment.said):
                self._tell(says.UNDO, NO_SEAT, 0)
            self._moments.pop()
            self._restore(moment)
            return
        held = len(self.deal.hands[self.seat])
        before = len(self.told)
        if what == CLOSES:
            self.deal.close()
        elif what == ENDS:
            self.deal.announce(says.END)
        else:
            assert isinstance(what, int)
            held -= self.your_turn and what < DECK
            self.deal.do(what)
        self._show_cards(before, self.deal.hands[self.seat][held:])
        self._turned_up(before)

    def _moment(self) -> Moment:
        return Moment(self.deal.snapshot(), self._chance.state(), self._said)

    def _restore(self, moment: Moment) -> None:
        self.deal.restore(moment.cards)
        self._chance.resume(moment.chance)
        self._said = moment.said

    def _show_cards(self, first: int, new: Sequence[int]) -> None:
        """Say in what was told from first on which cards the person got."""
        shown = 0
        for place in range(first, len(self.told)):
            one = self.told[place]
            if one.seat == self.seat and one.code in ("drew", "takes"):
                self.told[place] = replace(one, cards=tuple(new[shown : shown + one.value]))
                shown += one.value

    def _turned_up(self, first: int = 0) -> None:
        """Tell which card begins the pile, where a round has begun; an action card was told already."""
        codes = [one.code for one in self.told[first:]]
        if "round_started" in codes and "turned" not in codes and self.deal.pile:
            place = first + len(codes) - 1 - codes[::-1].index("round_started")
            self.told.insert(place + 1, Told("turned", NO_SEAT, 0, (self.deal.pile[-1],)))

    # The table

    def _say(self, what: int, seat: int, arg: int) -> None:
        """Bring an announcement of the deal to the table and to the keeper here."""
        if what == says.JOIN:
            arg = next(each.player for each in self.sitters if each.seat == seat)
        self._announce(what, seat, arg)
        if what == says.GAME:
            self._announce(says.PRACTICE, NO_SEAT, 0)

    def _announce(self, what: int, seat: int, arg: int) -> None:
        keeper = self.keeper
        reason = keeper.why_not(what, seat, arg)
        if reason is not None:
            raise Disagrees(f"The cards do not go with the rules ({reason[0]}). Please report this.")
        self._tell(what, seat, arg)
        _, notices = keeper.apply(what, seat, arg)
        for code, of, value in notices:
            cards = (self.deal.pile[-1],) if code in ("played", "turned") and self.deal.pile else ()
            self.told.append(Told(code, of, value, cards))
        self._said += 1

    def _tell(self, what: int, seat: int, arg: int) -> None:
        if self._ahead:
            if self._ahead.pop(0) != (what, seat, arg):
                raise self._other_way()
            return
        try:
            self.state, _ = self.session.say(self.state, what, seat, arg)
        except Refused as no:
            if no.code == "stale":
                raise self._pressed() from no
            if what == says.PRACTICE and no.code == "unknown_what":
                raise errors.Trouble(
                    f"The table does not know practice: its firmware is older. {UPDATE_TABLE}"
                ) from no
            raise Disagrees(
                f"Table and cards disagree ({no.code}): practice stops here; the match stays as it is."
            ) from no

    def watch(self, seconds: float) -> None:
        """Wait for so long, and notice when somebody presses something. Raises Disagrees."""
        self.session.wait(seconds)
        news = self.session.news
        if news is not None and news.state > self.state:
            raise self._pressed()

    def check(self) -> None:
        """Compare the table with the cards. Raises Disagrees."""
        table = self._table()
        if table == self._facts():
            return
        if self.session.ping().state != self.state:
            raise self._pressed()
        raise Disagrees("Table and cards disagree: practice stops here; the match stays as it is.")

    def _table(self) -> list[object]:
        """Return how the table stands, but for its clocks."""
        return self.session.status()[1:14]

    def _facts(self) -> list[object]:
        """Return how it has to stand by the keeper beside the cards."""
        keeper = self.keeper
        active = sum(1 << seat for seat in keeper.ring.active())
        return [
            keeper.game,
            keeper.phase,
            keeper.turn,
            keeper.direction,
            keeper.dealer,
            keeper.round,
            int(keeper.paused),
            keeper.owed,
            keeper.colour,
            list(keeper.counts),
            list(keeper.scores),
            list(keeper.players),
            active,
        ]

    def _said_since(self, number: int) -> list[tuple[int, int, int]]:
        """Return (what, seat, arg) of all that counts of what was said at the table after this number."""
        found: list[tuple[int, int, int]] = []
        undone: list[tuple[int, int, int]] = []
        while number < self.state:
            said = [one for one in self.session.announcements(number)[0] if one.number > number]
            if not said:
                self.session.wait(0.1)  # the latest are on their way into the table's flash
            for one in said:
                number = one.number
                if one.what == says.UNDO and found and found[-1][0] != says.UNDO:
                    undone.append(found.pop())
                elif one.what == says.REDO and undone:
                    found.append(undone.pop())
                elif one.what not in (says.BOOT, says.PAUSE, says.RESUME):
                    found.append((one.what, one.seat, one.arg))
        return found

    def _pressed(self) -> Disagrees:
        """Return what to say when somebody has pressed something at the table."""
        what = ""
        with contextlib.suppress(LinkError):
            said, _, _ = self.session.announcements(self.state)
            names = [self.name(seat) for seat in range(self.keeper.seats)]
            if said:
                what = f" ({live.said_words(said[0], self.keeper.game, names)})"
        if not self._doing:
            self._write(None)
        return Disagrees(
            f"Somebody pressed something at the table{what}: practice stops here; the match stays as it is. "
            "Put it right at the table and `chautari play --resume` goes on."
        )

    def _other_way(self) -> Disagrees:
        return Disagrees(
            "The table does not stand where the unfinished match stopped: somebody went on there. "
            "Put it right at the table, or begin another match with `chautari play`."
        )

    # The file

    def _write(self, pending: int | str | None) -> None:
        """Keep where the match stands, and what follows."""
        hello = self.session.greeting
        value = {
            "format": FORMAT,
            "version": VERSION,
            "journal_id": "" if hello is None else hello.journal_id,
            "state": self.state,
            "sitters": [asdict(each) for each in self.sitters],
            "before": self._before or None,
            "now": _packed(self._moment()),
            "moments": [_packed(each) for each in self._moments],
            "pending": pending,
        }
        unfinished = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(json.dumps(value), encoding="utf-8")
            os.replace(unfinished, self._file)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise errors.NoAccess(
                f"{self._file} cannot be written ({reason}); choose another folder with --data."
            ) from error

    def _read(self) -> dict[str, Any]:
        """Return what the file holds, the sitters as such. Raises NotFound, BadFile."""
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            if (
                found["format"] != FORMAT
                or found["version"] != VERSION
                or not isinstance(found["state"], int)
            ):
                raise ValueError("another version")
            known = {
                key: found[key] for key in ("journal_id", "state", "before", "now", "moments", "pending")
            }
            return {**known, "sitters": [Sitter(**each) for each in found["sitters"]]}
        except FileNotFoundError as none:
            raise errors.NotFound(
                "No unfinished practice match is kept for this table; `chautari play` begins one."
            ) from none
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise self._unreadable() from error

    def _unreadable(self) -> errors.BadFile:
        return errors.BadFile(
            f"The unfinished match in {self._file} cannot be read; `chautari play` begins another one."
        )

    def _leave_file(self) -> None:
        self._file.unlink(missing_ok=True)


def _packed(moment: Moment) -> list[object]:
    return [moment.cards.hex(), moment.chance.hex(), moment.said]


def _shown(sitters: Sequence[Sitter], there: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return names and player ids as a table with so many seats shows them."""
    names: list[Any] = [""] * len(there["names"])
    players: list[Any] = [0] * len(there["players"])
    for sitter in sitters:
        names[sitter.seat] = name_for_table(sitter.name)
        players[sitter.seat] = sitter.player
    return {"names": names, "players": players}


def _moment(values: Any) -> Moment:
    cards, chance, said = values
    return Moment(bytes.fromhex(cards), bytes.fromhex(chance), int(said))


# Why a move is a good one: the hints of docs/rules/last_card.md, as far as they hold for it.

FEW = 2


def reasons(view: View, move: int) -> list[int]:
    """Return the numbers of the hints (1 for H1) that speak for a move."""
    found = []
    following = view.order[0]
    if move >= NAME:
        colour = move - NAME
        held = [sum(COLOUR[card] == each for card in view.hand) for each in range(COLOURS)]
        if held[colour] == max(held) > 0:
            found.append(2)
        if view.lacks[following] >> colour & 1:
            found.append(5)
        return found
    if move >= DECK:
        return found
    cards = [card for card in view.moves if card < DECK]
    least = min(view.counts[seat] for seat in view.order if seat != view.seat)
    plain = [card for card in cards if COLOUR[card] != NO_COLOUR]
    if COLOUR[move] != NO_COLOUR:
        if len(plain) < len(cards):
            found.append(1)
        stops = (SKIP, PLUS_TWO, REVERSE) if len(view.order) == 2 else (SKIP, PLUS_TWO)
        if SYMBOL[move] in stops and view.counts[following] <= FEW:
            found.append(3)
        if view.lacks[following] >> COLOUR[move] & 1:
            found.append(5)
    if least <= FEW and len(cards) > 1 and POINTS[move] == max(POINTS[card] for card in cards):
        found.append(4)
    return sorted(found)


def sitters(name: str, player: int, levels: Sequence[str]) -> list[Sitter]:
    """Return a person and bots of these levels at their seats; bots are called Easy 1, Hard 2 and so on."""
    seats = SEATS[len(levels) + 1]
    bots = [
        Sitter(seats[place], f"{level.capitalize()} {place}", level) for place, level in enumerate(levels, 1)
    ]
    return [Sitter(seats[PERSON], name, "", player), *bots]
