"""Gateways on a log in Kafka killed at random moments, some while the broker stands still with their sends."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from consumers.kafka import topics
from consumers.kafka.clusters import Cluster
from consumers.kafka.settings import KafkaSettings
from tests.gateway.kills import KillContract, nursery
from tests.gateway.storm import End, Storm, kill
from tests.kafka.conftest import with_prefix
from tests.kafka.records import OnKafka, frozen

__all__ = ["nursery"]

pytestmark = pytest.mark.xdist_group("kafka")


class TestKafka(KillContract):
    """One broker, three partitions."""

    SECONDS = (0.28, 0.4)

    @pytest.fixture
    def record(self, development: KafkaSettings, tmp_path: Path) -> OnKafka:
        settings = with_prefix(development, "kills.")
        topics.create(settings)
        return OnKafka(settings, tmp_path / "state")

    @pytest.fixture
    def ends(self, plain_cluster: Cluster) -> Iterator[Sequence[End]]:
        pid = plain_cluster.brokers[0].pid
        assert pid
        with frozen(pid, random.Random(51)) as still:  # noqa: S311 - the same every time
            yield [kill, still]

    def check(self, storm: Storm) -> None:
        super().check(storm)
        assert storm.score.in_flight >= 10, storm.score
        assert storm.score.landed_late >= 1, storm.score
