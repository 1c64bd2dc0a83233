"""Proof of a clause: a lawful day raises nothing, and the same day with one thing changed raises the finding."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from domain.facts.envelope import Fact
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.watch.faults import NOT_JUDGED
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier

_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")

Day = Callable[[], Sequence[Fact]]
Edit = Callable[[Sequence[Fact]], Sequence[Fact]]


class Case(NamedTuple):
    """One row: these clauses raise this code when the lawful day is changed so."""

    clauses: str  # "UTH-MD 8.C(1); PIK 39.7(b)/s1": all are cited by the finding
    code: str
    day: Day
    edit: Edit
    expected_cents: int | None = None
    observed_cents: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The clauses, one by one."""
        return tuple(name.strip() for name in self.clauses.split(";"))


def recorded(facts: Sequence[Fact]) -> list[Fact]:
    """Facts as the gateway's writer numbers them; one that has no place fails the test."""
    writer = Writer(epoch=1)
    placed = []
    for fact in facts:
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise AssertionError(f"{fact}: {whole.says}")
        placed.append(place(writer, whole).fact)
    return placed


def verified(facts: Sequence[Fact]) -> list[Finding]:
    """The findings when a day of unnumbered facts has been verified to its end; no card of a live hand is named."""
    numbered = recorded(facts)
    verifier = Verifier(numbered[0].stream)
    for fact in numbered:
        for change in verifier.take(fact):
            played = verifier.day.round
            live = played is not None and not played.over and change.finding.round in (None, played.number)
            assert change.finding.code != NOT_JUDGED, change.finding.says
            assert not (live and _CARD.search(change.finding.says)), f"while it is played: {change.finding.says}"
    return list(verifier.standing.values())


def show(case: Case) -> None:
    """Fails unless the lawful day is silent and the broken one raises the case's finding by its clauses."""
    lawful = list(case.day())
    silent = verified(lawful)
    assert not silent, f"the lawful day raises {[(one.code, one.clauses, one.says) for one in silent]}"
    raised = verified(case.edit(lawful))
    told = [(one.code, one.clauses, one.says) for one in raised]
    matching = [one for one in raised if one.code == case.code and set(case.names) <= set(one.clauses)]
    assert matching, f"{case.code} by {case.clauses} was not raised; raised were {told}"
    if case.expected_cents is not None or case.observed_cents is not None:
        amounts = [(one.expected_cents, one.observed_cents) for one in matching]
        assert (case.expected_cents, case.observed_cents) in amounts, f"{case.code}: the amounts are {amounts}"
