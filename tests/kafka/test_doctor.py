"""`catwalk doctor` on a damaged record in Kafka: each damage found, and its place."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from consumers.commands.doctor import STATUS
from consumers.gateway.keys import PASSPHRASE, KeyStore
from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings
from domain.facts.codec import decode
from tests.gateway.floor import START, day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.test_kills import Embedded
from tests.kafka import damage
from tests.kafka.conftest import settings_file, with_prefix
from tests.kafka.damage import Row, Stored, Trouble

__all__ = ["nursery"]

pytestmark = pytest.mark.xdist_group("kafka")

DAY = "2026-11-18"
RECORDS = 14  # of a table's day of one round, its seals among them

# A day: 1 opened, 2 round opened, 3-5 wagers, 6 bets closed, 7-10 cards, 11 round over, 12 seal, 13 closed, 14 seal.
ROWS = [
    Row("nothing", lambda stored, _: stored, []),
    Row("another amount", damage.another_amount, [Trouble("break", 4, 4)]),
    Row("a bit turned round", damage.one_bit, [Trouble("break", 4, 4)]),
    Row("dropped", damage.dropped, [Trouble("gap", 4, 3)]),
    Row("swapped", damage.swapped, [Trouble("gap", 4, 3), Trouble("out-of-order", 4, 5)]),
    Row("doubled", damage.doubled, [Trouble("repeat", 4, 5)]),
    Row("a forged hash", damage.forged_previous, [Trouble("break", 3, 3), Trouble("break", 4, 4)]),
    Row("rewritten from there on", damage.rewritten, [Trouble("seal-bad", 12, 12), Trouble("seal-bad", 14, 14), Trouble("unsealed", 14, 14), Trouble("break", 14, 14)]),
    Row("another table's seal", damage.sealed_by_another_table, [Trouble("seal-bad", 15, 15), Trouble("unsealed", 15, 15)]),
    Row("another day's seal", damage.sealed_for_another_stream, [Trouble("seal-bad", 15, 15), Trouble("unsealed", 15, 15)]),
    Row("a second writer", damage.second_writer, [Trouble("fork", 4, 6)]),
    Row("opened again", damage.opened_again, [Trouble("second-writer", 4, 4), Trouble("day-unlinked", 4, 4), Trouble("seal-bad", 13, 13), Trouble("seal-bad", 15, 15), Trouble("unsealed", 15, 15)]),
    Row("the tail cut", damage.cut, [Trouble("tail-cut", 12, 11), Trouble("unsealed", 11, 11)]),
    Row("all of it gone", damage.gone, [Trouble("tail-cut", 1, 0)]),
    Row("a tombstone", damage.emptied, [Trouble("gap", 4, 3)]),
    Row("broken off", damage.broken_off, [Trouble("gap", 4, 3)]),
]  # fmt: skip
# What is left of the record does not say whose it was: only its place in the log shows that.
NAMELESS = ("a tombstone", "broken off")
FLIPS = 60


class Pit:
    """A pit of many tables on record, and the keys and heads of its gateway."""

    def __init__(self, nursery: Nursery, folder: Path, tables: list[str]) -> None:
        self.folder = folder
        self._nursery = nursery
        said = list(self._property(tables))
        for table in tables:
            said += lines(day(table, rounds=1))
        file = folder.with_suffix(".jsonl")
        file.write_bytes(b"\n".join(said) + b"\n")
        status, told = nursery.run("ingest", "--data", folder, file)
        assert status == 0, told
        self.streams: dict[str, Stored] = {}
        for entry in Embedded(folder).log():
            self.streams.setdefault(decode(entry.stored).stream, []).append(entry.stored)

    def _property(self, tables: list[str]) -> Iterator[bytes]:
        opened = {"type": "property-opened.1", "at": START, "source": "desk", "source_key": "1", "gaming_day": DAY}
        file = self.folder.with_suffix(".opened")
        file.write_text(json.dumps(opened | {"property": "Test House", "writer_epoch": 0}) + "\n")
        status, told = self._nursery.run("ingest", "--data", self.folder, file)
        assert status == 0, told
        for table in ("property", *tables):
            status, told = self._nursery.run(
                "keys", "make", table, f"{table}-key", "--from", f"{DAY}T00:00:00Z", "--data", self.folder
            )
            assert status == 0, told
            yield told.splitlines()[-1].encode()


def written(settings: KafkaSettings, streams: Mapping[str, Stored]) -> dict[str, list[str]]:
    """Write streams as a bare client would, each table by its key; where each record lies, in the doctor's words."""
    topics.create(settings)
    with client.producer(settings) as bare:
        sent = {
            stream: [
                bare.send(topic_names.name_of(settings, "facts"), key=stream.partition("/")[0].encode(), value=stored)
                for stored in held
            ]
            for stream, held in streams.items()
        }
        return {
            stream: [f"facts/{one.partition}:{one.offset + 1}" for one in (future.get(90) for future in futures)]
            for stream, futures in sent.items()
        }


