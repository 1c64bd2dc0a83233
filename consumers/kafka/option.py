"""`--kafka FILE`, the same for every command that talks to Kafka."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from kafka.errors import AuthorizationError, KafkaError

from consumers.kafka.client import KafkaUnreachableError
from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, read_settings

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
    except AuthorizationError as error:
        says = f"this user lacks the right: {error}. docs/kafka.md lists the rights of each role."
        raise KafkaTroubleError(says) from error
    except KafkaError as error:
        raise KafkaTroubleError(f"Kafka failed: {type(error).__name__}: {error}. Try again, or see its log.") from error


class KafkaTroubleError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2
