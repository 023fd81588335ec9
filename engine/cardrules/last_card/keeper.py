"""The keeper of Last Card: what everybody at the table can see.

It knows turn, direction, how many cards each seat holds, what is owed and which colour is called; it
never knows a card in a hand. The numbers R.., A.. and K.. are those of docs/rules/last_card.md.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import COLOUR as WAITS_COLOUR
from cardrules.keeper import OUT as ASKS_OUT
from cardrules.keeper import OVER, PLAY, SCORED, SCORING, SETUP, moved, wrong_phase
from cardrules.keeper import Keeper as BaseKeeper
from cardrules.last_card.entry import KINDS, Entry
from cardrules.last_card.says import (
    ALL,
    CARD,
    CATCH_UP,
    COLOUR,
    COUNT,
    DONE,
    DRAW,
    NAMES,
    OUT,
    PLAYED,
    PLUS_FOUR,
    PLUS_TWO,
    REVERSE,
    SKIP,
    SUM,
    TURNED,
    WILD,
)
from cardrules.last_card.settings import (
    DECK,
    DRAW_UNTIL,
    HAND,
    MOST_POINTS,
    ONE_ROUND,
    SETTINGS,
    STACKING,
    TARGET,
)
from cardrules.seating import NEW
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

_BY_TURN = (SKIP, REVERSE, PLUS_TWO, WILD, PLUS_FOUR, DRAW, PLAYED)
_SEATED = (DONE, CATCH_UP, COUNT, OUT, CARD, SUM, ALL)
_TURN_UP = (SKIP, REVERSE, PLUS_TWO, WILD)

_FRESH = -1  # nobody has played or drawn since the deal, and nothing was turned up


class Keeper(BaseKeeper):
    """counts: cards by seat, those of absent seats too. owed: cards that the seat on turn must take or
    answer (stacking). top: code of the card on the pile, DONE for a number. colour: 0 to 3 while a wild
    is on top and its colour is called, else -1. draws: cards the seat on turn has drawn, n; -1 - n once
    nothing was left to draw. out_seat: who is asked "out?", then the winner of the round. entering: seat
    whose hand is being entered, or NO_SEAT. left: the hands left at the end of a round, as far as they
    are entered.
    """

    game = 1
    settings = SETTINGS
    names = NAMES
    takes_arg = (COLOUR, COUNT, TURNED, CARD, SUM)

    def __init__(self) -> None:
        BaseKeeper.__init__(self)
        seats = self.seats
        self.counts = [0] * seats
        self.left = Entry(seats)
        self._clear()

    def _clear(self) -> None:
        self.turn = NO_SEAT
        self.owed = 0
        self.top = DONE
        self.colour = -1
        self.draws = 0
        self.out_seat = NO_SEAT
        self.entering = NO_SEAT
        # What waits for an answer. For a colour: WILD, PLUS_FOUR or TURNED. For "out?": the card that
        # brought out_seat to no cards.
        self._waits = 0
        self._taken = NO_SEAT  # its press is a harmless "taken"
        self._idle = 0  # turns in a row without a card played or drawn, or _FRESH
        for seat in range(self.seats):
            self.counts[seat] = 0
        self.left.clear()

    @property
    def owed_kind(self) -> int:
        """PLUS_TWO or PLUS_FOUR while cards are owed, else 0."""
        return self.top if self.owed else 0

    @property
    def entries(self) -> "list[list[int]]":
        """[cards, points] entered, by seat."""
        return self.left.hands

    @property
    def drew(self) -> int:
        """Cards the seat on turn has drawn."""
        return self.draws if self.draws >= 0 else -1 - self.draws

    @property
    def stock(self) -> int:
        """Cards that can still be drawn: all but the hands and the top of the pile (R18, A10, K1)."""
        return DECK - 1 - sum(self.counts)

    @property
    def points(self) -> int:
        """Points entered so far for the winner of the round (R27)."""
        return self.left.points()

    def cards_entered(self, seat: int) -> int:
        """Return how many cards of a hand are entered."""
        return self.left.hands[seat][0]

    def hand_points(self, seat: int) -> int:
        """Return the points entered for a hand."""
        return self.left.hands[seat][1]

    @property
    def wins_match(self) -> bool:
        """Will the round, once confirmed, end the match? (R29, R30)"""
        if self.phase != SCORED:
            return False
        target = self.rules[TARGET]
        return target == ONE_ROUND or self.scores[self.out_seat] + self.points >= target

    @property
    def due(self) -> int:
        """The seat that would be on turn after a plain card of the seat on turn."""
        return self.ring.next(self.turn) if self.turn != NO_SEAT else NO_SEAT

    def to_enter(self) -> list[int]:
        """Return the seats whose hands are not entered yet, in order."""
        if self.phase != SCORING:
            return []
        return [
            seat
            for seat in self.ring.clockwise_from(self.out_seat)
            if self.counts[seat] and not self.left.closed >> seat & 1
        ]

    # May it be said?

    def _why_not(self, what: int, seat: int, arg: int) -> "tuple[Any, ...] | None":
        phase = self.phase
        if what in (CARD, SUM, ALL):
            return self._why_not_entry(what, seat, arg)
        if what == COUNT:
            return self._why_not_count(seat, arg)
        if phase == SCORING or phase == SCORED:
            return wrong_phase(phase)
        turn = self.turn
        if phase == ASKS_OUT:
            # K3: "out?" takes a yes of that seat, or its count.
            return None if what in (DONE, OUT) and seat == self.out_seat else ("out_open", self.out_seat)
        if what == OUT:
            return self._why_not_out(seat)
        if phase == WAITS_COLOUR:
            if what != COLOUR:
                return ("colour_needed", turn)
            if seat != NO_SEAT and seat != turn:
                return ("not_your_turn", turn)
            return None if arg <= 3 else ("arg_unknown", arg)
        if what == COLOUR:
            return wrong_phase(phase)
        if what == DONE:
            if seat == NO_SEAT:
                return ("seat_unknown",)
            if seat != turn:
                return None if seat == self._taken else ("not_your_turn", turn)
            return ("owes", turn, self.owed) if self.owed else None
        if what == CATCH_UP:
            if seat == NO_SEAT:
                return ("seat_unknown",)
            if seat == self._taken:
                return None
            if seat == turn or seat != self.ring.next(turn):
                return ("not_your_turn", turn)
            if self.owed:
                return ("owes", turn, self.owed)
            if self.draws:
                # A pass that makes the round void leaves nothing to play after it.
                void = not self.drew and self._idle + 1 >= self.ring.live
                return ("not_your_turn", turn) if void else None
            # K5: with one card left a plain play would end the round: that seat must say so itself.
            return None if self.counts[turn] > 1 else ("not_your_turn", turn)
        if what == TURNED:
            if self._idle != _FRESH:
                return ("round_begun",)
            return None if arg in _TURN_UP else ("wrong_card", arg)
        # The rest is said by the seat on turn.
        if seat != NO_SEAT and seat != turn:
            return ("not_your_turn", turn)
        if what == DRAW:
            if self.draws < 0 or (self.draws and not self.rules[DRAW_UNTIL]):
                return ("already_drew",)
            return None
        if self.owed and what != self.top:
            return ("stack_only", self.top)
        if what == PLAYED and not self.draws:
            return ("must_draw_first",)
        return None

    def _why_not_out(self, seat: int) -> "tuple[Any, ...] | None":
        if seat == NO_SEAT:
            return ("seat_unknown",)
        if self.phase == WAITS_COLOUR:
            played = self._waits != TURNED
            return None if seat == self.turn and played else ("colour_needed", self.turn)
        if not self.ring.is_active(seat):
            return ("seat_absent", seat)
        if self.owed and seat == self.turn:
            return ("owes", seat, self.owed)
        return None

    def _why_not_count(self, seat: int, count: int) -> "tuple[Any, ...] | None":
        if seat == NO_SEAT:
            return ("seat_unknown",)
        if self.phase == ASKS_OUT and seat != self.out_seat:
            return ("out_open", self.out_seat)
        most = self.stock + self.counts[seat]
        if self.phase == SCORING or self.phase == SCORED:
            if seat == self.out_seat:
                return ("count_impossible", 0)
        if not self.counts[seat] and self.phase != ASKS_OUT:
            return ("seat_absent", seat)
        return None if 1 <= count <= most else ("count_impossible", most)

    def _why_not_entry(self, what: int, seat: int, arg: int) -> "tuple[Any, ...] | None":
        if self.phase != SCORING:
            return wrong_phase(self.phase)
        entering = self.entering
        if seat != NO_SEAT and seat != entering:
            return ("not_entered", entering)
        if what == ALL:
            return None if self.left.hands[entering][0] else ("not_entered", entering)
        if what == SUM:
            return self.left.why_not_sum(entering, self.counts[entering], arg)
        return self.left.why_not_card(arg)

    def _why_not_close(self, arg: int) -> "tuple[Any, ...] | None":
        if self.phase == SCORING:
            return ("not_entered", self.entering)
        if self.phase != SCORED:
            return wrong_phase(self.phase)
        return None if arg == self.points else ("points_differ", self.points)

    def _why_not_correct(self, seat: int, arg: int) -> "tuple[Any, ...] | None":
        if self.phase == SETUP:
            return wrong_phase(SETUP)
        if not 1 <= arg >> 16 <= self.rounds_closed:
            return ("round_unknown", self.rounds_closed)
        if seat == NO_SEAT:
            return ("seat_unknown",)
        if not self.ring.has(seat) or self.ring.states[seat] == NEW:
            return ("seat_absent", seat)  # who waits for the first deal has won nothing yet
        return None if 0 <= (arg & 65535) - 32768 <= MOST_POINTS else ("points_impossible", 0, MOST_POINTS)

    def _why_not_leave(self, seat: int) -> "tuple[Any, ...] | None":
        # K3, K7: somebody has to answer these two; who leaves cannot.
        if self.phase == ASKS_OUT:
            return ("out_open", self.out_seat)
        if self.phase == WAITS_COLOUR and seat == self.turn:
            return ("colour_needed", seat)
        return None

    def _of_a_seat(self, what: int) -> bool:
        return what in _SEATED or BaseKeeper._of_a_seat(self, what)

    def _examples(self, what: int, seat: int) -> "Any":
        if what == COUNT:
            return (1,)
        if what == TURNED:
            return _TURN_UP
        if what == CARD:
            return range(KINDS)
        if what == SUM:
            if self.phase != SCORING:
                return (0,)
            reason = self.left.why_not_sum(self.entering, self.counts[self.entering], 0)
            return (0,) if reason is None else (max(reason[3], 0),)
        if what == common.CLOSE:
            return (self.points,)
        if what == common.CORRECT:
            return (65536 + 32768,)
        return BaseKeeper._examples(self, what, seat)

    # It is said.

    def do(self, what: int, seat: int, arg: int) -> None:
        if what == DONE:
            if self.draws or seat != self.turn or self.phase != PLAY:
                self._done(seat)
                return
            self.top = DONE
        elif what < DONE:
            self._common(what, seat, arg)
            return
        elif what in _ACTS:
            _ACTS[what](self, what, seat, arg)
            return
        else:
            self.top = DONE if what == PLAYED else what
            seat = self.turn
        # The seat on turn has played a card; DONE and PLAYED stand for a number. This is nearly all that
        # is said in a round, so it stands here and not one call farther.
        self._taken = NO_SEAT
        self._idle = 0
        self.colour = -1
        self.counts[seat] = count = self.counts[seat] - 1
        if self.telling:
            self.tell("played", seat, what)
        if count <= 1:
            if count == 0:
                self.phase = ASKS_OUT
                self.out_seat = seat
                self._waits = what
                self.tell("out_asked", seat)
                return
            self.tell("last_card", seat)  # R26
        if self.top == DONE:
            self.turn = seat = self.ring.following[seat]
            self.draws = 0
            if self.telling:
                self.tell("turn", seat)
        else:
            self._effect(seat, what)

    def _dealt(self) -> None:
        """R9, R10, A15: seven cards each; the seat behind the dealer begins, clockwise."""
        seat = self.dealer
        for _ in range(self.ring.live):
            seat = self.ring.following[seat]
            self.counts[seat] = HAND
        self._idle = _FRESH
        self._begin(self.ring.next(self.dealer))

    def _begin(self, seat: int) -> None:
        """A turn of this seat begins."""
        self.turn = seat
        self.draws = 0
        if self.telling:
            self.tell("turn", seat)

    def _done(self, seat: int) -> None:
        """DONE that is no card: "yes, out", a press after cards were taken, what was drawn is kept."""
        if self.phase == ASKS_OUT:
            self._out(OUT, seat, 0)
        elif seat != self.turn:
            self.tell("taken", seat)
        elif self.draws > 0 or self.drew:  # R15, R17
            self._taken = NO_SEAT
            self._idle = 0
            if self.telling:
                self.tell("kept", seat, self.drew)
            self._begin(self.ring.following[seat])
        else:  # A10: there was nothing to draw
            self._taken = NO_SEAT
            self._idle += 1
            self.tell("passed", seat)
            self._pass_on(self.ring.following[seat])

    def _pass_on(self, seat: int) -> None:
        """Begin the next turn, unless nobody could play or draw for a whole round of turns (A10)."""
        if self._idle and self._idle >= self.ring.live:
            self._void()
        else:
            self._begin(seat)

    def _effect(self, seat: int, what: int) -> None:
        """What a card played by this seat does (R19-R24); the next turn begins or a colour is awaited."""
        ring = self.ring
        if what == SKIP:
            skipped = ring.following[seat]
            self.tell("skipped", skipped)
            self._begin(ring.following[skipped])
        elif what == REVERSE:
            ring.reverse()
            self.tell("direction", NO_SEAT, ring.direction)
            if ring.live == 2:  # R20
                self.tell("skipped", ring.following[seat])
                self._begin(seat)
            else:
                self._begin(ring.following[seat])
        elif what == PLUS_TWO:
            self._plus(seat, 2)
        elif what == WILD or what == PLUS_FOUR:
            self._await_colour(seat, what)
        else:
            self._begin(ring.following[seat])

    def _plus(self, seat: int, cards: int) -> None:
        """R21, R24: the next seat takes cards and loses its turn; R31: with stacking it may answer."""
        victim = self.ring.following[seat]
        if self.rules[STACKING]:
            self.owed += cards
            self.tell("owes", victim, self.owed)
            self._begin(victim)
        else:
            self._takes(victim, cards)
            self._taken = victim
            self._begin(self.ring.following[victim])

    def _takes(self, seat: int, cards: int) -> int:
        """A seat takes owed cards; what cannot be drawn is cancelled (A10). Return how many it took."""
        stock = self.stock
        taken = cards if cards <= stock else stock
        self.counts[seat] += taken
        self.tell("takes", seat, taken)
        return taken

    def _await_colour(self, seat: int, what: int) -> None:
        self.phase = WAITS_COLOUR
        self.turn = seat
        self._waits = what
        self.tell("colour_wanted", seat)

    def _colour(self, what: int, seat: int, arg: int) -> None:
        """R23, R24, R12: the colour is named; only then the wild acts."""
        seat = self.turn
        wild = self._waits
        self.phase = PLAY
        self._waits = 0
        self.colour = arg
        self.tell("colour", seat, arg)
        if wild == TURNED:
            self._begin(seat)
        elif wild == PLUS_FOUR:
            self._plus(seat, 4)
        else:
            self._begin(self.ring.following[seat])

    def _draw(self, what: int, seat: int, arg: int) -> None:
        """R15, R16, R32; with cards owed under stacking: take them all and lose the turn (A12)."""
        seat = self.turn
        self._taken = NO_SEAT
        if self._idle < 0:
            self._idle = 0
        if self.owed:
            taken = self._takes(seat, self.owed)
            self._idle = 0 if taken else self._idle + 1
            self.owed = 0
            self._taken = seat
            self._pass_on(self.ring.next(seat))
            return
        if self.stock:
            self.counts[seat] += 1
            self.draws += 1
            self._idle = 0  # a card was drawn, even if its player leaves before the turn is over
            if self.telling:
                self.tell("drew", seat, 1)
        else:
            self.draws = -1 - self.draws
            self.tell("drew", seat, 0)

    def _catch_up(self, what: int, seat: int, arg: int) -> None:
        """K5: the seat on turn forgot to press; the next one has played as well."""
        if seat == self._taken:
            self.tell("taken", seat)
            return
        late = self.turn
        self.tell("caught_up", late, seat)
        self.do(DONE, late, 0)
        self.do(DONE, seat, 0)

    def _turned(self, what: int, seat: int, arg: int) -> None:
        """R11, R12: the card turned up at the deal acts on the first player."""
        ring = self.ring
        first = self.turn
        self._idle = 0
        self.top = arg
        self.tell("turned", NO_SEAT, arg)
        if arg == SKIP:
            self.tell("skipped", first)
            self._begin(ring.next(first))
        elif arg == REVERSE:
            ring.reverse()
            self.tell("direction", NO_SEAT, ring.direction)
            # A18: the dealer begins, with two players too.
            self._begin(self.dealer if ring.is_active(self.dealer) else ring.next(self.dealer))
        elif arg == WILD:
            self._await_colour(first, TURNED)
        elif self.rules[STACKING]:  # A6
            self.owed = 2
            self.tell("owes", first, 2)
            self._begin(first)
        else:
            self._takes(first, 2)
            self._taken = first
            self._begin(ring.next(first))

    def _count(self, what: int, seat: int, arg: int) -> None:
        before = self.counts[seat]
        self.counts[seat] = arg
        self.tell("count", seat, arg)
        if self.phase == SCORING or self.phase == SCORED:
            self.left.open(seat)
            self.phase = SCORING
            self.entering = seat
            self.tell("entering", seat, arg)
            return
        if arg == 1 and before != 1:
            self.tell("last_card", seat)
        if self.phase == ASKS_OUT:
            # K3: not out after all, the card does what it does.
            card = self._waits
            self.phase = PLAY
            self.out_seat = NO_SEAT
            self._waits = 0
            self._effect(seat, card)

    def _out(self, what: int, seat: int, arg: int) -> None:
        """R1, R28, A11, A19: the round is over; what a last plus card owes is still taken."""
        ring = self.ring
        payer = NO_SEAT
        owed = self.owed
        last = 0
        if self.phase == ASKS_OUT:
            last = self._waits
        elif self.phase == WAITS_COLOUR:
            last = self._waits
        elif owed:
            payer = self.turn
        elif seat == self.turn:
            self.top = DONE
            self.colour = -1
        if last == PLUS_TWO or last == PLUS_FOUR:
            payer = ring.next(seat)
            owed += 2 if last == PLUS_TWO else 4
        self.counts[seat] = 0
        self.tell("out", seat)
        if payer != NO_SEAT:
            self._takes(payer, owed)
        self.owed = 0
        self.turn = NO_SEAT
        self.draws = 0
        self._idle = 0
        self._waits = 0
        self._taken = NO_SEAT
        self.out_seat = seat
        self.phase = SCORING
        self._enter_next()

    def _enter_next(self) -> None:
        """Ask for the next hand that is not entered, absent ones too (R35)."""
        seat = self.out_seat
        closed = self.left.closed
        for _ in range(self.seats):
            seat = (seat + 1) % self.seats
            if self.counts[seat] and not closed >> seat & 1:
                self.entering = seat
                self.tell("entering", seat, self.counts[seat])
                return
        self.entering = NO_SEAT
        self.phase = SCORED
        self.tell("round_scored", self.out_seat, self.points)

    def _enter_card(self, what: int, seat: int, arg: int) -> None:
        seat = self.entering
        if self.left.card(seat, arg) == self.counts[seat]:
            self._close_entry(seat)

    def _enter_sum(self, what: int, seat: int, arg: int) -> None:
        seat = self.entering
        self.left.total(seat, self.counts[seat], arg)
        self.tell("entered", seat, arg)
        self._enter_next()

    def _enter_all(self, what: int, seat: int, arg: int) -> None:
        seat = self.entering
        if self.counts[seat] != self.left.hands[seat][0]:
            self.counts[seat] = self.left.hands[seat][0]
            self.tell("count", seat, self.counts[seat])
        self._close_entry(seat)

    def _close_entry(self, seat: int) -> None:
        self.left.close(seat)
        self.tell("entered", seat, self.left.hands[seat][1])
        self._enter_next()

    def _close(self, points: int) -> None:
        """R27, R29: the winner scores; the match is won or the next round is dealt."""
        winner = self.out_seat
        self._add_round(winner, points)
        self.scores[winner] += points
        self.tell("round_won", winner, points)
        self.tell("score", winner, self.scores[winner])
        # Nobody had won before this round: only its winner can have now.
        target = self.rules[TARGET]
        if target == ONE_ROUND or self.scores[winner] >= target:
            self._over(winner)
            self.tell("match_won", winner, self.scores[winner])
        else:
            self._next_round()

    def _won_by(self) -> int:
        """Return who reached the target first (R29, A17), NO_SEAT if nobody has."""
        target = self.rules[TARGET]
        totals = [0] * self.seats
        for winner, points in self.rounds:
            totals[winner] += points
            if target == ONE_ROUND or totals[winner] >= target:
                return winner
        return NO_SEAT

    def _correct(self, seat: int, arg: int) -> None:
        """K11: a confirmed round is corrected; totals, winner and end of the match are found anew."""
        number = arg >> 16
        self._set_round(number, seat, (arg & 65535) - 32768)
        self.tell("corrected", seat, number)
        before = list(self.scores)
        for place in range(self.seats):
            self.scores[place] = 0
        for winner, points in self.rounds:
            self.scores[winner] += points
        for place in range(self.seats):
            if self.scores[place] != before[place]:
                self.tell("score", place, self.scores[place])
        won = self._won_by()
        if won != NO_SEAT:
            if self.phase != OVER or won != self.winner:
                self._over(won)
                self.tell("match_won", won, self.scores[won])
        elif self.phase == OVER:
            self.winner = NO_SEAT
            if not self.ended:
                self._next_round()

    def _left(self, seat: int) -> None:
        """R35, K7: passed over, its hand waits; what it owed it takes along."""
        if self._taken == seat:
            self._taken = NO_SEAT
        if self.phase not in (PLAY, WAITS_COLOUR):
            return
        on_turn = seat == self.turn
        if on_turn and self.owed:
            self._takes(seat, self.owed)
            self.owed = 0
        if self.ring.live < self.fewest:
            self._void()
        elif on_turn:
            self._begin(self.ring.next(seat))

    def _holds_cards(self, seat: int) -> bool:
        return self.counts[seat] > 0

    def _swap(self, seat: int, other: int) -> None:
        BaseKeeper._swap(self, seat, other)
        counts = self.counts
        counts[seat], counts[other] = counts[other], counts[seat]
        self.left.swap(seat, other)
        self.out_seat = moved(self.out_seat, seat, other)
        self.entering = moved(self.entering, seat, other)
        self._taken = moved(self._taken, seat, other)

    def mark(self) -> "Any":
        return bytes(self.counts)

    def tell_again(self, mark: "Any") -> None:
        BaseKeeper.tell_again(self, mark)
        phase = self.phase
        if phase == WAITS_COLOUR:
            self.tell("colour_wanted", self.turn)
        elif phase == ASKS_OUT:
            self.tell("out_asked", self.out_seat)
        elif phase == SCORING:
            self.tell("entering", self.entering, self.counts[self.entering])
        elif phase == SCORED:
            self.tell("round_scored", self.out_seat, self.points)
        if phase in (PLAY, WAITS_COLOUR):
            for seat in range(self.seats):
                if self.counts[seat] == 1 and mark[seat] != 1:
                    self.tell("last_card", seat)  # R26: every time, by taking back as well

    # Snapshots.

    def _pack(self, out: bytearray) -> None:
        for number in (
            self.owed,
            self.top,
            self.colour,
            self.draws,
            self.out_seat,
            self.entering,
            self._waits,
            self._taken,
            self._idle,
        ):
            put(out, number)
        for cards in self.counts:
            put(out, cards)
        if self.phase in (SCORING, SCORED):
            self.left.pack(out)

    def _unpack(self, reader: Reader) -> None:
        get = reader.get
        self.owed = get()
        self.top = get()
        self.colour = get()
        self.draws = get()
        self.out_seat = get()
        self.entering = get()
        self._waits = get()
        self._taken = get()
        self._idle = get()
        for seat in range(self.seats):
            self.counts[seat] = get()
        if self.phase in (SCORING, SCORED):
            self.left.unpack(reader)
        else:
            self.left.clear()


_ACTS = {
    COLOUR: Keeper._colour,
    DRAW: Keeper._draw,
    COUNT: Keeper._count,
    OUT: Keeper._out,
    TURNED: Keeper._turned,
    CATCH_UP: Keeper._catch_up,
    CARD: Keeper._enter_card,
    SUM: Keeper._enter_sum,
    ALL: Keeper._enter_all,
}
"""Code of what is no card -> what it does: a function of (keeper, what, seat, arg)."""
