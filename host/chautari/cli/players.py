"""chautari players: who plays."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from chautari import console
from chautari.cli.common import DataOption, JsonOption, PortOption, chosen_port, described, group, open_store
from chautari.cli.connecting import connected
from chautari.console import Column
from chautari.errors import NotAllowed
from chautari.players import Player, code, folded, shown
from chautari.settings import name_for_table

app = group(
    described(
        "Add, rename and seat the people who play.", 'chautari players add "Anu"', "chautari players list"
    )
)

WhoArgument = Annotated[
    str,
    typer.Argument(
        metavar="WHO", help="Name of the player, or # and the start of the id.", show_default=False
    ),
]


def _json(player: Player) -> dict[str, Any]:
    return {"player_id": code(player.id), "name": player.name}


@app.command(
    "list",
    help=described("List everybody with their ids.", "chautari players list", "chautari players list --json"),
)
def list_players(as_json: JsonOption = False, data: DataOption = "") -> None:
    screen = console.screen()
    with open_store() as store:
        everybody = store.players.all()
        matches = store.matches()
    if as_json:
        for player in everybody:
            screen.json(_json(player))
        return
    if not everybody:
        screen.print('Nobody yet. `chautari players add "Anu"` adds somebody.')
        return
    names = shown((player.id, player.name) for player in everybody)
    screen.table(
        [
            Column("Player", widest=30, own_row=True),
            Column("Id"),
            Column("Matches", right=True),
            Column("Won", right=True),
        ],
        [
            (
                names[player.id],
                f"#{code(player.id)}",
                sum(any(chair.player == player.id for chair in match.chairs) for match in matches),
                sum(
                    any(chair.player == player.id and chair.chair == match.winner for chair in match.chairs)
                    for match in matches
                ),
            )
            for player in everybody
        ],
    )


@app.command(help=described("Add somebody. Two people may have the same name.", 'chautari players add "Anu"'))
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Any name, in any script.", show_default=False)],
    as_json: JsonOption = False,
    data: DataOption = "",
) -> None:
    screen = console.screen()
    with open_store() as store:
        player = store.players.add(name)
        twins = [
            other
            for other in store.players.all()
            if other.id != player.id and folded(other.name) == folded(player.name)
        ]
    if as_json:
        screen.json(_json(player))
        return
    screen.print(f"{player.name} is added as #{code(player.id)}.")
    if twins:
        ids = ", ".join(f"#{code(twin.id)}" for twin in twins)
        console.errors().print(f"There is another {player.name} already ({ids}); lists show the ids of both.")


@app.command(
    help=described(
        "Give somebody another name; what they played stays theirs.", 'chautari players rename Anu "Anu K"'
    )
)
def rename(
    who: WhoArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.", show_default=False)],
    as_json: JsonOption = False,
    data: DataOption = "",
) -> None:
    screen = console.screen()
    with open_store() as store:
        before = store.players.find(who)
        player = store.players.rename(before.id, name)
    if as_json:
        screen.json(_json(player))
        return
    screen.print(f"{before.name} is now {player.name} (#{code(player.id)}).")


@app.command(
    help=described(
        "Seat somebody at the table for the next match, or free a seat.",
        "chautari players seat 3 Anu",
        "chautari players seat 3 --empty",
    )
)
def seat(
    number: Annotated[
        int, typer.Argument(metavar="SEAT", min=1, max=32, help="Seat, from 1.", show_default=False)
    ],
    who: Annotated[
        str, typer.Argument(metavar="[WHO]", help="Name of the player, or # and the start of the id.")
    ] = "",
    empty: Annotated[bool, typer.Option("--empty", help="Nobody in particular sits there.")] = False,
    port: PortOption = "",
    data: DataOption = "",
) -> None:
    if bool(who) == empty:
        raise NotAllowed("Say who sits there, or --empty; see `chautari players seat --help`.")
    screen = console.screen()
    with open_store() as store:
        player = store.players.find(who) if who else None
        with connected(chosen_port(port)) as session:
            values = session.settings()
            names, ids = list(values.get("names") or []), list(values.get("players") or [])
            if not 1 <= number <= min(len(names), len(ids)):
                raise NotAllowed(
                    f"The table has seats 1 to {min(len(names), len(ids))}; {number} is none of them."
                )
            for other, id_there in enumerate(ids):
                if player is not None and id_there == player.id and other != number - 1:
                    names[other], ids[other] = "", 0
            names[number - 1] = "" if player is None else name_for_table(player.name)
            ids[number - 1] = 0 if player is None else player.id
            session.put({"names": names, "players": ids})
            hello = session.hello()
            store.name_seats(hello.board_id, names, ids)
    if player is None:
        screen.print(f"Seat {number} is free.")
    else:
        screen.print(f"{player.name} (#{code(player.id)}) sits at seat {number}.")
