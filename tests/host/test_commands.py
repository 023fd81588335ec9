"""The command line: every command has its help, every error one line and its exit code, any name is shown."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import wcwidth
from cardrules import scenario
from chautari import cli, errors
from chautari.cli import documentation
from chautari.history import Store
from command import ROOT, Ran, run, run_program
from evening import Evening
from typer.testing import CliRunner

DOCUMENT = ROOT / "docs" / "commands.md"
LONG = "Maharajadhiraj Bir Bikram Shah"
NAMES = ["त्पि", "👨‍👩‍👧‍👦 Sharma", LONG, "[b]\x1b[31mx\x07[/b]"]
AS_CLONE = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / room) for room in ("host", "engine"))}
COMMANDS = dict(documentation.commands())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one match of four odd names."""
    data = tmp_path_factory.mktemp("filled")
    with Store(data / "history.sqlite3") as store:
        store.name_seats("b0a2d001", NAMES)
        said = Evening(step_ms=9000).match(4, 200).round(1, 155).round(2, 40).round(1, 70).said
        store.add_announcements("b0a2d001", "10c4a1e5", said)
        store.matches()
    return data


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed."""
    shutil.copytree(filled, tmp_path / "data")
    return tmp_path / "data"


def one_line(ran: Ran, code: int) -> str:
    assert ran.code == code, ran
    assert ran.err.count("\n") == 1 and ran.err.strip(), ran.err
    return ran.err


# -- help


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_an_example_and_its_place_in_the_documents(name: str) -> None:
    command = COMMANDS[name]
    text = documentation.help_of(name, command)
    assert f"    {name}" in text and "Example" in text
    assert command.help and len(command.help.split("\n")[0]) > 10
    for parameter in command.params:
        if parameter.name not in ("install_completion", "show_completion"):
            assert getattr(parameter, "help", None), f"{name} {parameter.name} has no help"
    assert name in documentation.documented(DOCUMENT.read_text(encoding="utf-8"))


def test_the_document_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert documentation.refreshed(text) == text, "python -m chautari.cli.documentation docs/commands.md"
    assert documentation.documented(text) == set(COMMANDS)


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_is_shown_by_every_command(tmp_path: Path, option: str) -> None:
    for name, command in COMMANDS.items():
        ran = run(tmp_path, *name.split()[1:], option, COLUMNS="80")
        assert ran.code == 0 and ran.err == ""
        shown = [line.rstrip() for line in ran.out.strip().split("\n")]
        assert shown == documentation.help_of(name, command).split("\n")


def test_the_runner_of_typer_gets_the_same_commands() -> None:
    done = CliRunner().invoke(cli.app, ["history", "--help"])
    assert done.exit_code == 0 and "rebuild" in done.stdout


def test_the_examples_are_commands_there_are() -> None:
    for name, command in COMMANDS.items():
        if hasattr(command, "commands"):
            continue
        examples = [
            line
            for line in documentation.help_of(name, command).split("\n")
            if line.startswith("    chautari")
        ]
        assert examples and all(line.split()[: len(name.split())] == name.split() for line in examples)


# -- history


def test_the_history_is_listed_and_shown(filled: Path) -> None:
    listed = run(filled, "history", "list")
    assert listed.code == 0 and "Last Card" in listed.out and "👨‍👩‍👧‍👦 Sharma won" in listed.out
    shown = run(filled, "history", "show")
    assert shown.code == 0 and LONG in shown.out and "225" in shown.out and "before" in shown.out


def test_borders_are_in_line_with_any_name(filled: Path) -> None:
    for words in (("history", "list"), ("history", "show")):
        out = run(filled, *words).out
        tables: list[set[int]] = []
        for line in out.splitlines():
            if line.startswith("┌"):
                tables.append(set())
            if line[0] in "┌├└│":
                tables[-1].add(wcwidth.wcswidth(line))
        assert tables and all(len(widths) == 1 for widths in tables)


def test_a_long_name_has_its_own_row_and_the_scores_stay_in_line(filled: Path) -> None:
    lines = run(filled, "history", "show").out.splitlines()
    row = next(i for i, line in enumerate(lines) if LONG in line)
    assert " 40 " not in lines[row] and " 40 " in lines[row + 1]
    ends = {lines[row + offset].rindex(score) for offset, score in ((1, "40 "), (-1, "25 "))}
    assert len(ends) == 1 or abs(max(ends) - min(ends)) <= 8


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_narrow_console_ends_well_with_placeholders(filled: Path, encoding: str) -> None:
    for words in (
        ("history", "list"),
        ("history", "show"),
        ("players", "list"),
        ("history", "show", "--json"),
    ):
        ran = run(filled, *words, encoding=encoding)
        assert ran.code == 0 and ran.err == ""
    assert "? Sharma" in run_program(filled, "history", "list", encoding=encoding).out
    shown = json.loads(run(filled, "history", "show", "--json", encoding=encoding).out)
    assert [player["name"] for player in shown["players"]] == NAMES


def test_nothing_in_a_name_acts(filled: Path) -> None:
    for words in (("history", "list"), ("history", "show"), ("history", "show", "--json")):
        ran = run(filled, *words)
        assert not any(character in ran.out + ran.err for character in "\x1b\x07\r")
    assert "[b]␛[31mx␇[/b]" in run(filled, "history", "show").out


def test_json_has_what_the_document_says(filled: Path) -> None:
    shown = json.loads(run(filled, "history", "show", "latest", "--json").out)
    assert shown["key"] == "b0a2d001-10c4a1e5-2" and shown["state"] == "won" and shown["winner_seat"] == 2
    assert [each["points"] for each in shown["rounds"]] == [155, 40, 70]
    assert shown["started"]["at"] is None and shown["started"]["before"].endswith("Z")
    text = DOCUMENT.read_text(encoding="utf-8")
    for key in [*shown, *shown["players"][0], *shown["rounds"][0]]:
        assert f"`{key}`" in text or f"`{key}[]`" in text, key
    listed = [json.loads(line) for line in run(filled, "history", "list", "--json").out.splitlines()]
    del shown["rounds"]
    assert listed == [shown]


def test_exports_to_a_file_and_to_stdout(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    assert run(data, "history", "export", "--output", str(file)).code == 0
    content = file.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert "there already" in one_line(run(data, "history", "export", "-o", str(file)), errors.USAGE)
    assert run(data, "history", "export", "-o", str(file), "--force", "--no-bom").code == 0
    assert file.read_bytes() == content[3:]
    # What goes to stdout is the file, whatever the console can show.
    command = [sys.executable, "-m", "chautari", "--data", str(data), "history", "export"]
    surroundings = {**AS_CLONE, "PYTHONIOENCODING": "cp1252"}
    assert subprocess.run(command, env=surroundings, capture_output=True, check=True).stdout == content
    one_line(run(data, "history", "export", "-o", str(tmp_path / "no" / "x.csv")), errors.NO_PERMISSION)
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["evening.csv"]


def test_an_export_is_imported_once(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    assert run(data, "history", "export", "latest", "--format", "json", "--output", str(file)).code == 0
    for _ in range(2):
        assert run(tmp_path / "other", "history", "import", str(file)).code == 0
    listed = run(tmp_path / "other", "history", "list", "--json").out.splitlines()
    assert len(listed) == 1
    file.write_bytes(file.read_bytes()[:-30])
    one_line(run(tmp_path / "other", "history", "import", str(file)), errors.DATA)
    one_line(run(tmp_path / "other", "history", "import", str(tmp_path / "none")), errors.DATA)


def test_an_evening_is_dated_by_hand(data: Path) -> None:
    ran = run(data, "history", "date", "latest", "2020-10-20 19:30", "--zone", "Asia/Kathmandu")
    assert ran.code == 0 and "2020-10-20 19:30" in ran.out
    shown = json.loads(run(data, "history", "show", "--json").out)
    assert shown["started"]["at"] == "2020-10-20T13:45:00Z" and shown["started"]["zone"] == "Asia/Kathmandu"
    for words in (
        ("latest", "yesterday"),
        ("latest", "2020-10-20", "--zone", "Nowhere"),
        ("9", "2020-10-20"),
    ):
        one_line(run(data, "history", "date", *words), errors.USAGE)
    assert "before" in one_line(run(data, "history", "date", "1", "2199-01-01 10:00"), errors.USAGE)


def test_rebuilding_tells_differences_and_keeps_facts(data: Path) -> None:
    ran = run(data, "history", "rebuild")
    assert ran.code == 0 and "0 differences" in ran.out
    with sqlite3.connect(data / "history.sqlite3") as connection:
        connection.execute("update fact_scores set points = 99 where points = 40")
    connection.close()
    ran = run(data, "history", "rebuild", "--json")
    assert ran.code == errors.DATA
    found = json.loads(ran.out)
    assert found["matches"] == 1 and [each["kind"] for each in found["differences"]] == ["fact"]
    shown = json.loads(run(data, "history", "show", "--json").out)
    assert [player["score"] for player in shown["players"]] == [0, 225, 99, 0]
    assert "differences" in run(data, "history", "show").err


# -- players and profiles


def test_players(tmp_path: Path) -> None:
    first = json.loads(run(tmp_path, "players", "add", "Anu", "--json").out)
    ran = run(tmp_path, "players", "add", " ANU ")
    assert ran.code == 0 and "another" in ran.err
    assert "2 people" in one_line(run(tmp_path, "players", "rename", "anu", "Anu K"), errors.USAGE)
    ran = run(tmp_path, "players", "rename", f"#{first['player_id']}", "Anu K")
    assert ran.code == 0
    listed = [json.loads(line) for line in run(tmp_path, "players", "list", "--json").out.splitlines()]
    assert {"player_id": first["player_id"], "name": "Anu K"} in listed and len(listed) == 2
    one_line(run(tmp_path, "players", "rename", "Nobody", "x"), errors.USAGE)
    one_line(run(tmp_path, "players", "add", "  "), errors.USAGE)
    one_line(run(tmp_path, "players", "seat", "2"), errors.USAGE)


def test_nobody_needs_to_know_the_numbers_of_choices(tmp_path: Path) -> None:
    words = ("sound=low", "stacking=On", "draw_until=till match", "target=one round", "turn_screen=off")
    assert run(tmp_path, "settings", "profile", "save", "words", *words).code == 0
    shown = run(tmp_path, "settings", "profile", "list").out
    for said in ("sound=1 (low)", "stacking=1 (on)", "draw_until=1 (till match)", "target=1 (one round)"):
        assert said in shown
    listed = json.loads(run(tmp_path, "settings", "profile", "list", "--json").out)["settings"]
    assert listed == {"sound": 1, "stacking": 1, "draw_until": 1, "target": 1, "turn_screen": 0}
    told = one_line(run(tmp_path, "settings", "set", "sound", "loud"), errors.USAGE)
    assert "off, low, normal" in told


def test_settings_are_known_to_a_program_of_its_own(tmp_path: Path) -> None:
    # Other tests put the firmware's folder on the path; an installed program has it nowhere.
    ran = run_program(tmp_path, "settings", "set", "sound", "9")
    assert ran.code == errors.USAGE and "off, low, normal" in ran.err


def test_profiles_refuse_what_the_table_would_refuse(tmp_path: Path) -> None:
    assert run(tmp_path, "settings", "profile", "save", "Quiet", "sound=1", "catch_up=off").code == 0
    listed = json.loads(run(tmp_path, "settings", "profile", "list", "--json").out)
    assert listed == {"name": "Quiet", "settings": {"sound": 1, "catch_up": 0}}
    assert "0 to 2" in one_line(run(tmp_path, "settings", "profile", "save", "x", "sound=3"), errors.USAGE)
    assert "brightness" in one_line(run(tmp_path, "settings", "profile", "save", "x", "soud=3"), errors.USAGE)
    assert "200, 300, 500" in one_line(run(tmp_path, "settings", "set", "target", "250"), errors.USAGE)
    for bad in ("sound", "owner=me", "board_id=x", "sound=", "sound=1e3", "sound=²"):
        one_line(run(tmp_path, "settings", "profile", "save", "x", bad), errors.USAGE)
    assert "Quiet" in one_line(run(tmp_path, "settings", "profile", "delete", "loud"), errors.USAGE)
    assert run(tmp_path, "settings", "profile", "delete", "QUIET").code == 0
    assert run(tmp_path, "settings", "profile", "list", "--json").out == ""


# -- replay


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("recorded") / "match.txt"
    file.write_text(
        scenario.write(Evening().match(3).round(1, 40).undo().redo().said[1:], 1), encoding="utf-8"
    )
    return file


def test_a_recorded_match_is_replayed(tmp_path: Path, recorded: Path) -> None:
    ran = run(tmp_path, "replay", str(recorded))
    assert ran.code == 0 and "Seat 2 wins the round" in ran.out and " 40 " in ran.out.splitlines()[-3]
    steps = [json.loads(line) for line in run(tmp_path, "replay", str(recorded), "--json").out.splitlines()]
    assert [step["what"] for step in steps][:2] == ["game", "join"]
    assert steps[-1]["table"]["seats"][1]["score"] == 40
    assert all(
        set(step) == {"line", "ms", "seat", "what", "arg", "refused", "notices", "table"} for step in steps
    )
    assert run(tmp_path, "replay", str(recorded), "--speed", "100000").out == ran.out
    assert not (tmp_path / "history.sqlite3").exists()


def mangled(text: str) -> Iterator[tuple[bytes, str]]:
    whole = text.encode()
    yield whole[: len(whole) // 2], "cut"
    yield whole[:-5], "cut"
    yield b"", "line 1"
    yield whole.replace(b"close 40", b"close 41"), "changed after"
    yield b"a shopping list\n", "not a scenario"
    yield b"chautari scenario 1\ngame last_card\nsing\nend\n", "line 3: this cannot be said"
    yield b"chautari scenario 1\ngame last_card\n0 done\nend\n", "line 3: the rules refuse this"
    yield b"chautari scenario 1\ngame last_card\njoin \xff\nend\n", "line 3: this is not text"
    yield b"chautari scenario 1\ngame last_card\njoin 0 x\nend\n", "line 3: here should be a number"
    yield b"\x00" * 300, "line 1"


def test_a_cut_edited_or_wrong_scenario_is_told_with_its_line(tmp_path: Path, recorded: Path) -> None:
    for content, expected in mangled(recorded.read_text(encoding="utf-8")):
        file = tmp_path / "match.txt"
        file.write_bytes(content)
        line = one_line(run(tmp_path, "replay", str(file)), errors.DATA)
        assert expected in line and "line" in line, line
    one_line(run(tmp_path, "replay", str(tmp_path / "none.txt")), errors.DATA)
    one_line(run(tmp_path, "replay", str(tmp_path)), errors.DATA)


# -- errors


def test_the_program_itself_ends_with_these_codes_and_lines(filled: Path, tmp_path: Path) -> None:
    assert "👨‍👩‍👧‍👦 Sharma won" in run_program(filled, "history", "list").out
    one_line(run_program(tmp_path, "history", "show", "77"), errors.USAGE)
    assert run_program(tmp_path, "history", "list", "--json") == Ran(0, "", "")


def test_a_reader_that_has_enough_is_no_error(filled: Path) -> None:
    command = [sys.executable, "-m", "chautari", "--data", str(filled), "history", "export"]
    with subprocess.Popen(command, env=AS_CLONE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


def test_usage_errors_are_one_line_and_code_2(tmp_path: Path) -> None:
    for words in (
        ["nothing"],
        ["history", "nothing"],
        ["sync", "--nope"],
        ["replay"],
        ["history", "show", "77"],
    ):
        line = one_line(run(tmp_path, *words), errors.USAGE)
        assert "--help" in line or "history list" in line
    assert run(tmp_path).code == 0 and "Commands:" in run(tmp_path, "history").out
    assert run(tmp_path, "--version").out.startswith("chautari ")


def test_no_table_says_what_to_do(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "ttyNOWHERE")
    for words in (["sync"], ["status", "--once"], ["settings", "show"], ["players", "seat", "1", "--empty"]):
        one_line(run(tmp_path, *words, "--port", nowhere), errors.NO_DEVICE)
    one_line(run(tmp_path, "--port", nowhere, "sync"), errors.NO_DEVICE)
    one_line(run(tmp_path, "sync", CHAUTARI_PORT=nowhere), errors.NO_DEVICE)


def test_a_damaged_newer_or_foreign_history_is_one_line(tmp_path: Path) -> None:
    for name in ("damaged", "newer", "foreign"):
        (tmp_path / name).mkdir()
    (tmp_path / "damaged" / "history.sqlite3").write_bytes(b"only words" * 100)
    one_line(run(tmp_path / "damaged", "history", "list"), errors.DATA)
    assert run(tmp_path / "newer", "players", "list").code == 0
    with sqlite3.connect(tmp_path / "newer" / "history.sqlite3") as connection:
        connection.execute("update alembic_version set version_num = '0777'")
    connection.close()
    line = one_line(run(tmp_path / "newer", "history", "list"), errors.VERSIONS)
    assert "0777" in line and "pip install" in line
    with sqlite3.connect(tmp_path / "foreign" / "history.sqlite3") as connection:
        connection.execute("create table recipes (name)")
    connection.close()
    one_line(run(tmp_path / "foreign", "history", "list"), errors.DATA)
    for name, code in (("damaged", errors.DATA), ("newer", errors.VERSIONS), ("foreign", errors.DATA)):
        ran = run(tmp_path / name, "doctor", "--json")
        assert ran.code == code
        assert [each["exit_code"] for each in json.loads(ran.out)["problems"]] == [code]


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    one_line(run(tmp_path, "--data", str(tmp_path / "file" / "x"), "players", "list"), errors.NO_PERMISSION)
    one_line(run(tmp_path, "players", "list", "--data", str(tmp_path / "file" / "x")), errors.NO_PERMISSION)


def test_the_folder_named_last_counts(filled: Path, tmp_path: Path) -> None:
    assert "Last Card" in run(tmp_path, "--data", str(filled), "history", "list").out
    assert "Last Card" in run(tmp_path, "history", "list", "--data", str(filled)).out
    assert "Last Card" not in run(filled, "history", "list", "--data", str(tmp_path)).out


def test_what_nobody_foresaw_is_one_line_and_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHAUTARI_DATA", str(tmp_path))

    def broken(*words: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("chautari.cli.players.open_store", broken)
    assert cli.main(["players", "list"]) == errors.ERROR
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and str(tmp_path / "trouble.log") in err and "two lines" in err
    assert "Traceback" in (tmp_path / "trouble.log").read_text(encoding="utf-8")


def test_ctrl_c_is_code_130(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stopped(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chautari.cli.players.open_store", stopped)
    assert cli.main(["players", "list", "--data", str(tmp_path)]) == errors.CANCELLED


def test_the_doctor_looks_and_makes_nothing(tmp_path: Path) -> None:
    ran = run(tmp_path / "new", "doctor", "--json")
    report = json.loads(ran.out)
    assert report["history"]["exists"] is False and report["program"]["chautari"]
    assert not (tmp_path / "new" / "history.sqlite3").exists()
    assert "Nothing is wrong" in run(tmp_path / "new", "doctor").out or report["problems"]


def test_the_doctor_counts_the_history(filled: Path) -> None:
    report = json.loads(run(filled, "doctor", "--json").out)
    assert report["history"]["counts"]["confirmed_rounds"] == 3 and report["history"]["damage"] == []
