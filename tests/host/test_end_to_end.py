"""The command line against a whole virtual board: its firmware in the real VM, its buttons pressed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from chautari import errors, ports
from chautari.virtual import VirtualBoard
from command import ROOT, Ran, run

PATHS = os.pathsep.join(str(ROOT / room) for room in ("host", "engine"))


@contextmanager
def program(data: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a command that goes on until it is stopped; whatever happens, it does not outlive the test."""
    environment = {**os.environ, "CHAUTARI_DATA": str(data), "PYTHONPATH": PATHS}
    command = [sys.executable, "-m", "chautari", *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class Kitchen:
    """A virtual board that the commands find by themselves, and the data folder they use."""

    def __init__(self, data: Path) -> None:
        self.data = data
        home = data / "virtual"
        self.board = VirtualBoard(home / "kitchen", port_name=str(home / "kitchen.port"))

    def run(self, *words: str) -> Ran:
        """Run one command."""
        return run(self.data, *words)

    def json(self, *words: str) -> Any:
        """Run one command and return the object it prints."""
        ran = self.run(*words, "--json")
        assert ran.code == 0, ran
        return json.loads(ran.out)

    def table(self) -> Any:
        """Return the table as it stands."""
        return self.json("status", "--once")["table"]

    def press(self, *controls: str) -> None:
        """Press buttons and keys one after the other."""
        for control in controls:
            self.board.panel.tap(control)

    def until(self, true: Callable[[Any], bool]) -> Any:
        """Return the table once it stands so."""
        end = time.monotonic() + 20
        while True:
            table = self.table()
            if table is not None and true(table):
                return table
            assert time.monotonic() < end, table


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kitchen]:
    found = Kitchen(tmp_path_factory.mktemp("kitchen"))
    with found.board:
        yield found


def test_an_evening_at_the_table(kitchen: Kitchen) -> None:
    device = kitchen.json("devices")
    assert device["kind"] == "virtual" and device["trouble"] is None

    anu = kitchen.json("players", "add", "अनु 👍🏻")
    assert kitchen.run("players", "seat", "1", "अनु 👍🏻").code == 0
    settings = kitchen.json("settings", "show")
    assert settings["names"][0] == "अनु 👍🏻" and settings["players"][0] == int(anu["player_id"], 16)

    assert "sound: 2 (normal) -> 0 (off)" in kitchen.run("settings", "set", "sound", "off").out
    assert re.search(r"sound\W+0 \(off\)\W+0 to 2 \(off, low, normal\)", kitchen.run("settings", "show").out)
    assert re.search(r"memory: \d+ % of \d+ bytes are free", kitchen.run("doctor").out)
    assert kitchen.run("settings", "profile", "save", "quiet").code == 0
    assert kitchen.run("settings", "set", "sound", "2").code == 0
    assert kitchen.json("settings", "profile", "apply", "quiet", "--dry-run")["applied"] is False
    changes = kitchen.json("settings", "profile", "apply", "quiet")["changes"]
    assert changes == [{"setting": "sound", "from": 2, "to": 0}]
    assert kitchen.json("settings", "profile", "apply", "quiet")["changes"] == []

    kitchen.press("seat1", "seat2", "seat3", "#")
    table = kitchen.until(lambda table: table["phase"] == "play")
    assert [seat["name"] for seat in table["seats"]] == ["अनु 👍🏻", "Seat 2", "Seat 3"]
    assert [seat["cards"] for seat in table["seats"]] == [7, 7, 7]
    turn = table["turn"]
    kitchen.press(f"seat{turn}")
    table = kitchen.until(lambda table: table["turn"] != turn)
    assert sum(seat["cards"] for seat in table["seats"]) == 20
    assert table["direction"] == "clockwise" and table["colour"] is None

    # Seat 1 goes out; both others are left with seven cards worth 20 points.
    kitchen.press("9", "seat1")
    kitchen.until(lambda table: table["phase"] == "scoring")
    for _ in range(2):
        kitchen.press("D", "2", "0", "#")
    kitchen.until(lambda table: table["phase"] == "scored")
    kitchen.press("#")
    table = kitchen.until(lambda table: table["round"] == 2)
    assert table["seats"][0]["score"] == 40

    done = kitchen.json("sync")
    assert done["kept_aside"] == 0 and done["owner"] and done["matches"] == 1
    shown = kitchen.json("history", "show")
    assert shown["state"] == "running" and shown["rounds_confirmed"] == 1
    assert [player["score"] for player in shown["players"]] == [40, 0, 0]
    assert shown["players"][0]["player_id"] == anu["player_id"]
    assert shown["started"]["at"] is not None and shown["rounds"][0]["confirmed"]["at"] is not None
    assert "अनु 👍🏻" in kitchen.run("status", "--once").out

    report = json.loads(kitchen.run("doctor", "--json").out)
    assert [port["same_rules"] for port in report["ports"]] == [True]
    assert report["ports"][0]["counters"]["here"]["bad_checksum"] == 0


