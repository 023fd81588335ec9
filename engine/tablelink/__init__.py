"""What table and PC say to each other over the serial line: pure codec, no I/O, no clock.

asciijson     values as ASCII text, the same on CPython and MicroPython
frames        one line: number, kind, values, checksum
chunks        what is too long for one line
fingerprint   eight hex digits that stand for a set of values
messages      the kinds of lines and their shapes
"""
