"""A finding for output: as one JSON object, or as one line for people."""

from typing import Any

from domain.facts.streams import owner
from domain.money import dollars
from domain.spoken import rounds_from
from domain.watch.finding import Finding


def as_object(finding: Finding) -> dict[str, Any]:
    """A finding with its name, its table, and the names of the facts that show it."""
    told: dict[str, Any] = {
        "finding": finding.id,
        "code": finding.code,
        "severity": finding.severity,
        "clauses": finding.clauses,
        "table": owner(finding.stream),
        "stream": finding.stream,
        "round": finding.round,
        "to_round": finding.to_round,
        "seat": finding.seat,
        "wager": finding.wager or None,
        "dealer": finding.dealer or None,
        "deck": finding.deck or None,
        "short_cards": finding.short_cards,
        "expected_cents": finding.expected_cents,
        "observed_cents": finding.observed_cents,
        "at": finding.at,
        "trigger": f"{finding.stream}:{finding.trigger}",
        "evidence": [*(f"{finding.stream}:{sequence}" for sequence in finding.evidence), *_beside(finding)],
        "basis": finding.basis,
        "says": finding.says,
    }
    return {name: value for name, value in told.items() if value is not None}


def _beside(finding: Finding) -> tuple[str, ...]:
    return (finding.beside,) if finding.beside else ()


def as_line(finding: Finding) -> str:
    """A finding in one line."""
    at = f" {rounds_from(finding.round, finding.to_round)}" if finding.round is not None else ""
    risk = finding.at_risk_cents
    money = f" [{dollars(risk)}]" if risk else ""
    cited = f" ({', '.join(finding.clauses)})" if finding.clauses else ""
    return f"{finding.severity}: {finding.stream}{at} {finding.code}{money}: {finding.says}{cited}"
