"""Twenty-Two with its cards: the deal, the exchange, tricks, what a seat may see.

Runs under CPython and in the MicroPython VM. The numbers are those of docs/rules/twenty_two.md.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.keeper import OVER, PLAY, SCORED
from cardrules.prng import Prng
from cardrules.twenty_two import Keeper, says
from cardrules.twenty_two.cards import RANK
from cardrules.twenty_two.deal import Deal, SilentKeeper, draw_dealer
from cardrules.twenty_two.settings import (
    FINAL_TIE,
    FIRST_HAND,
    LIMIT,
    MUST_BEAT,
    PACK,
    RETURN_CARDS,
    TIE_DEALER,
    value,
)

try:
    from typing import Any
except ImportError:
    Any = object

SIGNS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Cards:
    """A pack from which cards are taken by rank."""

    def __init__(self, left: "list[int] | None" = None) -> None:
        self.left = list(range(PACK)) if left is None else left

    def take(self, ranks: str) -> "list[int]":
        """Take cards of these ranks, separated by blanks; the first suits that are there."""
        found = []
        for text in ranks.split():
            card = [each for each in self.left if RANK[each] == SIGNS.index(text) + 2][0]
            self.left.remove(card)
            found.append(card)
        return found


def ranks(cards: "Any") -> str:
    """Return cards by rank, as they lie."""
    return " ".join([SIGNS[RANK[card] - 2] for card in cards])


class Table:
    """A deal whose announcements are checked by the keeper and written down.

    deal, keeper; said: (what, seat, arg) of all announcements; notices: what the keeper told.
    """

    def __init__(self, seats: "Any" = 4, dealer: int = 0, rules: "Any" = None, seed: int = 1) -> None:
        """seats: how many, or which. The match is set up and its first hand dealt."""
        self.said: list[tuple[int, int, int]] = []
        self.notices: list[tuple[str, int, int]] = []
        self.keeper: Any = Keeper()
        self.deal: Any = Deal(Prng(seed), self.keeper, self.say)
        self.deal.begin(list(range(seats)) if isinstance(seats, int) else seats, rules, dealer)

    def say(self, what: int, seat: int, arg: int) -> None:
        """Bring an announcement to the keeper, which has to accept it."""
        reason, notices = self.keeper.apply(what, seat, arg)
        assert reason is None, (what, seat, arg, reason)
        self.said.append((what, seat, arg))
        self.notices.extend(notices)

    def order(self) -> "list[int]":
        """Return the seats that play, the one behind the dealer first."""
        order = []
        seat = self.keeper.dealer
        for _ in range(self.keeper.ring.live):
            seat = self.keeper.ring.next(seat)
            order.append(seat)
        return order

    def hands(self, *hands: str, then: str = "") -> "Table":
        """Deal anew: these hands, the first player's first, of as many cards as are due; what is not named
        is filled up with the lowest cards. then: cards that come next, the first one first."""
        order = self.order()
        kept = [card for pile in self.deal.piles for card in pile]
        cards = Cards([card for card in range(PACK) if card not in kept])
        found = [cards.take(hand) for hand in hands] + [[] for _ in range(len(order) - len(hands))]
        upper = cards.take(then)
        for hand in found:
            assert len(hand) <= self.keeper.hand
            while len(hand) < self.keeper.hand:
                hand.append(cards.left.pop(0))
        top_down = [hand[place] for place in range(self.keeper.hand) for hand in found]
        top_down += upper + cards.left
        top_down.reverse()
        self.deal.deal(top_down)
        self.check()
        return self

    def kept(self, rank: str, *seats: int) -> "Table":
        """A round passes by in which these seats keep a card of this rank; the next one is dealt."""
        self.say(says.LEFT, NO_SEAT, 1)
        self.say(says.LAST, NO_SEAT, SIGNS.index(rank) + 2)
        there = [card for pile in self.deal.piles for card in pile]
        for seat in seats:
            self.say(says.KEEPS, seat, 0)
            card = [
                each for each in range(PACK) if RANK[each] == SIGNS.index(rank) + 2 and each not in there
            ][0]
            self.deal.piles[seat].append(card)
            there.append(card)
        self.say(common.CLOSE, NO_SEAT, self.keeper.points)
        if self.keeper.phase == PLAY:
            self.deal.deal()
        self.check()
        return self

    def last(self, leader: int, *cards: str) -> "Table":
        """Each holds one card more: the leader's first, then clockwise."""
        deal = self.deal
        self.say(says.LEFT, NO_SEAT, 2)
        self.say(says.TRICK, leader, 1)
        pack = Cards(
            [card for card in range(PACK) if card not in [one for pile in deal.piles for one in pile]]
        )
        order = [leader]
        while len(order) < self.keeper.ring.live:
            order.append(self.keeper.ring.next(order[-1]))
        deal._put_away()
        for place in range(len(order)):
            deal.hands[order[place]] = pack.take(cards[place])
        deal.aside = pack.left
        deal._look()
        self.check()
        return self

    def nobody_exchanges(self) -> "Table":
        while self.deal.exchanging:
            self.do("")
        return self

    def do(self, *moves: str) -> "Table":
        """Do moves, each of which has to be legal: cards by rank."""
        for move in moves:
            fitting = [each for each in self.deal.legal() if ranks(each) == move]
            assert fitting, (move, self.legal())
            self.deal.do(fitting[0])
            self.check()
        return self

    def legal(self) -> "list[str]":
        """Return the legal moves by ranks, in order."""
        return sorted([ranks(move) for move in self.deal.legal()])

    def hand(self, seat: int) -> str:
        return ranks(self.deal.hands[seat])

    def told(self, code: str) -> "list[tuple[int, int]]":
        """Return (seat, value) of all notices with this code."""
        return [(seat, number) for known, seat, number in self.notices if known == code]

    def check(self) -> None:
        """Every card is at one place, and the keeper has counted them as they are."""
        check_cards(self.deal)


