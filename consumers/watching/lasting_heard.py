"""Findings as people hear them: a state that lasts when it begins, and again when its table closes.

Each further round of a state revises its finding in the log. A person hears a revision only if it changes more than the
length of the stretch.
"""

from collections.abc import Iterator

from domain.facts.envelope import Fact
from domain.watch.finding import Finding
from domain.watch.lasting import CODES
from domain.watch.record import FindingRaised, FindingRevised, FindingWithdrawn, StreamVerified, finding_of


class LastingHeard:
    """The states of open days, and which of them have become longer since they were heard."""

    def __init__(self) -> None:
        self._heard: dict[str, dict[str, Finding]] = {}  # the newest of each finding, by its stream and id
        self._longer: dict[str, set[str]] = {}

    def hear(self, record: Fact) -> Iterator[Finding]:
        """Take the next record, and yield the findings that a person hears now."""
        match record:
            case FindingRaised(code=code) if code in CODES:
                yield from self._state(record)
            case FindingRaised():
                yield finding_of(record)
            case FindingWithdrawn():
                self._heard.get(record.stream, {}).pop(record.finding, None)
                self._longer.get(record.stream, set()).discard(record.finding)
            case StreamVerified(closed=True):
                found, longer = self._heard.pop(record.stream, {}), self._longer.pop(record.stream, set())
                yield from (finding for name, finding in found.items() if name in longer)

    def _state(self, record: FindingRaised) -> Iterator[Finding]:
        finding = finding_of(record)
        held = self._heard.setdefault(record.stream, {})
        before, held[record.finding] = held.get(record.finding), finding
        if isinstance(record, FindingRevised) and _is_longer(before, finding):
            self._longer.setdefault(record.stream, set()).add(record.finding)
        else:
            self._longer.get(record.stream, set()).discard(record.finding)
            yield finding


def _is_longer(before: Finding | None, now: Finding) -> bool:
    """Whether a revision makes a stretch longer; `before` is None if an earlier process reported the first round."""
    if now.to_round is None:
        return False
    return before is None or (before.clauses == now.clauses and now.to_round > (before.to_round or before.round or 0))
