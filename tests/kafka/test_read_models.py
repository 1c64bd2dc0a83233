"""The read models of a record in Kafka: the same as of an embedded one, however often and by whom it was verified."""

import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from consumers.kafka import topics
from consumers.kafka.settings import KafkaSettings
from projections.digests import digests
from projections.reading import opened
from tests.gateway.nursery import Nursery
from tests.kafka.conftest import with_prefix
from tests.kafka.test_watch import OnKafka
from tests.projecting.sites import Site, found_in, shares
from tests.watching.pits import Pit, delay, junk, lose, spoilt

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)
KILLS = 12


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


@pytest.fixture
def site(development: KafkaSettings, tmp_path: Path) -> Iterator[OnKafka]:
    """Topics nobody has written to."""
    settings = msgspec.structs.replace(with_prefix(development, f"read{next(_NUMBERS)}."), takeover_ms=1000)
    topics.create(settings)
    made = OnKafka(settings, tmp_path)
    yield made
    made.close()


def published(folder: Path) -> dict[str, str]:
    with opened(folder / "read") as reading:
        return digests(reading)


def test_two_verifiers_and_a_projector_that_is_killed_make_on_kafka_what_one_of_each_makes_embedded(
    nursery: Nursery, site: OnKafka, tmp_path: Path
) -> None:
    """Both records have the same faults."""
    facts = spoilt(9, Pit(9, tables=5, days=2, rounds=3).record(), kinds=(delay, junk, lose))
    wanted = found_in(facts)
    chance = random.Random(9)  # noqa: S311 - the same moments every time
    watchers = [nursery.start("watch", *site.options) for _ in range(2)]
    for some in shares(facts, KILLS):
        projector = nursery.start("project", *site.options)
        site.append(some)
        time.sleep(chance.uniform(0.1, 1.5))
        projector.kill()
    deadline = time.monotonic() + 300
    while not set(wanted) <= set(site.findings()):
        assert time.monotonic() < deadline, "the watchers did not come to the end"
        time.sleep(0.2)
    for watcher in watchers:
        watcher.ask_to_end()
    status, said = nursery.run("project", *site.options, "--once")
    assert status == 0, said
    on_kafka = published(tmp_path / "state")

    embedded = Site(tmp_path / "pit")
    embedded.tell(facts, list(dict.fromkeys(site.findings())))
    status, said = nursery.run("project", *embedded.options, "--once")
    embedded.close()
    assert status == 0, said
    assert on_kafka == published(tmp_path / "pit")

    status, said = nursery.run("rebuild", *site.options)
    assert status == 0, said
    assert "DIFFERENT" not in said


@pytest.mark.parametrize("beside", [(), ("watch",)], ids=["alone", "beside a watcher of the group"])
def test_one_process_that_verifies_and_projects_is_killed_and_makes_the_same_on_kafka(
    nursery: Nursery, site: OnKafka, tmp_path: Path, beside: tuple[str, ...]
) -> None:
    """Findings and rows equal those of one watcher and one projector on an embedded record, beside other watchers."""
    facts = spoilt(11, Pit(11, tables=4, days=2, rounds=3).record(), kinds=(delay, junk, lose))
    chance = random.Random(11)  # noqa: S311 - the same moments every time
    watchers = [nursery.start(name, *site.options) for name in beside]
    for some in shares(facts, KILLS // 2):
        both = nursery.start("project", "--verify", *site.options)
        site.append(some)
        time.sleep(chance.uniform(0.5, 2.5))
        both.kill()
    for watcher in watchers:
        watcher.ask_to_end()
    status, said = nursery.run("project", "--verify", *site.options, "--once")
    assert status == 0, said

    embedded = Site(tmp_path / "pit")
    embedded.tell(facts)
    status, said = nursery.run("watch", *embedded.options, "--once", "--quiet")
    assert status == 1, said
    wanted = [stored for _, stored in embedded.findings.read(0, 0, 1_000_000)]
    assert sorted(set(site.findings())) == sorted(wanted)
    status, said = nursery.run("project", *embedded.options, "--once")
    embedded.close()
    assert status == 0, said
    assert published(tmp_path / "state") == published(tmp_path / "pit")
