"""Batches of a topic that cannot be read: a codec nobody decodes is refused, spoilt bytes become a letter, all else goes on."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from kafka import KafkaProducer
from kafka.codec import snappy_encode
from kafka.record.util import calc_crc32c

from consumers.command import main
from consumers.doctor.telling import STATUS
from consumers.kafka import client, topic_names, topics
from consumers.kafka.clusters import Cluster
from consumers.kafka.settings import KafkaSettings
from consumers.logs.log import place_of
from domain.facts.streams import owner
from tests.kafka.conftest import settings_file, with_prefix
from tests.watching.pits import Pit

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)
HEADER = 61  # bytes of a batch before its records


@pytest.fixture
def fresh(development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KafkaSettings:
    """Topics nobody has written to, with one partition."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = msgspec.structs.replace(with_prefix(development, f"unread{next(_NUMBERS)}."), partitions=1)
    topics.create(settings)
    return settings


@pytest.fixture
def facts() -> list[bytes]:
    return Pit(3, tables=2, days=1, rounds=2).record()


def catwalk(settings: KafkaSettings, folder: Path, *words: str) -> Result:
    return CliRunner().invoke(
        main, [*words, "--kafka", settings_file(folder, settings), "--state", str(folder / "state")]
    )


def told(settings: KafkaSettings, batches: list[list[bytes]], compression: str) -> None:
    """Write each of these as a batch of its own, as any client with the right to write could."""
    config = {**client.producer_settings(settings), "compression_type": compression, "linger_ms": 1000}
    producer = KafkaProducer(**config)
    for batch in batches:
        for stored in batch:
            key = owner(place_of(stored).stream).encode()
            producer.send(topic_names.name_of(settings, "facts"), key=key, value=stored, partition=0)
        producer.flush(60)
    producer.close()


def segment(cluster: Cluster, settings: KafkaSettings) -> Path:
    """The file in which the broker keeps the topic."""
    name = f"{topic_names.name_of(settings, 'facts')}-0"
    (found,) = cluster.brokers[0].folder.rglob(f"{name}/00000000000000000000.log")
    return found


def batches(stored: bytes) -> Iterator[tuple[int, int]]:
    """Begin and end of each batch of a segment."""
    at = 0
    while at < len(stored):
        end = at + 12 + int.from_bytes(stored[at + 8 : at + 12], "big")
        yield at, end
        at = end


def test_facts_another_client_compressed_with_snappy_are_read(
    fresh: KafkaSettings, facts: list[bytes], tmp_path: Path
) -> None:
    told(fresh, [facts], "snappy")
    done = catwalk(fresh, tmp_path, "watch", "--once", "--quiet")
    assert done.exit_code == 1, done.output  # there are findings
    assert f"{len(facts)} facts read" in done.stderr


def test_a_codec_without_a_decoder_is_refused_by_the_check_and_by_every_start(
    fresh: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert snappy_encode(b"a fact")
    monkeypatch.setattr("kafka.codec.snappy", None)  # as where the package is missing
    file = settings_file(tmp_path, fresh)
    checked = CliRunner().invoke(main, ["topics", "check", "--kafka", file])
    assert checked.exit_code == 1
    says = (
        "our consumer: decoders is gzip,lz4,zstd: a reader could not read the facts in a batch with another compression"
    )
    assert says in checked.stdout
    assert "Install python-snappy" in checked.stdout
    started = catwalk(fresh, tmp_path, "watch", "--once")
    assert started.exit_code == 2
    assert says in started.stderr


@pytest.mark.parametrize(
    ("checksum", "why"), [(True, "cannot be read: "), (False, "cannot be read: its checksum is wrong")]
)
def test_a_spoilt_batch_becomes_a_letter_and_whoever_reads_goes_on(
    fresh: KafkaSettings, plain_cluster: Cluster, facts: list[bytes], tmp_path: Path, *, checksum: bool, why: str
) -> None:
    """The broker's own disk changes under it; with `checksum`, so that the batch still fits its own."""
    told(fresh, [facts[:10], facts[10:14], facts[14:]], "lz4")
    file = segment(plain_cluster, fresh)
    stored = bytearray(file.read_bytes())
    _, (begin, end), _ = batches(bytes(stored))
    stored[begin + HEADER : begin + HEADER + 20] = bytes(20)
    if checksum:
        stored[begin + 17 : begin + 21] = calc_crc32c(bytes(stored[begin + 21 : end])).to_bytes(4, "big")
    with file.open("r+b") as opened:
        opened.write(stored)
    done = catwalk(fresh, tmp_path, "watch", "--once", "--quiet")
    assert done.exit_code in (0, 1), done.output
    assert f"{len(facts) - 4 + 1} facts read" in done.stderr
    listed = catwalk(fresh, tmp_path, "dead-letters", "list")
    topic = topic_names.name_of(fresh, "facts")
    says = f"the batch of records 10 to 13 of {topic}/0 {why}"
    assert len([line for line in listed.stdout.splitlines() if says in line and f"{topic}/0:10" in line]) == 1
    examined = catwalk(fresh, tmp_path, "doctor")
    assert f"unreadable: no stream record 0 at facts/0:11: {says}" in examined.stdout
    assert examined.exit_code == STATUS["unreadable"]
    assert f"{len(facts) - 4} records in" in examined.stderr


def test_reading_to_the_end_ends_behind_a_transaction_somebody_made(
    fresh: KafkaSettings, facts: list[bytes], tmp_path: Path
) -> None:
    """The transaction's mark is the last thing in the partition, and no record of it is ever given out."""
    config = {**client.producer_settings(fresh), "transactional_id": "somebody"}
    producer = KafkaProducer(**config)
    producer.init_transactions()
    for end in (producer.commit_transaction, producer.abort_transaction):
        producer.begin_transaction()
        for stored in facts:
            key = owner(place_of(stored).stream).encode()
            producer.send(topic_names.name_of(fresh, "facts"), key=key, value=stored, partition=0)
        producer.flush(60)
        end()
    producer.close()
    begun = time.monotonic()
    done = catwalk(fresh, tmp_path, "watch", "--once", "--quiet")
    assert done.exit_code == 1, done.output
    assert f"{2 * len(facts)} facts read" in done.stderr
    assert time.monotonic() - begun < 30
