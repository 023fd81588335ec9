"""How the bots play. Runs under CPython and in the MicroPython VM."""

from cardrules.last_card.bots import LEVELS, Bot
from cardrules.last_card.cards import COLOUR, COLOURS, NO_COLOUR, SYMBOL, fits, name, named
from cardrules.last_card.deal import DRAW, KEEP, NAME, Deal, SilentKeeper, View
from cardrules.last_card.settings import DECK, DRAW_UNTIL, STACKING, TARGET
from cardrules.prng import Prng

try:
    from typing import Any
except ImportError:
    Any = object

RED, YELLOW, GREEN, BLUE = range(4)
PLAIN_RULES = {TARGET: 300, STACKING: 0, DRAW_UNTIL: 0}


def cards(text: str) -> "list[int]":
    """Return cards by their names, each with a number of its own."""
    found: list[int] = []
    for word in text.split():
        found.append([card for card in named(word) if card not in found][0])
    return found


def shown(
    hand: str, pile: str, counts: "Any" = (0, 7), lacks: "Any" = (0, 0), owed: int = 0, naming: bool = False
) -> "View":
    """Return what seat 0 sees on turn. counts, lacks: of all seats; the own count is that of the hand.

    naming: it has just played the wild on the pile and names a colour.
    """
    held = cards(hand)
    open_cards = [card for card in cards(pile + " " + hand) if card not in held] or cards(pile)
    top = open_cards[-1]
    moves = [NAME + colour for colour in range(COLOURS)]
    if not naming:
        moves = [card for card in held if fits(card, COLOUR[top], SYMBOL[top])] + [DRAW]
        if owed:
            moves = [card for card in held if SYMBOL[card] == SYMBOL[top]] + [DRAW]
    seats = len(counts)
    counts = [len(held)] + list(counts[1:])
    stock = DECK - 1 - sum(counts)
    order = list(range(1, seats)) + [0]
    zeros = [0] * (6 - seats)
    return View(
        0,
        held,
        moves,
        -1,
        open_cards,
        COLOUR[top],
        SYMBOL[top],
        stock,
        owed,
        0,
        1,
        order,
        counts + zeros,
        [0] * 6,
        list(lacks) + zeros,
        seats - 1,
        PLAIN_RULES,
    )


def says(level: str, view: "View") -> str:
    """Return in a word what a bot does."""
    move = Bot(level, Prng(1)).move(view)
    assert move in view.moves
    if move < DECK:
        return name(move)
    return {DRAW: "draw", KEEP: "keep"}.get(move) or ("red", "yellow", "green", "blue")[move - NAME]


def test_levels() -> None:
    assert LEVELS == ("easy", "medium", "hard")
    refused = False
    try:
        Bot("middling", Prng(1))
    except ValueError:
        refused = True
    assert refused


def test_nobody_is_asked_out_of_turn() -> None:
    deal = Deal(Prng(1))
    deal.begin([0, 1])
    for level in LEVELS:
        refused = False
        try:
            Bot(level, Prng(1)).move(deal.view(1 - deal.keeper.turn))
        except ValueError:
            refused = True
        assert refused


def test_easy_plays_whatever_fits() -> None:
    bot = Bot("easy", Prng(5))
    view = shown("R1 R9 W B2", "R5")
    seen = [bot.move(view) for _ in range(60)]
    assert {name(card) for card in seen} == {"R1", "R9", "W"}
    assert says("easy", shown("B2 G3", "R5")) == "draw"
    named_by_easy = {bot.move(shown("R1", "R5 W", naming=True)) for _ in range(60)}
    assert named_by_easy == {NAME + colour for colour in range(COLOURS)}


def test_wilds_are_kept_while_something_else_fits() -> None:
    """H1"""
    for level in ("medium", "hard"):
        assert says(level, shown("R3 W B1 B2", "R5")) == "R3"
        assert says(level, shown("R3 +4 B1 B2", "R5", counts=(0, 7, 7, 7), lacks=(0, 0, 0, 0))) == "R3"
    assert says("medium", shown("W B1 B2", "R5")) == "W"
    assert says("medium", shown("B1 B2", "R5")) == "draw"


def test_the_colour_held_most_is_named() -> None:
    """H2, R23"""
    for level in ("medium", "hard"):
        for counts in ((0, 7), (0, 7, 7, 7)):
            lacks = (0,) * len(counts)
            view = shown("G1 G3 G9 R9", "R5 W", counts=counts, lacks=lacks, naming=True)
            assert says(level, view) == "green", (level, counts)
            view = shown("B1 B3 R4 B8", "R5 W", counts=counts, lacks=lacks, naming=True)
            assert says(level, view) == "blue", (level, counts)


def test_medium_sheds_the_heaviest_card_and_holds_nothing_back() -> None:
    """A2"""
    for next_holds in (1, 2, 7):
        assert says("medium", shown("R1 R9 RS B2", "R5", counts=(0, next_holds))) == "RS"
        assert says("medium", shown("R1 R9 B2", "R5", counts=(0, next_holds))) == "R9"


def test_hard_keeps_action_cards_for_who_is_about_to_go_out() -> None:
    """H3, A3: the next player, whom alone a Skip or a Plus Two can hit."""
    lacks = (0, 0, 0, 0)
    for card in ("RS", "R+2"):
        hand = "R9 B1 B3 Y4 " + card
        assert says("hard", shown(hand, "R5", counts=(0, 1, 7, 7), lacks=lacks)) == card
    # Two seats farther nobody is stopped by it.
    assert says("hard", shown("R9 R+2 B1 B3", "R5", counts=(0, 9, 9, 9), lacks=lacks)) != "R+2"


