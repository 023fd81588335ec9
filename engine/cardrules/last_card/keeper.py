"""The Last Card keeper: turn, direction, counts, colour, cards owed, scores. It never sees a card."""

from cardrules.announcement import CLOSE, CORRECT, NO_SEAT
from cardrules.keeper import COLOUR as AWAITING_COLOUR
from cardrules.keeper import OUT as ASKING_OUT
from cardrules.keeper import OVER, PLAY, SCORED, SCORING, SETUP, SHORT
from cardrules.keeper import Keeper as Base
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
    ACTION_POINTS,
    ACTIONS,
    DRAW_UNTIL,
    EACH_NUMBER,
    HAND,
    PACK,
    SEATS_MAX,
    SEATS_MIN,
    SETTINGS,
    STACKING,
    TARGET,
    WILD_POINTS,
    WILDS,
    ZEROS,
)
from cardrules.seating import ACTIVE, EMPTY, LEFT

NUMBER = 1  # a card on top that is no action and no wild
KINDS = 12
POINTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ACTION_POINTS, WILD_POINTS)
LIMITS = (ZEROS,) + (EACH_NUMBER,) * 9 + (ACTIONS, WILDS)
MOST_POINTS = 1240
CARDS = (SKIP, REVERSE, PLUS_TWO, WILD, PLUS_FOUR)
NOT_TYPED = -1


def possible_sums(cards, limits):
    """Return a number whose bit n is set when exactly so many cards can be worth n points.

    limits: how many cards of each of the 12 kinds there are.
    """
    reach = [0] * (cards + 1)
    reach[0] = 1
    for kind in range(KINDS):
        limit = min(limits[kind], cards)
        points = POINTS[kind]
        for have in range(cards, 0, -1):
            total = reach[have]
            for more in range(1, min(limit, have) + 1):
                total |= reach[have - more] << (points * more)
            reach[have] = total
    return reach[cards]


