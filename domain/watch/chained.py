"""One chain out of whatever stands in a log: each place counts once, for the first that fits behind the one before it.

Another claim to a place, a repeat and what stands behind a gap are not part of it. What a chain holds never changes by
what comes into the log later; it only grows.
"""

from collections.abc import Iterable
from operator import attrgetter

import msgspec

from domain.facts.envelope import Fact
from domain.ledger.chain import digest


class Link(msgspec.Struct, frozen=True, gc=False):
    """A fact, or a record of findings, and the hash of its bytes."""

    fact: Fact
    own: str


def links(found: Iterable[tuple[Fact, bytes]]) -> list[Link]:
    """Facts or records with the hash of the bytes each was read from."""
    return [Link(fact, digest(stored)) for fact, stored in found]


_PLACE = attrgetter("fact.sequence")


def chained(links: Iterable[Link]) -> list[Link]:
    """The chain of one stream, whose links come in the order of their log."""
    found: list[Link] = []
    sequence, head = 0, ""
    for link in sorted(links, key=_PLACE):
        if link.fact.sequence == sequence + 1 and link.fact.previous == head:
            sequence, head = link.fact.sequence, link.own
            found.append(link)
    return found
