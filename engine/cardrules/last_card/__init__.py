"""Last Card: shed your hand first; the others' cards are your points."""

from cardrules.last_card.keeper import Keeper
from cardrules.last_card.says import NAMES, WORDS
from cardrules.last_card.settings import SETTINGS

__all__ = ("Keeper", "NAMES", "SETTINGS", "WORDS")
