"""Two machines with a copy of one tree, and a record in Kafka between them: one signs, and the other cannot."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from socket import gethostname

import msgspec
import pytest
from click.testing import Result
from kafka import TopicPartition
from kafka.consumer.subscription_state import ConsumerRebalanceListener

from consumers.gateway.keys import PASSPHRASE
from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings, read_settings
from consumers.logs.copying import copy
from consumers.logs.log import StoredFact
from consumers.logs.opening_kafka import kafka_log
from consumers.trust.cluster_hold import FencedLog
from consumers.trust.holding import LostError
from consumers.trust.keeper import begin, open_keeper
from consumers.trust.published import published
from tests.kafka.conftest import settings_file, with_prefix
from tests.trust.records import NAME, START, Pit, run

pytestmark = pytest.mark.xdist_group("kafka")


class Record:
    """A record in Kafka, and the state folders of two machines with the same tree."""

    def __init__(self, folder: Path, settings: KafkaSettings) -> None:
        self.pit = Pit(folder / "pit").opened()
        self.file = Path(settings_file(folder, settings))
        self.states = [folder / "one", folder / "other"]
        begin(self.states[0], NAME, START)
        self.goes_on()
        signed = self.signs(0)
        assert signed.exit_code == 0, signed.output
        shutil.copytree(self.states[0], self.states[1])

    def goes_on(self) -> None:
        """A table plays on."""
        self.pit.rounds("T7", 2)
        with closing(kafka_log(self.file)) as log:
            copy(self.pit.log, log)

    def place(self, machine: int) -> tuple[str, ...]:
        return ("--kafka", str(self.file), "--state", str(self.states[machine]))

    def signs(self, machine: int) -> Result:
        return run("checkpoint", *self.place(machine))

    def sizes(self, machine: int) -> list[int]:
        with open_keeper(self.states[machine]) as keeper:
            return keeper.sizes()

    def starts(self, machine: int, every: str) -> "subprocess.Popen[str]":
        """`catwalk checkpoint --every` on a machine, once it has the tree."""
        catwalk = str(Path(sys.executable).with_name("catwalk"))
        command = (catwalk, "checkpoint", "--every", every, *self.place(machine))
        started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert started.stderr is not None
        while "so far" not in (line := started.stderr.readline()):
            assert line, f"the keeper ended with status {started.wait()}"
        return started


@pytest.fixture
def record(
    development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Record]:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = with_prefix(development, f"keepers{abs(hash(request.node.name)) % 10_000}.")
    settings = msgspec.structs.replace(settings, takeover_ms=2_000)
    topics.create(settings)
    made = Record(tmp_path, settings)
    yield made
    made.pit.close()


def test_a_keeper_of_another_machine_is_told_who_has_the_tree_and_signs_nothing(record: Record) -> None:
    first = record.starts(0, "1h")
    try:
        record.goes_on()
        refused = record.signs(1)
        assert refused.exit_code == 3, refused.output
        assert f"held by process {first.pid} on {gethostname()} since 20" in refused.stderr
        assert record.sizes(1) == record.sizes(0)[:1]
        assert first.poll() is None, "the keeper was driven out"
    finally:
        first.kill()
        first.wait()
    again = record.signs(1)  # as soon as the brokers miss the first one
    assert again.exit_code == 0, again.output


def test_a_keeper_that_was_suspended_publishes_nothing_after_another_took_over(record: Record) -> None:
    """The keeper wakes up believing that the tree is its own; the topic follows the one that took over."""
    sleeper = record.starts(0, "1s")
    try:
        os.kill(sleeper.pid, signal.SIGSTOP)
        record.goes_on()
        taken = record.signs(1)
        assert taken.exit_code == 0, taken.output
        record.goes_on()
        os.kill(sleeper.pid, signal.SIGCONT)
        _, said = sleeper.communicate(timeout=60)
        assert sleeper.returncode == 3 or "older copy" in said, said
    finally:
        sleeper.kill()
        sleeper.wait()
    last = record.signs(1)
    assert last.exit_code == 0, last.output
    with closing(kafka_log(record.file, "checkpoints")) as log, open_keeper(record.states[1]) as keeper:
        assert list(published(log)) == keeper.tree.entries(0)
    refused = record.signs(0)
    assert (refused.exit_code, "an older copy, or another tree" in refused.stderr) == (2, True), refused.output


class _Given(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python ships no types
    """Keep what each joining gave."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        pass

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self.given.append(len(list(assigned)))


def test_who_is_alone_in_a_group_is_given_everything_when_it_joins(record: Record) -> None:
    """Not nothing first, and the rest whenever the brokers are next asked where the partitions lie."""
    settings = read_settings(record.file)
    for number in range(3):
        heard = _Given()
        with closing(
            client.member(settings, f"alone{number}", topic_names.name_of(settings, "facts"), heard)
        ) as member:
            deadline = time.monotonic() + 60
            while not heard.given:
                assert time.monotonic() < deadline
                member.poll(timeout_ms=100)
        assert heard.given[0] == settings.partitions


def test_brokers_refuse_what_an_earlier_keeper_still_sends(record: Record) -> None:
    """The moment between the last look and the sending, held open: the fence and nothing else refuses it."""
    with (
        closing(kafka_log(record.file, "checkpoints", made=FencedLog)) as earlier,
        closing(kafka_log(record.file, "checkpoints", made=FencedLog)) as later,
    ):
        assert isinstance(earlier, FencedLog)
        assert isinstance(later, FencedLog)
        before = later.read_stream("checkpoints")
        entry = StoredFact("checkpoints", len(before) + 1, "stretch.1", b"{}")
        earlier.fence()
        later.fence()
        with pytest.raises(LostError, match="Another keeper has taken over"):
            earlier.append([entry])
        assert later.read_stream("checkpoints") == before
        later.append([entry])
        assert later.read_stream("checkpoints") == [*before, b"{}"]