def all_cards(deal: "Any") -> "list[int]":
    """Return all cards wherever they are."""
    found = deal.pack + deal.aside + [card for _, cards in deal.trick for card in cards]
    for cards in deal.hands + deal.gave + deal.piles:
        found = found + cards
    for trick in deal.tricks:
        for _, cards in trick:
            found = found + list(cards)
    return sorted(found)


def check_cards(deal: "Any") -> None:
    """In a round: 52 cards, each once; hands and score piles are as big as the keeper says."""
    keeper = deal.keeper
    if keeper.phase not in (PLAY, SCORED):
        return
    assert all_cards(deal) == list(range(PACK)), "a card is lost or doubled"
    assert [len(pile) for pile in deal.piles] == keeper.kept
    played = [seat for seat, _ in deal.trick]
    for seat in range(keeper.seats):
        hand = deal.hands[seat]
        assert hand == sorted(hand)
        if not keeper.ring.is_active(seat):
            assert not hand
        elif keeper.phase == PLAY:
            assert len(hand) == keeper.left - (len(deal.bench) if seat in played else 0)


# The first dealer.


class Script(Prng):
    """A generator whose shuffles are written down: the cards that come up, the first one first."""

    def __init__(self, *draws: str) -> None:
        Prng.__init__(self, 1)
        self.draws = list(draws)

    def shuffle(self, items: "Any", places: int = 256) -> None:
        wanted = Cards(sorted(items)).take(self.draws.pop(0))
        assert len(wanted) == places
        for card in wanted:
            items.remove(card)
        wanted.reverse()
        items.extend(wanted)


def test_the_highest_card_deals() -> None:
    """R6, worked example 1: A, K, A, 5: the aces draw again, the king does not deal."""
    dealer, drawn = draw_dealer([0, 1, 2, 3], Script("A K A 5", "3 9"))
    assert dealer == 2
    assert [[(seat, SIGNS[RANK[card] - 2]) for seat, card in draws] for draws in drawn] == [
        [(0, "A"), (1, "K"), (2, "A"), (3, "5")],
        [(0, "3"), (2, "9")],
    ]
    # Twice the same, and back in the pack: the same card may come again.
    dealer, drawn = draw_dealer([1, 3, 4], Script("Q Q 2", "K K", "2 A"))
    assert dealer == 3 and len(drawn) == 3
    assert draw_dealer([4], Script()) == (4, [])


