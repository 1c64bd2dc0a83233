"""Rows made while a day is verified: of the verifier's own fold, and of what it has worked out of each round.

A fold that goes along is made anew whenever the verifier's is. It parts from the verifier where either fails: then the
day is folded by itself, so that rows are the same whoever verifies, and findings the same whoever makes rows.
"""

from collections.abc import Callable

from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.table.day import TableDay
from domain.table.round import Round
from domain.watch.verifier import Verifier
from projections.folding.asked import Asked
from projections.folding.day import LOOKED_AT, DayFold


class Along:
    """One day's fold beside its verifier."""

    kinds = LOOKED_AT

    def __init__(self, fold: DayFold, asked: Asked) -> None:
        self.fold = fold
        self.goes = True
        self.error: Exception | None = None  # the rows' own fault
        self.taken = 0  # the last fact that was looked at here
        self._asked = asked

    def before(self, _: TableDay, fact: Fact) -> None:
        """The next fact, before it is folded in."""
        if self.goes:
            try:
                self.fold.before(fact)
            except Exception as error:
                self._fails(error)

    def after(self, fact: Fact, told: Round | None, before: Round | None) -> None:
        """It is folded in."""
        if self.goes:
            try:
                self.fold.after(fact, told, before, self._asked.edition)
            except Exception as error:
                self._fails(error)
            else:
                self.taken = fact.sequence

    def usual(self, fact: Fact) -> bool:
        """Whether nothing is to be done with a fact the verifier has taken."""
        return self.goes and type(fact) is not Corrected

    def _fails(self, error: Exception) -> None:
        self.goes, self.error = False, error


class Alongs:
    """The folds that go along, one for each stream that is new: verified and made rows of from its opening on."""

    def __init__(self, asked: Asked, new: Callable[[str], bool]) -> None:
        self._asked = asked
        self._new = new
        self._there: dict[str, Along] = {}

    def verifier(self, stream: str, remembers: int | None) -> Verifier:
        """What verifies a day, with a fold of rows that goes along."""
        made, known = Verifier(stream, remembers), self._there.get(stream)
        if known.goes if known is not None else self._new(stream):
            along = self._there[stream] = Along(DayFold(stream, remembers, day=made.day), self._asked)
            made.goes_with(along)
            if known is not None:
                known.goes = False
        return made

    def of(self, stream: str) -> Along | None:
        """The fold that goes along with the verifier of a stream now."""
        return self._there.get(stream)

    def parts(self, stream: str) -> None:
        """A stream is not verified any more, or its rows are not made along any more."""
        along = self._there.pop(stream, None)
        if along is not None:
            along.goes = False
