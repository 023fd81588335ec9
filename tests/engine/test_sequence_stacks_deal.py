"""Sequence Stacks with its cards: the deal, the moves, what a seat may see.

Runs under CPython and in the MicroPython VM. The numbers are those of docs/rules/sequence_stacks.md.
"""

from cardrules import announcement as common
from cardrules.announcement import NO_SEAT
from cardrules.prng import Prng
from cardrules.sequence_stacks import says
from cardrules.sequence_stacks.cards import ALL, FACE, OF_TWO, STEAL_CARD, STEAL_CHIP, WILD
from cardrules.sequence_stacks.deal import DISCARD, LET, Deal, SilentKeeper, card_of, target_of
from cardrules.sequence_stacks.settings import DECK
from rigged_sequence_stacks import Table, by_name, check_deal, word

try:
    from typing import Any
except ImportError:
    Any = object


def play_on(deal: "Any", random: Prng, most: int = 100000) -> int:
    """Play by chance, to the end or so many moves; return how many moves there were."""
    moves = 0
    while moves < most:
        legal = deal.legal()
        if not legal:
            break
        deal.do(legal[random.below(len(legal))])
        moves += 1
    return moves


# The deal.


def test_five_each_one_at_a_time_from_the_top() -> None:
    """Worked example 2, R9, R10, R11, R12: who gets which card, and how many are left."""
    for seats, left in ((2, 102), (3, 105), (4, 100), (5, 95), (6, 90)):
        table = Table(seats, dealer=1)
        stock = list(OF_TWO if seats == 2 else ALL)
        Prng(seats).shuffle(stock)
        top_down = list(stock)
        top_down.reverse()
        table.deal.deal(stock)
        for place in range(seats):
            seat = (2 + place) % seats  # the seat behind the dealer is the first
            assert table.deal.hands[seat] == [top_down[place + seats * n] for n in range(5)]
        top_down = top_down[5 * seats :]
        top_down.reverse()
        assert table.deal.stock == top_down and len(top_down) == left
        assert table.deal.actor == table.keeper.turn == 2 % seats
        table.check()


def test_the_deal_goes_round_those_who_play() -> None:
    """R11, R13: gaps between seats get no cards."""
    table = Table([0, 2, 5], dealer=2).deal_out(["R1 R2 R3 R4 R5", "B1 B2 B3 B4 B5", "RW RW BW BW skip"])
    assert table.hand(5) == "R1 R2 R3 R4 R5"
    assert table.hand(0) == "B1 B2 B3 B4 B5"
    assert table.hand(2) == "RW RW BW BW skip"
    assert [len(hand) for hand in table.deal.hands] == [5, 0, 5, 0, 0, 5]
    assert table.deal.actor == 5


def test_shuffled_deals_differ_and_come_again() -> None:
    """R11, A22: the generator decides all of it; the first dealer is drawn by lot."""
    dealers = []
    stocks = []
    for seed in range(40):
        deals = []
        for _ in range(2):
            deal = Deal(Prng(seed))
            deal.begin([0, 2, 3])
            check_deal(deal)
            deals.append(deal)
        assert deals[0].snapshot() == deals[1].snapshot()
        assert deals[0].stock not in stocks
        stocks.append(deals[0].stock)
        dealers.append(deals[0].keeper.dealer)
    assert sorted(set(dealers)) == [0, 2, 3]


# What fits where.


def test_the_next_number_or_a_wild() -> None:
    """Worked example 3, R15: the blue pile shows 3."""
    hand = "B4 BW R4 RW B5"
    table = Table().put({1: hand}, piles=("", "", "B1 B2 B3", "B1"))
    assert table.plays() == ["B4", "BW>2", "BW>3", "RW>0"]
    table = Table().put({1: hand}, piles=("R1 R2", "R1", "B1 B2 B3", "B1"))
    assert table.plays() == ["B4", "BW>2", "BW>3", "RW>0", "RW>1"]
    # With nothing else on the table the red wild could only begin a pile.
    table = Table().put({1: hand}, piles=("", "", "B1 B2 B3"))
    assert table.plays() == ["B4", "BW>2", "BW>3", "RW>0"]
    table.do("B4")
    assert by_name(table.deal.piles[2]) == "B1 B2 B3 B4" and table.hand(1) == "BW R4 RW B5"
    assert table.plays() == ["B5", "BW>2", "BW>3", "RW>0"]


def test_two_open_piles_of_a_colour() -> None:
    """Worked example 4, R16, A6: with blue piles at 2 and 4 no third one is begun."""
    table = Table().put({1: "B1 B3 B5 R1 BW"}, piles=("", "", "B1 B2", "B1 B2 B3 B4"))
    assert table.plays() == ["B3", "B5", "BW>2", "BW>3", "R1"]
    # Piles that have come equally far are one choice.
    table = Table().put({1: "B1 B3 BW R1"}, piles=("R1 R2", "", "B1 B2", "BW B2"))
    assert table.plays() == ["B3", "BW>2", "R1"]
    assert by_name(table.do("R1").deal.piles[1]) == "R1"


