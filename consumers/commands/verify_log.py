"""`catwalk verify-log`: replay a record, or a file of facts, to findings."""

import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click
import msgspec
from click.core import ParameterSource

from consumers.accounts.trail import asked, asker_options, trail_if_any
from consumers.record_place import place_options
from consumers.watching.replay import Replay, Replayed, StreamFilter, alone, together
from consumers.watching.shown import as_line, as_object
from domain.facts.refused import in_words
from domain.facts.streams import PROPERTY, owner
from domain.spoken import listed, number_of
from domain.watch.owed_vs_paid import DECIDED

_EXAMPLES = """\b
Examples:
  catwalk verify-log day.jsonl
  catwalk verify-log --data pit > findings.jsonl
  catwalk verify-log --data pit --table T7 --from 2026-11-01 --to 2026-11-18
  catwalk verify-log --data pit --cores 4 --lines
  catwalk verify-log --kafka cluster.toml --state /var/lib/catwalk --lines

The command folds every fact in order, verifies each round and runs every detector. It does not print findings that
later facts explain. Standard error shows how many wagers were checked, and how many could not be, with what was
missing. Nothing is written to the record.

A FILE of facts that are not numbered yet has passed no gateway. The command leaves out what a gateway would refuse,
such as a time in milliseconds or a seat that the table does not have, and reports it by cause, with the first line. The
same fact again, under its source's key, counts once.

\b
Exit status: 0 nothing to review; 1 findings; 2 usage error; 3 also lines or records that are not facts, or
that a gateway would refuse.
"""


def _day(_: click.Context, __: click.Parameter, text: str) -> str:
    """A gaming day in the form of stream names, because it is compared with them as text."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: write it like 2026-11-18") from error


@click.command("verify-log", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="Only this table; repeat for more.")
@click.option("--from", "first", default="", metavar="DAY", callback=_day, help="First gaming day.")
@click.option("--to", "last", default="", metavar="DAY", callback=_day, help="Last gaming day.")
@click.option("--lines", is_flag=True, help="Lines for people instead of JSON Lines.")
@click.option(
    "--cores",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help="Share the tables of a FILE or an embedded record among this many processes; findings and order stay "
    "the same. Default: one per processor, or one if the record is small.",
)
@asker_options
@place_options
@click.pass_context
def verify_log_command(
    context: click.Context,
    *,
    file: Path | None,
    tables: tuple[str, ...],
    first: str,
    last: str,
    lines: bool,
    cores: int | None,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Replay a record, or a FILE of facts, to findings as JSON Lines.

    FILE holds one fact on each line, numbered as in a record or not yet numbered as from devices. Standard input
    (`-`) is not possible, because a correction makes the command read its day again.
    """
    typed = [name for name in ("data", "kafka") if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if file is not None and typed:
        raise click.UsageError(f"FILE and --{typed[0]} exclude each other: give one of them.")
    replay = Replay(StreamFilter(frozenset(tables), first, last), file, None if file else data, None if file else kafka)
    if cores is not None and cores > 1 and kafka is not None and file is None:
        raise click.UsageError(
            "--cores needs a FILE or an embedded record: a cluster's partitions have no common order."
        )
    with trail_if_any(replay.data, replay.kafka, state) as told:
        if told is not None:
            told.asks(asked())
    troubles, said = _UnreadRecords(), _ReplaySummary()
    count = cores or replay.cores()
    found = alone(replay, troubles.one, said.far) if count == 1 else together(replay, troubles.one, said.far, count)
    refused = found.refused.all()
    if not found.read and not replay.wanted.all and not refused:
        raise click.UsageError("the record has none of these tables and days, so nothing was verified.")
    if not found.read and not troubles.count and not refused:
        raise click.UsageError("the record has no facts, so nothing was verified.")
    said.done(found)
    for cause in refused:
        click.echo(in_words(cause), err=True)
    if refused:
        click.echo(f"catwalk feed check {file} shows the line to write instead", err=True)
    for finding in found.standing.values():
        click.echo(as_line(finding) if lines else msgspec.json.encode(as_object(finding)))
    if troubles.count or refused:
        raise SystemExit(3)
    if found.standing:
        raise SystemExit(1)


_TELLS_EVERY = 50_000  # facts


class _UnreadRecords(msgspec.Struct):
    """Records that are not facts: reported while reading, counted for the exit status."""

    count: int = 0

    def one(self, says: str) -> None:
        """Report and count one."""
        self.count += 1
        click.echo(says, err=True)


class _ReplaySummary:
    """Progress for a terminal, and the summary on standard error."""

    def __init__(self) -> None:
        self._told = sys.stderr.isatty()
        self._last = 0

    def far(self, read: int, findings: int) -> None:
        """Show the progress."""
        if self._told and read >= self._last + _TELLS_EVERY:
            self._last = read
            click.echo(f"\r{read} facts, {findings} findings", nl=False, err=True)

    def done(self, found: Replayed) -> None:
        """Print the summary."""
        if self._told:
            click.echo("\r\033[K", nl=False, err=True)
        where = _where({finding.stream for finding in found.standing.values()})
        says = f"{number_of(found.read, 'fact')}, {number_of(len(found.standing), 'finding')}{where}"
        click.echo(says, err=True)
        if found.repeated:
            click.echo(f"{number_of(found.repeated, 'line')} ignored: the same facts again", err=True)
        for line in _covered(found.wagers):
            click.echo(line, err=True)


def _where(streams: set[str]) -> str:
    """The number of tables and table days with something to review, and whether the property has findings."""
    tables = {stream for stream in streams if owner(stream) != PROPERTY}
    names = {owner(stream) for stream in tables}
    days = f" ({number_of(len(tables), 'table day')})" if len(tables) > len(names) else ""
    parts = [f"{number_of(len(names), 'table')}{days}"] if tables else []
    parts += ["the property"] if tables != streams else []
    return f" at {listed(parts)}" if parts else ""


def _covered(wagers: Counter[str]) -> Iterator[str]:
    """The number of wagers that could be decided; an undecided wager is not a pass."""
    decided, all_of_them = wagers[DECIDED], wagers.total()
    yield f"{decided} of {all_of_them} wagers checked"
    for what, count in wagers.most_common():
        if what != DECIDED:
            yield f"  not decided, {what}: {count}"
