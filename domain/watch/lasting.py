"""Findings about a state that lasts: one finding for its stretch of rounds, found where it begins.

A person who is not seated wagers round after round; a deck goes unshuffled from round to round. Each round shows the
same state, in the same words. What is shown again within a few rounds revises the first finding.
"""

from collections.abc import Iterable

import msgspec

from domain.spoken import number_of
from domain.watch.finding import Finding

# The codes of states; every other finding is about what happened once.
CODES = frozenset(
    {
        *("bad-deck-in-play", "cover-all-device-mode-wrong", "deck-not-removed", "marker-misplaced"),
        *("positions-not-adjacent", "positions-too-many"),
        *("progressive-system-missing", "shuffle-missing", "wager-unseated"),
    }
)
_GAP = 2  # rounds: two decks alternate, and a player may sit out a round
_GAPS = {"deck-not-removed": 5}  # the other deck may be dealt until this one's stub is due to be counted again

Key = tuple[str, int | None, str, str]
Replaced = tuple[dict[str, Finding], dict[str, Finding]]  # the findings before and now, by id


class LastingFindings:
    """The states of a day, by the rounds that show them."""

    def __init__(self) -> None:
        self._shown: dict[Key, dict[int, Finding]] = {}  # by round

    def add(self, key: Key, finding: Finding) -> Replaced:
        """Add what a round shows of a state; return the findings about it before and now."""
        held = self._shown.setdefault(key, {})
        before = stretches(held)
        held.setdefault(finding.round or 0, finding)
        return before, stretches(held)

    def judged(self, number: int, now: Iterable[Finding]) -> Replaced:
        """Replace what a judged round shows of states; return the findings about these states before and now."""
        shows = {key: finding for finding in now if (key := key_of(finding)) is not None}
        touched = [key for key, held in self._shown.items() if number in held and key not in shows]
        before: dict[str, Finding] = {}
        after: dict[str, Finding] = {}
        for key in (*touched, *shows):
            held = self._shown.setdefault(key, {})
            before |= stretches(held)
            held.pop(number, None)
            if key in shows:
                held[number] = shows[key]
            after |= stretches(held)
        return before, after


def key_of(finding: Finding) -> Key | None:
    """Return what a finding says of a state; None if it is about what happened once."""
    if finding.code not in CODES or finding.round is None:
        return None
    return finding.code, finding.seat, finding.wager, finding.says


def stretches(shown: dict[int, Finding]) -> dict[str, Finding]:
    """Return one finding for each stretch of rounds that show a state, by id."""
    found: dict[str, Finding] = {}
    run: list[Finding] = []
    for number in sorted(shown):
        if run and number - (run[-1].round or 0) > _GAPS.get(run[-1].code, _GAP):
            found |= _as_one(run)
            run = []
        run.append(shown[number])
    return found | _as_one(run)


def _as_one(run: list[Finding]) -> dict[str, Finding]:
    if not run:
        return {}
    first, last = run[0], run[-1]
    if last is not first:
        says = f"{first.says} It lasted for {number_of(len(run), 'round')}, up to round {last.round}."
        evidence = tuple(sorted({*first.evidence, last.trigger}))
        first = msgspec.structs.replace(first, says=says, evidence=evidence)
    return {first.id: first}
