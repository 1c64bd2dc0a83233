"""Compare the rows of facts of an embedded log with everything in bulk, as far as they are in order.

The compiled pass takes ordinary rows and refuses the rest. A refused row is read again by its position and checked like
every row without that pass, so the same code reports the same problems in the same order.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final

from consumers.bulk.fact_pass import FactPass, Gained, StoredRows, StreamState
from consumers.bulk.loading import Compiled
from consumers.doctor.outbox import Inputs
from consumers.doctor.rows import Rows
from consumers.logs.log import NoPlaceError, place_of
from consumers.logs.sqlite import TABLE, LogRow
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableClosed, TableOpened
from domain.ledger.audit import Audit, ChainAudit, ChainTrouble
from domain.ledger.rights import REGISTRARS
from domain.ledger.seals import UnsealedTail

# What says more than where it stands.
STRICT: Final[frozenset[type[Fact]]] = REGISTRARS | {
    ChainSealed,
    TableOpened,
    TableClosed,
    PropertyOpened,
    PropertyClosed,
}
_PIECE: Final = 1_000  # rows of one text: more do not fit the processor's cache
_SUMS: Final = 2**64
_SEPARATOR: Final = "'\n'"  # a text: joining with a blob takes a third longer
# As many lines as rows, or twice as many. A damaged cell shows as another number of lines, or as a refused row.
_TEXTS: Final = (
    f"SELECT count(*), CAST(group_concat(state, {_SEPARATOR}) AS BLOB), "  # noqa: S608
    f"CAST(group_concat(originator_id || {_SEPARATOR} || topic, {_SEPARATOR}) AS BLOB), "
    f"CAST(group_concat(originator_version, {_SEPARATOR}) AS BLOB) FROM {TABLE} WHERE position > ? AND position <= ?"
)
_LAST: Final = f"SELECT max(position) FROM {TABLE} WHERE position > ? AND position <= ?"  # noqa: S608
_BY_STREAM: Final = (
    "SELECT ifnull(CAST(originator_id AS TEXT), ''), count(*), "  # noqa: S608
    f"CAST(group_concat(ifnull(CAST(originator_version AS INTEGER), 0), {_SEPARATOR}) AS BLOB), "
    f"CAST(group_concat(position, {_SEPARATOR}) AS BLOB) FROM {TABLE} INDEXED BY sqlite_autoindex_{TABLE}_1 "
    "GROUP BY originator_id"
)


class InBulk:
    """One reading of the rows of facts by the compiled pass."""

    def __init__(self, compiled: Compiled, rows: Rows, audit: Audit, inputs: Inputs) -> None:
        self._rows = rows
        self._audit = audit
        self._inputs = inputs
        held = rows.held
        signers = [name for name, terms in audit.sources.sources.items() if any(each.public_key for each in terms)]
        self._pass = FactPass(
            compiled,
            STRICT,
            inputs=True,
            since=rows.since,
            held=0 if held is None else held.position,
            signers=signers,
        )
        self._tried = -1  # the number of fact types tried for cutting out their input
        rows.mark = self._mark
        rows.by_index = self._by_index

    def troubles(self) -> Iterator[ChainTrouble]:
        """The problems of the records, and of their rows."""
        if self._rows.db.execute(f"SELECT 1 FROM {TABLE} WHERE position <= 0").fetchone():  # noqa: S608
            yield from self._one_by_one(-_SUMS // 2, _SUMS // 2 - 1)
            return
        while (piece := self._next()) is not None:
            yield from self._piece(piece)
        self._tell_all()
        yield from self._one_by_one(self._rows.last, _SUMS // 2 - 1)

    def _next(self) -> StoredRows | None:
        """The next rows as texts; None at the end, or if positions are missing among them."""
        after = self._rows.last
        asked = after, after + _PIECE
        try:
            count, *texts = self._rows.db.execute(_TEXTS, asked).fetchone()
            last = after + count if count in (0, _PIECE) else self._rows.db.execute(_LAST, asked).fetchone()[0]
        except sqlite3.Error:
            return None  # too long for one text, or unreadable: reading row by row shows which
        return StoredRows(count, *(text or b"" for text in texts)) if count and last == after + count else None

    def _piece(self, piece: StoredRows) -> Iterator[ChainTrouble]:
        after = self._rows.last
        if not self._pass.fits(piece):
            yield from self._one_by_one(after, after + piece.rows)
            return
        if not self._pass.room(piece.rows):
            self._tell_all()
        for _, position in self._pass.take(piece, after + 1):
            yield from self._one_by_one(position - 1, position)
        self._tell()

    def _one_by_one(self, after: int, last: int) -> Iterator[ChainTrouble]:
        """Check the next rows, with these positions, one by one."""
        for batch in self._rows.between(after, last):
            for row in batch:
                yield from self._strictly(row)

    def _strictly(self, row: LogRow) -> Iterator[ChainTrouble]:
        try:
            name = place_of(row.stored).stream
        except NoPlaceError:
            name = None
        self._tell()
        if name is None:
            self._tell_all()
        elif (gained := self._pass.gained(name)) is not None:
            self._gain(gained)
        rows = self._rows
        rows.take([row])
        where = rows.where(row.position)
        yield from rows.misplaced(row, where)
        yield from self._audit.take(row.stored, where)
        self._inputs.take(row)
        self._pass.digest(rows.digest)
        if self._tried != self._inputs.tried:
            self._tried = self._inputs.tried
            self._pass.can_cut_out(self._inputs.cut_out)
        for each in self._pass.streams() if name is None else [name]:
            self._know(each)

    def _tell(self) -> None:
        """Pass on the sums that do not belong to one stream."""
        told = self._pass.told()
        self._audit.read += told.taken
        self._audit.latest_at = max(self._audit.latest_at, told.latest_at)
        self._inputs.add(told.taken, told.input_sum)
        self._rows.last += told.taken
        self._rows.digest = told.digest

    def _tell_all(self) -> None:
        for gained in self._pass.all_gained():
            self._gain(gained)

    def _gain(self, gained: Gained) -> None:
        """Add what the pass took of a stream to the state of the row-by-row check."""
        stream, sequence = gained.stream, gained.sequence
        reading = self._audit.streams[stream]
        reading.chain.sequence, reading.chain.head = sequence, gained.head
        reading.chain.recent.put_pieces(sequence, gained.pieces)
        reading.where = self._rows.where(gained.position)
        reading.last_at = gained.last_at
        reading.unsealed = UnsealedTail(gained.waiting, gained.waiting_since)
        sums, ends = self._rows.sums, self._rows.ends
        sums[stream] = sums.get(stream, 0) + gained.sum
        ends[stream] = max(ends.get(stream, 0), sequence)

    def _know(self, name: str) -> None:
        """Tell the pass a stream's state after a row was checked alone; for each owner, the newest day is known."""
        streams, current = self._audit.streams, self._pass.stream_of(name)
        newest = max((each for each in (current, name) if each in streams), default="")
        if newest and streams[newest].chain.head:
            self._pass.know(newest, self._known(newest, streams[newest]))
        elif current:
            self._pass.know(current, None)

    def _known(self, name: str, reading: ChainAudit) -> StreamState:
        chain, unsealed, held = reading.chain, reading.unsealed, self._rows.held
        known = StreamState(chain.sequence, chain.head, reading.closed, reading.last_at, unsealed.count, unsealed.since)
        return known if held is None else known._replace(limit=held.lasts.get(name, 0))

    def _by_index(self) -> Iterator[tuple[str, int]]:
        """The sum of the marks of each stream's rows, from the index."""
        for stream, count, sequences, positions in self._rows.db.execute(_BY_STREAM):
            marked, total = self._pass.marks(sequences, positions)
            if marked != count:
                rows = zip(sequences.split(), positions.split(), strict=True)
                total = sum(self._mark(stream, int(one), int(other)) for one, other in rows)
            yield stream, total

    def _mark(self, stream: str, sequence: int, position: int) -> int:
        count, total = self._pass.marks(b"%d" % sequence, b"%d" % position)
        return total if count == 1 else hash((stream, sequence, position))