class Keeper(Base):
    """Last Card for 2 to 6 seats (R2)."""

    GAME_ID = 1
    SETTINGS = SETTINGS
    SEATS_MIN = SEATS_MIN
    SEATS_MAX = SEATS_MAX

    def __init__(self, seats=6):
        Base.__init__(self, seats)
        self.counts = [0] * seats
        self.colour = -1  # called, while a wild is on top
        self.top = 0  # NUMBER, SKIP, ...; 0 while unknown
        self.owed = 0  # by the seat on turn (stacking)
        self.owed_kind = 0
        self.drew = -1  # cards drawn in this turn; -1 before drawing
        self.takers = 0  # seats (bits) that were made to take cards by the latest announcement
        self.passes = 0  # turns in a row without a card played or drawn (A10)
        self.fresh = False  # nothing was said yet in this round but the card turned up
        self.turned = 0  # card turned up, if it was said
        self.played = 0  # card whose colour or whose "out?" is awaited
        self.entering = NO_SEAT
        self._forget_entries()

    def _forget_entries(self):
        seats = len(self.ring)
        self.entries = [None] * seats  # cards entered, by kind
        self.typed = [NOT_TYPED] * seats  # or the sum typed

    # What is known.

    @property
    def direction(self):
        """1 clockwise, -1 anticlockwise."""
        return self.ring.direction

    @property
    def out_seat(self):
        """The seat that is asked whether it is out, or that went out; else NO_SEAT."""
        if self.phase == ASKING_OUT:
            return self.turn
        return self.winner if self.phase in (SCORING, SCORED) else NO_SEAT

    @property
    def stock(self):
        """Cards that can still be drawn: all but the hands and the top card (R18)."""
        return PACK - sum(self.counts) - 1

    @property
    def points(self):
        """What the round is worth so far (R27)."""
        return sum([self.hand_points(seat) for seat in range(len(self.ring))])

    def hand_points(self, seat):
        """Return what was entered for the seat, in points; 0 if nothing was."""
        if self.typed[seat] != NOT_TYPED:
            return self.typed[seat]
        cards = self.entries[seat]
        return sum([POINTS[kind] * cards[kind] for kind in range(KINDS)]) if cards else 0

    def cards_entered(self, seat):
        """Return how many cards were entered one by one for the seat."""
        return sum(self.entries[seat]) if self.entries[seat] else 0

    def _left_over(self, but=NO_SEAT):
        """Cards of each kind not entered in any hand (but one)."""
        left = list(LIMITS)
        for seat in range(len(self.ring)):
            cards = self.entries[seat]
            if cards and seat != but:
                for kind in range(KINDS):
                    left[kind] -= cards[kind]
        return left

    def _next(self):
        return self.ring.next(self.turn)

    # What may be said.

    def _why_not_game(self, what, seat, arg):
        phase = self.phase
        if what == CORRECT:
            return self._why_not_correct(seat, arg)
        if what == CLOSE:
            if phase == SCORING:
                return ("not_entered", self.entering)
            if phase != SCORED:
                return self._wrong_phase()
            return None if arg == self.points else ("points_differ", self.points)
        if what not in NAMES:
            return ("unknown_what", what)
        if what == COUNT:
            return self._why_not_count(seat, arg)
        if what in (CARD, SUM, ALL):
            return self._why_not_entry(what, seat, arg)
        if phase not in (PLAY, AWAITING_COLOUR, ASKING_OUT):
            return self._wrong_phase()
        if what == OUT:
            if seat == NO_SEAT or not self.ring.is_active(seat):
                return ("seat_absent", seat)
            if phase == ASKING_OUT and seat != self.turn:
                return ("out_open", self.turn)
            return None
        if phase == ASKING_OUT:
            return None if what == DONE and seat == self.turn else ("out_open", self.turn)
        if what == COLOUR:
            if phase != AWAITING_COLOUR:
                return self._wrong_phase()
            return None if arg < 4 else ("argument",)
        if phase == AWAITING_COLOUR:
            return ("colour_needed", self.turn)
        if what == TURNED:
            if not self.fresh or self.turned:
                return self._wrong_phase()
            return None if arg in (SKIP, REVERSE, PLUS_TWO, WILD) else ("argument",)
        if what in (DONE, CATCH_UP):
            if seat == NO_SEAT:
                return ("seat_unknown", len(self.ring))
            if not self.ring.is_active(seat):
                return ("seat_absent", seat)
            if what == DONE and seat != self.turn and self.takers >> seat & 1:
                return None
            if what == CATCH_UP:
                return self._why_not_catch_up(seat)
        if seat != NO_SEAT and seat != self.turn:
            return ("not_your_turn", self.turn)
        if self.owed and what not in (DRAW, self.owed_kind):
            if what in CARDS:
                return ("stack_only", self.owed_kind)
            return ("owes", self.turn, self.owed)
        if what == DRAW:
            if self.owed or self.drew < 0 or self.rules[DRAW_UNTIL]:
                return None
            return ("already_drew",)
        if what == PLAYED:
            return ("must_draw_first",) if self.drew < 1 else None
        if what in CARDS and self.drew == 0:
            # After finding nothing to draw there is no drawn card to play (A10).
            return ("already_drew",)
        return None

    def _why_not_catch_up(self, seat):
        if self.owed:
            return ("owes", self.turn, self.owed)
        if seat != self._next() or seat == self.turn:
            return ("not_your_turn", self.turn)
        if self.drew < 0 and self.counts[self.turn] == 1:
            return ("not_your_turn", self.turn)
        return None

    def _why_not_count(self, seat, arg):
        if self.phase not in (PLAY, AWAITING_COLOUR, ASKING_OUT, SCORING, SCORED):
            return self._wrong_phase()
        if seat == NO_SEAT or self.ring.states[seat] not in (ACTIVE, LEFT):
            return ("seat_absent", seat)
        if self.phase == ASKING_OUT and seat != self.turn:
            return ("out_open", self.turn)
        if self.phase in (SCORING, SCORED) and seat == self.winner:
            return self._wrong_phase()
        most = PACK - 1 - sum(self.counts) + self.counts[seat]
        return None if 1 <= arg <= most else ("count_impossible", most)

    def _why_not_entry(self, what, seat, arg):
        if self.phase != SCORING:
            return self._wrong_phase()
        if seat != self.entering:
            return ("not_entered", self.entering)
        if what == ALL:
            return None if self.cards_entered(seat) else ("not_entered", seat)
        if what == CARD:
            if arg >= KINDS:
                return ("argument",)
            return None if self._left_over()[arg] > 0 else ("kind_used_up", arg)
        cards = self.counts[seat]
        sums = possible_sums(cards, self._left_over(seat))
        if arg <= MOST_POINTS and sums >> arg & 1:
            return None
        below = min(arg, MOST_POINTS)
        while below >= 0 and not sums >> below & 1:
            below -= 1
        above = arg
        while above <= MOST_POINTS and not sums >> above & 1:
            above += 1
        return ("sum_impossible", cards, below, above if above <= MOST_POINTS else -1)

    def _why_not_correct(self, seat, arg):
        if self.phase == SETUP:
            return self._wrong_phase()
        number = arg >> 16
        if not 1 <= number <= len(self.rounds):
            return ("round_unknown", len(self.rounds))
        if seat == NO_SEAT or self.ring.states[seat] == EMPTY:
            return ("seat_absent", seat)
        points = (arg & 0xFFFF) - 32768
        if not 0 <= points <= MOST_POINTS:
            return ("sum_impossible", PACK, MOST_POINTS if points > 0 else -1, 0 if points < 0 else -1)
        return None

    # Saying it.

    def _step_game(self, what, seat, arg):
        if what == DONE and seat != self.turn and self.phase == PLAY:
            self.takers &= ~(1 << seat)
            self.note("taken", seat)
            return
        self.takers = 0
        if what == COUNT:
            self._count(seat, arg)
        elif what == CARD:
            if self.entries[seat] is None:
                self.entries[seat] = bytearray(KINDS)
            self.entries[seat][arg] += 1
            if self.cards_entered(seat) == self.counts[seat]:
                self._entered(seat)
        elif what == SUM:
            self.entries[seat] = None
            self.typed[seat] = arg
            self._entered(seat)
        elif what == ALL:
            self.counts[seat] = self.cards_entered(seat)
            self._entered(seat)
        elif what == CLOSE:
            self._close(arg)
        elif what == CORRECT:
            self._correct(seat, arg)
        elif what == OUT:
            self._go_out(seat)
        elif what == TURNED:
            self._turned(arg)
        elif what == COLOUR:
            self._called(arg)
        elif what == CATCH_UP:
            self.note("caught_up", self.turn)
            self._step_turn(DONE)
            if self.phase == PLAY and seat == self.turn:
                self._step_turn(DONE)
        elif self.phase == ASKING_OUT:
            self._go_out(seat)
        else:
            self._step_turn(what)

    def _step_turn(self, what):
        """The seat on turn plays, draws or is done."""
        self.fresh = False
        if what == DRAW:
            if self.owed:
                owed = self.owed
                self.owed = 0
                self.passes = 0
                taker = self.turn
                self._take_cards(taker, owed)
                self._turn_to(self._next())
            else:
                drawn = min(1, self.stock)
                self.drew = max(self.drew, 0) + drawn
                self.counts[self.turn] += drawn
                self.note("drew", self.turn, drawn)
            return
        if what == DONE and self.drew >= 0:
            self.passes = self.passes + 1 if self.drew == 0 else 0
            self.note("kept" if self.drew else "passed", self.turn)
            if self.passes >= self.ring.count():
                self._void()
            else:
                self._turn_to(self._next())
            return
        card = NUMBER if what in (DONE, PLAYED) else what
        self.passes = 0
        self.top = card
        self.colour = -1
        self.played = card
        self.counts[self.turn] = max(0, self.counts[self.turn] - 1)
        self.note("played", self.turn, card)
        self._settle()

    def _settle(self):
        """After a card was played: ask for what is still open, or let it act."""
        left = self.counts[self.turn]
        if left == 0:
            self.phase = ASKING_OUT
            self.note("out_asked", self.turn)
            return
        if left == 1:
            self.note("last_card", self.turn)
        if self.played in (WILD, PLUS_FOUR):
            self.phase = AWAITING_COLOUR
            self.note("colour_wanted", self.turn)
        else:
            self._act()

    def _act(self):
        """The card played acts and the turn passes."""
        card = self.played
        self.played = 0
        after = self._next()
        if card == REVERSE:
            self.ring.reverse()
            self.note("direction", NO_SEAT, self.ring.direction)
            if self.ring.count() == 2:  # R20
                self.note("skipped", after)
                after = self.turn
            else:
                after = self._next()
        elif card == SKIP:
            self.note("skipped", after)
            after = self.ring.next(after)
        elif card in (PLUS_TWO, PLUS_FOUR):
            cards = 2 if card == PLUS_TWO else 4
            if self.rules[STACKING]:
                self.owed += cards
                self.owed_kind = card
                self.note("owes", after, self.owed)
            else:
                self._take_cards(after, cards)
                self.note("skipped", after)
                after = self.ring.next(after)
        self._turn_to(after)

    def _take_cards(self, seat, cards):
        cards = min(cards, self.stock)  # A10: an unpaid rest is cancelled
        self.counts[seat] += cards
        self.takers |= 1 << seat
        self.note("takes", seat, cards)

    def _turn_to(self, seat):
        self.turn = seat
        self.drew = -1
        self.phase = PLAY
        self.note("turn", seat)

    def _turned(self, card):
        self.turned = card
        self.top = card
        first = self.turn
        self.note("turned", NO_SEAT, card)
        if card == WILD:
            self.phase = AWAITING_COLOUR
            self.note("colour_wanted", first)
            return
        if card == REVERSE:
            self.ring.reverse()
            self.note("direction", NO_SEAT, self.ring.direction)
            self._turn_to(self.dealer)
        elif card == PLUS_TWO and self.rules[STACKING]:
            self.owed = 2
            self.owed_kind = PLUS_TWO
            self.note("owes", first, 2)
        else:
            if card == PLUS_TWO:
                self._take_cards(first, 2)
            self.note("skipped", first)
            self._turn_to(self._next())

    def _called(self, colour):
        self.colour = colour
        self.note("colour", self.turn, colour)
        if self.fresh:
            self._turn_to(self.turn)  # R12: the first player names it, then takes the turn
        else:
            self._act()

    def _count(self, seat, cards):
        before = self.counts[seat]
        self.counts[seat] = cards
        self.note("count", seat, cards)
        if cards == 1 and before != 1 and self.phase not in (SCORING, SCORED):
            self.note("last_card", seat)
        if self.phase == ASKING_OUT:
            self.phase = PLAY
            if self.played in (WILD, PLUS_FOUR):
                self.phase = AWAITING_COLOUR
                self.note("colour_wanted", self.turn)
            else:
                self._act()
        elif self.phase in (SCORING, SCORED):
            self.entries[seat] = None
            self.typed[seat] = NOT_TYPED
            self._ask_next_hand()

    # Round end.

    def _go_out(self, seat):
        card = self.played if seat == self.turn else 0
        owed = self.owed
        victim = self.turn
        if seat == self.turn:
            victim = self.ring.next(seat)
            if card in (PLUS_TWO, PLUS_FOUR):
                owed += 2 if card == PLUS_TWO else 4
        self.owed = 0
        self.played = 0
        self.drew = -1
        self.counts[seat] = 0
        self.winner = seat
        self.note("out", seat)
        if owed:
            self._take_cards(victim, owed)  # R28, A11
        self.takers = 0
        self.turn = NO_SEAT
        self.colour = -1
        self._forget_entries()
        self._ask_next_hand()

    def _is_entered(self, seat):
        if self.ring.states[seat] not in (ACTIVE, LEFT) or seat == self.winner or not self.counts[seat]:
            return True
        return self.typed[seat] != NOT_TYPED or self.cards_entered(seat) >= self.counts[seat]

    def _entered(self, seat):
        self.note("entered", seat, self.hand_points(seat))
        self._ask_next_hand()

    def _ask_next_hand(self):
        seats = len(self.ring)
        for step in range(1, seats):
            seat = (self.winner + step) % seats
            if not self._is_entered(seat):
                self.phase = SCORING
                self.entering = seat
                self.note("entering", seat, self.counts[seat])
                return
        self.phase = SCORED
        self.entering = NO_SEAT
        self.note("round_scored", self.winner, self.points)

    def _close(self, points):
        self.rounds.append((self.winner, points))
        self.scores[self.winner] += points
        self.note("round_won", self.winner, points)
        self.note("score", self.winner, self.scores[self.winner])
        if not self._end_if_won():
            self._next_round()

    def _first_to_reach(self):
        """Return who reached the target first, in the order of rounds (R29, R30); NO_SEAT if nobody did."""
        target = self.rules[TARGET]
        totals = [0] * len(self.ring)
        for winner, points in self.rounds:
            if winner == NO_SEAT:
                continue
            totals[winner] += points
            if totals[winner] >= target:
                return winner
        return NO_SEAT

    def _end_if_won(self):
        winner = self._first_to_reach()
        if winner == NO_SEAT:
            return False
        self.phase = OVER
        self.turn = NO_SEAT
        self.entering = NO_SEAT
        self.winner = winner
        self.note("match_won", winner, self.scores[winner])
        return True

    def _correct(self, seat, arg):
        number = arg >> 16
        points = (arg & 0xFFFF) - 32768
        self.rounds[number - 1] = (seat, points)
        self.scores = [0] * len(self.ring)
        for winner, won in self.rounds:
            if winner != NO_SEAT:
                self.scores[winner] += won
        self.note("corrected", seat, number)
        for winner in range(len(self.ring)):
            if self.ring.states[winner] != EMPTY:
                self.note("score", winner, self.scores[winner])
        was_over = self.phase == OVER and self.winner != NO_SEAT
        if self._first_to_reach() != NO_SEAT:
            self._end_if_won()
        elif was_over:
            self._next_round()

    def _void(self):
        self.rounds.append((NO_SEAT, 0))
        Base._void(self)

    def _begin_round(self):
        self._seat_the_waiting()
        self.winner = NO_SEAT
        self.colour = -1
        self.owed = self.top = self.turned = self.played = self.takers = self.passes = 0
        self.drew = -1
        self.entering = NO_SEAT
        self._forget_entries()
        self.ring.direction = 1  # A15
        if self.ring.count() < SEATS_MIN:
            self.phase = SHORT
            self.turn = NO_SEAT
            self.fresh = False
            return
        if not self.ring.is_active(self.dealer):
            self.dealer = self.ring.next(self.dealer, 1)
        self.round += 1
        for seat in range(len(self.ring)):
            self.counts[seat] = HAND if self.ring.is_active(seat) else 0
        self.fresh = True
        self.note("round_started", self.dealer, self.round)
        self._turn_to(self.ring.next(self.dealer))

    # Seats.

    def why_not(self, what, seat=NO_SEAT, arg=0):
        from cardrules.announcement import LEAVE, SWAP

        if what in (LEAVE, SWAP) and not self.paused:
            if self.phase == ASKING_OUT:
                return ("out_open", self.turn)
            if self.phase == AWAITING_COLOUR:
                return ("colour_needed", self.turn)
        return Base.why_not(self, what, seat, arg)

    def _left(self, seat):
        self.takers = 0
        if self.phase != PLAY:
            return
        if self.ring.count() < SEATS_MIN:
            self._void()
        elif seat == self.turn:
            if self.owed:
                owed = self.owed
                self.owed = 0
                self._take_cards(seat, owed)
                self.takers = 0
            self._turn_to(self._next())

    def _join(self, seat, player):
        if self.ring.states[seat] == LEFT and not self.counts[seat] and self.phase not in (SETUP, SHORT):
            # Without a hand of this round there is nothing to play on with.
            if player:
                self.players[seat] = player
            from cardrules.seating import WAITING

            self.ring.states[seat] = WAITING
            self.note("joins_next_round", seat, self.players[seat])
            return
        Base._join(self, seat, player)

    def _swap(self, one, other):
        Base._swap(self, one, other)
        for line in (self.counts, self.entries, self.typed):
            line[one], line[other] = line[other], line[one]
        self.takers = 0
        if self.phase in (SCORING, SCORED):
            self._ask_next_hand()

    # Snapshots.

    def _numbers(self):
        numbers = Base._numbers(self)
        numbers.extend(self.counts)
        numbers += [
            self.colour, self.top, self.owed, self.owed_kind, self.drew, self.takers, self.passes, int(self.fresh),
            self.turned, self.played, self.entering,
        ]  # fmt: skip
        numbers.extend(self.typed)
        for cards in self.entries:
            if cards is None:
                numbers.append(0)
            else:
                numbers.append(1)
                numbers.extend(cards)
        return numbers

    def _take(self, numbers):
        at = Base._take(self, numbers)
        seats = len(self.ring)
        self.counts = numbers[at : at + seats]
        at += seats
        (
            self.colour, self.top, self.owed, self.owed_kind, self.drew, self.takers, self.passes, fresh,
            self.turned, self.played, self.entering,
        ) = numbers[at : at + 11]  # fmt: skip
        self.fresh = bool(fresh)
        at += 11
        self.typed = numbers[at : at + seats]
        at += seats
        for seat in range(seats):
            full = numbers[at]
            at += 1
            self.entries[seat] = bytearray(numbers[at : at + KINDS]) if full else None
            at += KINDS * full
        return at
