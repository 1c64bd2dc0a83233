"""The fold: what the rows say follows from the record alone, in whatever order, pieces and lives it was read."""

import pytest
from msgspec.structs import replace

from domain.facts.envelope import Fact
from projections.folding.findings import FindingsFold
from projections.folding.troubles import Troubles
from tests.projections.folded import at_once, by_definition, differing, in_pieces
from tests.projections.rows import Plain
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit, Spoil, delay, fork, junk, lose, repeat, spoilt, unchain

SEEDS = range(1, 9)


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_and_new_beginnings_make_the_rows_one_batch_makes(seed: int) -> None:
    """Gaps, repeats, forks, delays and junk among the facts; corrections of today and of days before."""
    stored = spoilt(seed, Pit(seed, tables=3, days=3, rounds=3).record())
    assert differing(at_once(stored), in_pieces(stored, seed)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_facts_that_are_late_or_corrected_end_as_if_all_had_been_known_from_the_start(seed: int) -> None:
    """All facts arrive in the end, so that each day's rows are those of its whole chain."""
    stored = spoilt(seed, Pit(seed, tables=3, days=3, rounds=3).record(), kinds=(delay, repeat))
    made = at_once(stored)
    days = {name: rows for name, rows in made.items() if name not in ("troubles", "newest", "houses")}
    assert differing(days, by_definition(stored)) == []


@pytest.mark.parametrize("kind", [fork, unchain, junk, lose], ids=lambda kind: kind.__name__)
def test_whatever_is_wrong_is_a_trouble_and_the_other_tables_go_on(kind: Spoil) -> None:
    """Each of these leaves a row that says what and where."""
    stored = Pit(3, tables=3, days=1, rounds=3, corrections=0).record()
    wrong = spoilt(3, stored, times=1, kinds=(kind,))
    troubles = at_once(wrong).get("troubles", [])
    assert troubles, kind.__name__
    stopped = {row[1] for row in troubles if row[1]}
    whole, made = at_once(stored), at_once(wrong)
    for name in ("rounds", "hands", "wagers", "cards", "tables"):
        others = [row for row in whole[name] if row[0] not in stopped]
        assert others == [row for row in made[name] if row[0] not in stopped], name
        assert others


def test_a_correction_of_what_is_no_stream_corrects_nothing() -> None:
    """A table's name without a day sorts before its days, so that it looks like one of them."""

    class Wrong(Pit):
        def _correction(self, table: str, at: int) -> Fact:
            return replace(super()._correction(table, at), corrects_stream=table)

    told = at_once(Wrong(3, tables=1, days=1, rounds=2).record())
    assert {row[0] for row in told["tables"]} == {"T1/2026-11-18"}
    assert len(told["rounds"]) == 2


def test_records_of_findings_that_two_verifiers_wrote_count_once() -> None:
    """A finding that was withdrawn does not stand again because it was raised twice, in this life or the next."""
    records = Watched(MemoryLog(Pit(4, tables=2, days=2, rounds=3, corrections=5).record())).take().findings.stored
    once = _found(records, [len(records)])
    assert {row[7] for row in once.own["findings"].values()} == {"standing", "withdrawn"}
    twice = records + records[: len(records) // 2]
    for pieces in ([len(twice)], [len(records), len(twice)], [7, len(records) - 3, len(twice)]):
        assert _found(twice, pieces).own == once.own


def _found(records: list[bytes], until: list[int]) -> Plain:
    """Rows made of these records by one process after the other, each up to a position."""
    log, plain, at = MemoryLog(records), Plain(), 0
    for end in until:
        reading = {0: at + 1}
        fold = FindingsFold(0, lambda stream, now=reading: log.stream_before(stream, now[0]), reading, Troubles("f", 0))
        fold.take(log.read(0, at, end - at))
        plain.take(fold.changes())
        at = end
    return plain
