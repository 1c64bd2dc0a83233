"""Read the rows of an embedded log once, by position, and compare them with every lookup.

A file of records has two structures: the table, by position, and its index, by stream and sequence. Every reader uses
one of them: a drain, a follower and the library's notifications use the table; a read of a stream and the library's
events use the index. Each record names its place in its own bytes. If the columns agree with the bytes, and the index
with the table, then all readers get the same records. SQLite's own check of a file looks up each row of the table in
the index, and counts both. If it found a fault or did not run, both structures are read here in their own order, once;
memory holds one number per stream.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from consumers.logs.log import NoPlaceError, StoredFact, place_of
from consumers.logs.sqlite import TABLE, WRITTEN, LogRow, written
from domain.ledger.audit import ChainTrouble

BATCH: Final = 10_000
# A damaged cell may hold a value of any type, or none: it is read as the type of its column.
_COLUMNS: Final = (
    "position, ifnull(CAST(originator_id AS TEXT), ''), ifnull(CAST(originator_version AS INTEGER), 0), "
    "ifnull(CAST(topic AS TEXT), ''), ifnull(CAST(state AS BLOB), x'')"
)
_BETWEEN: Final = f"SELECT {_COLUMNS} FROM {TABLE} WHERE position BETWEEN ? AND ? ORDER BY position"  # noqa: S608
_ALL: Final = f"SELECT {_COLUMNS} FROM {TABLE} ORDER BY position"  # noqa: S608
_INDEX: Final = (
    "SELECT ifnull(CAST(originator_id AS TEXT), ''), ifnull(CAST(originator_version AS INTEGER), 0), position "  # noqa: S608
    f"FROM {TABLE} INDEXED BY sqlite_autoindex_{TABLE}_1 ORDER BY originator_id, originator_version"
)
_SUMS: Final = 2**64
_NOTED: Final = (
    "SELECT ifnull(CAST(since AS INTEGER), 0), ifnull(CAST(position AS INTEGER), 0), "  # noqa: S608
    f"ifnull(CAST(digest AS BLOB), x'') FROM {WRITTEN}"
)

SaysWhere = Callable[[LogRow], StoredFact]


class TreeCoverage(NamedTuple):
    """The tree's coverage of one log: each stream's last record, and the position reached in the log."""

    lasts: Mapping[str, int]
    position: int


class Rows:
    """One reading of an embedded log; `says_where` returns the place that a record names.

    `sound` says that SQLite checked the file and found no fault.
    """

    def __init__(
        self, name: str, db: sqlite3.Connection, held: TreeCoverage | None = None, *, sound: bool = False
    ) -> None:
        self.name = name
        self.sound = sound
        self.ends: dict[str, int] = {}
        self.says_where: SaysWhere = in_its_bytes
        self.db = db
        self.held = held
        self._sums: dict[str, int] = {}
        self.last = 0
        self._removed = 0
        self.digest = b""
        self._skipped: ChainTrouble | None = None
        db.execute("BEGIN")  # everything below sees the file as it is now, despite later writes
        self.since, self._position, self._written = self._noted()

    def batches(self) -> Iterator[list[LogRow]]:
        """Every row, in order."""
        rows = self.db.execute(_ALL)
        while batch := rows.fetchmany(BATCH):
            found = [LogRow(*row) for row in batch]
            self.take(found)
            yield found

    def between(self, first: int, last: int) -> Iterator[list[LogRow]]:
        """The rows of these positions, in order; they are not taken in."""
        rows = self.db.execute(_BETWEEN, (first, last))
        while batch := rows.fetchmany(BATCH):
            yield [LogRow(*row) for row in batch]

    def take(self, rows: list[LogRow]) -> None:
        """Compare the next rows with the tree, and add them to the sums and the digest."""
        sums, ends = self._sums, self.ends
        for position, stream, sequence, _, _ in rows:
            if position != self.last + 1:
                self._removed += position - self.last - 1
            self.last = position
            if not self.sound:
                sums[stream] = sums.get(stream, 0) + hash((stream, sequence, position))
            if sequence > ends.get(stream, 0):
                ends[stream] = sequence
                held = self.held
                if held is not None and position <= held.position and sequence > held.lasts.get(stream, 0):
                    self._skipped = self._skipped or self._passed_over(stream, sequence, position)
        behind = rows if rows[0].position > self.since else [row for row in rows if row.position > self.since]
        self.digest = written(self.digest, behind)

    def where(self, position: int) -> str:
        """The place of a row, in the doctor's form."""
        return f"{self.name}/0:{position}"

    def misplaced(self, row: LogRow, where: str) -> Iterator[ChainTrouble]:
        """The differences between a row's columns and its bytes."""
        return misplaced(row, where, self.says_where)

    def finish(self, *, damaged: bool, cut: bool) -> Iterator[ChainTrouble]:
        """The problems that show after all rows are read.

        If damage was already reported (`damaged`), a different digest of everything written is a consequence of it.
        """
        if not self.sound:
            yield from self._index()
        if self._skipped is not None:
            yield self._skipped
        if self.held is not None and self.held.position > self.last:
            says = f"the tree of checkpoints covers {self.held.position} positions, but only {self.last} are here"
            yield ChainTrouble("tail-cut", "", 0, self.where(self.last), says)
        if self._position > self.last and not cut:
            says = f"{self._position} records were written to this log, but it ends at record {self.last}"
            yield ChainTrouble("tail-cut", "", 0, self.where(self.last), says)
        elif self._removed and not damaged:
            says = f"{self._removed} positions hold no record: rows were removed or moved"
            yield ChainTrouble("gap", "", 0, self.where(self.last), says)
        elif (self._position, self._written) != (self._noted_last(), self.digest) and not damaged:
            says = (
                f"records {self.since + 1} to {self.last} differ from those that were written, or the digest stored "
                "with them was changed. No later record names the last ones of a stream"
            )
            yield ChainTrouble("break", "", 0, self.where(self.last), says)

    def _noted_last(self) -> int:
        return max(self.last, self.since) if self._written or self.last > self.since else 0

    def _noted(self) -> tuple[int, int, bytes]:
        """The position after which the digest of everything written begins, the position it reaches, and the digest."""
        there = self.db.execute("SELECT 1 FROM sqlite_schema WHERE name=?", (WRITTEN,)).fetchone()
        row = self.db.execute(_NOTED).fetchone() if there else None
        if row is not None:
            return row[0], row[1], row[2]
        return (0 if there else self.count), 0, b""

    @property
    def count(self) -> int:
        """About how many rows there are: the highest position."""
        last: int = self.db.execute(f"SELECT coalesce(max(position), 0) FROM {TABLE}").fetchone()[0]  # noqa: S608
        return last

    @property
    def undigested(self) -> int:
        """The number of records written before there was a digest."""
        return min(self.since, self.last)

    def _index(self) -> Iterator[ChainTrouble]:
        """Compare the same rows by the index; it is read separately, without random lookups."""
        left = {stream: total % _SUMS for stream, total in self._sums.items()}
        for stream, total in self._by_index():
            if stream and left.pop(stream, None) != total % _SUMS:
                yield self._otherwise(stream)
        for stream in left:
            yield self._otherwise(stream)

    def _by_index(self) -> Iterator[tuple[str, int]]:
        """Each stream and the sum of the marks of its rows, in the order of the index."""
        now, total = "", 0
        for stream, sequence, position in self.db.execute(_INDEX):
            if stream != now:
                yield now, total
                now, total = stream, 0
            total += hash((stream, sequence, position))
        yield now, total

    def _otherwise(self, stream: str) -> ChainTrouble:
        says = "by stream, the index finds other records than by position: do not trust a read of the stream"
        return ChainTrouble("misfiled", stream, 0, "", says)

    def _passed_over(self, stream: str, sequence: int, position: int) -> ChainTrouble:
        says = (
            "the tree's file says that it covers the log up to here, but no leaf holds this record: "
            "the keeper passes over it. Restore the tree: catwalk checkpoint restore"
        )
        return ChainTrouble("tree-bad", stream, sequence, self.where(position), says)


def in_its_bytes(row: LogRow) -> StoredFact:
    """The place that a record names."""
    return place_of(row.stored)


def misplaced(row: LogRow, where: str, says_where: SaysWhere = in_its_bytes) -> Iterator[ChainTrouble]:
    """The differences between a row's columns and its bytes; a record without a place is reported as unreadable."""
    try:
        said = says_where(row)
    except NoPlaceError:
        return
    if said[:2] != row[1:3]:
        says = f"it is found as {row.stream}:{row.sequence}, but its bytes say {said.stream}:{said.sequence}"
        yield ChainTrouble("misfiled", said.stream, said.sequence, where, says)
    elif said.type != row.type:
        yield ChainTrouble(
            "misfiled", said.stream, said.sequence, where, f"it is found as {row.type}, but is {said.type}"
        )
