"""The games there are, by name and by the number that announcements carry."""

try:
    from typing import Any
except ImportError:
    pass

GAMES = {"last_card": 1, "sequence_stacks": 2, "twenty_two": 3, "railroad_canasta": 4}
"""Name -> game id. Ids stand in journals and are never given to another game."""


def name(game_id: int) -> str:
    """Return the name of a game. Raises ValueError for an id that is not known."""
    for known in GAMES:
        if GAMES[known] == game_id:
            return known
    raise ValueError("no such game")


def load(game_id: int) -> "Any":
    """Return the package of a game: Keeper, SETTINGS, NAMES, WORDS. Imported only when asked for.

    SETTINGS: tuple of (key, name, values, default). NAMES: code -> word of what can be said in it.
    WORDS: code -> word -> number, for texts.
    Raises ValueError for a game that is not known here.
    """
    if game_id == 1:
        from cardrules import last_card

        return last_card
    if game_id == 2:
        from cardrules import sequence_stacks

        return sequence_stacks
    if game_id == 3:
        from cardrules import twenty_two

        return twenty_two
    raise ValueError("no such game")
