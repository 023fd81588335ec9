"""chautari play: practice against bots."""

from __future__ import annotations

from typing import Annotated

import typer

from chautari import errors, settings
from chautari.cli.common import PORT_VARIABLE, DataOption, chosen_port, described

FEWEST, MOST = 2, 6


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=described(
            "Play Last Card against bots in this terminal. A table keeps the match: the one named with "
            "--port, or else a virtual one; the history has it as practice.",
            "chautari play",
            "chautari play --bots easy,hard --target 200 --name Anu",
            "chautari play --resume",
        )
    )(play)


def levels(bots: str, players: int | None) -> list[str]:
    """Return the level of each bot. Raises NotAllowed."""
    from cardrules.last_card.bots import LEVELS

    chosen = [word.strip().lower() for word in bots.split(",")]
    for word in chosen:
        if word not in LEVELS:
            raise errors.NotAllowed(
                f"There is no bot {word!r}; --bots takes {', '.join(LEVELS)}, or a list of them."
            )
    if len(chosen) == 1:
        chosen *= (players or 4) - 1
    if players is not None and len(chosen) != players - 1:
        raise errors.NotAllowed(
            f"{players} players are you and {players - 1} bots, but --bots names {len(chosen)}. "
            "Name one level for all, or one for each."
        )
    if not FEWEST <= len(chosen) + 1 <= MOST:
        raise errors.NotAllowed(
            f"--bots names {len(chosen)} bots; {FEWEST - 1} to {MOST - 1} can play with you."
        )
    return chosen


def play(
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-n",
            min=FEWEST,
            max=MOST,
            metavar="N",
            help="How many play, you among them; 4 if not given.",
            show_default=False,
        ),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            "-b",
            metavar="LEVELS",
            help="easy, medium or hard: one for all, or one for each bot with commas between.",
        ),
    ] = "medium",
    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            metavar="POINTS",
            help="Points that win the match: 200, 300, 500, or one-round; 300 if not given.",
            show_default=False,
        ),
    ] = "300",
    stacking: Annotated[
        bool, typer.Option("--stacking/--no-stacking", help="House rule: plus cards may be answered.")
    ] = False,
    draw_until: Annotated[
        bool, typer.Option("--draw-until/--no-draw-until", help="House rule: draw until a card fits.")
    ] = False,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the table calls you.", show_default=False)
    ] = "",
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="Who you are in the history: a name or id, see `chautari players list`.",
            show_default=False,
        ),
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            metavar="N",
            help="The same seed deals the same cards.",
            show_default=False,
        ),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Bots play without a pause.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of words instead of a picture, as for a screen reader.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match that was left; other options of it stay.")
    ] = False,
    port: Annotated[
        str,
        typer.Option(
            "--port",
            "-p",
            envvar=PORT_VARIABLE,
            metavar="PORT",
            help="A real table that keeps the match: its port, or the beginning of its board id; "
            "a virtual one if not given.",
            show_default=False,
        ),
    ] = "",
    data: DataOption = "",
) -> int:
    from cardrules.last_card.settings import DRAW_UNTIL, STACKING, TARGET

    from chautari.play import Options, main

    rules = {
        TARGET: settings.parse("target", target.replace("-", " ").strip()),
        STACKING: int(stacking),
        DRAW_UNTIL: int(draw_until),
    }
    options = Options(
        levels=levels(bots, players),
        rules=rules,
        seed=seed,
        fast=fast,
        plain=plain,
        resume=resume,
        name=name.strip(),
        player=player,
        port=chosen_port(port),
    )
    return main(options)
