"""The log in Kafka on a real broker: the contract, the library's own cases, its index, and what it cannot promise."""

import itertools
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from click.testing import CliRunner
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
)
from eventsourcing.tests import persistence as cases
from kafka import KafkaConsumer
from kafka.net.connection import KafkaConnection

from consumers.command import main
from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs import Log, StoredFact, kafka_feed, open_log
from consumers.logs.copying import copy
from consumers.logs.kafka import STREAM_FETCH_BYTES, KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.kafka_recorder import KafkaRecorder
from consumers.logs.opening_kafka import UnsafeLogError
from domain.facts.codec import decode
from tests.kafka import bulk
from tests.kafka.conftest import Secured, settings_file, with_prefix
from tests.logs.contract import DAY, T7, LogContract, Open, everything
from tests.logs.numbered import crowd, numbered, run

pytestmark = pytest.mark.xdist_group("kafka")

_NUMBERS = itertools.count(1)


@pytest.fixture
def fresh(development: KafkaSettings) -> KafkaSettings:
    """Topics of three partitions that nobody has written to."""
    settings = with_prefix(development, f"log{next(_NUMBERS)}.")
    topics.create(settings)
    return settings


@pytest.fixture
def open_again(fresh: KafkaSettings, tmp_path: Path) -> Iterator[Open]:
    opened: list[KafkaLog] = []

    def open_again() -> Log:
        opened.append(KafkaLog(fresh, Index(tmp_path / "index.sqlite")))
        return opened[-1]

    yield open_again
    for log in opened:
        log.close()


