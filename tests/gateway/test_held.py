"""Revocations in force that wait for a place on record: nobody takes their keys, and no changed byte passes."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from consumers.gateway.clients import REGISTRAR
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.keys import KeyStore
from consumers.gateway.outbox import Outbox
from domain.facts.codec import encode
from domain.facts.sources import SourceRevoked
from tests.gateway.admitted import OPENED, begin, run, table_sources
from tests.gateway.floor import START, day, lines
from tests.gateway.test_gateway import MemoryLog

OUTBOX = "gateway/outbox.sqlite"
CLOSED = {"type": "property-closed.1", "at": START, "source": "office", "source_key": "o:2", "stream": "property"}
REVOKED = SourceRevoked("x", "r", at=START + 1, source="sources", source_key="revoked:x:1", stream="property")
NOTED = {"type": "noted.1", "text": "t", "at": START + 2, "source": "sources", "source_key": "revoked:x:1"}
NEXT_DAY = json.dumps(json.loads(OPENED) | {"gaming_day": "2026-11-19", "source_key": "office:2"}).encode()


class House:
    """A gateway on a folder, whose property is closed and where a revocation waits."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, MemoryLog()
        self.gateway = self.opened()
        self.says(OPENED, lines(day())[0], json.dumps(CLOSED).encode())
        self.gateway.take([InputLine("sources", 1, encode(REVOKED), REGISTRAR)])
        assert self.gateway.report.held == 1

    def opened(self) -> Gateway:
        outbox, letters = Outbox(self.folder / "outbox.sqlite"), DeadLetters(self.folder / "dead.sqlite")
        return Gateway(outbox, self.log, KeyStore(self.folder / "keys"), letters, lambda: START)

    def again(self) -> None:
        self.gateway.outbox.close()
        self.gateway.letters.close()
        self.gateway = self.opened()

    def says(self, *said: bytes) -> None:
        self.gateway.take([InputLine("file", number, one) for number, one in enumerate(said, 1)])

    def on_record(self) -> list[tuple[str, str]]:
        facts = [json.loads(stored) for stored in self.log.stream("property/2026-11-19")]
        return [(fact["type"], fact["source_key"]) for fact in facts][1:]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.gateway.outbox.close()
    made.gateway.letters.close()


@pytest.mark.parametrize("restarts", [False, True], ids=["at once", "after a restart"])
def test_the_key_of_what_is_held_is_nobody_else_s(house: House, *, restarts: bool) -> None:
    """A foreign key kept the property from ever being opened again."""
    if restarts:
        house.again()
    house.says(json.dumps(NOTED | {"stream": "T7"}).encode())
    assert [kept.letter.reason for kept in house.gateway.letters.all()] == ["key used for another fact"]
    house.gateway.take([InputLine("sources", 1, encode(REVOKED), REGISTRAR)])
    assert len(house.gateway.outbox.held()) == 1
    house.says(NEXT_DAY)
    assert house.on_record() == [("source-revoked.1", "revoked:x:1")]
    assert house.gateway.outbox.held() == []
    house.says(json.dumps(NOTED | {"stream": "T7", "source_key": "n:2"}).encode())
    assert len(list(house.gateway.letters.all())) == 1


def test_what_is_held_goes_on_record_though_its_key_was_used(house: House) -> None:
    """A gateway of 0.2.0 took the other fact; the revocation is in force, so another key is better than none."""
    house.gateway._held.clear()
    house.says(json.dumps(NOTED | {"stream": "T7"}).encode())
    house.again()
    house.says(NEXT_DAY)
    ((kind, key),) = house.on_record()
    assert (kind, key.startswith("revoked:x:1:held")) == ("source-revoked.1", True)
    assert house.gateway.outbox.held() == []


def test_an_outbox_that_held_revocations_without_digests_is_gone_on_with(house: House) -> None:
    house.gateway.outbox.close()
    with closing(sqlite3.connect(house.folder / "outbox.sqlite")) as db:
        made = "SELECT sql FROM sqlite_schema WHERE name = 'held'"
        (new,) = db.execute(made).fetchone()
        db.executescript(
            "ALTER TABLE held RENAME TO gone; CREATE TABLE held (place INTEGER PRIMARY KEY, stored BLOB);"
            "INSERT INTO held SELECT place, stored FROM gone; DROP TABLE gone;"
        )
    house.again()
    assert house.gateway.outbox.held() == [REVOKED]
    house.gateway.outbox.close()
    with closing(sqlite3.connect(house.folder / "outbox.sqlite")) as db:
        assert db.execute(made).fetchone() == (new,), "doctor compares how tables are made"
    house.again()


# change to the outbox, and the message at every start of a gateway
SPOILT = [
    ("UPDATE held SET stored = x'00ff'", "holds a revocation in force that is not on record yet and cannot be used"),
    ("UPDATE held SET stored = NULL", "its bytes differ from the stored digest"),
    ("UPDATE held SET digest = NULL", "its bytes differ from the stored digest"),
    (
        "UPDATE held SET stored = CAST(replace(CAST(stored AS TEXT), 'T7-reader', 'T7-readeq') AS BLOB)",
        "its bytes differ from the stored digest",
    ),
    ("UPDATE standing SET stored = x'00ff'", "holds an unreadable fact about keys or sources"),
]


@pytest.mark.parametrize(("statement", "says"), SPOILT, ids=[row[0] for row in SPOILT])
def test_a_spoilt_outbox_is_refused_in_a_sentence(tmp_path: Path, statement: str, says: str) -> None:
    begin(tmp_path, "office", *table_sources("T7"))
    closed = json.dumps(CLOSED).encode()
    assert run("ingest", "--data", tmp_path, "-", given=closed).exit_code == 0
    assert run("sources", "revoke", "T7-reader", "--reason", "stolen", "--data", tmp_path).exit_code == 0
    with closing(sqlite3.connect(tmp_path / OUTBOX)) as db, db:
        assert db.execute(statement).rowcount > 0
    ran = run("ingest", "--data", tmp_path, "-", given=closed)
    assert ran.exit_code == 2, ran.output
    assert says in ran.stderr
    assert "Restore a backup" in ran.stderr
