"""The past under other options: the amounts that would have been owed, and the findings.

Changed options replace those in the table's opening and in its changes during the day. All other facts stay as they
are, because nobody knows how players would have played under other odds. Nothing is written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import MethodChanged, OptionChanged, TableOpened
from domain.rulebooks import HouseFinding, RuleBook
from domain.rulebooks.overlay import lay
from domain.table.day import edition_of, in_force
from domain.watch.corrected import Corrections, corrected
from domain.watch.finding import Finding
from domain.watch.owed import owed
from domain.watch.verifier import Verifier

METHOD = "dealing_method"


class OptionChange(msgspec.Struct, frozen=True):
    """One changed option, for every table, one table or one game."""

    path: tuple[str, ...]  # progressive, table
    value: Any
    of: str = ""  # a table or a rule book, or empty for all

    def holds(self, table: str, book: RuleBook) -> bool:
        """Whether it applies to this table, and its edition has the option."""
        return self.of in ("", table, book.book) and self.path[0] in book.options


class Amounts(msgspec.Struct):
    """The total owed on wagers of one kind, as far as it is known."""

    wagers: int = 0
    owed_cents: int = 0
    undecided: int = 0

    def add(self, other: "Amounts") -> None:
        """Add another total to this one."""
        self.wagers += other.wagers
        self.owed_cents += other.owed_cents
        self.undecided += other.undecided


class Supposed(msgspec.Struct, frozen=True):
    """A day as it would have been verified."""

    findings: Mapping[str, Finding]
    amounts: Mapping[tuple[str, str], Amounts]  # by rule book and wager


class FindingDifference(msgspec.Struct, frozen=True):
    """A finding that appears, vanishes or changes."""

    kind: str  # appears, vanishes, changes
    before: Finding | None
    after: Finding | None


def changed(opened: TableOpened, changes: Sequence[OptionChange], table: str) -> TableOpened:
    """Return the opening with these options instead of its own."""
    options: dict[str, Any] = _copied(opened.options)
    method = opened.dealing_method
    for change in changes:
        if not change.holds(table, edition_of(opened)):
            continue
        if change.path == (METHOD,):
            method = change.value
            continue
        lay(options, change.path, change.value)
    return msgspec.structs.replace(opened, options=options, dealing_method=method)


def _copied(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _copied(value) if isinstance(value, dict) else value for name, value in options.items()}


def unreadable(opened: TableOpened, changes: Sequence[OptionChange], table: str) -> tuple[HouseFinding, ...]:
    """Return the faults of the changed options that the table's own options did not have."""
    book = edition_of(opened)
    before = {finding.says for finding in in_force(book, opened.options, opened.dealing_method)[1]}
    now = changed(opened, changes, table)
    refused = in_force(book, now.options, now.dealing_method)[1]
    return tuple(finding for finding in refused if finding.says not in before)


def supposed(facts: Iterable[Fact], stream: str, known: Corrections, changes: Sequence[OptionChange]) -> Iterator[Fact]:
    """Return the facts of this day as they would read under these changes."""
    table = stream.partition("/")[0]
    held: list[OptionChange] = []
    for fact in facts:
        read = corrected(fact, known.get(fact.sequence))
        if isinstance(read, TableOpened):
            held = [change for change in changes if change.holds(table, edition_of(read))]
            read = changed(read, held, table)
        elif isinstance(read, OptionChanged | MethodChanged):
            read = _unless_overlaid(read, held)
        if read is not None:
            yield read


def supposing(facts: Iterable[Fact], stream: str, without: frozenset[str]) -> Supposed:
    """Verify a day's facts, without findings of some codes."""
    verifier = Verifier(stream, remembers=None)
    for fact in facts:
        verifier.take(fact)
    findings = {name: found for name, found in verifier.standing.items() if found.code not in without}
    return Supposed(findings, _amounts(verifier))


def _unless_overlaid(fact: Fact, changes: Sequence[OptionChange]) -> Fact | None:
    """Return the fact, unless it changes an option during the day that a change overrides."""
    if isinstance(fact, OptionChanged) and any(change.path[0] == fact.option.split(".")[0] for change in changes):
        return None
    if isinstance(fact, MethodChanged) and any(change.path == (METHOD,) for change in changes):
        return msgspec.structs.replace(fact, dealing_method=None)
    return fact


def _amounts(verifier: Verifier) -> dict[tuple[str, str], Amounts]:
    found: dict[tuple[str, str], Amounts] = {}
    for told in verifier.day.rounds.values():
        if not told.over:
            continue
        for outcomes in owed(told).seats.values():
            for wager, outcome in outcomes.items():
                held = found.setdefault((told.book, wager), Amounts())
                held.wagers += 1
                held.owed_cents += outcome.returned or 0
                held.undecided += outcome.returned is None
    return found


def differences(before: Mapping[str, Finding], after: Mapping[str, Finding]) -> list[FindingDifference]:
    """Return the findings that appear, vanish or change, in the order of the facts."""
    found = [FindingDifference("vanishes", finding, None) for name, finding in before.items() if name not in after]
    for name, finding in after.items():
        was = before.get(name)
        if was is None:
            found.append(FindingDifference("appears", None, finding))
        elif was != finding:
            found.append(FindingDifference("changes", was, finding))
    return sorted(found, key=_place)


def _place(difference: FindingDifference) -> tuple[str, int, str]:
    finding = difference.after or difference.before
    return (finding.stream, finding.trigger, finding.id) if finding else ("", 0, "")
