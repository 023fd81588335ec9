"""The table device without the device: its firmware in the real MicroPython VM.

    with VirtualBoard(folder) as board:
        board.panel.tap("seat1")
        print(board.port)
"""

from chautari.virtual.board import VirtualBoard
from chautari.virtual.panel import FlashCount, Panel
from chautari.virtual.serial_port import is_live
from chautari.virtual.vm import VirtualBoardError, available

__all__ = ["FlashCount", "Panel", "VirtualBoard", "VirtualBoardError", "available", "is_live"]
