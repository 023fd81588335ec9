"""Whole matches of Last Card, played by chance, written down move by move with the state after each.

    python tests/engine/playthrough.py --write      writes tests/engine/golden, says what changed
    micropython playthrough.py S D SEATS SEED ...   prints matches: stacking, draw until, seats, seed

One line a move: number, who does what: announcements > notices; the state; hands; digest of the snapshot.
Test and writer use the same lines, in CPython and in the MicroPython VM.
"""

import sys

if "--write" in sys.argv:  # in a clone without its environment as well
    sys.path.insert(0, __file__.rsplit("tests", 1)[0] + "engine")

from both import digest
from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import Keeper, says
from cardrules.last_card.cards import NO_COLOUR, name
from cardrules.last_card.deal import DRAW, KEEP, Deal
from cardrules.last_card.settings import DECK, DRAW_UNTIL, STACKING, TARGET
from cardrules.prng import Prng

try:
    from collections.abc import Iterator
    from typing import Any
except ImportError:
    Any = object

COMBINATIONS = [
    (stacking, draw_until, seats) for stacking in (0, 1) for draw_until in (0, 1) for seats in (2, 4, 6)
]
"""stacking, draw until, seats: one playthrough each."""
GOAL = 200
FEWEST_BYTES = 15000
MOST_BYTES = 60000
MOST_MOVES = 1000
"""A match that is not over by then is none for a file."""
SHUFFLED = " (shuffled)"
"""Stands behind the move for which the pile had to be shuffled."""


def file_name(stacking: int, draw_until: int, seats: int) -> str:
    """Return the name of the file of this combination."""
    return f"last_card_s{stacking}_d{draw_until}_{seats}.txt"


class Playthrough:
    """A match and how it is told. spoken: announcements and notices of the latest move."""

    def __init__(self, stacking: int, draw_until: int, seats: int, seed: int) -> None:
        self.seats = seats
        self.seed = seed
        self.rules = {TARGET: GOAL, STACKING: stacking, DRAW_UNTIL: draw_until}
        self.keeper = Keeper()
        self.deal = Deal(Prng(seed), self.keeper, self._say)
        self.spoken: list[str] = []

    def _say(self, what: int, seat: int, arg: int) -> None:
        """Say it to the keeper, which may refuse it, and put it down in words."""
        reason, notices = self.keeper.apply(what, seat, arg)
        if reason is not None:
            raise AssertionError((what, seat, arg, reason))
        words = ["" if seat == NO_SEAT else str(seat), says.NAMES.get(what) or common.COMMON[what]]
        words.append(str(arg) if arg else "")
        told = [f"{code} {'-' if of == NO_SEAT else of} {value}" for code, of, value in notices]
        self.spoken.append(" ".join([word for word in words if word]) + " > " + ", ".join(told))

    def choose(self, random: Prng) -> int:
        """Return a legal move: a card three times out of four where there is the choice."""
        moves = self.deal.legal()
        count = len(moves)
        if count > 1 and moves[-1] in (DRAW, KEEP) and random.below(4):
            count -= 1
        return moves[random.below(count)]

    def words(self, move: int) -> str:
        """Return a move in words."""
        if move < DECK:
            return "plays " + name(move)
        if move == DRAW:
            return "takes" if self.keeper.owed else "draws"
        if move == KEEP:
            return "keeps" if self.keeper.drew else "passes"
        return "names " + says.COLOURS[move - KEEP - 1]

    def state(self) -> str:
        """Return what the table shows, the cards, and a digest of all."""
        keeper = self.keeper
        deal = self.deal
        seats = range(self.seats)
        turn = "-" if keeper.turn == NO_SEAT else str(keeper.turn)
        way = "+" if keeper.direction == 1 else "-"
        if deal.pile:
            colour = "-" if deal.colour == NO_COLOUR else says.COLOURS[deal.colour]
            pile = f"{name(deal.pile[-1])} {colour}"
        else:
            pile = "-"
        return " | ".join(
            [
                f"{keeper.phase} {turn}{way} owed {keeper.owed} on {pile}",
                " ".join([str(keeper.counts[seat]) for seat in seats]),
                " / ".join([" ".join([name(card) for card in deal.hands[seat]]) for seat in seats]),
                f"stock {len(deal.stock)} pile {len(deal.pile)}",
                "scores " + " ".join([str(keeper.scores[seat]) for seat in seats]),
                digest(deal.snapshot()),
            ]
        )

    def line(self, head: str) -> str:
        """Return the line of the latest move."""
        spoken = "; ".join(self.spoken)
        self.spoken = []
        return head + ": " + spoken + " | " + self.state()

    def lines(self) -> "Iterator[str]":
        """Play the match and give its lines."""
        rules = self.rules
        keeper = self.keeper
        deal = self.deal
        random = Prng(self.seed + 1000000)
        yield (
            f"last card, stacking {rules[STACKING]}, draw until {rules[DRAW_UNTIL]}, "
            + f"{self.seats} seats, target {rules[TARGET]}, seed {self.seed}"
        )
        deal.begin(list(range(self.seats)), rules)
        yield self.line("begins")
        number = 0
        while keeper.phase != "over" and number < MOST_MOVES:
            number += 1
            if keeper.phase == "scored":
                winner = keeper.out_seat
                points = keeper.points
                deal.close()
                yield self.line(f"{number} {winner} wins {points}")
            else:
                seat = keeper.turn
                move = self.choose(random)
                words = self.words(move)
                deals = keeper.deals
                pile = len(deal.pile)
                deal.do(move)
                if keeper.deals == deals and len(deal.pile) < pile:
                    words += SHUFFLED
                yield self.line(f"{number} {seat} {words}")


