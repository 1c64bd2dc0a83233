"""The property's tree of a record in Kafka: the same as of an embedded one, restored from its topic, witnessed by it."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.desk.opening import open_desk
from consumers.gateway.keys import PASSPHRASE
from consumers.kafka import topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs.copying import copy
from consumers.logs.opening import kafka_log
from consumers.record_place import RecordOptions
from consumers.trust.keeper import begin, open_keeper
from consumers.trust.running import at_work
from consumers.trust.tree_file import TREE_FILE
from domain.desk import export
from domain.desk.acting import DeskAct
from domain.desk.export import Export
from domain.facts.envelope import Fact
from domain.ledger.checkpoint import parsed_checkpoint, parsed_note
from tests.desk.conftest import postgres  # noqa: F401 - a fixture, asked for by its name
from tests.kafka.conftest import Secured, settings_file, with_prefix
from tests.trust.records import DAY, NAME, START, Pit, run

pytestmark = pytest.mark.xdist_group("kafka")
NOW = START + 5_000_000


class Both:
    """One record twice, embedded and in Kafka, and a tree of each by one key."""

    def __init__(self, folder: Path, settings: KafkaSettings) -> None:
        self.folder, self.settings = folder, settings
        self.pit = Pit(folder / "pit").opened()
        self.file = Path(settings_file(folder, settings))
        self.state = folder / "state"
        self.key = begin(folder / "pit", NAME, NOW).key
        (self.state / "trust").mkdir(parents=True)
        (self.folder / "pit/keys").rename(self.state / "keys")
        (self.folder / "pit/keys").symlink_to(self.state / "keys")
        begin(self.state, NAME, NOW)
        self.kafka = ("--kafka", str(self.file), "--state", str(self.state))

    def goes_on(self) -> None:
        """Two tables play on, in both."""
        for table in ("T7", "T8"):
            self.pit.rounds(table, 2)
        with closing(kafka_log(self.file)) as log:
            copy(self.pit.log, log)

    def signed(self) -> list[str]:
        """A head of each."""
        notes = []
        for place in (RecordOptions(self.pit.folder, None, None), RecordOptions(None, self.file, self.state)):
            with at_work(place) as work:
                work.read(NOW)
                made = work.checkpoint(NOW)
                assert made is not None
                notes.append(made.note)
        return notes


@pytest.fixture
def both(
    development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Both]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = with_prefix(development, f"tree{abs(hash(request.node.name)) % 10_000}.")
    topics.create(settings)
    made = Both(tmp_path, settings)
    yield made
    made.pit.close()


def test_a_record_in_kafka_has_the_tree_and_the_note_of_the_embedded_one_to_the_byte(both: Both) -> None:
    for _ in range(3):
        both.goes_on()
        embedded, in_kafka = both.signed()
        assert in_kafka == embedded
    assert run("doctor", *both.kafka).exit_code == 0


def test_a_lost_tree_is_restored_from_its_topic_and_goes_on(both: Both) -> None:
    both.goes_on()
    before = both.signed()[1]
    (both.state / TREE_FILE).unlink()
    refused = run("checkpoint", *both.kafka)
    assert refused.exit_code == 2
    restored = run("checkpoint", "restore", *both.kafka)
    assert restored.exit_code == 0, restored.stderr
    with open_keeper(both.state) as keeper:
        assert keeper.note(keeper.sizes()[-1]) == before
    both.goes_on()
    embedded, in_kafka = both.signed()
    assert in_kafka == embedded


def test_a_witness_needs_the_topic_alone_and_its_signature_goes_into_it(both: Both) -> None:
    audit = ("--folder", str(both.folder / "audit"))
    run("witness", "make", "audit.test", *audit)
    both.goes_on()
    first = parsed_checkpoint(parsed_note(both.signed()[1]).text)
    seen = run("witness", "see", "--kafka", str(both.file), "--key", both.key.text, *audit)
    assert seen.exit_code == 0, seen.stderr
    for _ in range(3):
        both.goes_on()
        both.signed()
    seen = run("witness", "see", "--kafka", str(both.file), *audit)
    assert seen.exit_code == 0, seen.stderr
    assert parsed_checkpoint(parsed_note(seen.stdout).text).size > first.size
    given = run("checkpoint", "cosigned", "-", "--witness", _witness(both), *both.kafka, given=seen.stdout)
    assert given.exit_code == 0, given.stderr
    with closing(kafka_log(both.file, "checkpoints")) as log:
        stored = log.read_stream("checkpoints")
    assert stored[-1].decode().count("\n— ") == 1
    assert "audit.test" in stored[-1].decode()


def _witness(both: Both) -> str:
    memory = msgspec.json.decode((both.folder / "audit/seen.json").read_bytes())
    return str(memory["key"])


def test_the_rights_of_the_role_are_enough_for_a_keeper(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = settings_file(tmp_path, secured.settings("tree"))
    place = ("--kafka", file, "--state", str(tmp_path / "state"))
    assert run("checkpoint", "key", "make", NAME, *place).exit_code == 0
    result = run("checkpoint", *place)
    assert result.exit_code in (0, 1), result.stderr
    rotated = run("checkpoint", "key", "rotate", *place)
    assert rotated.exit_code == 0, rotated.stderr


def test_checkpoints_are_copied_into_kafka_and_back_and_prove_the_copy(both: Both, tmp_path: Path) -> None:
    """Topics of their own with nothing in them; the tree is put together from them in a state folder of their own."""
    both.goes_on()
    assert run("checkpoint", "--data", str(both.pit.folder)).exit_code == 0
    other, state, back = tmp_path / "other", str(tmp_path / "other/state"), str(tmp_path / "back")
    other.mkdir()
    settings = with_prefix(both.settings, f"{both.settings.topic_prefix}copy.")
    topics.create(settings)
    file = settings_file(other, settings)
    there = run("log", "copy", "--from-data", str(both.pit.folder), "--to-kafka", file)
    assert there.exit_code == 0, there.output
    assert "entries of the tree" in there.stdout
    assert f"catwalk checkpoint restore --kafka {file} --state DIR" in there.stderr
    home = run("log", "copy", "--from-kafka", file, "--to-data", back, "--state", state)
    assert home.exit_code == 0, home.output
    for place in (("--kafka", file, "--state", state), ("--data", back)):
        restored = run("checkpoint", "restore", *place)
        assert restored.exit_code == 0, restored.output
        examined = run("doctor", *place)
        assert (examined.exit_code, "1 checkpoints over" in examined.stderr) == (0, True), examined.output


class Keeping:
    """`catwalk checkpoint --every` as a process of its own."""

    def __init__(self, both: Both) -> None:
        command = (Path(sys.executable).with_name("catwalk"), "checkpoint", "--every", "1s", *both.kafka)
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self._place = both.kafka

    def heads(self, least: int) -> list[dict[str, Any]]:
        """The heads as they are listed, as soon as there are so many."""
        end = time.monotonic() + 180
        while True:
            listed = run("checkpoint", "list", "--json", *self._place).stdout
            found = [msgspec.json.decode(line) for line in listed.splitlines()]
            if len(found) >= least:
                return found
            assert self.process.poll() is None, "the keeper ended"
            assert time.monotonic() < end, f"{len(found)} heads and no more"
            time.sleep(0.2)

    def ended(self) -> str:
        """Stopped as a person stops it: what it said."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=180)
        assert self.process.returncode == 0, said
        return str(said)


