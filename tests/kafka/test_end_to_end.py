"""A record's way by the commands alone, as a person types them: begun embedded, gone on in Kafka, and back."""

import itertools
import os
import re
import socket

import pytest

from consumers.kafka.settings import DEVELOPMENT_BANNER, KafkaSettings
from tests.gateway.kills import nursery
from tests.gateway.nursery import Forked, Nursery
from tests.gateway.pit import SOURCES, TABLES, PitDay, pit_day
from tests.gateway.proof import expected_of, faults
from tests.gateway.test_kills import Embedded
from tests.kafka.conftest import settings_file, with_prefix
from tests.kafka.records import OnKafka

__all__ = ["nursery"]

pytestmark = pytest.mark.xdist_group("kafka")

FIRST, SECOND = "2026-11-18", "2026-11-19"

_NUMBERS = itertools.count(1)


class Shell:
    """Commands as a person types them, in a folder with the settings file `kafka.toml` of topics just created."""

    def __init__(self, nursery: Nursery, settings: KafkaSettings) -> None:
        self.nursery = nursery
        self.folder = nursery.folder
        self.settings = settings
        settings_file(self.folder, settings)
        assert f"{settings.topic_prefix}facts: created" in self.run("topics create --kafka kafka.toml")

    def run(self, words: str, status: int = 0) -> str:
        """Output on both channels of a run that ends with this status."""
        ran = self.start(words)
        assert ran.wait() == status, ran.told.read_text()
        return ran.told.read_text().replace(f"{DEVELOPMENT_BANNER}\n", "")

    def start(self, words: str) -> Forked:
        return self.nursery.start(*words.split())

    def write(self, name: str, lines: list[bytes]) -> None:
        (self.folder / name).write_bytes(fed(lines))


@pytest.fixture
def shell(development: KafkaSettings, nursery: Nursery) -> Shell:
    return Shell(nursery, with_prefix(development, f"journey{next(_NUMBERS)}."))


def fed(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def digest(told: str, side: str) -> str:
    found = re.search(rf"^{side} +([0-9a-f]{{64}})  \d+ facts in \d+ streams$", told, re.MULTILINE)
    assert found, told
    return found[1]


def listened(shell: Shell, day: PitDay) -> None:
    """A gateway on Kafka hears a day's devices, each on a connection of its own, and ends when it is asked to."""
    gateway = shell.start("gateway --kafka kafka.toml --state pit --socket sock")
    while not (shell.folder / "sock").exists():
        assert gateway.wait(0.01) is None, gateway.told.read_text()
    for together in ([day.opened], list(day.devices.values()), [day.closed]):
        devices = [socket.socket(socket.AF_UNIX) for _ in together]
        for device, lines in zip(devices, together, strict=True):
            device.settimeout(90)
            device.connect(str(shell.folder / "sock"))
            device.sendall(fed(lines))
        for device, lines in zip(devices, together, strict=True):
            with device, device.makefile("rb") as told:
                assert any(b'{"taken":%d}' % len(lines) in line for line in told)
    gateway.ask_to_end()
    assert gateway.wait(90) == 0


def test_a_record_goes_from_the_embedded_log_into_kafka_and_on_there_and_back(shell: Shell) -> None:
    tables = ("property", *TABLES)
    shell.write("opening", pit_day(0, 1, []).opened[:1])
    shell.run("ingest --data pit opening")
    made = [shell.run(f"keys make {table} {table}-key --from {FIRST}T00:00:00Z --data pit") for table in tables]
    terms = f"--every-table --property --may play --may openings --user {os.getuid()} --data pit"
    made += [shell.run(f"sources register {name} {terms}") for name in SOURCES]
    keys = [one.strip().splitlines()[-1].encode() for one in made]
    first, second = (pit_day(number, 20, keys) for number in (0, 1))
    shell.write("first", first.lines)

    known = 1 + len(keys)
    told = f"{len(first.lines)} lines: {len(first.lines) - known} recorded, {known} known already"
    assert told in shell.run("ingest --data pit first")
    assert "4 streams: whole" in shell.run("doctor --data pit --sealed")
    there = shell.run("log copy --from-data pit --to-kafka kafka.toml")
    assert digest(there, "from") == digest(there, "to")
    assert "4 streams: whole" in shell.run("doctor --kafka kafka.toml --state pit --sealed")

    # The state of the embedded gateway serves the record in Kafka: it knows every input and every head.
    again = shell.run("ingest --kafka kafka.toml --state pit first")
    assert f"0 recorded, {len(first.lines)} known already" in again
    listened(shell, second)
    assert "8 streams: whole" in shell.run("doctor --kafka kafka.toml --state pit --sealed")

    back = shell.run("log copy --from-kafka kafka.toml --to-data back --state pit")
    assert digest(back, "from") == digest(back, "to") != digest(there, "to")
    assert "8 streams: whole" in shell.run("doctor --data back --sealed")
    assert shell.run("log copy --from-kafka kafka.toml --to-data back --state pit").startswith("copied 0 facts")

    expected = expected_of({FIRST: first.lines, SECOND: second.lines})
    assert faults(Embedded(shell.folder / "back").log(), expected) == []
    assert faults(OnKafka(shell.settings, shell.folder / "pit").log(), expected) == []


def test_an_embedded_record_left_behind_is_not_what_its_gateway_wrote_since(shell: Shell) -> None:
    """The doctor of the old log says by the outbox how far the record has gone on elsewhere."""
    day = pit_day(0, 2, [])
    shell.write("morning", day.lines[: len(day.lines) // 2])
    shell.write("evening", day.lines)
    shell.run("ingest --data pit morning")
    shell.run("log copy --from-data pit --to-kafka kafka.toml")
    shell.run("ingest --kafka kafka.toml --state pit evening")
    assert "tail-cut: T7/2026-11-18" in shell.run("doctor --data pit", status=12)
    shell.run("doctor --kafka kafka.toml --state pit")


LACKING = [
    ("ingest --kafka kafka.toml -", 2, "with --kafka, name a folder for the outbox"),
    ("ingest --kafka kafka.toml --data pit -", 2, "give --data or --kafka, not both"),
    ("ingest --kafka nowhere.toml --state pit -", 2, "nowhere.toml"),
    ("gateway --kafka kafka.toml --socket sock", 2, "with --kafka, name a folder for the outbox"),
    ("doctor --kafka kafka.toml", 0, "0 records in 0 streams: whole"),
]


def test_a_command_that_lacks_a_place_says_so(shell: Shell) -> None:
    for words, status, says in LACKING:
        assert says in shell.run(words, status=status)
