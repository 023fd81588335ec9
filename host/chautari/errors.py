"""What can go wrong on the PC: each error is one line that says what to do, with its exit code."""

from __future__ import annotations

from typing import ClassVar

OK = 0
ERROR = 1
USAGE = 2
NO_DEVICE = 3
BUSY = 4
NO_PERMISSION = 5
VERSIONS = 6
DATA = 7
NO_ANSWER = 8
CANCELLED = 130

EXIT_CODES: dict[int, str] = {
    OK: "done",
    ERROR: "something went wrong; the line on stderr says what",
    USAGE: "the command was not understood, or a value in it is not allowed",
    NO_DEVICE: "no board was found, or several and none was chosen",
    BUSY: "the port or the history is in use by another program",
    NO_PERMISSION: "this user may not open the port or the file",
    VERSIONS: "board, program or history come from versions that do not go together",
    DATA: "a file is damaged, cut, edited or not what it should be",
    NO_ANSWER: "the board does not answer, or was unplugged",
    CANCELLED: "stopped with Ctrl-C",
}
"""What the exit codes of `chautari` mean; docs/commands.md shows the same table."""


class Trouble(Exception):
    """Something a person can act on. The text is one line; exit_code is one of EXIT_CODES."""

    exit_code: ClassVar[int] = ERROR


class NotFound(Trouble):
    """A match, player or profile of that name is not there."""

    exit_code = USAGE


class NotAllowed(Trouble):
    """A value outside what is allowed; the text names what is."""

    exit_code = USAGE


class HistoryBusy(Trouble):
    """Another program is writing into the history and does not finish in time."""

    exit_code = BUSY


class NoAccess(Trouble):
    """The history may not be read or written by this user."""

    exit_code = NO_PERMISSION


class NewerHistory(Trouble):
    """The history was written by a newer Chautari."""

    exit_code = VERSIONS


class DamagedHistory(Trouble):
    """The history file is damaged, or is not a history at all. It is left as it is."""

    exit_code = DATA


class BadFile(Trouble):
    """A file given to read is cut, edited, or not of the kind expected."""

    exit_code = DATA
