"""The projector on an embedded record: corrections, late facts, gaps and sealed days."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from consumers.command import main
from domain.facts.codec import decode
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.ledger.chain import digest
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from domain.watch import record
from domain.watch.record import FindingRaised
from tests.projecting.sites import Site, asked, found_in, fresh, project, read_as
from tests.watching.pits import Pit

_DAY = 86_400_000_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    yield made
    made.close()


def test_what_was_taken_at_once_piece_by_piece_and_by_a_rebuild_is_one(site: Site, tmp_path: Path) -> None:
    """Corrections of today and of sealed days among the facts."""
    facts = Pit(4, tables=3, days=2, rounds=3, corrections=4).record()
    findings = found_in(facts)
    for start in range(0, len(facts), 421):
        site.tell(facts[start : start + 421])
        if start == 421 * 2:
            site.tell([], findings[: len(findings) // 2])
        project(site)
    site.tell([], findings[len(findings) // 2 :])
    made = project(site)
    assert made == fresh(site, tmp_path)
    ran = CliRunner().invoke(main, ["rebuild", *site.options])
    assert ran.exit_code == 0, ran.output
    assert "DIFFERENT" not in ran.output
    assert site.digests() == made


def test_a_correction_of_a_sealed_day_makes_it_anew_and_seals_it_again(site: Site) -> None:
    """One that changes nothing the rest says: only the corrected wager differs."""
    pit = Pit(2, tables=1, days=1, rounds=2, corrections=0)
    facts = pit.record()
    site.tell(facts, found_in(facts))
    project(site)
    stream = f"T1/{pit.days[0]}"
    assert asked(site, "SELECT DISTINCT stream FROM facts") == [(stream,)]
    stakes = "SELECT round, seat, wager, staked_cents FROM wagers WHERE gaming_day = $day ORDER BY ALL"
    today = stakes.replace("$day", f"DATE '{pit.days[0]}'")
    before = asked(site, today)
    placed = next(fact for fact in pit.told["T1"] if isinstance(fact, WagerPlaced))
    assert placed.cents
    later = (date.fromisoformat(pit.days[0]) + timedelta(days=1)).isoformat()
    opening = day("COL", rounds=1, table="T1", gaming_day=later, opens_at=NOON + _DAY)[:10]
    correction = read_as(placed, placed.cents + 300)
    site.tell([stored for fact in (*opening, correction) for stored in pit._placed(fact)])
    project(site)
    differing = [pair for pair in zip(before, asked(site, today), strict=True) if pair[0] != pair[1]]
    assert [(one[3], other[3]) for one, other in differing] == [(placed.cents, placed.cents + 300)]
    assert asked(site, "SELECT DISTINCT stream FROM facts") == [(stream,)]


def test_a_correction_of_what_has_not_happened_yet_changes_no_row(site: Site, tmp_path: Path) -> None:
    """The rows stay the same as it comes and when the day is read again."""
    pit = Pit(2, tables=1, days=1, rounds=0, corrections=0)
    facts = day("COL", rounds=1, table="T1", gaming_day=pit.days[0], opens_at=NOON)
    before = next(place for place, fact in enumerate(facts) if isinstance(fact, WagerPlaced))
    told = [stored for fact in facts[:before] for stored in pit._placed(fact)]
    to_come = replace(pit.told["T1"][-1], sequence=before + 2)
    placed = facts[before]
    assert isinstance(placed, WagerPlaced)
    assert placed.cents
    told += pit._placed(read_as(replace(placed, stream=to_come.stream, sequence=before + 2), placed.cents + 300))
    told += [stored for fact in facts[before:] for stored in pit._placed(fact)]
    assert isinstance(decode(told[before + 1]), WagerPlaced)
    site.tell(told)
    made = project(site)
    assert placed.cents in {cents for (cents,) in asked(site, "SELECT staked_cents FROM wagers")}
    assert placed.cents + 300 not in {cents for (cents,) in asked(site, "SELECT staked_cents FROM wagers")}
    assert made == fresh(site, tmp_path)


def test_corrections_that_waited_behind_a_gap_together_write_the_earlier_day_once(site: Site, tmp_path: Path) -> None:
    """No row stands twice, and every sum is what it is where nothing had to wait."""
    facts = Pit(9, tables=1, days=2, rounds=2, corrections=6).record()
    told = [decode(stored) for stored in facts]
    late = [at for at, fact in enumerate(told) if isinstance(fact, Corrected) and fact.corrects_stream < fact.stream]
    assert len(late) > 1
    delayed = [*facts[: late[0] - 1], *facts[late[0] :], facts[late[0] - 1]]
    site.tell(delayed)
    made = project(site)
    in_order = Site(tmp_path / "in order")
    in_order.tell(facts)
    once = project(in_order)
    in_order.close()
    assert [name for name, told in once.items() if made[name] != told] == ["troubles"]


def test_a_finding_written_about_a_sealed_day_goes_into_its_files(site: Site) -> None:
    """Late findings about finished days must not make a generation's copy grow."""
    pit = Pit(4, tables=1, days=1, rounds=3)
    facts = pit.record()
    findings = found_in(facts)
    site.tell(facts, findings)
    project(site)
    records = [(record.decode(stored), stored) for stored in findings]
    last, stored = [each for each in records if each[0].stream == f"T1/{pit.days[0]}"][-1]
    raised = next(each for each, _ in records if isinstance(each, FindingRaised))
    place = {"stream": last.stream, "sequence": last.sequence + 1, "previous": digest(stored)}
    site.tell([], [record.encode(replace(raised, finding="f-late", **place))])
    project(site)
    assert asked(site, "SELECT finding FROM findings WHERE finding = 'f-late'") == [("f-late",)]
    assert asked(site, "FROM published.main.findings") == []


def test_a_gap_stops_its_table_until_what_was_missing_comes(site: Site, tmp_path: Path) -> None:
    """Meanwhile the table says behind which fact it cannot be read; the others go on."""
    facts = [
        stored for stored in Pit(6, tables=2, days=1, rounds=2, corrections=0).record() if b'"stream":"T' in stored
    ]
    of_t1 = [stored for stored in facts if b'"stream":"T1/' in stored]
    missing = of_t1[20]
    site.tell([stored for stored in facts if stored != missing])
    project(site)
    assert asked(site, "SELECT unread_from, sequence FROM tables WHERE \"table\" = 'T1'") == [(20, 20)]
    assert asked(site, "SELECT unread_from, state FROM tables WHERE \"table\" = 'T2'") == [(None, "closed")]
    assert asked(site, "SELECT kind, sequence, mended FROM troubles") == [("gap", 22, False)]
    site.tell([missing])
    made = project(site)
    assert asked(site, "SELECT unread_from, sequence FROM tables WHERE \"table\" = 'T1'") == [(None, len(of_t1))]
    assert asked(site, "SELECT kind, mended FROM troubles") == [("gap", True)]
    assert made == fresh(site, tmp_path)
