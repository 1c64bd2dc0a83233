"""Dead letters of a record in Kafka: through an unreachable broker into their topic, seen and retried elsewhere."""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Letter
from consumers.gateway.letter_topic import Publisher
from consumers.gateway.letters_read import letters_in
from consumers.gateway.quarantine import Quarantine
from consumers.kafka import client, topics
from consumers.kafka.broker import free_ports
from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topic_names import LETTERS
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from domain.ledger.audit import Audit
from domain.ledger.seals import KeyRegister
from tests.bench.chained import chained
from tests.following.reading import Reading
from tests.gateway.floor import day, lines
from tests.kafka.conftest import Secured, settings_file, with_prefix

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)
JUNK = Letter("pit-1 socket 3", 7, "unreadable", "it is not JSON", b"\x00junk\xff", 1_795_000_000_000_000)


@pytest.fixture
def fresh(development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KafkaSettings:
    """Topics nobody has written to."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    settings = with_prefix(development, f"dead{next(_NUMBERS)}.")
    topics.create(settings)
    return settings


@pytest.fixture
def letters_log(fresh: KafkaSettings, tmp_path: Path) -> Iterator[KafkaLog]:
    log = KafkaLog(fresh, Index(tmp_path / "letters-index.sqlite"), kind=LETTERS)
    yield log
    log.close()


def published(file: Path, settings: KafkaSettings, *put: Letter, seconds: float = 20) -> int:
    """Keep letters, publish those that are due, and return how many are left."""
    publisher = Publisher(file, settings)
    letters = DeadLetters(file, publisher.wake)
    letters.put(put)
    publisher.close(seconds)
    left = letters.count_unpublished()
    letters.close()
    return left


def test_a_letter_outlives_a_broker_that_cannot_be_reached(
    fresh: KafkaSettings, letters_log: KafkaLog, tmp_path: Path
) -> None:
    file = tmp_path / "dead-letters.sqlite"
    nowhere = (f"localhost:{free_ports(1)[0]}",)
    gone = msgspec.structs.replace(fresh, bootstrap_servers=nowhere, bootstrap_timeout_ms=300)
    assert published(file, gone, JUNK) == 1
    assert list(letters_in(letters_log)) == []
    assert published(file, fresh) == 0
    assert [kept.letter for kept in letters_in(letters_log)] == [JUNK]


def test_a_letter_sent_again_after_a_kill_is_read_once(
    fresh: KafkaSettings, letters_log: KafkaLog, tmp_path: Path
) -> None:
    """Killed between the brokers' acknowledgement and its own note of it, a gateway sends again."""
    for attempt in ("one", "two"):
        assert published(tmp_path / f"{attempt}.sqlite", fresh, JUNK) == 0
    assert letters_log.last_position(0) == 2
    assert [kept.letter for kept in letters_in(letters_log)] == [JUNK]


def catwalk(*words: str | Path, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=given)


def test_letters_of_one_machine_are_seen_on_another_and_retried_through_a_gateway(
    fresh: KafkaSettings, tmp_path: Path
) -> None:
    kafka = ("--kafka", settings_file(tmp_path, fresh))
    here, there = tmp_path / "here", tmp_path / "there"
    good = lines(day())
    early = catwalk("ingest", *kafka, "--state", here, given=b"\n".join([good[1], b"nonsense", *good[:1]]))
    assert early.exit_code == 1, early.output
    assert "not reached the dead letters' topic" not in early.stderr
    elsewhere = (*kafka, "--state", tmp_path / "elsewhere")  # the desk of who looks, on a third machine
    listed = catwalk("dead-letters", "list", *elsewhere)
    assert listed.exit_code == 0, listed.output
    assert [re.sub(r"^[0-9a-f]{16}  \S+  \S+ ", "", row).split(":")[:2] for row in listed.stdout.splitlines()] == [
        ["standard input", "1  day not open"],
        ["standard input", "2  unreadable"],
    ]
    name = listed.stdout[:16]
    assert good[1].decode() in catwalk("dead-letters", "show", name[:6], *elsewhere).stdout
    assert "there is no dead letter 1:" in catwalk("dead-letters", "show", "xyz", *elsewhere).stderr.replace("xyz", "1")
    # The gateway has moved to another machine, with its outbox and without its file of letters.
    (there / "gateway").mkdir(parents=True)
    for part in here.glob("gateway/outbox.sqlite*"):
        part.rename(there / "gateway" / part.name)
    strangers = catwalk("dead-letters", "retry", "all", *kafka, "--state", there)
    assert (strangers.exit_code, "0 of 2 letters are on record now" in strangers.stderr.splitlines()) == (1, True)
    retried = catwalk("dead-letters", "retry", "all", "--vouch", *kafka, "--state", there)
    assert (retried.exit_code, "1 of 2 letters are on record now" in retried.stderr.splitlines()) == (1, True)
    left = catwalk("dead-letters", "list", *elsewhere, "--json").stdout.splitlines()
    assert [json.loads(line)["reason"] for line in left] == ["unreadable"]
    every = catwalk("dead-letters", "list", "--all", *elsewhere).stdout.splitlines()
    assert ["taken later" in row for row in every] == [True, False]
    assert catwalk("doctor", *kafka, "--state", there).exit_code == 0
    assert "there is no dead letter" in catwalk("dead-letters", "retry", "99", *kafka, "--state", there).stderr


def test_what_another_writes_among_the_facts_is_kept_with_topic_partition_and_offset(
    fresh: KafkaSettings, letters_log: KafkaLog, tmp_path: Path
) -> None:
    """The reader continues, the audit names it, and every other reader keeps the same letter."""
    log = KafkaLog(fresh, Index(tmp_path / "index.sqlite"))
    facts = chained(5, "2026-11-18", tables=1)
    log.append(facts[:3])
    home = log.home(facts[0].stream)
    with client.producer(fresh) as stranger:
        for value in (b"\x00\xff", None, b'{"type":"nonsense"}'):
            stranger.send(log.topic, key=b"C0", value=value, partition=home)
    log.append(facts[3:])
    for name in ("one", "two"):
        publisher = Publisher(tmp_path / f"{name}.sqlite", fresh)
        letters = DeadLetters(tmp_path / f"{name}.sqlite", publisher.wake)
        reading = Reading(log, Quarantine(log, letters, lambda: 5))
        assert [fact.sequence for batch in log.drain({}) for fact in reading.take(batch)] == [1, 2, 3, 4, 5]
        publisher.close()
        letters.close()
    kept = list(letters_in(letters_log))
    assert [(one.letter.came_from, one.letter.place, one.letter.stored) for one in kept] == [
        (f"{log.topic}/{home}", 3, b"\x00\xff"),
        (f"{log.topic}/{home}", 4, b""),
        (f"{log.topic}/{home}", 5, b'{"type":"nonsense"}'),
    ]
    audit = Audit(KeyRegister(), lambda *_: True)
    found = [
        (trouble.kind, trouble.where, trouble.byte)
        for batch in log.drain({})
        for position, stored in batch.facts
        for trouble in audit.take(stored, f"{log.name}/{batch.partition}:{position}")
        if trouble.kind == "unreadable"
    ]
    assert found == [
        ("unreadable", f"facts/{home}:4", 0),
        ("unreadable", f"facts/{home}:5", 0),
        ("unreadable", f"facts/{home}:6", 8),
    ]
    log.close()


def test_a_gateway_that_may_not_read_the_topic_publishes_and_sees_its_own_letters(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("consumers.record_place._require_both", lambda *_: None)  # other tests wrote to this topic
    (tmp_path / "reader").mkdir()
    kafka = ("--kafka", settings_file(tmp_path, secured.settings("gateway")))
    reader = ("--kafka", settings_file(tmp_path / "reader", secured.settings("reader")))
    taken = catwalk("ingest", *kafka, "--state", tmp_path, given=b"junk of a gateway\n")
    assert taken.exit_code == 1, taken.output
    assert "have not reached the dead letters' topic" not in taken.stderr
    desk = ("--state", tmp_path / "reader/desk")
    assert "junk of a gateway" in catwalk("dead-letters", "show", own_name(tmp_path), *reader, *desk).stdout
    nowhere = catwalk("dead-letters", "list", *kafka)
    assert (nowhere.exit_code, "name it with --state" in nowhere.stderr) == (2, True)
    own = catwalk("dead-letters", "list", *kafka, "--state", tmp_path)
    assert "these are this machine's letters" in own.stderr
    assert own.stdout.startswith(own_name(tmp_path))


def own_name(folder: Path) -> str:
    letters = DeadLetters(folder / "gateway/dead-letters.sqlite")
    name = next(iter(letters.all())).name
    letters.close()
    return name