def test_wilds_begin_and_make_a_whole_sequence() -> None:
    """Worked example 5, R15, R28: a red wild begins, red 2 or a red wild goes on, five wilds will do."""
    table = Table().put({1: "RW RW RW RW RW"}, stock="R1 R1 R1 R1 R1")
    assert table.plays() == ["RW>0"]
    table.do("RW>0")
    assert table.plays() == ["RW>0", "RW>1"]  # on it, or beside it
    table.do("RW>0", "RW>0", "RW>0", "RW>0").let()
    assert table.keeper.chips[1] == [1, 0] and by_name(table.deal.removed) == "RW RW RW RW RW"
    table = Table().put({1: "RW R2 R1"}).do("RW>0")
    assert table.plays() == ["R1", "R2"]


def test_a_finished_sequence() -> None:
    """Worked example 6, R17: blue 1 to 4 and a blue wild: a blue chip, and its place is free at once."""
    table = Table().put({1: "BW B1 R1"}, piles=("R1", "R1 R2", "B1 B2 B3 B4", "B1"))
    assert "B1" not in table.plays()
    table.do("BW>2")
    assert table.keeper.chips[1] == [0, 1] and table.keeper.bank == [20, 19]
    assert by_name(table.deal.removed) == "B1 B2 B3 B4 BW" and table.deal.piles[2] == []
    assert table.said[-1] == (says.BLUE, 1, 0)
    table.let()
    assert table.deal.actor == 1 and "B1" in table.plays()
    table.do("B1")
    assert by_name(table.deal.piles[2]) == "B1"


def test_a_wild_stays_what_it_stands_for() -> None:
    """Worked example 19, R28: placed as a 3, the next is 4."""
    table = Table().put({1: "RW R3 R4 R5"}, piles=("R1 R2",)).do("RW>0")
    assert "R3" not in table.plays() and "R4" in table.plays()
    assert by_name(table.do("R4").deal.piles[0]) == "R1 R2 RW R4"


# A turn.


def test_an_empty_hand_is_filled_and_the_turn_goes_on() -> None:
    """Worked example 7, R18, R19, R20, R23: five played, five drawn, one discarded, one drawn."""
    table = Table(2).put(
        {1: "R1 R2 R3 B1 B2", 0: "R5 R5 R5 R5 R5"}, stock="B5 B5 R4 B4 B4 R1 R1 R1 R1 R1 R1 R1"
    )
    table.do("R1", "R2", "R3", "B1")
    assert table.hand(1) == "B2"
    table.do("B2")
    assert table.hand(1) == "B5 B5 R4 B4 B4" and table.deal.actor == 1
    table.do("-B5")
    assert len(table.deal.hands[1]) == 4 and table.deal.actor == 0
    assert table.hand(0) == "R5 R5 R5 R5 R5"  # with five in hand nothing is drawn
    table.do("-R5")
    assert table.hand(1) == "B5 R4 B4 B4 R1" and table.deal.actor == 1


def test_discarding_the_last_card_draws_nothing() -> None:
    """Worked example 8, R20, R23: the hand stays empty until the next own turn, then five."""
    table = Table(2).put({1: "B5", 0: "R5 R5 R5 R5 R5"}).do("-B5")
    assert table.hand(1) == "" and table.deal.actor == 0
    table.do("-R5")
    assert len(table.deal.hands[1]) == 5


def test_the_own_discard_pile() -> None:
    """Worked example 9, R21, A8: only its top card, each new top in turn; the piles of others never."""
    table = Table().put({1: "B5 B5"}, discards={1: "R1 R2", 2: "R1"})
    assert table.plays() == []
    table = Table().put({1: "B5 B5"}, discards={1: "R2 R1", 2: "R2"})
    assert table.plays() == ["R1"]
    table.do("R1")
    assert table.plays() == ["R2"] and by_name(table.deal.discards[1]) == "R2"
    table.do("R2")
    assert by_name(table.deal.piles[0]) == "R1 R2" and table.plays() == []
    assert table.hand(1) == "B5 B5" and by_name(table.deal.discards[2]) == "R2"


def test_nobody_has_to_play() -> None:
    """R14, A7: any card of the hand may be discarded at any time, whatever could be played."""
    table = Table().put({1: "R1 RW skip block B5"})
    assert table.legal() == ["-B5", "-R1", "-RW", "-block", "-skip", "R1", "RW>0", "skip"]
    table.do("R1")
    assert table.legal() == ["-B5", "-RW", "-block", "-skip", "RW>0", "RW>1", "skip"]
    table.do("-RW")
    assert table.said[-1] == (says.DONE, 1, 0) and table.deal.actor == 2
    assert by_name(table.deal.discards[1]) == "RW"


def test_with_five_or_more_nothing_is_drawn() -> None:
    """R23: a stolen card may make six; without a discard of its own nobody loses any."""
    table = Table(2).put({1: "R5 R5 R5 R5 R5", 0: "B5 B5 B5 B5 B5"}, discards={1: "steal_card", 0: "R4"})
    table.do("steal_card>0")
    assert table.hand(1) == "R5 R5 R5 R5 R5 R4"
    table.do("-R5", "-B5")
    assert table.hand(1) == "R5 R5 R5 R5 R4" and table.deal.actor == 1


# The draw pile.


