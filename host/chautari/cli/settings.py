"""chautari settings: how the table is set up, and profiles of it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from chautari import console, profiles
from chautari.cli.common import DataOption, JsonOption, PortOption, chosen_port, described, group, open_store
from chautari.cli.connecting import connected
from chautari.console import Column
from chautari.errors import NotAllowed
from chautari.link import Refused, Session
from chautari.profiles import Profiles
from chautari.settings import check, parse, schema, shown

app = group(
    described(
        "Read and change the table's settings.",
        "chautari settings show",
        "chautari settings set brightness 5",
        "chautari settings profile save evening",
    )
)
profile_app = group(
    described(
        "Keep settings under a name.",
        "chautari settings profile save evening",
        "chautari settings profile list",
    )
)
app.add_typer(profile_app, name="profile")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of the profile.", show_default=False)]


@app.command(
    help=described(
        "Show all settings of the table.", "chautari settings show", "chautari settings show --json"
    )
)
def show(port: PortOption = "", as_json: JsonOption = False, data: DataOption = "") -> None:
    screen = console.screen()
    with connected(chosen_port(port)) as session:
        values = session.settings()
    if as_json:
        screen.json(values)
        return
    screen.table(
        [Column("Setting"), Column("Value", widest=60), Column("Allowed", widest=60)],
        [
            (name, shown(name, value), schema()[name].allowed if name in schema() else "")
            for name, value in sorted(values.items())
        ],
    )


@app.command(
    "set",
    help=described(
        "Change one setting of the table.",
        "chautari settings set sound low",
        "chautari settings set target 500",
        "chautari settings set stacking on",
    ),
)
def set_one(
    name: Annotated[str, typer.Argument(metavar="SETTING", help="Which setting.", show_default=False)],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value.", show_default=False)],
    port: PortOption = "",
    data: DataOption = "",
) -> None:
    wanted = parse(name, value)
    with connected(chosen_port(port)) as session:
        before = session.settings().get(name)
        _put(session, {name: wanted})
        after = session.settings().get(name)
    console.screen().print(f"{name}: {shown(name, before)} -> {shown(name, after)}")


def _put(session: Session, values: dict[str, Any]) -> None:
    """Change settings; a refusal is told with what is allowed."""
    try:
        session.put(values)
    except Refused as no:
        names = ", ".join(values)
        if no.code == "unknown_setting":
            raise NotAllowed(
                f"The table does not know all of these settings: {names}. Update it, or leave them out."
            ) from no
        allowed = "; ".join(f"{name}: {schema()[name].allowed}" for name in values if name in schema())
        raise NotAllowed(
            f"The table refuses {names} ({no.code}). Allowed is {allowed or 'something else'}."
        ) from no


@profile_app.command(
    help=described(
        "Keep the table's settings under a name, or those given as SETTING=VALUE.",
        "chautari settings profile save evening",
        "chautari settings profile save quiet sound=1 brightness=3",
    )
)
def save(
    name: NameArgument,
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[SETTING=VALUE]...", help="What the profile holds.")
    ] = None,
    port: PortOption = "",
    data: DataOption = "",
) -> None:
    kept: dict[str, Any] = {}
    for pair in values or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise NotAllowed(f"{pair!r} is not SETTING=VALUE, such as sound=1.")
        if key in profiles.NEVER_IN_PROFILES:
            raise NotAllowed(f"{key} belongs to one table and cannot be in a profile.")
        kept[key] = parse(key, value)
    if not values:
        with connected(chosen_port(port)) as session:
            kept = {key: value for key, value in session.settings().items() if key in schema()}
    with open_store() as store:
        saved = Profiles(store.database).save(name, kept)
    console.screen().print(f"Profile {saved.name} holds {len(saved.values)} settings.")


@profile_app.command(
    "list",
    help=described(
        "List all profiles and what they hold.",
        "chautari settings profile list",
        "chautari settings profile list --json",
    ),
)
def list_profiles(as_json: JsonOption = False, data: DataOption = "") -> None:
    screen = console.screen()
    with open_store() as store:
        saved = Profiles(store.database).all()
    if as_json:
        for each in saved:
            screen.json({"name": each.name, "settings": each.values})
        return
    if not saved:
        screen.print(
            "No profile yet. `chautari settings profile save evening` makes one of the table's settings."
        )
        return
    screen.table(
        [Column("Profile", widest=30, own_row=True), Column("Settings", widest=90)],
        [
            (each.name, ", ".join(f"{key}={shown(key, value)}" for key, value in sorted(each.values.items())))
            for each in saved
        ],
    )


@profile_app.command(
    help=described(
        "Set the table up as a profile says; what changes is shown.",
        "chautari settings profile apply evening",
        "chautari settings profile apply evening --dry-run",
    )
)
def apply(
    name: NameArgument,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    port: PortOption = "",
    as_json: JsonOption = False,
    data: DataOption = "",
) -> None:
    screen = console.screen()
    with open_store() as store:
        profile = Profiles(store.database).get(name)
    for key, value in profile.values.items():
        check(key, value)
    with connected(chosen_port(port)) as session:
        changes = profiles.changes(profile.values, session.settings())
        if changes and not dry_run:
            _put(session, {change.name: change.wanted for change in changes})
    if as_json:
        screen.json(
            {
                "name": profile.name,
                "applied": not dry_run,
                "changes": [
                    {"setting": change.name, "from": change.here, "to": change.wanted} for change in changes
                ],
            }
        )
        return
    if not changes:
        screen.print(f"The table is set up as {profile.name} already.")
        return
    screen.table(
        [Column("Setting"), Column("Before", widest=40), Column("Would be" if dry_run else "Now", widest=40)],
        [
            (change.name, shown(change.name, change.here), shown(change.name, change.wanted))
            for change in changes
        ],
    )


@profile_app.command(help=described("Forget a profile.", "chautari settings profile delete evening"))
def delete(name: NameArgument, data: DataOption = "") -> None:
    with open_store() as store:
        Profiles(store.database).delete(name)
    console.screen().print(f"Profile {name} is forgotten.")
