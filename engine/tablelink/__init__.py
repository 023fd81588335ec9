"""The line between table and PC: frames, checksums and message names, used by both ends."""
