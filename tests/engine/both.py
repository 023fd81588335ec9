"""What CPython and the MicroPython VM both run; their outputs have to agree line by line.

micropython both.py scenarios FILE...      each scenario, step by step, with the state after each
micropython both.py play SEED STEPS...     matches played by chance
micropython both.py bots SEED...           matches between bots, move by move
micropython both.py tests MODULE...        all functions test_* of plain test modules
micropython both.py memory STEPS           bytes in use by a table of six, before and after so many steps
"""

import sys
from binascii import hexlify
from hashlib import sha256

from cardrules import announcement as says
from cardrules import scenario
from cardrules.announcement import NO_SEAT
from cardrules.last_card import says as last_card
from cardrules.log import Log
from cardrules.prng import Prng

try:
    from collections.abc import Iterator
    from typing import Any
except ImportError:
    Any = object

CODES = sorted(list(says.COMMON) + list(last_card.NAMES))
_COMMON_PLAY = (last_card.DONE,) * 6 + (
    last_card.SKIP,
    last_card.REVERSE,
    last_card.PLUS_TWO,
    last_card.WILD,
    last_card.PLUS_FOUR,
    last_card.DRAW,
    last_card.PLAYED,
    last_card.CATCH_UP,
    last_card.COLOUR,
    last_card.COLOUR,
)

_NUMBERED = (says.BOOT, says.GAME, says.RULE, says.JOIN, says.SWAP, says.CLOSE, says.CORRECT) + (
    last_card.COLOUR,
    last_card.COUNT,
    last_card.TURNED,
    last_card.CARD,
    last_card.SUM,
)
_RARE = (says.UNDO,) * 4 + (says.REDO,) * 3 + (says.LEAVE,) * 3
_RARE += (says.JOIN, says.SWAP, says.CORRECT, says.VOID)


def digest(state: bytes) -> str:
    """Return a whole state in short: eight digits.

    No crc32: checkpoints and snapshots end with their own, which makes that of the whole always the same.
    """
    return hexlify(sha256(state).digest()[:4]).decode()


def state_line(log: Log) -> str:
    """Return the whole state in short."""
    return digest(log.checkpoint())


def scenario_name(path: str) -> str:
    """Return the name of a scenario: its game's folder and its file."""
    return "/".join(path.split("/")[-2:])


def scenario_lines(name: str, text: str) -> "Iterator[str]":
    """Run a scenario and give a line for each step."""
    log = Log()
    try:
        for step in scenario.run(text, log):
            told = step.reason or step.notices
            yield f"{name}:{step.line} {tuple(step.say)} {told} {state_line(log)}"
    except scenario.ScenarioError as error:
        yield f"{name}:{error.line} error {error.code} {error.detail}"


def guess(random: Prng, log: Log) -> "tuple[int, int, int]":
    """Return an announcement that often, but not always, can be said now."""
    keeper: Any = log.keeper
    seats = keeper.seats
    what = CODES[random.below(len(CODES))]
    likely = random.below(10)
    seat = random.below(seats) if likely else (NO_SEAT, seats, 31, 254)[random.below(4)]
    arg = random.below(4) if random.below(3) else 0
    phase = keeper.phase
    if likely == 1 and phase != "setup":
        what = _RARE[random.below(len(_RARE))]
    elif keeper.paused and likely > 4:
        what = says.RESUME
    elif phase == "setup":
        if likely:
            what = (says.JOIN, says.JOIN, says.RULE, says.START, says.LEAVE, says.DEALER)[random.below(6)]
        if what == says.RULE:
            arg = (1 + random.below(3)) * 65536 + (0, 1, 200, 300)[random.below(4)]
    elif phase in ("play", "colour", "out") and likely > 1:
        what = _COMMON_PLAY[random.below(len(_COMMON_PLAY))]
        seat = keeper.turn
        if phase == "colour" and random.below(2):
            what = last_card.COLOUR
        elif phase == "out" and random.below(2):
            what = last_card.COUNT
        elif what == last_card.CATCH_UP:
            seat = keeper.due
    elif phase == "scoring" and likely > 1:
        what = (last_card.CARD, last_card.CARD, last_card.SUM, last_card.ALL)[random.below(4)]
        seat = keeper.entering
        arg = random.below(12) if what == last_card.CARD else random.below(120)
    elif phase == "scored" and likely > 1:
        what = says.CLOSE
        arg = keeper.points
    elif phase == "over" and likely > 4:
        what = says.GAME
    if what == says.GAME:
        seat = NO_SEAT
        arg = 1
    elif what == says.END and random.below(4):
        what = says.UNDO
    elif what == last_card.TURNED:
        arg = last_card.SKIP + random.below(5)
    elif what == last_card.COUNT:
        arg = random.below(9)
    elif what not in _NUMBERED and random.below(20):
        arg = 0
    elif what == says.CORRECT:
        arg = (1 + random.below(3)) * 65536 + 32768 + random.below(400)
    return what, seat, arg


