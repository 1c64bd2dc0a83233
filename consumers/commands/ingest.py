"""`catwalk ingest` and `catwalk gateway`: record the facts that files and devices send."""

import grp
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import chain
from pathlib import Path
from time import monotonic
from types import FrameType

import click
import msgspec

from consumers.gateway.clients import InputReport
from consumers.gateway.door import DOOR, DoorSession, open_door
from consumers.gateway.gateway import QUIET, Gateway
from consumers.gateway.letter_budget import LetterLimits
from consumers.gateway.letter_records import one_line
from consumers.gateway.listening import ConnectionLimits, SocketTroubleError, serve
from consumers.gateway.piped import batches
from consumers.network.options import NetworkOptions, NetworkTroubleError, open_network, open_topics
from consumers.record_place import GatewayStoppedError, RecordOptions, gateway_at, open_gateway, place_options
from domain.facts.refused import in_words
from domain.spoken import number_of

_BATCH = 2000
_INGEST = """\b
Examples:
  catwalk ingest --data pit devices.jsonl
  device-feed | catwalk ingest --data pit -
  catwalk ingest --data pit devices.jsonl --json
  catwalk ingest --kafka cluster.toml --state /var/lib/catwalk devices.jsonl

Each line is a fact (docs/facts) or a CloudEvent, not yet numbered, with `source` and the source's own `source_key`;
`stream` names the table. A line sent twice becomes one fact, so send the whole input again after a crash. A line that
cannot be read or placed, or that cannot be true at its table, is kept as a dead letter. The command prints each cause
with its number of lines, the first of them, and what to write instead. Empty lines are numbered and ignored. If a
gateway is running on the record, the lines go through it, with the same result. If there is no record, the command
begins one and says so.

\b
Exit status: 0 every line is on record; 1 some became dead letters (catwalk dead-letters list); 2 usage error, or a
key or record that cannot be used; 130 ended by Ctrl-C, 143 by SIGTERM: the output says how many lines are on record.
"""
_GATEWAY = """\b
Examples:
  catwalk gateway --data pit --socket pit/gateway.sock
  socat - UNIX-CONNECT:pit/gateway.sock < devices.jsonl
  catwalk gateway --data pit --socket pit/gateway.sock --https 0.0.0.0:8443 --certificate pit.crt --key pit.key
  catwalk gateway --data pit --socket pit/gateway.sock --inputs inputs.toml

The gateway continues an existing record; --new begins one. Any number of devices connect and send lines in the form
that catwalk ingest takes. After each durable batch, the gateway sends each device one line, {"taken": N}, with the
number of its lines so far that are on record or kept as dead letters. Empty lines are counted and ignored. Ctrl-C or
SIGTERM ends the gateway; acknowledged lines are durable.

All clients take short turns with equal shares. The gateway disconnects a client that takes too long to end a line or
to read its answers. When all connections are taken, a new client pushes out a silent one, or is disconnected itself. If
the client still listens, its last line is {"closed": "the reason"}. An unfinished line becomes a dead letter. A client
whose dead letters exceed their limit is disconnected too, and its line and all later ones are not taken.
docs/operations.md has all limits.

With --https, the gateway also takes batches of facts by HTTPS and answers fact by fact (docs/connecting.md). With
--tls, devices on other machines connect and send lines as they do at the socket. Both need a certificate and its key.
With --inputs, it reads the Kafka topics of the sources registered with --topic, each record once and in order. FILE has
settings as --kafka does, of the same cluster or another. A topic that cannot be read is reported and tried again.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM; 2 usage error, or a socket, key or record that is missing or cannot be
used.
"""