@pytest.mark.parametrize("desk", ["sqlite", "postgres"])
def test_a_keeper_that_runs_on_signs_what_comes_and_at_last_what_is_there(
    both: Both, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, desk: str
) -> None:
    """Facts in Kafka and orders at the desk, wherever it lies: each is in the next head, and the doctor proves them."""
    if desk == "postgres":
        for name, value in request.getfixturevalue("postgres").items():
            monkeypatch.setenv(name, value)
    keeping = Keeping(both)
    try:
        with closing(open_desk(both.state)) as people:
            for number in range(3):
                both.goes_on()
                people.on_export(f"order-{number:016x}", ordered)
                heads = keeping.heads(number + 1)
        both.goes_on()
        said = keeping.ended()
    finally:
        keeping.process.kill()
        keeping.process.wait()
    assert "leaves so far" in said
    assert said.count("signed ") >= len(heads) >= 3
    last = run("checkpoint", *both.kafka)
    assert last.exit_code == 0, last.output
    assert "There is nothing new since the head" in last.stderr
    with open_keeper(both.state) as keeper:
        told = {(kind, stream): last for kind, stream, last in keeper.streams(keeper.sizes()[-1])}
    of_desk = {stream for kind, stream in told if kind == "desk"}
    assert {f"export/order-{number:016x}" for number in range(3)} <= of_desk
    assert told["facts", f"T7/{DAY}"] == both.pit.writer.days["T7"].sequence
    examined = run("doctor", *both.kafka)
    assert (examined.exit_code, examined.stdout) == (0, ""), examined.output


def ordered(state: Export) -> list[Fact]:
    act = DeskAct("ann", NOW, "k1")
    return export.order(state, act, "{}", asked="Tables: T1", purpose="audit", recipient="Board", checkpoint=1)
