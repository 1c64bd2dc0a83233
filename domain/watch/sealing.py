"""The time that facts wait for a seal, and the finding when they wait too long.

Only the facts decide. A later fact shows that an earlier one waited too long. The fact after that raises the finding,
because a gateway seals right after the fact that makes a seal due. A late seal ends the wait but does not withdraw the
finding, because facts could have been rewritten in the meantime.
"""

import sys
from collections.abc import Callable

from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableOpened
from domain.ledger.seals import PATIENCE, UnsealedTail
from domain.watch.finding import Finding, of_the_record

CODE = "record-unsealed"
# The time from which a seal is due, given the facts before this one, or None if no key seals this stream.
Expected = Callable[[str, Fact], int | None]  # (the day before's stream, this fact)


class Sealing:
    """The seals of one stream. A fact whose time is between `least` and `most` changes nothing here."""

    def __init__(self, expected: Expected) -> None:
        self.least = 0
        self.most = -1
        self.sealed = False  # at least once
        self.told = False  # at least once
        self._expected = expected
        self._previous = ""
        self._waiting = UnsealedTail()
        self._first: Fact | None = None  # the first fact that waits
        self._shows: Fact | None = None  # the fact that shows a wait too long
        self._found: Finding | None = None

    def take(self, fact: Fact) -> Finding | None:
        """Process the stream's next fact, and return the finding that it raises, revises or repeats."""
        if isinstance(fact, ChainSealed):
            return self._ended(fact)
        if isinstance(fact, TableOpened | PropertyOpened):
            self._previous = fact.previous_stream
        if self._found is not None or self.least <= fact.at <= self.most:
            return self._found
        if self._first is not None and self._shows is not None:
            return self._look(fact, self._first, self._shows)
        self._first = self._first or fact
        self._waiting.add(fact.at)
        self.least, self.most = self._waiting.since, self._waiting.since + PATIENCE
        if self._waiting.long(fact.at):
            self._shows = fact
            self.ask_again()
        return None

    def ask_again(self) -> None:
        """Make the next fact check again whether a seal is due, if facts wait too long and none is reported yet."""
        if self._shows is not None and self._found is None:
            self.least, self.most = 0, -1

    def _look(self, fact: Fact, first: Fact, shows: Fact) -> Finding | None:
        due = 0 if self.sealed else self._expected(self._previous, fact)
        self.least, self.most = 0, sys.maxsize if due is None else due + PATIENCE
        if due is None or fact.at - due <= PATIENCE:
            return None
        self.most, self.told = sys.maxsize, True
        says = f"No seal covers fact {first.sequence} of {fact.stream} or later facts: at fact {shows.sequence}"
        self._found = of_the_record(
            CODE, first, f"{says} they have waited {_seconds(shows.at - self._waiting.since)}.", [first, shows]
        )
        return self._found

    def _ended(self, seal: ChainSealed) -> Finding | None:
        found, first, shows = self._found, self._first, self._shows
        waited = seal.at - self._waiting.since
        self._found, self.sealed, self._waiting, self._first, self._shows = None, True, UnsealedTail(), None, None
        self.least, self.most = 0, -1
        if found is None or first is None or shows is None:
            return None
        says = f"Facts {first.sequence} to {seal.covers} of {seal.stream} were unsealed for {_seconds(waited)}"
        return of_the_record(CODE, first, f"{says}, until seal {seal.sequence} came.", [first, shows, seal])


def _seconds(microseconds: int) -> str:
    return f"{microseconds // 1_000_000} s"
