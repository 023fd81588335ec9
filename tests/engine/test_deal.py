"""Last Card with its cards: the deal, the moves, what a seat may see.

Runs under CPython and in the MicroPython VM. The numbers are those of docs/rules/last_card.md.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says
from cardrules.last_card.cards import COLOUR, NO_COLOUR, POINTS, SYMBOL, name, named
from cardrules.last_card.deal import DRAW, KEEP, NAME, Deal, SilentKeeper
from cardrules.last_card.settings import DECK, DRAW_UNTIL, ONE_ROUND, STACKING, TARGET
from cardrules.prng import Prng
from rigged import COLOURS, Cards, Table, by_name, check_cards

try:
    from typing import Any
except ImportError:
    Any = object

RED, YELLOW, GREEN, BLUE = NAME, NAME + 1, NAME + 2, NAME + 3


# The deal.


def test_seven_each_one_at_a_time_from_the_top() -> None:
    """R9, R10, worked example 2: who gets which card, and how many are left."""
    for seats, left in ((2, 93), (3, 86), (4, 79), (5, 72), (6, 65)):
        table = Table(seats, dealer=1)
        cards = Cards()
        cards.take("R5")
        stock = cards.rest()
        stock.insert(DECK - 1 - 7 * seats, named("R5")[0])
        top_down = list(stock)
        top_down.reverse()
        table.deal.deal(stock)
        for place in range(seats):
            seat = (2 + place) % seats  # the seat behind the dealer is the first
            assert table.deal.hands[seat] == [top_down[place + seats * n] for n in range(7)]
        assert table.deal.pile == named("R5")[:1]
        assert len(table.deal.stock) == table.keeper.stock == left
        top_down = top_down[7 * seats + 1 :]
        top_down.reverse()
        assert table.deal.stock == top_down
        table.check()


def test_the_deal_goes_round_those_who_play() -> None:
    """R9, R35: gaps between seats get no cards."""
    table = Table([0, 2, 5], dealer=2)
    table.deal_out(["R1 R2 R3 R4 R6 R7 R8", "Y1 Y2 Y3 Y4 Y6 Y7 Y8", "G1 G2 G3 G4 G6 G7 G8"], "R5")
    assert [len(hand) for hand in table.deal.hands] == [7, 0, 7, 0, 0, 7]
    assert table.hand(5) == "R1 R2 R3 R4 R6 R7 R8"
    assert table.hand(0) == "Y1 Y2 Y3 Y4 Y6 Y7 Y8"
    assert table.hand(2) == "G1 G2 G3 G4 G6 G7 G8"
    assert table.keeper.turn == 5


def test_a_number_turned_up_is_said_to_nobody() -> None:
    """R10: the first player begins with an ordinary turn."""
    table = Table().deal_out(["R1 Y5 G2 G3 G4 W +4"], "R5")
    assert table.keeper.turn == 1 and table.said[-1][0] == common.START
    assert table.legal() == ["+4", "R1", "W", "Y5", DRAW]


def test_a_skip_turned_up() -> None:
    """R11, worked example 3: four seats, seat 2 starts."""
    table = Table().deal_out([], "RS")
    assert table.keeper.turn == 2 and table.keeper.direction == 1
    assert table.keeper.top == says.SKIP
    assert (says.TURNED, NO_SEAT, says.SKIP) in table.said


def test_a_reverse_turned_up() -> None:
    """R11, worked example 4: four seats, the dealer starts, then seat 3. Three seats likewise."""
    table = Table().deal_out(["R1", "R2", "R3", "R4"], "RR")
    assert table.keeper.turn == 0 and table.keeper.direction == -1
    table.do("R4")
    assert table.keeper.turn == 3
    table = Table(3).deal_out([], "BR")
    assert table.keeper.turn == 0 and table.keeper.due == 2


def test_a_plus_two_turned_up() -> None:
    """R11, worked example 5: seat 1 holds nine, the two from the top of the stock; seat 2 starts."""
    table = Table().deal_out(["R1 R2 R3 R4 R6 R7 R8"], "R+2", "B8 W")
    assert table.keeper.turn == 2
    assert table.hand(1) == "R1 R2 R3 R4 R6 R7 R8 B8 W"
    assert table.keeper.counts[1] == 9
    table.check()


def test_a_plus_two_turned_up_with_stacking() -> None:
    """A6: the first player may answer it like any other."""
    rules = {STACKING: 1}
    table = Table(rules=rules).deal_out(["R1 W +4 G+2 G1 G2 G3"], "R+2")
    assert table.keeper.turn == 1 and table.keeper.owed == 2
    assert table.legal() == ["G+2", DRAW]
    table.do("G+2")
    assert table.keeper.turn == 2 and table.keeper.owed == 4
    table.do(DRAW)
    assert table.keeper.counts[:4] == [7, 6, 11, 7] and table.keeper.turn == 3
    table = Table(rules=rules).deal_out(["R1 W +4 G+2 G1 G2 G3"], "R+2", "Y1 Y2").do(DRAW)
    assert table.hand(1) == "R1 W +4 G+2 G1 G2 G3 Y1 Y2"
    assert table.keeper.turn == 2 and table.keeper.owed == 0


def test_a_wild_turned_up() -> None:
    """R12, A5, worked example 6: seat 1 names green, then plays any green card or a wild."""
    table = Table().deal_out(["R1 R2 G3 GS W +4 B5"], "W")
    assert table.keeper.phase == "colour" and table.keeper.turn == 1
    assert table.deal.colour == NO_COLOUR
    assert table.legal() == [RED, YELLOW, GREEN, BLUE]
    table.do(GREEN)
    assert table.keeper.turn == 1 and table.keeper.colour == 2
    assert table.legal() == ["+4", "G3", "GS", "W", DRAW]


def test_a_plus_four_turned_up_goes_back() -> None:
    """R13, worked example 7: two of them, then blue 3. All four in a row as well."""
    for above in ("+4 +4", "+4 +4 +4 +4"):
        for seed in range(20):
            table = Table(seed=seed).deal_out([], above + " B3")
            assert by_name(table.deal.pile) == "B3"
            assert len(table.deal.stock) == 79
            wilds = [card for card in table.deal.stock if name(card) == "+4"]
            assert len(wilds) == 4
            assert table.keeper.turn == 1 and table.said[-1][0] == common.START
            table.check()


def test_a_plus_four_goes_back_anywhere() -> None:
    """A4: every place in the stock with the same chance: chi-square over the real generator."""
    table = Table(2, seed=2024)
    table.deal_out([], "R5 +4")  # the +4 is the top of the stock now
    stock = table.deal.stock
    upper = [stock.pop()] + table.deal.pile
    below = table.deal.hands[1] + table.deal.hands[0]
    places = len(stock) + 1
    assert places == 93
    seen = [0] * places
    deals = 93 * 40
    dealt = []
    for n in range(7):
        dealt += [table.deal.hands[1][n], table.deal.hands[0][n]]
    dealt.reverse()
    assert sorted(dealt) == sorted(below)
    for _ in range(deals):
        table.deal.deal(stock + [upper[1], upper[0]] + dealt)
        assert table.deal.pile == [upper[1]]
        seen[table.deal.stock.index(upper[0])] += 1
    # 92 degrees of freedom: mean 92, standard deviation 13.6; six of them each way.
    square = sum([(found - 40) * (found - 40) for found in seen])
    assert 10 * 40 < square < 174 * 40, square


class Script(Prng):
    """A generator whose first choices are written down: places from the top."""

    def __init__(self, choices: "list[int]") -> None:
        Prng.__init__(self, 1)
        self.choices = choices
        self.limits: list[int] = []

    def below(self, limit: int) -> int:
        self.limits.append(limit)
        return limit - 1 - self.choices.pop(0)


def test_a_plus_four_may_come_to_lie_on_top_again() -> None:
    """A4: the top is a place like others; then it is turned up again and goes back once more."""
    random = Script([0, 0, 3])
    table = Table(random=random).deal_out([], "+4 B3", "R1 R2 R4")
    assert random.limits == [80, 80, 80] and random.choices == []
    assert by_name(table.deal.pile) == "B3"
    assert [name(card) for card in table.deal.stock[-4:]] == ["R4", "+4", "R2", "R1"]


def test_the_first_deal_of_two() -> None:
    """Worked example 8, A18, R11, R20: with two seats Skip, Reverse and Plus Two let the dealer start."""
    for turned, direction, held in (("RS", 1, 7), ("RR", -1, 7), ("R+2", 1, 9)):
        table = Table(2).deal_out([], turned)
        assert table.keeper.turn == 0 and table.keeper.direction == direction
        assert len(table.deal.hands[1]) == table.keeper.counts[1] == held


def test_shuffled_deals_differ_and_come_again() -> None:
    """R9, A15: the generator decides all of it; the first dealer is drawn by lot."""
    dealers = []
    stocks = []
    for seed in range(40):
        deals = []
        for _ in range(2):
            deal = Deal(Prng(seed))
            deal.begin([0, 2, 3])
            check_cards(deal)
            deals.append(deal)
        assert deals[0].snapshot() == deals[1].snapshot()
        assert deals[0].stock not in stocks
        stocks.append(deals[0].stock)
        dealers.append(deals[0].keeper.dealer)
    assert sorted(set(dealers)) == [0, 2, 3]


def check_fair(orders: "list[list[int]]", cards: int, places: int) -> None:
    """Chi-square over 12 groups of cards and 12 of places: every card comes anywhere. Wide margins."""
    groups = 12
    seen = [[0] * groups for _ in range(groups)]
    for order in orders:
        for place in range(places):
            seen[order[place] * groups // cards][place * groups // places] += 1
    total = places * len(orders)
    of_cards = [sum(row) for row in seen]
    of_places = [sum([row[group] for row in seen]) for group in range(groups)]
    square = 0
    for one in range(groups):
        for two in range(groups):
            wanted = of_cards[one] * of_places[two]
            off = seen[one][two] * total - wanted
            square += off * off * 1000 // (wanted * total)
    # 121 degrees of freedom: mean 121, standard deviation 15.6; cards that come once are a little less.
    assert 50000 < square < 230000, square


def test_the_stock_is_shuffled_to_its_last_card() -> None:
    """R9: card by card, down to the bottom, the order is as good as any other."""
    random = Prng(31)
    orders = []
    for _ in range(350):
        deal = Deal(random, SilentKeeper())
        deal.begin([0, 1], {}, 0)
        if SYMBOL[deal.pile[0]] > 9:
            continue
        order = []
        for _ in range(93):
            deal.do(DRAW)
            order.append(deal.drawn)
            deal.do(KEEP)
        orders.append(order)
    check_fair(orders, DECK, 93)


def test_the_pile_is_shuffled_to_its_last_card() -> None:
    """R18: the order in which its cards come again has nothing to do with the one in which they lay."""
    orders = []
    table = Table(2, dealer=0, seed=41).put({1: "R1", 0: "R2"}, "R5", rest="pile")
    kept = table.deal.snapshot()
    under = table.deal.pile[:-1]
    for _ in range(250):
        state = table.deal.random.state()
        table.deal.restore(kept)
        table.deal.random.resume(state)
        order = []
        for _ in range(105):
            table.deal.do(DRAW)
            order.append(under.index(table.deal.drawn))
            table.deal.do(KEEP)
            table.said = []
            table.notices = []
        orders.append(order)
    check_fair(orders, 105, 105)


class PlusFourFirst(Prng):
    """A generator after whose shuffle of the deck one certain Plus Four is turned up between two players."""

    def shuffle(self, items: "Any", *rest: "Any") -> None:
        Prng.shuffle(self, items, *rest)
        if len(items) == DECK:
            place = items.index(PUT_BACK)
            items[place], items[-15] = items[-15], items[place]


PUT_BACK = named("+4")[0]


def test_a_plus_four_goes_back_anywhere_in_a_shuffled_stock() -> None:
    """A4: seen by when it is drawn, in groups of three draws."""
    random = PlusFourFirst(51)
    seen = [0] * 31
    for _ in range(1000):
        deal = Deal(random, SilentKeeper())
        deal.begin([0, 1], {}, 0)
        if SYMBOL[deal.pile[0]] > 9:
            continue
        drawn = -1
        draws = 0
        while drawn != PUT_BACK:
            deal.do(DRAW)
            drawn = deal.drawn
            deal.do(KEEP)
            draws += 1
            assert draws <= 93
        seen[(draws - 1) // 3] += 1
    deals = sum(seen)
    assert deals > 600
    # 30 degrees of freedom: mean 30, standard deviation 7.7; six of them each way, as far as there are.
    square = sum([(31 * found - deals) * (31 * found - deals) for found in seen]) // (31 * deals)
    assert 5 < square < 77, square


# A turn.


def test_what_may_be_played_on_every_card() -> None:
    """R14, R22, R23, R25: all other cards in one hand, by their names; after each colour of a wild."""
    faces = []
    for top in range(DECK):
        pile = name(top)
        if pile in faces:
            continue
        faces.append(pile)
        wild = pile in ("W", "+4")
        for called in "RYGB" if wild else pile[0]:
            table = Table(2, dealer=0).put({0: "R1 B1"}, pile, rest=1, colour=called if wild else "")
            fitting = []
            for card in table.deal.hands[1]:
                text = name(card)
                same = not wild and text[1:] == pile[1:]
                if text in ("W", "+4") or text[0] == called or same:
                    fitting.append(card)
            assert table.deal.legal() == fitting, pile
    assert len(faces) == 54


def test_draw_one() -> None:
    """Worked example 12, R15, R16: red 9 drawn on red 5 is played or kept, red 7 has to wait."""
    for move, counts in (("R9", [7, 7]), (KEEP, [7, 8])):
        table = Table(2).deal_out(["R7 G1 G2 G3 B1 B2 B3"], "R5", "R9")
        assert table.legal() == ["R7", DRAW]
        table.do(DRAW)
        assert table.keeper.turn == 1 and table.deal.drawn == named("R9")[0]
        assert table.legal() == ["R9", KEEP]
        table.do(move)
        assert table.keeper.counts[:2] == counts and table.keeper.turn == 0  # R17
    assert table.hand(1) == "R7 G1 G2 G3 B1 B2 B3 R9"


def test_a_drawn_card_that_does_not_fit_is_kept() -> None:
    """R15, R17."""
    table = Table(2).deal_out(["R7 G1 G2 G3 B1 B2 B3"], "R5", "G9").do(DRAW)
    assert table.legal() == [KEEP]
    table.do(KEEP)
    assert table.keeper.turn == 0 and table.keeper.counts[1] == 8


def test_drawing_is_a_choice() -> None:
    """R16, R23: with cards that fit in hand, and after a wild as well."""
    table = Table(2).deal_out(["R7 R8 R9 R1 W W +4"], "R5")
    assert DRAW in table.legal()
    table.do("W", GREEN)
    assert DRAW in table.legal() and table.keeper.turn == 0


def test_a_drawn_card_that_acts_may_be_played_at_once() -> None:
    """R15, R19, R21, R23: it does what it does from the hand."""
    table = Table(3).deal_out(["G1"], "R5", "RS").do(DRAW, "RS")
    assert table.keeper.turn == 0
    table = Table(3).deal_out(["G1"], "R5", "R+2 Y1 Y2").do(DRAW, "R+2")
    assert table.keeper.turn == 0 and table.hand(2)[-6:] == " Y1 Y2"
    table = Table(3).deal_out(["G1"], "R5", "W").do(DRAW, "W")
    assert table.keeper.phase == "colour" and table.keeper.turn == 1
    table.do(BLUE)
    assert table.keeper.turn == 2
    assert table.told("played")[-1] == (1, says.WILD)


def test_a_drawn_number_is_said_as_played() -> None:
    table = Table(3).deal_out(["G1"], "R5", "R8").do(DRAW, "R8")
    assert [said[0] for said in table.said[-2:]] == [says.DRAW, says.PLAYED]


def test_draw_until_a_match() -> None:
    """R32, worked example 23: green 1, yellow 4 and red 8 are drawn; red 8 is played, or all are kept."""
    for move, hand in (("R8", "G2 G3 G4 B1 B2 B3 B4 G1 Y4"), (KEEP, "G2 G3 G4 B1 B2 B3 B4 G1 Y4 R8")):
        table = Table(2, rules={DRAW_UNTIL: 1}).deal_out(["G2 G3 G4 B1 B2 B3 B4"], "R5", "G1 Y4 R8 R9")
        table.do(DRAW)
        assert table.keeper.turn == 1 and table.keeper.drew == 3
        assert table.legal() == ["R8", KEEP]
        table.do(move)
        assert table.hand(1) == hand and table.keeper.turn == 0
    assert table.told("kept") == [(1, 3)]


def test_draw_until_with_a_card_that_fits_in_hand() -> None:
    """A7: then one card is drawn, match or not."""
    table = Table(2, rules={DRAW_UNTIL: 1}).deal_out(["R1 G3 G4 B1 B2 B3 B4"], "R5", "G1 R8").do(DRAW)
    assert table.keeper.drew == 1 and table.legal() == [KEEP]
    table = Table(2, rules={DRAW_UNTIL: 1}).deal_out(["W G3 G4 B1 B2 B3 B4"], "R5", "G1 R8").do(DRAW)
    assert table.keeper.drew == 1


def test_a_drawn_wild_ends_the_drawing() -> None:
    """A8: it fits."""
    for wild in ("W", "+4"):
        table = Table(2, rules={DRAW_UNTIL: 1})
        table.deal_out(["G2 G3 G4 B1 B2 B3 B4"], "R5", "G1 " + wild + " R8").do(DRAW)
        assert table.keeper.drew == 2 and table.legal() == [wild, KEEP]


def test_drawing_until_nothing_is_left() -> None:
    """A10, R32: exhaustion ends the drawing, the turn passes; R18: the pile was shuffled for it."""
    table = Table(2, dealer=0, rules={DRAW_UNTIL: 1})
    table.put({1: "G2"}, "B1 B2 R5", "G3 G4", rest=0).do(DRAW)
    assert table.keeper.drew == 4 and table.keeper.stock == 0
    assert table.hand(1)[:8] == "G2 G3 G4" and len(table.deal.hands[1]) == 5
    assert table.legal() == [KEEP]
    table.do(KEEP)
    assert table.keeper.turn == 0 and table.keeper.phase == "play"


def test_pile_and_stock_when_the_stock_runs_out() -> None:
    """Worked example 21, R18, A16: one card, thirty in the pile, a Plus Four on top, blue called."""
    table = Table(2, dealer=1)
    pile = "W W R2 R3 R4 R5 R6 R7 R8 R9 W W Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 G1 G2 G3 G4 G5 G6 G7 GS +4"
    assert len(pile.split()) == 29
    table.put({0: "+4 +4"}, pile, "B9", rest=1)
    under = list(table.deal.pile)
    ninth = table.deal.stock[0]
    held = len(table.deal.hands[1])
    table.do("+4", BLUE)
    assert len(table.deal.pile) == 1 and name(table.deal.pile[0]) == "+4"
    assert table.deal.colour == table.keeper.colour == 3
    got = table.deal.hands[1][held:]
    assert got[0] == ninth and len(got) == 4
    assert len(table.deal.stock) == table.keeper.stock == 26
    assert sorted(table.deal.stock + got[1:]) == sorted(under)
    assert table.keeper.turn == 0 and table.keeper.owed == 0
    assert table.legal() == ["+4", DRAW]
    # The wilds among them have no colour any more: drawn and played, they ask for a new one.
    wild = [card for card in table.deal.stock if name(card) == "W"]
    assert wild
    table.deal.stock.remove(wild[0])
    table.deal.stock.append(wild[0])
    table.do(DRAW, "W")
    assert table.keeper.phase == "colour" and table.deal.colour == NO_COLOUR


def test_one_in_the_stock_ten_in_the_pile_four_to_draw() -> None:
    """R18: one and three; the top card stays; six can be drawn, and that only once each."""
    table = Table(2, dealer=1)
    table.put({0: "+4 +4"}, "B1 B2 B3 B4 B5 B6 B7 B8 B9", "R9", rest=1)
    table.do("+4", RED)
    assert len(table.deal.stock) == 6 and len(table.deal.pile) == 1
    assert table.deal.colour == 0
    assert table.hand(1).split()[-4] == "R9"


def test_the_pile_is_shuffled_only_when_a_card_must_be_drawn() -> None:
    """R18: an empty stock alone changes nothing."""
    table = Table(3, dealer=0).put({1: "R1 G9", 2: "R2 B9"}, "B1 R5", "Y9", rest=0)
    table.do(DRAW, KEEP)
    assert table.deal.stock == [] and by_name(table.deal.pile) == "B1 R5"
    table.do("R2")
    assert table.deal.stock == [] and len(table.deal.pile) == 3
    table.do(DRAW)
    assert len(table.deal.stock) == 1 and [name(card) for card in table.deal.pile] == ["R2"]


def test_reshuffled_piles_come_in_another_order() -> None:
    """R18: shuffled, not turned over."""
    orders = []
    under = "G1 G2 G3 G4 G5 G6 G7 G8 Y1 Y2 Y3"
    for seed in range(6):
        table = Table(2, dealer=0, seed=seed)
        table.put({1: "G9 B9"}, under + " R5", "", rest=0).do(DRAW)
        orders.append([name(card) for card in table.deal.stock + table.deal.hands[1][2:]])
    for place in range(6):
        assert " ".join(sorted(orders[place])) == under
        assert orders[place] not in orders[:place]


def test_no_reshuffle_loses_or_doubles_a_card() -> None:
    """R18: random play in which nobody goes out, up to the third reshuffle and beyond."""
    for rules in ({}, {STACKING: 1, DRAW_UNTIL: 1}):
        table = Table(2, rules=rules, seed=5)
        table.deal.deal()
        random = Prng(77)
        times = 0
        longest = 0
        while times < 5 and longest < 6000:
            longest += 1
            table.said = []
            table.notices = []
            moves = table.deal.legal()
            few = len(table.deal.hands[table.keeper.turn]) < 3
            move = moves[-1] if few and moves[-1] in (DRAW, KEEP) else moves[random.below(len(moves))]
            before = len(table.deal.stock)
            table.deal.do(move)
            times += before < len(table.deal.stock)
            table.check()
            assert table.keeper.phase in ("play", "colour")
        assert times == 5, longest


# Cards that act.


def test_action_cards() -> None:
    """R19, R20, R21, R24: who is on turn, who takes which cards."""
    table = Table().deal_out(["RS", "", "BS"], "R5").do("RS")
    assert table.keeper.turn == 3
    table.do("BS")
    assert table.keeper.turn == 1
    table = Table().deal_out(["R+2"], "R5", "B1 B2").do("R+2")
    assert table.keeper.turn == 3 and table.hand(2)[-6:] == " B1 B2" and table.keeper.counts[2] == 9
    table = Table().deal_out(["+4"], "R5", "B1 B2 B3 B4").do("+4")
    assert table.keeper.counts[2] == 7  # nothing is taken before the colour is named
    table.do(GREEN)
    assert table.keeper.turn == 3 and table.hand(2)[-12:] == " B1 B2 B3 B4"
    assert table.deal.colour == 2


def test_a_reverse_among_few() -> None:
    """Worked example 9, R20: two seats: again; three seats: seat 0 next."""
    table = Table(2).deal_out(["RR GR"], "R5").do("RR")
    assert table.keeper.turn == 1 and table.keeper.direction == -1
    table.do("GR")
    assert table.keeper.turn == 1 and table.keeper.direction == 1
    table = Table(3).deal_out(["RR"], "R5").do("RR")
    assert table.keeper.turn == 0


def test_an_action_card_follows_its_symbol() -> None:
    """R22: across colours, onto the card turned up as well."""
    table = Table().deal_out(["", "BS GS R1 G5 G6 G7 G8"], "RS")
    assert table.legal() == sorted(["BS", "GS", "R1"]) + [DRAW]


def test_a_wild_names_any_colour() -> None:
    """R23: the colour that lies there included; no other move before."""
    for colour in range(4):
        table = Table().deal_out(["W", "R2 Y2 G2 B2 W +4 RS"], "R5").do("W")
        assert table.legal() == [RED, YELLOW, GREEN, BLUE]
        table.do(NAME + colour)
        assert table.deal.colour == table.keeper.colour == colour
        there = [move for move in table.legal() if move != DRAW]
        wanted = ["+4", COLOURS[colour] + "2", "W"] + (["RS"] if colour == 0 else [])
        assert there == sorted(wanted)


def test_a_plus_four_needs_no_excuse() -> None:
    """R25, A1: with the pile's colour in hand; and nothing can be said against it."""
    table = Table().deal_out(["+4 R1 R2 R3"], "R5")
    assert "+4" in table.legal()
    table.do("+4", BLUE)
    assert table.keeper.turn == 3


