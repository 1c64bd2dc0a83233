"""Replay a record, or a file of facts, to the findings that stand at its end, with one process or several."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec

from consumers.logs.log import Log
from consumers.logs.opening import embedded_log, open_log
from consumers.logs.sqlite import SqliteLog
from consumers.watching.cores import KeyTables, ProcessMessage, Share, Tell, at_the_end, dealt_out, quietly, shared
from consumers.watching.fact_file import FactFile, Report, SharedKeyError
from consumers.watching.kept_claims import KeptClaims
from consumers.watching.reading import LogReading, Remembered
from domain.facts.codec import stream_in
from domain.facts.refused import Refused, RefusedGroups
from domain.facts.streams import PROPERTY
from domain.following import Link, Placed
from domain.watch.claims import Key
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.findings_stream import Written
from domain.watch.record import StreamVerified, apply
from domain.watch.record import decode as decode_record
from domain.watch.record_watch import RecordWatch
from domain.watch.table_claims import KINDS, TableClaims

Trouble = Callable[[str], None]  # a sentence about a record that is not a fact
Progress = Callable[[int, int], None]  # facts read, and findings that stand

_Taken = tuple[int, Iterable[Placed]]  # a partition and some of its facts

# The kinds of results from a process that verifies a share of the tables.
_CLAIMS, _LATEST, _MISFILED = "claims", "latest", "misfiled"
_WRITTEN, _TROUBLE, _REFUSED, _REPEATED = "written", "trouble", "refused", "repeated"
_READ, _COVERED = "read", "covered"
_OF_PROPERTY = 2  # a kind of row, from `drain_streams`
_BAD_LINE = msgspec.msgpack.Decoder(tuple[Refused, bytes])
_LATEST_OF = msgspec.json.Decoder(dict[str, Key])
# A smaller replay is done by one process before others have started.
_LARGE_FACTS, _LARGE_BYTES = 40_000, 20_000_000


class StreamFilter(msgspec.Struct, frozen=True):
    """The streams to verify."""

    tables: frozenset[str] = frozenset()
    first: str = ""
    last: str = ""

    def has(self, stream: str) -> bool:
        """Whether this stream is selected."""
        table, _, day = stream.partition("/")
        return (not self.tables or table in self.tables) and day >= self.first and (not self.last or day <= self.last)

    @property
    def all(self) -> bool:
        """Whether every stream is selected."""
        return not (self.tables or self.first or self.last)


class Replay(msgspec.Struct, frozen=True):
    """The input of a replay: a file, or the record of a data folder or a cluster."""

    wanted: StreamFilter
    file: Path | None = None
    data: Path | None = None
    kafka: Path | None = None

    def cores(self) -> int:
        """The number of useful processes. A cluster's partitions have no common order for the results."""
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
        """The assignment of tables to processes, if the log knows its tables beforehand."""
        if self.file is not None or self.data is None:
            return {}
        log = embedded_log(self.data)
        try:
            return dealt_out({table: count for table, count in log.tables().items() if table != PROPERTY}, cores)
        finally:
            log.close()


class Replayed(msgspec.Struct):
    """The findings that stand, in the order they were raised; facts read, lines left out, wagers decided."""

    standing: dict[str, Finding] = {}
    read: int = 0
    refused: RefusedGroups = msgspec.field(default_factory=RefusedGroups)
    repeated: int = 0  # lines without a number that repeat a fact
    wagers: Counter[str] = msgspec.field(default_factory=Counter)


class _Source(Protocol):
    """The input being read, and its records before the current place."""

    at: dict[int, int]

    def record(self, held: Callable[[str], Sequence[Link]]) -> WatchedRecord: ...

    def stored(self, stream: str) -> Iterable[bytes]: ...


