"""The games by number; each is loaded when it is first played."""

GAMES = {"last_card": 1, "sequence_stacks": 2, "twenty_two": 3, "railroad_canasta": 4}
"""Numbers in journals and histories: never given to another game."""


def name(game: int) -> str:
    """Return the name of a game's number. Raises ValueError for an unknown one."""
    for known in GAMES:
        if GAMES[known] == game:
            return known
    raise ValueError("unknown game")


def load(game):
    """Return the game's keeper module, with Keeper, SETTINGS and NAMES. Raises ValueError for an unknown game."""
    if game == GAMES["last_card"]:
        from cardrules.last_card import keeper

        return keeper
    raise ValueError("unknown game")
