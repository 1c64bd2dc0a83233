"""One run of the compiled pass over a log: its state for each table's newest day, and the rows it took.

The caller reads rows in batches, and takes a refused row the strict way. Before that, the caller asks what the pass
took of the row's table; afterward, the caller sets the state of that table again.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from consumers.bulk import tables
from consumers.bulk.database import ReadStatement
from consumers.bulk.forms import Forms, forms, hashed, put
from consumers.bulk.loading import Compiled
from consumers.bulk.sha import FIRST, ROOM
from consumers.bulk.tables import LONGEST, PIECE, PendingRows, RowBatch, Run, Streams
from domain.facts.catalogue import TYPES
from domain.facts.envelope import Fact
from domain.facts.streams import owner

_WINDOW: Final = 32_768
_NAME: Final = 64  # letters kept for a stream's name; it has 51 at most
_MOST_OWNERS: Final = 30_000
_ALL: Final = 2**63 - 1
_HEX: Final = 64
ROWS: Final = 1_000  # rows of one batch: more do not fit the processor's cache
_PIECES: Final = f"V{PIECE}"  # numpy's type of that many bytes
_BATCH_BYTES: Final = 600_000
_ROOM: Final = bytes(ROOM)


StoredRow = tuple[int, str, int, str, bytes]  # position, stream, sequence, type, fact


class StreamState(NamedTuple):
    """The state of a stream that the caller sets before a run continues."""

    sequence: int
    head: str
    closed: bool
    last_at: int
    waiting: int
    waiting_since: int
    limit: int = _ALL  # the last sequence that may be at a position up to `held`


class Gained(NamedTuple):
    """The rows of a stream that were taken since the last report."""

    stream: str
    sequence: int
    head: str
    last_at: int
    waiting: int
    waiting_since: int
    position: int  # of its last row
    pieces: bytes  # the first 16 bytes of the hash of each fact, in order


class Told(msgspec.Struct):
    """The rows of all streams that were taken since the last report."""

    taken: int
    position: int  # of the last row
    latest_at: int
    digest: bytes
    input_sum: int


class FactPass:
    """The state of one run.

    `strict` are the types that always go the strict way. Rows after the position `since` are digested. A stream's limit
    applies up to the position `held`. `signers` are the sources whose facts are signed.
    """

    def __init__(
        self,
        compiled: Compiled,
        strict: Collection[type[Fact]],
        *,
        kinds: Mapping[str, type[Fact]] = TYPES,
        inputs: bool = False,
        since: int = 0,
        held: int = 0,
        signers: Collection[str] = (),
    ) -> None:
        self._compiled = compiled
        self._forms, self._kinds = _forms_of(frozenset(kinds.values()), frozenset(strict))
        self._names: list[str] = []  # of the stream in each row
        self._rows: dict[str, int] = {}  # by owner
        self._batch = RowBatch(np.zeros(_BATCH_BYTES, np.uint8), np.zeros((ROWS, 8), np.int64))
        self._window = PendingRows(np.zeros(_WINDOW * PIECE, np.uint8), np.zeros(_WINDOW, np.int16))
        self._streams = _streams(16)
        self._places_taken = 0  # of the table of streams
        self._run = _run(len(self._kinds), list(signers))
        state = self._run.state
        state[tables.SINCE], state[tables.HELD], state[tables.INPUTS] = since, held, int(inputs)

    def fetch(self, statement: ReadStatement) -> int:
        """Read the next rows into the batch, and return what SQLite answered last."""
        self._run.state[tables.ROWS], answered = self._compiled.rows(statement.address, self._batch)
        return answered

    def put(self, rows: Sequence[StoredRow]) -> None:
        """Put these rows, at most as many as fit, into the batch."""
        parts = [(row[4], _ROOM, row[1].encode(), row[3].encode()) for row in rows]
        letters = b"".join(part for row in parts for part in row)
        self._batch = self._batch._replace(letters=np.frombuffer(letters + bytes(3 * LONGEST), np.uint8).copy())
        ends = np.cumsum([len(part) for row in parts for part in row], dtype=np.int64).reshape(-1, 4)
        held = self._batch.rows
        held[1 : len(rows), tables.FACT] = ends[:-1, 3]
        held[0, tables.FACT] = 0
        columns = (tables.FACT_END, tables.PLACE, tables.PLACE_END, tables.KIND_END)
        for column, found in zip(columns, ends.T, strict=True):
            held[: len(rows), column] = found
        held[: len(rows), tables.KIND] = ends[:, 2]
        long = [sum(map(len, row)) > LONGEST for row in parts]
        held[: len(rows), tables.FACT][long] = -1
        for row, stored in enumerate(rows):
            held[row, tables.NUMBER], held[row, tables.SEQUENCE] = stored[0], stored[2]
        self._run.state[tables.ROWS] = len(rows)

    def take(self, after: int) -> Iterator[int]:
        """Take the rows of the batch, which follow this position, and yield the position of each refused one."""
        state = self._run.state
        state[tables.ROW], state[tables.POSITION] = 0, after
        while True:
            self._compiled.take(self._batch, self._forms, self._streams, self._window, self._run)
            row = int(state[tables.ROW])
            if row >= state[tables.ROWS]:
                return
            position = int(self._batch.rows[row, tables.NUMBER])
            yield position
            state[tables.ROW], state[tables.POSITION] = row + 1, position

    def mark(self, said: bytes) -> int:
        """The mark of an input, laid out by `laid_out`."""
        return int(self._compiled.mark(np.frombuffer(said + bytes(16), np.uint8), len(said), self._run.salts))

    def inputs(self, statement: ReadStatement) -> tuple[int, int]:
        """The number of inputs and the sum of their marks; the number is -1 if one is not as the gateway writes it."""
        count, total = self._compiled.inputs(statement.address, self._run.said, self._run.salts)
        return int(count), int(total)

    def room(self) -> bool:
        """Whether the window has room for another batch."""
        return int(self._run.state[tables.FILLED]) + ROWS <= _WINDOW

    def told(self) -> Told:
        """Report the rows taken of all streams, and restart the counts."""
        state = self._run.state
        written = self._run.digest.tobytes() if state[tables.DIGESTED] else b""
        now = state.tolist()
        told = Told(
            now[tables.TAKEN], now[tables.POSITION], now[tables.LATEST_AT], written, int(self._run.input_sum[0])
        )
        state[tables.TAKEN], self._run.input_sum[0] = 0, 0
        return told

    def digest(self, written: bytes) -> None:
        """Set the digest of everything written, after a row that was taken the strict way."""
        self._run.state[tables.DIGESTED] = int(bool(written))
        if written:
            self._run.digest[:] = np.frombuffer(written, np.uint8)

    def can_cut_out(self, kinds: Collection[str]) -> None:
        """Set the types of facts whose bytes contain what the source said as one piece."""
        for row, name in enumerate(self._kinds):
            self._run.cut_out[row] = tables.CUT_OUT if name in kinds else 0

    def gained(self, name: str) -> Gained | None:
        """Report the rows taken of the owner's known stream, or None if there are none."""
        row = self._rows.get(owner(name))
        if row is None or not self._streams.kept[row, tables.NEW]:
            return None
        begin, end = int(self._streams.kept[row, tables.UNTOLD]), int(self._run.state[tables.FILLED])
        found = np.flatnonzero(self._window.streams[begin:end] == row) + begin
        return self._gained(row, self._window.hashes.view(_PIECES)[found].tobytes())

    def all_gained(self) -> Iterator[Gained]:
        """Report the rows taken of each stream, and empty the window."""
        filled = int(self._run.state[tables.FILLED])
        order = np.argsort(self._window.streams[:filled], kind="stable")
        rows, pieces = self._window.streams[order], self._window.hashes.view(_PIECES)[order]
        begins = np.searchsorted(rows, np.arange(len(self._names) + 1, dtype=rows.dtype))
        for row in np.flatnonzero(self._streams.kept[:, tables.NEW]):
            begin, end = begins[row], begins[row + 1]
            begin += np.searchsorted(order[begin:end], self._streams.kept[row, tables.UNTOLD])
            yield self._gained(int(row), pieces[begin:end].tobytes())
        self._run.state[tables.FILLED] = 0

    def _gained(self, row: int, pieces: bytes) -> Gained:
        kept = self._streams.kept[row]
        now = kept.tolist()
        kept[tables.NEW] = 0
        return Gained(
            self._names[row],
            now[tables.NEXT] - 1,
            self._streams.heads[_HEX * row : _HEX * (row + 1)].tobytes().decode(),
            now[tables.LAST_AT],
            now[tables.WAITING],
            now[tables.WAITING_SINCE],
            now[tables.LAST_POSITION],
            pieces,
        )

    def stream_of(self, name: str) -> str:
        """The known stream of a stream's owner, or an empty text."""
        row = self._rows.get(owner(name))
        return "" if row is None else self._names[row]

    def know(self, name: str, known: StreamState | None) -> None:
        """Set the state of a stream whose rows are all reported; forget the stream its owner had before."""
        row = self._rows.get(owner(name))
        if row is None:
            if known is None or len(name) > _NAME or not name.isascii() or len(self._names) >= _MOST_OWNERS:
                return
            row = self._rows[owner(name)] = len(self._names)
            self._names.append("")
            if row >= len(self._streams.kept):
                self._streams = _grown(self._streams)
        if self._names[row] != (name if known is not None else ""):
            self._rename(row, name if known is not None else "")
        if known is None:
            return
        kept = self._streams.kept[row]
        kept[tables.NEXT], kept[tables.CLOSED], kept[tables.LAST_AT] = known.sequence + 1, known.closed, known.last_at
        kept[tables.WAITING], kept[tables.WAITING_SINCE] = known.waiting, known.waiting_since
        kept[tables.LIMIT] = known.limit
        self._streams.heads[_HEX * row : _HEX * (row + 1)] = np.frombuffer(known.head.encode(), np.uint8)

    def _rename(self, row: int, name: str) -> None:
        self._names[row] = name
        stored = name.encode()
        self._streams.letters[_NAME * row : _NAME * row + len(stored)] = np.frombuffer(stored, np.uint8)
        self._streams.spans[row] = _NAME * row, len(stored) or -1  # no text is as short as a forgotten name
        if name:
            self._find_place(row, stored)

    def _find_place(self, row: int, name: bytes) -> None:
        """Put a stream into the table. A place of a former name leads to the same row, whose letters differ from it."""
        self._places_taken += 1
        if 2 * self._places_taken <= len(self._streams.table):
            put(self._streams.table, name, row)
            return
        known = {each.encode(): number for number, each in enumerate(self._names) if each}
        self._places_taken = len(known)
        self._streams = self._streams._replace(table=np.array(hashed(known, 4 * len(known)), np.int64))


