"""The desk's relay killed at random moments, some while the broker stands still with its sends: each record once."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from kafka import KafkaConsumer, TopicPartition

from consumers.desk.application import Desk, desk_of
from consumers.desk.relay import KINDS, TOPICS
from consumers.kafka import client, topic_names, topics
from consumers.kafka.clusters import Cluster
from consumers.kafka.settings import KafkaSettings
from domain.desk import access, review
from domain.desk.acting import DeskAct
from tests.gateway.kills import nursery
from tests.gateway.nursery import Forked, Nursery
from tests.gateway.storm import kill
from tests.kafka.conftest import Secured, settings_file, with_prefix
from tests.kafka.records import frozen, records

__all__ = ["nursery"]

pytestmark = pytest.mark.xdist_group("kafka")

NOON = 1_795_003_200_000_000
KILLS = 10
BETWEEN = 0.005  # seconds; without them the desk holds tens of thousands of records, each read again after each kill
WHILE_AT_WORK = 0.8  # so many of the kills are not meant for a relay that is starting
HAS_SENT = 0.6  # so many of the kills are of a relay that has sent something


def until(happened: Callable[[], bool]) -> None:
    """Return when it has happened, which may take long on a busy machine."""
    deadline = time.monotonic() + 90
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def until_at_work(relay: Forked) -> None:
    """Return when the relay has begun to publish."""
    until(lambda: relay.told.exists() and "relaying" in relay.told.read_text())


def ends(settings: KafkaSettings, asked: KafkaConsumer) -> int:
    """The end offsets of the desk's topics."""
    found = (topic_names.name_of(settings, kind) for kind in KINDS)
    at = [TopicPartition(topic, number) for topic in found for number in asked.partitions_for_topic(topic)]
    return sum(asked.end_offsets(at).values())


class Work:
    """People at a desk: they claim findings, remark on them and look at hands, until stopped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Work":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(desk_of(data=self._folder)) as desk:
            for number in count():
                if self._stop.is_set():
                    return
                work(desk, number)
                self._stop.wait(BETWEEN)


def work(desk: Desk, number: int) -> None:
    """One finding claimed and remarked on, one hand looked at."""
    act = DeskAct("ann", NOON + number, f"k{number}")
    desk.on_finding(f"f{number % 40}", lambda state: review.acknowledge(state, act))
    desk.on_finding(f"f{number % 40}", lambda state: review.note(state, act, f"remark {number}"))
    desk.looked([access.looked(act, "hand", f"T7/2026-11-18 round {number}")])


def at_desk(folder: Path) -> dict[str, list[bytes]]:
    """The desk's records, by the topic they are for, in its order."""
    found: dict[str, list[bytes]] = {kind: [] for kind in KINDS}
    with closing(desk_of(data=folder)) as desk:
        for row in desk.recorder.select_notifications(1, 1_000_000):
            found[TOPICS[str(row.originator_id).partition("/")[0]]].append(bytes(row.state))
    return found


def in_topics(settings: KafkaSettings) -> dict[str, list[bytes]]:
    """The topics' records, read by a bare client."""
    return {kind: [record.value for _, record in records(settings, kind)] for kind in KINDS}


@pytest.fixture
def settings(development: KafkaSettings, request: pytest.FixtureRequest) -> KafkaSettings:
    made = with_prefix(development, f"relay{abs(hash(request.node.name)) % 10_000}.")
    topics.create(made)
    return made


@pytest.fixture
def place(settings: KafkaSettings, tmp_path: Path) -> tuple[str, ...]:
    folder = tmp_path / "state"
    folder.mkdir()
    return "--kafka", settings_file(folder, settings), "--state", str(folder)


def test_a_relay_killed_again_and_again_publishes_each_record_once_and_in_order(
    nursery: Nursery, settings: KafkaSettings, place: tuple[str, ...], tmp_path: Path
) -> None:
    chance = random.Random(7)  # noqa: S311 - the same every time
    folder, sent = tmp_path / "state", [0]
    with closing(client.consumer(settings, [])) as asked, Work(folder):
        for _ in range(KILLS):
            relay = nursery.start("relay", *place)
            if chance.random() < WHILE_AT_WORK:
                until_at_work(relay)
            if chance.random() < HAS_SENT:
                until(lambda: ends(settings, asked) > sent[-1])
            time.sleep(chance.uniform(0, 0.3))
            relay.kill()
            relay.wait()
            sent.append(ends(settings, asked))
    assert len(set(sent)) > KILLS // 2, sent
    assert nursery.run("relay", *place, "--once")[0] == 0
    assert in_topics(settings) == at_desk(folder)
    status, said = nursery.run("doctor", *place)
    assert (status, "of the desk in" in said) == (0, True), said


def test_what_a_dead_relay_had_sent_to_a_broker_that_stood_still_is_read_once(
    nursery: Nursery, settings: KafkaSettings, place: tuple[str, ...], tmp_path: Path, plain_cluster: Cluster
) -> None:
    folder, pid = tmp_path / "state", plain_cluster.brokers[0].pid
    assert pid
    with frozen(pid, random.Random(3)) as still, Work(folder):  # noqa: S311
        for end in (still, kill, still, still):
            relay = nursery.start("relay", *place)
            until_at_work(relay)
            end(relay)
            relay.wait()
    assert nursery.run("relay", *place, "--once")[0] == 0
    once = {kind: list(dict.fromkeys(held)) for kind, held in in_topics(settings).items()}
    assert once == at_desk(folder)
    assert nursery.run("doctor", *place)[0] == 0


def test_a_desk_that_was_put_back_and_worked_on_is_told_and_nothing_is_written_over(
    nursery: Nursery, settings: KafkaSettings, place: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "state"
    with closing(desk_of(data=folder)) as desk:
        work(desk, 1)
    before = (folder / "record/desk.sqlite").read_bytes()
    with closing(desk_of(data=folder)) as desk:
        work(desk, 2)
    assert nursery.run("relay", *place, "--once")[0] == 0
    published = in_topics(settings)
    for file in (folder / "record").iterdir():
        file.unlink()
    (folder / "record/desk.sqlite").write_bytes(before)
    status, said = nursery.run("doctor", *place)
    assert (status, "but the desk has only" in said) == (12, True), said
    with closing(desk_of(data=folder)) as desk:
        work(desk, 3)
    status, said = nursery.run("relay", *place, "--once")
    assert (status, "another desk has written there" in said) == (2, True), said
    assert in_topics(settings)["access"] == published["access"]
    assert nursery.run("doctor", *place)[0] == 15


def test_an_embedded_record_needs_no_relay(nursery: Nursery, tmp_path: Path) -> None:
    status, said = nursery.run("relay", "--data", str(tmp_path))
    assert (status, "needs no relay" in said) == (2, True)


def test_a_relay_needs_the_rights_of_its_role_and_no_more(secured: Secured, nursery: Nursery, tmp_path: Path) -> None:
    with closing(desk_of(data=tmp_path)) as desk:
        work(desk, 1)
    for user, status in (("gateway", 2), ("relay", 0)):
        place = ("--kafka", settings_file(tmp_path, secured.settings(user)), "--state", str(tmp_path))
        done, said = nursery.run("relay", *place, "--once")
        assert done == status, said
    assert in_topics(secured.settings("reader")) == at_desk(tmp_path)
