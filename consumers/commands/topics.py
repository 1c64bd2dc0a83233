"""`catwalk topics`: create the record's topics with safe settings, and check brokers, topics and clients."""

import json

import click
import msgspec

from consumers.commands.topics_access import access_command
from consumers.kafka import topic_names, topics
from consumers.kafka.option import kafka_option, kafka_trouble
from consumers.kafka.safety import Unsafe
from consumers.kafka.settings import KafkaSettings

_STATUS = """\b
Exit status: 0 everything is safe; 1 something is unsafe or missing, one sentence each; 2 a setting cannot be used,
or Kafka cannot be reached or refuses this user."""

_GROUP_EXAMPLES = f"""\b
Examples:
  catwalk topics create --kafka kafka.toml
  catwalk topics check --kafka kafka.toml
  catwalk topics access gateway --kafka kafka.toml

{_STATUS}
"""

_CREATE_EXAMPLES = f"""\b
Examples:
  catwalk topics create --kafka kafka.toml
  catwalk topics create --source shoe-7 --source shoe-8 --kafka kafka.toml
  CATWALK_KAFKA=kafka.toml catwalk topics create

Running it again changes nothing. A topic that exists with other settings is not altered but reported.

{_STATUS}
"""

_CHECK_EXAMPLES = f"""\b
Examples:
  catwalk topics check --kafka kafka.toml
  catwalk topics check --kafka kafka.toml --only facts
  catwalk topics check --kafka kafka.toml --json

{_STATUS}
"""


@click.group("topics", epilog=_GROUP_EXAMPLES)
def topics_command() -> None:
    """Create the topics of the record, or check that brokers, topics and clients are safe for it."""


def _sources(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        try:
            topic_names.check_source(name)
        except topic_names.BadSourceError as error:
            raise click.BadParameter(f"{error}.") from error
    return names


_source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME",
    callback=_sources,
    help="Also this source's inputs; repeat for more.",
)


@topics_command.command("create", epilog=_CREATE_EXAMPLES)
@kafka_option
@_source_option
def create_command(settings: KafkaSettings, sources: tuple[str, ...]) -> None:
    """Create the missing topics, with settings that lose nothing."""
    with kafka_trouble():
        try:
            created = topics.create(settings, sources)
        except topics.UnsafeKafkaError as error:
            _tell(error.found)
    for name in topics.wanted(settings, sources=sources):
        click.echo(f"{name}: {'created' if name in created else 'already exists and is safe'}")


@topics_command.command("check", epilog=_CHECK_EXAMPLES)
@kafka_option
@click.option(
    "--only", "kinds", type=click.Choice(topic_names.ALL), multiple=True, help="Check only this topic; repeat for more."
)
@_source_option
@click.option("--json", "as_json", is_flag=True, help="A JSON list of what is unsafe.")
def check_command(
    settings: KafkaSettings, kinds: tuple[topic_names.Kind, ...], sources: tuple[str, ...], as_json: bool
) -> None:
    """Read the settings of brokers and topics back and say what is unsafe."""
    chosen = kinds or topic_names.ALL
    with kafka_trouble():
        found = topics.check(settings, chosen, sources)
    if as_json:
        click.echo(json.dumps([msgspec.to_builtins(one) for one in found], indent=2))
    if found:
        _tell([] if as_json else found)
    if not as_json:
        click.echo(f"safe: {', '.join(topics.wanted(settings, chosen, sources))}")


topics_command.add_command(access_command)


def _tell(found: list[Unsafe]) -> None:
    """Print one sentence for each unsafe setting, and exit with the status for unsafe."""
    for one in found:
        click.echo(one.sentence)
    raise SystemExit(1)
