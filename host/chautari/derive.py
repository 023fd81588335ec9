"""Derives a match from its announcements with the same keeper that the board has.

Nothing here knows of the database: announcements in, what they amount to out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardrules import announcement as says
from cardrules import games
from cardrules import keeper as keepers
from cardrules.announcement import Announcement
from cardrules.keeper import Keeper
from cardrules.log import Log

WON, ENDED, SETUP, RUNNING, LEFT, UNKNOWN_GAME = "won", "ended", "setup", "running", "left", "unknown_game"

_SEATS = 32
_FOLLOWED = (says.CLOSE, says.CORRECT, says.SWAP)


@dataclass(frozen=True)
class ScorePart:
    """What a chair got in a round. chair: the seat its player first sat at; seat: where it sat then."""

    chair: int
    seat: int
    player: int
    points: int


@dataclass(frozen=True)
class FoundFact:
    """A confirmed round. number: of the CLOSE or CORRECT; round: from 1; winner: seat or NO_SEAT."""

    number: int
    round: int
    winner: int
    points: int
    scores: tuple[ScorePart, ...]


@dataclass(frozen=True)
class FoundChair:
    """A chair at the end of the announcements given. player: id or 0; clock_ms: time on turn."""

    chair: int
    seat: int
    player: int
    score: int
    clock_ms: int
    present: bool


@dataclass
class Derived:
    """What a match's announcements amount to. number: of its GAME.

    facts: every round ever confirmed, taken back or not; standing: numbers of those that count.
    rules: house rules by name, {} before the start. The same with _before: as it stood after the
    announcement known_to. refused: (number, reason). last: number of the last announcement;
    start: of the START, or of the GAME before there is one; last_play: of the last one that people made.
    practice: a program held the cards.
    """

    number: int
    game: int
    known_to: int = 0
    state: str = SETUP
    round: int = 0
    winner: int | None = None
    last: int = 0
    start: int = 0
    last_play: int = 0
    rules: dict[str, int] = field(default_factory=dict)
    rules_before: dict[str, int] = field(default_factory=dict)
    chairs: list[FoundChair] = field(default_factory=list)
    facts: list[FoundFact] = field(default_factory=list)
    standing: set[int] = field(default_factory=set)
    standing_before: set[int] = field(default_factory=set)
    practice: bool = False
    refused: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Step:
    """An announcement that undo may take back and that this module has to follow."""

    said: Announcement
    fact: FoundFact | None = None


class _Fold:
    """Follows a match through its announcements."""

    def __init__(self, rules: Mapping[str, int]) -> None:
        """rules: what to play by where nobody at the table mentioned a rule."""
        self.log = Log()
        self.facts: list[FoundFact] = []
        self.chair_at = list(range(_SEATS))  # by seat
        self._rules = rules
        self._ruled: set[int] = set()
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

    def say(self, one: Announcement) -> str | None:
        """Take the next announcement; return why it is refused, None if it is not."""
        log = self.log
        scores = [] if log.keeper is None else list(log.keeper.scores)
        target = None
        if one.what == says.UNDO:
            target = log.undo_target()
        elif one.what == says.REDO:
            target = log.redo_target()
        reason, _ = log.say(one.what, one.seat, one.arg, one.ms)
        if reason is not None:
            return " ".join(str(part) for part in reason)
        keeper = log.keeper
        if keeper is None:
            return None
        if target is not None:
            source, other = (
                (self._done, self._undone) if one.what == says.UNDO else (self._undone, self._done)
            )
            self._move(source, other, target)
        elif one.what in _FOLLOWED:
            self._undone.clear()
            fact = None
            if one.what == says.SWAP:
                self._swap(one)
            else:
                fact = self._fact(one, keeper, scores)
                self.facts.append(fact)
            self._done.append(_Step(one, fact))
        elif one.what not in says.KEPT_BY_UNDO:
            self._undone.clear()
            if one.what == says.RULE:
                self._ruled.add(one.arg >> 16)
        if self._rules and keeper.phase == keepers.SETUP:
            for key, name, _, _ in games.load(keeper.game).SETTINGS:
                if name in self._rules and key not in self._ruled:
                    keeper.rules[key] = self._rules[name]
        return None

    def _move(self, source: list[_Step], other: list[_Step], target: Sequence[int]) -> None:
        """Follow an undo or redo of target, if it is one of the announcements followed."""
        if source and (source[-1].said.what, source[-1].said.seat, source[-1].said.arg) == tuple(target):
            step = source.pop()
            other.append(step)
            if step.said.what == says.SWAP:
                self._swap(step.said)

    def _swap(self, said: Announcement) -> None:
        chairs = self.chair_at
        chairs[said.seat], chairs[said.arg] = chairs[said.arg], chairs[said.seat]

    def _fact(self, said: Announcement, keeper: Keeper, before: Sequence[int]) -> FoundFact:
        """Return what a CLOSE or CORRECT just accepted has confirmed."""
        number = said.arg >> 16 if said.what == says.CORRECT else len(keeper.rounds)
        winner, points = keeper.rounds[number - 1][:2]
        old: dict[int, ScorePart] = {}
        if said.what == says.CORRECT:
            for step in self._done:
                if step.fact is not None and step.fact.round == number:
                    old = {part.chair: part for part in step.fact.scores}
        parts = []
        for seat, score in enumerate(keeper.scores):
            chair = self.chair_at[seat]
            change = score - before[seat]
            if chair in old:
                parts.append(replace(old[chair], seat=seat, points=old[chair].points + change))
            elif change or keeper.ring.has(seat):
                parts.append(ScorePart(chair, seat, keeper.players[seat], change))
        in_order = tuple(sorted(parts, key=lambda part: part.chair))
        return FoundFact(said.number, number, winner, points, in_order)

    def standing(self) -> set[int]:
        """Return the numbers of the facts that count: the last one of each round."""
        return set({step.fact.round: step.fact.number for step in self._done if step.fact}.values())

    def rules(self) -> dict[str, int]:
        """Return the house rules by name, {} before the start."""
        keeper = self.log.keeper
        if keeper is None or keeper.phase == keepers.SETUP:
            return {}
        return {name: keeper.rules[key] for key, name, _, _ in games.load(keeper.game).SETTINGS}


def derive(
    said: Sequence[Announcement], known_to: int = 0, rules: Mapping[str, int] | None = None
) -> Derived:
    """Fold the announcements of one match, its GAME first.

    known_to: number up to which it was derived before, 0 if it was not. rules: house rules stored with
    it; a rule that nobody mentioned at the table is played as stored even when the engine's default
    has changed since.
    """
    found = _derive(said, known_to, {})
    before = found.rules_before
    differing = {name: value for name, value in (rules or {}).items() if before.get(name, value) != value}
    if differing:
        found = _derive(said, known_to, differing)
        # The difference is still to be told: what these rules would have said.
        found.rules_before = before
    return found


def _derive(said: Sequence[Announcement], known_to: int, rules: Mapping[str, int]) -> Derived:
    game = said[0]
    found = Derived(
        game.number, game.arg, known_to, last=said[-1].number, start=game.number, last_play=game.number
    )
    fold = _Fold(rules)
    marked = False
    for one in said:
        if not marked and one.number > known_to:
            marked = True
            found.standing_before, found.rules_before = fold.standing(), fold.rules()
        reason = fold.say(one)
        if reason is not None:
            if one.what == says.GAME:
                # Not a game of this program: kept for one that knows it.
                found.state = UNKNOWN_GAME
                return found
            found.refused.append((one.number, reason))
        elif one.what != says.BOOT:
            found.last_play = one.number
            if one.what == says.START:
                found.start = one.number
    if not marked:
        found.standing_before, found.rules_before = fold.standing(), fold.rules()
    found.facts, found.standing, found.rules = fold.facts, fold.standing(), fold.rules()
    keeper = fold.log.keeper
    if keeper is not None:
        _read_off(found, keeper, fold.chair_at)
    return found


def _read_off(found: Derived, keeper: Keeper, chair_at: Sequence[int]) -> None:
    """Read off the keeper what the match has come to."""
    found.round = keeper.round
    found.practice = keeper.practice
    if keeper.phase == keepers.OVER:
        found.state = ENDED if keeper.winner == says.NO_SEAT else WON
    elif keeper.phase != keepers.SETUP:
        found.state = RUNNING
    if found.state == WON and keeper.winner != says.NO_SEAT:
        found.winner = chair_at[keeper.winner]
    away = keeper.ring.absent()
    found.chairs = sorted(
        (
            FoundChair(
                chair_at[seat], seat, keeper.players[seat], score, keeper.clock_ms[seat], seat not in away
            )
            for seat, score in enumerate(keeper.scores)
            if keeper.ring.has(seat) or score
        ),
        key=lambda chair: chair.chair,
    )