def alone(replay: Replay, trouble: Trouble, progress: Progress) -> Replayed:
    """Replay everything in this process."""

    found = Replayed()

    def line(number: int, text: bytes, refused: Refused | None) -> None:
        if refused is None:
            found.repeated += 1
        else:
            found.refused.add(refused, f"line {number}", line=text)

    with _opened(replay, line) as (source, stored), quietly():
        known = Remembered()
        record = source.record(known.held)
        kept = KeptClaims()
        claims = TableClaims(record.answering(), kept.add)

        def no_fact(text: bytes, says: str) -> None:
            trouble(_of_record(text, says))

        def write(written: Written) -> None:
            known.add(written)
            apply(found.standing, written.record)
            progress(watch.read, len(found.standing))

        watch = RecordWatch(record, no_fact, source.stored, write, claims.take, at=source.at, heard=KINDS)
        for partition, facts in stored:
            watch.take(facts, partition)
        found.wagers = known.wagers()
        kept.latest = claims.end()
        return _compared(found, kept, watch.read)


def together(replay: Replay, trouble: Trouble, progress: Progress, cores: int) -> Replayed:
    """Share the tables among processes; this one compares the claims and questions of their days."""
    shares = _ProcessResults(trouble, progress)
    misfiled = _hear(shares, partial(_verify, replay), replay.dealt(cores), cores)
    if misfiled is not None:  # start over with every record; results before that place are not repeated
        _hear(shares, partial(_verify, replay, whole=True), replay.dealt(cores), cores, since=misfiled)
    return _compared(shares.found, shares.kept, shares.found.read)


def _hear(
    shares: "_ProcessResults", work: Callable[[Share, Tell], None], dealt: Mapping[str, int], cores: int, since: int = 0
) -> int | None:
    """Receive the results of all processes; return the place of a record that cannot be read apart, if there is one."""
    with shared(work, cores, dealt) as told:
        for said in told:
            if said.what == _MISFILED:
                return said.place
            if said.place >= since:
                shares.take(said)
    return None


class _ProcessResults(msgspec.Struct):
    """The results of the processes so far."""

    trouble: Trouble
    progress: Progress
    found: Replayed = msgspec.field(default_factory=Replayed)
    kept: KeptClaims = msgspec.field(default_factory=KeptClaims)

    def take(self, said: ProcessMessage) -> None:
        """Add the next result, in the order of the log."""
        place, what, text = said
        found = self.found
        if what == _WRITTEN:
            apply(found.standing, decode_record(text))
            self.progress(place, len(found.standing))
        elif what == _CLAIMS:
            stream, _, stored = text.partition(b"\n")
            self.kept.add(stream.decode(), stored)
        elif what == _TROUBLE:
            self.trouble(text.decode())
        elif what == _REFUSED:
            refused, line = _BAD_LINE.decode(text)
            found.refused.add(refused, f"line {place}", line=line)
        elif what == _REPEATED:
            found.repeated += 1
        elif what == _COVERED:
            found.wagers.update(msgspec.json.decode(text, type=dict[str, int]))
        elif what == _LATEST:
            self.kept.latest |= _LATEST_OF.decode(text)
        else:
            found.read += int(text)


def _compared(found: Replayed, kept: KeptClaims, read: int) -> Replayed:
    for written in kept.compared():
        apply(found.standing, written.record)
    found.read = read
    return found


class _MisfiledError(Exception):
    """A record under another name than its bytes have: its table is unknown without decoding."""


