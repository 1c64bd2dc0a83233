"""One run of the compiled pass over a log: its state for each table's newest day, and the rows it took.

The caller reads rows in bulk, passes them as text, and takes a refused row the strict way. Before that, the caller asks
what the pass took of the row's table; afterward, the caller sets the state of that table again.
"""

import secrets
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from consumers.bulk import tables
from consumers.bulk.forms import Forms, Ints, forms, hashed
from consumers.bulk.loading import Compiled
from consumers.bulk.tables import PendingRows, Run, Streams
from domain.facts.catalogue import TYPES
from domain.facts.codec import encode, name_of
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.facts.wagers import BetsClosed
from domain.ledger.chain import digest

_WINDOW: Final = 32_768
_NAME: Final = 64  # letters kept for a stream's name; it has 51 at most
_MOST_OWNERS: Final = 30_000
_PIECE: Final = 16
_ALL: Final = 2**63 - 1


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
    sum: int  # of the marks of its rows


class Told(msgspec.Struct):
    """The rows of all streams that were taken since the last report."""

    taken: int
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
        self.salts = np.array([secrets.randbits(64), secrets.randbits(64)], np.uint64)
        self._window = PendingRows(np.zeros((_WINDOW, 32), np.uint8), np.zeros(_WINDOW, np.int16))
        self._streams = _streams(16)
        self._run = _run(len(self._kinds), self.salts, list(signers))
        state = self._run.state
        state[tables.SINCE], state[tables.HELD], state[tables.INPUTS] = since, held, int(inputs)

    def take(self, text: bytes, rows: int, position: int) -> Iterator[tuple[int, int]]:
        """Take these rows, the first at this position; yield the number and position of each refused one."""
        letters = np.frombuffer(text, np.uint8)
        state = self._run.state
        state[tables.TEXT_AT], state[tables.ROW], state[tables.ROWS] = 0, 0, rows
        state[tables.POSITION] = position
        while True:
            self._compiled.take(letters, self._forms, self._streams, self._window, self._run)
            row = int(state[tables.ROW])
            if row >= rows:
                return
            yield row, position + row
            state[tables.TEXT_AT] = _behind(text, int(state[tables.TEXT_AT]))
            state[tables.ROW] = row + 1

    def fits(self, text: bytes, rows: int) -> bool:
        """Whether a text has exactly four lines for each row, and its rows fit into the window."""
        return rows <= _WINDOW and self._compiled.lines(np.frombuffer(text, np.uint8)) == 4 * rows

    def room(self, rows: int) -> bool:
        """Whether the window has room for this many rows."""
        return int(self._run.state[tables.FILLED]) + rows <= _WINDOW

    def told(self) -> Told:
        """Report the rows taken of all streams, and restart the counts."""
        state = self._run.state
        written = self._run.digest.tobytes() if state[tables.DIGESTED] else b""
        told = Told(int(state[tables.TAKEN]), int(state[tables.LATEST_AT]), written, int(self._run.input_sum[0]))
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
        return self._gained(row, found)

    def all_gained(self) -> Iterator[Gained]:
        """Report the rows taken of each stream, and empty the window."""
        filled = int(self._run.state[tables.FILLED])
        order = np.argsort(self._window.streams[:filled], kind="stable")
        rows = self._window.streams[:filled][order]
        for row in np.flatnonzero(self._streams.kept[:, tables.NEW]):
            begin, end = np.searchsorted(rows, [row, row + 1])
            found = order[begin:end]
            yield self._gained(int(row), found[found >= self._streams.kept[row, tables.UNTOLD]])
        self._run.state[tables.FILLED] = 0

    def _gained(self, row: int, found: Ints) -> Gained:
        kept = self._streams.kept[row]
        gained = Gained(
            self._names[row],
            int(kept[tables.NEXT]) - 1,
            self._streams.heads[row].tobytes().hex(),
            int(kept[tables.LAST_AT]),
            int(kept[tables.WAITING]),
            int(kept[tables.WAITING_SINCE]),
            int(kept[tables.LAST_POSITION]),
            self._window.hashes[found, :_PIECE].tobytes(),
            int(self._streams.sums[row]),
        )
        kept[tables.NEW], self._streams.sums[row] = 0, 0
        return gained

    def stream_of(self, name: str) -> str:
        """The known stream of a stream's owner, or an empty text."""
        row = self._rows.get(owner(name))
        return "" if row is None else self._names[row]

    def streams(self) -> list[str]:
        """The known streams."""
        return [name for name in self._names if name]

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
        self._streams.heads[row] = np.frombuffer(bytes.fromhex(known.head), np.uint8)

    def _rename(self, row: int, name: str) -> None:
        self._names[row] = name
        stored = name.encode()
        self._streams.letters[_NAME * row : _NAME * row + len(stored)] = np.frombuffer(stored, np.uint8)
        self._streams.spans[row] = _NAME * row, len(stored)
        table = hashed({each.encode(): number for number, each in enumerate(self._names) if each})
        self._streams = self._streams._replace(table=np.array(table, np.int64))

    def marks(self, sequences: bytes, positions: bytes) -> tuple[int, int]:
        """The count of sequences and positions in two texts, one number a line, and the sum of their marks.

        The count is -1 if a line is not a whole number.
        """
        count, total = self._compiled.marks(
            np.frombuffer(sequences, np.uint8), self.salts, np.frombuffer(positions, np.uint8)
        )
        return int(count), int(total)


