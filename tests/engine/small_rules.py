"""Last Card once more, as small as it can be told: no keeper, no ring, no tables.

It plays beside the real deal and knows on its own what may be played, who is next, who takes how many
cards and what a round is worth. Only chance it takes from the deal: which cards were dealt and drawn;
that those could be drawn, and so many of them, it checks.
"""

from cardrules.last_card.cards import name
from cardrules.last_card.deal import DRAW, KEEP, NAME

SEATS = 6
DECK = 108
COLOURS = "RYGB"
FACES = [name(card) for card in range(DECK)]
WILDS = ("W", "+4")
ONE_ROUND = 1


def colour_of(card: int) -> str:
    """Return R, Y, G, B, or "" for a wild."""
    return "" if FACES[card] in WILDS else FACES[card][0]


def sign_of(card: int) -> str:
    """Return 0 to 9, S, R, +2, W or +4."""
    return FACES[card] if FACES[card] in WILDS else FACES[card][1:]


def worth(card: int) -> int:
    """Return what a card counts (R27)."""
    sign = sign_of(card)
    return 50 if sign in WILDS else int(sign) if sign.isdigit() else 20


class SmallRules:
    """The match beside the deal. who: by seat "in", "away", "new", "back" or "" (nobody).

    phase: play, colour, scored, short, over. lacks: by seat, 1 << the colour in play when it last drew in
    its turn, 0 if it has been given cards since.
    """

    def __init__(self, seats: list[int], target: int, stacking: int, draw_until: int, dealer: int) -> None:
        self.target = target
        self.stacking = stacking
        self.draw_until = draw_until
        self.who = ["in" if seat in seats else "" for seat in range(SEATS)]
        self.scores = [0] * SEATS
        self.won: list[tuple[int, int]] = []
        self.dealer = dealer
        self.winner = -1
        self.voids = 0
        self.phase = "play"

    # Who is where.

    def live(self) -> int:
        return self.who.count("in")

    def after(self, seat: int, way: int) -> int:
        """Return the next one who plays."""
        for step in range(1, SEATS + 1):
            other = (seat + way * step) % SEATS
            if self.who[other] == "in":
                return other
        raise AssertionError("nobody plays")

    def next(self, seat: int) -> int:
        return self.after(seat, self.way)

    # The deal.

    def dealt(self, hands: list[list[int]], pile: list[int]) -> None:
        """A round has been dealt: see who holds what, and what the card turned up does (R9-R13)."""
        self.way = 1
        self.owed = 0
        self.idle = 0
        self.drew = 0
        self.drawn = -1
        self.turned = False
        self.out = -1
        self.phase = "play"
        first = self.next(self.dealer)
        assert len(pile) == 1, "one card begins the pile"
        sign = sign_of(pile[0])
        assert sign != "+4", "R13"
        due = [7 if each == "in" else 0 for each in self.who]
        if sign == "+2" and not self.stacking:
            due[first] += 2
        assert [len(hand) for hand in hands] == due, "R9, R11"
        self.hands = [list(hand) for hand in hands]
        self.lacks = [0] * SEATS
        self.pile = list(pile)
        seen = {card for hand in hands for card in hand} | set(pile)
        self.stock = set(range(DECK)) - seen
        self.colour = colour_of(pile[0])
        self.turn = first
        if sign == "S" or (sign == "+2" and not self.stacking):
            self.turn = self.next(first)
        elif sign == "R":
            self.way = -1
            self.turn = self.dealer
        elif sign == "+2":
            self.owed = 2
        elif sign == "W":
            self.phase = "colour"
            self.turned = True

    # What may be played.

    def fits(self, card: int) -> bool:
        mine, top = FACES[card], FACES[self.pile[-1]]
        return mine in WILDS or mine[0] == self.colour or (top not in WILDS and mine[1:] == top[1:])

    def left(self) -> int:
        """Return how many cards can be drawn."""
        return len(self.stock) + len(self.pile) - 1

    def legal(self) -> set[int]:
        if self.phase == "colour":
            return {NAME, NAME + 1, NAME + 2, NAME + 3}
        if self.phase != "play":
            return set()
        if self.drew:
            return {self.drawn, KEEP} if self.fits(self.drawn) else {KEEP}
        hand = self.hands[self.turn]
        if self.owed:
            return {card for card in hand if sign_of(card) == sign_of(self.pile[-1])} | {DRAW}
        fitting = {card for card in hand if self.fits(card)}
        if self.left():
            return fitting | {DRAW}
        return fitting or {KEEP}

    # What is played. hands: those of the deal afterwards, for the cards that were drawn.

    def take(self, seat: int, most: int, hands: list[list[int]]) -> int:
        """Cards go from stock to hand, as many as there are, at most so many. Return how many."""
        count = min(most, self.left())
        self.get(seat, hands[seat][len(self.hands[seat]) :][:count], count)
        if count:
            self.lacks[seat] = 0
        return count

    def get(self, seat: int, cards: list[int], count: int) -> None:
        """These cards were drawn: could they be? (R18)"""
        assert len(cards) == count, "so many cards should have been drawn"
        whole = len(self.stock)
        if count <= whole:
            assert set(cards) <= self.stock, "drawn from somewhere else"
            self.stock -= set(cards)
        else:
            assert set(cards[:whole]) == self.stock, "the stock comes first"
            self.stock = set(self.pile[:-1])
            self.pile = self.pile[-1:]
            assert set(cards[whole:]) <= self.stock, "the top card stays"
            self.stock -= set(cards[whole:])
        self.hands[seat] += cards

    def move(self, move: int, hands: list[list[int]]) -> None:
        seat = self.turn
        if move < DECK:
            self.play(seat, move, hands)
        elif move == DRAW and self.owed:
            taken = self.take(seat, self.owed, hands)
            self.owed = 0
            self.end_turn(seat, taken > 0)
        elif move == DRAW:
            self.draw(seat, hands)
        elif move == KEEP:
            self.end_turn(seat, self.drew > 0)
        else:
            self.phase = "play"
            self.colour = COLOURS[move - NAME]
            if self.turned:
                self.turned = False
            elif sign_of(self.pile[-1]) == "+4":
                self.plus(seat, 4, hands)
            else:
                self.begin(self.next(seat))

    def draw(self, seat: int, hands: list[list[int]]) -> None:
        """R15, R32, A7: one card; in draw-until mode with none that fits, until one does or no more."""
        cards = hands[seat][len(self.hands[seat]) :]
        until = self.draw_until and not [card for card in self.hands[seat] if self.fits(card)]
        if not until:
            assert len(cards) == 1, "one card is drawn"
        else:
            assert not [card for card in cards[:-1] if self.fits(card)], "drawing went on behind a match"
            assert self.fits(cards[-1]) or len(cards) == self.left(), "drawing stopped too early"
        self.get(seat, cards, len(cards))
        self.drew = len(cards)
        self.drawn = cards[-1]
        self.lacks[seat] = 1 << COLOURS.index(self.colour)

    def play(self, seat: int, card: int, hands: list[list[int]]) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.colour = colour_of(card)
        self.idle = 0
        sign = sign_of(card)
        if not self.hands[seat]:
            if sign in ("+2", "+4"):
                self.take(self.next(seat), self.owed + int(sign), hands)
            self.owed = 0
            self.out = seat
            self.turn = -1
            self.phase = "scored"
        elif sign == "S":
            self.begin(self.next(self.next(seat)))
        elif sign == "R":
            self.way = -self.way
            self.begin(seat if self.live() == 2 else self.next(seat))
        elif sign == "+2":
            self.plus(seat, 2, hands)
        elif sign in WILDS:
            self.phase = "colour"
            self.drew = 0
        else:
            self.begin(self.next(seat))

    def plus(self, seat: int, cards: int, hands: list[list[int]]) -> None:
        victim = self.next(seat)
        if self.stacking:
            self.owed += cards
            self.begin(victim)
        else:
            self.take(victim, cards, hands)
            self.begin(self.next(victim))

    def begin(self, seat: int) -> None:
        self.turn = seat
        self.drew = 0

    def end_turn(self, seat: int, any_card: bool) -> None:
        self.idle = 0 if any_card else self.idle + 1
        if self.idle >= self.live():
            self.voids += 1
            self.void()
        else:
            self.begin(self.next(seat))

    # Rounds.

    def points(self) -> int:
        return sum(worth(card) for hand in self.hands for card in hand)

    def close(self) -> None:
        """R27, R29, A17."""
        points = self.points()
        self.scores[self.out] += points
        self.won.append((self.out, points))
        if self.target == ONE_ROUND or self.scores[self.out] >= self.target:
            self.winner = self.out
            self.phase = "over"
            self.put_away()
        else:
            self.void()

    def void(self) -> None:
        """The next dealer deals, or waits for people; dealt() has to follow unless short."""
        if self.live() + self.who.count("new") + self.who.count("back") < 2:
            self.phase = "short"
            self.turn = -1
            self.put_away()
            return
        self.who = ["in" if each in ("new", "back") else each for each in self.who]
        self.dealer = self.after(self.dealer, 1)
        self.phase = "deal"

    def put_away(self) -> None:
        self.hands = [[] for _ in range(SEATS)]
        self.lacks = [0] * SEATS

    # People (R35, K7, K9).

    def leave(self, seat: int, hands: list[list[int]]) -> None:
        was = self.who[seat]
        self.who[seat] = "" if was == "new" else "away"
        if was != "in" or self.phase not in ("play", "colour"):
            return
        if self.live() < 2:
            self.void()  # whatever was owed
        elif seat == self.turn:
            if self.owed:
                self.take(seat, self.owed, hands)
                self.owed = 0
            self.begin(self.next(seat))

    def join(self, seat: int) -> None:
        if self.who[seat] == "away":
            holds = self.phase in ("play", "colour", "scored") and self.hands[seat]
            self.who[seat] = "in" if holds else "back"
        else:
            self.who[seat] = "new"
            self.scores[seat] = 0
        if self.phase == "short":
            self.void()

    def swap(self, one: int, two: int) -> None:
        for by_seat in (self.who, self.scores, self.hands, self.lacks):
            by_seat[one], by_seat[two] = by_seat[two], by_seat[one]
        there = {one: two, two: one}
        self.turn = there.get(self.turn, self.turn)
        self.dealer = there.get(self.dealer, self.dealer)
        self.out = there.get(self.out, self.out)
        self.won = [(there.get(seat, seat), points) for seat, points in self.won]
