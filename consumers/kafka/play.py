"""`make kafka`: a broker on this machine for trying Catwalk, until Ctrl-C."""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType

import click

from consumers.kafka import topics
from consumers.kafka.clusters import Cluster, one_broker
from consumers.kafka.jars import BrokerUnavailableError, cache_folder
from consumers.kafka.settings import DEVELOPMENT_BANNER, read_settings

PORTS = (19092, 19093)
_SETTINGS = """\
# Written by `make kafka` for the broker it runs.
profile = "development"
bootstrap_servers = ["{server}"]
partitions = 3
log_file = "kafka-client.log"

[security]
protocol = "PLAINTEXT"
"""


@click.command()
@click.option("--ports", nargs=2, type=int, default=PORTS, show_default=True, help="For clients, and for the broker.")
def play(ports: tuple[int, int]) -> None:
    """Run one development broker with the topics of the record."""
    signal.signal(signal.SIGTERM, _stop)
    cache_folder().mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="play-", dir=cache_folder()))
    try:
        with one_broker(folder, ports) as cluster:
            _tell(cluster, write_settings(folder, cluster))
            _wait(cluster)
    except BrokerUnavailableError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo("stopped; the record is deleted.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_settings(folder: Path, cluster: Cluster) -> Path:
    """Write the settings file of a development broker, and create its topics."""
    file = folder / "kafka.toml"
    file.write_text(_SETTINGS.format(server=cluster.bootstrap_servers[0]))
    topics.create(read_settings(file))
    return file


def _tell(cluster: Cluster, file: Path) -> None:
    shown = os.path.relpath(file)
    click.echo(DEVELOPMENT_BANNER)
    click.echo(f"Kafka runs at {cluster.bootstrap_servers[0]}; its log: {os.path.relpath(cluster.brokers[0].log_file)}")
    click.echo(f"  catwalk topics check --kafka {shown}")
    click.echo(f"  export CATWALK_KAFKA={shown}")
    click.echo("Ctrl-C ends it and deletes its record.")
    sys.stdout.flush()


def _wait(cluster: Cluster) -> None:
    """Wait until Ctrl-C, or until the broker ends by itself."""
    code = cluster.brokers[0].wait_ended()
    raise BrokerUnavailableError(f"the broker ended with status {code}: see {cluster.brokers[0].log_file}")


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    play()
