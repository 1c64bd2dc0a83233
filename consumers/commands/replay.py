"""`catwalk replay`: past days under other options or with fewer detectors, and the changes in findings and amounts."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click

from consumers.accounts.trail import asked, asker_options, desk_folder, trail
from consumers.asking.forms import AnswerLayout, Form, shown
from consumers.logs.log import Log
from consumers.logs.opening import open_log, unread_log
from consumers.record_place import place_options
from consumers.replaying import CannotBeError, Past
from consumers.settling.option_text import finding_code, read_option
from domain.facts.codec import stream_in
from domain.facts.streams import PROPERTY, owner
from domain.rulebooks import BOOKS, editions
from domain.watch.what_if import OptionChange
from projections.questions.asking import AskedWronglyError
from projections.questions.clock import day

_EXAMPLES = """\b
Examples:
  catwalk replay --with trips_table=B --from 2026-11-01 --to 2026-11-18 --data pit
  catwalk replay --with UTH-MD:blind_table=B --with T7:payout_cap=2500000 --json --data pit
  catwalk replay --with progressive.table=C --at-table T7 --part amounts --csv --data pit
  catwalk replay --without stub-count-overdue --from 2026-11-18 --data pit

The command verifies every day twice, as it was and with the changes, and compares the two: findings that appear,
vanish or change, and the amounts owed on each kind of wager. An option may apply to one table or one rule book
(T7:KEY=VALUE, UTH-MD:KEY=VALUE). It overrides the table's opening and its changes during the day. The facts stay the
same; players might have played differently. The command writes only an entry in the desk's access log. For a record
in Kafka, --state names the desk's folder.

\b
Exit status: 0 no differences; 1 differences; 2 usage error, or an option or record that cannot be read.
"""


_LAYOUT = AnswerLayout(
    {
        "differences": "kind stream round seat wager code expected_before_cents expected_after_cents observed_cents "
        "at_risk_before_cents at_risk_after_cents says"
    },
    main="differences",
)


@click.command("replay", epilog=_EXAMPLES)
@click.option(
    "--with", "options", multiple=True, metavar="[TABLE|BOOK:]KEY=VALUE", help="A changed option; repeat for more."
)
@click.option(
    "--without", "codes", multiple=True, metavar="CODE", help="Leave out findings of this code; repeat for more."
)
@click.option("--from", "since", default="", metavar="DAY", help="First gaming day.")
@click.option("--to", "until", default="", metavar="DAY", help="Last gaming day.")
@click.option("-t", "--at-table", "tables", multiple=True, metavar="TABLE", help="Only this table; repeat for more.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV: the findings that differ.")
@click.option("--table", "as_table", is_flag=True, help="A table for people (the default).")
@click.option("--part", default="", metavar="PART", help="Show only codes, amounts or differences.")
@asker_options
@place_options
def replay_command(
    *,
    options: tuple[str, ...],
    codes: tuple[str, ...],
    since: str,
    until: str,
    tables: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    as_table: bool,
    part: str,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Replay past days with changed options or without some detectors, and show the differences."""
    if as_json + as_csv + as_table > 1:
        raise click.UsageError("--json, --csv and --table exclude each other: give one of them.")
    form: Form = "json" if as_json else "csv" if as_csv else "table"
    changes, without = [_change(text) for text in options], frozenset(finding_code(code, "--without") for code in codes)
    if not (changes or without):
        raise click.UsageError("the change is missing: give --with KEY=VALUE or --without CODE.")
    first, last = _days(since, until)
    with closing(open_log(data=data, kafka=kafka)) as log, unread_log():
        streams = [name for name in _streams(log, tables) if first <= name.partition("/")[2] <= last]
        if not streams:
            raise click.UsageError("the record has no table's day in this range; catwalk ask floor lists the tables.")
        with trail(desk_folder(data, state)) as told:
            told.asks(asked())
        past = Past(log, changes, without)
        try:
            for name in _told(_with_the_property(log, streams)):
                past.take(name)
        except CannotBeError as error:
            raise click.UsageError(str(error)) from error
    made = past.made()
    if changes and not past.touched:
        known = ", ".join(sorted({change.path[0] for change in changes}))
        raise click.UsageError(f"no rule book of these days has {known}; docs/house-options.md lists the options.")
    click.echo(shown(made, form, _LAYOUT, part=part), nl=False)
    if made.appear or made.vanish or made.change or made.owed_before_cents != made.owed_after_cents:
        raise SystemExit(1)


def _change(text: str) -> OptionChange:
    """A changed option, with the table or rule book it applies to."""
    of, colon, setting = text.partition(":")
    if not colon or "=" in of:
        of, setting = "", text
    path, value = read_option(setting, "--with")
    books = [of] if of in BOOKS else list(BOOKS)
    known = {name for book in books for each in editions(book) for name in each.options}
    if path[0] not in known:
        there = ", ".join(sorted(name for name in known if "." not in name))
        raise click.BadParameter(
            f"{path[0]!r} is not an option of {', '.join(books)}; the options are {there}", param_hint="--with"
        )
    return OptionChange(path, value, of)


def _days(since: str, until: str) -> tuple[str, str]:
    try:
        return (day(since).isoformat() if since else "", day(until).isoformat() if until else "9999")
    except AskedWronglyError as error:
        raise click.UsageError(str(error)) from error


def _streams(log: Log, tables: Sequence[str]) -> list[str]:
    """The days of every table, or of these tables."""
    if tables:
        return sorted(name for table in tables for name in log.streams(table))
    # What names no stream is not a fact; catwalk doctor reports it.
    found = {stream_in(stored) for batch in log.drain({}) for _, stored in batch.facts}
    return sorted(name for name in found if owner(name) not in ("", PROPERTY))


def _with_the_property(log: Log, streams: Sequence[str]) -> list[str]:
    """The streams day by day, the property's first, because it says where its decks are."""
    days = {name.partition("/")[2] for name in streams}
    of_property = [name for name in log.streams(PROPERTY) if name.partition("/")[2] in days]
    return sorted([*of_property, *streams], key=lambda name: (name.partition("/")[2], owner(name) != PROPERTY, name))


def _told(streams: Sequence[str]) -> Iterator[str]:
    """Yield these streams, and show the progress on a terminal."""
    for number, name in enumerate(streams, start=1):
        if sys.stderr.isatty():
            click.echo(f"\r{number} of {len(streams)}: {name}\033[K", nl=False, err=True)
        yield name
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)