def test_no_stacking_a_plus_two_is_not_answered() -> None:
    """Worked example 18, R21, R31, R33: seat 2 holds a Plus Two, takes two and is passed over."""
    table = Table().deal_out(["R+2", "B+2 G+2 +4"], "R5").do("R+2")
    assert table.keeper.turn == 3 and table.keeper.counts[2] == 9 and table.keeper.owed == 0
    assert table.keeper.rules == {TARGET: 300, STACKING: 0, DRAW_UNTIL: 0}


def test_stacking_plus_twos_and_plus_fours() -> None:
    """Worked example 15, R31, A12, A13: three +2: six; two +4: eight; never one on the other."""
    table = Table(rules={STACKING: 1})
    table.deal_out(["R+2 R1", "G+2 +4 GS", "B+2 +4", "+4 W R1 RS"], "R5", "Y1 Y2 Y3 Y4 Y5 Y6")
    table.do("R+2")
    assert table.keeper.owed == 2 and table.legal() == ["G+2", DRAW]
    table.do("G+2")
    assert table.keeper.owed == 4 and table.legal() == ["B+2", DRAW]
    table.do("B+2")
    assert table.keeper.owed == 6 and table.legal() == [DRAW]
    table.do(DRAW)
    assert table.hand(0)[-18:] == " Y1 Y2 Y3 Y4 Y5 Y6" and table.keeper.turn == 1
    assert table.keeper.owed == 0
    table = Table(rules={STACKING: 1}).deal_out(["+4", "+4 R+2 W", "R+2 B2 W RS"], "R5").do("+4", RED)
    assert table.keeper.owed == 4 and table.legal() == ["+4", DRAW]
    table.do("+4", BLUE)  # A14: the colour named last counts
    assert table.keeper.owed == 8 and table.legal() == [DRAW]
    table.do(DRAW)
    assert table.keeper.counts[3] == 15 and table.deal.colour == 3 and table.keeper.turn == 0


