"""Decodes what a controller says over I2C to an SSD1306, SSD1309 or SH1106 display."""

from __future__ import annotations

_ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1}
_ARGUMENTS |= {0xDA: 1, 0xDB: 1, 0xFD: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0xA3: 2, 0x23: 1}
_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2


class Display:
    """128x64 pixels behind one I2C address.

    The glass is wired as on the common modules: with segments remapped (A1) and rows scanned
    backwards (C8) the picture stands upright; with A0 and C0 it is turned by 180 degrees.
    """

    def __init__(self, driver: str = "ssd1309") -> None:
        self._sh1106 = driver == "sh1106"
        self._columns = 132 if self._sh1106 else 128
        self.reset()

    def reset(self) -> None:
        """Do what cutting the power does: dark, memory undefined (here: empty)."""
        self.ram = [bytearray(self._columns) for _ in range(8)]
        self.on = False
        self.contrast = 0x7F
        self.inverted = False
        self.all_on = False
        self.remapped = False
        self.backwards = False
        self.start_line = 0
        self.offset = 0
        self.unknown = 0
        self._mode = _PAGE
        self._column = 0
        self._page = 0
        self._column_range = (0, self._columns - 1)
        self._page_range = (0, 7)
        self._pending: list[int] = []

    @property
    def turned(self) -> bool:
        """Whether the picture is turned by 180 degrees."""
        return not self.remapped and not self.backwards

    def write(self, data: bytes) -> None:
        """Take one I2C transfer: control bytes (00, 80: command, 40, C0: data), then what they announce."""
        i = 0
        while i < len(data):
            control = data[i]
            i += 1
            end = min(i + 1, len(data)) if control & 0x80 else len(data)
            part = data[i:end]
            i = end
            if control & 0x40:
                for byte in part:
                    self._data(byte)
            else:
                for byte in part:
                    self._command(byte)

    def _command(self, byte: int) -> None:
        if self._pending:
            self._pending.append(byte)
        else:
            self._pending = [byte]
        if len(self._pending) <= _ARGUMENTS.get(self._pending[0], 0):
            return
        command, *arguments = self._pending
        self._pending = []
        if command <= 0x0F:
            self._column = (self._column & 0xF0) | command
        elif command <= 0x1F:
            self._column = (self._column & 0x0F) | (command & 0x0F) << 4
        elif 0x40 <= command <= 0x7F:
            self.start_line = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 7
        elif command in (0x20, 0x21, 0x22) and self._sh1106:
            self.unknown += 1
        elif command == 0x20:
            self._mode = arguments[0] & 3
        elif command == 0x21:
            self._column_range = (arguments[0] & 0x7F, arguments[1] & 0x7F)
            self._column = self._column_range[0]
        elif command == 0x22:
            self._page_range = (arguments[0] & 7, arguments[1] & 7)
            self._page = self._page_range[0]
        elif command == 0x81:
            self.contrast = arguments[0]
        elif command in (0xA0, 0xA1):
            self.remapped = command == 0xA1
        elif command in (0xA4, 0xA5):
            self.all_on = command == 0xA5
        elif command in (0xA6, 0xA7):
            self.inverted = command == 0xA7
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif command in (0xC0, 0xC8):
            self.backwards = command == 0xC8
        elif command == 0xD3:
            self.offset = arguments[0] & 0x3F
        elif command not in _ARGUMENTS and command not in (0x2E, 0xE3) and not 0x30 <= command <= 0x33:
            self.unknown += 1

    def _data(self, byte: int) -> None:
        if self._column < self._columns:
            # The remap takes effect where a byte is stored, not where it is shown.
            place = self._columns - 1 - self._column if self.remapped else self._column
            self.ram[self._page][place] = byte
        if self._mode == _PAGE or self._sh1106:
            # The SH1106 stops at the last column, the others begin the page again.
            self._column += 1
            if not self._sh1106 and self._column >= self._columns:
                self._column = 0
        elif self._mode == _HORIZONTAL:
            self._column += 1
            if self._column > self._column_range[1]:
                self._column = self._column_range[0]
                self._page += 1
                if self._page > self._page_range[1]:
                    self._page = self._page_range[0]
        else:
            self._page += 1
            if self._page > self._page_range[1]:
                self._page = self._page_range[0]
                self._column += 1
                if self._column > self._column_range[1]:
                    self._column = self._column_range[0]

    def glass(self) -> list[bytearray]:
        """Return 64 rows of 128 pixels (0 or 1) as they light up on the device, top row first."""
        if not self.on:
            return [bytearray(128) for _ in range(64)]
        first = (self._columns - 128) // 2
        rows = []
        for y in range(64):
            # The module's top row is its last common line, its left column its last segment.
            line = (63 - y + self.offset) % 64
            line = ((63 - line if self.backwards else line) + self.start_line) % 64
            page, mask = self.ram[line >> 3], 1 << (line & 7)
            if self.all_on:
                row = bytearray([1]) * 128
            else:
                lit = bytes(1 if page[first + x] & mask else 0 for x in range(127, -1, -1))
                row = bytearray(lit)
            if self.inverted:
                row = bytearray(1 - bit for bit in row)
            rows.append(row)
        return rows

    def picture(self) -> bytes:
        """Return the picture as its reader sees it, turned or not: 1024 bytes, pages, low bit on top."""
        rows = self.glass()
        if self.turned:
            rows = [row[::-1] for row in rows[::-1]]
        out = bytearray(1024)
        for y, row in enumerate(rows):
            at, mask = (y >> 3) * 128, 1 << (y & 7)
            for x, lit in enumerate(row):
                if lit:
                    out[at + x] |= mask
        return bytes(out)
