"""The read models, column by column: the one place that says which tables there are and what stands in them.

*Round* tables get rows when a round is over and again when a later fact changes it; those are many and move into
Parquet. *Day* tables hold what a table's day has come to; the rows of a stream are replaced whole. *Own* tables are
keyed by something else. *Rollups* say in one row a day what many rounds came to, or say it again in another order, so
that a look-up over years reads few rows; they follow from the others (`rollups.py`). *Sealed* is what only a verified,
closed day has. Amounts are whole cents, times UTC.
"""

import tomllib
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec

Kind = Literal["round", "day", "own", "rollup", "sealed"]
EDITION: Final = "edition"


class Column(msgspec.Struct, frozen=True):
    """One column: its DuckDB type, and what it says."""

    name: str
    type: str
    about: str


class Table(msgspec.Struct, frozen=True):
    """One table of the read models; `key` tells its rows apart."""

    name: str
    kind: Kind
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    lies_by: str = ""  # the column in whose order a compacted file holds its rows; else days and tables

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def of_streams(self) -> bool:
        """Whether each row belongs to a stream, with which it is sealed."""
        return self.columns[0].name == "stream"


def _columns(text: str) -> tuple[Column, ...]:
    """Columns as they are written down below: name, type, what it says."""
    rows = (line.split(None, 2) for line in text.splitlines() if line.strip())
    return tuple(Column(name, kind, about.strip()) for name, kind, about in rows)


_IN_A_STREAM: Final = _columns(
    """
stream      VARCHAR    the stream of its facts
table       VARCHAR    the table
gaming_day  DATE       the gaming day
"""
)


def _table(name: str, row: dict[str, Any]) -> Table:
    before = _IN_A_STREAM if row.get("in_a_stream") else ()
    columns = before + _columns(row["columns"])
    return Table(name, row["kind"], row["about"], tuple(row["key"]), columns, row.get("lies_by", ""))


def _read() -> dict[str, Table]:
    text = files("projections").joinpath("schema.toml").read_text("utf-8")
    return {name: _table(name, row) for name, row in tomllib.loads(text).items()}


SCHEMA: Final = _read()
TABLES_OF_MODELS: Final = tuple(SCHEMA.values())
# By which fact a row was made anew, and where a log holds something, says nothing about what happened.
NOT_IN_DIGESTS: Final = frozenset({EDITION, "position", "partition"})
