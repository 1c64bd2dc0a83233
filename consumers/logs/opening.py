"""Open the log that a command works on: `--data DIR` for an embedded one, or `--kafka FILE` for Kafka.

What Kafka needs is imported only for a record in Kafka: it takes as long as all the rest.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from eventsourcing.persistence import PersistenceError

from consumers.kafka.option import kafka_trouble
from consumers.kafka.topic_names import Kind
from consumers.logs.log import Log
from consumers.logs.sqlite import SqliteLog
from consumers.private import tell_open

LOG_FILE: Final = "record/facts.sqlite"  # in the data folder
FINDINGS_FILE: Final = "record/findings.sqlite"

Command = TypeVar("Command", bound=Callable[..., Any])


class LogOptionsError(click.UsageError):
    """Options that name no log, two logs, or a missing one."""


def open_log(
    *,
    data: Path | None = None,
    kafka: Path | None = None,
    create: bool = False,
    also: Collection[Kind] = (),
) -> Log:
    """Open the log that the options name; only `create` makes a missing embedded log.

    In Kafka, the topics of the kinds in `also` must be safe too.
    """
    if data is not None and kafka is not None:
        raise LogOptionsError("give --data or --kafka, not both (CATWALK_DATA and CATWALK_KAFKA count too).")
    if data is not None:
        return embedded_log(data, create=create)
    if kafka is not None:
        return kafka_log(kafka, also=also)
    raise LogOptionsError(
        "the record's place is missing: give --data DIR (an embedded log) or --kafka FILE (a cluster's settings), "
        "or set CATWALK_DATA or CATWALK_KAFKA."
    )


def embedded_log(data: Path, *, create: bool = False) -> SqliteLog:
    """Open the embedded log of a data folder."""
    file = data / LOG_FILE
    if not create and not file.is_file():
        raise LogOptionsError(f"there is no record in {data}: no file {file}. Name the folder that catwalk wrote to.")
    try:
        log = SqliteLog(file, create=create)
        log.last_position(0)  # fails now if the file is not a log
    except OSError as error:
        raise LogOptionsError(f"{file}: {error.strerror or error}. Name a folder this user may write to.") from error
    except (PersistenceError, sqlite3.Error) as error:
        raise UnreadLogError(f"{file} cannot be read as a log: {error}. Restore a backup.") from error
    return log


def findings_log(*, data: Path | None = None, kafka: Path | None = None, create: bool = True) -> Log:
    """Open the log of this record's findings; only with `create` is a missing embedded one made."""
    missing = "has no findings yet: no file {}. Run catwalk watch."
    return log_beside("findings", FINDINGS_FILE, missing, data=data, kafka=kafka, create=create)


def log_beside(kind: Kind, name: str, missing: str, *, data: Path | None, kafka: Path | None, create: bool) -> Log:
    """Open another log of the same record: a topic of this kind, or the file `name` in the data folder.

    `missing` says, with the file in its braces, what is wrong with a folder that lacks it.
    """
    if kafka is not None:
        return kafka_log(kafka, kind)
    if data is None:
        raise LogOptionsError("the record's place is missing: give --data DIR or --kafka FILE.")
    file = data / name
    if not create and not file.is_file():
        raise LogOptionsError(f"{data} {missing.format(file)}")
    return SqliteLog(file, create=create, name=kind)


def kafka_log(file: Path, kind: Kind = "facts", *, also: Collection[Kind] = ()) -> Log:
    """Open the log of the cluster that these settings name, after the check that it is safe."""
    found: Log = import_module("consumers.logs.opening_kafka").kafka_log(file, kind, also=also)
    return found


class UnreadLogError(click.ClickException):
    """An error with exit status 2: the log exists but cannot be read."""

    exit_code = 2


@contextmanager
def unread_log() -> Iterator[None]:
    """Turn an unreadable end of a log into status 2: records before it were processed, but prove nothing."""
    with kafka_trouble():
        try:
            yield
        except (PersistenceError, sqlite3.Error) as error:
            raise UnreadLogError(f"the log could not be read to its end: {error}") from error


def folder_option(name: str, says: str, *, required: bool = False) -> Callable[[Command], Command]:
    """An option for a folder; the variable `CATWALK_` with its name in capitals is the alternative."""
    variable = f"CATWALK_{name.removeprefix('--').upper()}"
    return click.option(
        name,
        type=click.Path(file_okay=False, path_type=Path),
        envvar=variable,
        metavar="DIR",
        required=required,
        callback=_closed,
        help=f"{says}; or {variable}.",
    )


def _closed(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> Path | None:
    if folder is not None:
        tell_open(folder)
    return folder


def data_option(command: Command) -> Command:
    """Give a command `--data`."""
    return folder_option("--data", "The data folder of an embedded record")(command)


def record_options(command: Command) -> Command:
    """Give a command `--data` and `--kafka`, which it passes to `open_log`."""
    settings = click.option(
        "--kafka",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CATWALK_KAFKA",
        metavar="FILE",
        help="The settings of the Kafka cluster that holds the record; or CATWALK_KAFKA.",
    )
    return data_option(settings(command))
