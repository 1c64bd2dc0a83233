"""`catwalk relay`: publish the desk's reviews, cases and access log to Kafka."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from eventsourcing.persistence import PersistenceError

from consumers.desk.opening import DeskPlaceError, open_desk
from consumers.desk.relay import KINDS, Relay, RelayStoppedError, cluster_name
from consumers.ending import until_ended
from consumers.kafka.option import kafka_trouble
from consumers.logs.opening import LogOptionsError, kafka_log
from consumers.record_place import RecordOptions, place_options

_EXAMPLES = """\b
Examples:
  catwalk relay --kafka cluster.toml --state /var/lib/catwalk
  catwalk relay --kafka cluster.toml --state /var/lib/catwalk --once

Publishes each record of the desk, as stored and once, to the topics cases and access. The desk is in the folder of
--state, or in the PostgreSQL database that POSTGRES_DBNAME and related variables name. The desk also stores the
position up to which everything is published. So after a kill at any moment the relay resumes there, on any machine
that can reach the desk. An embedded record has its own desk and needs no relay.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM, or --once and all is published; 2 usage, or a desk or topic that could not
be read or written.
"""


class RelayTroubleError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


@click.command("relay", epilog=_EXAMPLES)
@click.option("--once", is_flag=True, help="Publish the desk's records so far and end.")
@place_options
def relay_command(*, once: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Publish the desk's records to Kafka as they are written."""
    place = RecordOptions(data, kafka, state)
    if kafka is None:
        raise LogOptionsError("an embedded record needs no relay: use the relay with --kafka FILE and --state DIR.")
    with _trouble(), ExitStack() as opened:
        desk = opened.enter_context(closing(open_desk(place.folder)))
        logs = {kind: opened.enter_context(closing(kafka_log(kafka, kind))) for kind in KINDS}
        relay = Relay(desk, logs, cluster_name(kafka))
        stop = opened.enter_context(until_ended())
        if once:
            relay.through(stop)
        else:
            click.echo(f"relaying from record {relay.position + 1} of the desk", err=True)
            relay.follow(stop)
        click.echo(f"{relay.published} records of the desk published", err=True)


@contextmanager
def _trouble() -> Iterator[None]:
    with kafka_trouble():
        try:
            yield
        except (RelayStoppedError, DeskPlaceError) as error:
            raise RelayTroubleError(str(error)) from error
        except (PersistenceError, sqlite3.Error, OSError) as error:
            raise RelayTroubleError(f"{error}. Published records stay; the next relay resumes there.") from error
