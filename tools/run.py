"""Start a table you can use at once: the board that is plugged in, or else a virtual one.

    python3 tools/run.py            play, in this terminal
    python3 tools/run.py --demo     watch a recorded match of four players, then its score sheet

Everything it needs is installed into `.venv` beside this clone; afterwards `.venv/bin/chautari`
is the same program with all its commands.
"""

from __future__ import annotations

import subprocess
import sys

import environment


def main() -> int:
    """Run the program in its own environment; return its exit code."""
    words = sys.argv[1:]
    if words in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    command = "table"
    if "--demo" in words:
        words.remove("--demo")
        command = "demo"
    interpreter = environment.prepare()
    process = subprocess.Popen([str(interpreter), "-m", "chautari", command, *words], cwd=environment.ROOT)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The program has had the same Ctrl-C and puts its things in order.
            continue


if __name__ == "__main__":
    raise SystemExit(main())
