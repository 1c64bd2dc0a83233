"""A table's day as an aggregate of the event-sourcing library: got by its stream, as it is or as it stood at a fact."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.application import AggregateNotFoundError

from consumers.logs import place_of
from consumers.logs.opening import LOG_FILE
from consumers.logs.sqlite import SqliteLog
from consumers.watching.floor import RebuiltFloor, floor_of
from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.watch.corrected import Corrections, told_by
from domain.watch.table_watch import folded
from tests.watching.pits import Pit

STREAM = "T1/2026-11-18"
TOLD = Pit(3, tables=1, days=2, corrections=5).record()
FACTS = [fact for fact in map(decode, TOLD) if fact.stream == STREAM]


def corrected(facts: list[Fact]) -> Corrections:
    """The day's corrected facts, each in its last correction."""
    told = [fact for fact in facts if isinstance(fact, Corrected) and fact.corrects_stream == STREAM]
    return {fact.corrects_sequence: (fact,) for fact in told}


def test_of_what_is_corrected_the_last_word_counts_and_only_of_what_had_happened_at_the_table() -> None:
    def said(sequence: int, stream: str, about: int, cents: int) -> Corrected:
        own = {"at": 0, "source": "office", "source_key": f"{sequence}", "stream": STREAM, "sequence": sequence}
        return Corrected(stream, about, {"cents": cents}, **own)  # type: ignore[arg-type]

    first, last = said(8, STREAM, 3, 500), said(9, STREAM, 3, 900)
    nothing = (said(10, STREAM, 10, 1), said(11, STREAM, 12, 1), said(12, "T2/2026-11-18", 3, 1))
    of_a_day_before = said(13, "T1/2026-11-17", 90, 700)
    told = told_by([*FACTS[:1], first, last, *nothing, of_a_day_before])
    assert told == {STREAM: {3: (first, last)}, "T1/2026-11-17": {90: (of_a_day_before,)}}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RebuiltFloor]:
    folder: Path = tmp_path_factory.mktemp("pit")
    log = SqliteLog(folder / LOG_FILE, create=True)
    log.append([place_of(stored) for stored in TOLD])
    with floor_of(log, STREAM, data=folder) as opened:
        yield opened
    log.close()


def test_a_day_is_got_by_its_stream_with_everything_corrected(floor: RebuiltFloor) -> None:
    assert corrected(FACTS)
    whole = folded(FACTS, STREAM, corrected(FACTS))
    assert floor.verified(STREAM).standing == whole.standing
    assert floor.day(STREAM).money == whole.day.money
    assert whole.standing, "a day with nothing to review would prove little"


@pytest.mark.parametrize("version", [1, len(FACTS) // 3, len(FACTS) - 1])
def test_a_day_is_got_as_it_stood_at_a_fact(floor: RebuiltFloor, version: int) -> None:
    """Later corrections of that fact are not included."""
    then = folded(FACTS[:version], STREAM, corrected(FACTS[:version]))
    got = floor.verified(STREAM, version=version)
    assert (got.standing, got.day.sequence) == (then.standing, then.day.sequence)


def test_what_a_later_day_corrects_counts_where_it_is_given(floor: RebuiltFloor) -> None:
    later = corrected(list(map(decode, TOLD)))
    assert later != corrected(FACTS)
    assert floor.verified(STREAM, later=later).standing == folded(FACTS, STREAM, later).standing


def test_a_day_nobody_told_of_is_none(floor: RebuiltFloor) -> None:
    with pytest.raises(AggregateNotFoundError):
        floor.day("T1/2026-11-30")
