"""The common part of all questions: the folder, the forms, the days, the errors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any, TypeVar

import click
import duckdb
import msgspec

from consumers.accounts.trail import asked, asker_options, trail
from consumers.asking.forms import Answer, AnswerLayout, Form, shown
from consumers.logs.opening import data_option, folder_option
from domain.desk.roles import Person, Right
from domain.rulebooks import BOOKS
from projections import reading as published
from projections.questions.asking import AskedWronglyError, NothingFitsError, Reading, newest_day, values_of
from projections.questions.clock import day, moment, zone_of
from projections.troubles import ReadModelsError

Command = TypeVar("Command", bound=Callable[..., Any])
Row = TypeVar("Row")
READ = "read"  # the folder of the read models, in the data folder or in that of --state


class AnswerForm(msgspec.Struct, frozen=True):
    """The form of an answer and the folder it comes from."""

    folder: Path
    form: Form
    part: str = ""
    table: str = ""  # the table in question


class NoAnswerError(click.ClickException):
    """An error with exit status 1: there is no match."""

    exit_code = 1


class UnreadError(click.ClickException):
    """An error with exit status 2: the read models cannot be read."""

    exit_code = 2


def read_folder(data: Path | None, state: Path | None) -> Path:
    """The folder of the read models."""
    if (data is None) == (state is None):
        raise click.UsageError(
            "the folder of the read models is missing: give --data DIR, or for a record in Kafka --state DIR "
            "(or CATWALK_DATA or CATWALK_STATE), but not both."
        )
    return (data or state or Path()) / READ


def place_of_answers(command: Command) -> Command:
    """Give a command `--data` and `--state`."""
    state = folder_option("--state", "The projector's folder, for a record in Kafka")
    return data_option(state(command))


def answers(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a question's command its place and the three forms, passed as `how`."""

    def ask(
        *,
        data: Path | None,
        state: Path | None,
        as_json: bool,
        as_csv: bool,
        as_table: bool,
        part: str,
        **known: Any,
    ) -> None:
        if as_json + as_csv + as_table > 1:
            raise click.UsageError("--json, --csv and --table exclude each other: give one of them.")
        form: Form = "json" if as_json else "csv" if as_csv else "table"
        if known.get("game") and known["game"] not in BOOKS:
            raise click.UsageError(f"{known['game']!r} is not a game; the games are {', '.join(BOOKS)}.")
        command(how=AnswerForm(read_folder(data, state), form, part, known.get("table", "")), **known)

    ask.__doc__ = command.__doc__
    ask.__name__ = command.__name__
    wrapped = click.option(
        "--json", "as_json", is_flag=True, help="JSON, one line per row; every field, whole cents, UTC."
    )(ask)
    wrapped = click.option("--csv", "as_csv", is_flag=True, help="CSV, the same fields.")(wrapped)
    wrapped = click.option("--table", "as_table", is_flag=True, help="A table for people (the default).")(wrapped)
    wrapped = click.option("--part", default="", metavar="PART", help="Show one part of the answer.")(wrapped)
    wrapped = asker_options(wrapped)
    for option in getattr(command, "__click_params__", []):
        wrapped.__click_params__.append(option)  # type: ignore[attr-defined]
    return place_of_answers(wrapped)


def answer(
    how: AnswerForm,
    question: Callable[[Reading], Answer],
    layout: AnswerLayout,
    *also: Right,
    seen_by: Callable[[Person, Any], Answer] = lambda _, found: found,
) -> None:
    """Record the question, ask it, print the answer; `also` names further rights, `seen_by` hides by role."""
    with asking(how.folder) as reading, trail(how.folder.parent) as told:
        told.asks(asked(), *also, generation=reading.generation)
        if how.table:
            newest_day(reading, how.table)  # an unknown table is an error: "nothing" would look like an answer
        found = seen_by(told.person, question(reading))
        zone = _zone_of(found) or zone_here(reading, how.table)
        made_at = reading.made_at
    click.echo(shown(found, how.form, layout, part=how.part, zone=zone), nl=False)
    if how.form == "table":
        made = made_at if made_at.tzinfo else made_at.replace(tzinfo=UTC)
        age = max(0, int((datetime.now(UTC) - made).total_seconds()))
        click.echo(f"as of {made.astimezone(zone):%Y-%m-%d %H:%M:%S} {zone}, {_ago(age)} ago", err=True)


def _zone_of(found: Answer) -> tzinfo | None:
    """The time zone of the round that an answer is about, if it is about one."""
    named = getattr(getattr(found, "round", None), "zone", None)
    return zone_of(named) if named else None


def first_of(found: list[Row], most: int, do: str) -> list[Row]:
    """Return at most this many rows; print a note if there are more, with what to do."""
    if len(found) > most:
        click.echo(f"only the first {most:,} are shown; for more, {do}", err=True)
    return found[:most]


def _ago(seconds: int) -> str:
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"


@contextmanager
def asking(folder: Path) -> Iterator[published.GenerationReader]:
    """Open the newest published data; any problem ends the command with one sentence."""
    try:
        with published.opened(folder) as reading:
            yield reading
    except AskedWronglyError as error:
        raise click.UsageError(str(error)) from error
    except NothingFitsError as error:
        raise NoAnswerError(str(error)) from error
    except ReadModelsError as error:
        raise UnreadError(str(error)) from error
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise UnreadError(f"{folder}: {first}. The record is not affected; catwalk rebuild repairs this.") from error


def zone_here(reading: Reading, table: str = "") -> tzinfo:
    """The time zone of a table, or of the property."""
    query = """SELECT zone FROM tables WHERE (? = '' OR "table" = ?) AND zone <> '' ORDER BY gaming_day DESC LIMIT 1"""
    found = values_of(reading, query, [table, table])
    return zone_of(found[0] if found else "UTC")


class AskedPeriod(msgspec.Struct, frozen=True):
    """A range of gaming days or of moments."""

    first: date | None = None
    last: date | None = None
    begin: datetime | None = None
    end: datetime | None = None


def span(reading: Reading, since: str, until: str, table: str = "") -> AskedPeriod:
    """The range that --from and --to name: gaming days, or moments in the table's own zone."""
    here = str(zone_here(reading, table))
    begin = moment(since, here) if _is_moment(since) else None
    end = moment(until, here) if _is_moment(until) else None
    first = day(since) if since and begin is None else None
    last = day(until) if until and end is None else None
    return AskedPeriod(first, last, begin, end)


def gaming_days(reading: Reading, since: str, until: str) -> tuple[date | None, date | None]:
    """The range that --from and --to name, where only gaming days are allowed."""
    when = span(reading, since, until)
    if when.begin or when.end:
        raise AskedWronglyError("this question takes gaming days: write --from 2026-11-18, without a time")
    return when.first, when.last


def _is_moment(said: str) -> bool:
    return "T" in said or " " in said.strip() or ":" in said


def span_options(command: Command) -> Command:
    """Give a command `--from` and `--to`."""
    since = click.option(
        "--from", "since", default="", metavar="WHEN", help="First gaming day or moment: 2026-11-18T21:00."
    )
    until = click.option("--to", "until", default="", metavar="WHEN", help="Last gaming day or moment.")
    return since(until(command))
