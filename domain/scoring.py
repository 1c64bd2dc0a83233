"""Findings against labels: what was found of what was put there, and what was found besides.

A label tells of one incident woven into a floor: the finding it must raise, and those it may rightly cause besides.
A finding belongs to a label when code, stream, round, seat and wager fit as far as the label says them.
"""

from collections.abc import Iterable, Sequence

import msgspec

DETERMINISTIC = "deterministic"  # one round's facts decide it
STATISTICAL = "statistical"  # only a pattern over many rounds


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding as a label expects it; what is left out may be anything."""

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
    """One incident: its name, its kind, the finding that is its own, and what it causes besides.

    The rounds it touches are those from the first to the last; where neither is told it is about the whole day.
    """

    incident: str
    kind: str = DETERMINISTIC
    own: Trace
    besides: tuple[Trace, ...] = ()
    first_round: int | None = None
    last_round: int | None = None
    says: str = ""


class Scored(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding as it is scored."""

    code: str
    stream: str
    round: int | None = None
    seat: int | None = None
    wager: str = ""
    clauses: tuple[str, ...] = ()
    expected_cents: int | None = None
    observed_cents: int | None = None
    finding: str = ""


class Count(msgspec.Struct):
    """What became of the labels and findings of one code."""

    labels: int = 0
    missed: int = 0
    findings: int = 0
    false: int = 0

    @property
    def precision(self) -> float:
        """The part of the findings that belong to an incident."""
        return 1.0 if not self.findings else (self.findings - self.false) / self.findings

    @property
    def recall(self) -> float:
        """The part of the incidents that were found."""
        return 1.0 if not self.labels else (self.labels - self.missed) / self.labels


class Score(msgspec.Struct):
    """The whole reckoning, by code; statistical incidents are told apart."""

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
        """Nothing missed and nothing found that is not there."""
        return not self.missed and not self.false


def fits(trace: Trace, finding: Scored) -> bool:
    """Whether this is the finding a label expects."""
    if finding.code != trace.code or (trace.stream and finding.stream != trace.stream):
        return False
    if not _in_rounds(trace, finding.round):
        return False
    if (trace.seat is not None and finding.seat != trace.seat) or (trace.wager and finding.wager != trace.wager):
        return False
    if not set(trace.clauses) <= set(finding.clauses):
        return False
    asked = ((trace.expected_cents, finding.expected_cents), (trace.observed_cents, finding.observed_cents))
    return all(wanted is None or wanted == told for wanted, told in asked)


def _in_rounds(trace: Trace, number: int | None) -> bool:
    if trace.first_round is None:
        return True
    last = trace.first_round if trace.last_round is None else trace.last_round
    return number is not None and trace.first_round <= number <= last


def score(labels: Sequence[Label], findings: Iterable[Scored]) -> Score:
    """Labels and findings set against each other."""
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
