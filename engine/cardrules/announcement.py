"""What can be said at a table.

Everything that happens is one announcement: journal number, milliseconds, seat, what, argument.
The state of a table is the fold of its announcements. The codes here are written into journals
and histories: a number once given is never given another meaning.

Codes 1 to 31 are common to all games; each game owns a block of 32 further codes, kept in the
module `says` of its package.
"""

import struct
from collections import namedtuple

NO_SEAT = 255
"""Seat of an announcement that concerns nobody in particular."""

# Of the device itself.
BOOT = 1  # arg: boot count; milliseconds start again here
UNDO = 2  # takes back the latest announcement that can be taken back
REDO = 3
PAUSE = 4
RESUME = 5  # seat: who resumed, or NO_SEAT

# Of a match, whatever the game.
GAME = 8  # arg: game id; a new match is being set up, nothing of the last one is left
RULE = 9  # arg: key * 65536 + value, see the game's settings
JOIN = 10  # seat; arg: player id, 0 if unknown; also how a seat that left comes back
LEAVE = 11  # seat
DEALER = 12  # seat: deals the first round
START = 13  # set-up is over, the first round is dealt
SWAP = 14  # seat; arg: other seat; player, hand and score change places
VOID = 15  # the round in play counts for nobody
END = 16  # the match ends here, unfinished
CLOSE = 17  # arg: points of the round; the round's scores are confirmed, the next round is dealt
CORRECT = 18  # seat: who won; arg: round * 65536 + points + 32768; rounds count from 1
PRACTICE = 19  # a program holds the cards of this match

COMMON = {
    BOOT: "boot",
    UNDO: "undo",
    REDO: "redo",
    PAUSE: "pause",
    RESUME: "resume",
    GAME: "game",
    RULE: "rule",
    JOIN: "join",
    LEAVE: "leave",
    DEALER: "dealer",
    START: "start",
    SWAP: "swap",
    VOID: "void",
    END: "end",
    CLOSE: "close",
    CORRECT: "correct",
    PRACTICE: "practice",
}
"""Names of the common codes, as texts, links and exports use them."""

KEPT_BY_UNDO = (BOOT, UNDO, REDO, PAUSE, RESUME)
"""Codes that undo never takes back: they say what the device did, not what people played."""

Announcement = namedtuple("Announcement", ("number", "ms", "seat", "what", "arg"))
"""number: journal number from 1; ms: milliseconds since the boot, modulo 2**32;
seat: 0 to 31 or NO_SEAT; what: code; arg: 0 to 2**32 - 1."""

PACKED_SIZE = 14
_FORMAT = "<IIBBI"


def pack(announcement: "Announcement") -> bytes:
    """Return the announcement as PACKED_SIZE bytes."""
    return struct.pack(_FORMAT, *announcement)


def unpack(data: bytes, offset: int = 0) -> "Announcement":
    """Return the announcement that pack() wrote at offset.

    Raises ValueError when fewer than PACKED_SIZE bytes are left.
    """
    if len(data) - offset < PACKED_SIZE:
        raise ValueError("announcement cut short")
    return Announcement(*struct.unpack_from(_FORMAT, data, offset))