def test_everybody_deals_as_often() -> None:
    """R6: chi-square over the real generator; two degrees of freedom."""
    random = Prng(7)
    dealt = [0, 0, 0]
    for _ in range(3000):
        dealt[draw_dealer([0, 1, 2], random)[0]] += 1
    assert sum([(found - 1000) * (found - 1000) for found in dealt]) < 20 * 1000, dealt


def test_a_match_begins_with_the_draw() -> None:
    deal = Deal(Prng(3))
    deal.begin([0, 2, 5])
    assert len(deal.drawn[0]) == 3
    highest = max([RANK[card] for _, card in deal.drawn[-1]])
    assert [seat for seat, card in deal.drawn[-1] if RANK[card] == highest] == [deal.keeper.dealer]
    deal.begin([0, 2, 5], None, 2)
    assert deal.drawn == [] and deal.keeper.dealer == 2


# The deal.


def test_seven_each_one_at_a_time_from_the_top() -> None:
    """R7, R10, worked example 2: who gets which card, and how many are left."""
    for seats, left in ((2, 38), (3, 31), (4, 24), (5, 17), (6, 10)):
        table = Table(seats, dealer=1)
        stock = list(range(PACK))
        Prng(seats).shuffle(stock)
        table.deal.deal(stock)
        stock.reverse()
        for place in range(seats):
            seat = (2 + place) % seats  # the seat behind the dealer is the first
            assert table.deal.hands[seat] == sorted([stock[place + seats * n] for n in range(7)])
        assert len(table.deal.pack) == table.keeper.spare == left
        rest = stock[7 * seats :]
        rest.reverse()
        assert table.deal.pack == rest
        table.check()


def test_the_deal_goes_round_those_who_play() -> None:
    """R7: gaps between seats get no cards; who is behind the dealer exchanges and leads first (R14)."""
    table = Table([0, 2, 5], dealer=2)
    assert [len(hand) for hand in table.deal.hands] == [7, 0, 7, 0, 0, 7]
    assert table.deal.actor == table.keeper.turn == 5


def test_six_players_after_a_queen() -> None:
    """R8, R9, R24, worked example 3: the queen is out of the pack; eight each, three left."""
    table = Table(6, dealer=5).last(0, "3", "4", "Q", "J", "5", "2")
    table.do("3", "4", "Q", "J", "5", "2")
    assert table.told("keeps") == [(2, 10)]
    assert table.keeper.phase == SCORED and table.deal.actor == NO_SEAT and table.legal() == []
    assert table.keeper.next_hand == 8
    table.deal.close()
    assert table.keeper.dealer == 2 and table.deal.actor == 3
    assert [len(hand) for hand in table.deal.hands] == [8] * 6
    assert len(table.deal.pack) == 3 and ranks(table.deal.piles[2]) == "Q"
    table.check()


def test_five_players_after_an_ace_or_a_king() -> None:
    """R9, worked example 4: ten each, one left."""
    for rank in ("A", "K"):
        table = Table(5).kept(rank, 3)
        assert [len(hand) for hand in table.deal.hands] == [10] * 5 + [0]
        assert len(table.deal.pack) == 1


def test_other_hands_that_a_card_gives() -> None:
    """R8, R9, A10, worked example 5: four players and an ace; six players and an 8, a 9."""
    for seats, rank, hand, left in ((4, "A", 11, 7), (6, "8", 8, 3), (6, "9", 8, 3), (3, "J", 10, 21)):
        table = Table(seats).kept(rank, 1)
        assert [len(table.deal.hands[seat]) for seat in range(seats)] == [hand] * seats
        assert len(table.deal.pack) == left


def test_two_cards_each() -> None:
    """R21, worked example 6: after a 2 there is one trick before the last, and one card is led to it."""
    table = Table(2).kept("2", 1).hands("9 9", "A A").nobody_exchanges()
    assert table.keeper.dealer == 1
    assert table.legal() == ["9"]
    table.do("9")
    assert table.legal() == ["A"]
    table.do("A", "A", "9")
    assert table.told("keeps")[-1] == (1, 11)


