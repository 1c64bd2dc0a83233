"""`catwalk keys`: device keys that seal a table's record."""

from pathlib import Path

import click

from consumers.gateway.keys import KeyTroubleError
from consumers.record_place import Place, moment, now, place_options
from domain.facts.codec import encode
from domain.facts.property_day import KeyRegistered
from domain.facts.streams import PROPERTY

_EXAMPLES = """\b
Examples:
  export CATWALK_KEY_PASSPHRASE_FILE=/etc/catwalk/passphrase
  catwalk keys make T7 T7-2026 --data pit | catwalk ingest --data pit -
"""


@click.group("keys", epilog=_EXAMPLES)
def keys_command() -> None:
    """Device keys: made here, sealed by a passphrase from a file or the environment."""


@keys_command.command("make", epilog=_EXAMPLES)
@click.argument("table")
@click.argument("name")
@click.option("--from", "valid_from", metavar="TIME", help="Valid from this moment; now, where left out.")
@place_options
def make_command(
    *, table: str, name: str, valid_from: str | None, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Make the key of TABLE under NAME and print the fact that registers it.

    The fact goes into the property's stream, whose day must be open: pipe it into catwalk ingest.
    """
    at = moment(valid_from, "--from") if valid_from else now()
    try:
        public = Place(data, kafka, state).keys().make(table, name)
    except KeyTroubleError as error:
        raise click.ClickException(str(error)) from error
    fact = KeyRegistered(name, public, table, at=at, source="keys", source_key=f"key:{name}", stream=PROPERTY)
    click.echo(encode(fact))
