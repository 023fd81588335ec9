"""One module for each step, in order of their numbers."""
