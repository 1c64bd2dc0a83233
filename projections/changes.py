"""The changes of a batch of facts and findings to the read models; the store applies all of them or none.

A row is a tuple of values in the order of the table's columns in `schema.py`. A TIMESTAMP is an int, microseconds since
1970 in UTC; a DATE is a `datetime.date`; a list column takes a list or tuple; None is null. Positions are the last
place of each partition in this batch, under the tracking names of the event-sourcing library: `facts/0`.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, Self

import msgspec

Row = tuple[Any, ...]
Key = tuple[Any, ...]
_MARKED: Final = "tables"  # the table that says after which fact a stream is unreadable


class Dead(msgspec.Struct, frozen=True):
    """Rows of a stream with a lower edition than this are superseded.

    With a round, these are that round's rows in the tables of rounds, hands, wagers and cards; without one, every row
    of the stream in every round table. The rows that replace them have this edition or a higher one.
    """

    stream: str
    round: int | None
    edition: int


class UnreadFrom(msgspec.Struct, frozen=True):
    """The sequence after which a stream cannot be read, and the reason."""

    sequence: int
    says: str


class Changes(msgspec.Struct):
    """One batch. Changes to one stream are in order: a later one replaces an earlier one."""

    rows: dict[str, list[Row]] = {}  # round tables: new rows
    dead: list[Dead] = []  # superseded rows of them, here or earlier
    day: dict[str, dict[str, list[Row]]] = {}  # by stream and day table: these rows replace all rows of the stream
    own: dict[str, dict[Key, Row]] = {}  # own tables: each row replaces the one with its key
    unread: dict[str, UnreadFrom] = {}  # streams whose rows stay, but that are unreadable from there on
    positions: dict[str, int] = {}

    def append(self, table: str, row: Row) -> None:
        """Add a row to a round table."""
        self.rows.setdefault(table, []).append(row)

    def replace(self, stream: str, table: str, rows: list[Row]) -> None:
        """Replace all rows of a stream in a day table."""
        self.day.setdefault(stream, {})[table] = rows
        if table == _MARKED:
            self.unread.pop(stream, None)

    def mark(self, stream: str, unread: UnreadFrom) -> None:
        """Keep a stream's rows, but mark it unreadable from there on, until its day is written again."""
        self.unread[stream] = unread

    def put(self, table: str, key: Key, row: Row) -> None:
        """Put a row into an own table, under the values of its key columns; a key always belongs to one stream."""
        self.own.setdefault(table, {})[key] = row

    def take(self, later: Self) -> None:
        """Merge the next batch into this one."""
        for table, rows in later.rows.items():
            self.rows.setdefault(table, []).extend(rows)
        self.dead.extend(later.dead)
        for stream, tables in later.day.items():
            for table, rows in tables.items():
                self.replace(stream, table, rows)
        self.unread.update(later.unread)
        for table, keyed in later.own.items():
            self.own.setdefault(table, {}).update(keyed)
        self.positions.update(later.positions)

    @property
    def empty(self) -> bool:
        """True if it changes nothing but log positions."""
        return not (self.rows or self.dead or self.day or self.own or self.unread)

    @property
    def size(self) -> int:
        """The number of rows in it."""
        counts = [len(rows) for rows in self.rows.values()]
        counts += [len(rows) for tables in self.day.values() for rows in tables.values()]
        return sum(counts) + sum(map(len, self.own.values()))


def streams(changes: Changes) -> set[str]:
    """Return the streams whose round tables a batch changes."""
    return {row[0] for rows in changes.rows.values() for row in rows} | {dead.stream for dead in changes.dead}


def editions(dead: Iterable[Dead]) -> dict[tuple[str, int | None], int]:
    """Return the highest edition below which each stream's, or round's, rows are superseded."""
    highest: dict[tuple[str, int | None], int] = defaultdict(int)
    for each in dead:
        place = each.stream, each.round
        highest[place] = max(highest[place], each.edition)
    return dict(highest)
