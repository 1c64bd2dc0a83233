"""A fact that cannot be folded marks its table, and only that, until it is put right."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.projecting.following import BatchPace, follow
from consumers.projecting.projector import Projector
from domain.facts.deal import RoundOpened
from domain.facts.envelope import MOST_CARDS, MOST_CENTS, MOST_ROUNDS, Fact
from domain.facts.payments import RoundCompleted, WagerPaid
from domain.facts.wagers import WagerPlaced
from domain.simulation.scripted import day
from domain.simulation.table import NOON
from domain.table.round import RoundInPlay
from projections.folding import day as folding
from projections.questions.coverage import undecided
from projections.questions.floor import floor_now
from projections.questions.troubles import quality
from projections.reading import GenerationReader, opened
from projections.schema import SCHEMA
from projections.store.store import Store
from projections.troubles import NothingPublishedError
from tests.projecting.sites import Rows, Site, asked, found_in, fresh, project, read_as
from tests.watching.pits import Pit

_DAY = 86_400_000_000
_BAD = 66_600  # a stake no fold survives here
_FAULT = "ZeroDivisionError: a fault of ours"
PATIENCE = 90.0  # seconds; no machine is so busy


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    yield made
    made.close()


def fails(monkeypatch: pytest.MonkeyPatch, met: Callable[[RoundInPlay], bool]) -> None:
    """A fault in the fold, met at some rounds."""
    lawful = folding.rows_of

    def rows_of(told: RoundInPlay, *rest: Any) -> Any:
        if met(told):
            raise ZeroDivisionError("a fault of ours")
        return lawful(told, *rest)

    monkeypatch.setattr(folding, "rows_of", rows_of)


def poisoned(monkeypatch: pytest.MonkeyPatch, table: str, number: int) -> None:
    """A fault that is met at one round of one table."""
    fails(monkeypatch, lambda told: told.stream.startswith(f"{table}/") and told.number == number)


def _bad(told: RoundInPlay) -> bool:
    return any(wagered.staked == _BAD for spot in told.seats.values() for wagered in spot.wagers.values())


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
        assert made == fresh(site, tmp_path)


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
         _FAULT)
    ]  # fmt: skip
    ((unread, sequence, says),) = asked(
        site, "SELECT unread_from, sequence, unread_says FROM tables WHERE \"table\" = 'T1'"
    )
    assert (unread, says) == (sequence, _FAULT)
    assert asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T1'") == [(1,)]
    assert len(asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T2'")) == 3
    site.tell([of_t1[-1]])
    project(site)
    assert len(asked(site, "SELECT round FROM rounds WHERE \"table\" = 'T1'")) == 3
    assert asked(site, "SELECT mended FROM troubles") == [(True,)]


Look = Callable[[GenerationReader], Rows]


def seen_within(site: Site, seconds: float, look: Look) -> float:
    """The time until it was visible in a published generation."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            with opened(site.read) as reading:
                if look(reading):
                    return time.monotonic() - began
        except NothingPublishedError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"not seen within {seconds} seconds")


def all_there(site: Site) -> Look:
    """Whether all facts told so far are in it."""
    last = site.facts.last_position(0)
    return lambda reading: [(last,)] if reading.positions.get("facts/0", 0) >= last else []


def within_two_seconds(marked: float, *lawful: float) -> bool:
    """The promised bound; if lawful facts right before and right after take long as well, the machine is slow.

    On one that has nothing else to do those are there in half a second, and three of their times are no more than that.
    """
    return marked < max(2, 3 * max(lawful))


@contextmanager
def following(site: Site) -> Iterator[None]:
    """A projector at work."""
    stop = threading.Event()
    with Store.open(site.read) as store:
        projector = Projector(site.facts, site.findings, store)
        thread = threading.Thread(target=follow, args=(projector, stop, BatchPace()))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


_MARKED = "SELECT 1 FROM tables WHERE unread_from IS NOT NULL AND \"table\" = 'T1'"


