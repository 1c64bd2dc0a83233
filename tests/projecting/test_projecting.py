"""The projector on an embedded record: corrections, late facts, gaps, poison and sealed days."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from consumers.command import main
from consumers.projecting.following import Pace, follow, through
from consumers.projecting.projector import Projector
from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.floor.scripted import day
from domain.floor.table import NOON
from domain.ledger.chain import digest
from domain.table.round import Round
from domain.watch import record
from domain.watch.record import FindingRaised
from projections.digests import digests
from projections.folding import day as folding
from projections.reading import Reading, opened
from projections.store.store import Store
from tests.projecting.sites import Site, found_in
from tests.watching.pits import Pit

Rows = list[tuple[Any, ...]]
_DAY = 86_400_000_000


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    yield made
    made.close()


def project(site: Site) -> dict[str, str]:
    """Takes what is there; what is published then."""
    with Store.open(site.read) as store:
        through(Projector(site.facts, site.findings, store), threading.Event())
    return site.digests()


def anew(site: Site, tmp_path: Path) -> dict[str, str]:
    """What a projector makes of the same logs that has never seen them."""
    with Store.open(tmp_path / "anew") as store:
        through(Projector(site.facts, site.findings, store), threading.Event())
    with opened(tmp_path / "anew") as reading:
        return digests(reading)


def asked(site: Site, query: str) -> Rows:
    with opened(site.read) as reading:
        return reading.query(query)


def test_what_was_taken_at_once_fact_by_fact_and_by_a_rebuild_is_one(site: Site, tmp_path: Path) -> None:
    """Corrections of today and of sealed days among the facts."""
    facts = Pit(4, tables=3, days=3, rounds=3, corrections=4).record()
    findings = found_in(facts)
    for start in range(0, len(facts), 97):
        site.tell(facts[start : start + 97])
        if start == 97 * 5:
            site.tell([], findings[: len(findings) // 2])
        project(site)
    site.tell([], findings[len(findings) // 2 :])
    made = project(site)
    assert made == anew(site, tmp_path)
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
    correction = corrected(placed, placed.cents + 300, stream="T1")
    site.tell([stored for fact in (*opening, correction) for stored in pit._placed(fact)])
    project(site)
    differing = [pair for pair in zip(before, asked(site, today), strict=True) if pair[0] != pair[1]]
    assert [(one[3], other[3]) for one, other in differing] == [(placed.cents, placed.cents + 300)]
    assert asked(site, "SELECT DISTINCT stream FROM facts") == [(stream,)]


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
    """What a generation copies must not grow with what is written late about days that are over."""
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


def corrected(fact: Fact, cents: int, stream: str) -> Corrected:
    return Corrected(
        fact.stream,
        fact.sequence,
        {"cents": cents},
        at=fact.at,
        source="office",
        source_key="office:late",
        stream=stream,
    )


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
    assert made == anew(site, tmp_path)


def poisoned(monkeypatch: pytest.MonkeyPatch, table: str, number: int) -> None:
    """A fault in the fold, met at one round of one table."""
    lawful = folding.rows_of

    def fails(told: Round, *rest: Any) -> Any:
        if told.stream.startswith(f"{table}/") and told.number == number:
            raise ZeroDivisionError("a fault of ours")
        return lawful(told, *rest)

    monkeypatch.setattr(folding, "rows_of", fails)


def test_a_projector_that_begins_anew_at_a_poisoned_table_writes_nothing_twice(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rounds before the fact that cannot be folded were written in the life before."""
    facts = [
        stored for stored in Pit(8, tables=2, days=1, rounds=3, corrections=0).record() if b'"stream":"T' in stored
    ]
    with monkeypatch.context() as patched:
        poisoned(patched, "T1", 2)
        for start in range(0, len(facts), 60):
            site.tell(facts[start : start + 60])
            made = project(site)
        assert asked(site, "SELECT stream FROM tables WHERE unread_from IS NOT NULL")
        assert asked(site, "SELECT count(*) FROM rounds WHERE \"table\" = 'T1'") != [(0,)]
        assert made == anew(site, tmp_path)


def test_a_fold_that_fails_marks_its_table_and_is_made_good_when_the_fault_is_mended(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = [
        stored for stored in Pit(8, tables=2, days=1, rounds=3, corrections=0).record() if b'"stream":"T' in stored
    ]
    of_t1 = [stored for stored in facts if b'"stream":"T1/' in stored]
    with monkeypatch.context() as patched:
        poisoned(patched, "T1", 2)
        site.tell([stored for stored in facts if stored != of_t1[-1]])
        project(site)
    assert asked(site, "SELECT stream, kind, mended, says FROM troubles") == [
        (asked(site, "SELECT stream FROM tables WHERE \"table\" = 'T1'")[0][0], "stopped", False,
         "ZeroDivisionError: a fault of ours")
    ]  # fmt: skip
    ((unread, sequence, says),) = asked(
        site, "SELECT unread_from, sequence, unread_says FROM tables WHERE \"table\" = 'T1'"
    )
    assert (unread, says) == (sequence, "ZeroDivisionError: a fault of ours")
    assert asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T1'") == [(1,)]
    assert len(asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T2'")) == 3
    site.tell([of_t1[-1]])
    project(site)
    assert len(asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T1'")) == 3
    assert asked(site, "SELECT mended FROM troubles") == [(True,)]


Look = Callable[[Reading], Rows]


def seen_within(site: Site, seconds: float, look: Look) -> float:
    """How long it took until something was to be seen in what is published."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            with opened(site.read) as reading:
                if look(reading):
                    return time.monotonic() - began
        except Exception:  # noqa: S110 - nothing is published yet
            pass
        time.sleep(0.02)
    raise AssertionError(f"not seen within {seconds} seconds")


@pytest.mark.parametrize("poison", ["junk at its place", "a fold that fails"])
def test_poison_marks_its_table_within_two_seconds_while_the_others_go_on(
    site: Site, monkeypatch: pytest.MonkeyPatch, poison: str
) -> None:
    facts = [
        stored for stored in Pit(8, tables=2, days=1, rounds=3, corrections=0).record() if b'"stream":"T' in stored
    ]
    of_t1 = [stored for stored in facts if b'"stream":"T1/' in stored]
    if poison == "a fold that fails":
        poisoned(monkeypatch, "T1", 1)
        wrong = of_t1
    else:
        wrong = [*of_t1[:20], of_t1[20].replace(b'"at":', b'"when":')]
    stop = threading.Event()
    with Store.open(site.read) as store:
        projector = Projector(site.facts, site.findings, store)
        following = threading.Thread(target=follow, args=(projector, stop, Pace()))
        following.start()
        try:
            site.tell(of_t1[:10])
            seen_within(site, 30, lambda reading: reading.query("FROM tables"))
            site.tell([*wrong[10:], *[stored for stored in facts if stored not in of_t1]])
            marked = "SELECT 1 FROM tables WHERE unread_from IS NOT NULL AND \"table\" = 'T1'"
            assert seen_within(site, 10, lambda reading: reading.query(marked)) < 2
            closed = "SELECT 1 FROM tables WHERE state = 'closed' AND \"table\" = 'T2'"
            seen_within(site, 10, lambda reading: reading.query(closed))
        finally:
            stop.set()
            following.join()
