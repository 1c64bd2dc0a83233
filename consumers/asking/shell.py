"""The read-only SQL shell: it reads lines, splits them into statements, and records each before running it."""

import csv
import io
from collections.abc import Callable, Iterable
from datetime import date, datetime
from typing import Any, Protocol

import click
import duckdb
import msgspec

from consumers.asking.forms import Form
from projections.guarded import statements
from projections.questions.asking import AskedWronglyError
from projections.reading import GenerationReader
from projections.schema import SCHEMA

PROMPT, MORE = "catwalk> ", "    ...> "
HELP = """\
Statements end with a semicolon. They see the data as published when the shell opened.
.tables         the tables
.schema TABLE   the columns of a table, and their meaning
.quit           or Ctrl-D
"""
_ZONED = "TIMESTAMP WITH TIME ZONE"
_SHOWN = 500  # rows shown in a table


class StatementLog(Protocol):
    """The place where each statement is recorded."""

    def asked(self, statement: str) -> None:
        """Record a statement that is about to run."""

    def refused(self, text: str, why: str) -> None:
        """Record a text that contained no allowed statement."""

    def failed(self, statement: str, why: str) -> None:
        """Record a statement that could not be answered."""


class Shell:
    """One session of the shell."""

    def __init__(self, reading: GenerationReader, told: StatementLog, form: Form) -> None:
        self._reading = reading
        self._record = told
        self._form = form

    def run(self, text: str) -> None:
        """Run statements; raise `AskedWronglyError` if one is not a query or cannot be answered."""
        connection = self._reading.connection
        try:
            asked = list(statements(connection, text))
        except (AskedWronglyError, duckdb.Error) as error:
            self._record.refused(text, str(error).strip())
            raise AskedWronglyError(str(error).strip()) from error
        for statement in asked:
            self._record.asked(statement)
            try:
                self._show(_in_words(connection, statement))
            except duckdb.Error as error:
                self._record.failed(statement, str(error).strip())
                raise AskedWronglyError(str(error).strip()) from error

    def follow(self, lines: Callable[[str], str]) -> None:
        """Read lines until the end; report errors and continue."""
        held = ""
        while True:
            try:
                line = lines(MORE if held else PROMPT)
            except EOFError:
                return
            if not held and line.strip().startswith("."):
                if line.strip() in (".quit", ".exit"):
                    return
                click.echo(command(line.strip()), nl=False)
                continue
            held = f"{held}\n{line}" if held else line
            if not held.strip():
                held = ""
            elif held.rstrip().endswith(";"):
                self._told(held)
                held = ""

    def _told(self, text: str) -> None:
        try:
            self.run(text)
        except AskedWronglyError as error:
            click.echo(str(error), err=True)

    def _show(self, cursor: duckdb.DuckDBPyConnection) -> None:
        names = [column[0] for column in cursor.description or ()]
        if self._form == "json":
            while rows := cursor.fetchmany(1_000):
                for row in rows:
                    click.echo(msgspec.json.encode(dict(zip(names, row, strict=True)), enc_hook=str))
        elif self._form == "csv":
            click.echo(_lines([names]), nl=False)
            while rows := cursor.fetchmany(1_000):
                click.echo(_lines(rows), nl=False)
        else:
            _table(names, cursor.fetchmany(_SHOWN + 1))


def command(line: str) -> str:
    """The answer to a line that begins with a dot."""
    word, _, rest = line.partition(" ")
    if word == ".tables":
        width = max(map(len, SCHEMA))
        return "".join(f"{name.ljust(width)}  {table.about}\n" for name, table in sorted(SCHEMA.items()))
    if word == ".schema" and (table := SCHEMA.get(rest.strip())) is not None:
        width = max(len(column.name) for column in table.columns)
        kinds = max(len(column.type) for column in table.columns)
        rows = (f"{c.name.ljust(width)}  {c.type.ljust(kinds)}  {c.about}\n" for c in table.columns)
        return f"{table.name}: {table.about}\n" + "".join(rows)
    if word == ".schema":
        return f"{rest.strip() or 'nothing'!r} is not a table; .tables lists the tables\n"
    return HELP


def _in_words(connection: duckdb.DuckDBPyConnection, statement: str) -> duckdb.DuckDBPyConnection:
    """The answer with zoned moments as text: Python needs a further package to read them."""
    answer = connection.execute(statement)
    kinds = [str(column[1]) for column in answer.description or ()]
    if _ZONED not in kinds:
        return answer
    places = [f"c{place}" for place in range(len(kinds))]
    named = ['"' + str(column[0]).replace('"', '""') + '"' for column in answer.description or ()]
    told = ", ".join(
        f"{place}::VARCHAR AS {name}" if kind == _ZONED else f"{place} AS {name}"
        for place, kind, name in zip(places, kinds, named, strict=True)
    )
    asked = statement.rstrip(";")
    return connection.execute(f"SELECT {told} FROM ({asked}\n) AS answer({', '.join(places)})")  # noqa: S608 - it asks


def _lines(rows: Iterable[Iterable[Any]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([[_plain(value) for value in row] for row in rows])
    return written.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return "" if value is None else value


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    shown = [[_cell(value) for value in row] for row in rows[:_SHOWN]]
    widths = [max(len(row[place]) for row in [names, *shown]) for place in range(len(names))]
    numbers = [any(isinstance(row[place], int | float) for row in rows) for place in range(len(names))]
    for row in [names, *shown]:
        cells = zip(row, widths, numbers, strict=True)
        click.echo(
            "  ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in cells).rstrip()
        )
    if len(rows) > _SHOWN:
        click.echo(f"only the first {_SHOWN} rows are shown; --csv and --json have all", err=True)


def _cell(value: Any) -> str:
    if isinstance(value, date):
        return str(value)
    return "-" if value is None else " ".join(str(value).split("\n")) if not isinstance(value, list) else str(value)
