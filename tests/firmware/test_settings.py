"""Settings of the table: what is allowed, how seldom they are written, and what survives damage."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
for room in ("firmware", "tests/firmware/storage"):
    if str(ROOT / room) not in sys.path:
        sys.path.insert(0, str(ROOT / room))

import vm  # noqa: E402
from table.settings import CALM_MS, FAULTS, LATEST_MS, REASONS, SCHEMA, Settings  # noqa: E402
from tablelink.fingerprint import fingerprint  # noqa: E402


@pytest.fixture
def root(tmp_path):
    return str(tmp_path)


def slots(root):
    return sorted(path.name for path in (Path(root) / "settings").iterdir() if path.name in ("s0", "s1"))


def test_defaults_are_allowed_values(root):
    settings = Settings(root)
    assert settings.fault is None
    for name, kind, _, _, default, _ in SCHEMA:
        if kind == "fixed":
            continue
        assert settings.get(name) == default
        assert settings.set(name, default) is None


def test_first_boot_makes_a_board_id_for_good(root, tmp_path):
    first = Settings(root)
    assert len(first.get("board_id")) == 8 and int(first.get("board_id"), 16) >= 0
    assert slots(root) == []
    assert Settings(root).get("board_id") == first.get("board_id")
    (tmp_path / "other").mkdir()
    assert Settings(str(tmp_path / "other")).get("board_id") != first.get("board_id")


def test_values_come_back(root):
    settings = Settings(root)
    names = ["Åsa", "अनु", "李", 'C,"D"=\\', "\U0001f468\u200d\U0001f469\u200d\U0001f467", "x" * 30]
    wanted = {"sound": 0, "brightness": 10, "names": names, "players": [7, 0, 2**32 - 1, 1, 2, 3]}
    wanted |= {"target": 500, "stacking": 1, "draw_until": 1, "owner": "feed0123", "catch_up": 0}
    for key, value in wanted.items():
        assert settings.set(key, value) is None
    assert settings.save_now()
    again = Settings(root)
    assert again.fault is None
    assert again.items() == settings.items()
    assert {key: again.get(key) for key in wanted} == wanted


def test_what_is_not_allowed_is_refused_and_changes_nothing(root):
    settings = Settings(root)
    before = settings.items()
    for key, value, reason in (
        ("colour", 1, ("unknown_setting",)),
        ("", 1, ("unknown_setting",)),
        ("sound", 3, ("setting_value", 0, 2)),
        ("sound", -1, ("setting_value", 0, 2)),
        ("sound", "2", ("setting_value", 0, 2)),
        ("sound", None, ("setting_value", 0, 2)),
        ("sound", [1], ("setting_value", 0, 2)),
        ("brightness", 0, ("setting_value", 1, 10)),
        ("brightness", 11, ("setting_value", 1, 10)),
        ("target", 250, ("setting_value", 1, 500)),
        ("names", ["a"] * 5, ("setting_value", 0, 30)),
        ("names", ["a"] * 7, ("setting_value", 0, 30)),
        ("names", "abcdef", ("setting_value", 0, 30)),
        ("names", ["x" * 31] + [""] * 5, ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["a\nb"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["\x00"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["\x9b31m"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["a\u202eb"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["a\u2028b"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + ["\ud800"], ("setting_value", 0, 30)),
        ("names", [""] * 5 + [5], ("setting_value", 0, 30)),
        ("players", [0] * 5, ("setting_value", 0, 2**32 - 1)),
        ("players", [0] * 5 + [2**32], ("setting_value", 0, 2**32 - 1)),
        ("players", [0] * 5 + [-1], ("setting_value", 0, 2**32 - 1)),
        ("owner", "a b", ("setting_value", 0, 40)),
        ("owner", "x" * 41, ("setting_value", 0, 40)),
        ("owner", 7, ("setting_value", 0, 40)),
        ("board_id", "00000000", ("setting_fixed",)),
    ):
        assert settings.set(key, value) == reason, (key, value)
        assert reason[0] in REASONS
    assert settings.items() == before
    assert not settings.save_now()


def test_a_switch_may_be_told_as_true_or_false(root):
    settings = Settings(root)
    assert settings.set("catch_up", False) is None
    assert settings.get("catch_up") == 0 and settings.get("catch_up") is not False


def test_a_list_given_is_not_the_one_kept(root):
    settings = Settings(root)
    names = ["a", "b", "c", "d", "e", "f"]
    settings.set("names", names)
    names[0] = "changed"
    assert settings.get("names")[0] == "a"
    assert Settings(root).get("names") == [""] * 6


def test_fifty_changes_in_ten_seconds_are_written_at_most_twice(root):
    settings = Settings(root)
    written_at = []
    for now in range(0, 30000, 50):
        if now < 10000 and now % 200 == 0:
            settings.set("brightness", now // 200 % 10 + 1)
        if settings.save_due(now):
            written_at.append(now)
    assert settings.writes == len(written_at)
    assert 1 <= len(written_at) <= 2
    assert written_at[-1] - 9800 <= CALM_MS + 100
    assert Settings(root).get("brightness") == settings.get("brightness") == 10


def test_changes_without_end_are_written_all_the_same(root):
    settings = Settings(root)
    written_at = []
    for now in range(0, 100000, 500):
        settings.set("brightness", now // 500 % 10 + 1)
        if settings.save_due(now):
            written_at.append(now)
    assert len(written_at) == 3
    assert written_at[0] <= LATEST_MS + 500


@pytest.mark.parametrize("start", [0, 2**30 - 2000, 2**32 - 2000, 2**62 - 2000])
def test_the_clock_may_wrap(root, start):
    settings = Settings(root)
    settings.set("sound", 0)
    wrap = 2 ** (start + 2000).bit_length() // 2 if start else 2**62
    writes = [after for after in range(0, 20000, 100) if settings.save_due((start + after) % wrap)]
    assert writes == [CALM_MS]


def test_what_is_set_to_what_it_was_is_not_written(root):
    settings = Settings(root)
    settings.set("sound", 2)
    assert not any(settings.save_due(now) for now in range(0, 60000, 500))


def saved(root, *brightness):
    settings = Settings(root)
    for value in brightness:
        settings.set("brightness", value)
        assert settings.save_now()
    return settings


def test_the_newest_file_empty_the_older_one_is_used_and_named(root):
    saved(root, 3, 7)
    (Path(root) / "settings" / "s0").write_bytes(b"")
    settings = Settings(root)
    assert settings.get("brightness") == 3
    assert settings.fault == "settings_old"
    # Two good files again after the next write.
    assert settings.save_now()
    again = Settings(root)
    assert again.fault is None and again.get("brightness") == 3


def test_the_newest_file_gone_is_noticed(root):
    saved(root, 1, 3, 7)
    (Path(root) / "settings" / "s1").unlink()
    settings = Settings(root)
    assert (settings.get("brightness"), settings.fault) == (3, "settings_old")


def test_both_files_damaged_give_defaults_and_are_named(root):
    board = saved(root, 3, 7).get("board_id")
    for name in slots(root):
        (Path(root) / "settings" / name).write_bytes(b"")
    settings = Settings(root)
    assert settings.get("brightness") == 5
    assert settings.get("board_id") == board
    assert settings.fault == "settings_lost"


def test_each_file_cut_or_changed_at_every_byte(root, tmp_path):
    saved(root, 3, 7)
    good = dict(Settings(root).items())
    for name, other in (("s0", 3), ("s1", 7)):
        path = Path(root) / "settings" / name
        data = path.read_bytes()
        for at in range(len(data)):
            for damaged in (data[:at], data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]):
                copy = tmp_path / "copy"
                shutil.copytree(Path(root) / "settings", copy / "settings")
                (copy / "settings" / name).write_bytes(damaged)
                settings = Settings(str(copy))
                assert dict(settings.items()) == {**good, "brightness": other}
                assert settings.fault == "settings_old"
                shutil.rmtree(copy)


def test_the_board_id_survives_its_own_file_damaged(root):
    board = saved(root, 3).get("board_id")
    path = Path(root) / "settings" / "board"
    for damaged in (b"", path.read_bytes()[:-1], b"something else"):
        path.write_bytes(damaged)
        assert Settings(root).get("board_id") == board
    assert path.read_bytes().startswith(board.encode())


def test_values_and_names_that_this_firmware_does_not_know(root, monkeypatch):
    import table.settings as module

    schema = module.SCHEMA
    monkeypatch.setattr(
        module,
        "SCHEMA",
        [("sound", "number", 0, 9, 2, ()) if row[0] == "sound" else row for row in schema]
        + [("later", "number", 0, 5, 1, ())],
    )
    newer = Settings(root)
    newer.set("sound", 8)
    newer.set("later", 4)
    newer.set("brightness", 9)
    newer.save_now()
    monkeypatch.setattr(module, "SCHEMA", schema)
    settings = Settings(root)
    assert settings.get("brightness") == 9
    assert settings.get("sound") == 2
    assert settings.fault == "settings_value"
    with pytest.raises(KeyError):
        settings.get("later")
    # Nothing is written on its own account, so that the newer firmware finds its values again.
    assert not any(settings.save_due(now) for now in range(0, 60000, 500))


def test_a_file_system_that_takes_nothing_is_named_and_tried_again(tmp_path):
    (tmp_path / "settings").write_text("a file where the directory should be")
    settings = Settings(str(tmp_path))
    assert settings.fault == "settings_unsaved"
    settings.set("sound", 0)
    assert settings.get("sound") == 0
    assert not any(settings.save_due(now) for now in range(0, 50000, 500))
    (tmp_path / "settings").unlink()
    assert any(settings.save_due(now) for now in range(50000, 90000, 500))
    assert settings.fault is None
    again = Settings(str(tmp_path))
    assert again.get("sound") == 0
    assert again.get("board_id") == settings.get("board_id")
    assert all(fault is None or fault in FAULTS for fault in (settings.fault, again.fault))


def test_fingerprints_are_the_same_on_the_board(root):
    settings = Settings(root)
    settings.set("names", ["Åsa", "अनु", "李", 'C,"D"', "\U0001f3b2", "~"])
    settings.set("players", [2**32 - 1, 1, 2, 3, 4, 5])
    settings.save_now()
    lines = vm.run("settings_print.py", root)
    assert lines[0] == "None"
    assert lines[1] == settings.fingerprint() == fingerprint(settings.items())
    assert [line.split(" ")[0] for line in lines[2:]] == [key for key, _ in settings.items()]
    before = settings.fingerprint()
    settings.set("sound", 0)
    assert settings.fingerprint() != before


def test_old_or_new_wherever_the_power_is_cut():
    lines = vm.run("settings_cuts.py", heap="4m")
    tried = vm.figures(lines[-1])
    assert tried["bad"] == 0, lines
    assert tried["cuts"] > 100
