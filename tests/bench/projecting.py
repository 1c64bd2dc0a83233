"""From a log to committed read models, beside the log's bare drain: alone, and verified as well by one process or two."""

import tempfile
from collections.abc import Callable
from os import cpu_count
from pathlib import Path
from time import perf_counter

from kafka import TopicPartition

from consumers.kafka import client, topic_names
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import Log, StoredFact
from consumers.logs.sqlite import SqliteLog
from tests.bench.kafka import broker
from tests.bench.processes import (
    Share,
    Took,
    alone,
    best,
    fetched_apart,
    in_halves,
    in_one,
    in_two,
    shared,
    verified,
    verified_by_two,
)
from tests.bench.replay import rows
from tests.bench.sides import met

RATIO_GOAL = 0.8
_BATCH = 5_000
_TURNS = 3
PARTITIONS = 12  # over which the twelve tables lie so that either half has half of the facts
_PROJECTED, _FETCHED = "projected", "projected, a second process fetches"
_VERIFIED, _VERIFIED_BY_TWO = "verified", "verified, two share the partitions"
_BOTH, _BESIDE = "verified and projected", "verified beside the projector"
_HALVED = "verified and projected, halved into two folders"
# One process, and what two do in its place.
_PAIRS = (
    (_PROJECTED, _FETCHED),
    (_VERIFIED, _VERIFIED_BY_TWO),
    (_BOTH, _BESIDE),
    (_BOTH, _HALVED),
)


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _drained(log: Log) -> int:
    return sum(len(batch.facts) for batch in log.drain({}))


def _filled(log: Log, facts: list[StoredFact]) -> Log:
    for start in range(0, len(facts), _BATCH):
        log.append(facts[start : start + _BATCH])
    return log


def _say(what: str, count: int, ours: float, theirs: float, peer: str) -> None:
    rate, bare = count / ours, count / theirs
    goal = f"goal of the ratio {RATIO_GOAL:.2f} {met(rate >= RATIO_GOAL * bare)}"
    print(f"{what:<55} {rate:>9,.0f}/s   {peer:<21} {bare:>7,.0f}/s   ratio {rate / bare:.2f}   {goal}")


def projected() -> None:
    """A floor's day of facts from either log into read models that are published."""
    facts = rows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = _filled(SqliteLog(folder / "facts.sqlite", create=True), facts)
        findings = SqliteLog(folder / "findings.sqlite", create=True, name="findings")
        ours = [alone(log, findings, _fresh(folder / f"turn-{turn}")).seconds for turn in range(_TURNS)]
        theirs = [_timed(lambda: _drained(log)) for _ in range(_TURNS)]
        _say("SQLite, projected", len(facts), min(ours), min(theirs), "the log's own drain")
        log.close()
        findings.close()
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as name, broker(Path(name), PARTITIONS) as settings:
            _from_kafka(settings, Path(name), facts)
    except BrokerUnavailableError as error:
        print(f"Kafka to read models: not measured: {error}")


def _from_kafka(settings: KafkaSettings, folder: Path, facts: list[StoredFact]) -> None:
    log = KafkaLog(settings, Index(folder / "facts.index"))
    _filled(log, facts)
    findings = KafkaLog(settings, Index(folder / "findings.index"), kind="findings")
    topic = topic_names.name_of(settings, "facts")

    def bare() -> None:
        reader = client.consumer(
            settings, [TopicPartition(topic, number) for number in log.partitions], check_crcs=False
        )
        count = 0
        while count < len(facts):
            count += sum(len(records) for records in reader.poll(timeout_ms=1000).values())
        reader.close()

    ways: dict[str, Callable[[Share], Took]] = {
        _PROJECTED: lambda share: alone(log, findings, share.folder),
        _FETCHED: lambda share: fetched_apart(share, log, findings),
        _VERIFIED: lambda share: verified(share, log),
        _VERIFIED_BY_TWO: lambda share: verified_by_two(share, log),
        _BOTH: lambda share: in_one(share, log),
        _BESIDE: lambda share: in_two(share, log),
        _HALVED: lambda share: in_halves(share, log),
    }
    runs: dict[str, list[Took]] = {what: [] for what in ways}
    theirs = []
    for turn in range(_TURNS):
        theirs.append(_timed(bare))
        for number, (what, way) in enumerate(ways.items()):
            runs[what].append(way(shared(settings, log, folder / f"turn-{turn}-{number}")))
    print(f"bare drain, {len(log.partitions)} partitions by one consumer {len(facts) / min(theirs):>24,.0f}/s")
    took = {what: best(each) for what, each in runs.items()}
    for what, each in took.items():
        _say(f"Kafka, {what}", len(facts), each.seconds, min(theirs), "bare consumer")
    for one, two in _PAIRS:
        _bought(took[one], two, took[two])
    log.close()
    findings.close()


def _bought(one: Took, what: str, two: Took) -> None:
    """Gain and cost of a second process."""
    if two.findings != one.findings:
        raise RuntimeError(f"one process wrote {one.findings} records of findings and two {two.findings}")
    print(
        f"{what}: {one.seconds / two.seconds:.2f} times the facts a second of one process; processor "
        f"{one.processor:.1f} s in one, {two.processor - two.there:.1f} + {two.there:.1f} s in two, on {cpu_count()} cores"
    )


def _fresh(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    projected()
