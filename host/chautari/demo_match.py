"""A match of Last Card that can be shown and checked: real cards, dealt and played here, and the
presses with which people would tell the table about it.

The cards are played by chance among what is legal. The scores are counted from the cards left in
the hands: a table has to come to the same ones from the presses alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardrules.announcement import CLOSE, NO_SEAT
from cardrules.keeper import OVER, PLAY, SCORED
from cardrules.last_card import says
from cardrules.last_card.cards import KIND, POINTS
from cardrules.last_card.deal import DRAW, KEEP, Deal
from cardrules.last_card.keeper import Keeper
from cardrules.last_card.settings import ACTION, TARGET
from cardrules.prng import Prng

KEYS = {
    says.SKIP: "1",
    says.REVERSE: "2",
    says.PLUS_TWO: "3",
    says.WILD: "4",
    says.PLUS_FOUR: "5",
    says.DRAW: "6",
    says.PLAYED: "7",
}
COLOUR_KEYS = "ABCD"
ACTION_KEY, WILD_KEY = "A", "B"
"""Keys of cards left in a hand that are not numbers."""
OK_KEY, MENU_KEY = "#", "0"
TAP_MS = 70
LONG_MS = 900
TURN_PAUSE_MS = 600
ENTRY_PAUSE_MS = 350
FORGETS_ONE_IN = 24
"""So many number cards are played for one that is not told; the next player's press speaks for both."""
KEEPS_ONE_IN = 4
"""So many drawn cards that fit are played for one that is kept."""


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


class DemoMatch:
    """One match, played on construction; the same for the same arguments.

    presses: all of them in order; rounds: (winner's seat, points); scores: by seat;
    turns: how many turns were taken; turn_presses: presses that told of them, going out included,
    round-end entry apart; announced: what the presses say from the start on, confirming apart.
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
        self._keeper = Keeper()
        self._deal = Deal(self._random, self._keeper, self._tell)
        self._untold = NO_SEAT  # who played a number card and forgot to press
        self._took = NO_SEAT  # who has just taken cards for a plus card
        self._naming = False  # the colour that comes belongs to a card played in this turn
        self.first_dealer = self.seats[self._random.below(len(self.seats))]
        self._sit_down()
        self._deal.begin(self.seats, {TARGET: target}, self.first_dealer)
        while self._keeper.phase != OVER:
            self._play_round()

    # The cards

    def _play_round(self) -> None:
        deal = self._deal
        while self._keeper.phase != SCORED:
            moves = deal.legal()
            self.turns += not self._keeper.draws and self._keeper.phase == PLAY
            deal.do(self._choose(moves))
        winner = self._keeper.out_seat
        points = sum(POINTS[card] for seat in self.seats for card in deal.hands[seat])
        self.rounds.append((winner, points))
        self.scores[winner] += points
        deal.close()

    def _choose(self, moves: list[int]) -> int:
        if KEEP in moves:  # something was drawn
            return moves[0] if self._random.below(KEEPS_ONE_IN) else KEEP
        cards = [move for move in moves if move != DRAW] or moves
        return cards[self._random.below(len(cards))]

    # The presses

    def _tell(self, what: int, seat: int, arg: int) -> None:
        """Bring to the keeper what the cards say, and press it."""
        if what >= says.DONE:
            self._press_announcement(what, seat, arg)
        elif what == CLOSE:
            self._press(OK_KEY)
        reason, notices = self._keeper.apply(what, seat, arg)
        if reason is not None:
            raise RuntimeError(f"the demo match says what its keeper refuses: {reason}")
        self._took = next((who for code, who, _ in notices if code == "takes"), NO_SEAT)

    def _press_announcement(self, what: int, seat: int, arg: int) -> None:
        plain = what == says.DONE and not self._keeper.draws
        if self._untold != NO_SEAT:
            before, self._untold = self._untold, NO_SEAT
            if plain:
                self._tell_by(_seat_key(seat), says.CATCH_UP, seat)
                return
            # Only a press that says nothing else can speak for two.
            self._tell_by(_seat_key(before), says.DONE, before)
        elif plain and self._forgets(seat):
            self._untold = seat
            return
        if what == says.DONE or what == says.OUT:
            self._tell_by(_seat_key(seat), what, seat)
        elif what == says.COLOUR:
            # A Wild turned up is named before anybody's turn.
            self.turn_presses += self._naming
            self._press(COLOUR_KEYS[arg])
            self.announced.append(Announced(what, seat, arg))
        elif what == says.TURNED:
            self._press(OK_KEY)
            self._press(KEYS[arg])
            self.announced.append(Announced(what, NO_SEAT, arg))
        elif what == says.SUM:
            self._enter(seat)
        else:
            self._tell_by(KEYS[what], what, seat)
        self._naming = what in (says.WILD, says.PLUS_FOUR)

    def _forgets(self, seat: int) -> bool:
        # Nobody forgets with few cards left: the table would not know of the last one. And the press of
        # who has just taken cards says nothing, so it cannot speak for the one before.
        few = self._keeper.counts[seat] <= 3
        took = self._keeper.ring.following[seat] == self._took
        return self.forgetful and not (few or took) and self._random.below(FORGETS_ONE_IN) == 0

    def _enter(self, seat: int) -> None:
        """Enter the cards left in a hand, one by one."""
        for card in self._deal.hands[seat]:
            kind = KIND[card]
            key = str(kind) if kind < ACTION else ACTION_KEY if kind == ACTION else WILD_KEY
            self._press(key, wait_ms=ENTRY_PAUSE_MS)
            self.announced.append(Announced(says.CARD, seat, kind))

    def _tell_by(self, control: str, what: int, seat: int) -> None:
        self._press(control)
        self.turn_presses += 1
        self.announced.append(Announced(what, seat))

    def _press(self, control: str, ms: int = TAP_MS, wait_ms: int = TURN_PAUSE_MS) -> None:
        self.presses.append(Press(wait_ms, control, ms))

    def _sit_down(self) -> None:
        for seat in self.seats:
            self._press(_seat_key(seat))
        self._press(MENU_KEY, LONG_MS)  # menu, first dealer, the seat
        self._press("2")
        self._press(_seat_key(self.first_dealer))
        self._press(OK_KEY)


def _seat_key(seat: int) -> str:
    return f"seat{seat + 1}"


def presses(seed: int = 3) -> Iterable[Press]:
    """Return the presses of the match that is shown: (wait_ms, control, ms) each."""
    return DemoMatch(seed).presses
