"""One digest for the contents of a table: equal for the same rows, whatever their order, place and files."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Protocol

from projections.schema import NOT_IN_DIGESTS, SCHEMA, TABLES_OF_MODELS


class TableSource(Protocol):
    """A source of tables: a store or a reading."""

    def source(self, table: str, days: tuple[date, date] | None = None, tables: Sequence[str] | None = None) -> str:
        """Return the rows of a table as a relation for `query`."""

    def query(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""


def digest(source: TableSource, table: str) -> str:
    """Return the digest of a table's rows, without the columns that depend on storage.

    Each row's text is hashed and the hashes are added: the order makes no difference, a duplicate row does.
    """
    columns = ", ".join(f'"{name}"' for name in SCHEMA[table].names if name not in NOT_IN_DIGESTS)
    rows = source.query(
        "SELECT count(*), sum(md5_number_lower(text)::HUGEINT), sum(md5_number_upper(text)::HUGEINT)"
        f" FROM (SELECT row({columns})::VARCHAR AS text FROM {source.source(table)})"
    )
    return sha256(repr(rows).encode()).hexdigest()


def digests(source: TableSource) -> dict[str, str]:
    """Return the digest of every table."""
    return {table.name: digest(source, table.name) for table in TABLES_OF_MODELS}
