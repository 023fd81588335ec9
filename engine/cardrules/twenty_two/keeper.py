"""The keeper of Twenty-Two: what everybody at the table can see.

It knows who leads, how many cards each holds, what is kept in the score piles and who is out; it never
knows a card in a hand. The numbers R.., A.. and K.. are those of docs/rules/twenty_two.md.
"""

import struct

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import OVER, PLAY, SCORED, SCORING, SETUP, SHORT, moved, moved_bits, wrong_phase
from cardrules.keeper import Keeper as BaseKeeper
from cardrules.seating import ACTIVE, AWAY, BACK, ELIMINATED, NEW
from cardrules.twenty_two.says import EXCHANGE, KEEPS, LAST, LEFT, NAMES, TRICK
from cardrules.twenty_two.settings import (
    ACE,
    FINAL_TIE,
    FIRST_HAND,
    LIMIT,
    LOWEST,
    OF_A_RANK,
    PACK,
    RETURN_CARDS,
    SETTINGS,
    SUDDEN_DEATH_HAND,
    TIE_DEALER,
    value,
)
from cardrules.varint import Reader, put

try:
    from typing import Any
except ImportError:
    pass

_MOST = value(ACE)


class Keeper(BaseKeeper):
    """hand: cards dealt to each. left: cards each still holds. pack: cards there were to deal from. spare:
    undealt cards that can still be exchanged. exchanges: cards exchanged by seat, -1 for who has not.
    may_exchange: until the first trick. leader: who leads the next trick; turn is that seat while tricks
    are played. rank: that takes the last trick, 0 before. keeping: bit mask of the seats that keep their
    card of it. kept: cards in the score piles by seat. outs: by seat the round by which it was out, 0 if
    it is not. sudden: a sudden-death hand is played.

    A confirmed round is (seat that deals the next one, points, rank, bit mask of the seats that kept a
    card of it); the rank is 0 where a correction left open which of several it was.
    """

    game = 3
    settings = SETTINGS
    names = NAMES
    takes_arg = (EXCHANGE, TRICK, LAST, LEFT)
    round_format = "<BHBB"

    def __init__(self) -> None:
        BaseKeeper.__init__(self)
        seats = self.seats
        self.exchanges = [-1] * seats
        self.kept = [0] * seats
        self.outs = [0] * seats
        self.leader = NO_SEAT
        self.sudden = False
        self._played = 0  # bit mask of the seats that played the latest last trick
        self._won = 0  # bit mask of the seats that won the match
        self._clear()

    def _clear(self) -> None:
        self.turn = NO_SEAT
        self.hand = 0
        self.left = 0
        self.pack = 0
        self.spare = 0
        self.may_exchange = False
        self.rank = 0
        self.keeping = 0
        for seat in range(self.seats):
            self.exchanges[seat] = -1

    @property
    def points(self) -> int:
        """Points of the card that is kept, 0 until its rank is known (R28)."""
        return value(self.rank) if self.rank else 0

    @property
    def winners(self) -> int:
        return self._won

    def in_danger(self, seat: int) -> bool:
        """May one more card, an ace, put this seat out? (R4, R28)"""
        if self.ring.states[seat] not in (ACTIVE, AWAY, BACK):
            return False
        return self.scores[seat] + _MOST >= self.rules[LIMIT]

    @property
    def next_hand(self) -> int:
        """Cards to deal next if the round is confirmed as it stands; 0 if that ends the match (R8, R9)."""
        return self._next()[0]

    @property
    def next_dealer(self) -> int:
        """The seat that deals next if the round is confirmed as it stands, else NO_SEAT (R25, R27, A4)."""
        return self._next()[1]

    def places(self) -> "list[int]":
        """As the base; who is away at the end, or has not played yet, has none."""
        places = BaseKeeper.places(self)
        for seat in range(self.seats):
            if self.ring.states[seat] in (AWAY, NEW) and not self._won >> seat & 1:
                places[seat] = 0
        return places

    def _ahead(self, seat: int, other: int) -> bool:
        """Who was out later is ahead; of those out by the same round the one with fewer points."""
        if self.ring.states[seat] in (AWAY, NEW):
            return False
        if self.outs[seat] != self.outs[other]:
            return self.outs[seat] > self.outs[other]
        return self.scores[seat] < self.scores[other]

    # May it be said?

    def why_not(self, what: int, seat: int = NO_SEAT, arg: int = 0) -> "tuple[Any, ...] | None":
        reason = BaseKeeper.why_not(self, what, seat, arg)
        if reason is None and what == common.JOIN and self.sudden and not self._played >> seat & 1:
            return ("match_running",)  # A9: only those who tie play on
        return reason

    def _why_not(self, what: int, seat: int, arg: int) -> "tuple[Any, ...] | None":
        if what == LAST or what == LEFT:
            if seat != NO_SEAT:
                return ("seat_unknown",)
            return self._why_not_last(arg) if what == LAST else self._why_not_left(arg)
        if seat == NO_SEAT:
            return ("seat_unknown",)
        if what == KEEPS:
            return self._why_not_keeps(seat)
        if what == EXCHANGE and not self.may_exchange:
            return ("exchange_over",)
        if self.phase != PLAY:
            return wrong_phase(self.phase)
        if not self.ring.is_active(seat):
            return ("seat_absent", seat)
        if what == EXCHANGE:
            return self._why_not_exchange(seat, arg)
        if self.left == 1:
            return ("last_trick",)
        return None if arg < self.left else ("trick_most", self.left - 1)

    def _why_not_exchange(self, seat: int, cards: int) -> "tuple[Any, ...] | None":
        # R11, R12: in order from the seat behind the dealer, who comes last; one opportunity each.
        place = (seat - self.dealer - 1) % self.seats
        for other in range(self.seats):
            if self.exchanges[other] >= 0 and (other - self.dealer - 1) % self.seats >= place:
                return ("exchange_missed", seat)
        most = min(self.hand, self.spare)
        return None if cards <= most else ("exchange_most", most)

    def _why_not_last(self, rank: int) -> "tuple[Any, ...] | None":
        if self.phase == SCORED:
            return wrong_phase(SCORED)
        if self.left != 1:
            return ("not_last", self.left)
        if not LOWEST <= rank <= ACE:
            return ("rank_unknown", rank)
        return None if self._of_rank(rank) else ("rank_gone", rank, 0)

    def _why_not_keeps(self, seat: int) -> "tuple[Any, ...] | None":
        if not self.rank:
            return ("rank_first",)
        if not self._played >> seat & 1:
            return ("seat_absent", seat)
        if self.keeping >> seat & 1:
            return ("seat_taken", seat)
        cards = self._of_rank(self.rank)
        return None if _count(self.keeping) < cards else ("rank_gone", self.rank, cards)

    def _why_not_left(self, cards: int) -> "tuple[Any, ...] | None":
        if self.ring.live < self.fewest:
            return ("seats_too_few", self.fewest)
        return None if 1 <= cards <= self.hand else ("left_most", self.hand)

    def _why_not_close(self, arg: int) -> "tuple[Any, ...] | None":
        if self.phase == SCORING:
            return ("nobody_keeps",)
        if self.phase != SCORED:
            return wrong_phase(self.phase)
        return None if arg == self.points else ("points_differ", self.points)

    def _why_not_correct(self, seat: int, arg: int) -> "tuple[Any, ...] | None":
        if self.phase == SETUP:
            return wrong_phase(SETUP)
        number = arg >> 16
        if not 1 <= number <= self.rounds_closed:
            return ("round_unknown", self.rounds_closed)
        if seat == NO_SEAT:
            return ("seat_unknown",)
        if not self.ring.has(seat) or self.ring.states[seat] == NEW:
            return ("seat_absent", seat)  # who waits for the first deal has kept nothing yet
        points = (arg & 65535) - 32768
        if points and not LOWEST <= points <= _MOST:
            return ("points_impossible", 0, _MOST)
        _, _, rank, keeping = self._corrected(number, seat, points)
        if not keeping:
            return ("nobody_keeps",)
        if rank:
            cards = self._of_rank(rank, number)
            if _count(keeping) > cards:
                return ("rank_gone", rank, cards)
        return None

    def _of_a_seat(self, what: int) -> bool:
        return what in (EXCHANGE, TRICK, KEEPS) or BaseKeeper._of_a_seat(self, what)

    def _examples(self, what: int, seat: int) -> "Any":
        if what == LAST:
            return range(LOWEST, ACE + 1)
        if what == LEFT:
            return (1,)
        if what == common.CLOSE:
            return (self.points,)
        if what == common.CORRECT:
            return [number * 65536 + 32768 + LOWEST for number in range(1, self.rounds_closed + 1)]
        return BaseKeeper._examples(self, what, seat)

    def _of_rank(self, rank: int, without: int = 0) -> int:
        """Return how many cards of a rank are not kept in score piles (R24, A2).

        without: number of a round whose cards do not count.
        """
        cards = OF_A_RANK
        number = 0
        for _, _, known, keeping in self.rounds:
            number += 1
            if known == rank and number != without:
                for seat in range(self.seats):
                    # A pile that went back into the pack holds nothing back (A17).
                    if keeping >> seat & 1 and not (self.outs[seat] and self.rules[RETURN_CARDS]):
                        cards -= 1
        return cards

    # It is said.

    def do(self, what: int, seat: int, arg: int) -> None:
        if what == TRICK:
            cards = arg or 1
            self.may_exchange = False
            self.left -= cards
            self.tell("trick", seat, cards)
            if self.left == 1:
                self.tell("last_trick")
            self._lead(seat)
        elif what == EXCHANGE:
            self.exchanges[seat] = arg
            self.spare -= arg
            self.tell("exchanged", seat, arg)
        elif what == LAST:
            if self.phase == PLAY:
                self._played = 0
                for other in self.ring.active():
                    self._played |= 1 << other
            self.may_exchange = False
            self.turn = NO_SEAT
            self.phase = SCORING
            self.rank = arg
            self.tell("last_rank", NO_SEAT, arg)
        elif what == KEEPS:
            self.keeping |= 1 << seat
            self.phase = SCORED
            self.tell("keeps", seat, self.points)
        elif what == LEFT:
            self._set_left(arg)
        else:
            self._common(what, seat, arg)

    def _dealt(self) -> None:
        """R8, R9, R14, A11: as many cards each as the card kept counts, if the pack has them."""
        ring = self.ring
        wanted = self.rules[FIRST_HAND]
        if self.sudden:
            wanted = SUDDEN_DEATH_HAND
        elif self.round > 1:
            wanted = self.rounds[-1][1]
        self.pack = PACK - sum(self.kept)
        # Corrections can say what no pack holds: a hand is never without a card.
        self.hand = max(1, min(wanted, self.pack // ring.live))
        self.left = self.hand
        self.spare = max(0, self.pack - self.hand * ring.live)
        self.may_exchange = True
        self.tell("hand", NO_SEAT, self.hand)
        if self.hand == 1:
            self.tell("last_trick")
        self._lead(ring.next(self.dealer))

    def _lead(self, seat: int) -> None:
        """This seat leads the next trick."""
        self.leader = seat
        self.turn = seat
        self.tell("turn", seat)

    def _set_left(self, cards: int) -> None:
        """K5: so many cards are left, whatever was said; a last trick that was named is taken back."""
        playing = self.phase == PLAY
        self.may_exchange = False
        self.rank = 0
        self.keeping = 0
        self.phase = PLAY
        self.tell("each_holds", NO_SEAT, cards)
        if cards == 1 and not (playing and self.left == 1):
            self.tell("last_trick")
        self.left = cards
        if not playing:
            leader = self.leader
            self._lead(leader if self.ring.is_active(leader) else self.ring.next(leader))

    def _next_dealer(self) -> int:
        """Who has to deal does so, out or not (R25, R27); if it is away, the next one that plays."""
        if self.ring.states[self.dealer] in (ACTIVE, ELIMINATED):
            return self.dealer
        return self.ring.step(self.dealer, 1)

    # The end of a round.

    def _fold(self, counts: int, more: "tuple[int, ...] | None" = None) -> "tuple[Any, Any, Any, int]":
        """Return (scores, kept, outs, living) after all confirmed rounds, and one more if it is given.

        counts: bit mask of the seats that can win. living: those of them that are not out. If all were
        out by the same round these are the ones with the lowest score (R30, A9).
        """
        seats = range(self.seats)
        limit = self.rules[LIMIT]
        scores = [0] * self.seats
        kept = [0] * self.seats
        outs = [0] * self.seats
        living = counts
        shared = False
        size = struct.calcsize(self.round_format)
        for number in range(1, self.rounds_closed + (2 if more else 1)):
            facts: tuple[int, ...] | None = more
            if number <= self.rounds_closed:
                facts = struct.unpack_from(self.round_format, self._rounds, (number - 1) * size)
            if facts is None:
                break
            over = 0
            for seat in seats:
                if facts[3] >> seat & 1:
                    scores[seat] += facts[1]
                    kept[seat] += 1
                if scores[seat] >= limit:
                    over |= 1 << seat
                    if not outs[seat]:
                        outs[seat] = number
            if shared:
                continue
            if living & ~over or not living:
                living &= ~over
            else:
                lowest = min([scores[seat] for seat in seats if living >> seat & 1])
                for seat in seats:
                    if living >> seat & 1 and scores[seat] > lowest:
                        living &= ~(1 << seat)
                        outs[seat] = number
                shared = not self.rules[FINAL_TIE]
        for seat in seats:
            if living >> seat & 1:
                outs[seat] = 0
            elif outs[seat] and self.rules[RETURN_CARDS]:
                kept[seat] = 0  # A17
        return scores, kept, outs, living

    def _counting(self, closing: bool) -> int:
        """Return a bit mask of the seats that can win.

        K8: at the end of a match nobody waits for those who are away, unless they played the last trick.
        """
        counts = 0
        only_played = closing or self._won or self.sudden
        for seat in range(self.seats):
            state = self.ring.states[seat]
            if state in (ACTIVE, BACK, ELIMINATED):
                counts |= 1 << seat
            elif state == AWAY and (not only_played or self._played >> seat & 1):
                counts |= 1 << seat
        return counts

    def _decided(self, scores: "list[int]", kept: "list[int]", living: int) -> int:
        """Return a bit mask of the seats that have won, 0 while more than one can (R29, R30, A9)."""
        several = _count(living)
        if several > 1:
            for seat in range(self.seats):
                if living >> seat & 1 and scores[seat] < self.rules[LIMIT]:
                    return 0
            # A sudden-death hand needs a card for each.
            if self.rules[FINAL_TIE] and PACK - sum(kept) >= several:
                return 0
        return living

    def _deals_next(self, keeping: int, number: int, fold: "tuple[Any, Any, Any, int]") -> int:
        """Return who of those who kept a card in round `number` deals next (R25, R27, A4, A9)."""
        scores, _, outs, living = fold
        wanted = 0
        sudden = 0
        for seat in range(self.seats):
            if keeping >> seat & 1 and outs[seat] == number:
                wanted |= 1 << seat
            if living >> seat & 1 and scores[seat] >= self.rules[LIMIT]:
                sudden |= 1 << seat
        wanted = sudden or wanted or keeping
        found = NO_SEAT
        for place in range(self.seats):
            seat = (self.leader + place) % self.seats
            if wanted >> seat & 1:
                found = seat
                if self.rules[TIE_DEALER]:
                    break
        return found

    def _next(self) -> "tuple[int, int]":
        """Return (cards, dealer) of the next deal if the round is confirmed as it stands."""
        if self.phase != SCORED:
            return 0, NO_SEAT
        facts = (NO_SEAT, self.points, self.rank, self.keeping)
        fold = self._fold(self._counting(True), facts)
        scores, kept, outs, living = fold
        if self._decided(scores, kept, living):
            return 0, NO_SEAT
        sudden = _is_sudden(scores, living, self.rules[LIMIT])
        plays = 0
        for seat in range(self.seats):
            state = self.ring.states[seat]
            if (state in (ACTIVE, BACK) and not outs[seat]) or (state == NEW and not sudden):
                plays |= 1 << seat
        if _count(plays) < self.fewest:
            return 0, NO_SEAT
        dealer = self._deals_next(self.keeping, self.rounds_closed + 1, fold)
        if self.ring.states[dealer] == AWAY and not outs[dealer]:
            while not plays >> dealer & 1:
                dealer = (dealer + 1) % self.seats
        wanted = SUDDEN_DEATH_HAND if sudden else self.points
        return max(1, min(wanted, (PACK - sum(kept)) // _count(plays))), dealer

    def _close(self, points: int) -> None:
        """R22-R30: the cards are kept, who has too much is out; the match is won or the next hand dealt."""
        self._add_round(NO_SEAT, points, self.rank, self.keeping)
        self._settle(True)

    def _corrected(self, number: int, seat: int, points: int) -> "tuple[int, int, int, int]":
        """Return the facts of a round in which this seat kept a card of so many points, 0 for none."""
        dealer, before, rank, keeping = self.rounds[number - 1]
        if not points:
            return dealer, before, rank, keeping & ~(1 << seat)
        if points != before:
            rank = ACE if points == _MOST else points if points < 10 else 0
        return dealer, points, rank, keeping | 1 << seat

    def _correct(self, seat: int, arg: int) -> None:
        """K9: a confirmed round is corrected; scores, who is out and who has won are found anew."""
        number = arg >> 16
        self._set_round(number, *self._corrected(number, seat, (arg & 65535) - 32768))
        self.tell("corrected", seat, number)
        self._settle(False)

    def _settle(self, closing: bool) -> None:
        """Find scores, who is out and who has won anew; go on accordingly.

        closing: the round in play has been confirmed, else an earlier one was corrected.
        """
        ring = self.ring
        number = self.rounds_closed
        fold = self._fold(self._counting(closing))
        scores, kept, outs, living = fold
        won = self._decided(scores, kept, living)
        dangers = [self.in_danger(seat) for seat in range(self.seats)]
        first = self.leader if closing else 0
        gone = 0
        for place in range(self.seats):
            seat = (first + place) % self.seats
            if scores[seat] != self.scores[seat]:
                self.tell("score", seat, scores[seat])
            self.scores[seat] = scores[seat]
            self.kept[seat] = kept[seat]
            self.outs[seat] = outs[seat]
        for place in range(self.seats):
            seat = (first + place) % self.seats
            state = ring.states[seat]
            if outs[seat] and state in (ACTIVE, AWAY, BACK):
                ring.eliminate(seat)
                gone |= 1 << seat
                self.tell("eliminated", seat, scores[seat])
            elif not outs[seat] and state == ELIMINATED:
                ring.set(seat, ACTIVE if won else BACK)
                if not won:
                    self.tell("joins_next_round", seat, self.players[seat])
            elif not won and self.in_danger(seat) and not dangers[seat]:
                self.tell("in_danger", seat, scores[seat])
        if closing:
            _, points, rank, keeping = self.rounds[-1]
            self.dealer = self._deals_next(keeping, number, fold)
            self._set_round(number, self.dealer, points, rank, keeping)
        if won:
            if self.phase != OVER or won != self._won:
                self._win(won)
            return
        before = self._won
        self._won = 0
        self.winner = NO_SEAT
        sudden = _is_sudden(scores, living, self.rules[LIMIT])
        if sudden and (closing or before or not self.sudden):
            self._begin_sudden()
        self.sudden = sudden
        if closing:
            self._next_round()
        elif before and not self.ended:
            _, points, rank, keeping = self.rounds[-1]
            self.dealer = self._deals_next(keeping, number, fold)
            self._set_round(number, self.dealer, points, rank, keeping)
            self._next_round()
        else:
            self._go_without(gone)

    def _win(self, won: int) -> None:
        """R29, R30, A9: the match is won, perhaps by several."""
        seats = [seat for seat in range(self.seats) if won >> seat & 1]
        self._over(seats[0] if len(seats) == 1 else NO_SEAT)
        self._won = won
        for seat in seats:
            self.tell("match_won" if len(seats) == 1 else "match_shared", seat, self.scores[seat])

    def _over(self, winner: int) -> None:
        BaseKeeper._over(self, winner)
        self.sudden = False

    def _begin_sudden(self) -> None:
        """A9: only those who tie go on; who waits for a first deal will get none."""
        self.tell("sudden_death")
        for seat in range(self.seats):
            if self.ring.states[seat] == NEW:
                self.ring.give_up(seat)
                self.players[seat] = 0
                self.tell("left", seat)

    def _go_without(self, gone: int) -> None:
        """K9: these seats are out by a correction and leave the round in play at once."""
        self.keeping &= ~gone
        self._played &= ~gone
        if self.phase == SCORED and not self.keeping:
            self.phase = SCORING
            self.tell("last_rank", NO_SEAT, self.rank)
        if self.phase == PLAY:
            self._left(self.leader)
        elif self.phase == SCORING and not self._played:
            self._void()
        elif self.phase == SHORT and self.ring.live + self.ring.late >= self.fewest:
            self._next_round()

    # People.

    def _left(self, seat: int) -> None:
        """K7: passed over, its cards do not count; after the last trick it may still have to keep one."""
        if self.phase != PLAY:
            return
        if self.ring.live < self.fewest:
            self._void()
        elif not self.ring.is_active(self.leader):
            self._lead(self.ring.next(self.leader))

    def _swap(self, seat: int, other: int) -> None:
        BaseKeeper._swap(self, seat, other)
        for by_seat in (self.exchanges, self.kept, self.outs):
            by_seat[seat], by_seat[other] = by_seat[other], by_seat[seat]
        self.leader = moved(self.leader, seat, other)
        self.keeping = moved_bits(self.keeping, seat, other)
        self._played = moved_bits(self._played, seat, other)

    def _moved_facts(self, facts: "tuple[int, ...]", seat: int, other: int) -> "tuple[int, ...]":
        dealer, points, rank, keeping = facts
        return moved(dealer, seat, other), points, rank, moved_bits(keeping, seat, other)

    def mark(self) -> "Any":
        return self.left

    def tell_again(self, mark: "Any") -> None:
        BaseKeeper.tell_again(self, mark)
        if self.phase == PLAY and self.left == 1 and mark != 1:
            self.tell("last_trick")
        if self.rank:
            self.tell("last_rank", NO_SEAT, self.rank)
            for seat in range(self.seats):
                if self.keeping >> seat & 1:
                    self.tell("keeps", seat, self.points)

    # Snapshots.

    def _pack(self, out: bytearray) -> None:
        for number in (
            self.hand,
            self.left,
            self.pack,
            self.spare,
            1 if self.may_exchange else 0,
            self.leader,
            self.rank,
            self.keeping,
            1 if self.sudden else 0,
            self._played,
            self._won,
        ):
            put(out, number)
        for seat in range(self.seats):
            put(out, self.exchanges[seat])
            put(out, self.kept[seat])
            put(out, self.outs[seat])

    def _unpack(self, reader: Reader) -> None:
        get = reader.get
        self.hand = get()
        self.left = get()
        self.pack = get()
        self.spare = get()
        self.may_exchange = get() == 1
        self.leader = get()
        self.rank = get()
        self.keeping = get()
        self.sudden = get() == 1
        self._played = get()
        self._won = get()
        for seat in range(self.seats):
            self.exchanges[seat] = get()
            self.kept[seat] = get()
            self.outs[seat] = get()


def _count(mask: int) -> int:
    """Return how many seats a bit mask names."""
    return bin(mask).count("1")


def _is_sudden(scores: "list[int]", living: int, limit: int) -> bool:
    """Are all that go on out already, with the same lowest score? (A9)"""
    for seat in range(len(scores)):
        if living >> seat & 1 and scores[seat] < limit:
            return False
    return living != 0