def test_the_plug_is_pulled_and_the_match_goes_on(kitchen: Kitchen) -> None:
    before = kitchen.json("history", "show")
    for _ in range(2):
        kitchen.board.kill()
        kitchen.board.start()
        assert kitchen.json("sync")["matches"] == 1
    after = kitchen.json("history", "show")
    assert after["key"] == before["key"] and after["rounds"] == before["rounds"]
    assert kitchen.table()["seats"][0]["score"] == 40
    # UNDO reaches over the end of the round and over both boots.
    kitchen.press("*")
    kitchen.until(lambda table: table["phase"] == "scored" and table["round"] == 1)
    assert kitchen.json("history", "show")["rounds_confirmed"] == 0
    kitchen.press("#")
    kitchen.until(lambda table: table["round"] == 2)
    assert kitchen.json("history", "show")["rounds_confirmed"] == 1
    assert kitchen.json("history", "rebuild") == {"matches": 1, "differences": []}


def test_status_follows_the_table_and_survives_the_plug(kitchen: Kitchen) -> None:
    with program(kitchen.data, "status", "--json") as process:
        assert process.stdout is not None and process.stderr is not None
        before = json.loads(process.stdout.readline())
        turn = before["table"]["turn"]
        kitchen.press(f"seat{turn}")
        after = json.loads(process.stdout.readline())
        assert after["number"] == before["number"] + 1 and after["table"]["turn"] != turn
        kitchen.board.unplug()
        assert process.stderr.readline().startswith("Device lost")
        kitchen.press(f"seat{after['table']['turn']}")
        kitchen.board.replug()
        assert process.stderr.readline().startswith("Device back")
        back = json.loads(process.stdout.readline())
        assert back["number"] == after["number"] + 1 and back["table"]["round"] == after["table"]["round"]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


def test_settings_the_table_refuses_are_told_with_what_is_allowed(kitchen: Kitchen) -> None:
    ran = kitchen.run("settings", "set", "brightness", "11")
    assert ran.code == errors.USAGE and "1 to 10" in ran.err and ran.err.count("\n") == 1
    assert kitchen.run("players", "seat", "7", "अनु 👍🏻").code == errors.USAGE
    assert kitchen.run("players", "seat", "1", "--empty").code == 0
    assert kitchen.json("settings", "show")["names"][0] == ""


def test_a_second_program_is_told_who_has_the_port(kitchen: Kitchen) -> None:
    with ports.open(kitchen.board.port) as session:
        session.hello()
        ran = kitchen.run("sync")
    assert ran.code == errors.BUSY and "in use" in ran.err and ran.err.count("\n") == 1
    assert kitchen.run("sync").code == 0


def test_two_tables_and_no_choice_is_a_list_and_no_guess(kitchen: Kitchen) -> None:
    home = kitchen.data / "virtual"
    with VirtualBoard(home / "garden", port_name=str(home / "garden.port")) as other:
        ran = kitchen.run("sync")
        assert ran.code == errors.NO_DEVICE and "garden.port" in ran.err and "kitchen.port" in ran.err
        assert kitchen.run("sync", "--port", other.port).code == 0
        devices = [json.loads(line) for line in kitchen.run("devices", "--json").out.splitlines()]
        assert len({device["board_id"] for device in devices}) == 2
        chosen = next(device for device in devices if "garden" in device["port"])
        assert (
            kitchen.json("status", "--once", "--port", chosen["board_id"][:6])["board_id"]
            == chosen["board_id"]
        )


def test_the_command_virtual_runs_a_table_until_it_is_stopped(tmp_path: Path) -> None:
    with program(tmp_path, "virtual", "--name", "porch") as process:
        assert process.stdout is not None
        assert "porch.port" in process.stdout.readline()
        assert run(tmp_path, "sync").code == 0
        again = run(tmp_path, "virtual", "--name", "porch")
        assert again.code == errors.ERROR and again.err.count("\n") == 1
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert "switched off" in out and err == ""
    assert process.returncode == 0
    assert run(tmp_path, "virtual", "--name", "../x").code == errors.USAGE


def test_a_table_that_is_gone_is_one_line(kitchen: Kitchen) -> None:
    kitchen.board.stop()
    for words in (("sync",), ("status", "--once"), ("settings", "show")):
        ran = kitchen.run(*words)
        assert ran.code == errors.NO_DEVICE and ran.err.count("\n") == 1
    assert kitchen.run("devices").code == errors.NO_DEVICE
    assert kitchen.run("history", "show").code == 0
