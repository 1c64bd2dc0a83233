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
from consumers.bulk.tables import PIECE, PendingRows, RowTexts, Run, Streams
from domain.facts.catalogue import TYPES
from domain.facts.codec import encode, name_of
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.facts.wagers import BetsClosed
from domain.ledger.chain import digest

_WINDOW: Final = 32_768
_NAME: Final = 64  # letters kept for a stream's name; it has 51 at most
_MOST_OWNERS: Final = 30_000
_ALL: Final = 2**63 - 1
_HEX: Final = 64
_LINES: Final = (1, 2, 1)  # of a row, in each of its texts


class StoredRows(NamedTuple):
    """Some rows with consecutive positions, as texts of lines."""

    rows: int
    facts: bytes
    places: bytes  # the stream and the type of each
    numbers: bytes

    def behind(self, fact: int, place: int, number: int) -> tuple[int, int, int]:
        """The beginning of the next row in each text."""
        kind = _behind(self.places, place)
        return _behind(self.facts, fact), _behind(self.places, kind), _behind(self.numbers, number)


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
        self._window = PendingRows(np.zeros(_WINDOW * PIECE, np.uint8), np.zeros(_WINDOW, np.int16))
        self._streams = _streams(16)
        self._run = _run(len(self._kinds), self.salts, list(signers))
        state = self._run.state
        state[tables.SINCE], state[tables.HELD], state[tables.INPUTS] = since, held, int(inputs)

    def take(self, texts: StoredRows, position: int) -> Iterator[tuple[int, int]]:
        """Take these rows from this position on, and yield the number and position of each refused one."""
        letters = RowTexts(*(np.frombuffer(text, np.uint8) for text in texts[1:]))
        state = self._run.state
        state[: tables.ROWS], state[tables.ROWS], state[tables.POSITION] = 0, texts.rows, position
        while True:
            self._compiled.take(letters, self._forms, self._streams, self._window, self._run)
            row = int(state[tables.ROW])
            if row >= texts.rows:
                return
            yield row, position + row
            state[: tables.ROWS] = *texts.behind(*state[: tables.ROW].tolist()), row + 1

    def fits(self, texts: StoredRows) -> bool:
        """Whether the texts have as many lines as there are rows, and there is room for them."""
        return texts.rows <= _WINDOW and all(
            self._compiled.lines(np.frombuffer(text, np.uint8)) == lines * texts.rows - 1
            for text, lines in zip(texts[1:], _LINES, strict=True)
        )

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
            self._streams.heads[_HEX * row : _HEX * (row + 1)].tobytes().decode(),
            int(kept[tables.LAST_AT]),
            int(kept[tables.WAITING]),
            int(kept[tables.WAITING_SINCE]),
            int(kept[tables.LAST_POSITION]),
            self._window.hashes.reshape(-1, PIECE)[found].tobytes(),
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
        self._streams.heads[_HEX * row : _HEX * (row + 1)] = np.frombuffer(known.head.encode(), np.uint8)

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


def _behind(text: bytes, at: int) -> int:
    """The beginning of the next line."""
    return (text.find(b"\n", at) + 1) or len(text)


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
    place = f"{stream}\n{name_of(example)}".encode()
    texts = StoredRows(2, b"\n".join(facts[1:]), b"\n".join([place] * 2), b"2\n3")
    refused = list(tried.take(texts, 2)) if tried.fits(texts) else [(0, 0)]
    gained = tried.gained(stream)
    return not refused and gained is not None and gained.head == digest(facts[2]) and tried.marks(b"1", b"1")[0] == 1


def _streams(rows: int) -> Streams:
    return Streams(
        np.zeros(rows * _NAME, np.uint8),
        np.zeros((rows, 2), np.int64),
        np.array(hashed({}), np.int64),
        np.zeros((rows, 9), np.int64),
        np.zeros(rows * _HEX, np.uint8),
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
        np.zeros(14, np.int64),
        np.zeros(32, np.uint8),
        np.zeros(1, np.uint64),
        salts,
        np.zeros(max(1, kinds), np.uint8),
        np.frombuffer(b"".join(names) or b" ", np.uint8).copy(),
        np.array([[begin, len(name)] for begin, name in zip(ends, names, strict=False)] or [[0, 0]], np.int64),
        np.array(hashed({name: row for row, name in enumerate(names)}), np.int64),
        np.zeros(32, np.uint8),
        np.zeros(1024, np.uint8),
        np.zeros(32, np.uint64),
        np.zeros(16, np.int64),
    )
    run.state[tables.SIGNERS] = len(names)
    return run
