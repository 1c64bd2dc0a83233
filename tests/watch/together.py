"""Facts of several tables under the watch across tables."""

from collections.abc import Iterable, Mapping
from functools import partial

from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.findings_stream import Written
from domain.watch.record import apply
from domain.watch.table_pairs import TablePairs


class Together:
    """The watch, and every fact it received, which it asks for again after a correction."""

    def __init__(self) -> None:
        self._told: dict[str, list[Fact]] = {}
        self._pairs = TablePairs(
            WatchedRecord(lambda stream: self._told.get(stream, []), partial(from_day, self._told))
        )
        self.written: list[Written] = []

    def take(self, fact: Fact) -> None:
        """The next fact of its table."""
        self._pairs.take(fact)
        self._told.setdefault(fact.stream, []).append(fact)

    def found(self) -> list[Finding]:
        """The findings now."""
        self.written += self._pairs.found()
        standing: dict[str, Finding] = {}
        for made in self.written:
            apply(standing, made.record)
        return list(standing.values())


def from_day(told: Mapping[str, object], stream: str) -> list[str]:
    """The streams of a table from this one on."""
    return sorted(name for name in told if owner(name) == owner(stream) and name >= stream)


def together(facts: Iterable[Fact]) -> list[Finding]:
    """The findings when all these facts are taken, in this order."""
    watch = Together()
    for fact in facts:
        watch.take(fact)
    return watch.found()
