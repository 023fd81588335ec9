"""Makes the firmware and the helpers of these tests importable."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for room in (HERE, HERE.parent.parent / "firmware"):
    if str(room) not in sys.path:
        sys.path.insert(0, str(room))