class TestKafka(LogContract):
    """Three partitions on one broker."""

    FEWEST_PARTITIONS = 3

    @pytest.fixture(autouse=True)
    def _network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Counts every byte that comes from a broker."""
        self.received = 0
        whole = KafkaConnection.data_received

        def counted(connection: KafkaConnection, data: bytes) -> object:
            self.received += len(data)
            return whole(connection, data)

        monkeypatch.setattr(KafkaConnection, "data_received", counted)

    def bytes_read(self, log: Log) -> int:
        return self.received

    def most_bytes(self, stream_facts: int, facts_between: int, whole: int) -> int:
        """The stretch of one partition, half of everything between at most, and a fetch or two too much."""
        stretch = (stream_facts + facts_between // 2) * whole // self.CROWD
        assert whole > 10 * stretch
        return stretch + 2 * STREAM_FETCH_BYTES

    def fill(self, log: Log, facts: Iterable[StoredFact]) -> None:
        assert isinstance(log, KafkaLog)
        bulk.fill(log, facts)


def test_a_lost_or_broken_index_is_made_again_from_the_log(fresh: KafkaSettings, tmp_path: Path) -> None:
    first = KafkaLog(fresh, Index(tmp_path / "index.sqlite"))
    first.append(list(crowd(20, 400, DAY)))
    first.append(run(T7, 1, 5))
    first.close()
    (tmp_path / "broken.sqlite").write_bytes(b"no database at all, and long enough to be seen as none" * 100)
    for name in ("index.sqlite", "none-yet.sqlite", "broken.sqlite"):
        again = KafkaLog(fresh, Index(tmp_path / name))
        assert again.read_stream(T7) == [fact.stored for fact in run(T7, 1, 5)]
        with pytest.raises(IntegrityError):
            again.append([numbered(T7, 5)])
        again.close()


def test_an_index_that_knows_more_than_the_log_is_of_another_log(fresh: KafkaSettings, tmp_path: Path) -> None:
    index = Index(tmp_path / "index.sqlite")
    index.note({}, [(0, 1_000_000)])
    log = KafkaLog(fresh, index)
    log.append(run("T1/2026-11-18", 1, 3) + run("T2/2026-11-18", 1, 3) + run(T7, 1, 3))
    assert log.read_stream(T7) == [fact.stored for fact in run(T7, 1, 3)]
    log.close()


def test_a_second_writer_of_a_stream_is_not_kept_out_and_both_claims_are_read(
    fresh: KafkaSettings, tmp_path: Path
) -> None:
    """Kafka has no conditional append: what SQLite refuses stands here twice, and a reader sees the fork."""
    one, two = (KafkaLog(fresh, Index(tmp_path / f"{name}.sqlite")) for name in ("one", "two"))
    one.append([numbered(T7, 1)])
    two.append([numbered(T7, 2)])
    other = numbered(T7, 2)._replace(stored=numbered(T7, 2).stored.replace(b"2500", b"2600"))
    one.append([other])
    assert one.read_stream(T7) == two.read_stream(T7) == [numbered(T7, 1).stored, numbered(T7, 2).stored, other.stored]
    one.close()
    two.close()


def test_a_log_without_its_topic_says_what_to_do(development: KafkaSettings, tmp_path: Path) -> None:
    with pytest.raises(OperationalError, match="catwalk topics create"):
        KafkaLog(with_prefix(development, "nobody-made-these."), Index(tmp_path / "index.sqlite"))


def test_a_follower_refuses_a_position_the_log_never_had(open_again: Open) -> None:
    """Kafka would start again from the beginning, and every fact would be read twice."""
    with pytest.raises(OperationalError, match="it is a different log"):
        next(open_again().follow({0: 5}, threading.Event()))


def test_a_recorder_takes_facts_of_its_own_partition_only(open_again: Open) -> None:
    log = open_again()
    assert isinstance(log, KafkaLog)
    stranger = next(partition for partition in log.partitions if partition != log.home(T7))
    with pytest.raises(ProgrammingError):
        log.recorder(stranger).insert_events([cases.StoredEvent(*numbered(T7, 1))])
    assert everything(log) == []


def test_a_command_finds_the_log_and_an_event_store_keeps_facts_in_it(
    fresh: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = settings_file(tmp_path, fresh)
    env = {"PERSISTENCE_MODULE": "consumers.logs.kafka_recorder", "CATWALK_KAFKA": file}
    log = open_log(kafka=Path(file))
    assert isinstance(log, KafkaLog)
    home = str(log.home(T7))
    with InfrastructureFactory.construct({**env, "KAFKA_PARTITION": home}) as factory:
        store = factory.event_store()
        facts = [decode(fact.stored) for fact in run(T7, 1, 5)]
        assert [each.notification.id for each in store.put(facts)] == [1, 2, 3, 4, 5]
        assert list(store.get(T7)) == facts
        for unkept in (factory.tracking_recorder, factory.process_recorder, factory.aggregate_recorder):
            with pytest.raises(NotSupportedError):
                unkept()
    factory.close()
    assert log.read_stream(T7) == [fact.stored for fact in run(T7, 1, 5)]
    log.close()
    with pytest.raises(OSError, match="must name one of 3 partitions"):
        InfrastructureFactory.construct(env).application_recorder()


def test_a_gateway_that_may_only_write_appends_and_sends_again_after_a_kill(secured: Secured, tmp_path: Path) -> None:
    """The log cannot tell it which facts were taken; a repeat is harmless, and every reader sees each fact once."""
    for attempt in ("first", "after-a-kill"):
        gateway = KafkaLog(secured.settings("gateway"), Index(tmp_path / f"{attempt}.sqlite"))
        gateway.append_once(run("T77/2026-11-18", 1, 5))
        gateway.append_once(run("T77/2026-11-18", 6, 9))
        gateway.close()
    reader = KafkaLog(secured.settings("reader"), Index(tmp_path / "reader.sqlite"))
    assert reader.read_stream("T77/2026-11-18") == [fact.stored for fact in run("T77/2026-11-18", 1, 9)]
    reader.close()


def test_a_log_that_falls_silent_is_an_error_and_no_endless_wait(
    fresh: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_feed, "SILENT_POLLS", 3)
    log = KafkaLog(fresh, Index(tmp_path / "index.sqlite"))
    log.append(run(T7, 1, 5))
    monkeypatch.setattr(KafkaConsumer, "poll", lambda *_, **__: {})
    for read in (lambda: log.read(log.home(T7), 0, 5), lambda: list(log.drain({})), lambda: log.read_stream(T7)):
        with pytest.raises(OperationalError, match="no broker sent"):
            read()
    log.close()


def test_a_topic_that_could_lose_facts_is_not_opened(development: KafkaSettings, tmp_path: Path) -> None:
    file = settings_file(tmp_path, with_prefix(development, "not-there."))
    with pytest.raises(UnsafeLogError, match="records have no place to go"):
        open_log(kafka=Path(file))


def test_an_embedded_log_goes_into_kafka_and_back_without_loss(
    fresh: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = settings_file(tmp_path, fresh)
    first = open_log(data=tmp_path / "first", create=True)
    first.append([*crowd(20, 30_000, DAY), *run(T7, 1, 100)])
    first.close()

    def copied(*options: str) -> list[str]:
        ran = CliRunner().invoke(main, ["log", "copy", *options])
        assert ran.exit_code == 0, ran.output
        assert ran.stdout.endswith("equal: the same streams, sequences and bytes\n")
        return ran.stdout.splitlines()

    there = copied("--from-data", str(tmp_path / "first"), "--to-kafka", file)
    again = copied("--from-data", str(tmp_path / "first"), "--to-kafka", file)
    back = copied("--from-kafka", file, "--to-data", str(tmp_path / "second"), "--state", str(tmp_path / "desk"))
    assert (there[0], again[0], back[0]) == (
        "copied 30100 facts",
        "copied 0 facts, 30100 were already there",
        "copied 30100 facts",
    )
    assert {line.split()[1] for printed in (there, again, back) for line in printed[1:3]} == {there[1].split()[1]}
    one, two = (open_log(data=tmp_path / name) for name in ("first", "second"))
    assert sorted(everything(one)) == sorted(everything(two))


def test_a_copy_out_of_kafka_names_forks_and_records_without_a_place(fresh: KafkaSettings, tmp_path: Path) -> None:
    one, two = (KafkaLog(fresh, Index(tmp_path / f"{name}.sqlite")) for name in ("one", "two"))
    one.append(run(T7, 1, 3))
    two.append([numbered(T7, 4)])
    one.append([numbered(T7, 4)])
    one.append([numbered(T7, 5)])
    with client.producer(fresh) as stranger:
        stranger.send(topic_names.name_of(fresh, "facts"), key=b"T7", value=b"no json")
        stranger.send(topic_names.name_of(fresh, "facts"), key=b"T7", value=None)
        stranger.send(
            topic_names.name_of(fresh, "facts"), key=b"T7", value=numbered(T7, 5).stored.replace(b"2500", b"2600")
        )
    target = open_log(data=tmp_path / "target", create=True)
    done = copy(two, target)
    assert target.read_stream(T7) == [fact.stored for fact in run(T7, 1, 5)]
    assert [left.why.split(":")[0] for left in done.left] == [
        "these bytes name no stream and sequence",
        "these bytes name no stream and sequence",
        T7,
    ]
    assert done.different == [T7]
    one.close()
    two.close()


class TestKafkaRecorder(cases.ApplicationRecorderTestCase[KafkaRecorder]):
    """The library's cases, on a topic of one partition."""

    @pytest.fixture(autouse=True)
    def _broker(self, development: KafkaSettings, tmp_path: Path) -> None:
        self.settings, self.folder = development, tmp_path

    def new_originator_id(self) -> str:
        return str(uuid4())

    def create_recorder(self) -> KafkaRecorder:
        settings = msgspec.structs.replace(with_prefix(self.settings, f"lib{next(_NUMBERS)}."), partitions=1)
        topics.create(settings)
        log = KafkaLog(settings, Index(self.folder / "index.sqlite"))
        self.addCleanup(log.close)
        recorder: KafkaRecorder = log.recorder(0)
        return recorder

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()
