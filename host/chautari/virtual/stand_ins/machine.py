"""What the table uses of MicroPython's `machine`, on the virtual board."""

import struct

from umachine import idle

import _panel

PWRON_RESET = 1
WDT_RESET = 3
_chip = b"\x00" * 8
_cause = PWRON_RESET


class Pin:
    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_RISING = 8
    IRQ_FALLING = 4

    def __init__(self, id, mode=-1, pull=-1, value=None):
        if not isinstance(id, int) or not 0 <= id < 30:
            raise ValueError("unknown pin")
        self.id = id
        self.mode = Pin.IN
        self.pull = None
        self.state = 0
        self.init(mode, pull, value)

    def init(self, mode=-1, pull=-1, value=None):
        if mode != -1:
            self.mode = mode
        if pull != -1:
            self.pull = pull
        if value is not None:
            self.state = 1 if value else 0
        self._drive()

    def _drive(self):
        _panel.driven[self.id] = 1 if self.mode != Pin.IN and not self.state else 0

    def value(self, x=None):
        if x is None:
            if self.mode == Pin.OUT:
                return self.state
            if self.mode == Pin.OPEN_DRAIN and not self.state:
                return 0
            if self.pull == Pin.PULL_UP:
                return _panel.level(self.id)
            _panel.level(self.id)
            return 0
        self.state = 1 if x else 0
        self._drive()

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self.state)

    def irq(self, handler=None, trigger=IRQ_RISING | IRQ_FALLING, hard=False):
        def call(level):
            if handler and trigger & (Pin.IRQ_RISING if level else Pin.IRQ_FALLING):
                handler(self)

        _panel.watchers[self.id] = call

    def __repr__(self):
        return "Pin(GPIO%d)" % self.id


class PWM:
    def __init__(self, dest, freq=0, duty_u16=0, invert=False):
        self._freq = freq
        self._duty = duty_u16
        self._send()

    def _send(self):
        if self._freq and not 8 <= self._freq <= 62500000:
            raise ValueError("freq too small" if self._freq < 8 else "freq too large")
        _panel.send(84, struct.pack("<IH", self._freq, self._duty))  # T

    def init(self, freq=None, duty_u16=None):
        if freq is not None:
            self._freq = freq
        if duty_u16 is not None:
            self._duty = duty_u16
        self._send()

    def freq(self, hz=None):
        if hz is None:
            return self._freq
        self.init(freq=hz)

    def duty_u16(self, duty=None):
        if duty is None:
            return self._duty
        self.init(duty_u16=duty)

    def deinit(self):
        self.init(duty_u16=0)


class I2C:
    def __init__(self, id=0, *, scl=None, sda=None, freq=400000, timeout=50000):
        self._out = bytearray(1)

    def _reach(self, address):
        # A display may be pulled while the program does not wait, so look at once. A Pico gives EIO
        # for an address that nobody acknowledges.
        _panel._read()
        if address != 0x3C or _panel.faults.get("screen"):
            raise OSError(5)

    def scan(self):
        return [] if _panel.faults.get("screen") else [0x3C]

    def writeto(self, addr, buf, stop=True):
        self._reach(addr)
        _panel.send(68, buf)  # D
        return len(buf) + 1

    def writevto(self, addr, vector, stop=True):
        self._reach(addr)
        _panel.send(68, b"".join(vector))
        return sum(len(part) for part in vector) + 1

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        self._reach(addr)
        _panel.send(68, bytes((memaddr,)) + buf)

    def readfrom(self, addr, nbytes, stop=True):
        self._reach(addr)
        return bytes(nbytes)


SoftI2C = I2C


def bitstream(pin, encoding, timing, buf):
    """Send the bytes of a pixel chain, in the order of the wire."""
    _panel.send(80, buf)  # P


def unique_id():
    return _chip


def freq(hz=None):
    return 125000000 if hz is None else None


def reset():
    _panel.send(82)  # R
    _panel.halt()


def soft_reset():
    _panel.send(83)  # S
    _panel.halt()


def reset_cause():
    return _cause