def play(stacking: int, draw_until: int, seats: int, seed: int) -> "list[str]":
    """Return the lines of a match."""
    return list(Playthrough(stacking, draw_until, seats, seed).lines())


def seed_of(text: str) -> int:
    """Return the seed that the first line of a file names. Raises ValueError if it names none."""
    return int(text.split("\n", 1)[0].rsplit("seed ", 1)[-1])


def first_difference(there: "list[str]", here: "list[str]") -> str:
    """Say where two playthroughs part, part by part of that line; "" if they are the same."""
    for place in range(max(len(there), len(here))):
        old = there[place] if place < len(there) else "(ends)"
        new = here[place] if place < len(here) else "(ends)"
        if old != new:
            olds = old.split(" | ")
            news = new.split(" | ")
            found = [f"line {place + 1}:"]
            if place:
                found.append(f"  after {here[place - 1].split(' | ')[0]}")
            for part in range(max(len(olds), len(news))):
                was = olds[part] if part < len(olds) else ""
                now = news[part] if part < len(news) else ""
                found += [f"    {was}"] if was == now else [f"  - {was}", f"  + {now}"]
            return "\n".join(found)
    return ""


def is_good(lines: "list[str]", stacking: int, draw_until: int, seats: int) -> bool:
    """Is this match one for a file? Short enough to read; what is special about its rules happens in it."""
    text = "\n".join(lines) + "\n"
    wanted = [" > turned ", ", skipped ", "last_card ", ", direction "]
    if stacking:
        wanted += ["owed 4 ", "owed 6 " if seats > 2 else "takes: "]
    if draw_until:
        wanted.append("drew 1 1; 1 draw > ")
    if seats > 4:
        wanted.append(SHUFFLED)
    missing = [word for word in wanted if word not in text]
    over = lines[-1].find(" | over ") > 0
    return over and not missing and FEWEST_BYTES <= len(text) < MOST_BYTES


def write(folder: "Any") -> None:
    """Write all files anew and say which ones changed, and where first."""
    folder.mkdir(exist_ok=True)
    names = [file_name(*combination) for combination in COMBINATIONS]
    for stray in sorted(folder.iterdir()):
        if stray.name not in names:
            print(f"{stray.name}: belongs to no combination, removed")
            stray.unlink()
    for combination in COMBINATIONS:
        path = folder / file_name(*combination)
        seed = 1
        lines = play(*combination, seed)
        while not is_good(lines, *combination):
            seed += 1
            lines = play(*combination, seed)
        text = "\n".join(lines) + "\n"
        old = path.read_text() if path.exists() else ""
        if text == old:
            print(f"{path.name}: the same")
            continue
        path.write_text(text)
        print(f"{path.name}: " + ("changed" if old else "new") + f", {len(lines)} lines, {len(text)} bytes")
        if old:
            print(first_difference(old.split("\n"), text.split("\n")))


def main(words: "list[str]") -> int:
    """Do what the command line asks for; return the exit code."""
    if words == ["--write"]:
        from pathlib import Path

        write(Path(__file__).parent / "golden")
        return 0
    if not words or len(words) % 4:
        print("Usage: python tests/engine/playthrough.py --write")
        return 2
    for place in range(0, len(words), 4):
        for line in play(*[int(word) for word in words[place : place + 4]]):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