@click.command("ingest", epilog=_INGEST)
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--json", "as_json", is_flag=True, help="Also print one JSON object: the counts, and the refusals by cause."
)
@place_options
def ingest_command(
    file: BufferedReader, *, as_json: bool, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Record facts from devices or a file: check, number, chain, seal and append them.

    FILE has one fact or CloudEvent per line; `-`, the default, is standard input.
    """
    incoming = batches(file, _name(file), _BATCH)
    first = next(filter(None, incoming), [])  # the command before this one in a pipe may still use the record
    place = RecordOptions(data, kafka, state)
    with gateway_at(place, "console", _name(file), begins=True) as gateway, _until_ended() as ended:
        if isinstance(gateway, DoorSession):
            click.echo("A gateway is running on this record: the lines go through it.", err=True)
        progress = _IngestProgress(gateway)
        for batch in chain([first], incoming):
            if batch:
                gateway.take(batch)
            else:
                gateway.seal_quiet(QUIET)
            progress.show()
            if ended:
                break
        gateway.seal_quiet()
        progress.done()
        report = gateway.report
    _tell(report)
    if as_json:
        click.echo(msgspec.json.encode(_object(report)))
    if ended:
        click.echo("Ended early. The lines taken are on record; send the whole input again.", err=True)
        raise SystemExit(128 + ended[0])
    if report.dead:
        raise SystemExit(1)


@contextmanager
def _until_ended() -> Iterator[list[int]]:
    """The signals to end, as they arrive: the first lets the current batch finish, the second ends at once."""
    came: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        if came:
            click.echo("Ended at once. Recorded lines are safe; send the whole input again.", err=True)
            raise SystemExit(128 + number)
        came.append(number)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command("gateway", epilog=_GATEWAY)
@click.option("--socket", "path", type=click.Path(path_type=Path), required=True, help="The local socket to listen on.")
@click.option(
    "--clients",
    type=click.IntRange(1, 1000),
    default=ConnectionLimits().clients,
    show_default=True,
    help="Maximum number of connections.",
)
@click.option(
    "--half-line-seconds",
    type=click.FloatRange(0.1),
    default=ConnectionLimits().half_line_seconds,
    show_default=True,
    help="Disconnect a client whose line does not end within this time.",
)
@click.option(
    "--unread-seconds",
    type=click.FloatRange(0.1),
    default=ConnectionLimits().unread_seconds,
    show_default=True,
    help="Disconnect a client that reads no answer for this time once its socket is full.",
)
@click.option(
    "--client-letters-mb",
    type=click.IntRange(1),
    default=LetterLimits().client,
    show_default=True,
    help="Disconnect a client whose dead letters would take more than this in an hour.",
)
@click.option(
    "--all-letters-mb",
    type=click.IntRange(1),
    default=LetterLimits().all,
    show_default=True,
    help="The same for the dead letters of all clients.",
)
@click.option(
    "--free-disk-mb",
    type=click.IntRange(0),
    default=LetterLimits().free,
    show_default=True,
    help="Accept no dead letter from a client while the disk has less free space than this.",
)
@click.option("--https", metavar="HOST:PORT", default="", help="Take batches by HTTPS at this address too.")
@click.option("--tls", metavar="HOST:PORT", default="", help="Take lines over TLS at this address too.")
@click.option("--certificate", type=click.Path(path_type=Path), help="PEM file of the certificate and its chain.")
@click.option("--key", type=click.Path(path_type=Path), help="PEM file of its key, closed to other users.")
@click.option(
    "--inputs",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also read the sources' topics of inputs, in the Kafka cluster of these settings.",
)
@click.option("--new", is_flag=True, help="Begin a record if there is none.")
@click.option("--group", metavar="NAME", callback=lambda _, __, name: _group(name), help="Let this group connect too.")
@place_options
def gateway_command(
    *,
    path: Path,
    clients: int,
    half_line_seconds: float,
    unread_seconds: float,
    client_letters_mb: int,
    all_letters_mb: int,
    free_disk_mb: int,
    https: str,
    tls: str,
    certificate: Path | None,
    key: Path | None,
    inputs: Path | None,
    new: bool,
    group: int | None,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Listen on a local socket, and over the network if asked to, and record what devices send."""
    place = RecordOptions(data, kafka, state)
    limits = ConnectionLimits(clients, half_line_seconds, unread_seconds, group)
    letters = LetterLimits(client_letters_mb, all_letters_mb, free_disk_mb)
    ways = NetworkOptions(https, tls, certificate, key)
    with open_gateway(place, begins=new, limits=letters) as gateway:
        gateway.keys.open_newest()  # a missing passphrase fails now, not at the end of the first round
        door = place.folder / DOOR

        def heard() -> None:
            open_door(door, path, gateway.token)
            say(f"listening on {path}, writer epoch {gateway.writer.epoch}")
            for each in (*(network.says if network else ()), *([topics.says] if topics else ())):
                say(each)

        def say(told: str) -> None:
            click.echo(f"gateway: {told}", err=True)

        try:
            network, topics = open_network(ways, limits), open_topics(inputs, gateway, say)
            serve(gateway, path, heard, say, limits, network=network, topics=topics)
        except (SocketTroubleError, NetworkTroubleError) as error:
            raise GatewayStoppedError(str(error)) from error
        finally:
            door.unlink(missing_ok=True)
        _tell(gateway.report)


def _group(name: str | None) -> int | None:
    if name is None:
        return None
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError as error:
        raise click.BadParameter(f"this machine has no group {name!r}") from error


def _name(file: BufferedReader) -> str:
    name = getattr(file, "name", "-")
    return "standard input" if name in ("-", "<stdin>", 0) else os.fsencode(name).decode(errors="backslashreplace")


def _tell(report: InputReport) -> None:
    click.echo(_told(report), err=True)
    for group in report.causes.all():
        click.echo(one_line(in_words(group)), err=True)


def _object(report: InputReport) -> dict[str, object]:
    counts = {"read": report.read, "recorded": report.placed, "known": report.repeated, "dead_letters": report.dead}
    return {**counts, "seals": report.sealed, "refused": report.causes.all()}


def _told(report: InputReport) -> str:
    parts = f"{report.placed} recorded, {report.repeated} known already, {number_of(report.dead, 'dead letter')}"
    return f"{number_of(report.read, 'line')}: {parts}; {report.sealed} seals"


class _IngestProgress:
    """A line on a terminal that shows the progress twice a second."""

    def __init__(self, gateway: Gateway | DoorSession) -> None:
        self.gateway = gateway
        self.shown = 0.0
        self.on = sys.stderr.isatty()

    def show(self) -> None:
        if self.on and monotonic() - self.shown > 0.5:
            self.shown = monotonic()
            click.echo(f"\r{_told(self.gateway.report)}", nl=False, err=True)

    def done(self) -> None:
        if self.on and self.shown:
            click.echo("\r\033[K", nl=False, err=True)
