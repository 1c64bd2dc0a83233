"""Which log a command works on: `--data DIR` for the embedded one, `--kafka FILE` for Kafka; one of them."""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from eventsourcing.persistence import PersistenceError

from consumers.kafka import client, topics
from consumers.kafka.option import kafka_trouble
from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, read_settings
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.log import Log
from consumers.logs.sqlite import SqliteLog
from consumers.private import tell_open

LOG_FILE: Final = "record/facts.sqlite"  # in the data folder
FINDINGS_FILE: Final = "record/findings.sqlite"

Command = TypeVar("Command", bound=Callable[..., Any])


class LogOptionsError(click.UsageError):
    """No log was named, or two, or one that is not there."""


def open_log(
    *,
    data: Path | None = None,
    kafka: Path | None = None,
    create: bool = False,
    also: Collection[topics.Kind] = (),
) -> Log:
    """The log the options name; only `create` makes an embedded log that is not there yet.

    In Kafka the topics of the kinds in `also` must be safe as well.
    """
    if data is not None and kafka is not None:
        raise LogOptionsError(
            "the record is in one place: give --data or --kafka, not both (CATWALK_DATA and CATWALK_KAFKA count too)."
        )
    if data is not None:
        return embedded_log(data, create=create)
    if kafka is not None:
        return kafka_log(kafka, also=also)
    raise LogOptionsError(
        "where is the record? Give --data DIR (an embedded log) or --kafka FILE (the settings of a Kafka cluster), "
        "or set CATWALK_DATA or CATWALK_KAFKA."
    )


def embedded_log(data: Path, *, create: bool = False) -> SqliteLog:
    """The embedded log of a data folder."""
    file = data / LOG_FILE
    if not create and not file.is_file():
        raise LogOptionsError(f"there is no record in {data}: no file {file}. Name the folder catwalk wrote to.")
    try:
        log = SqliteLog(file, create=create)
        log.last_position(0)  # a file that is no log says so now
    except OSError as error:
        raise LogOptionsError(f"{file}: {error.strerror or error}. Name a folder this user may write to.") from error
    except (PersistenceError, sqlite3.Error) as error:
        raise UnreadLogError(f"{file} cannot be read as a log: {error}. Restore a backup.") from error
    return log


def findings_log(*, data: Path | None = None, kafka: Path | None = None, create: bool = True) -> Log:
    """Where verifiers of this record write; only with `create` an embedded one is made that is not there yet."""
    if kafka is not None:
        return kafka_log(kafka, "findings")
    if data is None:
        raise LogOptionsError("where is the record? Give --data DIR or --kafka FILE.")
    file = data / FINDINGS_FILE
    if not create and not file.is_file():
        raise LogOptionsError(f"nothing was found in {data} yet: no file {file}. Run catwalk watch.")
    return SqliteLog(file, create=create, name="findings")


def kafka_log(
    file: Path,
    kind: topics.Kind = "facts",
    *,
    also: Collection[topics.Kind] = (),
    made: type[KafkaLog] = KafkaLog,
) -> KafkaLog:
    """The log of the cluster these settings name, once it has been found safe."""
    try:
        settings = read_settings(file)
    except KafkaSettingsError as error:
        raise LogOptionsError(str(error)) from error
    if settings.banner:
        click.echo(settings.banner, err=True)
    with kafka_trouble():
        try:
            topics.require_safe(settings, [kind, *also])
        except topics.UnsafeKafkaError as error:
            raise UnsafeLogError(str(error)) from error
        index = client.patiently(settings, lambda: index_file(settings, kind))
        return client.patiently(settings, lambda: made(settings, Index(index), kind=kind))


def index_file(settings: KafkaSettings, kind: topics.Kind) -> Path:
    """Where the index of a topic lies: named by cluster and topic, so that it never speaks of another log."""
    name = topics.name_of(settings, kind)
    with client.admin(settings) as admin:
        cluster = admin.describe_cluster()["cluster_id"]
        topic = admin.describe_topics([name])[0]["topic_id"]
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "catwalk/index" / f"{sha256(f'{cluster} {name} {topic}'.encode()).hexdigest()[:32]}.sqlite"


class UnsafeLogError(click.ClickException):
    """Ends a command with status 2: the cluster could lose what it is given."""

    exit_code = 2


class UnreadLogError(click.ClickException):
    """Ends a command with status 2: there is a log, and it cannot be read."""

    exit_code = 2


@contextmanager
def unread_log() -> Iterator[None]:
    """A log that cannot be read to its end is status 2: what was read before that is told, and proves nothing."""
    with kafka_trouble():
        try:
            yield
        except (PersistenceError, sqlite3.Error) as error:
            raise UnreadLogError(f"the log could not be read to its end: {error}") from error


def folder_option(name: str, says: str, *, required: bool = False) -> Callable[[Command], Command]:
    """An option that names a folder, or `CATWALK_` and its name in capitals does."""
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
    """Gives a command `--data`."""
    return folder_option("--data", "The data folder of an embedded record")(command)


def record_options(command: Command) -> Command:
    """Gives a command `--data` and `--kafka`; it passes them on to `open_log`."""
    settings = click.option(
        "--kafka",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CATWALK_KAFKA",
        metavar="FILE",
        help="The settings of the Kafka cluster that holds the record; or CATWALK_KAFKA.",
    )
    return data_option(settings(command))
