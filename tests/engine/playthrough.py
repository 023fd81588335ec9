"""Whole matches, played by chance, written down move by move with the state after each.

    python tests/engine/playthrough.py --write      writes tests/engine/golden, says what changed
    micropython playthrough.py NAME SEED ...        prints matches; NAME: a file's name without its end

One line a move: number, who does what: announcements > notices; the state; hands; digest of the snapshot.
Test and writer use the same lines, in CPython and in the MicroPython VM.
"""

import sys

if "--write" in sys.argv:  # in a clone without its environment as well
    sys.path.insert(0, __file__.rsplit("tests", 1)[0] + "engine")

from both import digest
from cardrules import announcement as common
from cardrules import games, last_card, sequence_stacks, twenty_two
from cardrules.announcement import NO_SEAT
from cardrules.last_card.cards import NO_COLOUR
from cardrules.last_card.cards import name as last_card_name
from cardrules.last_card.deal import DRAW, KEEP
from cardrules.last_card.deal import Deal as LastCardDeal
from cardrules.last_card.settings import DECK, DRAW_UNTIL, STACKING, TARGET
from cardrules.prng import Prng
from cardrules.sequence_stacks.cards import name as stacks_name
from cardrules.sequence_stacks.deal import DISCARD, LET, card_of, target_of
from cardrules.sequence_stacks.deal import Deal as StacksDeal
from cardrules.twenty_two.cards import name as twenty_two_name
from cardrules.twenty_two.deal import Deal as TwentyTwoDeal
from cardrules.twenty_two.settings import MUST_BEAT

try:
    from collections.abc import Iterator
    from typing import Any, ClassVar
except ImportError:
    Any = object

FEWEST_BYTES = 8000
MOST_BYTES = {"last_card": 60000, "sequence_stacks": 60000, "twenty_two": 120000}
MOST_MOVES = 1000
"""A match that is not over by then is none for a file."""
SHUFFLED = " (shuffled)"
"""Stands behind the move for which cards had to be shuffled anew."""


def in_words(cards: "Any", name: "Any") -> str:
    """Return cards by their names."""
    return " ".join([name(card) for card in cards])


class Playthrough:
    """A match and how it is told. spoken: announcements and notices of the latest move."""

    package: "ClassVar[Any]" = None
    make: "ClassVar[Any]" = None
    """The Deal of the game."""

    def __init__(self, seats: int, rules: "dict[int, int]", seed: int) -> None:
        self.seats = seats
        self.seed = seed
        self.rules = rules
        self.keeper: Any = self.package.Keeper()
        self.deal: Any = self.make(Prng(seed), self.keeper, self._say)
        self.spoken: list[str] = []

    def _say(self, what: int, seat: int, arg: int) -> None:
        """Say it to the keeper, which may refuse it, and put it down in words."""
        reason, notices = self.keeper.apply(what, seat, arg)
        if reason is not None:
            raise AssertionError((what, seat, arg, reason))
        words = ["" if seat == NO_SEAT else str(seat), self.package.NAMES.get(what) or common.COMMON[what]]
        words.append(str(arg) if arg else "")
        told = [f"{code} {'-' if of == NO_SEAT else of} {value}" for code, of, value in notices]
        self.spoken.append(" ".join([word for word in words if word]) + " > " + ", ".join(told))

    # What a game adds.

    def choose(self, random: Prng) -> "Any":
        """Return a legal move."""
        moves = self.deal.legal()
        return moves[random.below(len(moves))]

    def words(self, move: "Any") -> str:
        """Return a move in words."""
        raise NotImplementedError

    def parts(self) -> "list[str]":
        """Return what the table shows, and the cards."""
        raise NotImplementedError

    def waiting(self) -> int:
        """Return how many cards wait to be shuffled: fewer after a move, and they were."""
        return 0

    def wanted(self) -> "list[str]":
        """Return what has to happen in a match that is good enough for a file."""
        return []

    # The match.

    def line(self, head: str) -> str:
        """Return the line of the latest move."""
        spoken = "; ".join(self.spoken)
        self.spoken = []
        keeper = self.keeper
        scores = "scores " + " ".join([str(keeper.scores[seat]) for seat in range(self.seats)])
        return " | ".join([head + ": " + spoken] + self.parts() + [scores, digest(self.deal.snapshot())])

    def title(self) -> str:
        """Return the first line: all that the match depends on."""
        words = [games.name(self.keeper.game)]
        for key, name, _, _ in self.package.SETTINGS:
            if key in self.rules:
                words.append(f"{name} {self.rules[key]}")
        return ", ".join(words + [f"{self.seats} seats", f"seed {self.seed}"])

    def lines(self) -> "Iterator[str]":
        """Play the match and give its lines."""
        keeper = self.keeper
        deal = self.deal
        random = Prng(self.seed + 1000000)
        yield self.title()
        deal.begin(list(range(self.seats)), self.rules)
        yield self.line("begins")
        number = 0
        while keeper.phase != "over" and number < MOST_MOVES:
            number += 1
            if keeper.phase == "scored":
                deal.close()
                yield self.line(f"{number} confirmed")
                continue
            seat = deal.actor
            move = self.choose(random)
            words = self.words(move)
            deals = keeper.deals
            waiting = self.waiting()
            deal.do(move)
            if keeper.deals == deals and self.waiting() < waiting:
                words += SHUFFLED
            yield self.line(f"{number} {seat} {words}")


