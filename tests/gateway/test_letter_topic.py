"""The thread that publishes dead letters, when their own file fails it. No broker is asked."""

import sqlite3
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

from consumers.gateway import letter_topic
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Letter
from consumers.gateway.letter_topic import Publisher
from consumers.kafka.settings import KafkaSettings, Plaintext

NOWHERE = KafkaSettings("development", ("localhost:1",), Plaintext())
JUNK = Letter("pit-1 devices.jsonl", 7, "unreadable", "it is not JSON", b"junk", 5)


class Sent:
    """A producer whose brokers acknowledge everything."""

    def __init__(self) -> None:
        self.records: list[bytes] = []

    def send(self, _topic: str, value: bytes) -> "Sent":
        self.records.append(value)
        return self

    def succeeded(self) -> bool:
        return True

    def flush(self, _seconds: float) -> None:
        """All is sent."""

    def close(self, timeout: float) -> None:
        """Close nothing: there is nothing to close."""


class Failing(DeadLetters):
    """A file whose disk fails now and then."""

    failures: ClassVar[list[str]] = []

    def unpublished(self, *args: Any, **named: Any) -> list[tuple[int, bytes]]:
        found = super().unpublished(*args, **named)
        if found and self.failures:
            self._db.execute("BEGIN IMMEDIATE")
            raise sqlite3.OperationalError(self.failures.pop())
        return found


def test_a_file_that_fails_is_told_of_once_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread ended without a word, and no letter was published until the next start."""
    producer, said = Sent(), list[str]()
    monkeypatch.setattr(letter_topic, "DeadLetters", Failing)
    monkeypatch.setattr(letter_topic, "_AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(letter_topic.client, "producer", lambda _: producer)
    monkeypatch.setattr(Failing, "failures", ["disk I/O error"] * 3)
    file = tmp_path / "dead-letters.sqlite"
    publisher = Publisher(file, NOWHERE, said.append)
    letters = DeadLetters(file, publisher.wake)
    letters.put([JUNK])
    until = time.monotonic() + 30
    while letters.count_unpublished():
        assert time.monotonic() < until
        time.sleep(0.01)
    publisher.close()
    letters.close()
    assert len(producer.records) == 1
    assert [JUNK.name.encode() in record for record in producer.records] == [True]
    assert said == [f"dead letters are not reaching their topic: {file}: disk I/O error. Trying again."]
    assert publisher.why_not == ""


def test_a_file_that_stays_bad_is_why_letters_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letter_topic, "DeadLetters", Failing)
    monkeypatch.setattr(Failing, "failures", ["disk I/O error"] * 100)
    file = tmp_path / "dead-letters.sqlite"
    publisher = Publisher(file, NOWHERE)
    letters = DeadLetters(file, publisher.wake)
    letters.put([JUNK])
    publisher.close()
    assert publisher.why_not == f"{file}: disk I/O error"
    assert letters.count_unpublished() == 1
    letters.close()
