"""The content of the report for people: noted day by day while an export is made, and combined at its end."""

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec

from consumers.exporting.lists import read
from consumers.exporting.record import HeldStream, Tree, readable, sequence_in
from consumers.exporting.staging import BAG, Staging
from consumers.exporting.writing import DAYS, HANDS, NOTES, StreamLine, file_of
from domain.clauses import SEVERITIES
from domain.watch.finding import Finding
from domain.watch.owed_vs_paid import DECIDED
from domain.watch.reconstruction import Reconstruction, reconstructed
from domain.watch.record import sealed_by
from projections.changes import Row
from projections.export import found
from projections.export.columns import TABLES, Cells
from projections.export.day import FoldedStream
from projections.export.faults import as_stored
from projections.export.layout import STREAMS
from projections.export.question import ExportQuestion, Scope
from projections.export.question import NamedEdition as InForce
from projections.export.report.lists import PRINTED, listed
from projections.export.report.moments import of_micros
from projections.export.report.told import (
    MOST_HANDS,
    Attached,
    DayLine,
    FoundLine,
    LabeledValue,
    OpenLine,
    ReportCheckpoint,
    ReportContent,
    ReportEdition,
)

_MOST_FINDINGS: Final = 100_000  # findings in the report's sums; the table has all
_MOST_ATTACHED: Final = 20_000_000  # bytes of the tables attached to the report
_TITLES: Final = {
    "card_record": "Stub counts and deck changes",
    "counts": "The number of records of each type in each stream",
    "coverage": "Decided and undecided wagers, by what was missing",
    "deck_ledger": "The decks and their counts",
    "errors": "Wagers whose returned amount differs from the amount owed, and the amounts to repay",
    "faults": "Faults of the record itself: unreadable records, broken chains, gaps, invalid seals",
    "findings": "The findings, with their clauses",
    "hands": "Every hand",
    "openers": "Openers beside the previous closers",
    "paid": "Amounts staked, collected, paid and returned, as recorded",
    "players": "The players' names",
    "rounds": "Every round",
    "statistics": "Drop, win and hold of tables and games",
    "table_money": "Openers, fills, credits, drops and closers",
    "wagers": "Every wager, with the amounts owed and handed back",
}
_SEVERITY = {severity: place for place, severity in enumerate(SEVERITIES)}
_PLACE = {name: place for place, name in enumerate(found.NAMES)}


class DayNoted(msgspec.Struct, frozen=True):
    """A day's line in the report, and its decided and undecided wagers."""

    line: DayLine
    coverage: dict[str, int]


def day_noted(
    held: HeldStream,
    day: FoldedStream,
    rows: Mapping[str, Sequence[Cells]],
    standing: Collection[Finding],
    rounds: set[int] | None,
) -> DayNoted:
    """The report's content for one day of a table."""
    coverage = {str(row[3]): int(row[4]) for row in rows["coverage"]}
    findings = [each for each in standing if rounds is None or any(map(each.is_in, rounds))]
    line = DayLine(
        stream=held.stream,
        book=day.fold.day.book,
        rounds=len(rows["rounds"]),
        hands=_sum(rows["rounds"], "hands") or 0,
        staked_cents=_sum(rows["rounds"], "staked_cents"),
        back_cents=_sum(rows["rounds"], "back_cents"),
        owed_cents=_sum(rows["rounds"], "owed_cents"),
        undecided=sum(coverage.values()) - coverage.get(DECIDED, 0),
        findings=len(findings),
        to_sequence=held.last,
    )
    return DayNoted(line, coverage)


def _sum(rows: Iterable[Cells], column: str) -> int | None:
    """The sum of a column of rounds; None if one of them is unknown."""
    place = next(place for place, each in enumerate(TABLES["rounds"]) if each.name == column)
    total = 0
    for row in rows:
        cell = row[place]
        if not isinstance(cell, int):
            return None
        total += cell
    return total


def hands_of(
    day: FoldedStream, standing: Sequence[Finding], rounds: set[int] | None, shown: int
) -> Iterator[Reconstruction]:
    """The hands in the report: the requested ones, or those with the most serious findings; `shown` already exist."""
    if rounds is None:
        graver = [each for each in standing if _SEVERITY.get(each.severity, 9) <= _SEVERITY["integrity"]]
        wanted = sorted({each.round for each in graver if each.round is not None and each.round in day.rounds})
    else:
        wanted = sorted(rounds)
    numbers = sorted(day.rounds)
    for number in wanted[: max(0, MOST_HANDS - shown)]:
        place = numbers.index(number)
        before = numbers[place - 1] if place and rounds is None else None
        after = numbers[place + 1] if place + 1 < len(numbers) and rounds is None else None
        about = [each for each in standing if each.is_in(number)]
        yield reconstructed(day.rounds[number], about, before, after, day.fold.day.unjudged)


