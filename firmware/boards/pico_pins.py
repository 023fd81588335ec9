"""Pins of the table device. Written by tools/make_pins.py from hardware/pins.toml; edit that."""

SEATS = (2, 3, 4, 5, 6, 7)
ROWS = (8, 9, 10, 11)
COLUMNS = (12, 13, 14, 15)
KEYS = ("123A", "456B", "789C", "*0#D")
PIXELS = 16
PIXEL_COUNT = 24
PIXEL_ORDER = (1, 0, 2)
SCREEN_DRIVER = "ssd1309"
SCREEN_BUS = 0
SCREEN_SDA = 20
SCREEN_SCL = 21
SCREEN_ADDRESS = 0x3C
SCREEN_FREQUENCY = 400000
SCREEN_WIDTH = 128
SCREEN_HEIGHT = 64
SOUND = 17
