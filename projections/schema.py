"""The read models, column by column: the only definition of their tables and columns.

*Round* tables get rows when a round is finished and again when a later fact changes it; they are large and move into
Parquet. *Day* tables hold the totals of a table's day; the rows of a stream are replaced as a whole. *Own* tables have
another key. *Rollups* have one row a day for many rounds, or the same rows in another order, so that a look-up over
years reads few rows; they follow from the others (`rollups.py`). *Sealed* tables exist only for verified, closed days.
Amounts are in whole cents, times in UTC.
"""

import tomllib
from importlib.resources import files
from typing import Any, Final, Literal

import msgspec

Kind = Literal["round", "day", "own", "rollup", "sealed"]
EDITION: Final = "edition"


class Column(msgspec.Struct, frozen=True):
    """One column: its DuckDB type and its meaning."""

    name: str
    type: str
    about: str


class ModelTable(msgspec.Struct, frozen=True):
    """One table of the read models; `key` identifies its rows."""

    name: str
    kind: Kind
    about: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    lies_by: str = ""  # the column that orders the rows of a compacted file; else days and tables

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def of_streams(self) -> bool:
        """True if each row belongs to a stream and is sealed with it."""
        return self.columns[0].name == "stream"


def _columns(text: str) -> tuple[Column, ...]:
    """Return columns from lines of name, type and meaning."""
    rows = (line.split(None, 2) for line in text.splitlines() if line.strip())
    return tuple(Column(name, kind, about.strip()) for name, kind, about in rows)


_IN_A_STREAM: Final = _columns(
    """
stream      VARCHAR    the stream of its facts
table       VARCHAR    the table
gaming_day  DATE       the gaming day
"""
)


def _table(name: str, row: dict[str, Any]) -> ModelTable:
    before = _IN_A_STREAM if row.get("in_a_stream") else ()
    columns = before + _columns(row["columns"])
    return ModelTable(name, row["kind"], row["about"], tuple(row["key"]), columns, row.get("lies_by", ""))


def _read() -> dict[str, ModelTable]:
    text = files("projections").joinpath("schema.toml").read_text("utf-8")
    return {name: _table(name, row) for name, row in tomllib.loads(text).items()}


SCHEMA: Final = _read()
TABLES_OF_MODELS: Final = tuple(SCHEMA.values())
# These columns depend on storage, not on what happened.
NOT_IN_DIGESTS: Final = frozenset({EDITION, "position", "partition"})
