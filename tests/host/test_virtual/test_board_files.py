"""What goes onto the board is said once, and found in a clone and in an installed copy alike."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chautari import board_files

ROOT = Path(__file__).resolve().parents[3]


def test_the_manifest_lists_firmware_and_engine():
    listed = dict(board_files.listing())
    assert listed["main.py"] == ROOT / "firmware" / "main.py"
    assert listed["boards/pico.py"] == ROOT / "firmware" / "boards" / "pico.py"
    assert listed["cardrules/announcement.py"] == ROOT / "engine" / "cardrules" / "announcement.py"
    assert "manifest.py" not in listed
    for name in ("cards", "deal", "bots"):  # the PC holds the cards, never the board
        assert (ROOT / "engine" / "cardrules" / "last_card" / f"{name}.py").is_file()
        assert f"cardrules/last_card/{name}.py" not in listed
    assert not [there for there in listed if "__pycache__" in there]


def test_package_module_include_and_chosen_files(tmp_path):
    (tmp_path / "p" / "deep").mkdir(parents=True)
    for name in ("p/a.py", "p/b.py", "p/deep/c.py", "m.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
    first = 'package("p", files=["a.py"])\ninclude("second.py")\n'
    (tmp_path / "first.py").write_text(first, encoding="utf-8")
    (tmp_path / "second.py").write_text('module("m.py", opt=3)\n', encoding="utf-8")
    assert [there for there, _ in board_files.read_manifest(tmp_path / "first.py")] == ["m.py", "p/a.py"]
    (tmp_path / "third.py").write_text('package("p")\n', encoding="utf-8")
    listed = [there for there, _ in board_files.read_manifest(tmp_path / "third.py")]
    assert listed == ["p/a.py", "p/b.py", "p/deep/c.py"]


@pytest.mark.parametrize("line", ['module("none.py")', 'package("none")', 'package(".", files=["none.py"])'])
def test_what_is_missing_is_named(tmp_path, line):
    (tmp_path / "manifest.py").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(board_files.BoardFilesError, match="none"):
        board_files.read_manifest(tmp_path / "manifest.py")


def test_an_installed_copy_has_them_too(tmp_path):
    """Laid out as the wheel does it, from pyproject's own list."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    package = tmp_path / "chautari"
    package.mkdir()
    shutil.copy(board_files.__file__, package / "board_files.py")
    (package / "__init__.py").write_text("", encoding="utf-8")
    for here, there in project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"].items():
        target = tmp_path / there
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / here).is_dir():
            shutil.copytree(ROOT / here, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / here, target)
    code = "from chautari import board_files as b; print(len(b.listing()), b.pins_file().is_file(), b.root())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    count, pins, root = done.stdout.split(maxsplit=2)
    assert int(count) == len(board_files.listing()) and pins == "True"
    assert Path(root.strip()) == package / "board_files_data"
