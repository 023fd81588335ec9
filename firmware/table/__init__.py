"""The table: what runs on the device in the middle."""

import gc

if hasattr(gc, "threshold"):
    # While modules are compiled: swept often, so that what stays does not lie scattered. App ends it.
    gc.threshold(24 * 1024)

# The build as hardware/pins.toml has it; a test compares. The rest of this room takes them from here.
SEATS = 6
PER_SEAT = 4
PIXELS = SEATS * PER_SEAT
KEYS = "123A456B789C*0#D"
"""Legends of the key pad, row by row."""
