"""Watchers that share a cluster: killed, ended, frozen and doubled in mid-day, and what they share it by."""

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import NoPlaceError, place_of
from domain.facts.streams import owner
from tests.gateway.nursery import Forked, Nursery
from tests.kafka.conftest import Secured, settings_file, with_prefix
from tests.kafka.records import records
from tests.watching.pits import Pit, spoilt
from tests.watching.storm import Storm, faults, taken_up
from tests.watching.test_verify_log import told, written

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)


@pytest.fixture
def fresh(development: KafkaSettings) -> KafkaSettings:
    """Topics nobody has written to, and watchers that are missed after a second."""
    settings = msgspec.structs.replace(with_prefix(development, f"watch{next(_NUMBERS)}."), takeover_ms=1000)
    topics.create(settings)
    return settings


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {"XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


class OnKafka:
    """A record in topics, written to beside its watchers by a bare producer."""

    def __init__(self, settings: KafkaSettings, folder: Path, reader: KafkaSettings | None = None) -> None:
        self.options = ("--kafka", settings_file(folder, settings), "--state", str(folder / "state"))
        self.findings_topic = topic_names.name_of(settings, "findings")
        self._reader = reader or settings
        self._log = KafkaLog(self._reader, Index(folder / "index.sqlite"))
        self._producer = client.producer(settings)

    def append(self, facts: Sequence[bytes]) -> None:
        sent = [self._sent(stored) for stored in facts]
        self._producer.flush(90)
        assert all(one.succeeded() for one in sent)

    def send(self, topic: str, stored: bytes, partition: int) -> None:
        """Put bytes at any place, against the rules."""
        self._producer.send(topic, value=stored, partition=partition)
        self._producer.flush(90)

    def findings(self) -> list[bytes]:
        return [one.value for _, one in records(self._reader, "findings")]

    def close(self) -> None:
        self._producer.close()
        self._log.close()

    def _sent(self, stored: bytes) -> object:
        try:
            stream = place_of(stored).stream
        except NoPlaceError:
            return self._producer.send(self._log.topic, value=stored, partition=0)
        return self._producer.send(
            self._log.topic, key=owner(stream).encode(), value=stored, partition=self._log.home(stream)
        )


@pytest.fixture
def site(fresh: KafkaSettings, tmp_path: Path) -> Iterator[OnKafka]:
    made = OnKafka(fresh, tmp_path)
    yield made
    made.close()


def test_watchers_that_die_end_and_freeze_while_facts_come_write_what_an_undisturbed_one_writes(
    nursery: Nursery, site: OnKafka
) -> None:
    """Up to three share three partitions; one that was frozen writes on in a partition another has by then.

    Fifty times and more one of them is killed or a partition goes from one to another while facts come.
    """
    facts = spoilt(11, Pit(11, tables=5, days=3, rounds=4).record())
    chance = random.Random(11)  # noqa: S311 - the same storm every time
    storm = Storm(nursery, site, facts, chance, {"kill": 6, "end": 3, "freeze": 2})
    storm.blow(40, (0.05, 0.3))
    assert storm.faults() == []
    score = storm.score
    assert min(score.acts["kill"], score.acts["end"] * 3, score.acts["freeze"] * 4) >= 6, score
    assert score.acts["kill"] + score.handed_over >= 50, score
    status, said = nursery.run("watch", *site.options, "--once")
    assert status == 0, said


def test_each_partition_is_one_watchers_and_whoever_is_left_takes_them_all(nursery: Nursery, site: OnKafka) -> None:
    first, second = (nursery.start("watch", *site.options) for _ in range(2))
    # One may say what it has before the other has said what it gave up for that.
    until(lambda: sorted([*owned(first), *owned(second)]) == [0, 1, 2] and bool(owned(first)) and bool(owned(second)))
    first.kill()
    until(lambda: owned(second) == {0, 1, 2})
    second.ask_to_end()
    assert second.wait() == 0


def owned(watcher: Forked) -> set[int]:
    """The partitions a watcher last said are its."""
    lines = taken_up(watcher)
    return set(map(int, re.findall(r"\d+", lines[-1].partition("partitions")[2]))) if lines else set()


def catwalk(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def until(so: Callable[[], bool], seconds: float = 180) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


def test_what_is_no_fact_and_what_has_no_place_is_kept_once_in_the_dead_letters_topic(
    site: OnKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two watchers with files of their own find the same record at the same place: one letter."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    facts = Pit(1, tables=3, days=1, rounds=2).record()
    elsewhere = facts[20].replace(b'"source_key":"', b'"source_key":"other ')
    site.append([*facts[:40], b"junk", *facts[40:], elsewhere])
    site.send(site.findings_topic, b"no record", partition=1)
    for state in ("one", "two"):
        ran = catwalk("watch", "--once", *site.options[:2], "--state", tmp_path / state)
        assert ran.exit_code in (0, 1), ran.output
    listed = catwalk("dead-letters", "list", *site.options)
    letters = [line for line in listed.stdout.splitlines() if "watch" in line]
    assert len(letters) == 3, listed.stdout
    assert faults([each for each in site.findings() if each != b"no record"], [*facts, elsewhere]) == []


def test_verify_log_tells_the_same_of_topics_and_of_a_file(
    site: OnKafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    facts = spoilt(5, Pit(5, tables=4, days=2, rounds=2).record())
    site.append(facts)
    file = tmp_path / "facts.jsonl"
    file.write_bytes(b"\n".join(facts) + b"\n")
    status, lines = told(*site.options)
    assert (status, lines) == told(file)
    assert lines == written(facts)
    assert any("wager-unseated" in line for line in lines), "tables are compared as well"


def test_findings_go_from_a_cluster_into_a_folder_and_on_into_another_cluster(
    site: OnKafka, development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    site.append(Pit(4, tables=3, days=2, rounds=2).record())
    assert catwalk("watch", "--once", *site.options).exit_code == 1
    other = with_prefix(development, f"watch{next(_NUMBERS)}.")
    topics.create(other)
    (tmp_path / "other").mkdir()
    into = settings_file(tmp_path / "other", other)
    copied = ("--from-kafka", site.options[1], "--to-data", tmp_path / "copy")
    assert catwalk("log", "copy", *copied, *site.options[2:]).exit_code == 0
    assert catwalk("log", "copy", "--from-data", tmp_path / "copy", "--to-kafka", into).exit_code == 0
    ran = catwalk("doctor", "--findings", "--kafka", into)
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert sorted(one.value for _, one in records(other, "findings")) == sorted(site.findings())
    for options in (("--data", tmp_path / "copy"), ("--kafka", into, "--state", tmp_path / "other")):
        ran = catwalk("watch", "--once", *options)
        assert (ran.exit_code, ran.stdout) == (0, ""), "it finds nothing that is not there already"


def test_a_user_with_the_rights_of_a_verifier_watches_and_writes(
    nursery: Nursery, secured: Secured, tmp_path: Path
) -> None:
    settings = secured.settings("verifier")
    (tmp_path / "pit").mkdir()
    as_gateway = OnKafka(secured.settings("gateway"), tmp_path / "pit", reader=secured.settings("reader"))
    as_gateway.append([stored for stored in Pit(2, tables=2, days=1, rounds=1, letter="V").record() if b"V" in stored])
    as_gateway.append([b"junk of a stranger"])
    watcher = nursery.start("watch", "--kafka", settings_file(tmp_path, settings), "--state", tmp_path / "state")
    until(lambda: any(b'"stream":"V1/' in stored for stored in as_gateway.findings()), 180)
    watcher.ask_to_end()
    assert watcher.wait() == 0, watcher.told.read_text()
    as_gateway.close()
