"""Rows made during verification: from the verifier's own fold, and from what it has computed for each round.

Such a fold is replaced whenever the verifier's is. If either one fails, the two separate and the day is folded by
itself. So rows do not depend on the verifier, and findings do not depend on the rows.
"""

from collections.abc import Callable

from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.verifier import Verifier
from projections.folding.asked import RecordQuestions
from projections.folding.day import LOOKED_AT, DayFold


class Along:
    """One day's fold beside its verifier."""

    kinds = LOOKED_AT

    def __init__(self, fold: DayFold, asked: RecordQuestions) -> None:
        self.fold = fold
        self.goes = True
        self.error: Exception | None = None  # an error of the rows alone
        self.taken = 0  # the last fact taken here
        self._asked = asked

    def before(self, _: TableDay, fact: Fact) -> None:
        """Take the next fact before the day folds it in."""
        if self.goes:
            try:
                self.fold.before(fact)
            except Exception as error:
                self._fails(error)

    def after(self, fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None) -> None:
        """Take a fact after the day has folded it in."""
        if self.goes:
            try:
                self.fold.after(fact, told, before, self._asked.edition)
            except Exception as error:
                self._fails(error)
            else:
                self.taken = fact.sequence

    def usual(self, fact: Fact) -> bool:
        """Return whether a fact the verifier has taken needs no work here."""
        return self.goes and type(fact) is not Corrected

    def _fails(self, error: Exception) -> None:
        self.goes, self.error = False, error


class Alongs:
    """The folds beside verifiers, one for each new stream, from its opening on."""

    def __init__(self, asked: RecordQuestions, new: Callable[[str], bool]) -> None:
        self._asked = asked
        self._new = new
        self._there: dict[str, Along] = {}

    def verifier(self, stream: str, remembers: int | None) -> Verifier:
        """Return a day's verifier, with a fold of rows beside it."""
        made, known = Verifier(stream, remembers), self._there.get(stream)
        if known.goes if known is not None else self._new(stream):
            along = self._there[stream] = Along(DayFold(stream, remembers, day=made.day), self._asked)
            made.goes_with(along)
            if known is not None:
                known.goes = False
        return made

    def of(self, stream: str) -> Along | None:
        """Return the fold beside the verifier of a stream, if any."""
        return self._there.get(stream)

    def parts(self, stream: str) -> None:
        """Drop a stream that is no longer verified, or whose rows are no longer made beside its verifier."""
        along = self._there.pop(stream, None)
        if along is not None:
            along.goes = False
