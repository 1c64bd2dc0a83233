"""The projector publishes a new finding as soon as the last generation allows, and other rows each half second."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from consumers.logs.log import Batch
from consumers.projecting import following
from consumers.projecting.following import LEAST_SECONDS, MOST_SECONDS, BatchPace
from consumers.projecting.projector import Projector
from projections.reading import opened
from projections.store.store import Store
from tests.projecting.sites import Site, found_in
from tests.watching.pits import Pit, lose, spoilt

COST = 0.08  # seconds that a generation takes here
MANY = 100  # facts with which a finding does not hurry here


class Clock:
    """A clock that stands still, except while a generation is published and when it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Running:
    """The projector's loop over the two logs of a site, stepped by hand."""

    def __init__(self, site: Site, store: Store) -> None:
        self.site = site
        self.projector = Projector(site.facts, site.findings, store)
        self.loop = following._CommitLoop(self.projector, BatchPace())
        self._taken = {"facts": 0, "findings": 0}

    def fact(self, count: int = 1, *, more: bool = False) -> None:
        """The next facts of the record."""
        self._take("facts", count, more=more)

    def finding(self, *, more: bool = False) -> None:
        """The next records about findings, up to one that is raised."""
        records = self.site.findings.read(0, self._taken["findings"], 1_000)
        raised = next(number for number, (_, stored) in enumerate(records, start=1) if b'"finding-raised' in stored)
        self._take("findings", raised, more=more)

    def _take(self, name: str, count: int, *, more: bool) -> None:
        log = self.site.facts if name == "facts" else self.site.findings
        placed = log.read(0, self._taken[name], count)
        self._taken[name] = placed[-1][0]
        self.loop.take(log, Batch(0, placed), more=more)

    def generation(self) -> int:
        with opened(self.site.read) as reading:
            return reading.generation


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    publish: Callable[..., object] = Store.publish

    def costly(store: Store) -> object:
        made.now += COST
        return publish(store)

    monkeypatch.setattr(following, "monotonic", made)
    monkeypatch.setattr(following, "HURRIED_FACTS", MANY)
    monkeypatch.setattr(Store, "publish", costly)
    return made


@pytest.fixture
def running(tmp_path: Path, clock: Clock) -> Iterator[Running]:
    """A projector that has just published its first fact."""
    facts = spoilt(6, Pit(6, tables=2, days=1, rounds=3).record(), kinds=(lose,))
    site = Site(tmp_path / "pit")
    site.tell(facts, found_in(facts))
    with Store.open(site.read) as store:
        made = Running(site, store)
        made.fact()
        assert made.generation() == 1, "a fact after a pause is published at once"
        yield made
    site.close()


def test_facts_without_a_finding_wait_for_half_a_second(running: Running, clock: Clock) -> None:
    clock.now += LEAST_SECONDS - 0.01
    running.fact()
    running.loop.idle()
    assert running.generation() == 1
    clock.now += 0.02
    running.loop.idle()
    assert running.generation() == 2


def test_a_finding_waits_for_a_quarter_of_what_the_last_generation_took(running: Running, clock: Clock) -> None:
    clock.now += COST / 8
    running.finding()
    assert running.generation() == 1
    assert running.loop.patience() <= COST / 8 + 1e-6, "the loop wakes for it"
    clock.now += COST / 8 + 0.001
    running.loop.idle()
    assert running.generation() == 2


def test_a_finding_does_not_wait_until_the_log_pauses(running: Running, clock: Clock) -> None:
    clock.now += COST + 0.001
    running.fact(more=True)
    assert running.generation() == 1
    running.finding(more=True)
    assert running.generation() == 2


def test_a_projector_that_is_behind_catches_up_first(running: Running, clock: Clock) -> None:
    clock.now += COST + 0.001
    running.fact(MANY, more=True)
    running.finding(more=True)
    assert running.generation() == 1
    clock.now += MOST_SECONDS
    running.finding(more=True)
    assert running.generation() == 2
