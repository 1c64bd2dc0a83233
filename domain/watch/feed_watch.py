"""The watch over a table's feed: its doubts, while the day is verified, as one finding of the record.

The counts come from the verifier's own fold. They are looked at after every eighth round and at the close, so every
watcher of the same facts writes the same. A doubt stays for its day: what was recorded wrongly stays on record.
"""

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.table_day import TableClosed
from domain.feed import Doubt, FeedCounts, doubts, evolve, initial
from domain.feed.counts import UNNAMED, opened_again
from domain.feed.doubts import NEVER, REOPENED, SILENT, STOPPED
from domain.following import Usual
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.finding import Finding, of_the_record
from domain.watch.findings_stream import Book, Written
from domain.watch.paid import paid
from domain.watch.table_watch import Make, TableWatch, written
from domain.watch.verifier import Verifier, differences

CODE = "feed-doubtful"
_GROWS = frozenset({SILENT, NEVER, STOPPED, REOPENED, UNNAMED})  # each says how long or how often
EVERY = 8  # rounds between two looks


class FeedCompanion:
    """The counts beside a verifier, with another companion that it may have already."""

    def __init__(self, verifier: Verifier) -> None:
        self.counts: FeedCounts = initial()
        self.doubts: dict[str, Doubt] = {}
        self.finding: Finding | None = None
        self._day: TableDay = verifier.day
        self._beside = beside = verifier.beside
        self.kinds: frozenset[type[Fact]] = beside.kinds if beside is not None else frozenset()

    def before(self, day: TableDay, fact: Fact) -> None:
        """Process the next fact before it is folded."""
        if self._beside is not None:
            self._beside.before(day, fact)

    def after(self, fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None) -> None:
        """Count a round that this fact ended, and look at the counts when it is time."""
        ended = ended_round(fact, told, before)
        # This comes first: the rows clear the settled round.
        counted = ended is not None and evolve(self.counts, self._day, ended, paid)
        if self._beside is not None:
            self._beside.after(fact, told, before)
        again = isinstance(fact, RoundOpened) and opened_again(self.counts, fact, told)
        if again or isinstance(fact, TableClosed) or (counted and self.counts.rounds % EVERY == 0):
            self.look(fact)

    def look(self, fact: Fact) -> None:
        """Keep each doubt as it was first raised; the fact that raised the first one is the finding's own."""
        new = [doubt for doubt in doubts(self.counts, self._day) if _name(doubt) not in self.doubts]
        if not new:
            return
        self.doubts.update((_name(doubt), doubt) for doubt in new)
        says = " ".join(f"{doubt.says} {doubt.cure}" for doubt in self.doubts.values())
        found = self.finding or of_the_record(CODE, fact, says)
        self.finding = msgspec.structs.replace(found, says=says, evidence=(*found.evidence, fact.sequence))

    def at_end(self) -> list[Doubt]:
        """Return each doubt raised so far, in its newest words if it still stands."""
        now = {_name(doubt): doubt for doubt in doubts(self.counts, self._day)}
        return [now.get(name, doubt) if doubt.code in _GROWS else doubt for name, doubt in self.doubts.items()]


def ended_round(fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None) -> RoundInPlay | None:
    """Return the round that is over after this fact: by its own word, or because another one or the close follows."""
    if before is not None and (isinstance(fact, TableClosed) or (told is not None and told.number > before.number)):
        return before
    return told if told is not None and told.over else None


def _name(doubt: Doubt) -> str:
    """Return what makes a doubt new: a device, or a type of fact, each has its own."""
    return doubt.code + doubt.about


class FeedWatch:
    """A table's watch that also writes the finding about its feed."""

    def __init__(self, watch: TableWatch) -> None:
        self._watch = watch

    def take(self, fact: Fact, head: str) -> list[Written]:
        """Process the next fact."""
        made = self._watch.take(fact, head)
        verifier, book = self._watch.verifier, self._watch.book
        if verifier is None or book is None or book.silent(fact.sequence):
            return made
        return made + feed_changes(book, verifier, fact)

    @property
    def usual(self) -> Usual:
        """The function that folds a next fact needing no record."""
        return self._watch.usual


def feed_changes(book: Book, verifier: Verifier, fact: Fact) -> list[Written]:
    """Return the records in which this fold's finding about the feed differs from the written one."""
    found = verifier.beside.finding if isinstance(verifier.beside, FeedCompanion) else None
    held = {name: finding for name, finding in book.standing.items() if finding.code == CODE}
    now = {found.id: found} if found is not None else {}
    return [] if held == now else written(book, differences(held, now, fact))


def with_counts(make: Make) -> Make:
    """Return a maker of verifiers that count what their feeds say."""

    def made(stream: str, remembers: int | None) -> Verifier:
        verifier = make(stream, remembers)
        verifier.goes_with(FeedCompanion(verifier))
        return verifier

    return made
