"""Tones, one after another, without waiting for them.

Loudness is the piezo's pulse width; off is off for everything, the clicks of long keys included.
"""

from table import cues

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable



class Sound:
    """tone(hz, duty): the board's buzzer, duty out of 65535, 0 for silence; level: 0 off, 1 low, 2 normal."""

    def __init__(self, tone: "Callable[[int, int], object]") -> None:
        self.tone = tone
        self.level = 2
        self.played = 0
        self._tune: "tuple[int, ...]" = cues.SILENT
        self._next = 0
        self._left = 0  # ms of the tone that sounds
        self._ms = 0

    def play(self, tune: "tuple[int, ...]", ms: int) -> None:
        """Let the next step() begin a tune of (hertz, milliseconds, ...) in place of what sounds."""
        if not tune or not self.level:
            if self._left:
                self.stop()
            return
        self._tune = tune
        self._next = 0
        self._left = 0
        self._ms = ms
        self.played += 1

    def stop(self) -> None:
        """Be silent."""
        self.tone(0, 0)
        self._tune = cues.SILENT
        self._left = 0

    def busy(self) -> bool:
        """Does something sound?"""
        return self._left > 0

    def step(self, ms: int) -> None:
        """Go on to the next tone when it is time; ms: the same clock as for play()."""
        if not self._tune:
            return
        passed = ms - self._ms
        self._ms = ms
        self._left -= passed
        while self._left <= 0:
            if self._next >= len(self._tune):
                self.stop()
                return
            hz = self._tune[self._next]
            self._left += self._tune[self._next + 1]
            self._next += 2
            self.tone(hz, cues.DUTY[self.level] if hz else 0)
