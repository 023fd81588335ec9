"""Where Chautari keeps its things on this PC."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from platformdirs import user_data_path

from chautari.errors import NoAccess

DATA_VARIABLE = "CHAUTARI_DATA"
HISTORY_NAME = "history.sqlite3"
TROUBLE_NAME = "trouble.log"


def data_folder(chosen: str | os.PathLike[str] | None = None) -> Path:
    """Return the data folder: the one chosen, else that of CHAUTARI_DATA, else the user's own.

    The folder is not made; see make_folder().
    """
    if chosen:
        return Path(chosen).expanduser()
    named = os.environ.get(DATA_VARIABLE)
    if named:
        return Path(named).expanduser()
    return Path(user_data_path("chautari", appauthor=False))


def make_folder(folder: Path) -> Path:
    """Make the folder if it is not there, and return it. Raises NoAccess when that is refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise NoAccess(
            f"The data folder {folder} cannot be made ({reason}); "
            f"choose another with --data or {DATA_VARIABLE}."
        ) from error
    return folder


def history_file(folder: Path) -> Path:
    """Return the path of the history inside the data folder."""
    return folder / HISTORY_NAME


def trouble_file(folder: Path) -> Path:
    """Return the path of the log that details of unexpected errors go to."""
    return folder / TROUBLE_NAME


def program() -> str:
    """Return how this program is called from the folder we are in: by name or by its path."""
    here = Path(sys.executable).parent / "chautari"
    found = shutil.which("chautari")
    if not here.exists() or (found is not None and Path(found).resolve() == here.resolve()):
        return "chautari"
    try:
        return str(here.relative_to(Path.cwd()))
    except ValueError:
        return str(here)
