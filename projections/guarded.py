"""A reading for user-written SQL: any query is allowed, no change is.

Only the Parquet files of this generation can be opened. Settings cannot be changed, and nothing can be attached or
installed. Only queries run, because other statements could overwrite a readable file. Some functions have side effects
inside a query: a statement that calls one of them is refused too.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import duckdb
import msgspec

from projections.questions.asking import AskedWronglyError
from projections.reading import GenerationReader
from projections.schema import SCHEMA

_EXPLAIN = re.compile(r"\s*explain(\s+analyze)?\b", re.IGNORECASE)
_ALONE = "this shell runs queries only: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW, and EXPLAIN of these"
_PIVOT = "PIVOT needs its columns, as ON book IN ('PIK', 'FAH')"  # else DuckDB makes two statements without text
# Called in a SELECT, these change how DuckDB works, run text that was not checked, or take an address in memory.
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


def guard(reading: GenerationReader) -> None:
    """Block access to everything but the published data, for good."""
    files = sorted({str(path) for name in SCHEMA for path in reading.files(name)})
    connection = reading.connection
    connection.execute("SET allowed_paths = ?", [files])
    connection.execute("RESET threads")  # a query may need all data
    connection.execute("SET TimeZone = 'UTC'")  # tables hold UTC, whatever the machine's zone
    connection.execute("SET autoinstall_known_extensions = false")
    connection.execute("SET autoload_known_extensions = false")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def statements(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[str]:
    """The statements of a text, each a query; any other is refused before the first one runs."""
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
    if any(name.startswith("pragma_") for name in called):  # DuckDB's own form of a PRAGMA
        return False
    doing = sorted(_DOING.intersection(called))
    if doing:
        raise AskedWronglyError(f"{_short(query)}: {doing[0]} has side effects, but {_ALONE}")
    return True


def _called(tree: Any) -> Iterator[str]:
    """The functions a statement calls, at any depth and in any spelling."""
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
