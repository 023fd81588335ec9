"""Makes the helpers of these tests, and the board's end of the link, importable."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for room in (HERE, HERE.parent.parent / "firmware"):
    if str(room) not in sys.path:
        sys.path.append(str(room))