def test_the_draw_pile_runs_out() -> None:
    """Worked example 17, R22: two are drawn, the ten of finished sequences shuffled, two of them drawn."""
    table = Table(2).put(
        {1: "R5", 0: "B5 B5 B5 B5 B5"},
        stock="B4 R4",
        removed="R1 R2 R3 R4 RW B1 B2 B3 B4 BW",
        rest="special",
        discards={0: "R3"},
    )
    table.do("-R5", "-B5")
    hand = table.hand(1)
    assert hand[:5] == "B4 R4" and len(table.deal.hands[1]) == 5
    assert table.deal.removed == [] and len(table.deal.stock) == 7
    # To the letter of the example: somebody who needs four.
    table = Table(2).put(
        {1: "R5 R5", 0: "B5 B5 B5 B5 B5"},
        stock="B4 R4",
        removed="R1 R2 R3 R4 RW B1 B2 B3 B4 BW",
        rest="special",
    )
    table.do("-R5", "-B5")
    assert table.hand(1)[:8] == "R5 B4 R4" and len(table.deal.stock) == 8 and table.deal.removed == []
    assert len(table.deal.special) > 50  # action cards that were played stay where they are (R24)


def test_the_draw_pile_is_made_only_when_a_card_is_drawn() -> None:
    """R22: an empty pile waits until somebody needs a card."""
    table = Table(2).put(
        {1: "R5 R5", 0: "B5 B5 B5 B5 B5"}, stock="", removed="R1 R2 R3 R4 R5", rest="special"
    )
    assert table.deal.stock == []
    table.do("-R5")
    assert table.deal.stock == [] and len(table.deal.removed) == 5
    table.do("-B5")
    assert len(table.deal.stock) == 1 and table.deal.removed == []


def test_what_is_shuffled_when_no_sequence_lies_aside() -> None:
    """A15: the action cards that were played, all of them; failing them what lies below the tops."""
    table = Table(3).put(
        {1: "R5", 2: "B5 B5 B5 B5 B5"},
        special="skip skip reverse block block",
        discards={0: "R1 R2 R3", 2: "B1 B2"},
        rest="removed",
    )
    table.deal.hands[0] = table.deal.removed
    table.deal.removed = []
    table.do("-R5")
    assert table.deal.stock == []
    table.do("-B5", "-R1")
    assert len(table.deal.special) == 0 and len(table.deal.hands[1]) == 5
    assert by_name(sorted(table.deal.hands[1])) == "skip skip reverse block block"
    # Nothing but the discard piles: five cards lie below their tops.
    table = Table(3).put(
        {1: "R5", 2: "B5 B5 B5 B5 B5 B5"}, discards={0: "R1 R2 R3", 2: "B1 B2"}, rest="removed"
    )
    table.deal.hands[0] = table.deal.removed
    table.deal.removed = []
    table.do("-R5", "-B5")
    assert table.deal.actor == 0
    table.do("-R1")
    assert [by_name(pile) for pile in table.deal.discards[:3]] == ["R1", "R5", "B5"]
    assert by_name(sorted(table.deal.hands[1])) == "R1 R2 R3 B1 B2"


def test_an_empty_hand_and_nothing_to_draw_ends_the_turn() -> None:
    """A21: without a discard."""
    table = Table(2).put({1: "R1", 0: "B5 B5 B5 B5 B5"})
    table.deal.hands[0] += table.deal.stock
    table.deal.stock = []
    table.do("R1")
    assert table.hand(1) == "" and table.deal.actor == 0 and table.said[-1] == (says.DONE, 1, 0)
    # Whose turn comes with an empty hand and nothing to draw is passed over as well.
    table.do("-B5")
    assert table.deal.actor == 0 and table.keeper.turn == 0


# Action cards.


def test_who_is_next() -> None:
    """Worked example 10, R20, R26, R27, A16: four seats, seat 1 plays Skip, Reverse, both, two Reverses."""
    for plays, following in (
        (["skip"], 3),
        (["reverse"], 0),
        (["skip", "reverse"], 3),
        (["reverse", "skip"], 3),
        (["reverse", "reverse"], 2),
    ):
        table = Table(4).put({1: "skip reverse reverse B5 B5"})
        for play in plays:
            table.do(play)
            assert table.deal.actor == 1
        table.do("-B5")
        assert table.deal.actor == following, plays
        assert by_name(table.deal.special) == " ".join(plays)  # R24


def test_skips_among_few() -> None:
    """Worked example 11, A16, A17: all are skipped at most; who is skipped draws and discards nothing."""
    table = Table(2).put({1: "skip skip B5 B5 R1", 0: "R5"}, stock="B4 B4 B4")
    table.do("skip", "-B5")
    assert table.deal.actor == 1 and table.hand(1) == "skip B5 R1 B4 B4" and table.hand(0) == "R5"
    for skips in (2, 3):
        table = Table(3).put({1: "skip skip skip B5 B5", 0: "R5", 2: "R4"})
        table.do(*["skip"] * skips)
        table.do("-B5")
        assert table.deal.actor == 1 and table.hand(0) == "R5" and table.hand(2) == "R4"
        assert table.told("skipped") == [(2, 0), (0, 0)]


