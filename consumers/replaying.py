"""Verify days of a record twice, as they were and with changes, and compare the results."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from consumers.logs.log import Log
from consumers.watching.reading import record_of
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import TableOpened
from domain.table.day import edition_of
from domain.watch.corrected import Corrections, WatchedRecord, corrected, corrections
from domain.watch.finding import Finding
from domain.watch.record import apply
from domain.watch.table_pairs import TablePairs
from domain.watch.what_if import (
    Amounts,
    FindingDifference,
    OptionChange,
    Supposed,
    differences,
    supposed,
    supposing,
    unreadable,
)


class CannotBeError(ValueError):
    """Options that no table can be played with; the message names them and their clauses."""


class DifferenceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A finding that appears, vanishes or changes."""

    kind: str
    finding: str
    code: str
    severity: str
    table: str
    stream: str
    round: int | None
    to_round: int | None  # the last one, if it is about a stretch of rounds
    seat: int | None
    wager: str
    expected_before_cents: int | None
    expected_after_cents: int | None
    observed_cents: int | None
    at_risk_before_cents: int | None
    at_risk_after_cents: int | None
    says: str


class CodeRow(msgspec.Struct, frozen=True, kw_only=True):
    """The effect on the findings of one code."""

    code: str
    before: int
    after: int
    appear: int
    vanish: int
    change: int
    at_risk_before_cents: int
    at_risk_after_cents: int


class AmountRow(msgspec.Struct, frozen=True, kw_only=True):
    """The effect on the amounts owed on one kind of wager, stakes included."""

    game: str
    wager: str
    wagers: int
    owed_before_cents: int
    owed_after_cents: int
    difference_cents: int
    undecided_before: int
    undecided_after: int


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """The results as they were and with the changes."""

    days: int
    facts: int
    findings_before: int
    findings_after: int
    appear: int
    vanish: int
    change: int
    owed_before_cents: int
    owed_after_cents: int
    codes: tuple[CodeRow, ...]
    amounts: tuple[AmountRow, ...]
    differences: tuple[DifferenceRow, ...]


