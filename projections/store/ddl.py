"""The schema in the forms of DuckDB and Arrow."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Final

import pyarrow as pa

from projections.rollups import SUMMED, summed
from projections.schema import SCHEMA, TABLES_OF_MODELS, ModelTable

_ARROW: Final[dict[str, pa.DataType]] = {
    "VARCHAR": pa.string(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us"),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "BLOB": pa.binary(),
    "VARCHAR[]": pa.list_(pa.string()),
    "INTEGER[]": pa.list_(pa.int32()),
}
# In Parquet each row carries the life of its stream in which it was written; see `masks` in `bookkeeping.py`.
LIFE: Final = "life"
# The tables of a working file and a snapshot; the others are only in Parquet, or follow from these.
WORKING: Final = tuple(table for table in TABLES_OF_MODELS if table.kind in ("round", "day", "own"))


def created(table: ModelTable) -> str:
    """Return the statement that creates a table of the working file."""
    columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
    return f'CREATE TABLE "{table.name}" ({columns})'


def closed_sums(rollup: ModelTable) -> str:
    """Return the name of the table that holds the sums of closed stretches of open days, as whole numbers."""
    return f"catwalk.closed_{rollup.name}"


def created_sums(rollup: ModelTable) -> str:
    """Return the statement that creates this table."""
    columns = ", ".join(f'"{column.name}" {summed(column)}' for column in rollup.columns)
    return f"CREATE TABLE {closed_sums(rollup)} ({columns})"


def listed(table: ModelTable, alias: str = "") -> str:
    """Return the columns of a table for a SELECT."""
    before = f"{alias}." if alias else ""
    return ", ".join(f'{before}"{name}"' for name in table.names)


def fields(table: ModelTable) -> pa.Schema:
    """Return the columns as an Arrow schema."""
    return pa.schema([pa.field(column.name, _ARROW[column.type]) for column in table.columns])


def arrow(schema: pa.Schema, rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Return rows as an Arrow table, built column by column."""
    columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * len(schema)
    return pa.Table.from_arrays(
        [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema=schema
    )


ARROW: Final = {name: fields(table) for name, table in SCHEMA.items()}


_MEANT: Final = 2  # raised if a column changes its meaning but keeps its name


def _version() -> str:
    told = [f"{table.name} {table.key} {created(table)}" for table in TABLES_OF_MODELS]
    told += [*map(created_sums, SUMMED), str(_MEANT)]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


VERSION: Final = _version()  # a folder with another schema is rebuilt, not read
