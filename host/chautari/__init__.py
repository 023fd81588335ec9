"""Chautari on the PC: sets the table up, keeps its history, runs a virtual table."""

__version__ = "0.1.0"
