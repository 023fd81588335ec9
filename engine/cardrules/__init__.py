"""Rules of the table: turn order, announcements and scores; no I/O, no clock, no hardware."""
