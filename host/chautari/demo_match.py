"""A match of Last Card that can be shown and checked: real cards, dealt and played here, and the
presses with which four people would tell the table about it.

The cards are played by chance among what is legal. The scores are counted from the cards left in
the hands and owe nothing to the keeper: the table has to come to the same ones from the presses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardrules.last_card import says
from cardrules.prng import Prng

COLOURS = 4
WILD_COLOUR = -1
SKIP, REVERSE, PLUS_TWO, WILD, PLUS_FOUR = 10, 11, 12, 13, 14
"""Kinds of cards beside the numbers 0 to 9."""

KEYS = {SKIP: "1", REVERSE: "2", PLUS_TWO: "3", WILD: "4", PLUS_FOUR: "5"}
SAYS = {
    SKIP: says.SKIP,
    REVERSE: says.REVERSE,
    PLUS_TWO: says.PLUS_TWO,
    WILD: says.WILD,
    PLUS_FOUR: says.PLUS_FOUR,
}
DRAW_KEY, PLAYED_KEY, OK_KEY, MENU_KEY = "6", "7", "#", "0"
COLOUR_KEYS = "ABCD"
HAND = 7
TAP_MS = 70
LONG_MS = 900


class Card(NamedTuple):
    """colour: 0 to 3, WILD_COLOUR for wilds; kind: 0 to 9 or one of the kinds above."""

    colour: int
    kind: int

    @property
    def points(self) -> int:
        """What it counts for the winner when it is left in a hand (R27)."""
        if self.kind < SKIP:
            return self.kind
        return 50 if self.kind in (WILD, PLUS_FOUR) else 20


class Press(NamedTuple):
    """wait_ms: before it; control: as the table names it; ms: how long it is held."""

    wait_ms: int
    control: str
    ms: int = TAP_MS


class Announced(NamedTuple):
    """What the presses say: code, seat, argument."""

    what: int
    seat: int
    arg: int = 0


def deck() -> list[Card]:
    """Return the 108 cards in a fixed order (R5, R6)."""
    cards = []
    for colour in range(COLOURS):
        cards.append(Card(colour, 0))
        for kind in (*range(1, 10), SKIP, REVERSE, PLUS_TWO):
            cards += [Card(colour, kind)] * 2
    for kind in (WILD, PLUS_FOUR):
        cards += [Card(WILD_COLOUR, kind)] * 4
    return cards


class DemoMatch:
    """One match, played on construction; the same for the same arguments.

    presses: all of them in order; rounds: (winner's seat, points); scores: by seat;
    turns: how many turns were taken; turn_presses: presses that told of them, going out included,
    round-end entry apart; announced: what the presses say from the start on.
    """

    def __init__(
        self, seed: int = 3, seats: Iterable[int] = (0, 1, 3, 4), target: int = 300, forgetful: bool = True
    ) -> None:
        self.seats = sorted(seats)
        self.target = target
        self.forgetful = forgetful
        self.presses: list[Press] = []
        self.announced: list[Announced] = []
        self.rounds: list[tuple[int, int]] = []
        self.scores = {seat: 0 for seat in self.seats}
        self.turns = 0
        self.turn_presses = 0
        self._random = Prng(seed)
        self._pause_ms = 600
        self._forgotten = False
        self.stock: list[Card] = []
        self.pile: list[Card] = []
        self.hands: dict[int, list[Card]] = {}
        self.colour = WILD_COLOUR
        self.direction = 1
        self.turn = 0
        self.dealer = self._pick(self.seats)
        self.first_dealer = self.dealer
        self._sit_down()
        while max(self.scores.values()) < self.target:
            self._play_round()
            self.dealer = self._after(self.dealer, 1)

    # Hands on the table

    def _press(self, control: str, ms: int = TAP_MS, wait_ms: int | None = None) -> None:
        wait = self._pause_ms if wait_ms is None else wait_ms
        self.presses.append(Press(wait, control, ms))

    def _tell(self, control: str) -> None:
        self._press(control)
        self.turn_presses += 1

    def _seat_key(self, seat: int) -> str:
        return f"seat{seat + 1}"

    def _say(self, what: int, seat: int, arg: int = 0) -> None:
        self.announced.append(Announced(what, seat, arg))

    def _sit_down(self) -> None:
        for seat in self.seats:
            self._press(self._seat_key(seat))
        self._press(MENU_KEY, LONG_MS)  # menu, first dealer, the seat
        self._press("2")
        self._press(self._seat_key(self.dealer))
        self._press(OK_KEY)

    # Cards

    def _pick(self, from_: list[int]) -> int:
        return from_[self._random.below(len(from_))]

    def _shuffled(self, cards: list[Card]) -> list[Card]:
        order = list(range(len(cards)))
        self._random.shuffle(order)
        return [cards[place] for place in order]

    def _after(self, seat: int, direction: int) -> int:
        return self.seats[(self.seats.index(seat) + direction) % len(self.seats)]

    def _draw(self, seat: int, count: int) -> list[Card]:
        drawn = []
        for _ in range(count):
            if not self.stock:
                top = self.pile.pop()
                self.stock, self.pile = self._shuffled(self.pile), [top]
            if not self.stock:
                break
            drawn.append(self.stock.pop())
        self.hands[seat] += drawn
        return drawn

    def _legal(self, card: Card) -> bool:
        top = self.pile[-1]
        return card.colour == WILD_COLOUR or card.colour == self.colour or card.kind == top.kind

    def _deal(self) -> None:
        self.stock = self._shuffled(deck())
        self.hands = {seat: [] for seat in self.seats}
        for _ in range(HAND):
            for seat in self.seats:
                self.hands[seat].append(self.stock.pop())
        while self.stock[-1].kind == PLUS_FOUR:  # never starts the pile (R13)
            self.stock.insert(self._random.below(len(self.stock)), self.stock.pop())
        self.pile = [self.stock.pop()]
        self.colour = self.pile[0].colour
        self.direction = 1
        self.turn = self._after(self.dealer, 1)

    def _turn_up(self) -> None:
        kind = self.pile[0].kind
        if kind < SKIP:
            return
        self._press(OK_KEY)
        self._press(KEYS[kind])
        self._say(says.TURNED, 255, SAYS[kind])
        if kind == SKIP:
            self.turn = self._after(self.turn, 1)
        elif kind == REVERSE:
            self.direction = -1
            self.turn = self.dealer
        elif kind == PLUS_TWO:
            self._draw(self.turn, 2)
            self.turn = self._after(self.turn, 1)
        else:
            self._name_colour(self.turn, count=False)

    def _name_colour(self, seat: int, count: bool = True) -> None:
        self.colour = self._random.below(COLOURS)
        if count:
            self._tell(COLOUR_KEYS[self.colour])
        else:
            self._press(COLOUR_KEYS[self.colour])
        self._say(says.COLOUR, seat, self.colour)

    def _play_round(self) -> None:
        self._deal()
        self._turn_up()
        self._forgotten = False
        while True:
            seat = self.turn
            self._take_turn(seat)
            if not self.hands[seat]:
                self._tell(self._seat_key(seat))  # "out?" - the own seat says yes
                self._say(says.OUT, seat)
                break
        self._score(seat)

    def _take_turn(self, seat: int) -> None:
        self.turns += 1
        hand = self.hands[seat]
        choices = [card for card in hand if self._legal(card)]
        drew = False
        card = None
        if choices:
            card = choices[self._random.below(len(choices))]
        else:
            self._catch_up()
            self._tell(DRAW_KEY)
            self._say(says.DRAW, seat)
            drew = True
            drawn = self._draw(seat, 1)
            if drawn and self._legal(drawn[0]) and self._random.below(4):
                card = drawn[0]
        if card is None:
            self._tell(self._seat_key(seat))
            self._say(says.DONE, seat)
            self.turn = self._after(seat, self.direction)
            return
        hand.remove(card)
        self.pile.append(card)
        self.colour = card.colour
        if card.kind < SKIP:
            self._plain(seat, drew)
        else:
            self._special(seat, card)

    def _plain(self, seat: int, drew: bool) -> None:
        if drew:
            self._tell(PLAYED_KEY)
            self._say(says.PLAYED, seat)
        elif self._forgotten:
            # the one before forgot to press: this press speaks for both
            self._forgotten = False
            self._tell(self._seat_key(seat))
            self._say(says.CATCH_UP, seat)
        elif self.forgetful and len(self.hands[seat]) > 2 and self._random.below(24) == 0:
            self._forgotten = True
        else:
            self._tell(self._seat_key(seat))
            self._say(says.DONE, seat)
        self.turn = self._after(seat, self.direction)

    def _catch_up(self) -> None:
        # only a plain press can speak for two: before anything else the forgotten one is told
        if self._forgotten:
            self._forgotten = False
            before = self._after(self.turn, -self.direction)
            self._tell(self._seat_key(before))
            self._say(says.DONE, before)

    def _special(self, seat: int, card: Card) -> None:
        self._catch_up()
        self._tell(KEYS[card.kind])
        self._say(SAYS[card.kind], seat)
        last = not self.hands[seat]
        if card.colour == WILD_COLOUR and not last:
            self._name_colour(seat)
        following = self._after(seat, self.direction)
        if card.kind == REVERSE:
            if not last:
                self.direction = -self.direction
            self.turn = seat if len(self.seats) == 2 else self._after(seat, self.direction)
            return
        if card.kind in (PLUS_TWO, PLUS_FOUR):
            self._draw(following, 2 if card.kind == PLUS_TWO else 4)
        if card.kind != WILD:
            following = self._after(following, self.direction)
        self.turn = following

    def _score(self, winner: int) -> None:
        points = 0
        seat = self._after(winner, 1)
        while seat != winner:
            for card in self.hands[seat]:
                if card.kind < SKIP:
                    self._press(str(card.kind), wait_ms=350)
                    self._say(says.CARD, seat, card.kind)
                else:
                    wild = card.colour == WILD_COLOUR
                    self._press("B" if wild else "A", wait_ms=350)
                    self._say(says.CARD, seat, 11 if wild else 10)
                points += card.points
            seat = self._after(seat, 1)
        self.rounds.append((winner, points))
        self.scores[winner] += points
        self._press(OK_KEY)


def presses(seed: int = 3) -> Iterable[Press]:
    """Return the presses of the match that is shown: (wait_ms, control, ms) each."""
    return DemoMatch(seed).presses
