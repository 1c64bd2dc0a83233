"""Scoring of findings against labels: which incidents were found, and which findings belong to none.

A label describes one incident in a simulated floor: the finding it must raise, and others it may cause. A finding
belongs to a label if code, stream, round, seat and wager match as far as the label names them.
"""

from collections.abc import Iterable, Sequence

import msgspec

DETERMINISTIC = "deterministic"  # the facts of one round decide it
STATISTICAL = "statistical"  # only a pattern over many rounds decides it


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding as a label expects it; fields left out match anything."""

    code: str
    stream: str = ""
    first_round: int | None = None
    last_round: int | None = None
    seat: int | None = None
    wager: str = ""
    clauses: tuple[str, ...] = ()
    expected_cents: int | None = None
    observed_cents: int | None = None


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One incident: its name, its kind, its own finding, and the findings it may also cause.

    It touches the rounds from the first to the last; without rounds it concerns the whole day.
    """

    incident: str
    kind: str = DETERMINISTIC
    own: Trace
    besides: tuple[Trace, ...] = ()
    first_round: int | None = None
    last_round: int | None = None
    says: str = ""


class Scored(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fields of a finding that scoring compares."""

    code: str
    stream: str
    round: int | None = None
    seat: int | None = None
    wager: str = ""
    clauses: tuple[str, ...] = ()
    expected_cents: int | None = None
    observed_cents: int | None = None
    finding: str = ""
    to_round: int | None = None  # the last round, if it is about a stretch of them


class Count(msgspec.Struct):
    """The results for the labels and findings of one code."""

    labels: int = 0
    missed: int = 0
    findings: int = 0
    false: int = 0

    @property
    def precision(self) -> float:
        """The share of the findings that belong to an incident."""
        return 1.0 if not self.findings else (self.findings - self.false) / self.findings

    @property
    def recall(self) -> float:
        """The share of the incidents that were found."""
        return 1.0 if not self.labels else (self.labels - self.missed) / self.labels


class Score(msgspec.Struct):
    """The whole result by code; statistical incidents are counted separately."""

    codes: dict[str, Count] = {}
    missed: list[Label] = []
    false: list[Scored] = []
    statistical: Count = msgspec.field(default_factory=Count)

    @property
    def total(self) -> Count:
        """All deterministic codes together."""
        counts = list(self.codes.values())
        return Count(
            sum(each.labels for each in counts),
            sum(each.missed for each in counts),
            sum(each.findings for each in counts),
            sum(each.false for each in counts),
        )

    @property
    def perfect(self) -> bool:
        """Whether no incident was missed and no finding is false."""
        return not self.missed and not self.false


def fits(trace: Trace, finding: Scored) -> bool:
    """Return whether this is the finding a label expects."""
    if finding.code != trace.code or (trace.stream and finding.stream != trace.stream):
        return False
    if not _in_rounds(trace, finding):
        return False
    if (trace.seat is not None and finding.seat != trace.seat) or (trace.wager and finding.wager != trace.wager):
        return False
    if not set(trace.clauses) <= set(finding.clauses):
        return False
    asked = ((trace.expected_cents, finding.expected_cents), (trace.observed_cents, finding.observed_cents))
    return all(wanted is None or wanted == told for wanted, told in asked)


def _in_rounds(trace: Trace, finding: Scored) -> bool:
    if trace.first_round is None:
        return True
    last = trace.first_round if trace.last_round is None else trace.last_round
    first = finding.round
    return first is not None and first <= last and (finding.to_round or first) >= trace.first_round


def score(labels: Sequence[Label], findings: Iterable[Scored]) -> Score:
    """Return the score of findings against labels."""
    found = list(findings)
    by_code: dict[str, list[Scored]] = {}
    for finding in found:
        by_code.setdefault(finding.code, []).append(finding)
    result = Score()
    explained: set[int] = set()
    for label in labels:
        own = [finding for finding in by_code.get(label.own.code, ()) if fits(label.own, finding)]
        for trace in (label.own, *label.besides):
            explained.update(id(finding) for finding in by_code.get(trace.code, ()) if fits(trace, finding))
        count = result.statistical if label.kind == STATISTICAL else _of(result, label.own.code)
        count.labels += 1
        if not own:
            count.missed += 1
            if label.kind != STATISTICAL:
                result.missed.append(label)
    for finding in found:
        count = _of(result, finding.code)
        count.findings += 1
        if id(finding) not in explained:
            count.false += 1
            result.false.append(finding)
    return result


def _of(result: Score, code: str) -> Count:
    return result.codes.setdefault(code, Count())
