"""A record, or a file of facts, replayed to the findings that stand at its end: by one process or by several."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from consumers.logs.log import Log
from consumers.logs.opening import embedded_log, open_log
from consumers.watching.cores import Said, Share, Tell, at_the_end, dealt_out, quietly, shared
from consumers.watching.fact_file import FactFile, Report
from consumers.watching.reading import Reading, Remembered
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY
from domain.following import Link, Placed
from domain.watch.corrected import Record
from domain.watch.finding import Finding
from domain.watch.findings_stream import Written
from domain.watch.record import StreamVerified, apply
from domain.watch.record import decode as decode_record
from domain.watch.record_watch import RecordWatch
from domain.watch.table_pairs import KINDS, Abreast

Trouble = Callable[[str], None]  # a sentence on what is no fact
Progress = Callable[[int, int], None]  # how far it is, and how many findings stand

_Taken = tuple[int, Iterable[Placed]]  # a partition, and facts of it

# What a process that verifies a share of the tables says.
_HEARD, _WRITTEN, _TROUBLE, _READ, _COVERED = "heard", "written", "trouble", "read", "covered"
# Below this one process is done before others have begun.
_LARGE_FACTS, _LARGE_BYTES = 40_000, 20_000_000


class Wanted(msgspec.Struct, frozen=True):
    """Which streams to verify."""

    tables: frozenset[str] = frozenset()
    first: str = ""
    last: str = ""

    def has(self, stream: str) -> bool:
        """Whether this stream is asked for."""
        table, _, day = stream.partition("/")
        return (not self.tables or table in self.tables) and day >= self.first and (not self.last or day <= self.last)

    @property
    def all(self) -> bool:
        """Whether everything is."""
        return not (self.tables or self.first or self.last)


class Replay(msgspec.Struct, frozen=True):
    """What is to be replayed: a file, or the record of a data folder or a cluster."""

    wanted: Wanted
    file: Path | None = None
    data: Path | None = None
    kafka: Path | None = None

    def cores(self) -> int:
        """How many processes are worth it. Partitions of a cluster have no order between them to tell things in."""
        if self.kafka is not None or len(self.wanted.tables) == 1:
            return 1
        if self.file is not None or self.data is None:
            large = self.file is not None and self.file.stat().st_size > _LARGE_BYTES
        else:
            log = embedded_log(self.data)
            large = log.last_position(0) > _LARGE_FACTS
            log.close()
        return len(os.sched_getaffinity(0)) if large else 1

    def dealt(self, cores: int) -> dict[str, int]:
        """Which process takes which table, where the log knows its tables beforehand."""
        if self.file is not None or self.data is None:
            return {}
        log = embedded_log(self.data)
        try:
            return dealt_out({table: count for table, count in log.tables().items() if table != PROPERTY}, cores)
        finally:
            log.close()


class Replayed(msgspec.Struct):
    """The findings that stand, in the order they were raised, how many facts were read, and what could be decided."""

    standing: dict[str, Finding] = {}
    read: int = 0
    wagers: Counter[str] = msgspec.field(default_factory=Counter)


class _Source(Protocol):
    """What is being read, and what stands before the place where that is."""

    at: dict[int, int]

    def record(self, held: Callable[[str], Sequence[Link]]) -> Record: ...

    def stored(self, stream: str) -> Iterable[bytes]: ...


def alone(replay: Replay, trouble: Trouble, progress: Progress) -> Replayed:
    """All of it in this process."""

    def line(number: int, _: bytes, says: str) -> None:
        trouble(_of_line(number, says))

    with _opened(replay, line) as (source, stored), quietly():
        known, found = Remembered(), Replayed()
        record = source.record(known.held)
        beside = Abreast(record.answering())

        def no_fact(text: bytes, says: str) -> None:
            trouble(_of_record(text, says))

        def write(written: Written) -> None:
            known.add(written)
            apply(found.standing, written.record)
            progress(watch.read, len(found.standing))

        watch = RecordWatch(record, no_fact, source.stored, write, beside.take, at=source.at, heard=KINDS)
        for partition, facts in stored:
            watch.take(facts, partition)
        found.wagers = known.wagers()
        return _side_by_side(found, beside, watch.read)


def together(replay: Replay, trouble: Trouble, progress: Progress, cores: int) -> Replayed:
    """The tables shared among so many processes; this one looks at them side by side, in the order of the log."""
    found, read = Replayed(), 0
    processes = shared(lambda share, tell: _verify(replay, share, tell), cores, replay.dealt(cores))
    with processes as told, _opened(replay, lambda *_: None) as (source, _), quietly():
        beside = Abreast(source.record(lambda _: ()).answering())
        for place, what, text in told:
            source.at[0] = place
            if what == _HEARD:
                beside.take(decode(text))
            elif what == _WRITTEN:
                apply(found.standing, decode_record(text))
                progress(place, len(found.standing))
            elif what == _TROUBLE:
                trouble(text.decode())
            elif what == _COVERED:
                found.wagers.update(msgspec.json.decode(text, type=dict[str, int]))
            else:
                read += int(text)
        return _side_by_side(found, beside, read)


def _side_by_side(found: Replayed, beside: Abreast, read: int) -> Replayed:
    for written in beside.found():
        apply(found.standing, written.record)
    found.read = read
    return found


def _verify(replay: Replay, share: Share, tell: Tell) -> None:
    """One process's share, told as it goes."""

    def line(number: int, text: bytes, says: str) -> None:
        if share.speaks(text):
            tell(Said(number, _TROUBLE, _of_line(number, says).encode()))

    with _opened(replay, line, share) as (source, stored):

        def record_trouble(text: bytes, says: str) -> None:
            if share.speaks(text):
                tell(Said(source.at[0], _TROUBLE, _of_record(text, says).encode()))

        def heard(fact: Fact) -> None:
            if share.speaks_of(fact.stream):
                tell(Said(source.at[0], _HEARD, encode(fact)))

        def write(written: Written) -> None:
            known.add(written)
            if not isinstance(written.record, StreamVerified) and share.speaks_of(written.record.stream):
                tell(Said(source.at[0], _WRITTEN, written.stored))

        known = Remembered()
        record = source.record(known.held)
        watch = RecordWatch(record, record_trouble, source.stored, write, heard, at=source.at, heard=KINDS)
        for partition, facts in stored:
            watch.take(facts, partition)
    tell(at_the_end(_COVERED, msgspec.json.encode(dict(known.wagers(share.speaks_of)))))
    tell(at_the_end(_READ, b"%d" % (watch.read - share.apart)))


