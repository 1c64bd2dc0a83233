"""The clock of a table, compared with the time of its own opening: facts from before it, or a long silence after it."""

from collections.abc import Iterator

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.feed.doubts import DOUBTFUL, WRONG, Doubt

_HOUR = 3_600_000_000
_MINUTE = _HOUR // 60
_EARLY = _HOUR // 2  # a person may enter a time that is some minutes early
_MANY = 10  # facts; fewer can be entered with a wrong time
_IDLE = 2 * _HOUR  # a table that opens has decks to check and a bank to count
_CURE = "Send `at` in UTC from every source of the table, the one of table-opened included."


class _ClockedOpening(msgspec.Struct):
    """A table's opening, and what comes before and after it by the clock."""

    id: str
    at: int
    early: int = 0  # facts from before the opening
    most: int = 0  # the longest such span
    first: str = ""  # the fact that shows it
    next_at: int | None = None  # the earliest time of its facts, none before the opening
    next_fact: str = ""


class OpeningTimes(msgspec.Struct):
    """The openings of tables, each with the times of the table's facts."""

    tables: dict[str, _ClockedOpening] = {}

    def take(self, fact: Fact) -> None:
        """Take the next fact of any stream."""
        if isinstance(fact, TableOpened):
            self.tables.setdefault(fact.stream, _ClockedOpening(fact.id, fact.at))
            return
        opened = self.tables.get(fact.stream)
        if opened is None:
            return
        span = opened.at - fact.at
        if span >= _EARLY:
            opened.early += 1
            if span > opened.most:
                opened.most, opened.first = span, fact.id
        if opened.next_at is None or fact.at < opened.next_at:
            opened.next_at, opened.next_fact = fact.at, fact.id

    def doubts(self) -> Iterator[Doubt]:
        """Yield a doubt for each table whose facts do not fit the time of its opening."""
        for stream, opened in self.tables.items():
            if opened.early:
                says = f"{opened.early} facts of {stream} are before its own opening, by up to {_span(opened.most)}."
                severity = WRONG if opened.early >= _MANY else DOUBTFUL
                yield Doubt("clock-of-another-zone", severity, says, _CURE, (opened.id, opened.first), stream)
            elif opened.next_at is not None and opened.next_at - opened.at >= _IDLE:
                says = f"{stream} says nothing for {_span(opened.next_at - opened.at)} after its opening."
                cure = f"{_CURE} If the table stood idle, nothing is wrong."
                yield Doubt("clock-of-another-zone", DOUBTFUL, says, cure, (opened.id, opened.next_fact), stream)


def _span(span: int) -> str:
    return f"{span // _HOUR} h {span % _HOUR // _MINUTE:02} min"
