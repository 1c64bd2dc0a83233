"""`catwalk log`: the log of facts as a whole."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from eventsourcing.persistence import PersistenceError

from consumers.kafka.option import kafka_trouble
from consumers.logs import Log, LogOptionsError, open_log
from consumers.logs.copying import Copied, copy, whole

Command = TypeVar("Command", bound=Callable[..., Any])

_MOST_SHOWN = 10

_EXAMPLES = """\b
Examples:
  catwalk log copy --from-data pit --to-kafka kafka.toml
  catwalk log copy --from-kafka kafka.toml --to-data copy
"""

_COPY_EXAMPLES = f"""{_EXAMPLES}
Both logs are read to the end and their digests told: SHA-256 over every stream, sequence and stored byte. Positions
may differ and are in neither. A copy that was broken off goes on where it was.

\b
Exit status: 0 both hold the same; 1 they do not, or a record is no fact or claims a taken place and was left;
2 a log could not be opened, read or written.
"""


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
def copy_command(
    *, from_data: Path | None, from_kafka: Path | None, to_data: Path | None, to_kafka: Path | None
) -> None:
    """Copy every fact of one log into another, and prove that both hold the same."""
    _check(from_data, from_kafka, to_data, to_kafka)
    with _trouble(), _opened(from_data, from_kafka) as source, _opened(to_data, to_kafka, create=True) as target:
        length = sum(source.last_position(partition) for partition in source.partitions)
        with click.progressbar(length=length, label="facts", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            done = copy(source, target, bar.update)
    _tell(done)
    if done.different or done.left:
        raise SystemExit(1)


def _check(from_data: Path | None, from_kafka: Path | None, to_data: Path | None, to_kafka: Path | None) -> None:
    for side, data, kafka in (("from", from_data, from_kafka), ("to", to_data, to_kafka)):
        if (data is None) == (kafka is None):
            raise LogOptionsError(f"name one log to copy {side}: --{side}-data DIR or --{side}-kafka FILE.")
    for source, target in ((from_data, to_data), (from_kafka, to_kafka)):
        if source is not None and target is not None and source.resolve() == target.resolve():
            raise LogOptionsError("this is one log twice: name another one to copy to.")


@contextmanager
def _opened(data: Path | None, kafka: Path | None, *, create: bool = False) -> Iterator[Log]:
    log = open_log(data=data, kafka=kafka, create=create)
    try:
        yield log
    finally:
        log.close()


@contextmanager
def _trouble() -> Iterator[None]:
    """Ends the command with one sentence and status 2 when a log cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except PersistenceError as error:
            raise LogTroubleError(f"{error}. What was copied stands; the same command goes on from there.") from error


class LogTroubleError(click.ClickException):
    """Ends a command with status 2."""

    exit_code = 2


def _tell(done: Copied) -> None:
    was = f", {done.there_already} were there already" if done.there_already else ""
    click.echo(f"copied {done.copied} facts{was}")
    for side, streams in (("from", done.source), ("to", done.target)):
        facts = sum(each.count for each in streams.values())
        click.echo(f"{side:<4}  {whole(streams)}  {facts} facts in {len(streams)} streams")
    click.echo("different" if done.different else "equal: the same streams, sequences and bytes")
    for stream in done.different[:_MOST_SHOWN]:
        counts = [side[stream].count if stream in side else 0 for side in (done.source, done.target)]
        click.echo(f"  {stream}: {counts[0]} facts from, {counts[1]} to", err=True)
    for left in done.left[:_MOST_SHOWN]:
        click.echo(f"  not copied: partition {left.partition}, position {left.position}: {left.why}", err=True)
    more = max(0, len(done.different) - _MOST_SHOWN) + max(0, len(done.left) - _MOST_SHOWN)
    if more:
        click.echo(f"  and {more} more", err=True)
