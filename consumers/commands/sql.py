"""`catwalk sql`: a read-only DuckDB shell on the published data."""

import contextlib
import sys
from pathlib import Path

import click

from consumers.accounts.trail import WHY_META, Trail, asker_options, trail
from consumers.asking.forms import Form
from consumers.asking.place import UnreadError, asking, place_of_answers, read_folder
from consumers.asking.shell import HELP, Shell
from consumers.desk.commands import SHOW
from projections.guarded import guard
from projections.questions.asking import AskedWronglyError

_EXAMPLES = """\b
Examples:
  catwalk sql --data pit --purpose "dispute 2026-118"
  catwalk sql --data pit -c 'SELECT "table", count(*) FROM rounds GROUP BY ALL'
  catwalk sql --data pit -c 'FROM findings WHERE severity = $$money$$' --csv > findings.csv
  catwalk sql --data pit < questions.sql

Queries all tables of the read models (.tables, .schema rounds; write "table", "at" and "by" in quotation marks). They
hold no card of a live hand and no identity. Statements cannot write, open other files, or change settings. The desk's
access log records who asks, when, why, and every statement before anything is shown, including refused and failed
statements with the reason.

\b
Exit status: 0 answered; 2 usage error, a statement that is refused or wrong, or nothing that can be read.
"""


class _Statements:
    """The record of one run's statements in the access log."""

    def __init__(self, trail: Trail, generation: int) -> None:
        self._trail, self._generation = trail, generation

    def asked(self, statement: str) -> None:
        """Record a statement that is about to run."""
        self._trail.asks(statement, generation=self._generation)

    def refused(self, text: str, why: str) -> None:
        """Record a text that contained no allowed statement."""
        self._trail.refused("sql", text, why)

    def failed(self, statement: str, why: str) -> None:
        """Record a statement that could not be answered."""
        self._trail.failed("sql", statement, why)


@click.command("sql", epilog=_EXAMPLES)
@click.option("-c", "--command", "text", metavar="SQL", help="Run this and end; `-` is standard input.")
@asker_options
@click.option("--json", "as_json", is_flag=True, help="JSON, one line per row.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV.")
@click.option("--table", "as_table", is_flag=True, help="A table for people (the default).")
@place_of_answers
def sql_command(
    *,
    text: str | None,
    as_json: bool,
    as_csv: bool,
    as_table: bool,
    data: Path | None,
    state: Path | None,
) -> None:
    """Ask the published data in SQL."""
    if as_json + as_csv + as_table > 1:
        raise click.UsageError("--json, --csv and --table exclude each other: give one of them.")
    form: Form = "json" if as_json else "csv" if as_csv else "table"
    folder = read_folder(data, state)
    at_terminal = text is None and sys.stdin.isatty()
    meta = click.get_current_context().meta
    if at_terminal and not meta.get(WHY_META):
        meta[WHY_META] = click.prompt("purpose, for the access log", default="", show_default=False)
    with asking(folder) as reading, trail(folder.parent) as told:
        told.needs(SHOW["sql"].right, "sql", text or "")
        guard(reading)
        try:
            shell = Shell(reading, _Statements(told, reading.generation), form)
            if not at_terminal:
                shell.run(sys.stdin.read() if text in (None, "-") else text or "")
                return
            with contextlib.suppress(ImportError):  # some Pythons have no line editing
                import readline  # noqa: F401, PLC0415 - input() uses it
            click.echo(f"published {reading.made_at:%Y-%m-%d %H:%M:%S} UTC, generation {reading.generation}\n{HELP}")
            shell.follow(input)
        except AskedWronglyError as error:
            raise UnreadError(str(error)) from error