def test_answering_is_a_choice() -> None:
    """A12: with a Plus Two in hand all may be taken; after that colour and symbol count again."""
    table = (
        Table(3, rules={STACKING: 1}).deal_out(["R+2", "G+2", "R1 W +4 B+2 B1 B3 B4"], "R5").do("R+2", DRAW)
    )
    assert table.keeper.counts[2] == 9 and table.keeper.turn == 0
    assert table.legal() == ["+4", "B+2", "R1", "W", DRAW]


def test_a_debt_is_paid_once() -> None:
    """R24, R31: four are taken, nothing is owed, the next draw is one card."""
    for stacking in (0, 1):
        table = Table(3, rules={STACKING: stacking}).deal_out(["+4"], "R5").do("+4", RED)
        if stacking:
            table.do(DRAW)
        assert table.keeper.counts[2] == 11 and table.keeper.owed == 0 and table.keeper.turn == 0
        table.do(DRAW, KEEP)
        assert table.keeper.counts[0] == 8


def test_stacking_between_two() -> None:
    """Worked example 16: A +2, B +2, no answer: A takes four, B plays."""
    table = Table(2, rules={STACKING: 1}).deal_out(["R+2", "G+2 B+2"], "R5").do("R+2", "G+2", DRAW)
    assert table.keeper.counts[1] == 10 and table.keeper.turn == 0