@pytest.mark.parametrize("poison", ["junk at its place", "a fold that fails"])
def test_poison_marks_its_table_within_two_seconds_while_the_others_go_on(
    site: Site, monkeypatch: pytest.MonkeyPatch, poison: str
) -> None:
    facts = [
        stored for stored in Pit(8, tables=2, days=1, rounds=3, corrections=0).record() if b'"stream":"T' in stored
    ]
    of_t1, of_t2 = ([each for each in facts if table in each] for table in (b'"stream":"T1/', b'"stream":"T2/'))
    if poison == "a fold that fails":
        poisoned(monkeypatch, "T1", 1)
        wrong = of_t1
    else:
        wrong = [*of_t1[:20], of_t1[20].replace(b'"at":', b'"when":')]
    half = len(of_t2) // 2
    with following(site):
        site.tell(of_t1[:10])
        seen_within(site, PATIENCE, all_there(site))
        site.tell(of_t2[:half])
        before = seen_within(site, PATIENCE, all_there(site))
        site.tell(wrong[10:])
        marked = seen_within(site, PATIENCE, lambda reading: reading.query(_MARKED))
        site.tell(of_t2[half:])
        closed = "SELECT 1 FROM tables WHERE state = 'closed' AND \"table\" = 'T2'"
        after = seen_within(site, PATIENCE, lambda reading: reading.query(closed))
    assert within_two_seconds(marked, before, after), (marked, before, after)


class Yesterday:
    """Two tables' finished day, and the next day's facts of table 1."""

    def __init__(self) -> None:
        self._pit = Pit(2, tables=2, days=1, rounds=3, corrections=0)
        self.facts = self._pit.record()
        self.stream = f"T1/{self._pit.days[0]}"
        played = [fact for fact in self._pit.told["T1"] if isinstance(fact, WagerPlaced) and fact.round == 2]
        self.placed = played[0]
        self._gaming_day = (date.fromisoformat(self._pit.days[0]) + timedelta(days=1)).isoformat()

    def today(self) -> list[bytes]:
        """Table 1 opens again, and its first round is played."""
        facts = day("COL", rounds=1, table="T1", gaming_day=self._gaming_day, opens_at=NOON + _DAY)
        return self.told(*facts[:-1])

    def told(self, *facts: Fact) -> list[bytes]:
        """Facts as the record has them."""
        return [stored for fact in facts for stored in self._pit._placed(fact)]

    def corrected(self, cents: int, key: str) -> list[bytes]:
        """The stake of yesterday's second round was another."""
        return self.told(read_as(self.placed, cents, key))


