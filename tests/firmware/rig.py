"""The whole table on a board in memory, driven by a clock of its own."""

from __future__ import annotations

import tempfile

from fake_board import Board
from table.app import App


class Rig:
    """press(), tap(), hold() and run() as people and time do; `app` is the real one."""

    step_ms = 4

    def __init__(self, root: str | None = None, board: Board | None = None) -> None:
        self.root = root or tempfile.mkdtemp(prefix="table")
        self.board = board or Board()
        self.app = App(self.board, self.root)
        self.app.boot()
        self.run(40)

    @property
    def keeper(self):
        return self.app.log.keeper

    def run(self, ms: int) -> None:
        for _ in range(0, ms, self.step_ms):
            self.board.clock += self.step_ms
            self.app.tick(self.board.ticks_ms())

    def tap(self, *controls: str, ms: int = 48) -> None:
        for control in controls:
            self.board.press(control)
            self.run(ms)
            self.board.release(control)
            self.run(40)

    def hold(self, control: str, ms: int = 900) -> None:
        self.tap(control, ms=ms)

    def together(self, *controls: str) -> None:
        """Press several in the same scan."""
        for control in controls:
            self.board.press(control)
        self.run(48)
        for control in controls:
            self.board.release(control)
        self.run(40)

    def start(self, *seats: int, dealer: int | None = None) -> None:
        """Sit down (people's numbers) and start; dealer: people's number."""
        for seat in seats:
            self.tap(f"seat{seat}")
        if dealer is not None:
            self.hold("0")
            self.tap("2", f"seat{dealer}")
        self.tap("#")
        self.run(100)

    def restart(self) -> Rig:
        """Cut the power and start again: another app on the same files."""
        return Rig(self.root)

    def words(self) -> str:
        """Return all that stands on the screen, from the panel that was drawn last."""
        self.run(200)
        panel = self.app.panel
        parts = [panel.head, panel.title, panel.figure, panel.line, panel.below, panel.foot]
        parts += panel.rows or []
        parts += [f"{left} {right}" for left, right in panel.cells or []]
        return " | ".join(part for part in parts if part)
