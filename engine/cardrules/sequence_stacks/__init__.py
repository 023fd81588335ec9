"""Sequence Stacks: finish sequences from one to five, collect chips of both colours."""

from cardrules.sequence_stacks.keeper import Keeper
from cardrules.sequence_stacks.says import NAMES, WORDS
from cardrules.sequence_stacks.settings import SETTINGS

__all__ = ("Keeper", "NAMES", "SETTINGS", "WORDS")
