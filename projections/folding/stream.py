"""One stream as it lies in a log, folded into rows: its chain with everything corrected that is known.

Behind trouble nothing is folded; what stands in the way of a stream is told, and that it does not any more.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.following import Stream, Usual, never
from domain.table.day import REMEMBERED
from domain.watch.corrected import Corrections, also, corrected, corrections, told_by, within_reach
from projections.changes import Changes, Unread
from projections.folding.along import Along, Alongs
from projections.folding.asked import Asked
from projections.folding.day import DayFold
from projections.folding.troubles import BROKEN, FORKED, GAP, STOPPED, Troubles

_FOLDED_AGAIN: Final = "with what was corrected since it cannot be folded"


class FoldError(Exception):
    """A day whose fold fails at a fact: the day so far, and why."""

    def __init__(self, fold: DayFold, fact: Fact, error: Exception) -> None:
        super().__init__(str(error))
        self.fold = fold
        self.fact = fact
        self.error = error


class StreamFold:
    """One stream's day, and what is to be written of it. `written` writes what is new of it now."""

    def __init__(
        self,
        stream: "Stream[StreamFold]",
        asked: Asked,
        troubles: Troubles,
        written: "Callable[[Stream[StreamFold]], None]",
    ) -> None:
        stream.listener = self
        self.stream = stream
        self.name = stream.name
        self.fold = DayFold(stream.name) if owner(stream.name) != PROPERTY else None
        self.others: set[str] = set()  # earlier days that were corrected, for whoever holds those
        self.done = False
        self._asked = asked
        self._troubles = troubles
        self._written = written
        self._alongs: Alongs | None = None  # where its fold is a verifier's
        self._along: Along | None = None
        self._corrections: Corrections = {}
        self._failed: Unread | None = None
        self._kept = False  # its fold has failed, and what was written before stays as it stands
        self._mark: Unread | None = None  # what is to be said of that
        self._newest = True

    def next(self, fact: Fact, _: str) -> None:
        """The next fact of the chain."""
        fold, at = self.fold, self._asked.edition
        if fold is None:
            return
        along = self._alongs is not None and self._goes_along(self._alongs, fact)
        corrects = isinstance(fact, Corrected) and within_reach(fact) and self._corrects(fact)
        if along:
            return
        fold = self.fold = self._again(fact, at) if corrects else self.fold or fold
        read = corrected(fact, self._corrections.get(fact.sequence))
        if read is not None:
            fold.take(read, at)
        if fold.day.too_late:
            fold = self.fold = self._again(fact, at)
            if read is not None:
                fold.take(read, at)

    def _corrects(self, fact: Corrected) -> bool:
        """Whether this day is to be folded again; an earlier one is others' to fold."""
        if fact.corrects_stream != self.name:
            self.others.add(fact.corrects_stream)
            return False
        also(self._corrections, fact)
        return True

    def goes_along(self, alongs: Alongs) -> None:
        """Its fold is a verifier's from the day's opening on, where one goes along."""
        along = alongs.of(self.name)
        if along is not None:
            self.fold, self._along, self._alongs = along.fold, along, alongs

    def _goes_along(self, alongs: Alongs, fact: Fact) -> bool:
        """Whether the verifier's fold has taken the fact; where it goes along no more, the day is folded by itself."""
        now, before = alongs.of(self.name), self._along
        if now is not None:
            if now.error is not None:
                raise now.error
            if now is not before:  # the verifier has folded the day again
                self.fold, self._along = now.fold, now
                now.fold.anew(self._asked.edition)
            return True
        self._alongs = self._along = None
        if before is None or before.taken != fact.sequence:
            self._written(self.stream)
        elif not before.fold.day.too_late:  # then all of it is written anew
            return True
        self.fold = self._folded([each for each in self.stream.facts() if each.sequence < fact.sequence])
        self.fold.silent()
        return False

    def _folded(self, facts: Sequence[Fact]) -> DayFold:
        known, at = self._corrections, self._asked.edition
        made = folded(self.name, facts, known, at)
        return folded(self.name, facts, known, at, remembers=None) if made.day.too_late else made

    def _again(self, fact: Fact, at: int) -> DayFold:
        """The day up to the fact before this one, to be written anew."""
        facts = (each for each in self.stream.facts() if each.sequence < fact.sequence)
        made = folded(self.name, facts, self._corrections, at, remembers=None)
        made.anew(at)
        return made

    def usual(self) -> Usual:
        """What folds the next facts in without a second look."""
        ahead = self._corrections and max(self._corrections) > self.stream.sequence
        if self.fold is None or ahead or self._troubles.any(self.name):
            return never
        return self.fold.usual if self._along is None else self._along.usual

    def not_calm(self, fact: Fact) -> None:
        """No time is of any concern here."""

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """Nothing behind this fact is folded: it would stand on a day that is not whole."""
        if isinstance(error, FoldError):  # of the whole day, for this fact's sake
            error = error.error
        says = f"{type(error).__name__}: {error}"
        self._failed, self.done = Unread(fact.sequence - 1, says), True
        if not self._troubles.failed(self.name):
            self._troubles.raised(self._asked.edition, self.name, fact.sequence, STOPPED, says)
        if self._alongs is not None:
            self._alongs.parts(self.name)
            self._alongs = self._along = None
        self._written(
            self.stream
        )  # as it is now: a later correction may leave nothing to write, and a verifier goes on
        self._kept = True

    def comes_then(self, fact: Fact) -> None:
        """A fold that failed may go on with what is corrected by this fact; of earlier days it tells what it missed."""
        if isinstance(fact, Corrected) and fact.corrects_stream == self.name:
            self._asked.counting()
            self.restore(newest=self._newest)

    def forked(self, fact: Fact, _: bytes | None) -> None:
        """Another fact stands where this one does."""
        self._raised(fact, FORKED, f"two different facts claim place {fact.sequence}")

    def missing(self, before: Fact, _: Fact) -> None:
        """Something is missing before a fact; that may have been told before this process read."""
        sequence = self.stream.sequence
        if self._troubles.missing(self.name, sequence):
            return
        if before.sequence > sequence + 1:
            self._raised(before, GAP, f"facts {sequence + 1} to {before.sequence - 1} are not in the log")
        else:
            self._raised(before, BROKEN, f"fact {before.sequence} names another hash than the fact before it has")

    def whole(self, taking: Fact) -> None:
        """What stood in the way is passed."""

    def _raised(self, fact: Fact, kind: str, says: str) -> None:
        self._troubles.raised(self._asked.edition, self.name, fact.sequence, kind, says)

    def restore(self, *, newest: bool, anew: bool = False) -> None:
        """The stream as it stands in the log by now, in silence, or with everything to be written `anew`.

        Of the newest day no later day has corrected anything.
        """
        self._newest, self._failed, self._kept, self.done = newest, None, False, False
        facts = [link.fact for link in self.stream.resume()]
        if newest:
            self._corrections = told_by(facts).get(self.name, {})
        else:
            self._corrections = corrections(self._asked.record, self.name)
        if self.fold is not None:
            self._restore_day(facts, self._asked.edition, anew=anew)
        self.stream.look_again()

    def _restore_day(self, facts: Sequence[Fact], at: int, *, anew: bool) -> None:
        failed_before = self._troubles.failed(self.name)
        try:
            self.fold = self._folded(facts)
        except FoldError as error:
            self._cannot(error, at, told=failed_before)
            return
        if failed_before:
            self._troubles.goes_on(self.name)
            self.others = told_by(facts).keys() - {self.name}
        if anew or failed_before:
            self.fold.anew(at)
        else:
            self.fold.silent()

    def _cannot(self, error: FoldError, at: int, *, told: bool) -> None:
        """The day cannot be folded. What was written of it when it could is more than what could be written now."""
        self._kept = True
        self.stream.fail(error.fact, "", error)
        self.fold, self._kept = error.fold, told or not self._newest
        if not self._kept:
            self.fold.anew(at)
        if self._kept and not told and self._failed is not None:
            says = f"{_FOLDED_AGAIN} ({self._failed.says}); what stands behind it is from before"
            self._mark = Unread(self._failed.sequence, says)

    @property
    def unread(self) -> Unread | None:
        """Behind which sequence it cannot be read now."""
        if self._failed is not None or not self._troubles.any(self.name):
            return self._failed
        ahead = self._troubles.ahead(self.name, self.stream.sequence)
        return None if ahead is None else Unread(self.stream.sequence, ahead.says)

    def write(self, changes: Changes) -> None:
        """Puts what is new of it into a batch."""
        if self._mark is not None:
            changes.mark(self.name, self._mark)
            self._mark = None
        if self.fold is not None and not self._kept:
            upto = self.stream.sequence if self._failed is None else self._failed.sequence
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