class LastCard(Playthrough):
    """Last Card: a card three times out of four where there is the choice."""

    package = last_card
    make = LastCardDeal

    def choose(self, random: Prng) -> int:
        moves = self.deal.legal()
        count = len(moves)
        if count > 1 and moves[-1] in (DRAW, KEEP) and random.below(4):
            count -= 1
        move: int = moves[random.below(count)]
        return move

    def words(self, move: int) -> str:
        if move < DECK:
            return "plays " + last_card_name(move)
        if move == DRAW:
            return "takes" if self.keeper.owed else "draws"
        if move == KEEP:
            return "keeps" if self.keeper.drew else "passes"
        return "names " + last_card.says.COLOURS[move - KEEP - 1]

    def parts(self) -> "list[str]":
        keeper = self.keeper
        deal = self.deal
        seats = range(self.seats)
        turn = "-" if keeper.turn == NO_SEAT else str(keeper.turn)
        way = "+" if keeper.direction == 1 else "-"
        pile = "-"
        if deal.pile:
            colour = "-" if deal.colour == NO_COLOUR else last_card.says.COLOURS[deal.colour]
            pile = f"{last_card_name(deal.pile[-1])} {colour}"
        return [
            f"{keeper.phase} {turn}{way} owed {keeper.owed} on {pile}",
            " ".join([str(keeper.counts[seat]) for seat in seats]),
            " / ".join([in_words(deal.hands[seat], last_card_name) for seat in seats]),
            f"stock {len(deal.stock)} pile {len(deal.pile)}",
        ]

    def waiting(self) -> int:
        return len(self.deal.pile)

    def wanted(self) -> "list[str]":
        wanted = [" > turned ", ", skipped ", "last_card ", ", direction "]
        if self.rules[STACKING]:
            wanted += ["owed 4 ", "owed 6 " if self.seats > 2 else "takes: "]
        if self.rules[DRAW_UNTIL]:
            wanted.append("drew 1 1; 1 draw > ")
        if self.seats > 4:
            wanted.append(SHUFFLED)
        return wanted


class SequenceStacks(Playthrough):
    """Sequence Stacks: a discard only one time in four, where there is the choice."""

    package = sequence_stacks
    make = StacksDeal

    def choose(self, random: Prng) -> int:
        moves = self.deal.legal()
        if random.below(4):
            moves = [move for move in moves if move < DISCARD] or moves
        move: int = moves[random.below(len(moves))]
        return move

    def words(self, move: int) -> str:
        if move == LET:
            return "lets"
        card = card_of(move)
        if move >= DISCARD:
            return "discards " + stacks_name(card)
        return f"plays {stacks_name(card)} at {target_of(move)}"

    def parts(self) -> "list[str]":
        keeper = self.keeper
        deal = self.deal
        seats = range(self.seats)
        turn = "-" if keeper.turn == NO_SEAT else str(keeper.turn)
        way = "+" if keeper.direction == 1 else "-"
        return [
            f"{keeper.phase} {turn}{way} skips {keeper.skips} block {keeper.blockable}",
            "chips " + " ".join([f"{keeper.chips[seat][0]}+{keeper.chips[seat][1]}" for seat in seats]),
            " / ".join([in_words(deal.hands[seat], stacks_name) for seat in seats]),
            "piles " + " / ".join([in_words(pile[-1:], stacks_name) for pile in deal.piles]),
            "tops " + " / ".join([in_words(deal.discards[seat][-1:], stacks_name) for seat in seats]),
            f"stock {len(deal.stock)} removed {len(deal.removed)}",
        ]

    def waiting(self) -> int:
        return len(self.deal.removed)

    def wanted(self) -> "list[str]":
        wanted = [" skip > ", " skipped ", "blocked ", "chip_lost ", "card_stolen "]
        if self.seats > 2:
            wanted.append(" reverse > ")
        if self.seats > 4:
            wanted.append(SHUFFLED)
        return wanted


