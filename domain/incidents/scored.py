"""Scoring of incidents against labels: how many rows one true cause makes, and which incidents hold two causes."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from domain.incidents.incident import FoundIncident
from domain.incidents.item import Item
from domain.scoring import STATISTICAL, Label, Scored, Trace, fits


class IncidentScore(msgspec.Struct, frozen=True):
    """The result: causes that were found, the incidents they make, and incidents with findings of several causes."""

    causes: int
    incidents: int
    split: tuple[str, ...]  # labels whose findings are in several incidents, by name, once for each one too many
    merged: tuple[tuple[str, ...], ...]  # for each such incident, the names of its causes

    @property
    def per_cause(self) -> float:
        """The number of incidents that one true cause makes, on average."""
        return self.incidents / self.causes if self.causes else 1.0

    @property
    def merged_share(self) -> float:
        """The share of incidents that hold several causes."""
        return len(self.merged) / self.incidents if self.incidents else 0.0


def score_incidents(labels: Sequence[Label], found: Sequence[FoundIncident]) -> IncidentScore:
    """Return the score of incidents against labels. Findings that fit no label are left out; `score` counts those."""
    causes = _causes(labels)
    traces: dict[str, list[tuple[bool, int, Trace]]] = {}
    for number, label in enumerate(labels):
        for trace in (label.own, *label.besides):
            traces.setdefault(trace.code, []).append((trace is label.own, causes[number], trace))
    held: dict[int, int] = {}
    merged = []
    counted = 0
    for incident in found:
        of_it = [fit for item in incident.findings if (fit := _fits(item, traces))]
        chosen = _fewest(of_it)
        counted += bool(chosen)
        for cause in chosen:
            held[cause] = held.get(cause, 0) + 1
        if len(chosen) > 1:
            merged.append(tuple(sorted(labels[cause].incident for cause in chosen)))
    split = [labels[cause].incident for cause, many in held.items() for _ in range(many - 1)]
    return IncidentScore(len(held), counted, tuple(sorted(split)), tuple(merged))


def _causes(labels: Sequence[Label]) -> list[int]:
    """Return each label's cause: its own number, or that of the pattern over many rounds that it is part of."""
    patterns = [(number, label) for number, label in enumerate(labels) if label.kind == STATISTICAL]
    return [
        next((number for number, pattern in patterns if _is_part(label, pattern)), own)
        for own, label in enumerate(labels)
    ]


def _is_part(label: Label, pattern: Label) -> bool:
    if label.incident != pattern.incident or label.own.stream != pattern.own.stream:
        return False
    first = label.own.first_round if label.first_round is None else label.first_round
    within = None not in (first, pattern.first_round, pattern.last_round) and (
        (pattern.first_round or 0) <= (first or 0) <= (pattern.last_round or 0)
    )
    return within and pattern.own.seat in (None, label.own.seat)


def _fits(item: Item, traces: dict[str, list[tuple[bool, int, Trace]]]) -> set[int]:
    """Return the causes of a finding: those whose own finding it is, or else those it follows from."""
    told = Scored(
        code=item.code,
        stream=item.stream,
        round=item.round,
        seat=item.seat,
        wager=item.wager,
        clauses=item.clauses,
        expected_cents=item.expected_cents,
        observed_cents=item.observed_cents,
    )
    fitting = [(own, cause) for own, cause, trace in traces.get(item.code, ()) if fits(trace, told)]
    return {cause for own, cause in fitting if own} or {cause for _, cause in fitting}


def _fewest(of_it: list[set[int]]) -> list[int]:
    """Return few causes that explain all findings of an incident, the one that explains most first."""
    chosen: list[int] = []
    while of_it:
        cause = min(Counter(cause for each in of_it for cause in each).items(), key=lambda one: (-one[1], one[0]))[0]
        chosen.append(cause)
        of_it = [each for each in of_it if cause not in each]
    return chosen
