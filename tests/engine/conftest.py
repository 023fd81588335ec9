"""Lets the test modules find each other, as they do in the MicroPython VM."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
