"""The log of findings in the read models: findings about two tables, and records that are missing or contested."""

from domain.facts.streams import stream
from domain.watch.record import decode, is_of_two
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


def test_missing_and_contested_records_are_troubles_and_the_rows_follow_when_they_come() -> None:
    log = Watched(MemoryLog(Pit(1, tables=1, days=1).record())).take().findings
    records = [each for each in log.stored if decode(each).stream == "T1/2026-11-18"]
    other = records[1].replace(b'"says":"', b'"says":"not ', 1)
    assert len(records) > 6
    assert other != records[1]
    order = [0, 1, 3, 5, 2, 4, 6]  # two gaps; the second still stands when the first is filled
    come = [records[number] for number in order] + [other] + records[7:]
    fold = FindingsFold(0, lambda _: come[: at[0] - 1], at := {0: 0}, Troubles("findings", 0, ()))
    kinds: list[set[tuple[object, ...]]] = []
    for count in (4, 5, 6, len(come)):
        fold.take([(place, come[place - 1]) for place in range(fold.read + 1, count + 1)])
        rows = fold.changes().own
        kinds.append({(row[4], row[5], row[7]) for row in rows.get("troubles", {}).values()})
        written = rows
    assert kinds[0] == {(4, "gap", False)}
    assert kinds[1] == {(4, "gap", True), (6, "gap", False)}
    assert kinds[2] == {(6, "gap", True)}
    assert kinds[3] == {(2, "forked", False)}
    assert max(row[-1] for row in written["verified"].values()) == len(records)
