"""Compaction beside the projector's loop: it is not starved by a floor that never rests, nor cut off at the end."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from consumers.logs.log import Batch, Log
from consumers.projecting import following
from consumers.projecting.following import follow
from consumers.projecting.projector import Projector
from projections.store.compacting import Job
from projections.store.store import Store
from tests.projecting.sites import Site, found_in
from tests.watching.pits import Pit


class Slow:
    """A compaction that takes its time, and what became of it."""

    def __init__(self, seconds: float) -> None:
        self.began = threading.Event()
        self.ended = self.adopted = False
        self._seconds = seconds

    def run(self) -> None:
        self.began.set()
        time.sleep(self._seconds)
        self.ended = True

    def of(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Compact only this day's files."""
        jobs = [cast(Job, self)]

        def adopt(_: Job) -> bool:
            self.adopted = True
            return False

        monkeypatch.setattr(store, "compaction", lambda: jobs.pop() if jobs else None)
        monkeypatch.setattr(store, "adopt", adopt)


class Restless:
    """A log from which the next fact comes as soon as one is taken."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def follow(self, after: dict[int, int], stop: threading.Event) -> Iterator[Batch]:
        for placed in self._log.read(0, after.get(0, 0), 100_000):
            if stop.wait(0.005):
                return
            yield Batch(0, [placed])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    facts = Pit(4, tables=2, days=2, rounds=3).record()
    made.tell(facts, found_in(facts))
    yield made
    made.close()


def test_a_floor_that_never_rests_is_compacted_as_well(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "_COMPACT_SECONDS", 0.0)
    monkeypatch.setattr(following._CommitLoop, "idle", lambda _: None)
    slow, stop = Slow(0.05), threading.Event()
    with Store.open(site.read) as store:
        slow.of(store, monkeypatch)
        facts: Any = Restless(site.facts)
        thread = threading.Thread(target=follow, args=(Projector(facts, site.findings, store), stop))
        thread.start()
        deadline = time.monotonic() + 90
        while not slow.adopted and time.monotonic() < deadline:
            time.sleep(0.02)
        stop.set()
        thread.join()
    assert slow.adopted


def test_a_compaction_is_not_cut_off_when_the_projector_ends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "_COMPACT_SECONDS", 0.0)
    slow, stop = Slow(1.0), threading.Event()
    with Store.open(site.read) as store:
        slow.of(store, monkeypatch)
        thread = threading.Thread(target=follow, args=(Projector(site.facts, site.findings, store), stop))
        thread.start()
        assert slow.began.wait(90)
        stop.set()
        thread.join()
        assert slow.ended
