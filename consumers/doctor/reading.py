"""Read the logs of a record for the doctor, embedded or in Kafka, each with its own audit."""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta
from importlib import import_module

from consumers.bulk import loading
from consumers.doctor.outbox import Inputs
from consumers.doctor.rows import Rows
from consumers.doctor.telling import DAMAGE, Silent, Teller
from consumers.kafka.unpacked import UnreadableBatch
from consumers.logs.log import Batch, Log
from consumers.logs.sqlite import TABLE, LogRow
from domain.facts.streams import PROPERTY
from domain.ledger.audit import Audit, ChainTrouble

_SECOND = 1_000_000
_BATCH = 10_000

IN_BULK = 50_000  # checking this many facts takes as long as loading the compiled check

Take = Callable[[bytes, str], Iterator[ChainTrouble]]


class RecordPart:
    """One part of a record during the check: the problems reported so far."""

    def __init__(self, teller: Teller) -> None:
        self.status = 0
        self.cut = False
        self._teller = teller

    @property
    def damaged(self) -> bool:
        """Whether any of it was altered or is damaged."""
        return self.status >= DAMAGE

    def tell(self, troubles: Iterator[ChainTrouble | Silent] | Iterator[ChainTrouble]) -> None:
        """Report these problems as they come."""
        for each in troubles:
            self.status = max(self.status, self._teller.found(each))
            self.cut = self.cut or each.kind == "tail-cut"


class ReadOnly:
    """The facts of an embedded log that begin with these bytes, through a connection that changes nothing.

    In a file that SQLite found sound, the index finds those of the property. One that is filed elsewhere is left out;
    the check of its row reports it.
    """

    def __init__(self, rows: Rows, begin: Collection[bytes]) -> None:
        self._rows = rows
        self._begin = begin

    def drain(self, _: Mapping[int, int]) -> Iterator[Batch]:
        """Every fact that begins so."""
        stored = "ifnull(CAST(state AS BLOB), x'')"  # also for a damaged cell
        length = min(map(len, self._begin))  # one comparison in SQLite, which leaves few to compare here
        wanted = (
            f"substr({stored}, 1, {length}) IN ({', '.join(sorted({_blob(each[:length]) for each in self._begin}))})"
        )
        if self._rows.sound:
            wanted += f" AND originator_id >= '{PROPERTY}' AND originator_id < '{PROPERTY}0'"
        asked = f"SELECT position, {stored} FROM {TABLE} WHERE {wanted} ORDER BY position"  # noqa: S608
        rows = self._rows.db.execute(asked)
        while batch := rows.fetchmany(_BATCH):
            yield Batch(0, [fact for fact in batch if fact[1].startswith(tuple(self._begin))])


def _blob(letters: bytes) -> str:
    """An SQLite literal of bytes."""
    return f"x'{letters.hex()}'"


def of_rows(rows: Rows, take: Take, also: Callable[[LogRow], None] | None = None) -> Iterator[ChainTrouble]:
    """The problems of an embedded log's records, and of their rows."""
    for batch in rows.batches():
        for row in batch:
            where = rows.where(row.position)
            yield from rows.misplaced(row, where)
            yield from take(row.stored, where)
            if also is not None:
                also(row)


def of_facts(rows: Rows, audit: Audit, inputs: Inputs) -> Iterator[ChainTrouble]:
    """The problems of an embedded log's facts; many facts of a sound file are checked in bulk if possible."""
    if rows.sound and rows.count >= IN_BULK and (compiled := loading.compiled()) is not None:
        in_bulk = import_module("consumers.doctor.in_bulk")  # it needs numpy
        troubles: Iterator[ChainTrouble] = in_bulk.InBulk(compiled, rows, audit, inputs).troubles()
        return troubles
    return of_rows(rows, audit.take, inputs.take)


def of_log(log: Log, take: Take) -> Iterator[ChainTrouble]:
    """The problems of the records of a log in Kafka."""
    for batch in log.drain({}):
        for position, stored in batch.facts:
            where = f"{log.name}/{batch.partition}:{position}"
            if isinstance(stored, UnreadableBatch):
                yield ChainTrouble("unreadable", "", 0, where, stored.says)
            else:
                yield from take(stored, where)


def silent(audit: Audit, asked: int, patience: int) -> Iterator[Silent]:
    """The open streams that are silent for this long at a moment."""
    for name, reading in sorted(audit.streams.items()):
        quiet = asked - reading.last_at
        if not reading.closed and quiet > patience:
            says = f"open, and silent for {timedelta(seconds=quiet // _SECOND)}"
            yield Silent("silent", name, reading.chain.sequence, reading.where, says)
