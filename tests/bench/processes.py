"""Facts of Kafka verified and taken into read models: by one process, and what a second one buys.

A second process can fetch for the projector, verify beside it as `catwalk watch` does beside `catwalk project`, or have
half of the partitions as watchers of one group share them. Read models have one writer, so that two processes which
halve all of the work have two folders of them: what that would buy is measured as well, and nothing offers it.
"""

import multiprocessing
import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from consumers.kafka import topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import Batch, Log
from consumers.projecting.following import quietly, through
from consumers.projecting.one_pass import OnePass
from consumers.projecting.projector import Projector
from consumers.watching.watcher import Watcher
from projections.store.store import Store

_SECONDS = 600  # after which a process that says nothing has failed
_AHEAD = 4
_FRAMES = msgspec.msgpack.Decoder(tuple[int, list[tuple[int, bytes]]])
_READY, _GO = "ready", "go"


class Took(NamedTuple):
    """One run: by the clock, and of the processors by all its processes."""

    seconds: float
    processor: float
    there: float = 0.0  # of that, by the second process
    findings: int = 0  # records of findings that were written


class Share(NamedTuple):
    """Input of one process: where the facts and the findings are, and its partitions."""

    settings: KafkaSettings
    found: KafkaSettings
    folder: Path
    partitions: tuple[int, ...]


