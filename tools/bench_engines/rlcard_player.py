"""Plays RLCard's UNO, the raw game without its environment, four players."""

from random import Random

from rlcard.games.uno.game import UnoGame
from slices import serve

choose = Random(1).random
game = UnoGame()
game.configure({"game_num_players": 4})


def play(wanted: int) -> "tuple[int, int]":
    """Choose at random among the legal actions; this game offers to draw only when nothing fits."""
    decisions = rounds = 0
    pick = choose
    while decisions < wanted:
        game.init_game()
        while not game.is_over():
            moves = game.get_legal_actions()
            game.step(moves[int(pick() * len(moves))])
            decisions += 1
        rounds += 1
    return decisions, rounds


serve(play)
