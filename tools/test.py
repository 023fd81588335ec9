"""Run every test: python3 tools/test.py [what pytest takes, such as tests/engine -k undo].

Installs what the tests need into `.venv` first. ruff and mypy run as tests of their own, so that
the closing line speaks for all.
"""

from __future__ import annotations

import os
import subprocess
import sys

import environment


def main() -> int:
    """Run pytest in the clone's environment; return its exit code."""
    interpreter = environment.prepare("dev")
    quiet = {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.call(
        [str(interpreter), "-m", "pytest", *sys.argv[1:]], cwd=environment.ROOT, env={**os.environ, **quiet}
    )


if __name__ == "__main__":
    raise SystemExit(main())
