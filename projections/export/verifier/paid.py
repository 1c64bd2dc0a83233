"""Corrections of facts, and table `paid`: what the facts alone say about wagers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import figure, guarded


class Corrections:
    """The changes that `corrected.1` facts make to other facts of the same table.

    The last correction of a fact counts. A correction that was left out does not count at all.
    """

    def __init__(self, left_out: set[tuple[str, int]]) -> None:
        self._left_out = left_out
        self._of: dict[tuple[str, int], dict[str, Any]] = {}

    def take(self, fact: dict[str, Any]) -> None:
        """Take the next correction, in the order of streams and sequences."""
        of, here = (fact["corrects_stream"], fact["corrects_sequence"]), (fact["stream"], fact["sequence"])
        its_own = of[0].partition("/")[0] == here[0].partition("/")[0]
        if its_own and of < here and here not in self._left_out:
            self._of[of] = fact

    def read(self, fact: dict[str, Any]) -> dict[str, Any] | None:
        """Return the fact as corrected; None if it never happened."""
        said = self._of.get((fact["stream"], fact["sequence"])) if self._of else None
        if said is None or fact["type"] == "corrected.1":
            return fact
        if "reads" not in said:
            return None
        place = {name: fact[name] for name in _OF_ITS_PLACE if name in fact}
        return {**fact, **said["reads"], **place}


_OF_ITS_PLACE = ("type", "stream", "sequence", "previous", "source", "source_key")


class Round:
    """The wagers of a round: from seat and wager to staked, collected, paid, returned."""

    def __init__(self) -> None:
        self.over = False
        self.wagers: dict[tuple[int, str], list[int | None]] = {}


COLUMN_OF = {"wager-collected.1": 1, "wager-paid.1": 2, "wager-returned.1": 3}
PLACED = ("wager-placed.1", "wager-changed.1")
BETTING_OVER = ("bets-closed.1", "card-dealt.1", "stack-dispensed.1", "stack-delivered.1")
OF_WAGERS = frozenset((*COLUMN_OF, *PLACED, *BETTING_OVER, "wager-withdrawn.1"))


class Paid:
    """Table `paid` of one stream: staked, collected, paid and returned, according to the facts."""

    def __init__(self, shown: Shown, told_rounds: dict[tuple[str, int], int]) -> None:
        self._shown, self._told, self._newest = shown, told_rounds, 0
        self._chosen = frozenset(shown.rounds)
        self._rounds: dict[int, Round] = {}

    def take(self, fact: dict[str, Any]) -> int:
        """Take the next corrected fact and return its round."""
        kind, said = fact["type"], fact.get("round")
        if not self._shown.whole:
            said = self._told.get((fact["stream"], fact["sequence"]), 0) if said is None else said
        elif said is None:
            self._newest += kind == "round-opened.1"
            said = self._newest
        elif said > self._newest:
            self._newest = said
        if kind in OF_WAGERS and said and (self._shown.whole or said in self._chosen):
            self._act(self._rounds.setdefault(said, Round()), kind, fact)
        return said or 0

    @staticmethod
    def _act(here: Round, kind: str, fact: dict[str, Any]) -> None:
        if kind in BETTING_OVER:
            here.over = True
            return
        place, cents = (fact["seat"], fact["wager"]), fact.get("cents")
        row = here.wagers.get(place)
        if kind == "wager-withdrawn.1" and not here.over:
            here.wagers.pop(place, None)
        elif row is None:
            row = here.wagers[place] = [cents if kind in PLACED else None, 0, 0, 0]
        elif kind in PLACED and not here.over:
            row[0] = cents
        if kind in COLUMN_OF and row is not None:
            before = row[COLUMN_OF[kind]]
            row[COLUMN_OF[kind]] = None if before is None or cents is None else before + cents

    def rows(self) -> Iterator[list[str]]:
        """The rows of the stream."""
        for number_of, here in sorted(self._rounds.items()):
            for (seat, wager), cents in sorted(here.wagers.items()):
                yield [self._shown.stream, figure(number_of), figure(seat), guarded(wager), *map(figure, cents)]