@cache
def _forms_of(kinds: frozenset[type[Fact]], strict: frozenset[type[Fact]]) -> tuple[Forms, list[str]]:
    return forms({name: kind for name, kind in TYPES.items() if kind in kinds}, strict)


def _streams(rows: int) -> Streams:
    return Streams(
        np.zeros(rows * _NAME + 8, np.uint8),
        np.zeros((rows, 2), np.int64),
        np.array(hashed({}), np.int64),
        np.zeros((rows, 9), np.int64),
        np.zeros(rows * _HEX, np.uint8),
    )


def _grown(streams: Streams) -> Streams:
    """The same streams with twice the room."""
    more = _streams(2 * len(streams.kept))
    pairs: Any = zip(streams, more, strict=True)
    for old, new in pairs:
        if old is not streams.table:
            new[: len(old)] = old
    return more._replace(table=streams.table)


def _run(kinds: int, signers: list[str]) -> Run:
    names = [name.encode() for name in signers]
    ends = np.cumsum([0, *map(len, names)])
    writing, bare, said = (np.zeros(4 * LONGEST, np.uint8) for _ in range(3))
    run = Run(
        np.zeros(11, np.int64),
        np.zeros(32, np.uint8),
        np.zeros(1, np.uint64),
        np.array([secrets.randbits(64) | 1 for _ in range(2)], np.uint64),
        np.zeros(max(1, kinds), np.uint8),
        np.frombuffer(b"".join(names) + bytes(8), np.uint8).copy(),
        np.array([[begin, len(name)] for begin, name in zip(ends, names, strict=False)] or [[0, 0]], np.int64),
        np.array(hashed({name: row for row, name in enumerate(names)}), np.int64),
        np.zeros(32 + 8, np.uint8),
        *(writing, bare, said),
        np.tile(FIRST, (4, 1)),
        np.zeros(16, np.int64),
    )
    run.state[tables.SIGNERS] = len(names)
    return run
