"""From Kafka to verified and committed read models: one process, beside earlier code's two and beside bare drains.

`make bench CODE=FOLDER` measures the code in another folder too, in turns and on one broker. That code verifies with
`watch --once`, and then makes rows with `project --once`; each code plays the floor's day that it reads. All figures are
processor time, and what a command takes over empty topics is subtracted.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final, NamedTuple

from kafka import TopicPartition

from consumers.kafka import client, topic_names
from consumers.kafka.clusters import one_broker
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import KafkaSettings, Plaintext
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from tests.bench.sides import met
from tests.citations import ROOT

FACTS: Final = 120_000
TURNS: Final = 3
PARTITIONS: Final = 12
RATIO_GOAL: Final = 1.4  # of one process now to two of earlier code
_IN_ONE: Final = (("project", "--verify", "--once"),)
_IN_TWO: Final = (("watch", "--once", "--quiet"), ("project", "--once"))
_RUN: Final = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from consumers.command import main; main(prog_name='catwalk')"
)
# A floor's day as that code plays it, into the topics that each of these files names.
_FILL: Final = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from pathlib import Path
from consumers.kafka import topics
from consumers.kafka.settings import read_settings
from consumers.logs.opening import open_log
from tests.bench.replay import rows
facts = rows()[: int(sys.argv[1])]
for number, file in enumerate(map(Path, sys.argv[2:])):
    topics.create(read_settings(file))
    log = open_log(kafka=file)
    for start in range(0, len(facts) if number else 0, 5_000):  # the first stay empty
        log.append(facts[start : start + 5_000])
    log.close()
"""


class Side(NamedTuple):
    """A code, and the commands by which it verifies a record and makes rows of it."""

    name: str
    folder: Path
    commands: tuple[tuple[str, ...], ...]


def one_pass(earlier: Path | None = None) -> None:
    """Print the bare drains, what one pass takes, and what the earlier code's two processes take."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache_folder()) as name, one_broker(Path(name)) as cluster:
            _measured(cluster.bootstrap_servers, Path(name), earlier)
    except BrokerUnavailableError as error:
        print(f"Kafka to verified read models: not measured: {error}")


def _measured(servers: tuple[str, ...], folder: Path, earlier: Path | None) -> None:
    sides = [Side("one process, verified and projected", ROOT, _IN_ONE)]
    sides += [Side("this code, two processes", ROOT, _IN_TWO)]
    if earlier is not None:
        sides += [Side("earlier code, two processes", earlier, _IN_TWO)]
    files = [_filled(servers, folder, number, side) for number, side in enumerate(sides)]
    bare, ours = _drains(_settings(servers, folder, _prefix(0, 1)), folder)
    print(f"{FACTS:,} facts of 12 tables in {PARTITIONS} partitions; facts a second of processor time, {TURNS} turns")
    print(f"{'kafka-python, drained':<45} {FACTS / bare:>9,.0f}/s")
    print(f"{'our log, drained':<45} {FACTS / ours:>9,.0f}/s   of the bare drain {bare / ours:.2f}")
    took: list[list[list[float]]] = [[] for _ in sides]
    for turn in range(TURNS + 1):
        for side, of_side, found in zip(sides, files, took, strict=True):
            found.append([_processor(side.folder, of_side[turn], words) for words in side.commands])
    whole = []
    for side, (empty, *turns) in zip(sides, took, strict=True):
        each = [median(turn[which] for turn in turns) - empty[which] for which in range(len(empty))]
        whole.append(sum(each))
        parts = " + ".join(f"{seconds:.2f}" for seconds in each)
        print(f"{side.name:<45} {FACTS / sum(each):>9,.0f}/s   of the bare drain {bare / sum(each):.2f}   {parts} s")
    for side, theirs in list(zip(sides, whole, strict=True))[1:]:
        ratio = theirs / whole[0]
        goal = f"   goal of the ratio {RATIO_GOAL:.2f} {met(ratio >= RATIO_GOAL)}" if side.folder != ROOT else ""
        print(f"one process has {ratio:.2f} times the facts a second of {side.name}{goal}")


def _filled(servers: tuple[str, ...], folder: Path, number: int, side: Side) -> list[Path]:
    """Settings files of topics with the same facts, one for each turn, after one of empty topics."""
    files = []
    for turn in range(TURNS + 1):
        file = folder / f"side-{number}-{turn}.toml"
        file.write_text(
            f'profile = "development"\nbootstrap_servers = {list(servers)}\npartitions = {PARTITIONS}\n'
            f'topic_prefix = "{_prefix(number, turn)}"\nlog_file = "{folder / "kafka-client.log"}"\n'
            '[security]\nprotocol = "PLAINTEXT"\n'
        )
        files.append(file)
    command = [sys.executable, "-P", "-c", _FILL, str(side.folder), str(FACTS), *map(str, files)]
    subprocess.run(command, check=True, env=_environment(folder), cwd=folder)
    return files


def _prefix(number: int, turn: int) -> str:
    return f"side-{number}-{turn}."


def _environment(folder: Path) -> dict[str, str]:
    """One folder of indexes for all: each writer's own, so that no reader has to make one."""
    return {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": ""}


def _processor(code: Path, file: Path, words: tuple[str, ...]) -> float:
    """The processor time of a command of this code, with a new folder for what it keeps."""
    state = file.with_suffix(f".{words[0]}")
    command = [sys.executable, "-P", "-c", _RUN, str(code), *words, "--kafka", str(file), "--state", str(state)]
    with (state.with_suffix(".told")).open("w") as told:
        process = subprocess.Popen(
            command, stdout=told, stderr=subprocess.STDOUT, env=_environment(file.parent), cwd=file.parent
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(words)} of {code} failed: {state.with_suffix('.told').read_text()}")
    return used.ru_utime + used.ru_stime


def _settings(servers: tuple[str, ...], folder: Path, prefix: str) -> KafkaSettings:
    return KafkaSettings(
        profile="development",
        bootstrap_servers=servers,
        security=Plaintext(),
        partitions=PARTITIONS,
        topic_prefix=prefix,
        log_file=folder / "kafka-client.log",
    )


def _drains(settings: KafkaSettings, folder: Path) -> tuple[float, float]:
    """The processor time of reading every fact: by kafka-python's consumer, well tuned, and by our log."""
    with closing(KafkaLog(settings, Index(folder / "drained.index"))) as log:
        topic = topic_names.name_of(settings, "facts")

        def bare() -> int:
            at = [TopicPartition(topic, number) for number in log.partitions]
            count = 0
            with closing(client.consumer(settings, at, check_crcs=False)) as reader:
                while count < FACTS:
                    count += sum(len(records) for records in reader.poll(timeout_ms=1000).values())
            return count

        def ours() -> int:
            return sum(len(batch.facts) for batch in log.drain({}))

        took = [(_timed(bare), _timed(ours)) for _ in range(TURNS)]
    return median(one for one, _ in took), median(other for _, other in took)


def _timed(work: Callable[[], int]) -> float:
    began = process_time()
    if work() != FACTS:
        raise RuntimeError("not every fact was read")
    return process_time() - began


if __name__ == "__main__":
    one_pass(Path(sys.argv[1]).resolve() if sys.argv[1:] else None)