@contextmanager
def _opened(replay: Replay, line: Report, share: Share | None = None) -> Iterator[tuple[_Source, Iterable[_Taken]]]:
    """What is replayed, and the records in it that are wanted and this process's share."""
    if replay.file is not None:
        lines = FactFile(replay.file, None if share is None else share.takes)
        facts = lines.facts(line) if replay.wanted.all else _only(lines.facts(line), replay.wanted)
        yield lines, [(0, facts if share is None or share.first else _counted(facts, share))]
        return
    log: Log
    if share is not None and replay.data is not None:
        log = embedded_log(replay.data)
        batches = log.drain_tables(share.tables, _takes(share, replay.wanted))
    else:
        log = open_log(data=replay.data, kafka=replay.kafka)
        batches = log.drain({})
    try:
        reading = Reading(log)
        wanted = replay.wanted
        yield reading, batches if wanted.all else ((each.partition, _only(each.facts, wanted)) for each in batches)
    finally:
        log.close()


def _takes(share: Share, wanted: Wanted) -> Callable[[bytes], bool]:
    def takes(stored: bytes) -> bool:
        taken = share.takes(stored) and (wanted.all or _is_wanted(stored, wanted))
        return taken and bool(share.counted(stored))

    return takes


class _Named(msgspec.Struct, gc=False):
    stream: str = ""


_STREAM = msgspec.json.Decoder(_Named)


def _only(facts: Iterable[Placed], wanted: Wanted) -> Iterable[Placed]:
    return (each for each in facts if _is_wanted(each[1], wanted))


def _counted(facts: Iterable[Placed], share: Share) -> Iterable[Placed]:
    return ((place, share.counted(stored)) for place, stored in facts)


def _is_wanted(stored: bytes, wanted: Wanted) -> bool:
    try:
        stream = _STREAM.decode(stored).stream
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return True
    return not stream or wanted.has(stream)


def _of_line(number: int, says: str) -> str:
    return f"line {number}: {says}"


def _of_record(stored: bytes, says: str) -> str:
    return f"a record that is no fact: {says}: {stored[:120].decode(errors='backslashreplace')}"