def test_a_card_is_stolen() -> None:
    """R29, A19, A20: the top of another discard pile, into the hand before an empty hand is looked at."""
    table = Table().put({1: "steal_card"}, discards={0: "B1 R3", 1: "R2", 3: "B2"})
    assert table.plays() == ["steal_card>0", "steal_card>3"]
    table.do("steal_card>0")
    assert table.hand(1) == "R3" and by_name(table.deal.discards[0]) == "B1"
    assert table.said[-1] == (says.STEAL_CARD, 1, 0)
    assert [by_name(cards) for cards in table.deal.known[:3]] == ["", "R3", ""]
    table.do("-R3")
    assert table.deal.known[1] == []
    table = Table().put({1: "steal_card B5"}, discards={1: "R2"})
    assert table.plays() == []  # nobody else has a discard


def test_a_stolen_block_can_be_used() -> None:
    """Worked example 18, A13, A18: on a discard pile it is dead, stolen it blocks from the hand."""
    table = Table().put(
        {1: "steal_card B4 B4 B4 B4", 2: "R5 B4 B4 B4"},
        piles=("R1 R2 R3 R4",),
        discards={1: "B5", 3: "block"},
    )
    table.do("steal_card>3")
    assert table.hand(1)[-5:] == "block" and "block" not in table.plays()  # never on the own turn
    table.do("-B4", "R5")
    assert table.deal.actor == 3 and table.legal() == ["let"]
    table.do("let", "let")
    assert table.deal.actor == 1 and table.legal() == ["block", "let"]
    table.do("block")
    assert table.keeper.chips[2] == [0, 0] and table.deal.actor == 2
    # The top of the own discard pile: any action but a Block may be played from there.
    for action in ("skip", "reverse", "steal_card", "steal_chip", "block"):
        table = Table().put({1: "B5"}, discards={1: action, 2: "R1"}, chips={2: [1, 0]})
        found = [play.split(">")[0] for play in table.plays()]
        assert found == ([action] if action != "block" else [])


def test_an_action_card_is_a_card_played() -> None:
    """A20: the last card in hand is an action card: five are drawn, the turn goes on."""
    table = Table().put({1: "reverse"}, stock="R4 R4 R4 R4 B4").do("reverse")
    assert table.hand(1) == "R4 R4 R4 R4 B4" and table.deal.actor == 1


def test_which_chips_can_be_stolen() -> None:
    """Worked example 13, R30, A10, A19: 3 red and 1 blue: no blue chip but a red one, then a sequence."""
    table = Table().put(
        {1: "steal_chip steal_chip B5 R4 R4"},
        piles=("", "", "B1 B2 B3 B4"),
        chips={1: [3, 1], 0: [1, 2], 3: [0, 1]},
    )
    assert table.plays() == ["B5", "steal_chip>0r"]
    table.do("steal_chip>0r")
    assert table.keeper.chips[:2] == [[0, 2], [4, 1]] and table.said[-1] == (says.STEAL_CHIP, 1, 0)
    assert table.plays() == ["B5"]
    table.do("B5").let()
    assert table.keeper.phase == "over" and table.keeper.winner == 1 and table.keeper.scores[1] == 6


def test_no_theft_wins() -> None:
    """Worked example 14, A10: with 2 of each any chip would win."""
    table = Table().put({1: "steal_chip B5"}, chips={1: [2, 2], 0: [3, 1], 2: [1, 3]})
    assert table.plays() == []
    table = Table().put({1: "steal_chip B5"}, chips={1: [2, 1], 0: [3, 1], 2: [0, 0]})
    assert table.plays() == ["steal_chip>0b", "steal_chip>0r"]
    table = Table().put({1: "steal_chip B5"}, chips={1: [2, 1]})
    assert table.plays() == []  # A19: nobody has one; nobody steals from himself


def test_a_victim_loses_what_it_needed() -> None:
    """Worked example 16, R30: who had 2 of each and loses a blue chip has 2 red and 1 blue."""
    table = Table(2).put({1: "steal_chip R4 R4"}, chips={0: [2, 2]}).do("steal_chip>0b")
    assert table.keeper.chips[:2] == [[2, 1], [0, 1]] and table.keeper.bank == [18, 18]


# Chips, Blocks and winning.


def test_five_chips_with_two_of_each() -> None:
    """Worked example 12, R32, A11: 3 red and 1 blue win by a blue one; 4 red and none blue do not."""
    for chips, over in (([3, 1], True), ([4, 0], False)):
        table = Table(2).put({1: "B5 R4 R4"}, piles=("", "", "B1 B2 B3 B4"), chips={1: chips})
        table.do("B5").let()
        assert (table.keeper.phase == "over") == over
        assert table.keeper.chips[1] == [chips[0], chips[1] + 1]
        if over:
            assert table.keeper.winner == 1 and table.deal.actor == NO_SEAT and table.legal() == []
            assert table.said[-1] == (says.DONE, 1, 0)  # the deal says that nobody blocked
        else:
            assert table.deal.actor == 1


