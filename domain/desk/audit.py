"""An audit of the desk's records: each record is valid, each is encoded as written, and each chain is whole.

It reads the desk's own database and the topics to which its records are published, and compares the heads of their
chains. Chains with equal heads have equal histories.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from domain.desk.records import decode, encode
from domain.facts.codec import UnreadableFactError
from domain.ledger.audit import ChainTrouble, link_troubles
from domain.ledger.chain import ChainReader, digest


class Read(msgspec.Struct):
    """One stream as far as it has been read, with the position of its last record."""

    chain: ChainReader
    where: str = ""
    due: int = 0  # the number of records published, as the relay has noted
    waits: bool = False  # whether more records are still to be published


class DeskAudit:
    """One pass over a whole desk: its database, or its topics."""

    def __init__(self, published: int = 0) -> None:
        self.read = 0
        self.published = published
        self.streams: dict[str, Read] = {}

    def take(
        self, stored: bytes, where: str, position: int, place: tuple[str, int] | None = None
    ) -> Iterator[ChainTrouble]:
        """Check the next record; `where` is its position, and `place` its stream and sequence if it has neither."""
        self.read += 1
        try:
            record = decode(stored)
        except UnreadableFactError as error:
            yield ChainTrouble("unreadable", *(place or ("", 0)), where, str(error))
            return
        if encode(record) != stored:
            says = "the bytes are not in canonical form"
            yield ChainTrouble("not-as-stored", record.stream, record.sequence, where, says)
        held = self.streams.setdefault(record.stream, Read(ChainReader(record.stream)))
        known = record.sequence in held.chain.recent
        link = held.chain.follow(record.sequence, record.previous, digest(stored))
        yield from link_troubles(link, record.stream, where, held.where, known=known)
        if link.kind in ("next", "gap", "break"):
            held.where = where
            if position <= self.published:
                held.due = record.sequence
            else:
                held.waits = True


def compared(
    desk: Mapping[str, Read], topics: Mapping[str, Read], head_at: Callable[[str, int], str]
) -> Iterator[ChainTrouble]:
    """Compare the desk with its topics, where unpublished records may be missing.

    `head_at` returns the hash of the desk's record at a place, or nothing.
    """
    for name, told in sorted(topics.items()):
        reached, held = told.chain.sequence, desk.get(name)
        at_desk = held.chain.sequence if held is not None else 0
        if at_desk < reached:
            says = f"{reached} records were published, but the desk has only {at_desk}"
            yield ChainTrouble("tail-cut", name, at_desk + 1, held.where if held is not None else "", says)
        elif head_at(name, reached) != told.chain.head:
            yield ChainTrouble("fork", name, reached, told.where, "the desk has a different record at this place")
    for name, read in sorted(desk.items()):
        there = topics.get(name)
        reached = there.chain.sequence if there is not None else 0
        if reached < read.due:
            says = f"{read.due} records were published, but the topic has only {reached}"
            yield ChainTrouble("tail-cut", name, reached + 1, there.where if there is not None else "", says)
