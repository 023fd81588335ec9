"""What the commands share: options, the history, the table, and how things look."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import typer

from chautari import folders
from chautari.history import Store, When

PORT_VARIABLE = "CHAUTARI_PORT"


def _use_folder(folder: str) -> str:
    if folder:
        os.environ[folders.DATA_VARIABLE] = folder
    return folder


PortOption = Annotated[
    str,
    typer.Option(
        "--port",
        "-p",
        envvar=PORT_VARIABLE,
        metavar="PORT",
        help="The table's port, or the beginning of its board id. Not needed when there is one table.",
        show_default=False,
    ),
]
DataOption = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="FOLDER",
        callback=_use_folder,
        help=f"Where the history lies; otherwise {folders.DATA_VARIABLE}, otherwise the user's data folder.",
        show_default=False,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs, as docs/commands.md describes.")
]


def group(help_text: str) -> typer.Typer:
    """Return a group of commands."""
    return typer.Typer(
        help=help_text, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False
    )


Command = Callable[..., Any]


def described(text: str, *examples: str) -> str:
    """Return the help of a command: what it does, then how it is typed."""
    lines = "\n".join(f"  {example}" for example in examples)
    return f"{text}\n\n\b\n{'Examples' if len(examples) > 1 else 'Example'}:\n{lines}"


def data_folder() -> Path:
    """Return the data folder of this command."""
    return folders.data_folder()


def open_store() -> Store:
    """Open the history of this command; the folder is made if need be. Raises Trouble."""
    folder = folders.make_folder(data_folder())
    return Store(folders.history_file(folder))


def local_time(when: When) -> str:
    """Return when something was, as people read it: in the zone it was in, to the minute."""
    if when.at is not None:
        return minute(when.at, when.zone)
    if when.earliest is not None and when.latest is not None:
        return f"between {minute(when.earliest, when.zone)} and {minute(when.latest, when.zone)}"
    if when.latest is not None:
        return f"before {minute(when.latest, when.zone)}"
    if when.earliest is not None:
        return f"after {minute(when.earliest, when.zone)}"
    return "not known"


def minute(at: datetime, zone: str) -> str:
    """Return a moment in its zone, or in this PC's if the zone is not known."""
    try:
        local = at.astimezone(ZoneInfo(zone)) if zone else at.astimezone()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        local = at.astimezone()
    return local.strftime("%Y-%m-%d %H:%M")


_port = ""


def remember_port(port: str) -> None:
    """Keep the port that was named before the command."""
    global _port
    _port = port


def chosen_port(port: str) -> str:
    """Return the port named after the command, or else before it."""
    return port or _port
