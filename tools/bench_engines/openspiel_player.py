"""Plays OpenSpiel's crazy_eights with special cards, four players, driven from Python."""

from random import Random

import pyspiel
from slices import serve

choose = Random(1).random
game = pyspiel.load_game("crazy_eights(players=4,use_special_cards=true)")


def play(wanted: int, draw: int = 52, keep: int = 53) -> "tuple[int, int]":
    """Choose at random, draw only when nothing fits; cards dealt and drawn are chance, not decisions."""
    decisions = rounds = 0
    pick = choose
    while decisions < wanted:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            count = len(moves)
            if state.is_chance_node():
                state.apply_action(moves[int(pick() * count)])
                continue
            if count > 1 and (moves[-1] == draw or moves[-1] == keep):
                count -= 1
            state.apply_action(moves[int(pick() * count)])
            decisions += 1
        rounds += 1
    return decisions, rounds


serve(play)
