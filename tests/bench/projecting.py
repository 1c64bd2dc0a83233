"""From a log to committed read models, beside the log's bare drain; and from a fact acknowledged to its finding seen."""

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from kafka import TopicPartition

from consumers.kafka import client, topics
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import Log, StoredFact
from consumers.logs.sqlite import SqliteLog
from consumers.projecting.following import Pace, through
from consumers.projecting.projector import Projector
from projections.store.store import Store
from tests.bench.kafka import broker
from tests.bench.replay import rows
from tests.bench.sides import met

RATIO_GOAL = 0.8
_BATCH = 5_000
_TURNS = 3


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _projected(facts: Log, findings: Log, folder: Path) -> float:
    """Everything taken, committed and published; how long it took."""
    with Store.open(folder) as store:
        projector = Projector(facts, findings, store)
        return _timed(lambda: through(projector, threading.Event(), Pace()))


def _drained(log: Log) -> int:
    return sum(len(batch.facts) for batch in log.drain({}))


def _filled(log: Log, facts: list[StoredFact]) -> Log:
    for start in range(0, len(facts), _BATCH):
        log.append(facts[start : start + _BATCH])
    return log


def _say(what: str, count: int, ours: list[float], theirs: list[float], peer: str) -> None:
    rate, bare = count / min(ours), count / min(theirs)
    goal = f"goal of the ratio {RATIO_GOAL:.2f} {met(rate >= RATIO_GOAL * bare)}"
    print(f"{what:<40} {rate:>9,.0f}/s   {peer:<21} {bare:>7,.0f}/s   ratio {rate / bare:.2f}   {goal}")


def projected() -> None:
    """A floor's day of facts from either log into read models that are published."""
    facts = rows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = _filled(SqliteLog(folder / "facts.sqlite", create=True), facts)
        findings = SqliteLog(folder / "findings.sqlite", create=True, name="findings")
        ours = [_projected(log, findings, folder / f"read-{turn}") for turn in range(_TURNS)]
        theirs = [_timed(lambda: _drained(log)) for _ in range(_TURNS)]
        _say("SQLite to committed read models", len(facts), ours, theirs, "the log's own drain")
        log.close()
        findings.close()
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as name, broker(Path(name)) as settings:
            _from_kafka(settings, Path(name), facts)
    except BrokerUnavailableError as error:
        print(f"Kafka to read models: not measured: {error}")


def _from_kafka(settings: KafkaSettings, folder: Path, facts: list[StoredFact]) -> None:
    log = _filled(KafkaLog(settings, Index(folder / "facts.index")), facts)
    findings = KafkaLog(settings, Index(folder / "findings.index"), kind="findings")
    topic = topics.name_of(settings, "facts")

    def bare() -> None:
        reader = client.consumer(
            settings, [TopicPartition(topic, number) for number in log.partitions], check_crcs=False
        )
        count = 0
        while count < len(facts):
            count += sum(len(records) for records in reader.poll(timeout_ms=1000).values())
        reader.close()

    ours = [_projected(log, findings, folder / f"read-{turn}") for turn in range(_TURNS)]
    theirs = [_timed(bare) for _ in range(_TURNS)]
    _say("Kafka to committed read models", len(facts), ours, theirs, "bare consumer")
    log.close()
    findings.close()


if __name__ == "__main__":
    projected()