# The exchange.


def test_the_exchange() -> None:
    """R11-R13, worked example 7: ten cards for six players who want 4, 4, 3, 1, 0, 0."""
    table = Table(6, dealer=5).hands("2 3 4 5 6 7 8", then="10 10 J J Q Q K K A A")
    assert table.deal.exchanging and table.deal.actor == 0
    table.do("2 3 4 5")
    assert table.hand(0) == "6 7 8 10 10 J J"
    assert ranks(table.deal.gave[0]) == "2 3 4 5"
    assert table.deal.actor == 1 and table.keeper.spare == 6
    table.do(ranks(table.deal.hands[1][:4]))
    assert ranks([card for card in table.deal.hands[1] if RANK[card] > 11]) == "Q Q K K"
    assert max([len(move) for move in table.deal.legal()]) == 2
    table.do(ranks(table.deal.hands[2][:2]))
    for seat in (3, 4, 5):
        assert table.deal.actor == seat and table.deal.legal() == [()]
        table.do("")
    assert table.keeper.exchanges == [4, 4, 2, 0, 0, 0]
    assert not table.deal.exchanging and table.deal.actor == 0 == table.keeper.leader
    assert table.deal.pack == []


def test_what_is_exchanged_is_out_of_the_round() -> None:
    """R12: it does not come back to anybody before the next deal."""
    table = Table(3, dealer=2)
    for _ in range(3):
        table.deal.do(table.deal.legal()[-1])
    gave = table.deal.gave[0] + table.deal.gave[1] + table.deal.gave[2]
    assert len(gave) == 21
    for seat in range(3):
        assert len(table.deal.hands[seat]) == 7
        for card in table.deal.hands[seat] + table.deal.pack:
            assert card not in gave


# Tricks.


def test_the_next_one_has_to_meet_the_highest_play() -> None:
    """A14, worked example 13: 7, 10, 2: the next one has to meet the 10."""
    table = Table(4, dealer=3).hands("7 9 9 9 9 J J", "10 3 3 3 3 4 4", "2 5 5 5 5 6 6", "7 10 8 8 8 8 7")
    table.nobody_exchanges().do("7", "10")
    assert table.legal() == ["2"]
    table.do("2")
    assert ranks(table.deal.bench) == "10" and table.deal.taking == 1
    assert table.legal() == ["10", "7"]
    table.do("7")
    assert table.keeper.leader == 1 and table.told("trick") == [(1, 1)]


def test_the_last_equal_play_takes_the_trick() -> None:
    """R20, A5, worked example 14: 9, 9, 9, 4: the third one takes it and leads."""
    table = Table(4, dealer=3).hands("9 2 2 2 2 3 3", "9 3 3 5 5 5 5", "9 6 6 6 6 7 7", "4 4 4 4 7 7 8")
    table.nobody_exchanges().do("9", "9", "9", "4")
    assert table.keeper.leader == 2 == table.deal.actor
    assert table.told("trick") == [(2, 1)] and table.keeper.left == 6


def test_lowest_cards_that_meet_are_the_highest_play_now() -> None:
    """A16"""
    table = Table(3, dealer=2).hands("10 2 2 2 2 3 3", "Q K K K K A A", "J J J J 9 9 9")
    table.nobody_exchanges().do("10", "Q")
    assert ranks(table.deal.bench) == "Q" and table.deal.taking == 1
    assert table.legal() == ["9"]


def test_a_round_as_it_is_told_on_the_page() -> None:
    """R15-R20, A1: single card, pair, three of a kind; the winner of each leads the next."""
    table = Table(4, dealer=3).hands("7 J J 3 4 5 Q", "7 6 6 2 J 2 3", "10 6 7 J Q Q 5", "2 4 5 8 9 K A")
    table.nobody_exchanges()
    table.do("7", "7", "10")
    assert table.legal() == ["2", "A", "K"]
    table.do("2")
    assert table.keeper.leader == 2
    # Seat 2 leads on; here it takes over what the third seat of the trick does.
    table.do("6", "4", "J")
    assert table.deal.taking == 0
    table.do("J")
    assert table.keeper.leader == 1
    table.do("6", "7", "8", "Q")
    assert table.keeper.leader == 0


