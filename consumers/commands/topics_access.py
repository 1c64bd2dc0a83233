"""`catwalk topics access`: print, grant or check the rights of a Kafka user."""

import time
from collections.abc import Callable
from typing import Final, get_args

import click
from kafka import KafkaAdminClient

from consumers.kafka import client
from consumers.kafka.access import SOURCE, BadUserError, Role, as_commands, differences, grant
from consumers.kafka.option import kafka_option, kafka_trouble
from consumers.kafka.settings import KafkaSettings
from consumers.kafka.topic_names import BadSourceError

_KNOWN_SECONDS: Final = 15.0
_EXAMPLES = """\b
Examples:
  catwalk topics access gateway --kafka kafka.toml
  catwalk topics access gateway --apply --kafka admin.toml
  catwalk topics access source --source shoe-7 --apply --kafka admin.toml
  catwalk topics access verifier --user watch-2 --check --kafka admin.toml

Without --apply and --check, the command prints the commands of Kafka's own tool and contacts no broker. --apply and
--check need a user who may alter or describe access lists. The command adds rights and never removes any: it names
the rights that go beyond the role, so that you can remove them.

\b
Exit status: 0 printed, or the user has exactly the rights of its role; 1 it lacks some or has more, one line each;
2 a setting or a name cannot be used, or Kafka cannot be reached or refuses this user.
"""


@click.command("access", epilog=_EXAMPLES)
@click.argument("role", type=click.Choice(get_args(Role)))
@click.option("--user", default="", help="The user's name in Kafka; default: the role's name, or source-NAME.")
@click.option("--source", default="", metavar="NAME", help="With the role source: the source that writes.")
@click.option("--apply", "is_applied", is_flag=True, help="Grant the user these rights, and read them back.")
@click.option("--check", "is_checked", is_flag=True, help="Compare the user's rights in force with its role.")
@kafka_option
def access_command(
    *, settings: KafkaSettings, role: Role, user: str, source: str, is_applied: bool, is_checked: bool
) -> None:
    """Print, grant or check the rights of a Kafka user."""
    user = user or (f"{SOURCE}-{source}" if role == SOURCE else role)
    try:
        commands = as_commands(settings, role, user, source)
    except (BadUserError, BadSourceError) as error:
        raise click.UsageError(f"{error}.") from error
    if not is_applied and not is_checked:
        click.echo("\n".join(commands))
        return
    with kafka_trouble(), client.admin(settings) as admin:
        if is_applied:
            grant(admin, settings, role, user, source)
            _wait(lambda: not differences(admin, settings, role, user, source)[0])
        _compare(admin, settings, role, user, source)


def _wait(is_so: Callable[[], bool]) -> None:
    """Wait until a broker knows a right; that takes a moment after the controller accepts it."""
    deadline = time.monotonic() + _KNOWN_SECONDS
    while not is_so() and time.monotonic() < deadline:
        time.sleep(client.ASK_AGAIN_SECONDS)


def _compare(admin: KafkaAdminClient, settings: KafkaSettings, role: Role, user: str, source: str) -> None:
    """Print one line for each missing or additional right, and exit with the status that says so."""
    missing, beyond = client.patiently(settings, lambda: differences(admin, settings, role, user, source))
    for shown in missing:
        click.echo(f"{user} lacks {shown}")
    for shown in beyond:
        click.echo(f"{user} also has {shown}: remove it")
    if missing or beyond:
        raise SystemExit(1)
    click.echo(f"{user} has the rights of the role {role} and no others")