def test_draw_until_does_not_stretch_a_debt() -> None:
    """R31, R32: what is owed is taken, no more, whether it fits or not."""
    table = Table(2, rules={STACKING: 1, DRAW_UNTIL: 1})
    table.deal_out(["R+2", "G1 G2 G3 G4 G6 G7 G8"], "R5", "Y1 Y2 R3").do("R+2", DRAW)
    assert table.keeper.counts[0] == 9 and table.keeper.turn == 1


# The last card, the end of a round.


def test_one_card_left_is_said() -> None:
    """R26: every time, whatever the cause."""
    table = Table(2, dealer=0).put({1: "R1 R2 G1", 0: "R3 R4 R5"}, "R9").do("R1", "R3", "R2")
    assert table.told("last_card") == [(1, 0)]
    table.do("R4", DRAW, KEEP, "R5")
    assert table.told("last_card") == [(1, 0), (0, 0)]
    table = Table(2, dealer=0).put({1: "R1 R2 R3", 0: "R4 R6"}, "R9", "B1").do("R1", "R4", "R2")
    assert table.told("last_card") == [(0, 0), (1, 0)]


def test_going_out_scores_the_other_hands() -> None:
    """Worked example 13, R1, R27: 7, 0, Skip and +2, Wild, +4: 27 and 120, 147 to the winner."""
    table = Table(3, dealer=0).put({1: "R1", 2: "R7 B0 YS", 0: "G+2 W +4"}, "R5").do("R1")
    assert table.keeper.phase == "scored" and table.keeper.out_seat == 1
    assert table.said[-4:] == [
        (says.DONE, 1, 0),
        (says.OUT, 1, 0),
        (says.SUM, 2, 27),
        (says.SUM, 0, 120),
    ]
    assert table.keeper.points == 147
    assert table.deal.legal() == []
    table.deal.close()
    assert table.keeper.scores[:3] == [0, 147, 0] and table.keeper.rounds == [(1, 147)]
    assert min([len(hand) for hand in table.deal.hands[:3]]) == 7


