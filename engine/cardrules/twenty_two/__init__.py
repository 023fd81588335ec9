"""Twenty-Two: do not take the last trick; who has 22 points is out."""

from cardrules.twenty_two.keeper import Keeper
from cardrules.twenty_two.says import NAMES, WORDS
from cardrules.twenty_two.settings import SETTINGS

__all__ = ("Keeper", "NAMES", "SETTINGS", "WORDS")
