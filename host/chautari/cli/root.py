"""The command itself and its groups."""

from __future__ import annotations

import platform
from typing import Annotated

import typer

import chautari
from chautari.cli import common, doctor, history, play, players, replay, run, settings, simulate, table
from chautari.cli.common import DataOption, PortOption, described

app = typer.Typer(
    name="chautari",
    help=described(
        "Keeps the history of a card table, and sets the table up.",
        "chautari devices",
        "chautari sync",
        "chautari history list",
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chautari {chautari.__version__} (Python {platform.python_version()})")
        raise typer.Exit()


@app.callback()
def root(
    context: typer.Context,
    port: PortOption = "",
    data: DataOption = "",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    common.remember_port(port)


table.add_to(app)
app.add_typer(settings.app, name="settings")
app.add_typer(players.app, name="players")
app.add_typer(history.app, name="history")
replay.add_to(app)
doctor.add_to(app)
run.add_to(app)
simulate.add_to(app)
play.add_to(app)
