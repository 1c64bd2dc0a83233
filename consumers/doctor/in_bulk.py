"""Compare the rows of facts of an embedded log with everything in bulk, as far as they are in order.

The compiled pass takes ordinary rows and refuses the rest. A refused row is read again by its position and checked like
every row without that pass, so the same code reports the same problems in the same order.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from consumers.bulk.database import DONE, ROW, ReadStatement
from consumers.bulk.fact_pass import ROWS, FactPass, Gained, StreamState
from consumers.bulk.loading import Compiled
from consumers.doctor.outbox import INPUTS, Inputs
from consumers.doctor.rows import Rows
from consumers.logs.sqlite import TABLE, LogRow
from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableClosed, TableOpened
from domain.ledger.audit import Audit, ChainAudit, ChainTrouble, claimed_stream
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
_FIRST, _LAST = -(2**63), 2**63 - 1
_ROWS: Final = f"SELECT position, originator_version, state, originator_id, topic FROM {TABLE}"  # noqa: S608


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
        self._compiled = compiled
        inputs.mark, inputs.of_file = self._pass.mark, self._of_outbox

    def troubles(self) -> Iterator[ChainTrouble]:
        """The problems of the records, and of their rows."""
        yield from self._by_statement() if self._compiled.sqlite is not None else self._by_rows()
        self._tell()
        self._tell_all()

    def _by_statement(self) -> Iterator[ChainTrouble]:
        """The problems of rows that compiled code reads from SQLite itself, up to the end that everything else sees."""
        file = self._rows.db.execute("PRAGMA database_list").fetchone()[2]
        asked = f"{_ROWS} WHERE position <= {self._rows.count} ORDER BY position"
        try:
            statement = ReadStatement(self._compiled.sqlite, file, asked)
        except sqlite3.Error:
            yield from self._by_rows()
            return
        with closing(statement):
            answered = ROW
            while answered == ROW:
                answered = self._pass.fetch(statement)
                yield from self._batch()
        if answered != DONE and self._rows.last < _LAST:  # reading row by row shows why
            yield from self._one_by_one(self._rows.last + 1, _LAST)

    def _by_rows(self) -> Iterator[ChainTrouble]:
        """The problems of rows that come one by one, because Python's SQLite cannot be called from compiled code."""
        for batch in self._rows.between(_FIRST, _LAST):
            for begin in range(0, len(batch), ROWS):
                self._pass.put(batch[begin : begin + ROWS])
                yield from self._batch()

    def _batch(self) -> Iterator[ChainTrouble]:
        if not self._pass.room():
            self._tell_all()
        for position in self._pass.take(self._rows.last):
            yield from self._one_by_one(position, position)
        self._tell()

    def _one_by_one(self, first: int, last: int) -> Iterator[ChainTrouble]:
        """Check the next rows, with these positions, one by one."""
        for batch in self._rows.between(first, last):
            for row in batch:
                yield from self._strictly(row)

    def _strictly(self, row: LogRow) -> Iterator[ChainTrouble]:
        name = claimed_stream(row.stored)  # without one, the row changes no stream's state
        self._tell()
        if name is not None and (gained := self._pass.gained(name)) is not None:
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
        if name is not None:
            self._know(name)

    def _tell(self) -> None:
        """Pass on the sums that do not belong to one stream."""
        told = self._pass.told()
        self._audit.read += told.taken
        self._audit.latest_at = max(self._audit.latest_at, told.latest_at)
        self._inputs.add(told.taken, told.input_sum)
        if told.taken:
            self._rows.last = told.position
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
        ends = self._rows.ends
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

    def _of_outbox(self, file: Path) -> tuple[int, int]:
        """The number of inputs in an outbox and the sum of their marks; -1 if they have to be read one by one."""
        if self._compiled.sqlite is None:
            return -1, 0
        try:
            with closing(ReadStatement(self._compiled.sqlite, str(file), INPUTS)) as statement:
                return self._pass.inputs(statement)
        except sqlite3.Error:
            return -1, 0