def test_with_must_beat_nobody_plays_low_without_need() -> None:
    """A15"""
    for rule, legal in ((0, ["2", "J"]), (1, ["J"])):
        table = Table(2, dealer=1, rules={MUST_BEAT: rule}).hands("10 2 2 2 3 3 3", "2 9 J 9 9 9 8")
        table.nobody_exchanges().do("10")
        assert table.legal() == legal


# The last trick and what it costs.


def test_two_kings_in_the_last_trick() -> None:
    """R22, R23, A3, A4, worked example 17: K, 7, K, 2, led by seat 1: seats 1 and 3 keep theirs."""
    table = Table(4).last(1, "K", "7", "K", "2")
    table.do("K", "7", "K", "2")
    assert table.told("keeps") == [(1, 10), (3, 10)]
    table.deal.close()
    assert table.keeper.scores[:4] == [0, 10, 0, 10]
    assert [ranks(pile) for pile in table.deal.piles[:4]] == ["", "K", "", "K"]
    assert table.keeper.dealer == 3 and table.keeper.hand == 10
    assert table.keeper.pack == 50 and len(table.deal.pack) == 10
    # With the house rule the one who played first deals.
    table = Table(4, rules={TIE_DEALER: 1}).last(1, "K", "7", "K", "2").do("K", "7", "K", "2")
    table.deal.close()
    assert table.keeper.dealer == 1


def test_the_one_who_is_out_deals_once_more() -> None:
    """R27, A6, A17, worked example 18: queen and 2 in the pile, then an ace: out with 23."""
    table = Table(4).kept("Q", 1).kept("2", 1).last(2, "3", "4", "5", "A")
    table.do("3", "4", "5", "A")
    table.deal.close()
    assert table.told("eliminated") == [(1, 23)]
    assert table.keeper.dealer == 1 and table.deal.actor == 2
    assert [len(hand) for hand in table.deal.hands] == [11, 0, 11, 11, 0, 0]
    assert table.keeper.pack == 49 and len(table.deal.pack) == 16
    assert ranks(table.deal.piles[1]) == "Q 2 A"
    table.check()


def test_twenty_one_stays_in() -> None:
    """R4, worked example 19: 21 stays in, two aces are out."""
    for ranks_kept, out in ((("A", "K"), False), (("A", "A"), True)):
        table = Table(3).kept(ranks_kept[0], 1).last(1, ranks_kept[1], "3", "4")
        table.do(ranks_kept[1], "3", "4")
        table.deal.close()
        assert table.keeper.scores[1] == (22 if out else 21)
        assert table.keeper.ring.is_active(1) != out
        assert len(table.deal.hands[1]) == (0 if out else table.keeper.hand)


def test_both_out_the_lower_score_wins() -> None:
    """R30, worked example 20: 15 and 17 tie with a king: 25 beats 27."""
    table = Table(2).kept("5", 0).kept("7", 1).kept("Q", 0, 1)
    assert table.keeper.scores[:2] == [15, 17]
    table.last(0, "K", "K").do("K", "K")
    assert table.keeper.next_hand == 0
    table.deal.close()
    assert table.keeper.phase == OVER and table.keeper.winner == 0
    assert table.told("match_won") == [(0, 25)] and table.deal.actor == NO_SEAT


def test_both_out_with_the_same_score() -> None:
    """A9, worked example 21: 12 and 12 tie with a queen: victory is shared."""
    table = Table(2).kept("2", 0, 1).kept("K", 0, 1).last(1, "Q", "Q").do("Q", "Q")
    table.deal.close()
    assert table.keeper.phase == OVER and table.keeper.winners == 3
    assert table.keeper.winner == NO_SEAT and table.keeper.places()[:2] == [1, 1]


