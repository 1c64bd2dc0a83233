"""A reading in the hands of whoever writes SQL: it can be asked anything, and touched by nothing.

No file can be opened but the Parquet files of this generation, no setting changed, nothing attached or installed; and
only statements that ask are run at all, for a file that may be read could otherwise be written over. Some functions do
something where they seem to ask: no statement that calls one of them is run either.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import duckdb
import msgspec

from projections.questions.asking import AskedWronglyError
from projections.reading import Reading
from projections.schema import SCHEMA

_EXPLAIN = re.compile(r"\s*explain(\s+analyze)?\b", re.IGNORECASE)
_ALONE = "this shell only asks: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW and EXPLAIN of these"
_PIVOT = "PIVOT must be told its columns, as ON book IN ('PIK', 'FAH')"  # else it comes as two statements without text
# Called in a SELECT these change how DuckDB works, run text nobody has looked at, or take an address in memory.
_DOING: Final = frozenset(
    {
        "enable_logging",
        "disable_logging",
        "enable_profiling",
        "disable_profiling",
        "truncate_duckdb_logs",
        "write_log",
        "checkpoint",
        "force_checkpoint",
        "query",
        "json_execute_serialized_sql",
        "python_map_function",
        "arrow_scan",
        "arrow_scan_dumb",
        "pandas_scan",
        "seq_scan",
    }
)


def guard(reading: Reading) -> None:
    """Shuts everything but what is published; it cannot be opened again."""
    files = sorted({str(path) for name in SCHEMA for path in reading.files(name)})
    connection = reading.connection
    connection.execute("SET allowed_paths = ?", [files])
    connection.execute("RESET threads")  # it may be about anything
    connection.execute("SET TimeZone = 'UTC'")  # whatever the machine's: tables hold UTC
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
    query = statement.query
    if statement.type == duckdb.StatementType.EXPLAIN:
        explained = connection.extract_statements(_EXPLAIN.sub("", query, count=1))
        if len(explained) != 1:
            return False
        query, kind = explained[0].query, explained[0].type
    else:
        kind = statement.type
    if kind != duckdb.StatementType.SELECT:
        return False
    (told,) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchone() or ("{}",)
    called = set(_called(msgspec.json.decode(told)))
    if any(name.startswith("pragma_") for name in called):  # what DuckDB makes of PRAGMA, and asks of itself
        return False
    doing = sorted(_DOING.intersection(called))
    if doing:
        raise AskedWronglyError(f"{_short(query)}: {doing[0]} does something, and {_ALONE}")
    return True


def _called(tree: Any) -> Iterator[str]:
    """The functions a statement calls, wherever in it, however they are written."""
    if isinstance(tree, dict):
        yield str(tree.get("function_name", "")).lower()
        if (name := str(tree.get("table_name", "")).lower()).startswith("pragma_"):
            yield name
        tree = list(tree.values())
    if isinstance(tree, list):
        for each in tree:
            yield from _called(each)


def _short(text: str) -> str:
    plain = " ".join(text.split()) or _PIVOT
    return plain if len(plain) <= 60 else plain[:57] + "..."