def report_of(
    question: ExportQuestion, staging: Staging, tree: Tree, origin_property: str, faults: int
) -> ReportContent:
    """The report, from the files in the folder."""
    days = [msgspec.json.decode(line, type=DayNoted) for line in staging.noted(DAYS)]
    covered: Counter[str] = Counter()
    for day in days:
        covered.update(day.coverage)
    findings, more = _findings(staging)
    notes = [msgspec.json.decode(line, type=str) for line in staging.noted(NOTES)]
    if more:
        notes.append(f"The figures count only the {len(findings):,} most severe of {more + len(findings):,} findings.")
    if faults:
        says = "invalid seals, or records that are unreadable, are missing, or do not name the one before"
        notes.append(f"The record itself has {faults:,} faults: {says}. The table faults lists them.")
    bound = question.checkpoint
    return ReportContent(
        name=question.name,
        property=origin_property,
        zone=question.zone,
        software=question.software,
        asked=asked(question),
        bound=ReportCheckpoint(bound.size, bound.root, datetime.fromisoformat(bound.time)),
        editions=tuple(_edition(each) for each in question.books),
        days=tuple(day.line for day in days),
        findings=tuple(findings),
        hands=tuple(msgspec.json.decode(line, type=Reconstruction) for line in staging.noted(HANDS)),
        decided=covered.pop(DECIDED, 0),
        undecided=tuple(OpenLine(what, wagers) for what, wagers in covered.most_common()),
        notes=tuple(notes),
        lists=tuple(listed(table, read(staging, table)) for table in PRINTED),
        attached=tuple(_attached(staging)),
        key=sha256(tree.key.public).hexdigest(),
    )


def _edition(each: InForce) -> ReportEdition:
    title = each.title if each.shipped else f"{each.title} (not shipped with this software)"
    return ReportEdition(each.book, title, each.digest[:12], each.digest)


def asked(question: ExportQuestion) -> tuple[LabeledValue, ...]:
    """The question's parts, in reading order."""
    scope = question.scope
    named = {
        "Purpose": question.purpose,
        "Recipient": question.recipient,
        **_scope_pairs(scope),
        "Ordered by": question.ordered_by,
        "Signed by": question.signed_by,
        "Identities": "tokens instead of the players' names" if question.identities == "tokens" else "named",
    }
    return tuple(LabeledValue(name, says) for name, says in named.items() if says)


def in_words(question: ExportQuestion) -> str:
    """The question in one line."""
    said = _scope_pairs(question.scope) | {"Players": "named" if question.identities == "named" else ""}
    return "; ".join(f"{name}: {says}" for name, says in said.items() if says)


def _scope_pairs(scope: Scope) -> dict[str, str]:
    days = "" if scope.days is None else " to ".join(dict.fromkeys(scope.days))
    return {
        "Gaming days": days or ("" if scope.in_part else "all up to the checkpoint"),
        "Tables": ", ".join(scope.tables),
        "Games": ", ".join(scope.games),
        "Player": scope.player,
        "Case": scope.case,
        "Finding": scope.finding,
        "Hand": scope.hand,
        "Access log": "included" if scope.access else "",
        "To date": "months and years, with the previous year" if scope.to_date else "",
    }


def _findings(staging: Staging) -> tuple[list[FoundLine], int]:
    """The most serious findings, standing ones first, and the number of the others."""
    total = 0

    def told() -> Iterator[tuple[tuple[bool, int, str, str], Row]]:
        nonlocal total
        for row in _rows(staging):
            total += 1
            stands = row[_PLACE["state"]] == "standing"
            severity = _SEVERITY.get(row[_PLACE["severity"]], 9)
            yield (not stands, severity, row[_PLACE["stream"]], row[_PLACE["finding"]]), row

    first = heapq.nsmallest(_MOST_FINDINGS, told(), key=lambda each: each[0])
    return [_found(row) for _, row in first], total - len(first)


def _rows(staging: Staging) -> Iterator[Row]:
    """The findings, read from the files of the export."""
    files = staging.files()
    for line in staging.noted(f"{BAG}/{STREAMS}"):
        held = msgspec.json.decode(line, type=StreamLine)
        if held.kind == "findings" and not sealed_by(held.stream):
            lines = files[f"data/findings/{held.stream}.jsonl"].read_bytes().split(b"\n")[:-1]
            records = [readable("findings", held.stream, sequence_in(each), each) for each in map(as_stored, lines)]
            yield from found.rows_of(held.stream, (each for each in records if each is not None))


def _found(row: Row) -> FoundLine:
    told = dict(zip(found.NAMES, row, strict=False))
    return FoundLine(
        finding=told["finding"],
        code=told["code"],
        severity=told["severity"],
        stream=told["stream"],
        at=of_micros(told["at"]),
        says=told["says"],
        clauses=found.gists(told["clauses"]),
        round=told["round"],
        to_round=told["to_round"],
        seat=told["seat"],
        wager=told["wager"],
        dealer=told["dealer"],
        expected_cents=told["expected_cents"],
        observed_cents=told["observed_cents"],
        evidence=tuple(f"{told['stream']}:{sequence}" for sequence in told["evidence"]),
        basis=told["basis"],
        state=told["state"],
    )


def _attached(staging: Staging) -> Iterator[Attached]:
    """The tables themselves, the smaller ones first, as far as a reader can still open the report."""
    files = staging.files()
    tables = {name: files[file_of(name)] for name in TABLES if file_of(name) in files}
    left = _MOST_ATTACHED
    small = set()
    for name, file in sorted(tables.items(), key=lambda each: (each[1].stat().st_size, each[0])):
        left -= file.stat().st_size
        if left >= 0:
            small.add(name)
    for name in sorted(small):
        yield Attached(f"{name}.csv", _TITLES[name], tables[name].read_bytes())
