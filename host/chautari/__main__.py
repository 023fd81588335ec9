"""`python -m chautari` is the command `chautari`."""

from chautari.start import main

if __name__ == "__main__":
    raise SystemExit(main())
