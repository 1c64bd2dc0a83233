"""Rules one table's verifier cannot check: one version at all Colorado tables, one table at a time for a player."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.facts.table_day import TableClosed
from domain.facts.wagers import WagerPlaced
from domain.facts.words import Book
from domain.simulation.edits import Edit, change, insert_after, said, where
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import day, round_, seat
from domain.simulation.table import NOON
from domain.watch.finding import Finding
from tests.watch.harness import Case, recorded
from tests.watch.together import together

MINUTE = 60_000_000
ROUNDS = [round_(seat(1), seat(3)), round_(seat(1), seat(3))]


def _table(name: str, version: str = "required", at: int = NOON, book: Book = "COL") -> list[Fact]:
    options = {"version": version} if book == "COL" else {}
    rounds = [_for(name, each) for each in ROUNDS]
    return day(book, options, table=name, opens_at=at, rounds=rounds)


def _for(table: str, plan: RoundPlan) -> RoundPlan:
    """The same round with this table's own players."""
    seats = tuple(msgspec.structs.replace(each, player=f"{table}-{each.seat}") for each in plan.seats)
    return msgspec.structs.replace(plan, seats=seats)


def _found(*tables: Sequence[Fact]) -> list[Finding]:
    return together(fact for table in tables for fact in recorded(table))


def _two(other: Edit | None = None) -> list[Fact]:
    second = _table("T2", at=NOON + MINUTE)
    return [*_table("T1"), *(other(second) if other is not None else second)]


TO_PERMISSIBLE = change("table-opened", to={"options": {"version": "permissible"}})
CASES = [Case("COL 6(f)/s2", "versions-mixed", _two, lambda _: _two(TO_PERMISSIBLE))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.clauses} {case.code}")
def test_a_clause_across_tables_is_shown(case: Case) -> None:
    """The lawful tables are silent together, and with this changed the finding is raised by its clauses."""
    assert _found(case.day()) == []
    (one,) = _found(case.edit(case.day()))
    assert (one.code, one.clauses) == (case.code, case.names)


def test_tables_of_one_version_are_silent() -> None:
    """Two Colorado tables that play alike, and one of another game beside them."""
    assert _found(_table("T1"), _table("T2"), _table("T3", book="UTH-MA")) == []


def test_col_6_f_s2_two_versions_at_once_are_found() -> None:
    """The table that opens second, in the other version, shows it."""
    (one,) = _found(_table("T1"), _table("T2", "permissible", NOON + MINUTE))
    assert (one.code, one.clauses, one.stream, one.trigger) == ("versions-mixed", ("COL 6(f)/s2",), "T2/2026-11-18", 1)
    assert "T1" in one.says


def test_col_6_f_s2_a_table_that_changes_its_version_is_found() -> None:
    """A change in mid-day counts like an opening; a change back is not a finding."""
    changed = insert_after(where("round-completed", 1), said("option-changed", "version", "permissible", True))
    back = insert_after(where("option-changed"), said("option-changed", "version", "required", True))
    (one,) = _found(_table("T1"), back(changed(_table("T2"))))
    assert one.code == "versions-mixed"
    assert one.stream == "T2/2026-11-18"


def test_versions_one_after_the_other_are_silent() -> None:
    """The reading is: at the same time. A table closed before the other opens plays what it likes."""
    first = _table("T1")
    later = max(fact.at for fact in first if isinstance(fact, TableClosed)) + MINUTE
    assert _found(first, _table("T2", "permissible", later)) == []


def test_uth_ma_6_e_s1_a_player_with_cards_at_one_table_wagers_at_another() -> None:
    """A player in the middle of a round sits there, and not at the table where the wager was taken."""
    here = _table("T1")
    second = change("wager-placed", to={"player": "T1-1"}, seat=3, round=1)(_table("T2", book="UTH-MA"))
    dealt = next(fact.at for fact in here if isinstance(fact, CardDealt))
    placed = next(fact.at for fact in second if isinstance(fact, WagerPlaced))
    shifted = [msgspec.structs.replace(fact, at=fact.at + dealt - placed + MINUTE // 30) for fact in second]
    found = _found(here, shifted)
    assert {one.code for one in found} == {"wager-unseated"}
    assert {one.clauses for one in found} == {("UTH-MA 6(e) s1",)}
    assert {(one.stream, one.seat) for one in found} == {("T2/2026-11-18", 3)}


def test_a_player_who_stays_at_two_tables_is_one_finding_with_its_stretch() -> None:
    """Twelve rounds at each table side by side: one state, found at the first wager of the second table."""
    rounds = [round_(seat(1), seat(3)) for _ in range(12)]
    here, there = (
        [
            msgspec.structs.replace(fact, player="both") if getattr(fact, "player", "") == f"{name}-1" else fact
            for fact in day("COL", {}, table=name, opens_at=at, rounds=[_for(name, each) for each in rounds])
        ]
        for name, at in (("T1", NOON), ("T2", NOON + MINUTE // 6))
    )
    (one,) = _found(here, there)
    assert (one.code, one.seat) == ("wager-unseated", 1)
    assert "So were wagers in " in one.says
    assert "the last in round 12 of table T" in one.says


def test_a_player_who_has_left_may_wager_elsewhere() -> None:
    """Between rounds, or after getting up, a player is free to go to another table."""
    here = _table("T1")
    over = max(fact.at for fact in here) + MINUTE
    second = change("wager-placed", to={"player": "T1-1"}, seat=3)(_table("T2", at=over))
    assert _found(here, second) == []


def test_the_order_of_time_alone_decides() -> None:
    """However the streams are handed in, the same is found; at one time the stream's name decides."""
    one, two = _table("T1"), _table("T2", "permissible")
    assert _found(one, two) == _found(two, one)
    assert [finding.stream for finding in _found(one, two)] == ["T2/2026-11-18"]