def test_a_last_plus_two_is_still_taken() -> None:
    """Worked example 14, R28: the other one held blue 5, draws red 9 and a Wild: 64. Nothing stays owed."""
    for rules in ({}, {STACKING: 1}, {DRAW_UNTIL: 1}):
        table = Table(2, dealer=0, rules=rules).put({1: "R+2", 0: "B5"}, "R5", "R9 W").do("R+2")
        assert table.keeper.points == 64 and table.hand(0) == "B5 R9 W"
        assert table.keeper.phase == "scored"
        table.deal.close()
        turned = rules and name(table.deal.pile[0])[1:] == "+2"
        assert table.keeper.owed == (2 if turned and STACKING in rules else 0)
        assert table.keeper.colour == -1
    table = Table(2, dealer=0).put({1: "R+2", 0: "B5 G9"}, "R5", "YS Y7").do("R+2")
    assert table.keeper.points == 41


def test_a_last_plus_four_asks_for_no_colour() -> None:
    """R28, A19: four more cards count; then the round is over."""
    table = Table(2, dealer=0).put({1: "+4", 0: "B5"}, "R5", "R9 W B0 B1").do("+4")
    assert table.keeper.phase == "scored" and table.keeper.points == 5 + 9 + 50 + 0 + 1
    table = Table(2, dealer=0).put({1: "W", 0: "B5"}, "R5").do("W")
    assert table.keeper.phase == "scored" and table.keeper.points == 5


def test_a_last_skip_or_reverse_does_nothing() -> None:
    """A19."""
    for card in ("RS", "RR"):
        table = Table(3, dealer=0).put({1: card, 0: "B5", 2: "B1"}, "R5").do(card)
        assert table.keeper.phase == "scored" and table.keeper.points == 6
        assert table.keeper.direction == 1


def test_a_last_plus_card_is_not_answered() -> None:
    """Worked example 17, A11, R31: two pending, the last card is +2: the next one takes four."""
    table = Table(3, dealer=0, rules={STACKING: 1})
    table.put({1: "R+2 R1", 2: "G+2", 0: "B+2"}, "R5", "Y1 Y2 Y3 Y4").do("R+2", "G+2")
    assert table.keeper.phase == "scored" and table.keeper.out_seat == 2
    assert table.hand(0) == "B+2 Y1 Y2 Y3 Y4"
    assert table.keeper.points == 20 + 10 + 1


def test_a_last_plus_card_with_too_few_cards_left() -> None:
    """A10, R28: what is not there is not taken."""
    table = Table(2, dealer=0).put({1: "+4"}, "R5", "B7", rest=0)
    held = len(table.deal.hands[0])
    table.do("+4")
    assert len(table.deal.hands[0]) == held + 2 and table.keeper.stock == 0
    assert table.keeper.points == 1240 - 50  # all but the card on top


def test_a_round_may_be_worth_nothing() -> None:
    """Worked example 20, A17, R30: in a match of one round its winner wins with no points."""
    table = Table(3, dealer=0, rules={TARGET: ONE_ROUND}).put({1: "R1", 2: "B0", 0: "G0 Y0"}, "R5").do("R1")
    assert table.keeper.phase == "scored" and table.keeper.points == 0 and table.keeper.wins_match
    table.deal.close()
    assert table.keeper.phase == "over" and table.keeper.winner == 1
    assert table.deal.legal() == [] and table.deal.hands == [[]] * 6 and table.deal.stock == []


def test_the_target_ends_the_match() -> None:
    """Worked example 19, R29: 290 and 10 are 300; 290 and 9 go on."""
    for held, over in (("B9", False), ("B9 B1", True)):
        table = Table(2, dealer=0).put({1: "R1", 0: held}, "R5")
        table.keeper.scores[1] = 290
        table.do("R1")
        table.deal.close()
        assert (table.keeper.phase == "over") == over
        assert table.keeper.winner == (1 if over else NO_SEAT)
        assert table.keeper.scores[1] == (300 if over else 299)


def test_the_next_dealer() -> None:
    """Worked example 22, A15, R30: dealer 1 in the second round, clockwise again, whatever was before."""
    table = Table(3, dealer=0).deal_out([], "RR")
    assert table.keeper.direction == -1
    table.put({0: "R1", 1: "B1", 2: "B2"}, "RR").do("R1")
    table.deal.close()
    assert table.keeper.dealer == 1 and table.keeper.round == 2
    turned = name(table.deal.pile[0])[1:]
    assert table.keeper.direction == (-1 if turned == "R" else 1)
    assert table.keeper.turn == {"R": 1, "S": 0, "+2": 0}.get(turned, 2)
    table.check()


def test_hands_of_the_next_round_begin_behind_the_new_dealer() -> None:
    """R9, A15: two rounds from rigged decks in one match."""
    table = Table(3, dealer=0).put({1: "R1", 0: "B1", 2: "B2"}, "R5").do("R1")
    table.deal.close()
    table.keeper.ring.face(1)  # whatever was turned up by chance
    table.deal_out(["G1 G2 G3 G4 G6 G7 G8"], "R5")
    assert table.hand(2) == "G1 G2 G3 G4 G6 G7 G8" and table.keeper.round == 2


# Nothing to draw.


def test_nothing_to_draw_who_can_play_must() -> None:
    """A10: with a card that fits there is no passing, without one there is nothing else."""
    table = Table(3, dealer=0).put({1: "R1 B1", 2: "R2 G9"}, "R5", "", rest=0)
    assert table.legal() == ["R1"]
    table = Table(3, dealer=0).put({1: "B1 B2", 2: "R2 G9"}, "R5", "", rest=0)
    assert table.legal() == [KEEP]
    table.do(KEEP)
    assert table.told("passed") == [(1, 0)] and table.keeper.turn == 2
    assert table.legal() == ["R2"]
    table.do("R2")  # now the card below can be drawn
    assert table.keeper.stock == 1 and table.legal()[-1] == DRAW


