"""`--kafka FILE`, the same for every command that talks to Kafka."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, KafkaUnreachableError, read_settings

Command = TypeVar("Command", bound=Callable[..., Any])


def kafka_option(command: Command) -> Command:
    """Give a command the argument `settings`; a development profile is announced first."""
    return click.option(
        "--kafka",
        "settings",
        metavar="FILE",
        envvar="CATWALK_KAFKA",
        show_envvar=True,
        required=True,
        callback=_read,
        help="The Kafka settings, as docs/kafka.md describes them.",
    )(command)


def _read(_context: click.Context, _parameter: click.Parameter, value: str) -> KafkaSettings:
    try:
        settings = read_settings(Path(value))
    except KafkaSettingsError as error:
        raise click.UsageError(str(error)) from error
    if settings.banner:
        click.echo(settings.banner, err=True)
    return settings


@contextmanager
def kafka_trouble() -> Iterator[None]:
    """End the command with one sentence and status 2 if Kafka cannot be reached or refuses the user."""
    try:
        yield
    except (KafkaUnreachableError, KafkaSettingsError) as error:
        raise KafkaTroubleError(str(error)) from error
    except Exception as error:
        says = _says(error)
        if says is None:
            raise
        raise KafkaTroubleError(says) from error


def lacks_right(error: BaseException | None) -> bool:
    """Whether Kafka refused this because the user lacks a right."""
    return _is_kafkas(error, "AuthorizationError")


def _is_kafkas(error: BaseException | None, name: str) -> bool:
    """Whether this is an error of kafka-python of that class. If nothing of it was imported, nothing of it failed."""
    errors = sys.modules.get("kafka.errors")
    return errors is not None and isinstance(error, getattr(errors, name))


def _says(error: Exception) -> str | None:
    """An error of kafka-python in words; None for any other error."""
    if not _is_kafkas(error, "KafkaError"):
        return None
    if lacks_right(error):
        return f"this user lacks the right: {error}. docs/kafka.md lists the rights of each role."
    return f"Kafka failed: {type(error).__name__}: {error}. Try again, or see its log."


class KafkaTroubleError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2
