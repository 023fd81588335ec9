"""Makes the clone's own packages importable, installed or not."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for room in ("host", "engine"):
    sys.path.insert(0, str(ROOT / room))
