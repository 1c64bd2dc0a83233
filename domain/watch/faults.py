"""A fault of Catwalk's own in one round: it costs what it touches and no more, and it is a finding.

A detector or the settlement of a round that fails is our mistake, whatever the record says. Nothing else depends on it,
so the round's other detectors and every other round are judged as usual. A fold that fails is another matter: all later
facts would be judged on a state that is wrong (`verifier-stopped`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from domain.table.round import RoundInPlay
from domain.watch.finding import Finding, Shown, of_the_record
from domain.watch.owed import worked_out

NOT_JUDGED = "round-not-judged"

Detect = Callable[..., Iterable[Finding]]


def found_in_round(judges: Iterable[Detect], told: RoundInPlay) -> dict[str, Finding]:
    """Return what these judges find in a round, by id, with a finding on those that failed."""
    found = {finding.id: finding for finding in found_by(judges, told, told)}
    if failed := worked_out(told).failed:
        finding = _not_judged(told, f"its settlement ({failed})")
        found[finding.id] = finding
    return found


def found_by(detectors: Iterable[Detect], about: Shown | RoundInPlay, *given: Any) -> list[Finding]:
    """Return what these detectors find; where one fails, the others are asked again, each by itself."""
    try:
        return [finding for run in detectors for finding in run(*given)]
    except Exception:  # our mistake, in one of them
        return list(_one_by_one(detectors, about, *given))


def _one_by_one(detectors: Iterable[Detect], about: Shown | RoundInPlay, *given: Any) -> Iterator[Finding]:
    failed = []
    for run in detectors:
        try:
            found = list(run(*given))
        except Exception as error:  # our mistake, in this one
            failed.append(f"{run.__name__} ({type(error).__name__}: {error})")
            continue
        yield from found
    if failed:
        yield _not_judged(about, ", ".join(failed))


def _not_judged(about: Shown | RoundInPlay, failed: str) -> Finding:
    shown = about.facts[0] if isinstance(about, RoundInPlay) else about
    says = f"Catwalk failed here by a fault of its own: {failed}. Its other checks of this round were made."
    return of_the_record(NOT_JUDGED, shown, says, [shown])