def test_a_round_of_passes_is_void() -> None:
    """A10, K8: no points, the next dealer, in a match of one round as well."""
    for target in (300, ONE_ROUND):
        table = Table(4, dealer=0, rules={TARGET: target})
        table.put({1: "B1 B2", 2: "G1 G2", 0: "Y1 Y2"}, "R5", "", rest=3)
        # Who holds what fits leaves: the others can only pass.
        assert table.deal.announce(common.LEAVE, 3) is None
        table.do(KEEP, KEEP)
        assert table.keeper.turn == 0 and table.keeper.phase == "play"
        table.do(KEEP)
        assert table.told("round_void") == [(NO_SEAT, 1)]
        assert table.keeper.dealer == 1 and table.keeper.round == 1 and table.keeper.scores == [0] * 6
        assert [len(hand) for hand in table.deal.hands[:4]].count(7) >= 2 and table.deal.hands[3] == []
        assert table.deal.legal()
        table.check()


def test_a_play_ends_a_series_of_passes() -> None:
    """A10: passes count in a row only."""
    table = Table(3, dealer=0)
    table.put({1: "B1 B2", 2: "G1 G2 W"}, "R5", "", rest=0)
    assert table.deal.announce(common.LEAVE, 0) is None
    table.do(KEEP, "W", YELLOW, DRAW, KEEP, KEEP)
    assert table.keeper.turn == 1 and table.keeper.phase == "play" and not table.told("round_void")
    table.do(KEEP)
    assert table.told("round_void") == [(NO_SEAT, 1)]


def test_an_unpaid_rest_is_cancelled() -> None:
    """A10: two of four are there; later draws owe nothing. With stacking: of a stack, down to none."""
    table = Table(2, dealer=0).put({1: "+4 B2 B3"}, "R5", "B7", rest=0)
    held = len(table.deal.hands[0])
    table.do("+4", BLUE)
    assert len(table.deal.hands[0]) == held + 2 and table.keeper.stock == 0 and table.keeper.owed == 0
    assert table.told("takes") == [(0, 2)] and table.keeper.turn == 1
    table.do("B2", DRAW, KEEP)
    assert len(table.deal.hands[0]) == held + 3
    table = Table(3, dealer=0, rules={STACKING: 1}).put({1: "R+2 B2", 2: "B3 B4"}, "R5", "", rest=0)
    table.do("R+2")
    assert table.legal() == [DRAW] and table.keeper.owed == 2
    table.do(DRAW)
    assert table.keeper.counts[2] == 3 and table.keeper.owed == 0 and table.keeper.turn == 0


def test_a_debt_when_nothing_is_there_is_a_turn_without_a_card() -> None:
    """A10, R31: owed cards are taken, none are there, the others pass: void."""
    table = Table(3, dealer=0, rules={STACKING: 1})
    table.put({1: "B2 B3", 2: "B4 B5"}, "R+2", "", rest=0)
    assert table.deal.announce(common.LEAVE, 0) is None
    table.keeper.owed = 2
    table.deal.restore(table.deal.snapshot())
    table.do(DRAW)
    assert table.told("takes") == [(1, 0)] and table.keeper.turn == 2
    assert table.legal() == [KEEP]
    table.do(KEEP)
    assert table.told("round_void") == [(NO_SEAT, 1)]
    table.check()


# People come and go.


def test_who_leaves_is_passed_over_and_comes_back_to_the_hand() -> None:
    """R35: the hand waits, nobody draws it; turn and direction stay."""
    table = Table(4).deal_out(["R1 R2", "R3 R4", "R6 R7", "R8 R9"], "R5")
    hand = table.hand(2)
    assert table.deal.announce(common.LEAVE, 2) is None
    table.check()
    assert table.keeper.turn == 1 and table.hand(2) == hand
    table.do("R1")
    assert table.keeper.turn == 3
    assert table.deal.announce(common.JOIN, 2) is None
    table.check()
    assert table.hand(2) == hand and table.keeper.turn == 3
    table.do("R6", "R8", "R2")
    assert table.keeper.turn == 2
    table.do("R3")
    assert table.keeper.counts[2] == 6


def test_who_leaves_on_turn_hands_it_on() -> None:
    """R35: also in the middle of drawing; the card drawn goes along."""
    table = Table(4).deal_out([], "R5", "R9").do(DRAW)
    assert table.deal.announce(common.LEAVE, 1) is None
    assert table.keeper.turn == 2 and table.keeper.drew == 0 and len(table.deal.hands[1]) == 8
    assert DRAW in table.deal.legal()
    assert table.deal.view(2).drawn == -1


def test_who_leaves_owing_takes_the_cards_along() -> None:
    """K7, R31: then the next one plays on the pile as usual."""
    table = (
        Table(4, rules={STACKING: 1}).deal_out(["R+2", "", "R1 W B3 B4 B6 B7 B8"], "R5", "B1 B2").do("R+2")
    )
    assert table.deal.announce(common.LEAVE, 2) is None
    assert table.hand(2)[-6:] == " B1 B2" and table.keeper.owed == 0 and table.keeper.turn == 3
    table.check()
    assert table.legal() == ["R1", "W", DRAW]


def test_who_has_to_name_a_colour_cannot_leave() -> None:
    """K7: the reason is handed back, the cards stay as they are."""
    table = Table(3).deal_out(["W"], "R5").do("W")
    before = table.deal.snapshot()
    assert table.deal.announce(common.LEAVE, 1) == ("colour_needed", 1)
    assert table.deal.announce(common.LEAVE, 5) == ("seat_absent", 5)
    assert table.deal.announce(common.SWAP, 4, 5) == ("seat_absent", 4)
    assert table.deal.snapshot() == before
    # Another one may; the effect then reaches who is next.
    assert table.deal.announce(common.LEAVE, 2) is None
    table.do(RED)
    assert table.keeper.turn == 0


def test_a_plus_card_reaches_past_who_has_left() -> None:
    """R35, R24: the next active seat takes the cards."""
    table = Table(4).deal_out(["+4"], "R5").do("+4")
    assert table.deal.announce(common.LEAVE, 2) is None
    table.do(RED)
    assert table.keeper.counts[:4] == [7, 6, 7, 11] and table.keeper.turn == 0


def test_an_absent_hand_counts_for_the_winner() -> None:
    """R35, R27, R18: and cannot be drawn meanwhile."""
    table = Table(3, dealer=0).put({1: "R1", 2: "W +4 B9", 0: "B1"}, "R5")
    assert table.deal.announce(common.LEAVE, 2) is None
    table.do("R1")
    assert table.keeper.points == 110 and (says.SUM, 2, 109) in table.said
    table.deal.close()
    assert table.deal.hands[2] == [] and table.keeper.dealer == 1 and table.keeper.turn != 2
    assert table.deal.announce(common.JOIN, 2) is None
    assert table.deal.hands[2] == []  # without a hand it waits for the next deal
    table.check()


def test_with_one_left_the_round_is_void() -> None:
    """R35: no cards lie anywhere until somebody comes; then the next dealer deals."""
    table = Table(2).deal_out([], "R5")
    assert table.deal.announce(common.LEAVE, 0) is None
    assert table.keeper.phase == "short"
    assert table.deal.hands == [[]] * 6 and table.deal.stock == [] and table.deal.pile == []
    assert table.deal.legal() == []
    assert table.deal.announce(common.JOIN, 4, 9) is None
    assert table.keeper.phase in ("play", "colour") and table.keeper.dealer == 1
    assert len(table.deal.hands[4]) >= 7 and len(table.deal.hands[1]) >= 7 and table.deal.hands[0] == []
    table.check()


