"""A report on a feed, in words and as JSON."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from consumers.feeding.report import FeedReport, TableChecked
from domain.feed import Doubt
from domain.spoken import number_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def in_words(report: FeedReport) -> Iterator[str]:
    """Yield the report line by line, the headline first."""
    rounds = sum(table.rounds for table in report.tables)
    judged = sum(table.judged for table in report.tables)
    yield f"{percent(report.judged_share)} of rounds fully judged: {judged} of {rounds}"
    yield "; ".join((f"verdict: {report.verdict}", *report.unchecked))
    yield from _doubts(report.doubts)
    yield ""
    refused = sum(cause.group.count for cause in report.refused)
    known = f"{report.placed} would be recorded, {report.repeated} are repeated"
    yield f"{number_of(report.lines, 'line')}: {known}, {refused} would be refused"
    yield from _refused(report)
    yield from _tables(report.tables)
    if report.undecided:
        yield ""
        yield "Undecided wagers:"
        yield from (f"  {percent(share):>6} {what}" for what, share in report.undecided.items())
    yield ""
    yield "Types of fact: how often, first and last"
    for kind, seen in report.types.items():
        yield f"  {seen.count:>9,}  {kind:<28} {_moment(seen.first_at)}  {_moment(seen.last_at)}"


def _doubts(doubts: tuple[Doubt, ...]) -> Iterator[str]:
    for doubt in doubts:
        yield ""
        yield f"{doubt.severity}: {doubt.code}"
        yield f"  {doubt.says}"
        yield f"  Cure: {doubt.cure}"
        if doubt.facts:
            yield f"  Shown by {', '.join(doubt.facts)}"


def _refused(report: FeedReport) -> Iterator[str]:
    for cause in report.refused:
        group = cause.group
        yield f"  {group.count:>9,}  {group.code}, first at {group.example}: {group.says}"
        if cause.line:
            yield f"             came:  {cause.line[:400]}"
        if cause.mended:
            yield f"             write: {cause.mended[:400]}"


def _tables(tables: tuple[TableChecked, ...]) -> Iterator[str]:
    for table in tables:
        yield ""
        told = f"{table.judged} of {number_of(table.rounds, 'round')} fully judged"
        findings = sum(table.findings.values())
        yield f"{table.stream}, {table.game}: {told}, {number_of(findings, 'finding')}"
        for code, count in table.findings.items():
            yield f"  {count:>9,}  {code}"
        for never in table.missing:
            many = number_of(len(never.clauses), "clause")
            yield f"  never says {never.type}: it decides {many}, such as {never.clauses[0]}"
    if any(table.findings for table in tables):
        yield ""
        yield "`catwalk verify-log` with the file shows each finding."


def in_json(report: FeedReport) -> Iterator[dict[str, Any]]:
    """Yield the report as objects, the verdict last."""
    for kind, seen in report.types.items():
        yield {"type": kind, "count": seen.count, "first_at": seen.first_at, "last_at": seen.last_at}
    for table in report.tables:
        of_it = {"stream": table.stream, "rounds": table.rounds, "judged": table.judged}
        yield {"table": of_it | {"findings": sum(table.findings.values()), "codes": table.findings}}
        for never in table.never:
            told = {"stream": table.stream, "type": never.type, "clauses": never.clauses}
            yield {"never_said": told | {"expected": never in table.missing}}
    for what, share in report.undecided.items():
        yield {"undecided": {"what": what, "wagers": report.wagers[what], "share": decimal(share)}}
    for cause in report.refused:
        group, first = cause.group, cause.group.first
        refused = {"code": group.code, "type": group.type, "field": group.field, "count": group.count}
        yield {
            "refused": refused | {"first": group.example, "says": first.says, "line": cause.line, "write": cause.mended}
        }
    yield {
        "verdict": report.verdict,
        "judged_share": decimal(report.judged_share),
        "unchecked": report.unchecked,
        "doubts": [
            {"code": doubt.code, "says": doubt.says, "cure": doubt.cure, "facts": doubt.facts}
            for doubt in report.doubts
        ],
    }


def percent(share: Fraction) -> str:
    """Return a share as a percentage, rounded down, so that only all is 100%."""
    tenths = share.numerator * 1000 // share.denominator
    return f"{tenths // 10}.{tenths % 10}%"


def decimal(share: Fraction) -> float:
    """Return a share as a number from 0 to 1 with three digits, rounded down."""
    return float(Fraction(share.numerator * 1000 // share.denominator, 1000))


def _moment(at: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError:
        return str(at)
