"""Watchers that share a cluster: killed, ended, frozen and doubled in mid-day, and what they share it by."""

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from consumers.kafka import client, topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import NoPlaceError, place_of
from domain.facts.streams import owner
from tests.gateway.nursery import Nursery
from tests.kafka.conftest import settings_file, with_prefix
from tests.kafka.records import records
from tests.watching.pits import Pit, spoilt
from tests.watching.storm import Storm

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)


@pytest.fixture
def fresh(development: KafkaSettings) -> KafkaSettings:
    """Topics nobody has written to, and watchers that are missed after a second."""
    settings = msgspec.structs.replace(with_prefix(development, f"watch{next(_NUMBERS)}."), takeover_ms=1000)
    topics.create(settings)
    return settings


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


class OnKafka:
    """A record in topics, written to beside its watchers by a bare producer."""

    def __init__(self, settings: KafkaSettings, folder: Path) -> None:
        self.options = ("--kafka", settings_file(folder, settings), "--state", str(folder / "state"))
        self._settings = settings
        self._log = KafkaLog(settings, Index(folder / "index.sqlite"))
        self._producer = client.producer(settings)

    def append(self, facts: Sequence[bytes]) -> None:
        sent = [self._sent(stored) for stored in facts]
        self._producer.flush(30)
        assert all(one.succeeded() for one in sent)

    def findings(self) -> list[bytes]:
        return [one.value for _, one in records(self._settings, "findings")]

    def close(self) -> None:
        self._producer.close()
        self._log.close()

    def _sent(self, stored: bytes) -> object:
        try:
            stream = place_of(stored).stream
        except NoPlaceError:
            return self._producer.send(self._log.topic, value=stored, partition=0)
        return self._producer.send(
            self._log.topic, key=owner(stream).encode(), value=stored, partition=self._log.home(stream)
        )


@pytest.fixture
def site(fresh: KafkaSettings, tmp_path: Path) -> Iterator[OnKafka]:
    made = OnKafka(fresh, tmp_path)
    yield made
    made.close()


def test_watchers_that_die_end_and_freeze_while_facts_come_write_what_an_undisturbed_one_writes(
    nursery: Nursery, site: OnKafka
) -> None:
    """Up to three share three partitions; one that was frozen writes on in a partition another has by then."""
    facts = spoilt(11, Pit(11, tables=5, days=3, rounds=4).record())
    chance = random.Random(11)  # noqa: S311 - the same storm every time
    storm = Storm(nursery, site, facts, chance, {"kill": 6, "end": 3, "freeze": 2})
    storm.blow(20, (0.05, 0.4))
    assert storm.faults() == []
    score = storm.score
    assert min(score.acts["kill"], score.acts["end"] * 3, score.acts["freeze"] * 4) >= 6, score
    assert score.taken_up >= 15, score
    print(score)
    status, said = nursery.run("watch", *site.options, "--once")
    assert status == 0, said