def test_sudden_death() -> None:
    """A9 with the house rule: seven cards, dealt by the one who played last."""
    table = Table(2, rules={FINAL_TIE: 1}).kept("2", 0, 1).kept("K", 0, 1).last(1, "Q", "Q").do("Q", "Q")
    table.deal.close()
    assert table.keeper.phase == PLAY and table.keeper.sudden
    assert table.keeper.dealer == 0 and [len(hand) for hand in table.deal.hands[:2]] == [7, 7]
    assert len(table.deal.pack) == 52 - 6 - 14
    table.last(1, "3", "4").do("3", "4")
    table.deal.close()
    assert table.keeper.winner == 1 and table.keeper.scores[:2] == [26, 22]


def test_the_survivor_wins_without_another_deal() -> None:
    """R1, R29, worked example 22: three players; one is out, two go on; the next one is out."""
    table = Table(3).kept("K", 0).kept("Q", 0).last(0, "2", "3", "4")
    table.do("2", "3", "4")
    table.deal.close()
    table.kept("2", 0)
    assert table.keeper.ring.active() == [1, 2] and table.keeper.phase == PLAY
    table.kept("A", 2).last(1, "3", "9").do("3", "9")
    table.deal.close()
    assert table.keeper.winner == 1 and table.keeper.phase == OVER
    assert table.deal.hands == [[] for _ in range(6)] and table.deal.actor == NO_SEAT
    assert [ranks(pile) for pile in table.deal.piles[:3]] == ["K Q 2", "", "4 A 9"]


def test_what_a_score_pile_counts() -> None:
    """R26, R28, worked example 23: 10, jack and 2 make 22."""
    table = Table(2).kept("10", 0).kept("J", 0).last(0, "2", "2")
    assert sum([value(RANK[card]) for card in table.deal.piles[0]]) == table.keeper.scores[0] == 20
    table.do("2", "2")
    table.deal.close()
    assert table.keeper.scores[:2] == [22, 2] and table.keeper.winner == 1


def test_piles_go_back_if_the_house_says_so() -> None:
    """A17 with the house rule: from the hand on that the one who is out deals."""
    for rule, pack in ((0, 49), (1, 52)):
        table = Table(3, rules={RETURN_CARDS: rule}).kept("A", 1).kept("2", 1)
        table.last(1, "9", "3", "3").do("9", "3", "3")
        table.deal.close()
        assert table.keeper.ring.active() == [0, 2] and table.keeper.pack == pack
        assert ranks(table.deal.piles[1]) == ("" if rule else "A 2 9")
        table.check()


def test_other_limits_and_first_hands() -> None:
    table = Table(2, rules={LIMIT: 33, FIRST_HAND: 5})
    assert [len(hand) for hand in table.deal.hands[:2]] == [5, 5]
    table.kept("A", 0).kept("A", 0).kept("10", 0)
    assert table.keeper.phase == PLAY and table.keeper.scores[0] == 32


# People.


def three_play() -> "Table":
    table = Table(3, dealer=2).hands("7 8 9 9 9 10 10", "7 2 2 2 2 3 3", "K 4 4 4 4 5 5")
    return table.nobody_exchanges()


def test_who_leaves_on_the_lead_takes_the_trick_along() -> None:
    """K7: what was played to it goes back into the hands; the next one leads."""
    table = three_play().do("7", "7")
    assert table.deal.announce(common.LEAVE, 0) is None
    assert table.deal.actor == 1 == table.keeper.leader and table.deal.trick == []
    assert len(table.deal.hands[1]) == 7 and table.deal.hands[0] == [] and len(table.deal.aside) == 7
    table.check()
    table.do("3", "K", "4", "2")
    assert table.keeper.left == 5


def test_who_leaves_later_in_a_trick_is_passed_over() -> None:
    """K7: its play does not count, whether it was the highest or not."""
    table = three_play().do("7", "7")
    table.deal.announce(common.LEAVE, 1)
    assert table.deal.actor == 2 and table.deal.taking == 0 and len(table.deal.trick) == 1
    table.check()
    table.do("4")
    assert table.keeper.leader == 0 and table.keeper.left == 6
    # The last one to play leaves: the trick is over.
    table = three_play().do("7", "7")
    table.deal.announce(common.LEAVE, 2)
    assert table.keeper.leader == 1 and table.deal.actor == 1 and table.keeper.left == 6
    table.check()


