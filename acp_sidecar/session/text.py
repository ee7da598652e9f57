"""Texts that grow by small pieces: messages and terminal output."""

from __future__ import annotations


class TextRun:
    """Text appended piece by piece.

    Kept as UTF-8 in one growing array, so that a long message of small chunks costs little more
    than its text and appending is amortised O(size of the piece). Lone surrogates, which JSON can
    carry, survive.
    """

    __slots__ = ("_bytes",)

    def __init__(self, text: str = "") -> None:
        self._bytes = bytearray(text.encode("utf-8", "surrogatepass"))

    def append(self, text: str) -> None:
        self._bytes += text.encode("utf-8", "surrogatepass")

    def __str__(self) -> str:
        return self._bytes.decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        """Length in UTF-8 bytes, for accounting."""
        return len(self._bytes)


class OutputBuffer:
    """The last `limit` bytes of a terminal, and how many were written in all.

    `offset` counts every byte since the last snapshot, so that a reader who knows where it
    stopped can ask for the rest, and learns when some of it is gone.
    """

    __slots__ = ("_bytes", "dropped", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.dropped = 0
        self._bytes = bytearray()

    @property
    def offset(self) -> int:
        """Bytes written since the last snapshot began."""
        return self.dropped + len(self._bytes)

    def replace(self, data: bytes) -> None:
        """Start anew with a snapshot."""
        self._bytes = bytearray()
        self.dropped = 0
        self.append(data)

    def append(self, data: bytes) -> None:
        self._bytes += data
        excess = len(self._bytes) - self.limit
        # Cut in steps of half the limit: cutting on every append would copy the buffer each time.
        if excess > self.limit // 2:
            self._drop(excess)

    def _drop(self, count: int) -> None:
        del self._bytes[:count]
        self.dropped += count

    def kept(self) -> bytes:
        """What is kept, at most `limit` bytes."""
        return bytes(self._bytes[-self.limit :]) if self.limit else b""

    def since(self, offset: int) -> tuple[int, bytes]:
        """Everything kept from `offset` on: where it really starts, and the bytes."""
        start = max(offset, self.dropped)
        return start, bytes(self._bytes[start - self.dropped :])
