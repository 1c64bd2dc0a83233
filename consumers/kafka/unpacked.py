"""The records of a topic as its readers get them."""

import msgspec


class UnpackedRecord(msgspec.Struct, frozen=True, gc=False):
    """The parts of a record that a reader needs, with kafka-python's names."""

    offset: int
    value: bytes | None
    headers: list[tuple[str, bytes | None]] | None = None


class UnreadableBatch(bytes):
    """The bytes of an unreadable batch, and why: it is not a fact, so every reader stores it as a dead letter."""

    says: str

    def __new__(cls, stored: bytes, says: str) -> "UnreadableBatch":
        """Return the batch with a reason."""
        made = super().__new__(cls, stored)
        made.says = says
        return made


class CutRecord(bytes):
    """The first bytes of the value of a record that is too long for its reader, and the size of the whole."""

    size: int

    def __new__(cls, stored: bytes, size: int) -> "CutRecord":
        """Return these bytes with the size."""
        made = super().__new__(cls, stored)
        made.size = size
        return made
