"""What goes onto the board: for flashing, for freezing and for the virtual board.

MicroPython's manifest syntax. Engine packages lie on the board beside the firmware's own. Of the rules
only what a keeper needs goes along: cards, deals and bots are for the PC.
"""

module("main.py")  # noqa: F821
package("boards")  # noqa: F821
package("table")  # noqa: F821
package(  # noqa: F821
    "cardrules",
    files=(
        "__init__.py",
        "announcement.py",
        "games.py",
        "keeper.py",
        "log.py",
        "notices.py",
        "prng.py",
        "seating.py",
        "varint.py",
        "last_card/__init__.py",
        "last_card/entry.py",
        "last_card/hands.py",
        "last_card/keeper.py",
        "last_card/says.py",
        "last_card/settings.py",
    ),
    base_path="../engine",
)
package("tablelink", base_path="../engine")  # noqa: F821
