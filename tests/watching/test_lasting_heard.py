"""A state that lasts is heard when it begins and when its table closes; the log has every revision."""

from collections import Counter

import msgspec
import pytest

from consumers.watching.lasting_heard import LastingHeard
from domain.facts.codec import encode
from domain.simulation.edits import broken, drop
from domain.simulation.scripted import day, round_, seat
from domain.watch.record import FindingRaised, FindingRevised, FindingWithdrawn, StreamVerified, decode
from tests.watch.harness import recorded
from tests.watching.memory import MemoryLog, Watched

ROUNDS = 12
CODE = "wager-unseated"


def unseated(rounds: int = ROUNDS) -> list[bytes]:
    """A day on which the person at seat 3 is never seated."""
    lawful = day("COL", rounds=[round_(seat(1), seat(3))] * rounds)
    return [encode(fact) for fact in recorded(broken(lawful, drop("player-seated", seat=3)))]


def test_a_state_is_heard_at_its_beginning_and_at_the_close() -> None:
    facts = unseated()
    watched = Watched(MemoryLog(facts)).take()
    assert [(one.code, one.round, one.to_round) for one in watched.heard] == [(CODE, 1, None), (CODE, 1, ROUNDS)]
    kinds = Counter(type(decode(stored)) for stored in watched.findings.stored)
    assert (kinds[FindingRaised], kinds[FindingRevised]) == (1, ROUNDS - 1), "the log has them all"


@pytest.mark.parametrize("stops", range(40, 120, 20))
def test_a_watcher_that_starts_again_tells_it_at_the_close_and_not_between(stops: int) -> None:
    facts = unseated()
    first = Watched(MemoryLog(facts)).take(stops)
    second = Watched(MemoryLog(facts), first.findings).take()
    assert [one.to_round for one in (*first.heard, *second.heard)] == [None, ROUNDS]


def test_a_state_of_one_round_is_heard_once() -> None:
    assert Watched(MemoryLog(unseated(1))).take().codes() == [CODE]


RAISED = FindingRaised(
    finding="f", code=CODE, severity="procedure", clauses=("COL 6(b)/s1",), says="Shown.", trigger=9, known_by=9,
    stream="T7/2026-11-18", round=1, at=1, source="verifier", source_key="1",
)  # fmt: skip


def _revised(**parts: object) -> FindingRevised:
    return FindingRevised(**{**msgspec.structs.asdict(RAISED), **parts})


def _hear(heard: LastingHeard, record: FindingRaised) -> list[int | None]:
    return [finding.to_round for finding in heard.hear(record)]


def test_a_revision_that_does_more_than_lengthen_is_heard() -> None:
    """A late fact ends the stretch earlier, or gives the finding another clause."""
    heard = LastingHeard()
    assert _hear(heard, RAISED) == [None]
    assert _hear(heard, _revised(to_round=3)) == []
    assert _hear(heard, _revised(to_round=2)) == [2]
    assert _hear(heard, _revised(to_round=3, clauses=("COL 6(b)/s2",))) == [3]
    assert _hear(heard, _revised()) == [None]


def test_what_is_withdrawn_or_is_no_state_is_not_told_at_the_close() -> None:
    heard = LastingHeard()
    withdrawn = FindingWithdrawn("f", 12, stream=RAISED.stream, at=1, source="verifier", source_key="2")
    closed = StreamVerified(9, "", "8", closed=True, stream=RAISED.stream, at=1, source="verifier", source_key="3")
    for record in (RAISED, _revised(to_round=3), withdrawn):
        list(heard.hear(record))
    assert list(heard.hear(closed)) == []
    for _ in range(2):
        assert len(list(heard.hear(_revised(code="wager-overpaid", to_round=None)))) == 1
    list(heard.hear(_revised(to_round=3)))
    assert [finding.to_round for finding in heard.hear(closed)] == [3]
    assert list(heard.hear(closed)) == []