def test_a_winning_sequence_is_blocked() -> None:
    """Worked example 15, R31, A12, A14: no chip, the turn goes on; nobody can block it once more."""
    table = Table(3).put(
        {1: "R5 B4 B4", 2: "block B4", 0: "block B4"}, piles=("R1 R2 R3 RW",), chips={1: [1, 3]}
    )
    table.do("R5")
    assert table.keeper.phase == "confirm" and table.deal.actor == 2
    table.do("block")
    assert table.keeper.phase == "play" and table.deal.actor == 1 and table.keeper.chips[1] == [1, 3]
    assert by_name(table.deal.special) == "block"
    assert by_name(table.deal.removed) == "R1 R2 R3 RW R5" and table.deal.piles[0] == []
    assert table.hand(0) == "block B4" and table.legal() == ["-B4"]
    assert table.said[-1] == (says.BLOCK, NO_SEAT, 0)  # no seat is recorded


def test_everybody_is_asked_in_order_whoever_holds_a_block() -> None:
    """A12, R26: from the next seat in the direction in force; pending Skips take nobody's right."""
    table = Table(4).put({1: "reverse skip R5 B4 B4", 2: "block", 3: "block block"}, piles=("R1 R2 R3 R4",))
    table.do("reverse", "skip", "R5")
    asked = []
    for offered in (["let"], ["block", "let"], ["block", "let"]):
        asked.append(table.deal.actor)
        assert table.legal() == offered
        assert [table.deal.view(seat).moves == [] for seat in range(4)].count(False) == 1
        table.do("let")
    assert asked == [0, 3, 2]
    assert table.deal.actor == 1 and table.keeper.chips[1] == [1, 0]


def test_a_blocker_draws_only_in_its_own_turn() -> None:
    """A20: its hand may be empty until then."""
    table = Table(2).put({1: "R5 B4 B4", 0: "block"}, piles=("R1 R2 R3 R4",)).do("R5", "block")
    assert table.hand(0) == "" and table.deal.actor == 1
    table.do("-B4")
    assert len(table.deal.hands[0]) == 5


def test_the_last_card_finishes_a_sequence() -> None:
    """R17, R19, A12, A14: the opponents answer first, then five are drawn."""
    for answer in ("block", "let"):
        table = Table(2).put({1: "R5", 0: "block B4"}, piles=("R1 R2 R3 R4",), stock="R1 R1 R1 R1 B1")
        table.do("R5")
        assert table.hand(1) == "" and table.deal.actor == 0
        table.do(answer)
        assert table.hand(1) == "R1 R1 R1 R1 B1" and table.deal.actor == 1
    table = Table(2).put({1: "R5", 0: "block B4"}, piles=("R1 R2 R3 R4",), rest="special")
    table.do("R5", "block")
    assert by_name(sorted(table.deal.hands[1])) == "R1 R2 R3 R4 R5"
    # Who wins draws no more.
    table = Table(2).put({1: "R5"}, piles=("R1 R2 R3 R4",), chips={1: [1, 3]}).do("R5").let()
    assert table.keeper.phase == "over" and table.hand(1) == ""


def test_no_chip_in_the_bank() -> None:
    """Worked example 20, A9: the sequence is set aside, nobody is asked, the turn goes on."""
    table = Table(2).put({1: "R5 B4 B4", 0: "block"}, piles=("R1 R2 R3 R4",), chips={0: [20, 0]})
    assert table.keeper.bank == [0, 20]
    table.do("R5")
    assert table.deal.actor == 1 and table.keeper.chips[1] == [0, 0] and table.deal.piles[0] == []
    assert by_name(table.deal.removed) == "R1 R2 R3 R4 R5" and table.told("no_chip") == [(1, 0)]


def test_both_banks_are_empty() -> None:
    """A9: with the last chip the match is drawn, unless that one is blocked."""
    piles = ("R1 R2 R3 R4",)
    table = Table(2).put({1: "R5 B4 B4", 0: "block"}, piles=piles, chips={0: [0, 20], 1: [19, 0]})
    table.do("R5", "block")
    assert table.keeper.phase == "play" and table.deal.actor == 1 and table.keeper.bank == [1, 0]
    table = Table(2).put({1: "R5 B4 B4", 0: "block"}, piles=piles, chips={0: [0, 20], 1: [19, 0]})
    table.do("R5", "let")
    assert table.keeper.phase == "over" and table.keeper.winner == NO_SEAT
    assert table.told("match_drawn") == [(NO_SEAT, 0)] and table.keeper.scores[:2] == [20, 20]


# People.


def test_who_leaves_on_turn_ends_it() -> None:
    """K5: its hand waits; the next one draws to five; who comes back is on turn in its order."""
    table = Table(3).put({1: "R1 R4", 2: "B4", 0: "B5 B5 B5 B5 B5"}).do("R1")
    assert table.deal.announce(common.LEAVE, 1) is None
    assert table.deal.actor == 2 and len(table.deal.hands[2]) == 5 and table.hand(1) == "R4"
    assert table.deal.announce(common.JOIN, 4) == ("match_running",)
    assert table.deal.announce(common.JOIN, 1) is None
    table.do("-B4", "-B5")
    assert table.deal.actor == 1 and len(table.deal.hands[1]) == 5 and table.hand(1)[:2] == "R4"


