"""Published data written by hand: a table of rows, a plain DuckDB connection, the views a reading has."""

from datetime import UTC, date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb

from projections.changes import Changes
from projections.rollups import ROLLUPS, query
from projections.schema import SCHEMA
from projections.store.ddl import WORKING, created
from projections.store.store import Store

DAY = date(2026, 11, 18)
# What a column holds where a row says nothing of it; everything else is null.
USUAL: dict[str, Any] = {"table": "T7", "gaming_day": DAY, "edition": 1, "state": "standing", "severity": "money"}


def at(clock: str, day: date = DAY) -> datetime:
    """A time of the day in UTC, as the tables hold it."""
    hour, minute, *second = map(int, clock.split(":"))
    return datetime(day.year, day.month, day.day, hour, minute, *second)  # noqa: DTZ001 - UTC, as a TIMESTAMP is


class HandMade:
    """A reading of rows that a test wrote down."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.made_at = datetime(2026, 11, 18, 22, tzinfo=UTC)
        self.generation = 1
        self.positions: dict[str, int] = {}
        for table in WORKING:
            self.connection.execute(created(table))
        for rollup in ROLLUPS:
            self.connection.execute(f'CREATE VIEW "{rollup.name}" AS {query(rollup)}')

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def source(self, table: str, *_: object) -> str:
        """All its rows, for they lie in no files."""
        return f'"{table}"'

    source_of = source

    def put(self, name: str, /, **columns: Any) -> Self:
        """One row; its stream is that of its table and day."""
        held = SCHEMA[name]
        told = {column: value for column, value in USUAL.items() if column in held.names} | columns
        if held.of_streams and "stream" not in told:
            told["stream"] = f"{told['table']}/{told['gaming_day']}"
        unknown = told.keys() - set(held.names)
        if unknown:
            raise AssertionError(f"{name} has no {unknown}")
        row = [told.get(column) for column in held.names]
        places = ", ".join("?" * len(row))
        self.connection.execute(f'INSERT INTO "{name}" VALUES ({places})', row)
        return self

    def rows(self, name: str, text: str, /, **more: Any) -> Self:
        """Rows of a text table: the first line names the columns; a dash is null."""
        head, *lines = [line for line in text.splitlines() if line.strip()]
        columns = head.split()
        for line in lines:
            values = [None if value == "-" else value for value in line.split()]
            self.put(name, **dict(zip(columns, values, strict=True)) | more)
        return self

    def publish(self, folder: Path) -> None:
        """The same rows through the store, into a folder that commands read."""
        changes = Changes(positions={"facts/0": 1})
        for table in WORKING:
            names = ", ".join(
                f'epoch_us("{column.name}")' if column.type == "TIMESTAMP" else f'"{column.name}"'
                for column in table.columns
            )
            held = self.connection.execute(f'SELECT {names} FROM "{table.name}"').fetchall()
            places = [table.names.index(name) for name in table.key]
            for row in held:
                if table.kind == "round":
                    changes.append(table.name, row)
                elif table.kind == "own":
                    changes.put(table.name, tuple(row[place] for place in places), row)
                else:
                    changes.day.setdefault(row[0], {}).setdefault(table.name, []).append(row)
        with Store.open(folder) as store:
            store.commit(changes)
            store.publish(self.made_at)
