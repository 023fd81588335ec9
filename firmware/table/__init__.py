"""The table: what runs on the device in the middle."""
