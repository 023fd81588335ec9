"""Whole matches played by bots, by the thousand, and what they come to in figures.

A match depends on the set-up and its own number alone, and figures are added up as whole numbers and
fractions: the same request gives the same figures to the last digit, whatever the number of processes.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing import connection
from typing import Any, NamedTuple

from cardrules.keeper import OVER, SCORED
from cardrules.last_card import bots as last_card_bots
from cardrules.last_card import settings as last_card
from cardrules.last_card.deal import Deal, SilentKeeper
from cardrules.prng import Prng

from chautari.errors import NotAllowed, Trouble

MOST_DEALS = 1000
"""Deals of a match, void ones too, after which it is given up as unfinished."""
MOST_DECISIONS = 10_000
"""Decisions of a round after which its match is given up as unfinished."""
MOST_JOBS = 60
"""Processes at most: Windows waits for no more than 63 at a time."""

SECONDS_PER_DECISION = 5
"""Assumed time of people for one decision: to think, to put the card down, to press."""
SECONDS_PER_DEAL = 60
"""Assumed time of people for each deal: to count what is left, to shuffle and to deal."""

CHUNK = 50
"""Matches that a process is given at a time: a tenth of a second or so, less than it takes to start one."""
AHEAD = 4
"""Chunks for each process that may be in work or done before their turn; bounds the memory."""
POLL_S = 0.2
"""On Windows Ctrl-C does not interrupt waiting; so nothing waits longer than this."""
END_S = 0.5
"""How long a process that is told to end may take before it is stopped by force."""


class RoundPlayed(NamedTuple):
    """A round that somebody won. Seats from 0; cards_left: in all hands together at its end."""

    winner: int
    dealer: int
    points: int
    decisions: int
    cards_left: int


class Played(NamedTuple):
    """A match. number: from 0. winner: seat from 0, None if the match was given up at a cap. scores: by
    seat. void: rounds that counted for nobody. decisions: in all rounds, void and unfinished ones too."""

    number: int
    first_dealer: int
    winner: int | None
    scores: tuple[int, ...]
    rounds: tuple[RoundPlayed, ...]
    void: int
    decisions: int


@dataclass(frozen=True)
class Setup:
    """What is played: made by set_up(). rules: name -> value; bots: level by seat; seed: any number."""

    game: str
    players: int
    rules: Mapping[str, int]
    bots: tuple[str, ...]
    seed: int = 1
    most_deals: int = MOST_DEALS
    most_decisions: int = MOST_DECISIONS


@dataclass(frozen=True)
class Game:
    """What has to be known of a game for simulating it.

    settings: (key, name, values, default) of each house rule. levels: of its bots. play: plays the match
    of a number, from 0.
    """

    title: str
    fewest: int
    most: int
    settings: tuple[tuple[int, str, tuple[int, ...], int], ...]
    levels: tuple[str, ...]
    play: Callable[[Setup, int], Played]


def generator(*sources: object) -> Prng:
    """Return random numbers that depend on all of these and on nothing else."""
    text = "/".join(str(source) for source in sources)
    return Prng(int.from_bytes(text.encode(), "little"))


def play_last_card(setup: Setup, number: int) -> Played:
    """Play a match of Last Card.

    The first dealer is the seat number modulo players, so that every seat begins equally often. The cards
    of each deal have random numbers of their own, and so has each seat: other bots get the same deals.
    A round that is void is dealt again, and its random numbers go on (A10).
    """
    seed = setup.seed
    keys = {name: key for key, name, _, _ in last_card.SETTINGS}
    bots = [
        last_card_bots.Bot(level, generator(seed, number, "seat", seat))
        for seat, level in enumerate(setup.bots)
    ]
    deal = Deal(generator(seed, number, "deal", 1), SilentKeeper())
    keeper = deal.keeper
    first_dealer = number % setup.players
    rules = {keys[name]: value for name, value in setup.rules.items()}
    deal.begin(list(range(setup.players)), rules, first_dealer)
    dealt = keeper.deals
    deals = 1
    void = 0
    earlier = 0
    decisions = 0
    rounds = []
    while deals <= setup.most_deals and decisions < setup.most_decisions:
        moves = deal.legal()
        seat = keeper.turn
        # Nobody has to be asked where there is nothing to choose.
        move = moves[0] if len(moves) == 1 else bots[seat].move(deal.view(seat))
        deal.do(move)
        decisions += 1
        if keeper.phase == SCORED:
            rounds.append(
                RoundPlayed(keeper.out_seat, keeper.dealer, keeper.points, decisions, sum(keeper.counts))
            )
            deals += 1
            deal.random = generator(seed, number, "deal", deals)
            deal.close()
        elif keeper.deals != dealt:
            deals += 1
            void += 1
        else:
            continue
        earlier += decisions
        decisions = 0
        if keeper.phase == OVER:
            break
        dealt = keeper.deals
    winner = keeper.winner if keeper.phase == OVER else None
    scores = tuple(keeper.scores[: setup.players])
    return Played(number, first_dealer, winner, scores, tuple(rounds), void, earlier + decisions)


GAMES = {
    "last-card": Game("Last Card", 2, 6, last_card.SETTINGS, tuple(last_card_bots.LEVELS), play_last_card),
}
"""The games that can be simulated, as people type them."""


def find_game(name: str) -> Game:
    """Return the game of that name. Raises NotAllowed, which names those there are."""
    game = GAMES.get(name.strip().lower().replace("_", "-").replace(" ", "-"))
    if game is None:
        raise NotAllowed(f"{name!r} cannot be simulated; these games can: {', '.join(GAMES)}.")
    return game


def set_up(game: str, players: int, rules: Mapping[str, int], bots: Sequence[str], seed: int = 1) -> Setup:
    """Check what is to be played and fill in what was left out.

    rules: name -> value, as far as chosen. bots: one level for all seats, or one for each seat.
    Raises NotAllowed, which says what would do.
    """
    found = find_game(game)
    name = next(each for each, known in GAMES.items() if known is found)
    if not found.fewest <= players <= found.most:
        raise NotAllowed(f"{found.title} is for {found.fewest} to {found.most} players, not for {players}.")
    settings = {known: (values, default) for _, known, values, default in found.settings}
    for rule, value in rules.items():
        if rule not in settings:
            raise NotAllowed(f"{found.title} has no house rule {rule!r}; it has {', '.join(settings)}.")
        if value not in settings[rule][0]:
            allowed = ", ".join(str(each) for each in settings[rule][0])
            raise NotAllowed(f"{rule} cannot be {value}; it is one of {allowed}.")
    levels = tuple(bot.strip().lower() for bot in bots)
    unknown = [level for level in levels if level not in found.levels]
    if unknown or len(levels) not in (1, players):
        wrong = f"no bot plays {unknown[0]!r}" if unknown else f"these are {len(levels)} levels"
        raise NotAllowed(
            f"{wrong[0].upper()}{wrong[1:]}; give one level for all or {players} for {players} seats, "
            f"each of {', '.join(found.levels)}."
        )
    chosen = {known: rules.get(known, default) for known, (_, default) in settings.items()}
    return Setup(name, players, chosen, levels * players if len(levels) == 1 else levels, seed)


# Playing many of them.


def cores() -> int:
    """Return how many processes make sense here."""
    affinity = getattr(os, "sched_getaffinity", None)
    found = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return min(found, MOST_JOBS)


def play(setup: Setup, matches: int, jobs: int = 1) -> Generator[Played, None, None]:
    """Play so many matches and give them in the order of their numbers.

    jobs: processes; 1: in this one. The matches are the same. Close the iterator if it is left before its
    end: that ends the processes. Raises Trouble when one of them dies.
    """
    jobs = min(jobs, -(-matches // CHUNK), MOST_JOBS)
    if jobs > 1:
        yield from _play_in_processes(setup, matches, jobs)
        return
    play_one = GAMES[setup.game].play
    for number in range(matches):
        yield play_one(setup, number)


def _play_in_processes(setup: Setup, matches: int, jobs: int) -> Iterator[Played]:
    chunks = -(-matches // CHUNK)
    workers: list[_Worker] = []
    try:
        with _interrupts_held():
            for _ in range(jobs):
                workers.append(_Worker(setup))
        idle = list(workers)
        done: dict[int, list[Played]] = {}
        handed_out = 0
        for due in range(chunks):
            while due not in done:
                while idle and handed_out < min(chunks, due + AHEAD * jobs):
                    first = handed_out * CHUNK
                    idle.pop().give(handed_out, range(first, min(first + CHUNK, matches)))
                    handed_out += 1
                busy = {worker.line: worker for worker in workers if worker not in idle}
                for line in connection.wait(list(busy), POLL_S):
                    worker = busy[line]  # type: ignore[index]
                    place, played = worker.take()
                    done[place] = played
                    idle.append(worker)
            yield from done.pop(due)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.end()


class _Worker:
    """A process that plays chunks of matches."""

    def __init__(self, setup: Setup) -> None:
        # A process begun afresh is the same on every system, and has nothing of this one's threads,
        # files and handlers in it.
        context = multiprocessing.get_context("spawn")
        self.line, far_end = context.Pipe()
        self.process = context.Process(target=_work, args=(setup, far_end), daemon=True)
        try:
            self.process.start()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Trouble(f"No further process can be started ({reason}); use fewer with --jobs.") from error
        finally:
            far_end.close()

    def give(self, place: int, numbers: range) -> None:
        """Let it play these matches. place: comes back with them."""
        try:
            self.line.send((place, numbers))
        except OSError as error:
            raise self._died() from error

    def take(self) -> tuple[int, list[Played]]:
        """Return (place, matches) that it has played."""
        try:
            place, played = self.line.recv()
        except (EOFError, OSError) as error:
            raise self._died() from error
        if isinstance(played, str):
            raise RuntimeError(played)
        return place, played

    def _died(self) -> Trouble:
        self.process.join(END_S)
        return Trouble(
            f"A process of the simulation has ended by itself (code {self.process.exitcode}); "
            "if memory is short, use fewer with --jobs."
        )

    def end(self) -> None:
        """Wait until it has ended."""
        self.process.join(END_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()
        self.line.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal. One that is begun in here never takes notice of it; in
    this one it acts afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # The first process brings this helper along, whose start lets interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(setup: Setup, line: connection.Connection) -> None:
    """Play what comes along the line until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    play_one = GAMES[setup.game].play
    try:
        while True:
            place, numbers = line.recv()
            played: list[Played] | str
            try:
                played = [play_one(setup, number) for number in numbers]
            except Exception:
                played = traceback.format_exc()
            line.send((place, played))
    except (EOFError, OSError):
        return


