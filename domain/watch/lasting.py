"""Findings about a state that lasts: one finding for its stretch of rounds, found where it begins.

A person who is not seated wagers round after round; a deck goes unshuffled from round to round. Each round shows the
same state, in the same words. What is shown again within a few rounds revises the first finding.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from domain.facts.wagers import WagerPlaced
from domain.spoken import number_of
from domain.table.round import RoundInPlay
from domain.watch.finding import Finding

# The codes of states; every other finding is about what happened once.
CODES = frozenset(
    {
        *("bad-deck-in-play", "cover-all-device-mode-wrong", "deck-not-removed", "marker-misplaced"),
        *("positions-not-adjacent", "positions-too-many"),
        *("progressive-system-missing", "shuffle-missing", "wager-unseated"),
    }
)
_OF_A_DECK = frozenset({"bad-deck-in-play", "deck-not-removed"})
_GAP = 2  # rounds: two decks alternate, and a player may sit out a round
_GAPS = {"deck-not-removed": 5}  # the other deck may be dealt until this one's stub is due to be counted again

Key = tuple[str, int | None, str, str]
Who = tuple[str, str]  # the dealer that the finding names, and the player at its seat
Replaced = tuple[dict[str, Finding], dict[str, Finding]]  # the findings before and now, by id


class State(NamedTuple):
    """A finding about a state in one round, and the persons it is about."""

    who: Who
    finding: Finding


Shown = Mapping[int, Sequence[State]]  # what rounds show of one state


def of_round(told: RoundInPlay, finding: Finding) -> State:
    """Return what a judged round shows of a state, and of whom: who wagered at that seat, or else who sat there."""
    if finding.seat is None:
        return of_table(finding)
    wagered = (fact.player for fact in told.of(WagerPlaced) if fact.sequence == finding.trigger)
    return State((finding.dealer, next(wagered, "") or told.seated.get(finding.seat, "")), finding)


def of_table(finding: Finding) -> State:
    """Return what a finding without a seat shows of a state: its dealer matters unless it is about a deck."""
    return State(("" if finding.code in _OF_A_DECK else finding.dealer, ""), finding)


class LastingFindings:
    """The states of a day, by the rounds that show them."""

    def __init__(self) -> None:
        self._shown: dict[Key, dict[int, list[State]]] = {}

    def add(self, key: Key, state: State) -> Replaced:
        """Add what a round shows of a state; return the findings about it before and now."""
        held = self._shown.setdefault(key, {})
        before = stretches(held)
        of_round = held.setdefault(state.finding.round or 0, [])
        if all(each.finding.id != state.finding.id for each in of_round):
            of_round.append(state)
        return before, stretches(held)

    def judged(self, number: int, now: Iterable[State]) -> Replaced:
        """Replace what a judged round shows of states; return the findings about these states before and now."""
        shows: dict[Key, list[State]] = {}
        for state in now:
            key = key_of(state.finding)
            if key is not None:
                shows.setdefault(key, []).append(state)
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

    def rounds(self) -> dict[str, set[int]]:
        """Return the rounds that show a state, by the code of the finding."""
        found: dict[str, set[int]] = {}
        for (code, *_), held in self._shown.items():
            found.setdefault(code, set()).update(held)
        return found


def key_of(finding: Finding) -> Key | None:
    """Return what a finding says of a state; None if it is about what happened once."""
    if finding.code not in CODES or finding.round is None:
        return None
    return finding.code, finding.seat, finding.wager, finding.says


def stretches(shown: Shown) -> dict[str, Finding]:
    """Return one finding for each stretch of rounds that show a state of the same dealer and player, by id.

    Findings of one round never join: the second one has a stretch of its own.
    """
    runs: list[list[Finding]] = []
    newest: dict[tuple[Who, int], list[Finding]] = {}
    for number in sorted(shown):
        seen: Counter[Who] = Counter()
        for who, finding in shown[number]:
            place = who, seen[who]
            seen[who] += 1
            run = newest.get(place)
            if run is None or not _goes_on(shown, who, run[-1], number):
                run = newest[place] = []
                runs.append(run)
            run.append(finding)
    return {run[0].id: _as_one(run) for run in runs}


def _goes_on(shown: Shown, who: Who, last: Finding, number: int) -> bool:
    """Whether a round continues a stretch: near enough to its last one, with no round of others between them."""
    since = last.round or 0
    between = (state for each in range(since + 1, number) for state in shown.get(each, ()))
    return number - since <= _GAPS.get(last.code, _GAP) and all(state.who == who for state in between)


def _as_one(run: list[Finding]) -> Finding:
    first, last = run[0], run[-1]
    if last is first:
        return first
    says = f"{first.says} It lasted for {number_of(len(run), 'round')}, up to round {last.round}."
    evidence = tuple(sorted({*first.evidence, last.trigger}))
    return msgspec.structs.replace(first, says=says, evidence=evidence, to_round=last.round)
