"""What goes onto the board: for flashing, for freezing and for the virtual board.

MicroPython's manifest syntax. Engine packages lie on the board beside the firmware's own.
"""

module("main.py")  # noqa: F821
package("boards")  # noqa: F821
package("table")  # noqa: F821
package("cardrules", base_path="../engine")  # noqa: F821
package("tablelink", base_path="../engine")  # noqa: F821
