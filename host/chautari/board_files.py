"""Finds the files that go onto the board: the firmware and the engine's part of it.

In a clone they lie in firmware/ and engine/, in an installed copy beside this module. Which of
them go onto the board is said once, in firmware/manifest.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


class BoardFilesError(Exception):
    """The board's files are not where they should be; the text says which."""


def root() -> Path:
    """Return the folder that holds firmware/, engine/ and hardware/."""
    clone = _HERE.parent.parent
    installed = _HERE / "board_files_data"
    for place in (clone, installed):
        if (place / "firmware" / "manifest.py").is_file():
            return place
    raise BoardFilesError(f"the board's files are missing: no firmware/manifest.py in {clone} or {installed}")


def pins_file() -> Path:
    """Return the path of pins.toml, which says what is wired where."""
    return root() / "hardware" / "pins.toml"


def read_manifest(manifest: Path) -> list[tuple[str, Path]]:
    """Return (board path, file) for everything a MicroPython manifest lists, sorted by board path.

    Understood are package(), module() and include(). Raises BoardFilesError for a file or folder
    that is not there.
    """
    found: dict[str, Path] = {}

    def place(base: str) -> Path:
        return (manifest.parent / base).resolve()

    def package(name: str, files: Sequence[str] | None = None, base_path: str = ".", opt: Any = None) -> None:
        folder = place(base_path) / name
        if not folder.is_dir():
            raise BoardFilesError(f"{manifest}: no package {folder}")
        names = files if files is not None else [str(p.relative_to(folder)) for p in folder.rglob("*.py")]
        for file in names:
            add(f"{name}/{Path(file).as_posix()}", folder / file)

    def module(name: str, base_path: str = ".", opt: Any = None) -> None:
        add(name, place(base_path) / name)

    def include(path: str, **options: Any) -> None:
        found.update(read_manifest(place(path)))

    def add(there: str, here: Path) -> None:
        if not here.is_file():
            raise BoardFilesError(f"{manifest}: no file {here}")
        found[there] = here

    names = {"package": package, "module": module, "include": include}
    exec(compile(manifest.read_text(encoding="utf-8"), str(manifest), "exec"), names)
    return sorted(found.items())


def listing() -> list[tuple[str, Path]]:
    """Return (board path, file) for everything that goes onto the board."""
    return read_manifest(root() / "firmware" / "manifest.py")