class Past:
    """The days compared so far."""

    def __init__(self, log: Log, changes: Sequence[OptionChange], without: frozenset[str]) -> None:
        self._record = record_of(log)
        self._changes, self._without = changes, without
        self._days = self._facts = 0
        self._found: tuple[list[Finding], list[Finding]] = ([], [])  # before, after
        self._amounts: tuple[dict[tuple[str, str], Amounts], dict[tuple[str, str], Amounts]] = ({}, {})
        self._differences: list[FindingDifference] = []
        nothing = WatchedRecord(lambda _: (), lambda _: ())
        self._beside = (TablePairs(nothing), TablePairs(nothing))  # before, after: findings from comparing two tables
        self.touched = False  # whether a table's rule book has a changed option

    def take(self, stream: str) -> None:
        """Add one more day of a table, or of the property, whose facts name the decks; days come in order."""
        facts = list(self._record.facts(stream))
        known = corrections(self._record, stream)
        if owner(stream) == PROPERTY:
            read = list(supposed(facts, stream, known, ()))
            self._side_by_side(read, read)
            return
        changes = self._meant_for(facts, known, stream)
        was = list(supposed(facts, stream, known, ()))
        now = list(supposed(facts, stream, known, changes)) if changes else was
        before = supposing(was, stream, frozenset())
        after = supposing(now, stream, self._without) if changes else self._less(before)
        self._days += 1
        self._facts += len(facts)
        for amounts, told in zip(self._amounts, (before, after), strict=True):
            for wager, more in told.amounts.items():
                amounts.setdefault(wager, Amounts()).add(more)
        self._compare(before.findings, after.findings)
        self._side_by_side(was, now)

    def _less(self, before: Supposed) -> Supposed:
        kept = {name: finding for name, finding in before.findings.items() if finding.code not in self._without}
        return Supposed(kept, before.amounts)

    def _compare(self, before: Mapping[str, Finding], after: Mapping[str, Finding]) -> None:
        for held, findings in zip(self._found, (before, after), strict=True):
            held.extend(findings.values())
        self._differences += differences(before, after)

    def _side_by_side(self, was: Iterable[Fact], now: Iterable[Fact]) -> None:
        for pairs, facts in zip(self._beside, (was, now), strict=True):
            for fact in facts:
                pairs.take(fact)

    def _meant_for(self, facts: Iterable[Fact], known: Corrections, stream: str) -> list[OptionChange]:
        """The changes that apply to this day."""
        table = owner(stream)
        read = (corrected(fact, known.get(fact.sequence)) for fact in facts)
        opened = next((fact for fact in read if isinstance(fact, TableOpened)), None)
        if opened is None:
            return []
        changes = [change for change in self._changes if change.holds(table, edition_of(opened))]
        wrong = unreadable(opened, changes, table)
        if wrong:
            lines = [f"{finding.says} ({finding.clause})" for finding in wrong]
            raise CannotBeError("\n  ".join([f"{stream} cannot be played with these options:", *lines]))
        self.touched = self.touched or bool(changes)
        return changes

    def made(self) -> WhatIf:
        """The comparison, after all days are added."""
        beside: tuple[dict[str, Finding], dict[str, Finding]] = ({}, {})
        for standing, pairs in zip(beside, self._beside, strict=True):
            for written in pairs.found():
                apply(standing, written.record)
        self._compare(beside[0], {name: one for name, one in beside[1].items() if one.code not in self._without})
        before, after = self._found
        kinds = [difference.kind for difference in self._differences]
        amounts = tuple(_amounts(wager, *self._amounts) for wager in sorted(self._amounts[0].keys() | self._amounts[1]))
        return WhatIf(
            days=self._days,
            facts=self._facts,
            findings_before=len(before),
            findings_after=len(after),
            appear=kinds.count("appears"),
            vanish=kinds.count("vanishes"),
            change=kinds.count("changes"),
            owed_before_cents=sum(row.owed_before_cents for row in amounts),
            owed_after_cents=sum(row.owed_after_cents for row in amounts),
            codes=self._codes(),
            amounts=amounts,
            differences=tuple(map(_row, self._differences)),
        )

    def _codes(self) -> tuple[CodeRow, ...]:
        before, after = self._found
        names = {finding.code for finding in (*before, *after)}
        return tuple(self._code(name, before, after) for name in sorted(names))

    def _code(self, code: str, before: list[Finding], after: list[Finding]) -> CodeRow:
        was = [finding for finding in before if finding.code == code]
        now = [finding for finding in after if finding.code == code]
        kinds = [each.kind for each in self._differences if _about(each).code == code]
        return CodeRow(
            code=code,
            before=len(was),
            after=len(now),
            appear=kinds.count("appears"),
            vanish=kinds.count("vanishes"),
            change=kinds.count("changes"),
            at_risk_before_cents=sum(finding.at_risk_cents or 0 for finding in was),
            at_risk_after_cents=sum(finding.at_risk_cents or 0 for finding in now),
        )


def _amounts(
    wager: tuple[str, str], before: dict[tuple[str, str], Amounts], after: dict[tuple[str, str], Amounts]
) -> AmountRow:
    was, now = before.get(wager, Amounts()), after.get(wager, Amounts())
    return AmountRow(
        game=wager[0],
        wager=wager[1],
        wagers=max(was.wagers, now.wagers),
        owed_before_cents=was.owed_cents,
        owed_after_cents=now.owed_cents,
        difference_cents=now.owed_cents - was.owed_cents,
        undecided_before=was.undecided,
        undecided_after=now.undecided,
    )


def _about(difference: FindingDifference) -> Finding:
    finding = difference.after or difference.before
    if finding is None:
        raise RuntimeError("a difference has a finding on one side")
    return finding


def _row(difference: FindingDifference) -> DifferenceRow:
    before, after, finding = difference.before, difference.after, _about(difference)
    return DifferenceRow(
        kind=difference.kind,
        finding=finding.id,
        code=finding.code,
        severity=finding.severity,
        table=owner(finding.stream),
        stream=finding.stream,
        round=finding.round,
        to_round=finding.to_round,
        seat=finding.seat,
        wager=finding.wager,
        expected_before_cents=before.expected_cents if before else None,
        expected_after_cents=after.expected_cents if after else None,
        observed_cents=finding.observed_cents,
        at_risk_before_cents=before.at_risk_cents if before else None,
        at_risk_after_cents=after.at_risk_cents if after else None,
        says=finding.says,
    )