# Figures.


def percentile(values: Mapping[int, int], percent: int) -> int:
    """Return a percentile by nearest rank: of n values in ascending order the one at place percent/100 * n,
    rounded up, counted from 1. It is always one of the values.

    values: value -> how often, at least one. percent: 1 to 100.
    """
    place = -(-percent * sum(values.values()) // 100)
    for value in sorted(values):
        place -= values[value]
        if place <= 0:
            return value
    raise ValueError("no values")


def summary(values: Mapping[int, int], unit: int = 1) -> dict[str, int | float | None]:
    """Return n, mean, sd, min, p10, p50, p90 and max of values that occur so often, in units of so many.

    sd: standard deviation with n - 1. All but n are None where there is nothing to count them from.
    """
    n = sum(values.values())
    if not n:
        return {"n": 0, **dict.fromkeys(("mean", "sd", "min", "p10", "p50", "p90", "max"))}
    total = sum(value * count for value, count in values.items())
    squares = sum(value * value * count for value, count in values.items())

    def units(value: int) -> int | float:
        return value if unit == 1 else _digits(Fraction(value, unit))

    deviation = math.sqrt(Fraction(n * squares - total * total, n * (n - 1))) / unit if n > 1 else None
    return {
        "n": n,
        "mean": _digits(Fraction(total, n * unit)),
        "sd": None if deviation is None else round(deviation, 6),
        "min": units(min(values)),
        "p10": units(percentile(values, 10)),
        "p50": units(percentile(values, 50)),
        "p90": units(percentile(values, 90)),
        "max": units(max(values)),
    }


def _digits(value: Fraction) -> float:
    return round(float(value), 6)


def _shares(counts: Sequence[int]) -> dict[str, Any]:
    """Return counts and what share of their sum each is; shares are None where the sum is 0."""
    total = sum(counts)
    return {
        "counts": list(counts),
        "shares": [_digits(Fraction(count, total)) if total else None for count in counts],
    }


class Tally:
    """Adds matches up. Whole numbers only, so that neither order nor number of processes shows."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.matches = 0
        self.unfinished = 0
        self.void = 0
        players = setup.players
        self.wins = [0] * players
        self.wins_by_distance = [0] * players
        self.round_wins = [0] * players
        self.round_wins_by_distance = [0] * players
        self.scores = [0] * players
        self.lengths: Counter[int] = Counter()
        self.decisions_of_matches: Counter[int] = Counter()
        self.seconds: Counter[int] = Counter()
        self.points: Counter[int] = Counter()
        self.decisions: Counter[int] = Counter()
        self.cards_left: Counter[int] = Counter()

    def add(self, played: Played) -> None:
        """Add a match. The rounds that were won count in one that is unfinished, too."""
        self.matches += 1
        self.void += played.void
        for each in played.rounds:
            self.round_wins[each.winner] += 1
            self.round_wins_by_distance[self._distance(each.winner, each.dealer) - 1] += 1
            self.points[each.points] += 1
            self.decisions[each.decisions] += 1
            self.cards_left[each.cards_left] += 1
        if played.winner is None:
            self.unfinished += 1
            return
        self.wins[played.winner] += 1
        self.wins_by_distance[self._distance(played.winner, played.first_dealer) - 1] += 1
        for seat, score in enumerate(played.scores):
            self.scores[seat] += score
        deals = len(played.rounds) + played.void
        self.lengths[len(played.rounds)] += 1
        self.decisions_of_matches[played.decisions] += 1
        self.seconds[played.decisions * SECONDS_PER_DECISION + deals * SECONDS_PER_DEAL] += 1

    def _distance(self, seat: int, dealer: int) -> int:
        """Return how far a seat is behind the dealer: 1 the first player, players the dealer."""
        return (seat - dealer - 1) % self.setup.players + 1

    def report(self) -> dict[str, Any]:
        """Return all figures, ready for JSON; docs/commands.md describes them. Seats from 1, in order."""
        setup = self.setup
        finished = self.matches - self.unfinished
        rounds = sum(self.round_wins)
        levels = {}
        for level in GAMES[setup.game].levels:
            seats = [seat for seat, bot in enumerate(setup.bots) if bot == level]
            if seats:
                wins = sum(self.wins[seat] for seat in seats)
                share = _digits(Fraction(wins, finished)) if finished else None
                levels[level] = {"seats": len(seats), "wins": wins, "share": share}
        return {
            "game": setup.game,
            "players": setup.players,
            "rules": dict(setup.rules),
            "bots": list(setup.bots),
            "seed": setup.seed,
            "matches": self.matches,
            "unfinished": self.unfinished,
            "rounds_per_match": summary(self.lengths),
            "points_per_round": summary(self.points),
            "decisions_per_round": summary(self.decisions),
            "decisions_per_match": summary(self.decisions_of_matches),
            "cards_left_per_round": summary(self.cards_left),
            "minutes_per_match": summary(self.seconds, 60),
            "assumed": {
                "seconds_per_decision": SECONDS_PER_DECISION,
                "seconds_per_deal": SECONDS_PER_DEAL,
            },
            "wins_by_seat": _shares(self.wins),
            "wins_by_level": levels,
            "wins_by_first_dealer_distance": _shares(self.wins_by_distance),
            "round_wins_by_seat": _shares(self.round_wins),
            "round_wins_by_dealer_distance": _shares(self.round_wins_by_distance),
            "rounds_won": rounds,
            "rounds_void": self.void,
            "void_share": _digits(Fraction(self.void, rounds + self.void)) if rounds + self.void else None,
            "mean_final_scores": [
                _digits(Fraction(score, finished)) if finished else None for score in self.scores
            ],
        }
