"""What a batch of facts and findings changes in the read models; the store takes it whole or not at all.

A row is a tuple of values in the order of the table's columns in `schema.py`. A TIMESTAMP is an int, microseconds since
1970 in UTC; a DATE is a `datetime.date`; a list column takes a list or tuple; None is null. Positions are the last
place of each partition that this batch has taken, under the names the event-sourcing library tracks them by: `facts/0`.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, Self

import msgspec

Row = tuple[Any, ...]
Key = tuple[Any, ...]
_MARKED: Final = "tables"  # the table that says from where a stream cannot be read


class Dead(msgspec.Struct, frozen=True):
    """Rows of a stream with a lower edition than this are superseded.

    With a round it means that round's rows in the tables of rounds, hands, wagers and cards; without one every row of
    the stream in every round table. The rows that take their place have this edition, or a higher one.
    """

    stream: str
    round: int | None
    edition: int


class Unread(msgspec.Struct, frozen=True):
    """Behind which sequence a stream cannot be read, and why."""

    sequence: int
    says: str


class Changes(msgspec.Struct):
    """One batch. What is said of one stream is said in order: the later takes the place of the earlier."""

    rows: dict[str, list[Row]] = {}  # round tables: rows that come
    dead: list[Dead] = []  # which rows of them, here or earlier, are superseded
    day: dict[str, dict[str, list[Row]]] = {}  # stream, then day table: these rows replace all the stream has there
    own: dict[str, dict[Key, Row]] = {}  # own tables: each row replaces the one with its key
    unread: dict[str, Unread] = {}  # streams whose rows stay as they stand, but from there cannot be read any more
    positions: dict[str, int] = {}

    def append(self, table: str, row: Row) -> None:
        """One more row of a round table."""
        self.rows.setdefault(table, []).append(row)

    def replace(self, stream: str, table: str, rows: list[Row]) -> None:
        """All that a stream now has in a day table."""
        self.day.setdefault(stream, {})[table] = rows
        if table == _MARKED:
            self.unread.pop(stream, None)

    def mark(self, stream: str, unread: Unread) -> None:
        """What stands of a stream stays, but is told to be unread from there, until its day is written anew."""
        self.unread[stream] = unread

    def put(self, table: str, key: Key, row: Row) -> None:
        """A row of an own table, under the values of its key columns; a key stays with the stream it came with."""
        self.own.setdefault(table, {})[key] = row

    def take(self, later: Self) -> None:
        """Makes one batch of this and the next one."""
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
        """Whether it says nothing but how far the logs were read."""
        return not (self.rows or self.dead or self.day or self.own or self.unread)

    @property
    def size(self) -> int:
        """How many rows come with it."""
        counts = [len(rows) for rows in self.rows.values()]
        counts += [len(rows) for tables in self.day.values() for rows in tables.values()]
        return sum(counts) + sum(map(len, self.own.values()))


def streams(changes: Changes) -> set[str]:
    """The streams whose round tables a batch touches."""
    return {row[0] for rows in changes.rows.values() for row in rows} | {dead.stream for dead in changes.dead}


def editions(dead: Iterable[Dead]) -> dict[tuple[str, int | None], int]:
    """The highest edition below which each stream's, or round's, rows are superseded."""
    highest: dict[tuple[str, int | None], int] = defaultdict(int)
    for each in dead:
        place = each.stream, each.round
        highest[place] = max(highest[place], each.edition)
    return dict(highest)