def test_who_is_away_is_left_alone() -> None:
    """K5: its discards and chips are not stolen."""
    table = Table(3).put({1: "steal_card steal_chip R4"}, discards={0: "R1", 2: "R2"}, chips={0: [1, 0]})
    assert table.plays() == ["steal_card>0", "steal_card>2", "steal_chip>0r"]
    table.deal.announce(common.LEAVE, 0)
    assert table.plays() == ["steal_card>2"]


def test_who_is_asked_leaves() -> None:
    """A12, K5: the others are still asked; when all are gone the sequence stands."""
    table = Table(4).put({1: "R5 B4 B4", 2: "block", 3: "block"}, piles=("R1 R2 R3 R4",), chips={1: [1, 3]})
    table.do("R5")
    assert table.deal.actor == 2
    assert table.deal.announce(common.LEAVE, 1) == ("confirm_open", 1)
    table.deal.announce(common.LEAVE, 2)
    assert table.deal.actor == 3 and table.legal() == ["block", "let"]
    table.deal.announce(common.LEAVE, 3)
    assert table.deal.actor == 0
    table.deal.announce(common.PAUSE)
    assert table.legal() == []
    table.deal.announce(common.LEAVE, 0)
    assert table.keeper.phase == "confirm"
    table.deal.announce(common.RESUME)
    assert table.keeper.phase == "over" and table.keeper.winner == 1


def test_all_who_are_asked_leave_before_a_sequence_that_does_not_win() -> None:
    """K5: with one left the deal waits, then the turn goes on where it was."""
    table = Table(3).put({1: "R5", 2: "block", 0: "block"}, piles=("R1 R2 R3 R4",), stock="B1 B1 B1 B1 B1")
    table.do("R5")
    table.deal.announce(common.LEAVE, 2)
    assert table.deal.actor == 0
    table.deal.announce(common.LEAVE, 0)
    assert table.keeper.phase == "short" and table.deal.actor == NO_SEAT and table.legal() == []
    table.deal.announce(common.JOIN, 0)
    assert table.deal.actor == 1 and table.hand(1) == "B1 B1 B1 B1 B1" and table.keeper.chips[1] == [1, 0]
    # The one on turn leaves while others are asked: the chip is its own.
    table = Table(3).put({1: "R5 B4", 2: "block", 0: "block"}, piles=("R1 R2 R3 R4",)).do("R5")
    table.deal.announce(common.LEAVE, 1)
    assert table.deal.actor == 2 and table.keeper.chips[1] == [1, 0] and len(table.deal.hands[2]) == 5
    assert "block" not in table.plays()


def test_with_one_left_the_deal_waits() -> None:
    """K5: whoever left on turn has ended it; the other one draws and plays when somebody is back."""
    table = Table(2).put({1: "R1 R4", 0: "B4"}).do("R1")
    table.deal.announce(common.LEAVE, 1)
    assert table.keeper.phase == "short" and table.hand(0) == "B4"
    table.deal.announce(common.JOIN, 1)
    assert table.deal.actor == 0 and len(table.deal.hands[0]) == 5 and table.hand(1) == "R4"
    before = table.hand(0)
    table.deal.announce(common.LEAVE, 1)
    table.deal.announce(common.JOIN, 1)
    assert table.deal.actor == 0 and table.hand(0) == before  # its turn goes on: nothing is drawn twice


def test_changing_seats_takes_all_cards_along() -> None:
    """K7"""
    table = Table(3).put(
        {1: "steal_card R4", 2: "block B4", 0: "B5"}, discards={2: "B1", 1: "R2 R1"}, piles=("R1 R2 R3 R4",)
    )
    table.do("steal_card>2")
    assert table.deal.announce(common.SWAP, 1, 5) is None
    table.check()
    assert table.deal.actor == 5 and table.hand(5) == "R4 B1" and table.hand(1) == ""
    assert by_name(table.deal.discards[5]) == "R2 R1" and by_name(table.deal.known[5]) == "B1"
    table.do("-R4")
    table = Table(3).put({1: "R5 B4", 2: "block B4", 0: "B5"}, piles=("R1 R2 R3 R4",)).do("R5")
    table.deal.announce(common.SWAP, 2, 3)
    assert table.deal.actor == 3 and table.legal() == ["block", "let"]
    table.deal.announce(common.SWAP, 3, 1)
    assert table.keeper.turn == 3 and table.deal.actor == 1
    table.do("let", "let")
    assert table.deal.actor == 3 and table.keeper.chips[3] == [1, 0] and table.hand(3) == "B4"


def test_a_void_deal_is_dealt_again() -> None:
    """K6: from the start, by the next dealer; by two with their pack."""
    table = Table(3).put({1: "R5 R5 B1"}, chips={1: [2, 0]})
    table.deal.announce(common.VOID)
    table.check()
    assert table.keeper.chips[1] == [0, 0] and table.deal.actor == 2 and len(table.deal.stock) == 105
    table.deal.announce(common.LEAVE, 2)
    table.deal.announce(common.VOID)
    table.check()
    assert len(table.deal.pack) == 112 and len(table.deal.stock) == 102 and table.deal.hands[2] == []
    table.deal.announce(common.JOIN, 2)
    while table.deal.actor != 2:
        table.do(table.legal()[0])
    assert len(table.deal.hands[2]) == 5


