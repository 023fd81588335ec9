"""chautari demo, table, virtual: a table to play at."""

from __future__ import annotations

import re
import time
from typing import Annotated

import typer

from chautari import console, errors, folders, ports
from chautari.cli.common import DataOption, PortOption, chosen_port, described


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        help=described(
            "Watch a recorded match of four players at a virtual table, then see its score sheet.",
            "chautari demo",
        )
    )(demo)
    app.command(
        help=described(
            "Play in this terminal: at the table that is plugged in, or at a virtual one.", "chautari table"
        )
    )(table)
    app.command(
        help=described(
            "Run a virtual table until Ctrl-C; other commands find it like a real one.",
            "chautari virtual",
            "chautari virtual --name kitchen",
        )
    )(virtual)


def demo(data: DataOption = "") -> int:
    from chautari.demo import main

    folders.make_folder(folders.data_folder())
    return int(main() or 0)


def table(port: PortOption = "", data: DataOption = "") -> int:
    from chautari.terminal import main

    folders.make_folder(folders.data_folder())
    return int(main(chosen_port(port)) or 0)


def virtual(
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Several tables can run, each under its own name.")
    ] = "table",
    speed: Annotated[
        float, typer.Option("--speed", min=1, max=100, help="How much faster its clock runs.")
    ] = 1,
    data: DataOption = "",
) -> int:
    from chautari.virtual import VirtualBoard, VirtualBoardError

    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise errors.NotAllowed(f"{name!r} cannot be a table's name; use letters, digits, - and _.")
    folder = folders.make_folder(ports.virtual_folder())
    screen = console.screen()
    try:
        with VirtualBoard(folder / name, speed=speed, port_name=str(folder / f"{name}.port")) as board:
            if board.banner:
                screen.print(board.banner)
            screen.print(f"The virtual table {name} runs on {board.port}; Ctrl-C ends it.")
            screen.file.flush()
            while board.running:
                time.sleep(0.2)
            why = f" ({board.failure})" if board.failure else ""
    except KeyboardInterrupt:
        screen.print("The virtual table is switched off; it keeps its scores.")
        return errors.OK
    except VirtualBoardError as error:
        raise errors.Trouble(f"The virtual table cannot run: {error}.") from error
    raise errors.Trouble(f"The virtual table {name} has stopped by itself{why}; start it again.")
