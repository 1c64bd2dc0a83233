"""kill -9 of `catwalk project` at random moments while facts and findings come."""

import os
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.reading import opened
from tests.gateway.nursery import Nursery
from tests.projecting.sites import Site, found_in, shares
from tests.watching.pits import Pit, delay, junk, lose, spoilt
from tests.watching.storm import expected, faults

KILLS, KILLS_OF_ONE = int(os.environ.get("KILLS", "40")), 8  # `make kills` asks for 100


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


def wait_for_its_work(site: Site, chance: random.Random, before: bytes) -> None:
    """Mostly until it has published something, and a moment more; else any moment, even before it has begun."""
    if chance.random() < 0.4:
        time.sleep(chance.uniform(0, 0.3))
        return
    deadline = time.monotonic() + 4
    while pointer(site) == before and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(chance.uniform(0, 0.08))


def pointer(site: Site) -> bytes:
    """The file that names the generation to read."""
    return (site.read / "current").read_bytes()


def published(site: Site) -> tuple[int, int]:
    """The number of publications, and the facts and records of findings in the newest."""
    with opened(site.read) as reading:
        return reading.generation, sum(reading.positions.values())


def test_a_projector_killed_again_and_again_ends_with_what_an_undisturbed_one_has(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Every fact is kept once, and the next projector resumes at the same place."""
    facts = spoilt(5, Pit(5, tables=4, days=3, rounds=5).record(), kinds=(delay, junk, lose))
    findings = found_in(facts)
    chance = random.Random(5)  # noqa: S311 - the same moments every time
    site, quiet = Site(tmp_path / "pit"), Site(tmp_path / "quiet")
    try:
        assert nursery.run("project", *site.options, "--once")[0] == 0
        for some, found in zip(shares(facts, KILLS), shares(findings, KILLS), strict=True):
            before = pointer(site)
            projector = nursery.start("project", *site.options)
            site.tell(some, found)
            wait_for_its_work(site, chance, before)
            projector.kill()
        generations, taken = published(site)
        assert generations >= KILLS // 5, "they died before they did anything"
        began = time.monotonic()
        status, said = nursery.run("project", *site.options, "--once")
        took = time.monotonic() - began
        assert status == 0, said
        read = re.search(r"(\d+) facts and records of findings read", said)
        assert read, said
        assert 0 < taken <= len(facts) + len(findings) - int(read[1]), "published records were read once more"
        figures = f"{KILLS} projectors killed with kill -9, {generations} generations published by them; the last one"
        print(f"{figures} read {read[1]} of {len(facts) + len(findings)} and was through in {took:.1f} s")  # noqa: T201 - for who asks with -s
        quiet.tell(facts, findings)
        assert nursery.run("project", *quiet.options, "--once")[0] == 0
        assert site.digests() == quiet.digests()
        status, said = nursery.run("rebuild", *site.options)
        assert status == 0, said
        assert "DIFFERENT" not in said
        assert site.digests() == quiet.digests()
    finally:
        site.close()
        quiet.close()


def test_one_process_that_verifies_and_makes_rows_killed_again_and_again_leaves_what_two_leave(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Findings may be durable and the rows of the same facts not: neither is lost or doubled."""
    facts = spoilt(6, Pit(6, tables=3, days=2, rounds=4).record(), kinds=(delay, lose))
    chance = random.Random(6)  # noqa: S311 - the same moments every time
    site, quiet = Site(tmp_path / "pit"), Site(tmp_path / "quiet")
    options = ("project", *site.options, "--verify")
    try:
        assert nursery.run(*options, "--once")[0] == 0
        for some in shares(facts, KILLS_OF_ONE):
            before = pointer(site)
            one = nursery.start(*options)
            site.tell(some)
            wait_for_its_work(site, chance, before)
            one.kill()
        assert published(site)[0] >= KILLS_OF_ONE // 5, "they died before they did anything"
        status, said = nursery.run(*options, "--once")
        assert status == 0, said
        assert faults([stored for _, stored in site.findings.read(0, 0, 10_000)], facts) == []
        quiet.tell(facts, expected(facts))
        assert nursery.run("project", *quiet.options, "--once")[0] == 0
        assert site.digests() == quiet.digests()
    finally:
        site.close()
        quiet.close()
