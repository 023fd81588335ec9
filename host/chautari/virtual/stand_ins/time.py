"""The board's time: the VM's own, on the clock of the virtual board."""

from utime import gmtime, localtime, mktime, ticks_add, ticks_cpu, ticks_diff, time_ns
from utime import time as _time
from utime import sleep_us as _sleep_us, ticks_us as _ticks_us

import _panel
from _panel import sleep_ms, ticks_ms


def time():
    return int(_time())


def sleep(seconds):
    sleep_ms(int(seconds * 1000))


def sleep_us(us):
    if us >= 1000:
        sleep_ms(us // 1000)
    else:
        _sleep_us(us * 1000 // _panel.speed)


def ticks_us():
    if _panel.speed == 1000:
        return _ticks_us()
    return _panel.scaled_us(_ticks_us())
