"""A recorded match of four players, pressed into a virtual board, synced and shown; asks nothing.

The cards of the match were played beforehand (demo_match). The board sees only the presses; the
scores it comes to are held against those counted from the cards.
"""

from __future__ import annotations

import tempfile
import time

from chautari import console, errors, folders, ports
from chautari.cli.connecting import fetch
from chautari.cli.history import score_sheet
from chautari.demo_match import DemoMatch
from chautari.history import Match, Store
from chautari.link import Session
from chautari.virtual import VirtualBoard, VirtualBoardError

SPEED = 20
"""How much faster than real time the board's clock runs."""
NAMES = ("Anu", "Bikram", "", "Chandra", "दीपा", "")
"""Who sits at seats 1 to 6; two seats stay empty."""
SEED = 1
FOLDER = "demo"
"""Beside the real history, never in it."""


def main() -> int:
    """Run the match and show its score sheet; return the exit code. Raises Trouble."""
    screen = console.screen()
    folder = folders.make_folder(folders.data_folder() / FOLDER)
    match = DemoMatch(SEED)
    screen.print("Four players, a match of Last Card to 300, at a virtual table:")
    screen.print(f"{len(match.presses)} presses, its clock {SPEED} times as fast as a real one.")
    began = time.monotonic()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="chautari-demo-") as home,
            VirtualBoard(home, speed=SPEED) as board,
        ):
            if board.banner:
                screen.print(board.banner)
            with ports.open(board.port) as session:
                session.put({"names": list(NAMES)})
            press_all(screen, board, match)
            with Store(folders.history_file(folder)) as store, ports.open(board.port) as session:
                found = _newest(session, store)
                screen.print()
                score_sheet(screen, found, store.rounds(found.id))
    except VirtualBoardError as trouble:
        raise errors.Trouble(f"The virtual table cannot run: {trouble}.") from trouble
    _compare(match, found)
    screen.print()
    screen.print(f"The scores are those counted from the cards. {time.monotonic() - began:.0f} s.")
    screen.print(f"The history lies in {folders.history_file(folder)}")
    screen.print(f"See it again: {folders.program()} history show --data {folder}")
    return errors.OK


def press_all(screen: console.Screen, board: VirtualBoard, match: DemoMatch) -> None:
    """Press the whole match into the board, telling now and then how far it is."""
    told = 0
    for done, press in enumerate(match.presses, 1):
        time.sleep(press.wait_ms / 1000 / SPEED)
        board.panel.tap(press.control, ms=press.ms)
        if done * 10 // len(match.presses) > told:
            told = done * 10 // len(match.presses)
            screen.print(f"  {done:4} presses", style="dim")
            screen.file.flush()


def _newest(session: Session, store: Store) -> Match:
    outcome = fetch(session, store)
    return next(found for found in store.matches() if found.board_id == outcome.hello.board_id)


def _compare(match: DemoMatch, found: Match) -> None:
    """Raise Trouble when the table came to other scores than the cards."""
    table = {chair.seat: chair.score for chair in found.chairs}
    wrong = [
        f"seat {seat + 1}: {table.get(seat)} instead of {score}"
        for seat, score in match.scores.items()
        if table.get(seat) != score
    ]
    if wrong:
        raise errors.Trouble(
            f"The table came to other scores than the cards: {', '.join(wrong)}. Please report this."
        )