def _verify(replay: Replay, share: Share, tell: Tell, *, whole: bool = False) -> None:
    """Verify one process's share and send the results."""

    def line(number: int, text: bytes, refused: Refused | None) -> None:
        if not share.speaks(text):
            return
        if refused is None:
            tell(ProcessMessage(number, _REPEATED, b""))
        else:
            tell(ProcessMessage(number, _REFUSED, msgspec.msgpack.encode((refused, text))))

    with _opened(replay, line, share, whole=whole) as (source, stored):

        def record_trouble(text: bytes, says: str) -> None:
            if share.speaks(text):
                tell(ProcessMessage(source.at[0], _TROUBLE, _of_record(text, says).encode()))

        def claimed(stream: str, stored: bytes) -> None:
            if share.speaks_of(stream):
                tell(ProcessMessage(source.at[0], _CLAIMS, stream.encode() + b"\n" + stored))

        def write(written: Written) -> None:
            known.add(written)
            if not isinstance(written.record, StreamVerified) and share.speaks_of(written.record.stream):
                tell(ProcessMessage(source.at[0], _WRITTEN, written.stored))

        known = Remembered()
        record = source.record(known.held)
        claims = TableClaims(record.answering(), claimed)
        watch = RecordWatch(record, record_trouble, source.stored, write, claims.take, at=source.at, heard=KINDS)
        try:
            for partition, facts in stored:
                watch.take(facts, partition)
        except (_MisfiledError, SharedKeyError) as error:
            tell(ProcessMessage(error.args[0], _MISFILED, b""))
            return
        latest = {table: key for table, key in claims.end().items() if share.speaks_of(table)}
    tell(at_the_end(_LATEST, msgspec.json.encode(latest)))
    tell(at_the_end(_COVERED, msgspec.json.encode(dict(known.wagers(share.speaks_of)))))
    tell(at_the_end(_READ, b"%d" % (watch.read - share.apart)))


@contextmanager
def _opened(
    replay: Replay, line: Report, share: Share | None = None, *, whole: bool = False
) -> Iterator[tuple[_Source, Iterable[_Taken]]]:
    """The input, and its selected records that are in this process's share.

    A process reads only the rows under its tables' names, or, with `whole`, every row. Of a file, `whole` admits every
    line, so that a key that two tables share names the same fact in every process.
    """
    if replay.file is not None:
        lines = FactFile(replay.file, None if share is None else share.takes, admits_all=whole)
        apart = share is not None and share.first and not whole
        facts: Iterable[Placed] = lines.facts(line, KeyTables().shared if apart else None)
        facts = facts if replay.wanted.all else _only(facts, replay.wanted)
        yield lines, [(0, facts if share is None or share.first else _counted(facts, share))]
        return
    log: Log
    if share is not None and replay.data is not None:
        log = embedded_log(replay.data)
        if whole or not replay.wanted.all:
            batches: Iterable[_Taken] = log.drain_tables(share.tables, _takes(share, replay.wanted))
        else:
            batches = _filed(log, share)
    else:
        log = open_log(data=replay.data, kafka=replay.kafka)
        batches = log.drain({})
    try:
        reading = LogReading(log)
        wanted = replay.wanted
        yield reading, batches if wanted.all else ((partition, _only(facts, wanted)) for partition, facts in batches)
    finally:
        log.close()


def _filed(log: SqliteLog, share: Share) -> Iterator[_Taken]:
    """The rows under the names of this process's tables, and of the property."""
    for rows in log.drain_streams([name for name in log.names() if share.reads(name)]):
        share.apart += 0 if share.first else sum(kind == _OF_PROPERTY for *_, kind in rows)
        misfiled = next((place for place, _, kind in rows if not kind), None)
        yield 0, [(place, stored) for place, stored, _ in rows if misfiled is None or place < misfiled]
        if misfiled is not None:
            raise _MisfiledError(misfiled)


def _takes(share: Share, wanted: StreamFilter) -> Callable[[bytes], bool]:
    def takes(stored: bytes) -> bool:
        taken = share.takes(stored) and (wanted.all or _is_wanted(stored, wanted))
        return taken and bool(share.counted(stored))

    return takes


def _only(facts: Iterable[Placed], wanted: StreamFilter) -> Iterable[Placed]:
    return (each for each in facts if _is_wanted(each[1], wanted))


def _counted(facts: Iterable[Placed], share: Share) -> Iterable[Placed]:
    return ((place, share.counted(stored)) for place, stored in facts)


def _is_wanted(stored: bytes, wanted: StreamFilter) -> bool:
    stream = stream_in(stored)
    return not stream or wanted.has(stream)


def _of_record(stored: bytes, says: str) -> str:
    return f"a record that is no fact: {says}: {stored[:120].decode(errors='backslashreplace')}"
