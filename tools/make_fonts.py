"""Write firmware/table/fonts.py from the drawings in tools/glyphs/.

    python tools/make_fonts.py            write the file
    python tools/make_fonts.py --check    only tell whether it is up to date (exit code 1 if not)

letters.txt: blocks of `glyph X` and 16 rows; pictures.txt: blocks of `picture name` and 32 rows.
The screen's memory holds bytes that are columns of eight pixels, lowest bit on top, so the
letters are cut into an upper and a lower byte per column: text lands on the screen by copying.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LETTERS = ROOT / "tools" / "glyphs" / "letters.txt"
PICTURES = ROOT / "tools" / "glyphs" / "pictures.txt"
FONTS = ROOT / "firmware" / "table" / "fonts.py"
LETTER_ROWS = 16
PICTURE_ROWS = 32
FIRST = 32


def blocks(path: Path, word: str, rows: int) -> list[tuple[str, list[str]]]:
    """Return (name, rows of . and #) of every drawing in the file; ValueError names a bad line."""
    found: list[tuple[str, list[str]]] = []
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if line.startswith(word + " "):
            found.append((line[len(word) + 1 :], []))
        elif found and line and set(line) <= {".", "#"}:
            drawing = found[-1][1]
            if drawing and len(line) != len(drawing[0]):
                raise ValueError(f"{path.name}:{number}: row is not as wide as the one above")
            drawing.append(line)
        elif found and line:
            raise ValueError(f"{path.name}:{number}: neither a row nor a heading")
    for name, drawing in found:
        if len(drawing) != rows:
            raise ValueError(f"{path.name}: {name} has {len(drawing)} rows, not {rows}")
    return found


def columns(drawing: list[str], page: int) -> bytes:
    """Return one byte per column of the eight rows from 8 * page, lowest bit on top."""
    part = drawing[8 * page : 8 * page + 8]
    return bytes(
        sum(1 << y for y, row in enumerate(part) if row[x] == "#") for x in range(len(drawing[0]))
    )


def literal(name: str, data: bytes) -> list[str]:
    """Return the lines of a bytes constant in hexadecimal escapes, 24 bytes a line."""
    lines = [f"{name} = ("]
    for start in range(0, len(data), 24):
        lines.append('    b"' + "".join(f"\\x{byte:02x}" for byte in data[start : start + 24]) + '"')
    return [*lines, ")"]


def text() -> str:
    """Return what fonts.py should hold."""
    letters = blocks(LETTERS, "glyph", LETTER_ROWS)
    order = [" " if name == "space" else name for name, _ in letters]
    if order != [chr(FIRST + i) for i in range(len(order))]:
        raise ValueError("letters.txt: the glyphs must follow the order of ASCII without a gap")
    starts = b""
    upper = b""
    lower = b""
    for _, drawing in letters:
        starts += len(upper).to_bytes(2, "little")
        upper += columns(drawing, 0)
        lower += columns(drawing, 1)
    starts += len(upper).to_bytes(2, "little")
    pictures = blocks(PICTURES, "picture", PICTURE_ROWS)
    data = b"".join(columns(drawing, page) for _, drawing in pictures for page in range(4))
    lines = [
        '"""Letters and pictures of the screen. Written by tools/make_fonts.py: do not edit."""',
        "",
        f"FIRST = {FIRST}  # code of the first letter",
        f"COUNT = {len(letters)}",
        "# letter i has the columns STARTS[i] to STARTS[i + 1], two bytes each, low byte first",
        *literal("STARTS", starts),
        *literal("UPPER", upper),
        *literal("LOWER", lower),
        "# 32 by 32 pixels: four pages of 32 columns",
        "PICTURES = (",
        *(f'    "{name}",' for name, _ in pictures),
        ")",
        *literal("PICTURE_DATA", data),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check; return the exit code."""
    wanted = text()
    if "--check" in sys.argv[1:]:
        if not FONTS.exists() or FONTS.read_text(encoding="ascii") != wanted:
            print("firmware/table/fonts.py is stale: run python tools/make_fonts.py", file=sys.stderr)
            return 1
        return 0
    FONTS.write_text(wanted, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
