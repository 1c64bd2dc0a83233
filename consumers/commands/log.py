"""`catwalk log`: copy the log of facts."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from eventsourcing.persistence import PersistenceError

from consumers.accounts.trail import asked, asker_options, trail_if_any
from consumers.kafka.option import kafka_trouble
from consumers.logs import Log, LogOptionsError, open_log
from consumers.logs.copying import Copied, copy, whole
from consumers.logs.opening import FINDINGS_FILE, findings_log, folder_option
from consumers.trust.published import PUBLISHED_FILE, copied, published, published_log
from consumers.trust.tree_file import TreeEntry

Command = TypeVar("Command", bound=Callable[..., Any])

_MOST_SHOWN = 10

_EXAMPLES = """\b
Examples:
  catwalk log copy --from-data pit --to-kafka kafka.toml
  catwalk log copy --from-kafka kafka.toml --to-data copy --state /var/lib/catwalk
"""

_COPY_EXAMPLES = f"""{_EXAMPLES}
The command also copies the findings, so that a watcher of the copy can resume from them, and the checkpoints, from
which `catwalk checkpoint restore` rebuilds the tree of the copy. It does not copy the property's key or the desk. It
reads both logs to the end and prints their digests: SHA-256 over every stream, sequence and stored byte. Positions
may differ and are not part of the digests. If a copy was stopped, the same command resumes it.

\b
Exit status: 0 both logs are equal; 1 they differ, or a record was skipped because it is not a fact or its place is
taken; 2 a log could not be opened, read or written.
"""

_AFTER = (
    "Next: catwalk checkpoint restore {place} rebuilds the tree of the copy. The desk and the property's key are not "
    "copied: bring them along (catwalk backup), or catwalk doctor reports the desk as missing there. Only one of the "
    "two records may have a keeper."
)


@click.group("log", epilog=_EXAMPLES)
def log_command() -> None:
    """Work on the log of facts as a whole."""


def _place(name: str, *, data: bool) -> Callable[[Command], Command]:
    return click.option(
        name,
        type=click.Path(file_okay=not data, dir_okay=data, path_type=Path),
        metavar="DIR" if data else "FILE",
        help=f"The {'data folder of an embedded record' if data else 'settings of a Kafka cluster'}.",
    )


@log_command.command("copy", epilog=_COPY_EXAMPLES)
@_place("--from-data", data=True)
@_place("--from-kafka", data=False)
@_place("--to-data", data=True)
@_place("--to-kafka", data=False)
@folder_option("--state", "With --from-kafka: the folder of its desk, which records who copies")
@asker_options
def copy_command(
    *, from_data: Path | None, from_kafka: Path | None, to_data: Path | None, to_kafka: Path | None, state: Path | None
) -> None:
    """Copy the facts and findings of one log into another, and prove that both hold the same."""
    _check(from_data, from_kafka, to_data, to_kafka)
    with _trouble(), ExitStack() as opened:
        source = opened.enter_context(closing(open_log(data=from_data, kafka=from_kafka)))
        with trail_if_any(from_data, from_kafka, None if from_data else state) as told:
            if told is not None:
                told.asks(asked())
        heads = _entries(opened, from_data, from_kafka)
        target = opened.enter_context(closing(open_log(data=to_data, kafka=to_kafka, create=True)))
        done = [_copied(source, target, "facts")]
        found = _findings(opened, from_data, from_kafka)
        if found is not None:
            into = opened.enter_context(closing(findings_log(data=to_data, kafka=to_kafka)))
            done.append(_copied(found, into, "records of findings"))
        if heads:
            tree = opened.enter_context(closing(published_log(data=to_data, kafka=to_kafka, create=True)))
            done.append(copied(heads, tree))
            _tell(done[-1], "entries of the tree")
            click.echo(_AFTER.format(place=_restored(to_data, to_kafka)), err=True)
    if any(each.different or each.left for each in done):
        raise SystemExit(1)


def _copied(source: Log, target: Log, what: str) -> Copied:
    length = sum(source.last_position(partition) for partition in source.partitions)
    with click.progressbar(length=length, label=what, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        done = copy(source, target, bar.update)
    _tell(done, what)
    return done


def _findings(opened: ExitStack, data: Path | None, kafka: Path | None) -> Log | None:
    """The findings about the record to copy, if there are any."""
    if data is not None and not (data / FINDINGS_FILE).is_file():
        return None
    found = opened.enter_context(closing(findings_log(data=data, kafka=kafka)))
    return found if any(found.last_position(partition) for partition in found.partitions) else None


def _entries(opened: ExitStack, data: Path | None, kafka: Path | None) -> list[TreeEntry]:
    """The published entries of the property's tree, if there are any."""
    if data is not None and not (data / PUBLISHED_FILE).is_file():
        return []
    return list(published(opened.enter_context(closing(published_log(data=data, kafka=kafka)))))


def _restored(data: Path | None, kafka: Path | None) -> str:
    return f"--data {data}" if data is not None else f"--kafka {kafka} --state DIR"


def _check(from_data: Path | None, from_kafka: Path | None, to_data: Path | None, to_kafka: Path | None) -> None:
    for side, data, kafka in (("from", from_data, from_kafka), ("to", to_data, to_kafka)):
        if (data is None) == (kafka is None):
            raise LogOptionsError(f"name one log to copy {side}: --{side}-data DIR or --{side}-kafka FILE.")
    for source, target in ((from_data, to_data), (from_kafka, to_kafka)):
        if source is not None and target is not None and source.resolve() == target.resolve():
            raise LogOptionsError("both options name the same log: name another one to copy to.")


@contextmanager
def _trouble() -> Iterator[None]:
    """End the command with one sentence and status 2 if a log cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except PersistenceError as error:
            raise LogTroubleError(
                f"{error}. The records copied so far stay; run the same command to resume."
            ) from error


class LogTroubleError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


def _tell(done: Copied, what: str) -> None:
    was = f", {done.there_already} were already there" if done.there_already else ""
    click.echo(f"copied {done.copied} {what}{was}")
    for side, streams in (("from", done.source), ("to", done.target)):
        count = sum(each.count for each in streams.values())
        click.echo(f"{side:<4}  {whole(streams)}  {count} {what} in {len(streams)} streams")
    click.echo("different" if done.different else "equal: the same streams, sequences and bytes")
    for stream in done.different[:_MOST_SHOWN]:
        counts = [side[stream].count if stream in side else 0 for side in (done.source, done.target)]
        click.echo(f"  {stream}: {counts[0]} {what} from, {counts[1]} to", err=True)
    for left in done.left[:_MOST_SHOWN]:
        click.echo(f"  not copied: partition {left.partition}, position {left.position}: {left.why}", err=True)
    more = max(0, len(done.different) - _MOST_SHOWN) + max(0, len(done.left) - _MOST_SHOWN)
    if more:
        click.echo(f"  and {more} more", err=True)
