"""Reading a desk's records through and proving them: that each is one, as it was written, and each chain is whole.

The desk's own database and the topics its records are published to are read alike. Then the two are compared by their
heads: a chain that ends in one head has one history.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from domain.desk.records import decode, encode
from domain.facts.codec import UnreadableFactError
from domain.ledger.audit import Found
from domain.ledger.chain import Chain, digest
from domain.ledger.links import troubles


class Read(msgspec.Struct):
    """How far one stream has been read, and where its last record lies."""

    chain: Chain
    where: str = ""
    due: int = 0  # how much of it was published, by what the relay has noted
    waits: bool = False  # whether there is more that was not


class DeskAudit:
    """One reading of a whole desk, published up to a position of its own, or of its topics."""

    def __init__(self, published: int = 0) -> None:
        self.read = 0
        self.published = published
        self.streams: dict[str, Read] = {}

    def take(self, stored: bytes, where: str, position: int, place: tuple[str, int] | None = None) -> Iterator[Found]:
        """Takes the next record, saying where it lies and whose place that is, for a record that does not say so."""
        self.read += 1
        try:
            record = decode(stored)
        except UnreadableFactError as error:
            yield Found("unreadable", *(place or ("", 0)), where, str(error))
            return
        if encode(record) != stored:
            says = "the bytes say the same otherwise than they are written"
            yield Found("not-as-stored", record.stream, record.sequence, where, says)
        held = self.streams.setdefault(record.stream, Read(Chain(record.stream)))
        known = record.sequence in held.chain.recent
        link = held.chain.follow(record.sequence, record.previous, digest(stored))
        yield from troubles(link, record.stream, where, held.where, known=known)
        if link.kind in ("next", "gap", "break"):
            held.where = where
            if position <= self.published:
                held.due = record.sequence
            else:
                held.waits = True


def compared(
    desk: Mapping[str, Read], topics: Mapping[str, Read], head_at: Callable[[str, int], str]
) -> Iterator[Found]:
    """Where the desk and its topics differ; what was not published yet may be missing there.

    `head_at` tells the hash of the desk's record at a place, or nothing.
    """
    for name, told in sorted(topics.items()):
        reached, held = told.chain.sequence, desk.get(name)
        at_desk = held.chain.sequence if held is not None else 0
        if at_desk < reached:
            says = f"{reached} records were published, {at_desk} are at the desk"
            yield Found("tail-cut", name, at_desk + 1, held.where if held is not None else "", says)
        elif head_at(name, reached) != told.chain.head:
            yield Found("fork", name, reached, told.where, "the desk has another record at this place")
    for name, read in sorted(desk.items()):
        there = topics.get(name)
        reached = there.chain.sequence if there is not None else 0
        if reached < read.due:
            says = f"{read.due} records were published, {reached} are in the topic"
            yield Found("tail-cut", name, reached + 1, there.where if there is not None else "", says)
