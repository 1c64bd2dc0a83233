"""One stream as it lies in a log, folded: what is the next fact, what is a repeat, what is trouble.

Behind trouble nothing is folded; when the log holds what was missing it goes on from where it stopped. What is folded
is the chain of the stream with everything corrected that is known, however and whenever it came.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.ledger.chain import digest
from domain.table.day import REMEMBERED
from domain.watch.chained import Link, chained, links
from domain.watch.corrected import Corrections, Record, also, corrected, corrections, told_by, within_reach
from domain.watch.stream_watch import UnansweredError
from projections.changes import Changes, Unread
from projections.folding.day import DayFold, Usual
from projections.folding.troubles import BROKEN, FORKED, GAP, STOPPED, Troubles

Stored = Callable[[str], Sequence[bytes]]
_FOLDED_AGAIN: Final = "with what was corrected since it cannot be folded"


class Asked(msgspec.Struct, frozen=True):
    """How a fold asks for what stands in the log before the fact it takes."""

    record: Record
    stored: Stored


def never(_: Fact) -> bool:
    """Where no fact is usual."""
    return False


class FoldError(Exception):
    """A day whose fold fails at a fact: the day so far, and why."""

    def __init__(self, fold: DayFold, fact: Fact, error: Exception) -> None:
        super().__init__(str(error))
        self.fold = fold
        self.fact = fact
        self.error = error


class StreamFold:
    """One stream: how far it has been read, and its day."""

    def __init__(self, name: str, asked: Asked, troubles: Troubles) -> None:
        self.name = name
        self.sequence = 0
        self.head = ""
        self.usual: Usual = never
        self.fold = DayFold(name) if owner(name) != PROPERTY else None
        self.others: list[Corrected] = []  # corrections of earlier days, for whoever holds those
        self._asked = asked
        self._troubles = troubles
        self._corrections: Corrections = {}
        self._failed: Unread | None = None
        self._kept = False  # its fold has failed, and what was written before stays as it stands
        self._mark: Unread | None = None  # what is to be said of that
        self._newest = True
        self._stopped = False
        self._waits = 0  # the lowest sequence that came and cannot be taken yet
        self._taking: tuple[Fact, bytes] | None = None  # the log before its position does not have it yet
        self._known: dict[int, set[str]] = {}  # the hashes at each place, read when something came again

    def take(self, fact: Fact, stored: bytes, at: int) -> None:
        """The next fact of the stream in the log, at this position."""
        if self._failed is not None:
            return
        self._taking = fact, stored
        if self._stopped or fact.sequence != self.sequence + 1 or fact.previous != self.head:
            self._out_of_line(fact, stored, at)
        else:
            self._next(fact, digest(stored), at)
        if self._troubles.any(self.name):
            self._troubles.passed(self.name, self.sequence)
        self._settle()

    def _settle(self) -> None:
        """Whether the next facts may be folded in without a second look."""
        free = not (self._stopped or self._failed or self._troubles.any(self.name))
        ahead = any(sequence > self.sequence for sequence in self._corrections)
        self.usual = self.fold.usual if self.fold is not None and free and not ahead else never

    def give_up(self, fact: Fact, own: str, at: int, error: Exception) -> None:
        """Nothing behind this fact is folded: it would stand on a day that is not whole."""
        if isinstance(error, FoldError):  # of the whole day, for this fact's sake
            error = error.error
        says = f"{type(error).__name__}: {error}"
        self.sequence, self.head, self.usual = fact.sequence, own, never
        self._failed = Unread(fact.sequence - 1, says)
        if not self._troubles.failed(self.name):
            self._troubles.raised(at, self.name, fact.sequence, STOPPED, says)

    def _next(self, fact: Fact, own: str, at: int) -> None:
        self.sequence, self.head = fact.sequence, own
        if self.fold is None or self._failed is not None:
            return
        try:
            self._fold(self.fold, fact, at)
        except UnansweredError:
            raise
        except Exception as error:  # a fault at one table must not blind the room to the others
            self.give_up(fact, own, at, error)

    def _fold(self, fold: DayFold, fact: Fact, at: int) -> None:
        if isinstance(fact, Corrected) and within_reach(fact):
            if fact.corrects_stream == self.name:
                also(self._corrections, fact)
                fold = self.fold = self._again(fact, at)
            else:
                self.others.append(fact)
        read = corrected(fact, self._corrections.get(fact.sequence))
        if read is not None:
            fold.take(read, at)
        if fold.day.too_late:
            fold = self.fold = self._again(fact, at)
            if read is not None:
                fold.take(read, at)

    def _again(self, fact: Fact, at: int) -> DayFold:
        """The day up to the fact before this one, to be written anew."""
        there = links(readable(self._asked.stored(self.name)))
        if self._taking is not None:
            there.append(Link(self._taking[0], digest(self._taking[1])))
        facts = (link.fact for link in chained(there) if link.fact.sequence < fact.sequence)
        made = folded(self.name, facts, self._corrections, at, remembers=None)
        made.anew(at)
        return made

    def _out_of_line(self, fact: Fact, stored: bytes, at: int) -> None:
        """A fact that is not the next one: a repeat, or trouble, or what had been missing."""
        if fact.sequence <= self.sequence:
            if fact.sequence not in self._known:
                self._known = _places(links(readable(self._asked.stored(self.name))))
            held = self._known.setdefault(fact.sequence, set())
            if digest(stored) not in held:
                held.add(digest(stored))
                self._forked(fact, at)
        elif fact.sequence == self.sequence + 1 and fact.previous == self.head:
            self._next(fact, digest(stored), at)
            self._go_on(at)
        elif not self._stopped:
            self._stop(fact, at)
        else:
            self._waits = min(self._waits, fact.sequence)

    def _go_on(self, at: int) -> None:
        """Some of what was missing has come: what waits behind it follows, as far as it is one chain."""
        if self.sequence + 1 < self._waits or self._failed is not None:
            return
        waiting = links(readable(self._asked.stored(self.name)))
        came, before = {self.head}, self.sequence
        for link in sorted(waiting, key=lambda each: each.fact.sequence):
            if link.fact.sequence == self.sequence + 1 and link.fact.previous == self.head and self._failed is None:
                came.add(link.own)
                self._next(link.fact, link.own, at)
        self._known = {}
        for link in waiting:
            if before <= link.fact.sequence <= self.sequence and link.own not in came:
                self._forked(link.fact, at)
        beyond = [link.fact for link in waiting if link.fact.sequence > self.sequence]
        self._stopped = bool(beyond)
        if beyond:
            self._stop(min(beyond, key=lambda each: each.sequence), at)

    def _stop(self, fact: Fact, at: int) -> None:
        """Something is missing before this fact."""
        self._stopped, self._waits = True, fact.sequence
        if self._troubles.missing(self.name, self.sequence):
            return
        if fact.sequence > self.sequence + 1:
            says = f"facts {self.sequence + 1} to {fact.sequence - 1} are not in the log"
            self._troubles.raised(at, self.name, fact.sequence, GAP, says)
        else:
            says = f"fact {fact.sequence} names another hash than the fact before it has"
            self._troubles.raised(at, self.name, fact.sequence, BROKEN, says)

    def _forked(self, fact: Fact, at: int) -> None:
        says = f"two different facts claim place {fact.sequence}"
        self._troubles.raised(at, self.name, fact.sequence, FORKED, says)

    def restore(self, at: int, *, newest: bool, anew: bool = False) -> None:
        """The stream as it stands in the log by now, in silence, or with everything to be written `anew`.

        Of the newest day no later day has corrected anything.
        """
        self._newest, self._failed, self._kept = newest, None, False
        there = links(readable(self._asked.stored(self.name)))
        chain = chained(there)
        facts = [link.fact for link in chain]
        if newest:
            self._corrections = told_by(facts).get(self.name, {})
        else:
            self._corrections = corrections(self._asked.record, self.name)
        if chain:
            self.sequence, self.head = chain[-1].fact.sequence, chain[-1].own
        beyond = [link.fact.sequence for link in there if link.fact.sequence > self.sequence]
        self._stopped, self._waits = bool(beyond), min(beyond, default=0)
        if self.fold is not None:
            self._restore_day(facts, at, anew=anew)
        self._settle()

    def _restore_day(self, facts: Sequence[Fact], at: int, *, anew: bool) -> None:
        failed_before = self._troubles.failed(self.name)
        try:
            self.fold = folded(self.name, facts, self._corrections, at)
            if self.fold.day.too_late:
                self.fold = folded(self.name, facts, self._corrections, at, remembers=None)
        except FoldError as error:
            self._cannot(error, at, told=failed_before)
            return
        if failed_before:
            self._troubles.goes_on(self.name)
            told = (fact for fact in facts if isinstance(fact, Corrected) and within_reach(fact))
            self.others = [fact for fact in told if fact.corrects_stream != self.name]
        if anew or failed_before:
            self.fold.anew(at)
        else:
            self.fold.silent()

    def _cannot(self, error: FoldError, at: int, *, told: bool) -> None:
        """The day cannot be folded. What was written of it when it could is more than what could be written now."""
        self.fold = error.fold
        self.give_up(error.fact, "", at, error)
        if told or not self._newest:
            self._kept = True
        else:
            self.fold.anew(at)
        if self._kept and not told and self._failed is not None:
            says = f"{_FOLDED_AGAIN} ({self._failed.says}); what stands behind it is from before"
            self._mark = Unread(self._failed.sequence, says)

    def try_again(self, at: int) -> None:
        """A fold that failed may go on with what was corrected by now; what was missed of earlier days is told."""
        self.restore(at, newest=self._newest)

    def hold_up(self) -> None:
        """Something stands in its way now: the next fact is looked at."""
        self.usual = never

    @property
    def failed(self) -> bool:
        """Whether its fold has failed."""
        return self._failed is not None

    @property
    def unread(self) -> Unread | None:
        """Behind which sequence it cannot be read now."""
        if self._failed is not None or not self._troubles.any(self.name):
            return self._failed
        ahead = self._troubles.ahead(self.name, self.sequence)
        return None if ahead is None else Unread(self.sequence, ahead.says)

    def write(self, changes: Changes) -> None:
        """Puts what is new of it into a batch."""
        if self._mark is not None:
            changes.mark(self.name, self._mark)
            self._mark = None
        if self.fold is not None and not self._kept:
            upto = self.sequence if self._failed is None else self._failed.sequence
            self.fold.write(changes, upto, self.unread)


def folded(
    stream: str, facts: Iterable[Fact], known: Corrections, edition: int, remembers: int | None = REMEMBERED
) -> DayFold:
    """The day of these facts with these corrections."""
    fold = DayFold(stream, remembers)
    for fact in facts:
        read = corrected(fact, known.get(fact.sequence))
        try:
            if read is not None and not fold.usual(read):
                fold.take(read, edition)
        except Exception as error:
            raise FoldError(fold, fact, error) from error
    return fold


def _places(found: Iterable[Link]) -> dict[int, set[str]]:
    places: dict[int, set[str]] = {}
    for link in found:
        places.setdefault(link.fact.sequence, set()).add(link.own)
    return places
