"""Plays this project's Last Card: the full deal and its keeper, matches to 500, four seats."""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "engine"))

from cardrules.last_card.deal import DRAW, KEEP, Deal, SilentKeeper
from cardrules.last_card.settings import TARGET
from cardrules.prng import Prng
from slices import serve

SEATS = [0, 1, 2, 3]
RULES = {TARGET: 500}
choose = Random(1).random
shuffles = Prng(1)


def new_match() -> Deal:
    """Return a match that is set up and dealt."""
    deal = Deal(shuffles, SilentKeeper())
    deal.begin(SEATS, RULES)
    return deal


def play(wanted: int, draw: int = DRAW, keep: int = KEEP) -> "tuple[int, int]":
    """Choose at random, draw only when nothing fits."""
    decisions = rounds = 0
    pick = choose
    deal = new_match()
    while decisions < wanted:
        moves = deal.legal()
        while moves:
            count = len(moves)
            if count > 1 and (moves[-1] == draw or moves[-1] == keep):
                count -= 1
            deal.do(moves[int(pick() * count)])
            decisions += 1
            moves = deal.legal()
        rounds += 1
        deal.close()
        if deal.keeper.phase == "over":
            deal = new_match()
    return decisions, rounds


serve(play)
