"""Follow the logs of a record and gather their records into stretches for the tree.

A stretch ends at a seal: of facts at a seal of the chain, of findings at a mark, if a seal is due. The desk's records
are chained but not sealed, and are ready at once. Unsealed records wait for a seal as long as one may take, and then
enter the tree without it: the tail of a table whose device died needs protection most. Gathered records that are not in
the tree yet are only in memory; the stored position is before all of them, and records that are read again and already
in the tree are skipped.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Final, NamedTuple, Protocol

import msgspec
from eventsourcing.persistence import ApplicationRecorder

from consumers.logs.log import Log
from domain.facts import streams
from domain.facts.envelope import MOST as MOST_SEQUENCE
from domain.ledger.seals import PATIENCE
from domain.ledger.stretches import Kind, Stretch, stretch_of
from domain.ledger.tree import leaf_hash
from domain.watch import record

MOST: Final = 4096  # records, after which a stretch ends at the next seal
_DESK_BATCH: Final = 1000
_SEALS: Final = frozenset({"chain-sealed.1", "findings-sealed.1", "stream-verified.1"})
_CLOSED: Final = "property-closed.1"
_OF_TWO: Final = "+"  # each record about two tables is sealed separately
_AT_THE_DESK: Final = re.compile(r"[a-z]+/[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")


class GatheredRecord(NamedTuple):
    """A record as read: its place in the log, its place in its stream, and its bytes."""

    partition: int
    position: int
    stream: str
    sequence: int
    type: str
    at: int
    stored: bytes


class TreeSource(Protocol):
    """A log whose records go into the tree."""

    kind: Kind
    placeless: int

    def rows(self, after: Mapping[int, int]) -> Iterator[tuple[list[GatheredRecord], int, int]]:
        """The records after these positions up to the end, each batch with its partition and last position."""


class TreeRecords(Protocol):
    """The records that are already in the tree."""

    def last_of(self, kind: str, stream: str) -> int:
        """The last record of a stream."""

    def holds(self, kind: str, stream: str, sequence: int) -> bool:
        """Whether the tree has a record at this place."""


class _LeafPlace(msgspec.Struct, gc=False):
    stream: str
    sequence: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEQUENCE)]
    type: str
    at: int = 0


_PLACES = msgspec.json.Decoder(_LeafPlace)


_NAMES: Final[Mapping[Kind, Callable[[str], bool]]] = {
    "facts": lru_cache(10_000)(streams.is_stream),
    "findings": lru_cache(10_000)(record.is_stream),
    "desk": lambda name: _AT_THE_DESK.fullmatch(name) is not None,
}


class LogSource:
    """The log of facts or of findings."""

    def __init__(self, kind: Kind, log: Log) -> None:
        self.kind = kind
        self._log = log
        self.placeless = 0  # records without a valid place: they are not in the tree, and the doctor reports them

    def rows(self, after: Mapping[int, int]) -> Iterator[tuple[list[GatheredRecord], int, int]]:
        """The records after these positions."""
        decode, is_stream = _PLACES.decode, _NAMES[self.kind]
        for partition, records in self._log.drain(after):
            found: list[GatheredRecord] = []
            for position, stored in records:
                try:
                    place = decode(stored)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    self.placeless += 1
                    continue
                if not is_stream(place.stream):
                    self.placeless += 1
                    continue
                found.append(
                    GatheredRecord(partition, position, place.stream, place.sequence, place.type, place.at, stored)
                )
            yield found, partition, records[-1][0]


class DeskSource:
    """The desk's records, wherever its application stores them."""

    kind: Kind = "desk"

    def __init__(self, recorder: ApplicationRecorder) -> None:
        self._recorder = recorder
        self.placeless = 0

    def rows(self, after: Mapping[int, int]) -> Iterator[tuple[list[GatheredRecord], int, int]]:
        """The records after this position."""
        position = after.get(0, 0)
        while found := self._recorder.select_notifications(position, _DESK_BATCH, inclusive_of_start=False):
            position = found[-1].id
            rows = [
                GatheredRecord(
                    0, each.id, str(each.originator_id), each.originator_version, each.topic, 0, bytes(each.state)
                )
                for each in found
                if _NAMES[self.kind](str(each.originator_id))
            ]
            self.placeless += len(found) - len(rows)
            yield rows, 0, position


class _NewRecords:
    """Successive records of one stream that are not in the tree yet."""

    __slots__ = (
        *("before", "first", "last", "leaves", "open_from"),
        *("partition", "sealed", "sealed_stored", "seen", "since"),
    )

    def __init__(self, row: GatheredRecord, seen: int) -> None:
        self.partition, self.before = row.partition, row.position - 1
        self.first, self.since, self.seen = row.sequence, row.at, seen
        self.open_from = self.before  # the position before the first unsealed record
        self.leaves: list[bytes] = []
        self.last = self.sealed_stored = b""
        self.sealed = 0  # the number of records up to the last seal

    def waits(self, now: int) -> bool:
        """Whether a seal may still come; a time far from now, before or after, is no reason to wait."""
        return abs(now - self.since) <= PATIENCE and now - self.seen <= PATIENCE