def test_late_joiners_get_cards_from_the_next_deal_on() -> None:
    """R35: with no points."""
    table = Table(2, dealer=0).put({1: "R1", 0: "B5"}, "R5")
    assert table.deal.announce(common.JOIN, 3, 7) is None
    assert table.deal.hands[3] == [] and table.keeper.due == 0
    table.do("R1")
    table.deal.close()
    assert len(table.deal.hands[3]) >= 7 and table.keeper.scores == [0, 5, 0, 0, 0, 0]
    table.check()


def test_two_change_seats_with_their_hands() -> None:
    """R35, K9: cards, turn, drawn card and what is known of a seat move along."""
    table = Table(3).deal_out(["R1 R2", "G1 G2"], "R5", "R9").do(DRAW)
    one, two = table.hand(1), table.hand(2)
    assert table.deal.lacks == [0, 1, 0, 0, 0, 0]
    assert table.deal.announce(common.SWAP, 1, 2) is None
    assert table.hand(2) == one and table.hand(1) == two and table.keeper.turn == 2
    assert table.deal.lacks == [0, 0, 1, 0, 0, 0]
    assert table.legal() == ["R9", KEEP]
    table.do("R9")
    table.check()
    assert table.deal.announce(common.SWAP, 0, 5) is None  # an empty place
    assert len(table.deal.hands[5]) == 7 and table.deal.hands[0] == []
    table.check()


def test_a_void_round_is_dealt_again() -> None:
    """K8: the next dealer, the same number, all cards new."""
    table = Table(3).deal_out(["R1"], "R5").do("R1")
    assert table.deal.announce(common.VOID) is None
    assert table.keeper.round == 1 and table.keeper.dealer == 1
    assert len(table.deal.pile) == 1 and sum(table.deal.lacks) == 0
    table.check()


def test_an_ended_match_has_no_cards() -> None:
    table = Table(3).deal_out(["R1"], "R5").do("R1")
    assert table.deal.announce(common.END) is None
    assert table.keeper.phase == "over" and table.deal.legal() == []
    assert table.deal.stock == [] and table.deal.pile == [] and table.deal.hands == [[]] * 6
    assert table.deal.announce(common.VOID) == ("match_over",)


def test_a_correction_that_reopens_the_match_deals() -> None:
    """K11: totals, end and next deal follow."""
    table = Table(2, dealer=0).put({1: "R1", 0: "B5"}, "R5")
    table.keeper.rules[TARGET] = ONE_ROUND
    table.do("R1")
    table.deal.close()
    assert table.keeper.phase == "over"
    table.keeper.rules[TARGET] = 300
    assert table.deal.announce(common.CORRECT, 0, 65536 + 32768 + 7) is None
    assert table.keeper.phase in ("play", "colour") and table.keeper.scores[:2] == [7, 0]
    assert table.keeper.dealer == 1
    table.check()


def test_house_rules_stay_for_the_match() -> None:
    """R34: once cards are dealt no rule can be changed."""
    table = Table(2).deal_out([], "R5")
    for key, value in ((TARGET, 500), (STACKING, 1), (DRAW_UNTIL, 1)):
        assert table.deal.announce(common.RULE, NO_SEAT, key << 16 | value) == ("match_running",)


# Matches.


def test_all_numbers_of_players_and_all_rules_are_played_to_the_end() -> None:
    """R2, R30: two to six, every target, both house rules."""
    random = Prng(12)
    for seats in (2, 3, 4, 5, 6):
        for stacking in (0, 1):
            for draw_until in (0, 1):
                target = (1, 200, 300, 500)[random.below(4)]
                deal = Deal(random)
                rules = {TARGET: target, STACKING: stacking, DRAW_UNTIL: draw_until}
                deal.begin(list(range(seats)), rules)
                play_match(deal, random)
                best = max(deal.keeper.scores)
                assert deal.keeper.scores[deal.keeper.winner] == best and (best >= target or target == 1)
                assert target > 1 or len(deal.keeper.rounds) == 1


def play_match(deal: "Any", random: Prng) -> None:
    """Play by chance to the end, drawing only when there is nothing else."""
    keeper = deal.keeper
    for _ in range(60000):
        moves = deal.legal()
        if moves:
            count = len(moves)
            if count > 1 and moves[-1] in (DRAW, KEEP):
                count -= 1
            deal.do(moves[random.below(count)])
        elif keeper.phase == "scored":
            check_cards(deal)
            deal.close()
        else:
            assert keeper.phase == "over"
            return
    raise AssertionError("a match that does not end")


def test_a_new_match_begins_afresh() -> None:
    """R13, A4: after a match that opened with a Plus Four nothing of it is left: generator used on."""
    random = Prng(3)
    first = Deal(random)
    first.begin([0, 1, 2], {STACKING: 1}, 0)
    cards = Cards()
    top_down = cards.take("+4 +4 R5")
    rest = cards.rest()
    stock = rest[21:] + [top_down[2], top_down[1], top_down[0]] + rest[:21]
    first.deal(stock)
    assert by_name(first.pile) == "R5"
    play_match(first, random)
    second = Deal(random)
    second.begin([0, 1, 2], {}, 0)
    assert second.keeper.scores == [0] * 6 and second.keeper.rounds == [] and second.keeper.round == 1
    assert second.keeper.owed == 0 and second.keeper.rules[STACKING] == 0
    assert second.keeper.winner == NO_SEAT and sum(second.lacks) == 0
    check_cards(second)
    play_match(second, random)


def test_a_deal_can_be_begun_anew() -> None:
    """R13, A4: the same Deal plays match after match, each as a new one would play it."""
    random = Prng(3)
    deal = Deal(random)
    deal.begin([0, 1, 2, 3], {STACKING: 1})
    play_match(deal, random)
    other = Deal(Prng())
    other.random.resume(random.state())
    for each in (deal, other):
        each.begin([1, 4, 5], {DRAW_UNTIL: 1})
        check_cards(each)
    assert deal.keeper.snapshot() == other.keeper.snapshot() and deal.hands == other.hands
    assert deal.stock == other.stock and deal.pile == other.pile and deal.lacks == other.lacks
    assert deal.legal() == other.legal()
    deal.do(deal.legal()[0])
    deal.begin([0, 1], {}, 1)  # in the middle of a match as well
    check_cards(deal)
    assert deal.keeper.ring.active() == [0, 1] and deal.keeper.scores == [0] * 6


def test_a_deal_with_a_keeper_elsewhere_plays_one_match() -> None:
    """What is said goes to a log or a board there: that begins its match itself."""
    table = Table(2).deal_out([], "R5")
    before = table.deal.snapshot()
    refused = False
    try:
        table.deal.begin([0, 1])
    except ValueError:
        refused = True
    assert refused and table.deal.snapshot() == before


def test_a_move_cannot_be_announced() -> None:
    """What a keeper would take without cards is refused: hands and counts would differ from then on."""
    table = Table(3, dealer=0).deal_out([], "R5")
    before = table.deal.snapshot()
    for what in says.NAMES:
        for seat in (1, 2, NO_SEAT):
            assert table.deal.announce(what, seat, 0) == ("unknown_what", what)
    assert table.deal.snapshot() == before


