"""The ring of lights: from a scene to pixels, and never over the current budget.

draw() is a pure function of a scene and a time, so that a test can look at seconds of it. Seat s
owns the pixels 4 * s to 4 * s + 3, clockwise.
"""

from table import PER_SEAT, PIXELS, SEATS, cues

try:
    from typing import Any
except ImportError:
    pass


NO_SEAT = 255
_DARK = bytes(PIXELS)
_DARK_RAW = bytes(3 * PIXELS)


class Scene:
    """What the lights have to tell. Times are milliseconds of the board's clock.

    pattern: a lasting pattern of cues.py; seat: whom it is about (NO_SEAT for nobody);
    active, absent, held_last: bit masks of seats; done, total: progress of entering a hand;
    flash: a passing pattern laid over it since flash_ms for flash_length.
    """

    def __init__(self) -> None:
        self.pattern = cues.DARK
        self.seat = NO_SEAT
        self.direction = 1
        self.dealer = NO_SEAT
        self.active = 0
        self.absent = 0
        self.held_last = 0
        self.owed = 0
        self.colour = -1
        self.done = 0
        self.total = 0
        self.waiting = 0
        self.flash = cues.NOTHING
        self.flash_seat = NO_SEAT
        self.flash_other = NO_SEAT
        self.flash_n = 0
        self.flash_ms = 0
        self.flash_length = 0

    def start(self, pattern: int, seat: int, other: int, n: int, ms: int, length: int) -> None:
        """Lay a passing pattern over the lasting one."""
        self.flash = pattern
        self.flash_seat = seat
        self.flash_other = other
        self.flash_n = n
        self.flash_ms = ms
        self.flash_length = length

    def stop(self) -> None:
        """Take the passing pattern away."""
        self.flash = cues.NOTHING


def swing(ms: int, period: int, low: int, high: int) -> int:
    """Return a level that goes softly from low to high and back, once per period."""
    half = period // 2
    at = ms % period
    if at >= half:
        at = period - at
    x = at * 256 // half
    x = x * x * (768 - 2 * x) >> 16  # slow at both ends
    return low + ((high - low) * x >> 8)


def lit(ms: int, steps: "tuple[int, ...]") -> bool:
    """Return whether a rhythm of (on, off, on, ...) milliseconds is on."""
    total = 0
    for step in steps:
        total += step
    at = ms % total
    on = True
    for step in steps:
        if at < step:
            return on
        at -= step
        on = not on
    return on


