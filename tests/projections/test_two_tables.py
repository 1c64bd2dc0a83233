"""Findings about two tables in the read models."""

from domain.facts.streams import stream
from domain.watch.record import is_of_two
from projections.folding.findings import FindingsFold
from projections.folding.troubles import Troubles
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit
from tests.watching.signing import signs


def test_a_finding_about_two_tables_is_a_row_of_the_table_whose_fact_shows_it_and_seals_are_none() -> None:
    watched = Watched(MemoryLog(Pit(1, tables=3, days=2).record()), sign=signs()).take().across()
    log = watched.findings
    fold = FindingsFold(0, lambda _: [], {}, Troubles("findings", 0, ()))
    fold.take(enumerate(log.stored, start=1))
    rows = fold.changes().own
    found = [row for row in rows["findings"].values() if "wager-unseated" in row]
    assert len(found) > 10
    assert {stream(str(row[0])).owner for row in found} == {"T1", "T2", "T3"} == {row[1] for row in found}
    assert not any(is_of_two(str(row[0])) for row in rows["verified"].values())
    assert not rows.get("troubles")
