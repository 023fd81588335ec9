"""A board in memory with a clock moved by hand: the same objects that a board file makes.

Runs on CPython and on MicroPython.
"""

KEYS = "123A456B789C*0#D"
WRAP = 1 << 30  # MicroPython's ticks_ms wraps here on a board


class Pin:
    """A seat button."""

    def __init__(self):
        self.level = 1

    def __call__(self):
        return self.level


class KeyPad:
    """A 4 by 4 matrix as wired: keys pressed together can look like a fourth one."""

    def __init__(self):
        self.pressed = set()
        self.driven = [1, 1, 1, 1]
        self.rows = [self._row(r) for r in range(4)]
        self.columns = [self._column(c) for c in range(4)]

    def _row(self, r):
        def drive(level):
            self.driven[r] = level

        return drive

    def _column(self, c):
        def read():
            if not self.pressed:
                return 1
            # follow the current from each driven row through pressed keys, columns and rows
            rows = [r for r in range(4) if not self.driven[r]]
            columns = []
            grown = True
            while grown:
                grown = False
                for key in self.pressed:
                    r = key // 4
                    k = key % 4
                    if r in rows and k not in columns:
                        columns.append(k)
                        grown = True
                    elif k in columns and r not in rows:
                        rows.append(r)
                        grown = True
            return 0 if c in columns else 1

        return read


class Pixels:
    def __init__(self):
        self.n = 24
        self.frame = bytearray(72)
        self.frames = 0
        self.log = None

    def show(self, buf):
        self.frame[:] = buf
        self.frames += 1
        if self.log is not None:
            self.log.append(bytes(buf))


class Screen:
    width = 128
    height = 64

    def __init__(self):
        self.buffer = bytearray(1024)
        self.shown = bytearray(1024)
        self.on = True
        self.turned = False
        self.level = 127
        self.dead = False
        self.pages = 0

    def _answer(self):
        if self.dead:
            raise OSError(5)

    def page(self, n):
        self._answer()
        self.pages += 1
        self.shown[128 * n : 128 * n + 128] = self.buffer[128 * n : 128 * n + 128]

    def power(self, on):
        self._answer()
        self.on = on

    def contrast(self, value):
        self._answer()
        self.level = value

    def turn(self, on):
        self._answer()
        self.turned = on


class Board:
    """clock: milliseconds, set by hand; `pin(control)` is pressed through press() and release()."""

    name = "fake"

    def __init__(self, start=WRAP - 5000):
        self.clock = start
        self.faults = []
        self.seats = [Pin() for _ in range(6)]
        self.pad = KeyPad()
        self.rows = self.pad.rows
        self.columns = self.pad.columns
        self.pixels = Pixels()
        self.screen = Screen()
        self.tones = []
        self.heard = 0
        self.was_reset = 0

    def tone(self, hz, duty):
        self.heard += 1
        if len(self.tones) >= 200:  # a long evening must not fill a small heap
            del self.tones[:100]
        self.tones.append((self.clock, hz, duty))

    def ticks_ms(self):
        return self.clock % WRAP

    @staticmethod
    def ticks_diff(a, b):
        d = (a - b) % WRAP
        return d - WRAP if d >= WRAP // 2 else d

    def hardware_id(self):
        return b"fakeboar"

    def reset(self):
        self.was_reset += 1

    def safe_pressed(self):
        return False

    def press(self, control):
        if control.startswith("seat"):
            self.seats[int(control[4:]) - 1].level = 0
        else:
            self.pad.pressed.add(KEYS.index(control))

    def release(self, control):
        if control.startswith("seat"):
            self.seats[int(control[4:]) - 1].level = 1
        else:
            self.pad.pressed.discard(KEYS.index(control))
