"""Whole games of Last Card by chance, in which everything that has to hold is checked after every step.

play_game(seed) plays one and returns its figures; a seed says all of it. Raises Broken with the place
where something did not hold.
"""

from collections.abc import Callable
from random import Random

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import Keeper, says
from cardrules.last_card.cards import SAID, SYMBOL, name
from cardrules.last_card.deal import DRAW, KEEP, NAME, Deal
from cardrules.last_card.settings import DECK, DRAW_UNTIL, STACKING, TARGET
from cardrules.log import LIMIT, Log
from cardrules.prng import Prng
from cardrules.seating import ACTIVE, AWAY, BACK, EMPTY, NEW
from small_rules import COLOURS, SEATS, SmallRules, sign_of

TARGETS = (1, 1, 1, 1, 200, 200, 300, 500)
MOST_STEPS = 40000
"""A game with more moves, comings and goings than that does not end. In 10,000 games the longest took
10,544: people who collect cards on purpose and take care not to go out."""
MOST_IN_A_ROUND = 30000
"""The same of a round; the longest took 9,655."""
CLOSER_LOOK = 16
"""Every so many-th step, on average, is looked at from all sides."""
UNDO_AT_ONCE = 12
"""So many moves are taken back at most in the middle of a game; at the end of some all of them."""

TOPS = {"S": says.SKIP, "R": says.REVERSE, "+2": says.PLUS_TWO, "W": says.WILD, "+4": says.PLUS_FOUR}
STATES = {"": EMPTY, "in": ACTIVE, "away": AWAY, "new": NEW, "back": BACK}
CARDS = {says.DONE, says.SKIP, says.REVERSE, says.PLUS_TWO, says.WILD, says.PLUS_FOUR}
PLAYS = (*sorted(CARDS), says.COLOUR, says.DRAW, says.PLAYED)

FIGURES = (
    *("games", "decisions", "announcements", "rounds", "reshuffles", "voids", "passed_out"),
    *("comings", "taken_back", "copies", "most_steps", "most_in_a_round", "most_in_a_hand"),
)
"""What is counted; those named most_ are the largest of their kind."""


class Broken(AssertionError):
    """Something did not hold: says in which game, at which step, after what."""