def test_nothing_can_be_done_in_a_pause_or_after_the_end() -> None:
    table = Table(2).deal_out(["R1 R2 R3 R4 R5"])
    table.deal.announce(common.PAUSE)
    assert table.legal() == [] and table.deal.actor == 1
    table.deal.announce(common.RESUME)
    assert table.legal() != []
    table.deal.announce(common.END)
    assert table.legal() == [] and table.deal.actor == NO_SEAT
    table.check()


def test_a_move_is_no_announcement() -> None:
    """What people say of their cards would leave the cards behind: moves say it."""
    table = Table(2).deal_out(["R1 R2 R3 R4 R5"])
    before = table.deal.snapshot()
    for what in says.NAMES:
        for seat in (0, 1, NO_SEAT):
            assert table.deal.announce(what, seat) == ("unknown_what", what)
    assert table.deal.snapshot() == before


def test_a_deal_with_a_keeper_elsewhere_plays_one_match() -> None:
    """What is said goes to a log or a board there: that begins its match itself."""
    table = Table(2).deal_out([])
    before = table.deal.snapshot()
    refused = False
    try:
        table.deal.begin([0, 1])
    except ValueError:
        refused = True
    assert refused and table.deal.snapshot() == before


def test_a_deal_of_its_own_plays_one_match_after_the_other() -> None:
    deal = Deal(Prng(3), SilentKeeper())
    for seats in ([0, 1], [1, 3, 4]):
        deal.begin(seats)
        assert play_on(deal, Prng(1)) > 20
        assert deal.keeper.phase == "over" and deal.keeper.winner in seats and deal.keeper.notices == []
        check_deal(deal)


# Moves as numbers.