def test_who_leaves_in_the_exchange() -> None:
    table = Table(3, dealer=2)
    table.deal.do(table.deal.legal()[3])
    table.deal.announce(common.LEAVE, 1)
    assert table.deal.actor == 2 and table.deal.exchanging
    table.check()
    table.deal.announce(common.JOIN, 1)
    table.do("")
    assert table.deal.actor == 0 and not table.deal.exchanging
    assert table.deal.view(1).hand == [] and table.deal.view(1).moves == []


def test_with_one_left_the_cards_are_put_away() -> None:
    table = Table(2)
    table.deal.announce(common.LEAVE, 1)
    assert table.keeper.phase == "short" and table.deal.hands == [[] for _ in range(6)]
    assert table.deal.actor == NO_SEAT and table.deal.legal() == [] and table.deal.pack == []
    table.deal.announce(common.JOIN, 1)
    assert table.keeper.phase == PLAY and len(table.deal.hands[1]) == 7
    table.check()


def test_two_change_seats() -> None:
    table = three_play().kept("A", 1).hands("8 8 9", "9 10 10", "2 3 4")
    assert table.keeper.dealer == 1
    table.nobody_exchanges().do("8 8", "9 10")
    before = [list(hand) for hand in table.deal.hands]
    table.deal.announce(common.SWAP, 0, 4)
    assert table.deal.hands[4] == before[0] and table.deal.hands[0] == []
    assert table.deal.trick[1][0] == 4 and table.deal.taking == 4
    table.deal.announce(common.SWAP, 1, 5)
    assert ranks(table.deal.piles[5]) == "A" and table.deal.piles[1] == []
    assert table.deal.actor == 5
    table.check()


def test_void_and_end() -> None:
    table = three_play().do("7")
    table.deal.announce(common.VOID)
    assert table.keeper.phase == PLAY and table.deal.exchanging and table.keeper.dealer == 2
    table.check()
    assert table.deal.announce(common.END) is None
    assert table.keeper.phase == OVER and table.deal.legal() == []


def test_a_pause_leaves_nothing_to_do() -> None:
    table = three_play()
    assert table.deal.announce(common.PAUSE) is None
    assert table.deal.legal() == [] and table.deal.view(0).moves == [] and table.deal.actor == 0
    assert table.deal.announce(common.RESUME) is None
    assert len(table.deal.legal()) == 7


def test_moves_are_no_announcements() -> None:
    table = three_play()
    before = table.deal.snapshot()
    for what in (says.EXCHANGE, says.TRICK, says.LAST, says.KEEPS, says.LEFT, common.CLOSE, common.CORRECT):
        assert table.deal.announce(what, 1, 1) == ("unknown_what", what)
    assert table.deal.announce(common.LEAVE, 4) == ("seat_absent", 4)
    assert table.deal.announce("leave") == ("unknown_what", -1)
    assert table.deal.snapshot() == before


# What a seat may see.


def test_a_view() -> None:
    table = three_play().kept("A", 1).hands("8 8 9", "9 10 10", "2 3 4").do("8", "", "")
    table.do("9")
    view = table.deal.view(0)
    assert view.seat == 0 and view.turn == 0 and view.leader == 2 and view.order == [1, 2, 0]
    assert ranks(view.hand) == table.hand(0) and view.moves == table.deal.legal() and not view.exchanging
    assert view.dealt == 11 and view.left == 11 and view.pack == 51 and view.spare == 17
    assert view.exchanges == [0, 0, 1, -1, -1, -1] and view.gave == []
    assert ranks(table.deal.view(2).gave) == "8"
    assert [(seat, ranks(cards)) for seat, cards in view.trick] == [(2, "9")]
    assert ranks(view.bench) == "9" and view.taking == 2 and view.tricks == []
    assert [ranks(pile) for pile in view.piles[:3]] == ["", "A", ""]
    assert view.scores[:3] == [0, 11, 0] and view.outs == [0] * 6
    assert view.dealer == 1 and view.round == 2 and not view.sudden and view.rules[LIMIT] == 22
    other = table.deal.view(1)
    assert other.moves == [] and other.hand == table.deal.hands[1]
    for changed in (view.hand, view.moves, view.piles, view.piles[1], view.scores, view.trick, view.rules):
        changed.clear()
    for changed in (view.tricks, view.exchanges, view.outs, view.order, view.gave):
        changed.clear()
    table.check()
    assert len(table.deal.view(0).piles[1]) == 1 and table.keeper.scores[1] == 11