def test_hard_sheds_heavy_cards_when_somebody_is_about_to_go_out() -> None:
    """H4: of two cards that lead to the same colour, the heavy one."""
    for counts in ((0, 1), (0, 2), (0, 5, 1, 5)):
        lacks = (0,) * len(counts)
        for hand in ("R1 R9 B2 B4", "R9 R1 B2 B4"):
            assert says("hard", shown(hand, "R5", counts=counts, lacks=lacks)) == "R9", (counts, hand)
    # A wild in hand may cost fifty: with a single card left beside it somebody else's last card is near.
    assert says("hard", shown("R1 W", "R5", counts=(0, 1), lacks=(0, 0))) == "W"


def test_hard_brings_the_pile_to_a_colour_that_the_next_player_lacks() -> None:
    """H5"""
    for counts in ((0, 3), (0, 3, 7, 7)):
        for colour, word in ((GREEN, "green"), (RED, "red")):
            lacks = (0, 1 << colour) + (0,) * (len(counts) - 2)
            view = shown("G1 R2 Y7 B7", "R5 W", counts=counts, lacks=lacks, naming=True)
            assert says("hard", view) == word, (counts, word)


def test_hard_plays_on_while_the_other_one_loses_its_turn() -> None:
    """Between two a Skip gives another turn: who can go out by it does (R19, R20, R21)."""
    assert says("hard", shown("RS BS B7", "R5", counts=(0, 1))) == "RS"
    assert says("hard", shown("R9 RR", "R5", counts=(0, 2))) == "RR"
    # Three extra turns in a row empty the hand at once.
    for hand in ("RS R+2 B+2 B7", "B7 B+2 R+2 RS"):
        view = shown(hand, "R5", counts=(0, 7))
        assert says("hard", view) in ("RS", "R+2"), hand


def test_a_stack_is_answered_when_that_is_possible() -> None:
    """R31, A12"""
    for level in LEVELS:
        assert says(level, shown("B+2 R1 Y3", "R+2", owed=2)) == "B+2"
        assert says(level, shown("B2 R1 Y3", "R+2", owed=2)) == "draw"


def played(rules: "dict[int, int]", seats: int, levels: "list[str]", seed: int) -> "Deal":
    """Play one match; every move has to be one of those shown."""
    deal = Deal(Prng(seed), SilentKeeper())
    bots = [Bot(levels[seat], Prng(seed + 1 + seat)) for seat in range(seats)]
    deal.begin(list(range(seats)), rules, seed % seats)
    while deal.keeper.phase != "over":
        if not deal.legal():
            deal.close()
            continue
        seat = deal.keeper.turn
        view = deal.view(seat)
        move = bots[seat].move(view)
        assert move in view.moves, (rules, seats, move)
        deal.do(move)
    return deal


def test_every_move_of_a_bot_is_legal() -> None:
    seed = 1
    for stacking in (0, 1):
        for draw_until in (0, 1):
            for seats in (2, 3, 4, 5, 6):
                seed += 1
                levels = [LEVELS[(seat + seed) % 3] for seat in range(seats)]
                rules = {TARGET: 1, STACKING: stacking, DRAW_UNTIL: draw_until}
                deal = played(rules, seats, levels, seed)
                assert deal.keeper.winner < seats


def test_hidden_cards_change_nothing() -> None:
    """The same view gives the same move, whatever the others hold and however the stock lies."""
    chance = Prng(11)
    asked = 0
    for seed in range(12):
        deal = Deal(Prng(seed), SilentKeeper())
        deal.begin([0, 1, 2], {TARGET: 300, STACKING: seed & 1})
        bots = [Bot("hard", Prng(1)) for _ in range(3)]
        for _ in range(25):
            if not deal.legal():
                break
            seat = deal.keeper.turn
            other = Deal(Prng(99))
            other.restore(deal.snapshot())
            hidden = list(other.stock)
            for there in range(3):
                if there != seat:
                    hidden += other.hands[there]
            chance.shuffle(hidden)
            for there in range(3):
                if there != seat:
                    count = len(other.hands[there])
                    other.hands[there] = hidden[:count]
                    del hidden[:count]
            other.stock = hidden
            for level in LEVELS:
                move = Bot(level, Prng(seed)).move(deal.view(seat))
                assert Bot(level, Prng(seed)).move(other.view(seat)) == move
                asked += 1
            deal.do(bots[seat].move(deal.view(seat)))
    assert asked > 500


def test_the_levels_are_levels() -> None:
    """Far from what chance could turn round: the measured shares are on the rules page."""
    rules = {TARGET: 200}
    for better, worse, fewest in (("hard", "easy", 26), ("medium", "easy", 22)):
        won = 0
        for seed in range(30):
            first = seed % 2
            levels = [better, worse] if first == 0 else [worse, better]
            won += played(rules, 2, levels, 1000 + seed // 2).keeper.winner == first
        assert won >= fewest, (better, won)


def test_no_colour_is_not_a_colour() -> None:
    assert NO_COLOUR == COLOURS and all(COLOUR[card] == NO_COLOUR for card in named("W") + named("+4"))
