"""The command `chautari`: what people type, what they see, and how it ends.

Every error is one line on stderr that says what to do; the exit codes are errors.EXIT_CODES.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TextIO

from chautari import console, errors, folders
from chautari.cli.root import app

__all__ = ["app", "main"]


LOG_SIZE = 1_000_000
"""Bytes after which the log of unexpected errors is begun anew; the one before is kept."""


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; words: what follows `chautari`. Return its exit code. Never raises."""
    if sys.stdout is None:  # closed by whoever started us: nobody wants to read
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        _never_raise(stream)
    remembered = os.environ.get(folders.DATA_VARIABLE)
    try:
        return _run(list(sys.argv[1:] if words is None else words))
    except BrokenPipeError:
        # Whoever read our output has enough; what is still in the buffer goes nowhere.
        _silence(sys.stdout)
        return errors.OK
    finally:
        # --data is passed on in the environment; it ends with this command.
        if remembered is None:
            os.environ.pop(folders.DATA_VARIABLE, None)
        else:
            os.environ[folders.DATA_VARIABLE] = remembered


def _run(words: list[str]) -> int:
    try:
        result = app(words, prog_name="chautari", standalone_mode=False)
        sys.stdout.flush()
        if result == errors.CANCELLED:  # Typer takes the Ctrl-C itself
            return _say("Stopped.", errors.CANCELLED)
        return result if isinstance(result, int) else errors.OK
    except errors.Trouble as trouble:
        return _say(str(trouble), trouble.exit_code)
    except KeyboardInterrupt:
        return _say("Stopped.", errors.CANCELLED)
    except BrokenPipeError:
        raise
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            raise ended.__context__ from None
        return ended.code if isinstance(ended.code, int) else errors.ERROR
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _silence(sys.stdout)
            return _say("There is no room left where this is written; make room and try again.", errors.ERROR)
        return _unexpected(error)
    except Exception as error:
        kind = type(error).__name__
        if kind == "NoArgsIsHelpError":
            print(error.ctx.get_help())  # type: ignore[attr-defined]
            return errors.OK
        if kind == "Abort":
            return _say("Stopped.", errors.CANCELLED)
        if hasattr(error, "format_message"):
            context = getattr(error, "ctx", None)
            where = context.command_path if context is not None else "chautari"
            text = " ".join(str(error.format_message()).split())
            end = "" if text.endswith((".", "?", "!")) else "."
            return _say(f"{text}{end} See `{where} --help`.", errors.USAGE)
        return _unexpected(error)


def _say(text: str, code: int) -> int:
    console.errors().print(" ".join(text.split("\n")))
    return code


def _unexpected(error: Exception) -> int:
    """Keep the details of an error that nobody foresaw, and say where they are."""
    details = "".join(traceback.format_exception(error))
    path: Path | None = folders.trouble_file(folders.data_folder())
    try:
        assert path is not None
        folders.make_folder(path.parent)
        if path.exists() and path.stat().st_size > LOG_SIZE:
            os.replace(path, path.with_name(f"{path.name}.old"))
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{datetime.now().astimezone().isoformat(timespec='seconds')} {sys.argv}\n{details}\n")
    except (OSError, errors.Trouble):
        path = None
    words = " ".join(str(error).split()) or "no further words"
    where = f"details are in {path}" if path else "the details could not be written down"
    return _say(
        f"Chautari met an error it did not expect ({type(error).__name__}: {words}); {where}.", errors.ERROR
    )


def _never_raise(stream: TextIO | None) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def _silence(stream: TextIO) -> None:
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
    except (OSError, ValueError):
        pass