class TwentyTwo(Playthrough):
    """Twenty-Two: nothing is exchanged half the time."""

    package = twenty_two
    make = TwentyTwoDeal

    def choose(self, random: Prng) -> "Any":
        moves = self.deal.legal()
        if self.deal.exchanging and random.below(2):
            return moves[0]
        return moves[random.below(len(moves))]

    def words(self, move: "Any") -> str:
        what = "exchanges" if self.deal.exchanging else "follows" if self.deal.trick else "leads"
        return (what + " " + in_words(move, twenty_two_name)).rstrip()

    def parts(self) -> "list[str]":
        keeper = self.keeper
        deal = self.deal
        seats = range(self.seats)
        return [
            f"{keeper.phase} dealer {keeper.dealer} leader {keeper.turn} actor {deal.actor}",
            f"hand {keeper.hand} left {keeper.left} pack {keeper.pack} spare {keeper.spare}",
            " / ".join([in_words(deal.hands[seat], twenty_two_name) for seat in seats]),
            "bench " + (in_words(deal.bench, twenty_two_name) or "-"),
            "kept " + " / ".join([in_words(deal.piles[seat], twenty_two_name) for seat in seats]),
        ]

    def wanted(self) -> "list[str]":
        wanted = ["exchanged ", " eliminated ", "last_trick ", "in_danger ", "match_won "]
        return wanted + (["keeps 0", "keeps 1"] if self.seats == 2 else [])


def combinations() -> "dict[str, tuple[Any, int, dict[int, int]]]":
    """Return what is played: name of the file without its end -> class, seats, rules."""
    found: dict[str, tuple[Any, int, dict[int, int]]] = {}
    for stacking in (0, 1):
        for draw_until in (0, 1):
            for seats in (2, 4, 6):
                rules = {TARGET: 200, STACKING: stacking, DRAW_UNTIL: draw_until}
                found[f"last_card_s{stacking}_d{draw_until}_{seats}"] = (LastCard, seats, rules)
    for seats in (2, 4, 6):
        found[f"sequence_stacks_{seats}"] = (SequenceStacks, seats, {})
    for must_beat in (0, 1):
        for seats in (2, 4, 6):
            found[f"twenty_two_m{must_beat}_{seats}"] = (TwentyTwo, seats, {MUST_BEAT: must_beat})
    return found


COMBINATIONS = combinations()


def game_of(name: str) -> str:
    """Return the name of the game of a file."""
    return [game for game in MOST_BYTES if name.startswith(game)][0]


def play(name: str, seed: int) -> "list[str]":
    """Return the lines of a match."""
    game, seats, rules = COMBINATIONS[name]
    return list(game(seats, rules, seed).lines())


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


def is_good(name: str, lines: "list[str]") -> bool:
    """Is this match one for a file? Short enough to read; what is special about its rules happens in it."""
    game, seats, rules = COMBINATIONS[name]
    text = "\n".join(lines) + "\n"
    missing = [word for word in game(seats, rules, 0).wanted() if word not in text]
    over = lines[-1].find(" | over ") > 0
    return over and not missing and FEWEST_BYTES <= len(text) < MOST_BYTES[game_of(name)]


def write(folder: "Any") -> None:
    """Write all files anew and say which ones changed, and where first."""
    folder.mkdir(exist_ok=True)
    for stray in sorted(folder.iterdir()):
        if stray.stem not in COMBINATIONS:
            print(f"{stray.name}: belongs to no combination, removed")
            stray.unlink()
    for name in COMBINATIONS:
        path = folder / (name + ".txt")
        seed = 1
        lines = play(name, seed)
        while not is_good(name, lines):
            seed += 1
            lines = play(name, seed)
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
    if not words or len(words) % 2:
        print("Usage: python tests/engine/playthrough.py --write")
        return 2
    for place in range(0, len(words), 2):
        for line in play(words[place], int(words[place + 1])):
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