class Lights:
    """Draws scenes into levels and tints, and those into bytes that stay within the budget.

    pixels: an object with show(buffer); budget_ma: for everything on the USB line;
    brightness: 1 to 10.
    """

    frame_ms = 40
    pixel_ma = 20  # one channel of one pixel at full level
    idle_ma = 24  # all pixels dark
    rest_ma = 70  # controller, screen and buzzer
    BRIGHTNESS = (255, 14, 22, 32, 46, 64, 88, 118, 156, 202, 255)

    def __init__(self, pixels: "Any") -> None:
        self.pixels = pixels
        self.brightness = 5
        self.budget_ma = 450
        self.levels = bytearray(PIXELS)
        self.tints = bytearray(PIXELS)
        self.raw = bytearray(3 * PIXELS)
        self.out = bytearray(3 * PIXELS)
        self.frames = 0
        self.scaled = 0

    # From scene to levels

    def draw(self, scene: "Scene", ms: int) -> bytearray:
        """Return the frame of a scene at a time: 72 bytes, red green blue per pixel, at full
        brightness and before the budget. The same scene and time give the same bytes.
        """
        levels = self.levels
        tints = self.tints
        levels[:] = _DARK
        tints[:] = _DARK  # WHITE is 0
        self._last(scene, ms)
        if scene.flash != cues.NOTHING:
            self._flash(scene, ms)
        raw = self.raw
        raw[:] = _DARK_RAW
        colours = cues.TINTS
        for i in range(PIXELS):
            level = levels[i]
            if level:
                red, green, blue = colours[tints[i]]
                k = 3 * i
                raw[k] = red * level >> 8
                raw[k + 1] = green * level >> 8
                raw[k + 2] = blue * level >> 8
        return raw

    def _seat(self, seat: int, level: int, tint: int = cues.WHITE) -> None:
        if seat < SEATS:
            i = seat * PER_SEAT
            for k in range(i, i + PER_SEAT):
                self.levels[k] = level
                self.tints[k] = tint

    def _all(self, level: int, tint: int = cues.WHITE) -> None:
        for i in range(PIXELS):
            self.levels[i] = level
            self.tints[i] = tint

    def _last(self, scene: "Scene", ms: int) -> None:
        pattern = scene.pattern
        if pattern == cues.TURN:
            self._ring(scene, ms)
            self._absent(scene, ms)
            self._turn(scene, ms)
            self._held(scene, ms)
        elif pattern == cues.COLOUR_WANTED:
            self._dealer(scene)
            self._held(scene, ms)
            step = ms // cues.STEP_MS[pattern] % 4
            i = scene.seat * PER_SEAT
            if scene.seat < SEATS:
                for k in range(PER_SEAT):
                    self.levels[i + k] = 255 if k == step else 40
                    self.tints[i + k] = cues.COLOUR_TINTS[k]
        elif pattern == cues.OUT_ASKED:
            self._dealer(scene)
            if scene.seat < SEATS:
                odd = ms // cues.STEP_MS[pattern] & 1
                i = scene.seat * PER_SEAT
                for k in range(PER_SEAT):
                    self.levels[i + k] = 230 if k & 1 == odd else 0
        elif pattern == cues.ENTERING:
            self._entering(scene, ms)
        elif pattern == cues.SCORED:
            for s in range(SEATS):
                if scene.active >> s & 1:
                    self._seat(s, 26)
            self._seat(scene.seat, swing(ms, cues.LAP_MS[pattern], 140, 255), cues.GREEN)
            self._dealer(scene)
        elif pattern == cues.LOBBY:
            self._lobby(scene, ms)
        elif pattern == cues.PAUSED:
            # two lights per seat that is in, the two bars of "pause", on and off together
            on = 90 if lit(ms, cues.PAUSED_BLINK) else 8
            for s in range(SEATS):
                if scene.active >> s & 1:
                    self.levels[4 * s] = on
                    self.levels[4 * s + 3] = on
            if scene.seat < SEATS:
                self.levels[4 * scene.seat + 1] = 24
                self.levels[4 * scene.seat + 2] = 24
        elif pattern == cues.SHORT:
            for s in range(SEATS):
                if scene.active >> s & 1:
                    self._seat(s, 120)
                elif scene.absent >> s & 1:
                    k = 4 * s + ms // cues.STEP_MS[pattern] % 4
                    self.levels[k] = 60
        elif pattern == cues.MATCH_WON or pattern == cues.TIE:
            self._won(scene, ms, pattern == cues.TIE)
        elif pattern == cues.MATCH_ENDED:
            for s in range(SEATS):
                if scene.active >> s & 1:
                    self.levels[4 * s + 1] = 60
                    self.levels[4 * s + 2] = 60
        elif pattern == cues.ASKING:
            self._dealer(scene)
            if scene.seat < SEATS:
                k = ms // cues.STEP_MS[pattern] % 6
                if k > 3:
                    k = 6 - k
                self._seat(scene.seat, 30, cues.BLUE)
                self.levels[4 * scene.seat + k] = 220
            else:
                k = ms // cues.STEP_MS[pattern] % 4
                for s in range(SEATS):
                    if (scene.active | scene.absent) >> s & 1:
                        self.levels[4 * s + k] = 110
                        self.tints[4 * s + k] = cues.BLUE
        elif pattern == cues.CONFIRM:
            lap = cues.LAP_MS[pattern]
            full = ms % lap * PIXELS // lap
            for i in range(PIXELS):
                self.levels[i] = 120 if i <= full else 6
                self.tints[i] = cues.RED

    def _dealer(self, scene: "Scene") -> None:
        if scene.dealer < SEATS:
            i = scene.dealer * PER_SEAT
            if self.levels[i] < cues.DEALER_LEVEL:
                self.levels[i] = cues.DEALER_LEVEL

    def _ring(self, scene: "Scene", ms: int) -> None:
        levels = self.levels
        active = scene.active
        if scene.colour >= 0 and lit(ms, cues.RHYTHMS[scene.colour]):
            tint = cues.COLOUR_TINTS[scene.colour]
            for i in range(PIXELS):
                if active >> (i >> 2) & 1:
                    levels[i] = cues.RHYTHM_LEVEL
                    self.tints[i] = tint
        head = ms // cues.CHASE_STEP_MS % PIXELS
        back = -1
        if scene.direction < 0:
            head = PIXELS - 1 - head
            back = 1
        for level in cues.CHASE_LEVELS:
            if active >> (head >> 2) & 1:
                levels[head] += level  # over the rhythm of a colour, so that both can be read
            head = (head + back) % PIXELS
        self._dealer(scene)

    def _absent(self, scene: "Scene", ms: int) -> None:
        # whoever went away left a light in the window; the eliminated have none
        if scene.absent and lit(ms, cues.ABSENT_BLINK):
            for s in range(SEATS):
                if scene.absent >> s & 1:
                    self.levels[4 * s + 1] = self.levels[4 * s + 2] = cues.ABSENT_LEVEL

    def _turn(self, scene: "Scene", ms: int) -> None:
        seat = scene.seat
        if seat >= SEATS:
            return
        self._seat(seat, swing(ms, cues.LAP_MS[cues.TURN], cues.BREATH_LOW, 255))
        owed = scene.owed
        if owed:
            if owed > PER_SEAT:
                owed = PER_SEAT
                on = ms * 2 // cues.OWED_STEP_MS & 1
            else:
                on = ms // cues.OWED_STEP_MS & 1
            i = seat * PER_SEAT
            for k in range(PER_SEAT):
                self.levels[i + k] = (255 if on else 0) if k < owed else 24
                self.tints[i + k] = cues.AMBER if k < owed else cues.WHITE

    def _held(self, scene: "Scene", ms: int) -> None:
        mask = scene.held_last
        if not mask:
            return
        on = lit(ms, cues.HELD_BLINK)
        for s in range(SEATS):
            if mask >> s & 1:
                if s == scene.seat and (scene.owed or scene.pattern != cues.TURN):
                    continue  # the more urgent cue of that seat stays readable, the screen has both
                if on:
                    self._seat(s, 255, cues.AMBER)
                elif s == scene.seat:
                    self._seat(s, self.levels[4 * s + 1] // 3)
                else:
                    self._seat(s, 0)
                    self._dealer(scene)

    def _entering(self, scene: "Scene", ms: int) -> None:
        for s in range(SEATS):
            if scene.waiting >> s & 1:
                self.levels[4 * s + 1] = 40
        self._dealer(scene)
        seat = scene.seat
        if seat >= SEATS:
            return
        i = seat * PER_SEAT
        full = scene.done * PER_SEAT // scene.total if scene.total else 0
        for k in range(PER_SEAT):
            if k < full:
                level = 150
            elif k == full:
                level = 200 if lit(ms, cues.ENTERING_BLINK) else 12
            else:
                level = 12
            self.levels[i + k] = level
            self.tints[i + k] = cues.BLUE

    def _lobby(self, scene: "Scene", ms: int) -> None:
        levels = self.levels
        lap = cues.LAP_MS[cues.LOBBY]
        for s in range(SEATS):
            i = 4 * s
            if scene.active >> s & 1:
                levels[i + 1] = levels[i + 2] = cues.JOINED_LEVEL
                self.tints[i + 1] = self.tints[i + 2] = cues.GREEN
            else:
                # an empty place beckons: its middle swells slowly
                levels[i + 1] = levels[i + 2] = swing(ms + cues.LOBBY_LAG_MS * s, lap, 0, 40)
        self._dealer(scene)

    def _won(self, scene: "Scene", ms: int, tie: bool) -> None:
        # waves run from the winner both ways round the table
        seat = scene.seat
        if tie or seat >= SEATS:
            lap = cues.LAP_MS[cues.TIE]
            for s in range(SEATS):
                if scene.active >> s & 1:
                    self._seat(s, swing(ms + lap // 2 * (s & 1), lap, 0, 200), cues.GREEN)
            return
        middle = 4 * seat + 1
        lap = cues.LAP_MS[cues.MATCH_WON]
        front = ms % lap * 13 // lap
        for i in range(PIXELS):
            far = (i - middle) % PIXELS
            if far > 12:
                far = PIXELS - far
            behind = front - far
            if behind == 0:
                self.levels[i] = 200
            elif behind == 1:
                self.levels[i] = 70
            self.tints[i] = cues.GREEN
        self._seat(seat, 255 if lit(ms, cues.WINNER_BLINK) else 120)

    # Passing patterns

    def _flash(self, scene: "Scene", ms: int) -> None:
        at = ms - scene.flash_ms
        if at < 0:
            at = 0
        pattern = scene.flash
        seat = scene.flash_seat
        other = scene.flash_other
        levels = self.levels
        if pattern == cues.REFUSED:
            # the pressed seat says no, then the seat on turn answers
            if seat < SEATS:
                k = at // cues.STEP_MS[pattern] % 6
                if k > 3:
                    k = 6 - k
                self._seat(seat, 0, cues.RED)
                levels[4 * seat + k] = 255
            else:
                on = at // cues.SHAKE_MS & 1
                for s in range(SEATS):
                    levels[4 * s + 3 * on] = 120
                    self.tints[4 * s + 3 * on] = cues.RED
            if other < SEATS and other != seat:
                self._seat(other, 255 if at // cues.ANSWER_MS & 1 else 60)
        elif pattern == cues.LAST_CARD:
            on = lit(at, cues.LAST_CARD_BLINK)
            self._all(70 if on else 0, cues.AMBER)
            self._seat(seat, 255 if on else 30, cues.AMBER)
        elif pattern == cues.SKIPPED:
            self._hop(scene, at)
        elif pattern == cues.TOOK:
            n = scene.flash_n
            if seat < SEATS:
                many = n > PER_SEAT
                on = at * (2 if many else 1) // cues.STEP_MS[pattern] & 1 == 0
                i = 4 * seat
                for k in range(PER_SEAT):
                    levels[i + k] = (255 if on else 40) if k < n else 0
                    self.tints[i + k] = cues.AMBER
        elif pattern == cues.DREW:
            if seat < SEATS:
                k = at // cues.STEP_MS[pattern]
                self._seat(seat, 60)
                if k < PER_SEAT:
                    levels[4 * seat + PER_SEAT - 1 - k] = 255
        elif pattern == cues.CAUGHT_UP:
            first = at // cues.STEP_MS[pattern] & 1 == 0
            self._seat(other, 230 if first else 0, cues.BLUE)
            self._seat(seat, 0 if first else 230, cues.BLUE)
        elif pattern == cues.UNDONE or pattern == cues.REDONE:
            self._all(0)
            head = at * PIXELS // cues.LAP_MS[pattern] % PIXELS
            if pattern == cues.UNDONE:
                head = PIXELS - 1 - head
            for k in range(6):
                levels[(head + (k if pattern == cues.UNDONE else -k)) % PIXELS] = 160 - 25 * k
        elif pattern == cues.ROUND_WON:
            # the winner's light grows round the table until it is whole
            reach = at // cues.STEP_MS[pattern]
            middle = 4 * seat + 1 if seat < SEATS else 0
            for i in range(PIXELS):
                far = (i - middle) % PIXELS
                if far > 12:
                    far = PIXELS - far
                if far <= reach:
                    levels[i] = 110 if reach < 13 or at // cues.SPARKLE_MS & 1 else 40
                    self.tints[i] = cues.GREEN
            self._seat(seat, 255)
        elif pattern == cues.ROUND_VOID:
            full = PIXELS - at * PIXELS // cues.LAP_MS[pattern]
            for i in range(PIXELS):
                levels[i] = 90 if i < full else 0
                self.tints[i] = cues.RED
        elif pattern == cues.FAULT:
            half = at // cues.STEP_MS[pattern] & 1
            for i in range(PIXELS):
                levels[i] = 140 if (i // 12) == half and i & 1 else 0
                self.tints[i] = cues.RED
        elif pattern == cues.LINK:
            head = at * 12 // cues.LAP_MS[pattern]
            if head <= 12:
                for i in (head % PIXELS, (PIXELS - head) % PIXELS):
                    levels[i] = 200
                    self.tints[i] = cues.BLUE
        elif pattern == cues.WELCOME:
            level = swing(at, cues.LAP_MS[pattern], 0, 120)
            for i in range(PIXELS):
                levels[i] = level if i % 3 == 0 else level // 4
                self.tints[i] = cues.AMBER
        elif pattern == cues.COUNTED:
            n = scene.flash_n
            if seat < SEATS:
                for k in range(PER_SEAT):
                    levels[4 * seat + k] = 200 if k < n else 14
                    self.tints[4 * seat + k] = cues.BLUE
        elif pattern == cues.REVERSED:
            # two turns of a bright chase the new way
            head = at * PIXELS // cues.LAP_MS[pattern] % PIXELS
            if scene.direction < 0:
                head = PIXELS - 1 - head
            for k in range(8):
                i = (head - k * scene.direction) % PIXELS
                levels[i] = max(levels[i], 200 - 24 * k)
        elif pattern == cues.COLOUR_CALLED:
            n = scene.flash_n
            if 0 <= n < 4:
                on = lit(at, cues.RHYTHMS[n])
                self._all(110 if on else 10, cues.COLOUR_TINTS[n])
        elif pattern == cues.JOINED or pattern == cues.RETURNED:
            if seat < SEATS:
                step = at // cues.STEP_MS[pattern]
                for k in range(PER_SEAT):
                    levels[4 * seat + k] = 230 if k <= step else 0
                    self.tints[4 * seat + k] = cues.GREEN
        elif pattern == cues.LEFT:
            if seat < SEATS:
                step = at // cues.STEP_MS[pattern]
                for k in range(PER_SEAT):
                    levels[4 * seat + k] = 150 if k < PER_SEAT - step else 0
                    self.tints[4 * seat + k] = cues.RED
        elif pattern == cues.SWAPPED:
            on = at // cues.STEP_MS[pattern] & 1
            for s in (seat, other):
                if s < SEATS:
                    for k in range(PER_SEAT):
                        levels[4 * s + k] = 200 if (k < 2) == (on == (s == seat)) else 0
        elif pattern == cues.STARTED:
            # cards fly out: lights run from the dealer round the table
            start = 4 * scene.dealer if scene.dealer < SEATS else 0
            for k in range(3):
                i = (start + at * PIXELS // cues.LAP_MS[pattern] + 8 * k) % PIXELS
                levels[i] = 200
        elif pattern == cues.RESUMED:
            on = at // cues.STEP_MS[pattern]
            for s in range(SEATS):
                if scene.active >> s & 1:
                    levels[4 * s + 1] = levels[4 * s + 2] = 110 if on & 1 == 0 else 30
        elif pattern == cues.CORRECTED:
            for i in range(PIXELS):
                levels[i] = 90 if i & 1 == at // cues.STEP_MS[pattern] & 1 else 0
        elif pattern == cues.TAKEN and seat < SEATS:
            self._seat(seat, 0)
            levels[4 * seat + 1] = levels[4 * seat + 2] = 140

    def _hop(self, scene: "Scene", at: int) -> None:
        seat = scene.flash_seat
        if seat >= SEATS:
            return
        # the seat itself stays dark while a light jumps over it, twice
        self._seat(seat, 0)
        step = at // cues.STEP_MS[cues.SKIPPED] % 3
        before = (4 * seat - 1) % PIXELS
        after = (4 * seat + 4) % PIXELS
        if scene.direction < 0:
            before, after = after, before
        if step == 0:
            i = before
        elif step == 1:
            self.levels[4 * seat + 1] = 50
            self.levels[4 * seat + 2] = 50
            return
        else:
            i = after
        self.levels[i] = 255
        self.tints[i] = cues.WHITE

    # From levels to pixels

    def fit(self, raw: "bytes | bytearray") -> bytearray:
        """Return the frame at the set brightness, scaled down to stay within the budget."""
        share = self.BRIGHTNESS[self.brightness]
        least = 1  # dim but meant to be seen: one step
        most = (self.budget_ma - self.rest_ma - self.idle_ma) * 255 // self.pixel_ma - 3 * PIXELS
        total = sum(raw)
        if total * share > most * 255:
            share = most * 255 // total if most > 0 else 0
            least = 1 if share else 0
            self.scaled += 1
        out = self.out
        out[:] = _DARK_RAW
        for i in range(0, 3 * PIXELS, 3):
            red = raw[i]
            green = raw[i + 1]
            blue = raw[i + 2]
            if red or green or blue:  # most are dark most of the time
                out[i] = red * share // 255 or (least if red else 0)
                out[i + 1] = green * share // 255 or (least if green else 0)
                out[i + 2] = blue * share // 255 or (least if blue else 0)
        return out

    def show(self, scene: "Scene", ms: int) -> None:
        """Draw the scene and send it to the pixels."""
        if scene.flash != cues.NOTHING and not 0 <= ms - scene.flash_ms < scene.flash_length:
            scene.stop()
        self.frames += 1
        self.pixels.show(self.fit(self.draw(scene, ms)))