def test_a_past_day_that_a_correction_poisons_is_marked_and_stands_as_it_was(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's new day, the other tables and all questions continue; the next correction may put it right."""
    fails(monkeypatch, _bad)
    yesterday = Yesterday()
    site.tell(yesterday.facts, found_in(yesterday.facts))
    sealed = project(site)
    site.tell([*yesterday.today(), *yesterday.corrected(_BAD, "wrong")])
    marked = project(site)
    changed = [name for name in sealed if marked[name] != sealed[name] and name in ("rounds", "wagers", "money")]
    stands = """SELECT round, seat, wager, staked_cents FROM wagers
        WHERE gaming_day = (SELECT min(gaming_day) FROM tables) AND "table" = 'T1' ORDER BY ALL"""
    before = asked(site, stands)
    assert changed, "the new day is in"
    assert {number for number, *_ in before} == {1, 2, 3}
    ((unread, says),) = asked(site, "SELECT unread_from, unread_says FROM tables WHERE unread_from IS NOT NULL")
    assert unread > 0
    assert _FAULT in says
    assert asked(site, "SELECT stream, sequence, kind, mended FROM troubles") == [
        (yesterday.stream, unread + 1, "stopped", False)
    ]
    with opened(site.read) as reading:
        assert [row.stream for row in quality(reading).behind if row.unread_from is not None] == [yesterday.stream]
        (told,) = [row for row in undecided(reading, by="table") if row.wagers is None]
        assert (told.of, told.days) == ("T1", 1)
        assert yesterday.stream in told.what
        assert _FAULT in told.what
        assert [(row.table, row.unread_from, row.unread_days) for row in floor_now(reading)] == [
            ("T1", None, 1),
            ("T2", None, 0),
        ]
    site.tell(yesterday.corrected(_BAD, "wrong again"))
    assert project(site)["tables"] != marked["tables"], "today went on"
    assert asked(site, stands) == before
    ran = CliRunner().invoke(main, ["rebuild", *site.options])
    assert (ran.exit_code, "DIFFERENT" in ran.output) == (0, False), ran.output
    site.tell(yesterday.corrected(yesterday.placed.cents or 0, "right"))
    made = project(site)
    assert asked(site, "SELECT stream FROM tables WHERE unread_from IS NOT NULL") == []
    assert asked(site, "SELECT DISTINCT mended FROM troubles") == [(True,)]
    assert asked(site, stands) == before
    assert made == fresh(site, tmp_path)


@pytest.mark.parametrize("step", [1000, 40, 7])
def test_a_day_poisoned_by_its_own_correction_ends_alike_however_it_was_taken(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """The state before the correction stays; later facts wait until another correction puts it right."""
    fails(monkeypatch, _bad)
    pit = Pit(2, tables=1, days=1, rounds=3, corrections=0)
    pit.record()
    pit.writer.days.clear()
    pit.told.clear()
    lawful = day("COL", rounds=3, table="T1", gaming_day=pit.days[0], opens_at=NOON)
    over = next(at for at, fact in enumerate(lawful) if isinstance(fact, RoundOpened) and fact.round == 3)
    facts = [stored for fact in lawful[:over] for stored in pit._placed(fact)]
    placed = next(fact for fact in pit.told["T1"] if isinstance(fact, WagerPlaced) and fact.round == 2)
    facts += pit._placed(read_as(placed, _BAD, "wrong"))
    facts += [stored for fact in lawful[over : over + 20] for stored in pit._placed(fact)]
    for start in range(0, len(facts), step):
        site.tell(facts[start : start + step])
        made = project(site)
    assert asked(site, "SELECT round FROM rounds ORDER BY 1") == [(1,), (2,)]
    assert asked(site, "SELECT unread_says FROM tables") == [(_FAULT,)]
    assert made == fresh(site, tmp_path)
    right = pit._placed(read_as(placed, placed.cents or 0, "right"))
    site.tell([*right, *[stored for fact in lawful[over + 20 :] for stored in pit._placed(fact)]])
    made = project(site)
    assert asked(site, "SELECT round FROM rounds ORDER BY 1") == [(1,), (2,), (3,)]
    assert asked(site, "SELECT unread_from FROM tables") == [(None,)]
    assert made == fresh(site, tmp_path / "again")


def test_a_past_day_that_cannot_be_folded_is_marked_within_two_seconds(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(monkeypatch, _bad)
    yesterday = Yesterday()
    with following(site):
        site.tell(yesterday.facts)
        closed = "SELECT 1 FROM tables WHERE state = 'closed' AND \"table\" = 'T1'"
        seen_within(site, PATIENCE, lambda reading: reading.query(closed))
        site.tell(yesterday.today())
        before = seen_within(site, PATIENCE, all_there(site))
        site.tell(yesterday.corrected(_BAD, "wrong"))
        marked = seen_within(site, PATIENCE, lambda reading: reading.query(_MARKED))
        played = "SELECT 1 FROM tables WHERE round = 1 AND gaming_day > (SELECT min(gaming_day) FROM tables)"
        seen_within(site, PATIENCE, lambda reading: reading.query(played))
        site.tell(yesterday.corrected(yesterday.placed.cents or 0, "right"))
        after = seen_within(site, PATIENCE, all_there(site))
    assert within_two_seconds(marked, before, after), (marked, before, after)


def test_amounts_no_table_has_stop_the_rows_of_that_table_alone(site: Site, tmp_path: Path) -> None:
    """Each payment is as large as a fact may say, and a hundred of them in a round are more than a year can add up."""
    pit = Pit(3, tables=2, days=1, rounds=2, corrections=0)
    facts = pit.record()
    later = (date.fromisoformat(pit.days[0]) + timedelta(days=1)).isoformat()
    told: list[Fact] = []
    for table in ("T1", "T2"):
        for fact in day("COL", rounds=2, table=table, gaming_day=later, opens_at=NOON + _DAY):
            if table == "T1" and isinstance(fact, RoundCompleted) and fact.round == 1:
                paid = WagerPaid(1, "ante", MOST_CENTS, at=fact.at, source="r", source_key="", stream="T1", round=1)
                told += [msgspec.structs.replace(paid, source_key=f"paid {number}") for number in range(100)]
            told.append(fact)
    site.tell(facts, found_in(facts))
    site.tell([stored for fact in told for stored in pit._placed(fact)])
    made = project(site)
    assert made == fresh(site, tmp_path)
    found = {stream: says for stream, says in asked(site, "SELECT stream, unread_says FROM tables") if says}
    assert found == {f"T1/{later}": "TooLargeError: round 1 has amounts beyond 9000000000000 cents"}
    assert asked(site, "SELECT count(*) FROM rounds WHERE stream LIKE 'T2/%'") == [(4,)]


@pytest.mark.parametrize("table", sorted(SCHEMA))
def test_every_number_a_fact_may_say_fits_the_column_it_comes_to(table: str) -> None:
    """A thousand of the largest amounts fit as a sum; a larger sum is reported where it is folded."""
    fits = {"INTEGER": 2**31 - 1, "INTEGER[]": 2**31 - 1, "BIGINT": 2**63 - 1, "DOUBLE": 2**53}
    for column in SCHEMA[table].columns:
        most = 1000 * MOST_CENTS if column.name.endswith("_cents") else max(MOST_ROUNDS, MOST_CARDS)
        if column.type in fits:
            assert fits[column.type] >= most, column
