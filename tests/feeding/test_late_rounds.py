"""Rounds that late facts change: a feed's check judges each once more, and finds what judging at each fact finds."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from types import FrameType

import msgspec
import pytest

from consumers.feeding.judging import CheckedDays
from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.watch.faults import found_in_round
from domain.watch.finding import Finding
from domain.watch.owed_vs_paid import coverage
from domain.watch.verifier import FindingChange, Verifier
from tests.feeding.days import GAMES, WHOLE, checked, day
from tests.feeding.mismapped import Day, read, written

_NUMBERS = 5
_FEW = 14  # judging at each fact is slow where rounds are opened again


def numbered_again(lines: Day) -> Day:
    """The lines, with round numbers that start again after five."""
    return [line | ({"round": (line["round"] - 1) % _NUMBERS + 1} if line.get("round") else {}) for line in lines]


def restarted(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, with the same round numbers."""
    return [msgspec.structs.replace(fact, round=fact.round and (fact.round - 1) % _NUMBERS + 1) for fact in facts]


def paid_late(facts: Sequence[Fact]) -> list[Fact]:
    """The facts, each payment a cent short and two rounds late: three rounds later its round is forgotten."""
    now: list[Fact] = []
    late: list[tuple[int, Fact]] = []
    for fact in facts:
        due = [] if fact.round is None else [each for number, each in late if number + 2 < fact.round]
        now += due
        late = [each for each in late if each[1] not in due]
        if isinstance(fact, WagerPaid) and fact.round is not None:
            late.append((fact.round, msgspec.structs.replace(fact, cents=(fact.cents or 1) - 1)))
        else:
            now.append(fact)
    return [msgspec.structs.replace(fact, sequence=place) for place, fact in enumerate(now, 1)]


def in_rounds(verifier: Verifier) -> dict[str, set[int]]:
    """The rounds of each lasting state that still stands."""
    return {code: rounds for code, rounds in verifier.rounds_of_states().items() if rounds}


def told_of(changes: Sequence[FindingChange], told: dict[str, Finding]) -> None:
    """Let the findings told so far change."""
    for change in changes:
        if change.kind == "withdrawn":
            del told[change.finding.id]
        else:
            told[change.finding.id] = change.finding


def calls(work: Callable[[], object]) -> Counter[str]:
    """The number of calls of each function."""
    called: Counter[str] = Counter()

    def heard(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called[frame.f_code.co_qualname] += 1

    sys.setprofile(heard)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("game", GAMES)
def test_a_round_opened_again_and_again_is_judged_once_more(game: str) -> None:
    lines = read(day(game, WHOLE[game][0]))
    rounds = max(line.get("round") or 0 for line in lines)
    text = written(numbered_again(lines))
    made = calls(lambda: checked(text))
    assert rounds > 30
    assert _NUMBERS < made[found_in_round.__qualname__] <= 4 * _NUMBERS
    assert _NUMBERS < made[coverage.__qualname__] <= 8 * _NUMBERS


@pytest.mark.parametrize("late", [restarted, paid_late])
@pytest.mark.parametrize("game", GAMES)
def test_judging_late_finds_what_judging_at_each_fact_finds(
    game: str, late: Callable[[Sequence[Fact]], list[Fact]]
) -> None:
    played = [decode(line.encode()) for line in day(game, WHOLE[game][0]).splitlines()]
    facts = late([fact for fact in played if (fact.round or 0) <= _FEW])
    for end in (len(facts), len(facts) * 3 // 4):
        stream = facts[0].stream
        at_once, at_the_end = Verifier(stream, 6), CheckedDays().verifier(stream, 6)
        told: dict[str, Finding] = {}
        for fact in facts[:end]:
            at_once.take(fact)
            told_of(at_the_end.take(fact), told)
        told_of(at_the_end.judge_postponed(facts[0]), told)
        assert told == at_the_end.standing == at_once.standing != {}
        assert +Counter(at_the_end.wagers) == +Counter(at_once.wagers) != {}
        assert at_the_end.undecided == at_once.undecided
        assert at_the_end.rounds_judged == at_once.rounds_judged
        assert in_rounds(at_the_end) == in_rounds(at_once)