class Gatherer:
    """One source's records on their way into the tree."""

    def __init__(self, source: TreeSource, tree: TreeRecords, positions: Mapping[int, int]) -> None:
        self.source = source
        self._tree = tree
        self._read = dict(positions)
        self._lasts: dict[str, int] = {}
        self._runs: dict[str, _NewRecords] = {}
        self._ready: list[tuple[Stretch, str]] = []
        self._closed: dict[str, int] = {}  # days of the property, and the sequence of their closing
        # The latest source time so far, capped at now; the gateway's seals carry the time of its own clock.
        self.latest = 0

    def read(self, now: int) -> int:
        """Read on to the current end; return the number of new records."""
        count = 0
        for rows, partition, position in self.source.rows(self._read):
            for row in rows:
                count += self._take(row, now)
            self._read[partition] = position
        return count

    def _take(self, row: GatheredRecord, now: int) -> bool:
        stream, sequence = row.stream, row.sequence
        last = self._lasts.get(stream)
        if last is None:
            last = self._tree.last_of(self.source.kind, stream)
        if sequence <= last and self._stands(stream, sequence):
            self._lasts[stream] = last
            return False  # a repeat, or another record at a taken place; the doctor reports which
        run = self._runs.get(stream)
        if run is not None and sequence != run.first + len(run.leaves):
            self._end(stream, run, len(run.leaves))
            run = None
        if run is None:
            run = self._runs[stream] = _NewRecords(row, now)
        run.leaves.append(leaf_hash(row.stored))
        run.last = row.stored
        self._lasts[stream] = max(last, sequence)
        if row.type not in _SEALS and row.at <= now:
            self.latest = max(self.latest, row.at)
        if row.type == _CLOSED and self.source.kind == "facts" and streams.owner(stream) == streams.PROPERTY:
            self._closed[stream] = sequence
        if row.type in _SEALS or self.source.kind == "desk" or _OF_TWO in stream:
            run.sealed, run.sealed_stored = len(run.leaves), row.stored
            if run.sealed >= MOST:
                self._end(stream, run, run.sealed)
        elif run.sealed == len(run.leaves) - 1:
            run.since, run.seen, run.open_from = row.at, now, row.position - 1
        return True

    def _stands(self, stream: str, sequence: int) -> bool:
        """Whether a place is taken; a record that fills a gap late becomes a separate stretch."""
        run = self._runs.get(stream)
        if run is not None and run.first <= sequence < run.first + len(run.leaves):
            return True
        if any(each.stream == stream and each.first <= sequence <= each.last for each, _ in self._ready):
            return True
        return self._tree.holds(self.source.kind, stream, sequence)

    def _end(self, stream: str, run: _NewRecords, count: int) -> None:
        """Make the first records of a run a stretch; the rest continues as another."""
        stored = run.sealed_stored if count == run.sealed else run.last
        self._ready.append((stretch_of(self.source.kind, stream, run.first, run.leaves[:count], stored), stream))
        del run.leaves[:count]
        run.first, run.sealed, run.before = run.first + count, 0, run.open_from
        if not run.leaves:
            self._runs.pop(stream, None)

    def ready(self, now: int) -> list[Stretch]:
        """The stretches for the tree now; they stay ready until `done`."""
        for stream, run in list(self._runs.items()):
            if run.sealed:
                self._end(stream, run, run.sealed)
        for stream, run in list(self._runs.items()):
            if not run.waits(now):
                self._end(stream, run, len(run.leaves))
        return [stretch for stretch, _ in self._ready]

    def due(self) -> bool:
        """Whether sealed records that are not in the tree yet closed a day of the property."""
        for stream, sequence in self._closed.items():
            run = self._runs.get(stream)
            if run is None or sequence < run.first + run.sealed:
                return True
        return False

    def closes(self, stretches: Iterable[Stretch]) -> list[str]:
        """The days of the property that are closed within these stretches."""
        return sorted(
            stretch.stream.partition("/")[2]
            for stretch in stretches
            if stretch.first <= self._closed.get(stretch.stream, 0) <= stretch.last
        )

    @property
    def positions(self) -> dict[int, int]:
        """The positions before which everything is in the tree, once the ready stretches are."""
        kept = dict(self._read)
        for run in self._runs.values():
            kept[run.partition] = min(kept[run.partition], run.before)
        return kept

    def done(self) -> None:
        """Note that the ready stretches are in the tree."""
        for stretch, stream in self._ready:
            if stretch.first <= self._closed.get(stream, 0) <= stretch.last:
                del self._closed[stream]
        self._ready.clear()