class _Part:
    """A log of which some partitions are read, and verified first where there is a watcher."""

    def __init__(self, log: Log, partitions: Sequence[int], watcher: Watcher | None = None) -> None:
        self._log = log
        self._mine = partitions
        self._watcher = watcher

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def drain(self, after: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact of these partitions behind these positions."""
        if self._watcher is not None:
            for partition in self._mine:
                if self._watcher.begin(partition):
                    raise RuntimeError("these facts were verified before")
        others = {each: self._log.last_position(each) for each in self._log.partitions if each not in self._mine}
        for batch in self._log.drain({**after, **others}):
            if self._watcher is not None and self._watcher.take(batch.partition, batch.facts) is not None:
                raise RuntimeError("somebody else writes findings here")
            yield batch


def _spoilt(found: object) -> None:
    raise RuntimeError(f"no fact: {found}")


def _watcher(facts: Log, findings: Log) -> Watcher:
    return Watcher(facts, findings, _spoilt, lambda _: None)


def _findings(settings: KafkaSettings, index: Path) -> KafkaLog:
    return KafkaLog(settings, Index(index), kind="findings")


def _nothing_found(settings: KafkaSettings, name: str) -> KafkaSettings:
    """The same broker, with topics of findings nobody has written to."""
    other = msgspec.structs.replace(settings, topic_prefix=f"{name}.")
    topics.create(other)
    return other


def alone(facts: Log, findings: Log, folder: Path) -> Took:
    """One process takes the facts into the read models; nothing is verified."""
    with Store.open(folder / "read") as store:
        projector = Projector(facts, findings, store)
        return _timed(lambda: _projected(projector))


def verified(share: Share, log: KafkaLog) -> Took:
    """One process verifies; nothing is projected."""
    with closing(_findings(share.found, share.folder / "findings.index")) as findings:
        part = _Part(log, share.partitions, _watcher(log, findings))
        return _timed(lambda: _drained(part), findings)


def verified_by_two(share: Share, log: KafkaLog) -> Took:
    """Two processes verify, each half of the partitions; nothing is projected."""
    mine, theirs = _halves(share)
    with closing(_findings(share.found, mine.folder / "findings.index")) as findings, _second(_verify, theirs) as other:
        part = _Part(log, mine.partitions, _watcher(log, findings))
        return _together(lambda: _drained(part), other, findings)


def in_one(share: Share, log: KafkaLog) -> Took:
    """One process verifies and makes rows with one fold, as `catwalk project --verify` does."""
    with (
        closing(_findings(share.found, share.folder / "findings.index")) as findings,
        Store.open(share.folder / "read") as store,
    ):
        one = OnePass((log, findings), store, _spoilt, lambda _: None)
        return _timed(lambda: _projected(one), findings)


def in_two(share: Share, log: KafkaLog) -> Took:
    """One process verifies, another takes the facts meanwhile, and then what was found."""
    with (
        closing(_findings(share.found, share.folder / "findings.index")) as findings,
        Store.open(share.folder / "read") as store,
        _second(_verify, share) as other,
    ):
        projector = Projector(log, findings, store)

        def both() -> float:
            other.send(_GO)
            _projected(projector)
            there = float(_heard(other))
            _projected(projector)
            return there

        return _timed(both, findings)


def in_halves(share: Share, log: KafkaLog) -> Took:
    """Two processes verify and project, each half of the partitions into read models of its own."""
    mine, theirs = _halves(share)
    with _projecting(mine, log) as (projector, findings), _second(_verify_and_project, theirs) as other:
        return _together(lambda: _projected(projector), other, findings)


def _halves(share: Share) -> tuple[Share, Share]:
    middle = len(share.partitions) // 2
    halves = share.partitions[:middle], share.partitions[middle:]
    first, second = (
        share._replace(partitions=half, folder=share.folder / str(number)) for number, half in enumerate(halves)
    )
    for each in (first, second):
        each.folder.mkdir()
    return first, second


@contextmanager
def _projecting(share: Share, log: KafkaLog) -> Iterator[tuple[Projector, KafkaLog]]:
    """A projector that is given nothing that is not verified."""
    with (
        closing(_findings(share.found, share.folder / "findings.index")) as findings,
        Store.open(share.folder / "read") as store,
    ):
        part: Any = _Part(log, share.partitions, _watcher(log, findings))
        theirs: Any = _Part(findings, share.partitions)
        yield Projector(part, theirs, store), findings


def _projected(projector: Projector) -> None:
    if not through(projector, Event()):
        raise RuntimeError("it was stopped")


def _drained(part: _Part) -> None:
    for _ in part.drain({}):
        pass


@contextmanager
def _second(work: Callable[[Share, Any], None], share: Share) -> Iterator[Any]:
    """Another process, ready for the word."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(share, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if _heard(ours) != _READY:
            raise RuntimeError("the second process did not start")
        yield ours
    finally:
        ours.close()
        process.join()


def _heard(other: Any) -> Any:
    if not other.poll(_SECONDS):
        raise RuntimeError("the second process says nothing")
    return other.recv()


def _told(said: Any, work: Callable[[], object]) -> None:
    """Do the second process's work when asked, then report the processor time it took."""
    quietly()
    said.send(_READY)
    said.recv()
    began = _processor()
    work()
    said.send(_processor() - began)


@contextmanager
def _facts(share: Share) -> Iterator[KafkaLog]:
    """The second process's own log of facts, which it knows as well as the first does."""
    with closing(KafkaLog(share.settings, Index(share.folder / "second.index"))) as log:
        log.catch_up()
        yield log


def _verify(share: Share, said: Any) -> None:
    with _facts(share) as log, closing(_findings(share.found, share.folder / "written.index")) as findings:
        part = _Part(log, share.partitions, _watcher(log, findings))
        _told(said, lambda: _drained(part))


def _verify_and_project(share: Share, said: Any) -> None:
    with _facts(share) as log, _projecting(share, log) as (projector, _):
        _told(said, lambda: _projected(projector))


class _Fetched:
    """A log whose facts another process fetches."""

    def __init__(self, log: Log, heard: Any) -> None:
        self._log = log
        self._heard = heard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def drain(self, _: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact there is, as the other process sends it; a thread takes it off the pipe meanwhile."""
        frames: Queue[bytes] = Queue(_AHEAD)

        def hear() -> None:
            while frame := self._heard.recv_bytes():
                frames.put(frame)
            frames.put(b"")

        Thread(target=hear, daemon=True).start()
        while frame := frames.get():
            yield Batch(*_FRAMES.decode(frame))


def fetched_apart(share: Share, log: Log, findings: Log) -> Took:
    """One process fetches, another takes the facts into the read models; nothing is verified."""
    with Store.open(share.folder / "read") as store, _second(_fetch, share) as other:
        fetched: Any = _Fetched(log, other)
        projector = Projector(fetched, findings, store)
        return _together(lambda: _projected(projector), other)


def _fetch(share: Share, said: Any) -> None:
    def fetch() -> None:
        for batch in log.drain({}):
            said.send_bytes(msgspec.msgpack.encode(batch))
        said.send_bytes(b"")

    with _facts(share) as log:
        _told(said, fetch)


def _together(mine: Callable[[], object], other: Any, findings: KafkaLog | None = None) -> Took:
    """Both processes at work, until both are done."""

    def both() -> float:
        other.send(_GO)
        mine()
        return float(_heard(other))

    return _timed(both, findings)


def _timed(work: Callable[[], float | None], findings: KafkaLog | None = None) -> Took:
    """Time of a piece of work, and the second process's processor time if the work reports it."""
    quietly()
    processor, began = _processor(), perf_counter()
    there = work() or 0.0
    took = perf_counter() - began
    found = sum(map(findings.last_position, findings.partitions)) if findings is not None else 0
    return Took(took, _processor() - processor + there, there, found)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def shared(settings: KafkaSettings, log: Log, folder: Path) -> Share:
    """All partitions, an empty folder, and nothing found yet."""
    folder.mkdir()
    return Share(settings, _nothing_found(settings, folder.name), folder, tuple(log.partitions))


def best(runs: list[Took]) -> Took:
    """The shortest run."""
    return min(runs, key=lambda run: run.seconds)
