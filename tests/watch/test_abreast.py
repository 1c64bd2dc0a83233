"""Facts of several tables as a log holds them: taken in the order of time, whichever came first."""

from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.rulebooks import rulebook
from domain.watch.abreast import Abreast


def opened(table: str, at: int, version: str) -> Fact:
    digest = rulebook("COL").digest
    return TableOpened(
        table, "2026-11-18", 1, "COL", digest, {"version": version}, "manual-shoe", 6,
        at=at, source="pit", source_key=f"{table}:1", stream=f"{table}/2026-11-18", sequence=1,
    )  # fmt: skip


def test_two_versions_at_one_time_are_found_at_the_table_that_opened_later() -> None:
    """The later table's fact came first: it waits until the other has had its time."""
    abreast = Abreast(held_back=1_000)
    assert abreast.take(opened("T2", 500, "required")) == []
    assert abreast.take(opened("T1", 400, "permissible")) == []
    found = abreast.finish()
    assert [(each.code, each.stream) for each in found] == [("versions-mixed", "T2/2026-11-18")]


def test_what_has_waited_long_enough_is_taken_before_the_end() -> None:
    abreast = Abreast(held_back=1_000)
    abreast.take(opened("T1", 400, "required"))
    abreast.take(opened("T2", 500, "permissible"))
    assert [each.code for each in abreast.take(opened("T3", 2_000, "required"))] == ["versions-mixed"]
