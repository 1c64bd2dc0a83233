"""The report of an export: question, basis, findings, hands, and undecided wagers."""

import hashlib
from collections import Counter
from typing import Any, Final

from domain.clauses import SEVERITIES
from domain.money import dollars
from domain.spoken import rounds_from
from projections.export.report.glyphs import exact, printable
from projections.export.report.hands import hand, shown_by
from projections.export.report.lists import printed
from projections.export.report.moments import moment, utc
from projections.export.report.setting import pdf
from projections.export.report.told import (
    MOST_FINDINGS,
    MOST_HANDS,
    MOST_TABLES,
    Attached,
    DayLine,
    FoundLine,
    LabeledValue,
    ReportContent,
)
from projections.export.zones import zone_of

_ORDER: Final = {severity: place for place, severity in enumerate(SEVERITIES)}
_UNKNOWN_LAST: Final = len(_ORDER)


def report_pdf(report: ReportContent) -> bytes:
    """Return the report as PDF/A-3a and PDF/UA-1; the same input gives the same bytes."""
    return pdf("report", _told(report), report.bound.at, report.attached)


def _told(report: ReportContent) -> dict[str, Any]:
    zone = zone_of(report.zone)
    standing = [found for found in report.findings if found.state == "standing"]
    return {
        "name": exact(report.name),
        "property": printable(report.property),
        "asked": _pairs(report.asked),
        "bound": {
            "at": moment(report.bound.at, zone),
            "utc": utc(report.bound.at),
            "size": f"{report.bound.size:,}",
            "root": exact(report.bound.root),
        },
        "zone": exact(str(zone)),
        "software": printable(report.software),
        "key": exact(report.key),
        "editions": [
            {"book": exact(e.book), "title": printable(e.title), "edition": exact(e.edition), "digest": exact(e.digest)}
            for e in report.editions
        ],
        "figures": _figures(report, standing),
        "days": [_day(day) for day in report.days[:MOST_TABLES]],
        "days_left": _left(report.days, MOST_TABLES),
        "codes": _codes(standing),
        "findings": [_found(found, report) for found in sorted(report.findings[:MOST_FINDINGS], key=_in_order)],
        "findings_left": _left(report.findings, MOST_FINDINGS),
        "lists": [printed(each) for each in report.lists if each.rows],
        "hands": [hand(each, zone) for each in report.hands[:MOST_HANDS]],
        "hands_left": _left(report.hands, MOST_HANDS),
        "decided": f"{report.decided:,}",
        "undecided": [{"name": printable(line.what), "says": f"{line.wagers:,}"} for line in report.undecided],
        "notes": [printable(note) for note in report.notes],
        "holds": [_file(file) for file in report.attached],
    }


def _pairs(pairs: tuple[LabeledValue, ...]) -> list[dict[str, str]]:
    return [{"name": printable(pair.name), "says": printable(pair.says) or "-"} for pair in pairs]


def _figures(report: ReportContent, standing: list[FoundLine]) -> list[dict[str, str]]:
    """Return the figures at the top of the report."""
    days = report.days
    known = [day for day in days if day.back_cents is not None and day.staked_cents is not None]
    left = f" of {len(known):,} of {len(days):,} days" if len(known) < len(days) else ""
    at_risk = sum(risk for found in standing if (risk := _at_risk(found)) is not None)
    return [
        {"name": "table days", "says": f"{len(days):,}"},
        {"name": "rounds", "says": f"{sum(day.rounds for day in days):,}"},
        {"name": "hands", "says": f"{sum(day.hands for day in days):,}"},
        {"name": f"staked{left}", "says": dollars(sum(day.staked_cents or 0 for day in known))},
        {"name": f"handed back{left}", "says": dollars(sum(day.back_cents or 0 for day in known))},
        {"name": "standing findings", "says": f"{len(standing):,}"},
        {"name": "money in these findings", "says": dollars(at_risk)},
        {"name": "wagers and envy bonuses checked", "says": f"{report.decided:,}"},
        {"name": "undecided wagers", "says": f"{sum(line.wagers for line in report.undecided):,}"},
    ]


def _day(day: DayLine) -> list[str]:
    return [
        exact(day.stream),
        exact(day.book),
        f"{day.rounds:,}",
        f"{day.hands:,}",
        dollars(day.staked_cents),
        dollars(day.back_cents),
        dollars(day.owed_cents),
        f"{day.undecided:,}",
        f"{day.findings:,}",
        f"{day.to_sequence:,}",
    ]


def _codes(standing: list[FoundLine]) -> list[list[str]]:
    """Return the number of standing findings per code, most severe first, and the money they are about."""
    many = Counter((found.severity, found.code) for found in standing)
    money: Counter[tuple[str, str]] = Counter()
    for found in standing:
        money[found.severity, found.code] += _at_risk(found) or 0
    ordered = sorted(many, key=lambda key: (_ORDER.get(key[0], _UNKNOWN_LAST), -many[key], key[1]))
    return [[key[0], key[1], f"{many[key]:,}", dollars(money[key]) if money[key] else "-"] for key in ordered]


def _in_order(found: FoundLine) -> tuple[str, str, int, str, str]:
    """Return the sort key of a finding: table, gaming day, round, then time within the round."""
    table, _, day = found.stream.partition("/")
    return table, day, found.round or 0, "" if found.at is None else found.at.isoformat(), found.finding


def _found(found: FoundLine, report: ReportContent) -> dict[str, Any]:
    seat = f", seat {found.seat}" if found.seat is not None else ""
    at = f" {rounds_from(found.round, found.to_round)}" if found.round is not None else ""
    where = f"{exact(found.stream)}{at}{seat}"
    amounts = found.expected_cents is not None or found.observed_cents is not None
    about = [
        LabeledValue("Wager", found.wager.replace("_", " ")),
        LabeledValue("Dealer", found.dealer),
        LabeledValue("Expected", dollars(found.expected_cents) if amounts else ""),
        LabeledValue("Observed", dollars(found.observed_cents) if amounts else ""),
        LabeledValue("Rests on", "a reading of the text" if found.basis == "reading" else ""),
    ]
    return {
        "name": exact(found.finding),
        "code": exact(found.code),
        "severity": found.severity,
        "state": "" if found.state == "standing" else found.state,
        "where": where,
        "at": moment(found.at, zone_of(report.zone)) if found.at is not None else "",
        "says": printable(found.says),
        "about": [{"name": pair.name, "says": printable(pair.says)} for pair in about if pair.says],
        "clauses": [{"name": exact(name), "says": printable(text)} for name, text in found.clauses.items()],
        "evidence": shown_by(found.evidence),
    }


def _at_risk(found: FoundLine) -> int | None:
    if found.expected_cents is None or found.observed_cents is None:
        return None
    return abs(found.observed_cents - found.expected_cents)


def _file(file: Attached) -> list[str]:
    digest = hashlib.sha256(file.holds).hexdigest()
    return [exact(file.name), printable(file.about), f"{len(file.holds):,}", digest]


def _left(rows: tuple[object, ...], most: int) -> str:
    more = len(rows) - most
    return f"{more:,}" if more > 0 else ""