def play_lines(seed: int, steps: int) -> "Iterator[str]":
    """Say things by chance and give a line for each that is accepted."""
    random = Prng(seed)
    log = Log()
    log.say(says.GAME, NO_SEAT, 1)
    ms = 0
    for _ in range(steps):
        what, seat, arg = guess(random, log)
        ms += random.below(5000)
        reason, notices = log.say(what, seat, arg, ms)
        if reason is None:
            yield f"{what} {seat} {arg} {notices} {state_line(log)}"


def run_tests(module: str) -> "Iterator[str]":
    """Run the functions test_* of a plain test module and give their names."""
    found = __import__(module)
    for name in sorted(dir(found)):
        if name.startswith("test_"):
            getattr(found, name)()
            yield module + " " + name


class LastPiece:
    """An archive that keeps one piece, as if the others lay in flash."""

    def __init__(self) -> None:
        self._piece: Any = (-1, b"", b"")

    def save(self, index: int, snapshot: bytes, records: bytes) -> None:
        self._piece = (index, snapshot, records)

    def load(self, index: int) -> "tuple[bytes, bytes]":
        if self._piece[0] != index:
            raise KeyError(index)
        return self._piece[1], self._piece[2]

    def drop_after(self, index: int) -> None:
        if self._piece[0] > index:
            self._piece = (-1, b"", b"")


def memory_lines(steps: int) -> "Iterator[str]":
    """Give bytes in use (in the VM only): a log with a keeper for six, a long round, after many steps."""
    import gc

    def used() -> int:
        gc.collect()
        return gc.mem_alloc()  # type: ignore[attr-defined, no-any-return]

    def match(log: Log) -> None:
        if log.keeper is not None and log.keeper.phase not in ("setup", "over"):
            log.say(says.RESUME)
            log.say(says.END)
        log.say(says.GAME, NO_SEAT, 1)
        for seat in range(6):
            log.say(says.JOIN, seat, seat)
        log.say(says.START)

    random = Prng(5)
    random.word()  # its first block is made
    before = used()
    log = Log(LastPiece())
    match(log)
    fresh = used()
    yield f"fresh {fresh - before}"
    for _ in range(200):
        keeper: Any = log.keeper
        log.say(last_card.COUNT, keeper.turn, 7)
        log.say(last_card.DONE, keeper.turn)
    match(log)
    once = used()
    yield f"round {once - before}"
    most = 0
    accepted = 0
    while accepted < steps:
        what, seat, arg = guess(random, log)
        accepted += log.say(what, seat, arg, accepted)[0] is None
        if accepted % 500 == 0:
            most = max(most, used() - before)
    match(log)
    yield f"most {most}"
    yield f"grown {used() - once}"


def bot_lines(seed: int) -> "Iterator[str]":
    """Give each move of a match between bots of all levels."""
    # Imported here: a board has no cards, and what runs in its heap does without them too.
    from cardrules.last_card.bots import LEVELS, Bot
    from cardrules.last_card.deal import Deal

    deal = Deal(Prng(seed))
    seats = 2 + seed % 5
    bots = [Bot(LEVELS[(seat + seed) % 3], Prng(seed + seat)) for seat in range(seats)]
    deal.begin(list(range(seats)), {1: 200, 2: seed & 1, 3: seed >> 1 & 1})
    while deal.keeper.phase != "over":
        if not deal.legal():
            deal.close()
            yield f"{deal.keeper.scores} {digest(deal.snapshot())}"
            continue
        seat = deal.keeper.turn
        move = bots[seat].move(deal.view(seat))
        deal.do(move)
        yield f"{seat} {move} {deal.keeper.counts}"


def main(words: "list[str]") -> None:
    """Print what is asked for on the command line."""
    if words[0] == "scenarios":
        for path in words[1:]:
            with open(path) as file:
                text = file.read()
            for line in scenario_lines(scenario_name(path), text):
                print(line)
    elif words[0] == "play":
        for place in range(1, len(words), 2):
            for line in play_lines(int(words[place]), int(words[place + 1])):
                print(line)
    elif words[0] == "bots":
        for seed in words[1:]:
            for line in bot_lines(int(seed)):
                print(line)
    elif words[0] == "memory":
        for line in memory_lines(int(words[1])):
            print(line)
    elif words[0] == "tests":
        for module in words[1:]:
            for line in run_tests(module):
                print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
