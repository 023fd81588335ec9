"""Eight hex digits that stand for a set of values; equal on both ends when the values are."""

import binascii

from tablelink import asciijson


def canonical(items: "list[tuple[str, object]]") -> bytes:
    """Return the one text of a set of named values: `name=value` lines in order of the names.

    items: (name, value) pairs in any order, each name once.
    """
    lines = []
    for name, value in sorted(items, key=lambda item: item[0]):
        lines.append(asciijson.dumps(name) + "=" + asciijson.dumps(value) + "\n")
    return "".join(lines).encode()


def fingerprint(items: "list[tuple[str, object]]") -> str:
    """Return the fingerprint of a set of named values."""
    return "%08x" % binascii.crc32(canonical(items))
