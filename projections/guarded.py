"""A reading in the hands of whoever writes SQL: it can be asked anything, and touched by nothing.

No file can be opened but the Parquet files of this generation, no setting changed, nothing attached or installed; and
only statements that ask are run at all, for a file that may be read could otherwise be written over.
"""

import re
from collections.abc import Iterator

import duckdb

from projections.questions.asking import AskedWronglyError
from projections.reading import Reading
from projections.schema import SCHEMA

_EXPLAIN = re.compile(r"\s*explain(\s+analyze)?\b", re.IGNORECASE)
_ALONE = "this shell only asks: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW and EXPLAIN of these"


def guard(reading: Reading) -> None:
    """Shuts everything but what is published; it cannot be opened again."""
    files = sorted({str(path) for name in SCHEMA for path in reading.files(name)})
    connection = reading.connection
    connection.execute("SET allowed_paths = ?", [files])
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def statements(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[str]:
    """The statements of a text, each of which asks; any other is refused before the first is run."""
    found = connection.extract_statements(text)
    for statement in found:
        if not _asks(connection, statement):
            raise AskedWronglyError(f"{_short(statement.query)}: {_ALONE}")
    return (statement.query.strip() for statement in found)


def _asks(connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement) -> bool:
    if statement.type == duckdb.StatementType.SELECT:
        return True
    if statement.type != duckdb.StatementType.EXPLAIN:
        return False
    explained = connection.extract_statements(_EXPLAIN.sub("", statement.query, count=1))
    return len(explained) == 1 and explained[0].type == duckdb.StatementType.SELECT


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 60 else plain[:57] + "..."
