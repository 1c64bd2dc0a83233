"""Facts of all tables put in the one order there is between them, as they come out of a log, and watched across tables.

A log holds each table in its own order and the tables side by side. What came is held back for a while of its own
time, so that a table that is a little behind the others still takes its place; then it is taken in the order of time.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

from domain.facts.envelope import Fact
from domain.watch import across
from domain.watch.finding import Finding

HELD_BACK = 5 * 60 * 1_000_000  # microseconds of facts

KINDS = frozenset({*across.STEPS, *across.JUDGES})


class Abreast:
    """The watch across tables over facts as they come."""

    def __init__(self, held_back: int = HELD_BACK) -> None:
        self._held_back = held_back
        self._waiting: list[tuple[tuple[int, str, int], Fact]] = []
        self._newest = 0
        self._tables = across.initial()

    def take(self, fact: Fact) -> list[Finding]:
        """The next fact of any table: what is found by those that have waited long enough."""
        if type(fact) not in KINDS:
            return []
        heappush(self._waiting, (across.place(fact), fact))
        self._newest = max(self._newest, fact.at)
        return list(self._ripe(self._newest - self._held_back))

    def finish(self) -> list[Finding]:
        """What the rest shows, when no more comes."""
        return list(self._ripe(self._newest + 1))

    def _ripe(self, before: int) -> Iterator[Finding]:
        while self._waiting and self._waiting[0][0][0] < before:
            _, fact = heappop(self._waiting)
            yield from across.take(self._tables, fact)
