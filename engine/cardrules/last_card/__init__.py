"""Last Card: shed your hand first; the others' cards are your points."""
