"""What does not fit one line travels in chunks: `[id, offset, total, base64]`.

id: fingerprint of the whole (8 hex digits), so that parts of two versions are never joined;
offset, total: bytes; base64: the bytes from offset on.
"""

import binascii

SIZE = 96
"""Bytes carried by one chunk: with a nonce, an id and two numbers it stays within a line."""

LARGEST = 8192
"""Bytes of the whole; a board keeps it in RAM while it comes or goes."""


def mark(data: bytes) -> str:
    """Return the id of a whole: 8 hex digits."""
    return "%08x" % binascii.crc32(data)


def cut(data: bytes, offset: int) -> "list[object]":
    """Return the chunk of data at offset. Raises ValueError for an offset outside data."""
    if offset < 0 or offset > len(data) or (offset == len(data) and offset):
        raise ValueError("offset outside the whole")
    return [mark(data), offset, len(data), base64(data[offset : offset + SIZE])]


def base64(data: bytes) -> str:
    """Return data as base64 text without a line feed."""
    return str(binascii.b2a_base64(data), "ascii").strip()


def unbase64(text: object) -> bytes:
    """Return the bytes of a base64 text. Raises ValueError for anything else."""
    if not isinstance(text, str):
        raise ValueError("not base64")
    data = binascii.a2b_base64(text.encode())
    if base64(data) != text:  # the interpreters differ in what they let pass
        raise ValueError("not base64")
    return data


class Joiner:
    """Puts chunks together again. They come in order; a repeated one is dropped."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._id = ""
        self._total = 0
        self._data = b""

    def add(self, chunk: "list[object]") -> "bytes | None":
        """Take the next chunk; return the whole once it is complete, else None.

        Offset 0 starts anew. Raises ValueError for a chunk that does not follow, belongs to another
        whole, is damaged, or would make the whole larger than allowed; all so far is then dropped.
        """
        if len(chunk) != 4:
            raise ValueError("not a chunk")
        name, offset, total, text = chunk
        if not isinstance(name, str) or not _is_count(offset) or not _is_count(total):
            raise ValueError("not a chunk")
        assert isinstance(offset, int) and isinstance(total, int)
        data = unbase64(text)
        if offset == 0:
            self._id = name
            self._total = total
            self._data = b""
        if name != self._id or total != self._total or total > self._largest:
            self.clear()
            raise ValueError("chunk of something else")
        if offset + len(data) > len(self._data):
            if offset != len(self._data) or offset + len(data) > total:
                self.clear()
                raise ValueError("chunk out of order")
            self._data += data
        if len(self._data) < total:
            return None
        return self._whole()

    @property
    def next(self) -> int:
        """Offset of the chunk that is wanted next."""
        return len(self._data)

    def clear(self) -> None:
        """Forget all so far."""
        self._id = ""
        self._total = 0
        self._data = b""

    def _whole(self) -> bytes:
        data = self._data
        if mark(data) != self._id:
            self.clear()
            raise ValueError("damaged")
        return data


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value is not True and value is not False and value >= 0