class RandomGame:
    """One game. deal, log: as a table has them; small: the rules once more; undoes: states to go back to."""

    def __init__(self, seed: int, deal: "Callable[..., Deal]" = Deal) -> None:
        self.seed = seed
        self.random = random = Random(seed)
        self.figures = dict.fromkeys(FIGURES, 0)
        self.said: list[tuple[int, int, int, int]] = []
        self.words = "begins"
        self.steps = 0
        self.in_round = 0
        self.ms = random.randrange(2**32)
        self.restless = random.random() < 0.5
        self.draws = random.choice((0.0, 0.05, 0.1, 0.25))
        self.hoarders: set[int] = set()
        count = random.randint(2, 6)
        seats = sorted(random.sample(range(SEATS), count))
        rules = {
            TARGET: random.choice(TARGETS),
            STACKING: random.randrange(2),
            DRAW_UNTIL: random.randrange(2),
        }
        if count > 2 and random.random() < 0.2:
            self.hoarders = set(random.sample(seats, count - 2))
        self.log = Log()
        self._tell(common.GAME, NO_SEAT, Keeper.game)
        assert isinstance(self.log.keeper, Keeper)
        self.keeper = self.log.keeper
        self.deal = deal(Prng(seed), self.keeper, self._say)
        self.deal.begin(seats, rules)
        self.small = SmallRules(seats, rules[TARGET], rules[STACKING], rules[DRAW_UNTIL], self.keeper.dealer)
        self.deals = self.keeper.deals
        self.small.dealt(self.deal.hands, self.deal.pile)
        self.undoes: list[tuple[int, bytes, bytes]] = []
        self.check()
        self.mark()

    # What is said goes to a log, which checks it.

    def _say(self, what: int, seat: int, arg: int) -> None:
        if what != common.GAME:  # it was said before there was a keeper
            self._tell(what, seat, arg)

    def _tell(self, what: int, seat: int, arg: int) -> None:
        self.ms = self.ms + self.random.randrange(5000) & 0xFFFFFFFF
        reason, _ = self.log.say(what, seat, arg, self.ms)
        assert reason is None, ("the keeper refuses", what, seat, arg, reason)
        self.said.append((what, seat, arg, self.ms))

    def mark(self) -> None:
        """Keep the state, to come back to it."""
        self.undoes.append((len(self.said), self.keeper.snapshot(), self.deal.snapshot()))

    # A step.

    def play(self) -> "dict[str, int]":
        """Play to the end and return the figures."""
        figures = self.figures
        while self.keeper.phase != "over":
            self.steps += 1
            self.in_round += 1
            assert self.steps < MOST_STEPS, "the game does not end"
            assert self.in_round < MOST_IN_A_ROUND, "the round does not end"
            self.step()
            self.check()
            self.mark()
            figures["most_steps"] = self.steps
            figures["most_in_a_round"] = max(figures["most_in_a_round"], self.in_round)
            figures["most_in_a_hand"] = max(figures["most_in_a_hand"], *self.keeper.counts)
            if self.random.random() < 1 / CLOSER_LOOK:
                self.look_closer()
            if self.random.random() < 0.01:
                self.take_back(self.random.randint(1, UNDO_AT_ONCE))
        self.words = "replays the log"
        self.replay()
        if self.random.random() < 0.1:
            self.words = "takes everything back"
            self.take_back(len(self.undoes) - 1)
        figures["games"] = 1
        figures["announcements"] = len(self.said)
        figures["rounds"] = len(self.small.won)
        figures["passed_out"] = self.small.voids
        return figures

    def step(self) -> None:
        small = self.small
        phase = self.keeper.phase
        away = [seat for seat in range(SEATS) if small.who[seat] == "away"]
        if phase == "short" or (self.restless and self.random.random() < 0.03):
            self.come_and_go()
        elif self.hoarders and phase == "play" and not small.left() and self.random.random() < 0.3:
            self.leave_with_everything()
        elif self.hoarders and away and self.random.random() < 0.01:
            self.announce(common.JOIN, away[0])
        elif phase == "scored":
            self.words = f"{self.keeper.out_seat} wins {self.keeper.points}"
            assert self.keeper.points == small.points(), "points are not those of the cards"
            small.close()
            self.deal.close()
        else:
            self.move()

    def move(self) -> None:
        """Play a legal move: mostly cards, drawing as often as this game draws."""
        deal = self.deal
        seat = self.keeper.turn
        moves = deal.legal()
        assert set(moves) == self.small.legal() and len(moves) == len(set(moves)), "legal moves"
        self.check_what_may_be_said(moves)
        move = self.random.choice(moves)
        if len(moves) > 1 and moves[-1] in (DRAW, KEEP):
            wanted = 0.95 if self.hoards(seat) else self.draws
            move = moves[-1] if self.random.random() < wanted else self.random.choice(moves[:-1])
        self.words = f"{seat} plays {name(move)}" if move < DECK else f"{seat} does {move}"
        pile = len(deal.pile)
        deal.do(move)
        self.figures["decisions"] += 1
        self.figures["reshuffles"] += len(deal.pile) < pile and self.keeper.deals == self.deals
        self.small.move(move, deal.hands)

    def hoards(self, seat: int) -> bool:
        """Does this one collect cards? While somebody does, the others take care not to go out."""
        small = self.small
        if seat in self.hoarders:
            return True
        return len(small.hands[seat]) < 4 and any(small.who[other] == "in" for other in self.hoarders)

    def announce(self, what: int, seat: int, arg: int = 0) -> None:
        """Somebody leaves, comes or changes seats, or a round is void."""
        self.words = f"{common.COMMON[what]} {seat} {arg}"
        reason = self.deal.announce(what, seat, arg)
        assert reason is None, reason
        self.figures["comings"] += 1
        small = self.small
        if what == common.LEAVE:
            small.leave(seat, self.deal.hands)
        elif what == common.JOIN:
            small.join(seat)
        elif what == common.SWAP:
            small.swap(seat, arg)
        else:
            self.figures["voids"] += 1
            small.void()

    def come_and_go(self) -> None:
        """Somebody does, if the rules allow it; where they do not, the deal refuses and changes nothing."""
        small = self.small
        phase = self.keeper.phase
        random = self.random
        seat = random.randrange(SEATS)
        other = random.randrange(SEATS)
        who = small.who[seat]
        kind = random.random()
        if phase == "short":
            kind = 0.5
        if kind < 0.4:
            # With two at the table leaving makes rounds void: not too often.
            if small.live() <= 2 and random.random() < 0.7:
                return
            if who in ("", "away"):
                self.refused(common.LEAVE, seat)
            elif phase == "colour" and seat == small.turn:
                self.refused(common.LEAVE, seat)  # K7
            else:
                self.announce(common.LEAVE, seat)
        elif kind < 0.8:
            if who in ("", "away"):
                self.announce(common.JOIN, seat)
            else:
                self.refused(common.JOIN, seat)
        elif kind < 0.96:
            if seat == other or not (who or small.who[other]):
                self.refused(common.SWAP, seat, other)
            else:
                self.announce(common.SWAP, seat, other)
        elif phase in ("play", "colour", "scored"):
            self.announce(common.VOID, NO_SEAT)

    def refused(self, what: int, seat: int, arg: int = 0) -> None:
        before = self.deal.snapshot()
        assert self.deal.announce(what, seat, arg) is not None, (what, seat, arg)
        assert self.deal.snapshot() == before, "what is refused changes nothing"

    def leave_with_everything(self) -> None:
        """The hoarders go when nothing can be drawn: then a round of passes comes about (A10)."""
        small = self.small
        for seat in sorted(self.hoarders):
            if small.who[seat] == "in" and small.live() > 2:
                self.announce(common.LEAVE, seat)
                self.meet_the_deal()
                return
        self.move()

    # What has to hold.

    def meet_the_deal(self) -> None:
        """A round that the small rules want dealt has been dealt, and no other."""
        dealt = self.keeper.deals != self.deals
        assert dealt == (self.small.phase == "deal"), "dealt or not"
        if dealt:
            self.deals = self.keeper.deals
            self.in_round = 0
            self.small.dealt(self.deal.hands, self.deal.pile)

    def check(self) -> None:
        """The deal, the keeper and the small rules agree; 108 cards, each once."""
        self.meet_the_deal()
        deal = self.deal
        keeper = self.keeper
        small = self.small
        assert deal.keeper is keeper
        assert keeper.phase == small.phase, (keeper.phase, small.phase)
        assert deal.hands == small.hands, "hands"
        assert keeper.counts == [len(hand) for hand in small.hands], "counts"
        assert deal.lacks == small.lacks, "who drew on which colour"
        assert keeper.scores == small.scores, "scores"
        assert list(keeper.ring.states) == [STATES[who] for who in small.who], "who plays"
        assert keeper.rounds == small.won and keeper.dealer == small.dealer, "rounds"
        assert keeper.winner == (small.winner if small.winner >= 0 else NO_SEAT), "winner"
        assert keeper.owed >= 0 and min(keeper.counts) >= 0
        if small.phase in ("play", "colour", "scored"):
            cards = deal.stock + deal.pile
            for hand in deal.hands:
                cards += hand
            assert len(cards) == DECK and set(cards) == set(range(DECK)), "a card is lost or doubled"
            assert set(deal.stock) == small.stock and deal.pile == small.pile, "stock and pile"
            assert keeper.stock == small.left() == len(deal.stock) + len(deal.pile) - 1 >= 0, "stock"
            assert keeper.round == len(small.won) + 1
        else:
            assert not deal.stock and not deal.pile and not any(deal.hands)
        if small.phase in ("play", "colour"):
            assert keeper.turn == small.turn and keeper.direction == small.way, "turn and direction"
            assert keeper.owed == small.owed, "owed"
            top = small.pile[-1]
            assert keeper.top == TOPS.get(sign_of(top), says.DONE) == SAID[top], "top"
            called = small.colour if SYMBOL[top] >= 13 else ""
            assert keeper.colour == (COLOURS.index(called) if called else -1), "colour"
            assert deal.colour == (COLOURS.index(small.colour) if small.colour else 4), "colour asked for"
        else:
            assert keeper.turn == NO_SEAT and keeper.owed == 0
        if small.phase == "play":
            assert keeper.drew == small.drew, "drawn"

    def check_what_may_be_said(self, moves: "list[int]") -> None:
        """The keeper accepts what the legal moves say, and refuses what can be none whatever the hand."""
        keeper = self.keeper
        small = self.small
        may = {what for what in PLAYS if keeper.why_not(what, keeper.turn, 0) is None}
        if small.phase == "colour":
            wanted = {says.COLOUR}
        elif small.owed:
            wanted = {says.DRAW, TOPS[sign_of(small.pile[-1])]}
        elif small.drew:
            wanted = CARDS | {says.PLAYED} | ({says.DRAW} if small.draw_until else set())
        else:
            wanted = CARDS | {says.DRAW}
        assert may == wanted, ("what may be said", may, wanted)
        for move in moves:
            if move == KEEP:
                what = says.DONE if small.drew else says.DRAW
            elif move >= NAME:
                what = says.COLOUR
            elif move == DRAW:
                what = says.DRAW
            else:
                what = SAID[move] if SAID[move] != says.DONE or not small.drew else says.PLAYED
            assert what in may, (move, what)
            arg = move - NAME if what == says.COLOUR else 0
            assert keeper.why_not(what, keeper.turn, arg) is None

    def look_closer(self) -> None:
        """Every legal move on a copy; what seats see; snapshots."""
        deal = self.deal
        kept = deal.snapshot()
        for move in deal.legal():
            keeper = Keeper()
            copy = Deal(Prng(), keeper, checked(keeper))
            copy.restore(kept)
            assert copy.snapshot() == kept, "restored"
            copy.do(move)
            cards = sorted(copy.stock + copy.pile + [card for hand in copy.hands for card in hand])
            assert cards == list(range(DECK)), ("a card is lost or doubled", move)
            assert keeper.counts == [len(hand) for hand in copy.hands], ("counts", move)
            self.figures["copies"] += 1
        if self.keeper.phase in ("play", "colour"):
            self.look_through_all_eyes(kept)

    def look_through_all_eyes(self, kept: bytes) -> None:
        """No view changes when all is changed that this seat does not see.

        Every hidden card becomes another hidden one, wherever it is: in a hand, in the stock, and as the
        one drawn last.
        """
        deal = self.deal
        small = self.small
        for seat in range(SEATS):
            view = deal.view(seat)
            assert view.hand == small.hands[seat] and view.pile == small.pile
            assert view.counts == [len(hand) for hand in small.hands]
            others = [other for other in range(SEATS) if other != seat]
            hidden = deal.stock + [card for other in others for card in deal.hands[other]]
            becomes = dict(zip(hidden, self.random.sample(hidden, len(hidden)), strict=True))
            for other in others:
                deal.hands[other] = [becomes[card] for card in deal.hands[other]]
            deal.stock = [becomes[card] for card in deal.stock]
            deal.drawn = becomes.get(deal.drawn, deal.drawn)
            deal.random.word()
            assert deal.view(seat) == view, "a view shows what is hidden"
            deal.restore(kept)
        for seat in range(SEATS):
            assert deal.view(seat).lacks == small.lacks, "a view is wrong about who drew on which colour"

    def take_back(self, moves: int) -> None:
        """Undo so many moves and bring them back, as far as a log remembers: each state is as it was."""
        undoes = self.undoes
        last = len(undoes) - 1
        first = max(last - moves, 0)
        for place in range(last, first, -1):
            before = undoes[place - 1]
            for _ in range(undoes[place][0] - before[0]):
                self.say_again(common.UNDO)
            assert self.keeper.snapshot() == before[1], "undo"
            self.deal.restore(before[2])
            assert self.deal.snapshot() == before[2], "the cards of undo"
            self.figures["taken_back"] += 1
        remembered = undoes[first][0] + LIMIT
        for place in range(first + 1, last + 1):
            if undoes[place][0] > remembered:
                return  # at the end of a game only
            for _ in range(undoes[place][0] - undoes[place - 1][0]):
                self.say_again(common.REDO)
            assert self.keeper.snapshot() == undoes[place][1], "redo"
        self.deal.restore(undoes[last][2])
        self.deals = self.keeper.deals

    def say_again(self, what: int) -> None:
        reason, _ = self.log.say(what, NO_SEAT, 0, self.ms)
        assert reason is None, (what, reason)

    def replay(self) -> None:
        """All that was said, said once more, comes to the same state."""
        log = Log()
        for what, seat, arg, ms in self.said:
            reason, _ = log.say(what, seat, arg, ms)
            assert reason is None, (what, seat, arg, reason)
        assert log.keeper is not None and log.keeper.snapshot() == self.keeper.snapshot(), "replay"

    def place(self) -> str:
        """Return where the game is, for the message of what broke."""
        return f"game {self.seed}, step {self.steps}, {self.words}"


def checked(keeper: Keeper) -> "Callable[[int, int, int], None]":
    """Return a say() that wants every announcement accepted."""

    def say(what: int, seat: int, arg: int) -> None:
        reason, _ = keeper.apply(what, seat, arg)
        assert reason is None, (what, seat, arg, reason)

    return say


def play_game(seed: int, deal: "Callable[..., Deal]" = Deal) -> "dict[str, int]":
    """Play the game of this seed and return its FIGURES. Raises Broken if something does not hold.

    deal: makes the deal; another one than Deal to see whether its faults are found.
    """
    game = None
    try:
        game = RandomGame(seed, deal)
        return game.play()
    except Exception as error:
        where = game.place() if game is not None else f"game {seed}, at its beginning"
        raise Broken(f"{where}: {type(error).__name__} {error}") from error


def add(total: "dict[str, int]", figures: "dict[str, int]") -> None:
    """Add the figures of a game to those of others."""
    for key, value in figures.items():
        before = total.get(key, 0)
        total[key] = max(before, value) if key.startswith("most_") else before + value
