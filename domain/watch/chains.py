"""The chain of each stream out of a log as it is read: what it has grown by with each fact."""

import msgspec

from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.watch.chained import Link

_DAYS = 4  # of each table that are remembered


class Chain(msgspec.Struct):
    """How far a stream is one chain, and what waits behind that."""

    sequence: int = 0
    head: str = ""
    waiting: dict[int, list[Link]] = {}


class Chains:
    """Any number of streams. A repeat, a second claim to a place and what stands behind a gap are no part of one."""

    def __init__(self) -> None:
        self._chains: dict[str, dict[str, Chain]] = {}  # by table

    def take(self, fact: Fact, own: str) -> list[Fact]:
        """The next fact of the log and its hash: what its stream's chain has grown by."""
        days = self._chains.setdefault(owner(fact.stream), {})
        chain = days.get(fact.stream)
        if chain is None:
            chain = days[fact.stream] = Chain()
            for gone in sorted(days)[:-_DAYS]:
                del days[gone]
        if fact.sequence == chain.sequence + 1 and fact.previous == chain.head:
            chain.sequence, chain.head = fact.sequence, own
            return [fact, *_following(chain)] if chain.waiting else [fact]
        if fact.sequence > chain.sequence:
            chain.waiting.setdefault(fact.sequence, []).append(Link(fact, own))
        return []


def _following(chain: Chain) -> list[Fact]:
    found: list[Fact] = []
    while links := chain.waiting.pop(chain.sequence + 1, None):
        following = next((link for link in links if link.fact.previous == chain.head), None)
        if following is None:
            chain.waiting[chain.sequence + 1] = links
            return found
        chain.sequence, chain.head = following.fact.sequence, following.own
        found.append(following.fact)
    return found
