"""Knows what the board's end of the serial line does: run a program or stand at a prompt.

A Pico takes the interrupt character out of the stream and raises KeyboardInterrupt. The desktop VM
would need a signal for that, which can break its heap and its file system, so the supervisor takes
the character out and tells the board over the panel channel. At a prompt the character is the
prompt's own and passes.
"""

from __future__ import annotations

import re

CTRL_C = 3
_PROMPT = re.compile(rb"(^|\n|\r)(>>>|\.\.\.|===) +$")
_RAW_PROMPT = b"\x04>"
_RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n>"


class Console:
    """Follows both directions of the line of one run of the VM."""

    def __init__(self) -> None:
        self.in_main = True  # main.py, or the start before it
        self.interrupt_char = CTRL_C
        self.at_prompt = False
        self.raw = False
        self._paste = False
        self.tail = b""

    def interruptible(self) -> bool:
        """Return whether an interrupt character is one now, and not the prompt's or the program's data."""
        return not self.at_prompt and self.interrupt_char == CTRL_C

    def repl_begins(self) -> None:
        """main.py is over; from here on the prompt sets the interrupt character itself."""
        self.in_main = False
        self.interrupt_char = CTRL_C
        self._look()  # the prompt may have come before this word of it

    def to_board(self, data: bytes) -> None:
        """Follow bytes that are forwarded to the board."""
        if self.in_main:
            return
        for byte in data:
            if not self.at_prompt:
                return
            if self.raw:
                if byte == 2:
                    self.raw = False
                elif byte == 4:
                    self.at_prompt = False
            elif self._paste:
                if byte in (3, 4):
                    self._paste = False
                    self.at_prompt = byte == 3
            elif byte == 1:
                self.raw = True
            elif byte == 5:
                self._paste = True
            elif byte in (13, 10, 4):
                self.at_prompt = False

    def from_board(self, data: bytes) -> None:
        """Follow bytes that the board sends."""
        self.tail = (self.tail + data)[-400:]
        if not self.in_main and not self.at_prompt:
            self._look()

    def _look(self) -> None:
        if self.raw:
            self.at_prompt = self.tail.endswith((_RAW_PROMPT, _RAW_BANNER))
        else:
            self.at_prompt = _PROMPT.search(self.tail) is not None
        if self.at_prompt:
            self.interrupt_char = CTRL_C

    def ended_raw(self) -> bool:
        """Return whether the VM, which has ended, was left from the raw prompt."""
        return self.tail.endswith((b">OK\r\n", b"\x04\x04"))