def test_there_are_no_moves_in_a_pause() -> None:
    table = Table(3, dealer=0).deal_out(["R1"], "R5")
    moves = table.deal.legal()
    assert moves and table.deal.announce(common.PAUSE, 2) is None
    assert table.deal.legal() == [] and table.deal.view(1).moves == []
    assert table.deal.announce(common.RESUME, 1) is None
    assert table.deal.legal() == moves == table.deal.view(1).moves


# What a seat may see.


def test_a_view_shows_what_lies_open() -> None:
    table = Table(3, dealer=0, rules={STACKING: 1})
    table.put({1: "R1 W", 2: "G+2 B1", 0: "B2 B3"}, "G1 R+2", "Y1 Y2")
    table.keeper.owed = 2
    table.deal.restore(table.deal.snapshot())
    view = table.deal.view(1)
    assert by_name(view.hand) == "R1 W" and [name(card) for card in view.pile] == ["G1", "R+2"]
    assert (view.seat, view.turn, view.direction, view.owed, view.dealer) == (1, 1, 1, 2, 0)
    assert view.moves == [DRAW] and view.drawn == -1 and view.stock == 101
    assert view.colour == 0 and view.symbol == 12
    assert view.order == [2, 0, 1] and view.counts == [2, 2, 2, 0, 0, 0] and view.scores == [0] * 6
    assert view.rules == {TARGET: 300, STACKING: 1, DRAW_UNTIL: 0}
    other = table.deal.view(2)
    assert other.moves == [] and by_name(other.hand) == "B1 G+2" and other.order == [0, 1, 2]


def test_what_is_drawn_is_seen_by_nobody_else() -> None:
    table = Table(2).deal_out(["G1"], "R5", "R9").do(DRAW)
    assert table.deal.view(1).drawn == named("R9")[0] and table.deal.view(1).moves[-1] == KEEP
    assert table.deal.view(0).drawn == -1 and table.deal.view(0).moves == []


def test_who_drew_on_a_colour_is_remembered_until_it_is_given_cards() -> None:
    """H5: what everybody saw; a hand that changed by other cards is no longer known."""
    table = Table(2).deal_out(["R1 G1", "R2 R+2"], "R5", "G9 Y3 Y4").do(DRAW, KEEP)
    assert table.deal.view(0).lacks[:2] == [0, 1]
    table.do("R2", "R1")
    assert table.deal.view(0).lacks[:2] == [0, 1]
    table.do("R+2")
    assert table.deal.view(0).lacks[:2] == [0, 0]


def test_a_view_is_a_copy() -> None:
    table = Table(2).deal_out(["R1"], "R5")
    before = table.deal.snapshot()
    view = table.deal.view(1)
    for part in (view.hand, view.moves, view.pile, view.order, view.counts, view.scores, view.lacks):
        part.append(99)
        part[0] = 98
    view.rules[TARGET] = 1
    assert table.deal.snapshot() == before


def test_no_view_depends_on_what_is_hidden() -> None:
    """Other hands, the order of the stock and the generator are changed: every view stays the same."""
    for seed in range(12):
        random = Prng(seed)
        table = Table(2 + seed % 5, rules={STACKING: seed % 2, DRAW_UNTIL: seed // 2 % 2}, seed=seed)
        table.deal.deal()
        for _ in range(25):
            if table.keeper.phase not in ("play", "colour"):
                break
            deal = table.deal
            moves = deal.legal()
            deal.do(moves[random.below(len(moves))])
            for seat in table.keeper.ring.active():
                view = deal.view(seat)
                kept = deal.snapshot()
                if seat == table.keeper.turn or not table.keeper.drew:
                    hide_otherwise(deal, seat, random)
                    assert deal.view(seat) == view
                    assert repr(deal.view(seat)) == repr(view)
                deal.restore(kept)


def hide_otherwise(deal: "Any", seat: int, random: Prng) -> None:
    """Deal everything that this seat does not see anew, and stir the generator."""
    others = [other for other in range(len(deal.hands)) if other != seat]
    hidden = deal.stock + [card for other in others for card in deal.hands[other]]
    random.shuffle(hidden)
    for other in others:
        count = len(deal.hands[other])
        deal.hands[other] = hidden[:count]
        hidden = hidden[count:]
    deal.stock = hidden
    for _ in range(3):
        deal.random.word()


def test_a_view_names_no_card_that_is_hidden() -> None:
    """Every card in it is its own or lies open; nothing in it is more than numbers."""
    table = Table(4, seed=8)
    table.deal.deal()
    random = Prng(8)
    for _ in range(40):
        moves = table.deal.legal()
        if not moves:
            break
        table.deal.do(moves[random.below(len(moves))])
        for seat in range(4):
            view = table.deal.view(seat)
            seen = view.hand + view.pile
            assert sorted(view.hand) == sorted(table.deal.hands[seat]) and view.pile == table.deal.pile
            for move in view.moves:
                assert move in seen or move >= DECK
            assert view.drawn == -1 or view.drawn in view.hand or view.drawn == view.pile[-1]
            for value in view:
                for each in value if isinstance(value, (list, dict)) else [value]:
                    assert isinstance(each, int)


# Snapshots.


def test_a_deal_goes_on_from_its_snapshot() -> None:
    """The rest of the match is the same: cards, generator, keeper."""
    for seed in range(4):
        random = Prng(seed)
        deal = Deal(Prng(100 + seed))
        deal.begin([0, 1, 2], {STACKING: 1, DRAW_UNTIL: seed % 2})
        for _ in range(30):
            moves = deal.legal()
            if moves:
                deal.do(moves[random.below(len(moves))])
            else:
                deal.close()
        kept = deal.snapshot()
        other = Deal(Prng(999))
        other.restore(kept)
        assert other.snapshot() == kept and other.legal() == deal.legal()
        assert [other.view(seat) for seat in range(6)] == [deal.view(seat) for seat in range(6)]
        for each in (deal, other):
            play_match(each, Prng(7))
        assert deal.snapshot() == other.snapshot()


def test_a_damaged_snapshot_is_refused() -> None:
    """Whichever byte is another one, or missing, or added: nothing of it is taken over."""
    table = Table(3).deal_out([], "R5")
    good = table.deal.snapshot()
    wrong = [b"", good[:3], good[:-1], good + b"\x00"]
    for at in range(len(good)):
        damaged = bytearray(good)
        damaged[at] ^= 1 << at % 8
        wrong.append(bytes(damaged))
    other = Deal(Prng(5))
    other.begin([0, 1], {}, 0)
    before = other.snapshot()
    for each in wrong:
        refused = False
        try:
            other.restore(each)
        except ValueError:
            refused = True
        assert refused and other.snapshot() == before
    other.restore(good)
    assert other.snapshot() == good


def test_points_are_counted_from_the_cards() -> None:
    """R27, K10: sums said to the keeper are those of the cards in the hands."""
    random = Prng(4)
    for seats in (2, 4, 6):
        deal = Deal(random)
        deal.begin(list(range(seats)))
        for _ in range(20000):
            moves = deal.legal()
            if deal.keeper.phase == "scored":
                break
            deal.do(moves[random.below(len(moves))])
        assert deal.keeper.phase == "scored"
        points = 0
        for hand in deal.hands:
            for card in hand:
                symbol = SYMBOL[card]
                assert POINTS[card] == (50 if COLOUR[card] == 4 else 20 if symbol > 9 else symbol)
                points += POINTS[card]
        assert deal.keeper.points == points
