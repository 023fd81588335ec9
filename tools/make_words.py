"""Write the table's words, firmware/table/words_en.py, from the catalogue host/chautari/locale/en.po.

    python tools/make_words.py            write the file
    python tools/make_words.py --check    only tell what is stale, missing or unused (exit code 1)

A key is used when it stands in a source file as it is, or when its group is one that sources build
from codes (FAMILIES). The table gets the groups it speaks; the PC reads the catalogue itself.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for room in ("host", "engine", "firmware"):
    sys.path.insert(0, str(ROOT / room))

from cardrules import announcement, games, notices  # noqa: E402
from chautari import words  # noqa: E402
from table import cues, journal, settings  # noqa: E402

WORDS = ROOT / "firmware" / "table" / "words_en.py"
PC_ONLY = ("notice.", "pc.")
"""Groups that only the PC speaks."""

GROUPS = (
    "screen", "said", "reason", "fault", "menu", "key", "colour", "card", "rule", "value", "notice", "pc",
)
KEY = re.compile(r'"((?:' + "|".join(GROUPS) + r')\.[a-z0-9_]*[a-z0-9])"')
NO_SAYING = ("boot", "rule", "undo", "redo")


def says_of(game: str) -> dict[int, str]:
    """Return what can be said in a game beside the common announcements: code -> word."""
    try:
        found: dict[int, str] = import_module(f"cardrules.{game}.says").NAMES
    except ModuleNotFoundError:
        return {}
    return found


def families() -> dict[str, set[str]]:
    """Return the keys that sources build from codes, by what they are built from."""
    said = set(announcement.COMMON.values())
    for name in games.GAMES:
        said |= set(says_of(name).values())
    board_faults = {"screen", "keys", "pixels", "sound", "link", "stuck_seat", "stuck_key", "other"}
    return {
        "announcements": {f"said.{name}" for name in said},
        "reasons": {f"reason.{code}" for code in (*notices.REASONS, *settings.REASONS)},
        "notices": {f"notice.{code}" for code in notices.NOTICES},
        "colours": {f"colour.{colour}" for colour in range(4)},
        "cards": {f"card.{name}" for name in ("skip", "reverse", "plus_two", "wild", "10", "11")},
        "faults": {f"fault.{code}" for code in (*board_faults, *journal.FAULTS, *settings.FAULTS)},
        "figures": {f"screen.figures_{page}" for page in ("cards", "points", "time")},
        "settings": {f"rule.{key}" for key in TABLE_SETTINGS},
        "outcomes": {"said.taken", "said.kept", "said.passed"},
        "cues": {cue[2] for cue in cues.CUES.values() if cue[2]},
    }


TABLE_SETTINGS = (
    "target", "stacking", "draw_until", "sound", "brightness", "catch_up", "turn_screen", "dim_s", "blank_s",
)


def used() -> set[str]:
    """Return every key that sources name or build."""
    found: set[str] = set()
    sources = [*(ROOT / "firmware").rglob("*.py"), *(ROOT / "host").rglob("*.py")]
    for path in sources:
        if path != WORDS:
            found |= set(KEY.findall(path.read_text(encoding="utf-8")))
    for keys in families().values():
        found |= keys
    return found


def text() -> str:
    """Return what words_en.py should hold."""
    groups: dict[str, list[str]] = {}
    for key, template in sorted(words.catalogue().items()):
        if not key.startswith(PC_ONLY):
            group, name = key.split(".", 1)
            groups.setdefault(group, []).append(f"{name}={template}")
    lines = ['"""The table\'s words. Written by tools/make_words.py: do not edit."""', "", "WORDS = {"]
    for group, entries in groups.items():
        lines.append(f'    "{group}": (')
        lines.append('        "\\n"')
        lines += [f"        {quoted(entry)[:-1]}\\n\"" for entry in entries]
        lines.append("    ),")
    return "\n".join([*lines, "}"]) + "\n"


def quoted(value: str) -> str:
    """Return a string literal in double quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def problems() -> list[str]:
    """Return one line for everything that is not as it should be."""
    found: list[str] = []
    catalogue = set(words.catalogue())
    known = used()
    found += [f"missing: {key}" for key in sorted(known - catalogue)]
    known |= {key + "_one" for key in known if key.startswith(PC_ONLY)}  # a singular, where there is one
    found += [
        f"unused: {key}" for key in sorted(catalogue - known) if not key.startswith(("value.", "pc."))
    ]
    if not WORDS.exists() or WORDS.read_text(encoding="utf-8") != text():
        found.append("firmware/table/words_en.py is stale: run python tools/make_words.py")
    return found


def main() -> int:
    """Write or check; return the exit code."""
    if "--check" not in sys.argv[1:]:
        WORDS.write_text(text(), encoding="utf-8")
    found = problems()
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
