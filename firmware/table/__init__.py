"""The table: what runs on the device in the middle."""

import gc

if hasattr(gc, "threshold"):
    # While modules are compiled: swept often, so that what stays does not lie scattered. App ends it.
    gc.threshold(24 * 1024)