def test_a_move_tells_its_card_and_where_it_goes() -> None:
    seen = []
    for seed in range(6):
        deal = Deal(Prng(seed))
        deal.begin([0, 1, 2])
        random = Prng(seed)
        while deal.legal():
            moves = deal.legal()
            assert len(set(moves)) == len(moves)
            for move in moves:
                card = card_of(move)
                target = target_of(move)
                if move == LET:
                    assert card == -1
                elif move >= DISCARD:
                    assert card in deal.hands[deal.actor] and target == 0
                else:
                    assert move == card + DECK * target and 0 <= card < DECK
                    assert card in deal.hands[deal.actor] or card == deal.discards[deal.actor][-1]
                    if FACE[card] <= WILD:
                        assert 0 <= target < 4
                    elif FACE[card] == STEAL_CARD:
                        assert deal.discards[target] and target != deal.actor
                    elif FACE[card] == STEAL_CHIP:
                        assert deal.keeper.chips[target // 2][target % 2] and target // 2 != deal.actor
                    else:
                        assert target == 0
                kind = word(move)[:5]
                if kind not in seen:
                    seen.append(kind)
            deal.do(moves[random.below(len(moves))])
    assert "steal" in seen and "block" in seen and "let" in seen and "-bloc" in seen


# What a seat may see.


def test_a_view_shows_what_lies_open() -> None:
    table = Table(3, dealer=0).put(
        {1: "R5 block", 2: "block B1", 0: "B2 B3"},
        piles=("R1 RW R3 R4", "", "B1"),
        discards={2: "B4 skip", 0: "R1"},
        removed="R1 R2",
        special="reverse",
        chips={1: [1, 1], 0: [0, 2]},
    )
    view = table.deal.view(1)
    assert by_name(view.hand) == "R5 block" and [word(move) for move in view.moves] == ["R5", "-R5", "-block"]
    assert [by_name(pile) for pile in view.piles] == ["R1 RW R3 R4", "", "B1", ""]
    assert [by_name(pile) for pile in view.discards[:3]] == ["R1", "", "B4 skip"]
    assert by_name(view.special) == "reverse" and by_name(view.removed) == "R1 R2"
    assert (view.seat, view.actor, view.turn, view.direction, view.dealer) == (1, 1, 1, 1, 0)
    assert view.stock == len(table.deal.stock) == 120 - 6 - 5 - 3 - 3 and view.pack == 120
    assert view.order == [2, 0, 1] and view.counts == [2, 2, 2, 0, 0, 0]
    assert view.chips[:3] == [[0, 2], [1, 1], [0, 0]] and view.bank == [19, 17]
    assert view.blockable == -1 and view.skips == 0 and view.rules == {}
    assert view.known == [[]] * 6
    other = table.deal.view(2)
    assert other.moves == [] and by_name(other.hand) == "block B1" and other.order == [0, 1, 2]
    table.do("R5")
    view = table.deal.view(2)
    assert view.actor == 2 and view.turn == 1 and view.blockable == 0
    assert [word(move) for move in view.moves] == ["block", "let"] and table.deal.view(1).moves == []


def test_a_view_is_a_copy() -> None:
    table = Table(2).put({1: "R1 steal_card"}, discards={0: "R2"}, removed="R5", special="skip")
    table.do("steal_card>0")
    before = table.deal.snapshot()
    view = table.deal.view(1)
    for part in (view.hand, view.moves, view.special, view.removed, view.counts, view.bank, view.order):
        part.append(99)
        part[0] = 98
    for parts in (view.piles, view.discards, view.known, view.chips):
        for part in parts:
            part.append(99)
            part[0] = 98
        parts.append([])
    view.rules[1] = 1
    assert table.deal.snapshot() == before


def hide_otherwise(deal: "Any", seat: int, random: Prng) -> None:
    """Deal everything that this seat does not see anew, and stir the generator."""
    others = [other for other in range(6) if other != seat]
    hidden = list(deal.stock)
    for other in others:
        hidden += [card for card in deal.hands[other] if card not in deal.known[other]]
    random.shuffle(hidden)
    for other in others:
        hand = []
        for card in deal.hands[other]:
            hand.append(card if card in deal.known[other] else hidden.pop())
        deal.hands[other] = hand
    deal.stock = hidden
    for _ in range(3):
        deal.random.word()


def test_no_view_depends_on_what_is_hidden() -> None:
    """Other hands, the order of the stock and the generator are changed: every view stays the same."""
    blocks = 0
    for seed in range(12):
        random = Prng(seed)
        table = Table(2 + seed % 5, seed=seed)
        table.deal.deal()
        for _ in range(60):
            deal = table.deal
            moves = deal.legal()
            if not moves:
                break
            deal.do(moves[random.below(len(moves))])
            for seat in table.keeper.ring.active():
                view = deal.view(seat)
                kept = deal.snapshot()
                hide_otherwise(deal, seat, random)
                check_deal(deal)
                assert deal.view(seat) == view and repr(deal.view(seat)) == repr(view)
                deal.restore(kept)
                blocks += seat == deal.actor and view.blockable >= 0
    assert blocks > 20


def test_a_view_names_no_card_that_is_hidden() -> None:
    """Every card in it is its own, lies open or was stolen before everybody's eyes; the rest is numbers."""
    for seed in range(6):
        table = Table(4, seed=seed)
        table.deal.deal()
        random = Prng(seed)
        for _ in range(80):
            moves = table.deal.legal()
            if not moves:
                break
            table.deal.do(moves[random.below(len(moves))])
            deal = table.deal
            for seat in range(4):
                view = deal.view(seat)
                hidden = list(deal.stock)
                for other in range(4):
                    if other != seat:
                        hidden += [card for card in deal.hands[other] if card not in deal.known[other]]
                seen = view.hand + view.special + view.removed
                for cards in view.piles + view.discards + view.known:
                    seen += cards
                for move in view.moves:
                    assert move == LET or card_of(move) in seen
                assert sorted(set(seen + hidden)) == list(deal.pack) and not set(seen) & set(hidden)
                assert view.stock == len(deal.stock)


# Snapshots.


def test_a_deal_goes_on_from_its_snapshot() -> None:
    """The rest of the match is the same: cards, generator, keeper, who is asked."""
    asked = 0
    for seed in range(12):
        deal = Deal(Prng(100 + seed))
        deal.begin([0, 1, 2] if seed % 2 else [2, 4])
        play_on(deal, Prng(seed), 30 + seed * 5)
        while deal.actor == deal.keeper.turn and deal.legal():
            play_on(deal, Prng(seed), 1)
        asked += deal.actor != deal.keeper.turn
        kept = deal.snapshot()
        other = Deal(Prng(999))
        other.restore(kept)
        assert other.snapshot() == kept and other.legal() == deal.legal() and other.pack == deal.pack
        assert [other.view(seat) for seat in range(6)] == [deal.view(seat) for seat in range(6)]
        for each in (deal, other):
            play_on(each, Prng(7))
        assert deal.snapshot() == other.snapshot() and deal.keeper.phase == "over"
    assert asked > 3


def test_a_damaged_snapshot_is_refused() -> None:
    """Every byte changed, every length: ValueError, and the deal is as it was."""
    deal = Deal(Prng(5))
    deal.begin([0, 1, 2])
    play_on(deal, Prng(5), 60)
    good = deal.snapshot()
    other = Deal(Prng(6))
    other.begin([1, 4])
    before = other.snapshot()
    wrong = [good[:length] for length in range(0, len(good), 7)] + [good + b"\x00", good[1:]]
    for place in range(len(good)):
        wrong.append(good[:place] + bytes([good[place] ^ 1 << place % 8]) + good[place + 1 :])
    for data in wrong:
        refused = False
        try:
            other.restore(data)
        except ValueError:
            refused = True
        assert refused and other.snapshot() == before
    other.restore(good)
    assert other.snapshot() == good


def test_a_snapshot_of_other_cards_is_refused() -> None:
    """With a good checksum: a card that is there twice, a keeper of another game."""
    from cardrules.last_card import Keeper as OtherKeeper

    deal = Deal(Prng(5))
    deal.begin([0, 1, 2])
    before = deal.snapshot()
    faulty: list[Any] = []
    for _ in range(3):
        other: Any = Deal(Prng(5))
        other.restore(before)
        faulty.append(other)
    faulty[0].stock[0] = faulty[0].stock[1]
    faulty[1].hands[0].pop()
    faulty[2].keeper = OtherKeeper()
    for other in faulty:
        refused = False
        try:
            deal.restore(other.snapshot())
        except ValueError:
            refused = True
        assert refused and deal.snapshot() == before
