"""One chain out of whatever stands in a log: each place counts once, for the first that fits behind the one before it.

Another claim to a place, a repeat and what stands behind a gap are not part of it. What a chain holds never changes by
what comes into the log later; it only grows.
"""

from collections.abc import Iterable

import msgspec

from domain.facts.envelope import Fact
from domain.ledger.chain import digest


class Link(msgspec.Struct, frozen=True, gc=False):
    """A fact, or a record of findings, the hash of its bytes, and those bytes if it was read from a log."""

    fact: Fact
    own: str
    stored: bytes = b""


def links(found: Iterable[tuple[Fact, bytes]]) -> list[Link]:
    """Facts or records with the hash of the bytes each was read from."""
    return [Link(fact, digest(stored), stored) for fact, stored in found]


class Chain(msgspec.Struct):
    """How far a stream is one chain, and what waits behind that."""

    sequence: int = 0
    head: str = ""
    waiting: dict[int, list[Link]] = {}

    def take(self, link: Link) -> list[Link]:
        """The next link of the stream in its log: what the chain grows by."""
        fact = link.fact
        if fact.sequence <= self.sequence:
            return []
        if fact.sequence != self.sequence + 1 or fact.previous != self.head:
            self.waiting.setdefault(fact.sequence, []).append(link)
            return []
        grown: list[Link] = []
        following: Link | None = link
        while following is not None:
            self.sequence, self.head = following.fact.sequence, following.own
            self.waiting.pop(self.sequence, None)
            grown.append(following)
            others = self.waiting.get(self.sequence + 1, ())
            following = next((each for each in others if each.fact.previous == self.head), None)
        return grown


def chained(links: Iterable[Link]) -> list[Link]:
    """The chain of one stream, whose links come in the order of their log."""
    chain = Chain()
    return [each for link in links for each in chain.take(link)]


def chain_of(found: Iterable[tuple[Fact, bytes]]) -> list[Link]:
    """The chain of one stream, as its facts or records were read from their log."""
    return chained(links(found))