@cache
def _forms_of(kinds: frozenset[type[Fact]], strict: frozenset[type[Fact]]) -> tuple[Forms, list[str]]:
    return forms({name: kind for name, kind in TYPES.items() if kind in kinds}, strict)


def works(compiled: Compiled) -> bool:
    """Whether the compiled pass chains two facts of an example as the strict way does."""
    stream, example = "T1/2026-11-18", BetsClosed(at=1, source="s", source_key="k", stream="T1/2026-11-18", sequence=1)
    facts = [encode(example)]
    for sequence in (2, 3):
        following = {"source_key": f"k{sequence}", "sequence": sequence, "previous": digest(facts[-1])}
        facts.append(encode(msgspec.structs.replace(example, **following)))
    tried = FactPass(compiled, (), kinds={name_of(example): BetsClosed}, inputs=True)
    tried.can_cut_out([name_of(example)])
    tried.know(stream, StreamState(1, digest(facts[0]), False, 1, 1, 1))
    rows = [f"{stream}\n{row}\n{name_of(example)}\n".encode() + facts[row - 1] + b"\n" for row in (2, 3)]
    text = b"".join(rows)
    refused = list(tried.take(text, 2, 2)) if tried.fits(text, 2) else [(0, 0)]
    gained = tried.gained(stream)
    return (
        not refused and gained is not None and gained.head == digest(facts[2]) and tried.marks(b"1\n", b"1\n")[0] == 1
    )


def _behind(text: bytes, at: int) -> int:
    """The place at which the row after this one begins."""
    for _ in range(4):
        at = text.index(b"\n", at) + 1
    return at


def _streams(rows: int) -> Streams:
    return Streams(
        np.zeros(rows * _NAME, np.uint8),
        np.zeros((rows, 2), np.int64),
        np.array(hashed({}), np.int64),
        np.zeros((rows, 9), np.int64),
        np.zeros((rows, 32), np.uint8),
        np.zeros(rows, np.uint64),
    )


def _grown(streams: Streams) -> Streams:
    """The same streams with twice the room."""
    more = _streams(2 * len(streams.kept))
    pairs: Any = zip(streams, more, strict=True)
    for old, new in pairs:
        if old is not streams.table:
            new[: len(old)] = old
    return more._replace(table=streams.table)


def _run(kinds: int, salts: "np.ndarray[tuple[int, ...], np.dtype[np.uint64]]", signers: list[str]) -> Run:
    names = [name.encode() for name in signers]
    ends = np.cumsum([0, *map(len, names)])
    run = Run(
        np.zeros(12, np.int64),
        np.zeros(32, np.uint8),
        np.zeros(1, np.uint64),
        salts,
        np.zeros(max(1, kinds), np.uint8),
        np.frombuffer(b"".join(names) or b" ", np.uint8).copy(),
        np.array([[begin, len(name)] for begin, name in zip(ends, names, strict=False)] or [[0, 0]], np.int64),
        np.array(hashed({name: row for row, name in enumerate(names)}), np.int64),
        np.zeros(1024, np.uint8),
        np.zeros(32, np.uint64),
        np.zeros(16, np.int64),
    )
    run.state[tables.SIGNERS] = len(names)
    return run
