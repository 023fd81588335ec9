"""One module for each kind of board; the only place with pin numbers."""
