"""The unbroken chain of a stream: at each place, the first fact in the log that names the hash of the fact before it.

Repeats, rival facts at a filled place, and facts behind a gap are not part of the chain. Facts that arrive later only
make it longer; they never change it.
"""

from collections.abc import Iterable

import msgspec

from domain.facts.envelope import Fact
from domain.ledger.chain import digest


class Link(msgspec.Struct, frozen=True, gc=False):
    """A fact or a record of findings, with the hash of its bytes, and the bytes if it came from a log."""

    fact: Fact
    own: str
    stored: bytes = b""


def links(found: Iterable[tuple[Fact, bytes]]) -> list[Link]:
    """Pair each fact or record with the hash of its stored bytes."""
    return [Link(fact, digest(stored), stored) for fact, stored in found]


class Chain(msgspec.Struct):
    """The longest unbroken chain of a stream, plus facts that arrived ahead of it."""

    sequence: int = 0
    head: str = ""
    waiting: dict[int, list[Link]] = {}

    def take(self, link: Link) -> list[Link]:
        """Add the stream's next link in log order and return the links that the chain gained."""
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
    """Return the chain of one stream from its links in log order."""
    chain = Chain()
    return [each for link in links for each in chain.take(link)]


def chain_of(found: Iterable[tuple[Fact, bytes]]) -> list[Link]:
    """Return the chain of one stream from its facts or records, as read from the log."""
    return chained(links(found))