def examined(nursery: Nursery, pit: Pit, settings: KafkaSettings) -> tuple[int, list[dict[str, Any]]]:
    """The doctor's exit status and what it found."""
    file = settings_file(pit.folder, settings)
    status, said = nursery.run("doctor", "--kafka", file, "--state", pit.folder, "--json")
    return status, [json.loads(line) for line in said.splitlines() if line.startswith("{")]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeyStore:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    return KeyStore(tmp_path / "pit/keys")


def test_each_damage_is_found_and_located_and_nothing_else_is(
    development: KafkaSettings, nursery: Nursery, store: KeyStore, tmp_path: Path
) -> None:
    """A table a row, all in one topic: no table's damage is laid on another."""
    tables = {f"T{number}": row for number, row in enumerate(ROWS, start=1)}
    pit = Pit(nursery, tmp_path / "pit", list(tables))
    assert {len(held) for stream, held in pit.streams.items() if stream[0] == "T"} == {RECORDS}
    settings = with_prefix(development, "damaged.")
    places = written(
        settings,
        {
            stream: tables[stream[:-11]].damage(held, store) if stream[0] == "T" else held
            for stream, held in pit.streams.items()
        },
    )
    status, found = examined(nursery, pit, settings)
    for table, row in tables.items():
        stream = f"{table}/{DAY}"
        told = [
            Trouble(one["kind"], one["sequence"], places[stream].index(one["where"]) + 1 if one["where"] else 0)
            for one in found
            if one["stream"] == stream
        ]
        assert sorted(told) == sorted(row.told), row.what
    others = [one for one in found if one["stream"][:-11] not in tables]
    nameless = [places[f"{table}/{DAY}"][3] for table, row in tables.items() if row.what in NAMELESS]
    assert sorted((one["kind"], one["where"]) for one in others) == [
        ("unreadable", where) for where in sorted(nameless)
    ]
    assert status == max(STATUS[one["kind"]] for one in found if one["kind"] in STATUS)


def test_any_bit_turned_round_is_found_at_its_record_or_the_next(
    development: KafkaSettings, nursery: Nursery, store: KeyStore, tmp_path: Path
) -> None:
    chance = random.Random(60)  # noqa: S311 - the same bits every time
    tables = [f"T{number}" for number in range(1, FLIPS + 1)]
    pit = Pit(nursery, tmp_path / "pit", tables)
    settings = with_prefix(development, "flipped.")
    flips: dict[str, tuple[Callable[[Stored, KeyStore], Stored], int]] = {
        f"{table}/{DAY}": damage.any_bit(chance) for table in tables
    }
    places = written(
        settings,
        {stream: flips[stream][0](held, store) if stream in flips else held for stream, held in pit.streams.items()},
    )
    _, found = examined(nursery, pit, settings)
    told = {one["where"] for one in found if one["kind"] not in ("repeat", "unsealed")}
    for stream, (_, number) in flips.items():
        near = places[stream][max(0, number - 2) : number + 1]
        assert told & set(near), f"record {number} of {stream}: {pit.streams[stream][number - 1]!r}"