def test_a_view_shows_no_hidden_card() -> None:
    """Whatever is dealt anew of what this seat does not see, its view is the same."""
    random = Prng(5)
    asked = 0
    for seed in range(6):
        deal = Deal(Prng(seed), SilentKeeper())
        deal.begin([0, 1, 2, 3])
        while deal.keeper.phase != OVER:
            moves = deal.legal()
            if not moves:
                deal.close()
                continue
            if random.below(4) == 0:
                kept = deal.snapshot()
                for seat in range(4):
                    view = deal.view(seat)
                    others = [other for other in range(6) if other != seat]
                    hidden = list(deal.pack)
                    for other in others:
                        hidden += deal.hands[other] + deal.gave[other]
                    random.shuffle(hidden)
                    for other in others:
                        for cards in (deal.hands[other], deal.gave[other]):
                            count = len(cards)
                            cards[:] = hidden[:count]
                            del hidden[:count]
                    deal.pack = hidden
                    assert deal.view(seat) == view
                    deal.restore(kept)
                    asked += 1
            deal.do(moves[random.below(len(moves))])
    assert asked > 200


# Snapshots.


def test_a_snapshot_is_all_there_is() -> None:
    random = Prng(9)
    for seed in range(5):
        deal = Deal(Prng(seed), SilentKeeper())
        deal.begin(list(range(2 + seed)), {FINAL_TIE: seed & 1, MUST_BEAT: seed >> 1 & 1})
        other = Deal(Prng(99))
        while deal.keeper.phase != OVER:
            data = deal.snapshot()
            other.restore(data)
            assert other.snapshot() == data
            assert other.actor == deal.actor and other.legal() == deal.legal()
            assert other.bench == deal.bench and other.taking == deal.taking
            for seat in range(6):
                assert other.view(seat) == deal.view(seat)
            moves = deal.legal()
            if moves:
                move = moves[random.below(len(moves))]
                other.do(move)
                deal.do(move)
            else:
                other.close()
                deal.close()
            assert other.snapshot() == deal.snapshot(), "chance goes on as it would have"


def test_damaged_snapshots_are_refused_and_change_nothing() -> None:
    deal = Deal(Prng(4))
    deal.begin([0, 1, 2])
    for _ in range(9):
        deal.do(deal.legal()[0])
    good = deal.snapshot()
    other: Any = Deal(Prng(5))
    other.begin([1, 2])
    before = other.snapshot()
    wrong = [b"", good[:3], good[:40], good[:-1], good + b"\0", good[:-4], deal.keeper.snapshot()]
    for place in range(len(good)):
        wrong.append(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    for data in wrong:
        refused = False
        try:
            other.restore(data)
        except ValueError:
            refused = True
        assert refused and other.snapshot() == before
    other.restore(good)
    assert other.snapshot() == good and other.view(1) == deal.view(1)


def test_a_second_match_begins_anew() -> None:
    deal = Deal(Prng(2), SilentKeeper())
    deal.begin([0, 1])
    while deal.keeper.phase != OVER:
        moves = deal.legal()
        if moves:
            deal.do(moves[0])
        else:
            deal.close()
    assert max(deal.keeper.scores) >= 22
    deal.begin([2, 3, 4])
    assert deal.keeper.scores == [0] * 6 and deal.piles == [[] for _ in range(6)]
    check_cards(deal)
    table = Table(2)
    refused = False
    try:
        table.deal.begin([0, 1])
    except ValueError:
        refused = True
    assert refused
