"""What the table uses of MicroPython's `rp2`."""

import _panel


def bootsel_button():
    _panel.poll()
    return _panel.bootsel
