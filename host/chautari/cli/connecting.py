"""Opening the table for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chautari import console, folders, ports
from chautari.follow import fetch
from chautari.link import Session

__all__ = ["connected", "fetch"]


@contextmanager
def connected(port: str) -> Iterator[Session]:
    """Give a greeted session with the table that is meant; it is closed at the end. Raises LinkError."""
    folders.make_folder(folders.data_folder())
    session = ports.connect(port)
    try:
        mismatch = session.mismatch()
        if mismatch is not None:
            console.errors().print(str(mismatch))
        yield session
    finally:
        session.close()
