"""One stream of a log folded into rows: its chain with all known corrections.

Nothing after trouble is folded. Each obstacle of a stream is reported, and reported again once it is passed.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.following import Stream, Usual, never
from domain.table.day import REMEMBERED, recall
from domain.watch.corrected import Corrections, also, corrected, corrections, told_by, within_reach
from projections.changes import Changes, UnreadFrom
from projections.folding.along import Along, Alongs
from projections.folding.asked import RecordQuestions
from projections.folding.day import DayFold
from projections.folding.troubles import BROKEN, FORKED, GAP, STOPPED, Troubles

_FOLDED_AGAIN: Final = "it cannot be folded with its later corrections"


class FoldError(Exception):
    """A fact at which the fold of a day fails: the day up to it, and the error."""

    def __init__(self, fold: DayFold, fact: Fact, error: Exception) -> None:
        super().__init__(str(error))
        self.fold = fold
        self.fact = fact
        self.error = error


class StreamFold:
    """One stream's day, and the rows to write for it. `written` writes its changes now."""

    def __init__(
        self,
        stream: "Stream[StreamFold]",
        asked: RecordQuestions,
        troubles: Troubles,
        written: "Callable[[Stream[StreamFold]], None]",
    ) -> None:
        stream.listener = self
        self.stream = stream
        self.name = stream.name
        self.fold = DayFold(stream.name) if owner(stream.name) != PROPERTY else None
        self.others: set[str] = set()  # earlier days that were corrected, for the caller
        self.done = False
        self._asked = asked
        self._troubles = troubles
        self._written = written
        self._alongs: Alongs | None = None  # set if a verifier shares its fold
        self._along: Along | None = None
        self._corrections: Corrections = {}
        self._failed: UnreadFrom | None = None
        self._kept = False  # its fold has failed, and the rows written before stay
        self._mark: UnreadFrom | None = None  # the note about it
        self._newest = True

    def next(self, fact: Fact, _: str) -> None:
        """Take the next fact of the chain."""
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
            recall(fold.day, fact)

    def _corrects(self, fact: Corrected) -> bool:
        """Return whether this day must be folded again; earlier days are left to the caller."""
        if fact.corrects_stream != self.name:
            self.others.add(fact.corrects_stream)
            return False
        also(self._corrections, fact)
        return True

    def goes_along(self, alongs: Alongs) -> None:
        """Use a verifier's fold from the day's opening on, if there is one."""
        along = alongs.of(self.name)
        if along is not None:
            self.fold, self._along, self._alongs = along.fold, along, alongs

    def _goes_along(self, alongs: Alongs, fact: Fact) -> bool:
        """Return whether the verifier's fold has taken the fact; if they separate, fold the day here instead."""
        now, before = alongs.of(self.name), self._along
        if now is not None:
            if now.error is not None:
                raise now.error
            if now is not before:  # the verifier has folded the day again
                self.fold, self._along = now.fold, now
                now.fold.rewrite(self._asked.edition)
            return True
        self._alongs = self._along = None
        if before is None or before.taken != fact.sequence:
            self._written(self.stream)
        elif not before.fold.day.too_late:  # then all of it is written again
            return True
        self.fold = self._folded([each for each in self.stream.facts() if each.sequence < fact.sequence])
        self.fold.silent()
        return False

    def _folded(self, facts: Sequence[Fact]) -> DayFold:
        known, at = self._corrections, self._asked.edition
        made = folded(self.name, facts, known, at)
        return folded(self.name, facts, known, at, remembers=None) if made.day.too_late else made

    def _again(self, fact: Fact, at: int) -> DayFold:
        """Return the day up to the fact before this one, to be written again."""
        facts = (each for each in self.stream.facts() if each.sequence < fact.sequence)
        made = folded(self.name, facts, self._corrections, at, remembers=None)
        made.rewrite(at)
        return made

    def usual(self) -> Usual:
        """The fold of facts that need no other work."""
        ahead = self._corrections and max(self._corrections) > self.stream.sequence
        if self.fold is None or ahead or self._troubles.any(self.name):
            return never
        return self.fold.usual if self._along is None else self._along.usual

    def not_calm(self, fact: Fact) -> None:
        """Ignore times."""

    def gives_up(self, fact: Fact, error: Exception) -> None:
        """Stop folding at this fact, because the day after it would be incomplete."""
        if isinstance(error, FoldError):  # the whole day failed because of this fact
            error = error.error
        says = f"{type(error).__name__}: {error}"
        self._failed, self.done = UnreadFrom(fact.sequence - 1, says), True
        if not self._troubles.failed(self.name):
            self._troubles.raised(self._asked.edition, self.name, fact.sequence, STOPPED, says)
        if self._alongs is not None:
            self._alongs.parts(self.name)
            self._alongs = self._along = None
        self._written(self.stream)  # now, because a later correction may leave nothing to write
        self._kept = True

    def comes_then(self, fact: Fact) -> None:
        """Resume a failed fold if this fact corrects it, and take any earlier days that it corrects."""
        if isinstance(fact, Corrected) and fact.corrects_stream == self.name:
            self._asked.counting()
            self.restore(newest=self._newest)

    def forked(self, fact: Fact, _: bytes | None) -> None:
        """Report a second fact at the same place."""
        self._raised(fact, FORKED, f"two different facts claim place {fact.sequence}")

    def missing(self, before: Fact, _: Fact) -> None:
        """Report facts missing before this one, unless reported before this process started."""
        sequence = self.stream.sequence
        if self._troubles.missing(self.name, sequence):
            return
        if before.sequence > sequence + 1:
            self._raised(before, GAP, f"facts {sequence + 1} to {before.sequence - 1} are not in the log")
        else:
            self._raised(before, BROKEN, f"fact {before.sequence} names another hash than the fact before it has")

    def whole(self, taking: Fact) -> None:
        """Report that the obstacle is passed."""

    def _raised(self, fact: Fact, kind: str, says: str) -> None:
        self._troubles.raised(self._asked.edition, self.name, fact.sequence, kind, says)

    def restore(self, *, newest: bool, rewrite: bool = False) -> None:
        """Fold the stream from the log, silently, or with `rewrite` to write everything again.

        No later day has corrected the newest day.
        """
        self._newest, self._failed, self._kept, self.done = newest, None, False, False
        facts = [link.fact for link in self.stream.resume()]
        if newest:
            self._corrections = told_by(facts).get(self.name, {})
        else:
            self._corrections = corrections(self._asked.record, self.name)
        if self.fold is not None:
            self._restore_day(facts, self._asked.edition, rewrite=rewrite)
        self.stream.look_again()

    def _restore_day(self, facts: Sequence[Fact], at: int, *, rewrite: bool) -> None:
        failed_before = self._troubles.failed(self.name)
        try:
            self.fold = self._folded(facts)
        except FoldError as error:
            self._cannot(error, at, told=failed_before)
            return
        if failed_before:
            self._troubles.goes_on(self.name)
            self.others = told_by(facts).keys() - {self.name}
        if rewrite or failed_before:
            self.fold.rewrite(at)
        else:
            self.fold.silent()

    def _cannot(self, error: FoldError, at: int, *, told: bool) -> None:
        """Keep the rows written while the day could be folded, since they cover more than could be written now."""
        self._kept = True
        self.stream.fail(error.fact, "", error)
        self.fold, self._kept = error.fold, told or not self._newest
        if not self._kept:
            self.fold.rewrite(at)
        if self._kept and not told and self._failed is not None:
            says = f"{_FOLDED_AGAIN} ({self._failed.says}); later rows are older"
            self._mark = UnreadFrom(self._failed.sequence, says)

    @property
    def unread(self) -> UnreadFrom | None:
        """The sequence after which it cannot be read now, and the reason."""
        if self._failed is not None or not self._troubles.any(self.name):
            return self._failed
        ahead = self._troubles.ahead(self.name, self.stream.sequence)
        return None if ahead is None else UnreadFrom(self.stream.sequence, ahead.says)

    def write(self, changes: Changes) -> None:
        """Put its changes into a batch."""
        if self._mark is not None:
            changes.mark(self.name, self._mark)
            self._mark = None
        if self.fold is not None and not self._kept:
            upto = self.stream.sequence if self._failed is None else self._failed.sequence
            self.fold.write(changes, upto, self.unread)


def folded(
    stream: str, facts: Iterable[Fact], known: Corrections, edition: int, remembers: int | None = REMEMBERED
) -> DayFold:
    """Return the day of these facts with these corrections."""
    fold = DayFold(stream, remembers)
    for fact in facts:
        read = corrected(fact, known.get(fact.sequence))
        try:
            if read is not None and not fold.usual(read):
                fold.take(read, edition)
        except Exception as error:
            raise FoldError(fold, fact, error) from error
    return fold
