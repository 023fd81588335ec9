"""chautari devices, status, sync: the table that is plugged in."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.live import Live
from rich.text import Text

from chautari import console, errors, live, ports
from chautari.cli.common import DataOption, JsonOption, PortOption, chosen_port, described, open_store
from chautari.cli.connecting import connected, fetch
from chautari.console import Column, Screen
from chautari.follow import Follower, warning
from chautari.link import Connection, Session

WAIT_S = 1.0
"""How long the live view waits for news before it looks at the table again."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        help=described("List the tables that are plugged in.", "chautari devices", "chautari devices --json")
    )(devices)
    app.command(
        help=described(
            "Show the table as it stands, live until Ctrl-C.",
            "chautari status",
            "chautari status --once --json",
        )
    )(status)
    app.command(
        "sync",
        help=described(
            "Fetch all that the table holds into the history.", "chautari sync", "chautari sync --json"
        ),
    )(sync_table)


def port_json(port: ports.PortInfo) -> dict[str, Any]:
    """Return a port as JSON has it."""
    hello = port.hello
    return {
        "port": port.device,
        "kind": port.kind,
        "label": port.label,
        "usb": port.usb or None,
        "board_id": port.board_id or None,
        "firmware": None if hello is None else hello.firmware,
        "protocol": None if hello is None else f"{hello.major}.{hello.minor}",
        "in_play": None if hello is None else hello.in_play,
        "faults": [] if hello is None else list(hello.faults),
        "trouble": None if port.trouble is None else str(port.trouble),
        "exit_code": errors.OK if port.trouble is None else port.trouble.exit_code,
    }


def devices(port: PortOption = "", as_json: JsonOption = False, data: DataOption = "") -> int:
    named = chosen_port(port)
    found = ports.find([named] if named else [])
    screen = console.screen()
    if as_json:
        for each in found:
            screen.json(port_json(each))
    elif found:
        screen.table(
            [
                Column("Port", widest=60),
                Column("Kind"),
                Column("Board id"),
                Column("Firmware"),
                Column("State", widest=40),
            ],
            [
                (
                    each.device,
                    each.kind,
                    each.board_id,
                    each.hello.firmware if each.hello else "",
                    ("in play" if each.hello.in_play else "ready")
                    if each.hello
                    else "no table, or in trouble",
                )
                for each in found
            ],
        )
    notes = console.errors()
    for each in found:
        if each.trouble is not None:
            notes.print(str(each.trouble))
    for one, other in ports.twins(found):
        notes.print(
            f"{one.device} and {other.device} have the same board id {one.board_id}: one is a copy. "
            "Name the port with --port, and reset the id of one of them."
        )
    if not any(each.hello for each in found):
        notes.print(
            "No table found. Plug it in with a data cable, start a virtual one (`chautari virtual`), "
            "or see `chautari doctor`."
        )
        return next((each.trouble.exit_code for each in found if each.trouble), errors.NO_DEVICE)
    return errors.OK


def sync_table(
    port: PortOption = "",
    take: Annotated[
        bool,
        typer.Option("--take", help="Make this PC the one whose history lets the table forget old things."),
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = "",
) -> int:
    screen, notes = console.screen(), console.errors()
    with open_store() as store, connected(chosen_port(port)) as session:
        aside = len(store.kept_aside())
        outcome = fetch(session, store, take)
        if told := warning(outcome):
            notes.print(told)
        matches = store.matches()
        aside = len(store.kept_aside()) - aside
    if as_json:
        screen.json(
            {
                "board_id": outcome.hello.board_id,
                "journal_id": outcome.hello.journal_id,
                "new": outcome.added,
                "last": outcome.last,
                "kept_aside": aside,
                "lost": [{"from": first, "to": last} for first, last in outcome.gone],
                "owner": outcome.owner,
                "matches": len(matches),
            }
        )
    else:
        screen.print(
            f"{outcome.added} new announcements from table {outcome.hello.board_id}; "
            f"the history has {len(matches)} matches. `chautari history show` shows the latest."
        )
        if not outcome.owner:
            screen.print(
                "Another PC is this table's owner, or nothing was there yet; `--take` makes this PC it."
            )
    for first, last in outcome.gone:
        notes.print(
            f"Announcements {first} to {last} were let go by the table before "
            "this PC had them; the PC that had them can export them."
        )
    if aside:
        notes.print(f"{aside} announcements contradict the stored ones; kept aside, nothing was replaced.")
        return errors.DATA
    return errors.OK


def _lines(screen: Screen, view: Follower, note: str = "") -> list[str]:
    """Return the table as lines for the screen."""
    state = view.state()
    shown = [screen.safe("No match is set up at the table.")]
    if state is not None:
        shown = live.lines(screen, state)
    latest = view.table.latest
    if latest is not None and state is not None:
        game = view.table.keeper.game if view.table.keeper else 0
        shown.append(screen.safe(f"Latest: {live.said_words(latest, game, view.seat_names())}"))
    if note:
        shown += console.pieces(screen.safe(note), screen.width)
    return shown


def status(
    port: PortOption = "",
    once: Annotated[bool, typer.Option("--once", help="Show it once and end.")] = False,
    as_json: JsonOption = False,
    data: DataOption = "",
) -> int:
    screen = console.screen()
    with open_store() as store, connected(chosen_port(port)) as session:
        view = Follower(store, session)
        if view.warning:
            console.errors().print(view.warning)
        if once or (not as_json and not screen.rich.is_terminal):
            if as_json:
                screen.json(view.json(session.name))
            else:
                for line in _lines(screen, view):
                    screen.print(line)
            return errors.OK
        return _follow(screen, view, session, as_json)


def _follow(screen: Screen, view: Follower, session: Session, as_json: bool) -> int:
    notes: list[str] = [""]

    def tell(text: str) -> None:
        notes[0] = text
        if as_json:
            console.errors().print(text)

    connection = Connection(session, ports.reopen, tell)
    port = session.name
    try:
        if as_json:
            screen.json(view.json(port))
            while True:
                number = view.table.last
                if _look(connection, view) and view.table.last != number:
                    screen.json(view.json(port))
        with Live(console=screen.rich, auto_refresh=False, transient=False) as shown:
            before: list[str] = []
            while True:
                lines = _lines(screen, view, notes[0])
                if lines != before:
                    shown.update(Text("\n".join(lines), no_wrap=True, overflow="crop"), refresh=True)
                    before = lines
                if _look(connection, view) and notes[0].startswith("Device back"):
                    notes[0] = ""
    except KeyboardInterrupt:
        return errors.OK
    finally:
        connection.close()


def _look(connection: Connection, view: Follower) -> bool:
    """Wait for news and take them in; return False while the table is away."""

    def look(session: Session) -> bool:
        if session.wait(WAIT_S) is not None:
            view.update(session)
        return True

    if connection.run(look):
        return True
    connection.wait_back(WAIT_S)
    return False
