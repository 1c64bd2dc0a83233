"""`catwalk up` and `catwalk demo`: all parts on one machine, from a file or with a simulated floor."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import sleep
from typing import NoReturn

import click

from consumers.accounts.accounts import added
from consumers.commands.accounts import PASSWORD as PASSWORD_VARIABLE
from consumers.ending import until_ended
from consumers.gateway.keys import PASSPHRASE, PASSPHRASE_FILE
from consumers.kafka.clusters import one_broker
from consumers.kafka.jars import BrokerUnavailableError
from consumers.kafka.play import write_settings
from consumers.kafka.settings import DEVELOPMENT_BANNER
from consumers.private import tell_open
from consumers.up.checking import check, port_taken
from consumers.up.configuration import PartProcess, parts, read
from consumers.up.sign_in import ConfigurationError
from consumers.up.supervising import supervise

_UP_EXAMPLES = """\b
Examples:
  catwalk up pit.toml
  catwalk up pit.toml --only room

The file has a section for each part: [record] with data, or kafka and state; [gateway] with socket; [watch];
[project]; [checkpoint] with every, and begin for the name of a property whose tree may be begun; [relay], for a
record in Kafka; [signer], which makes and signs the exports that people order on the dashboard; [room] with port,
address, origin, accounts, hours, proxies and sign_in; and [desk] if that is in PostgreSQL. A part without a section
is not started.
[watch] and [project] are one process, called project, that reads each fact once; with --only, they are two.
Nothing starts if a file with a passphrase or password cannot be read or other users may read it. A part that ends is
restarted. A part that ends with status 2 right after each of its first six starts ends all parts. With --only, this
process becomes that one part, to run under a service manager. docs/operations.md has an example file and the unit
files.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM; 2 usage error, or a file, a secret or a part that cannot be used.
"""
_DEMO_EXAMPLES = """\b
Examples:
  catwalk demo
  catwalk demo --tables 6 --pace 30 --port 8600
  catwalk demo --broker

Runs a dozen tables of all five games on an embedded record, with mistakes and fraud added, verifies them, and shows
the dashboard in the browser. With --broker, the record is on a real Kafka broker. Ctrl-C ends everything that the
command started. The record stays in the folder that it names until you delete it.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM; 2 usage error.
"""
_LOOK_SECONDS = 0.2
_SEED = 13945  # all twelve tables of this floor open within three hours, before the pages do
PASSWORD = "look-closely-now"  # noqa: S105 - a demonstration's, printed when it starts
_NAMES = {"olga": "operator", "ivan": "investigator", "mara": "manager", "adam": "auditor", "rhea": "regulator"}
_NAMES |= {"dave": "device-admin"}


@click.command("up", epilog=_UP_EXAMPLES)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--only", metavar="PART", help="Become this one part: gateway, watch, project, checkpoint, relay, signer or room."
)
def up_command(file: Path, only: str | None) -> None:
    """Start the parts that FILE names, and keep them running."""
    with _configured():
        configured = read(file)
        found = parts(configured, file.absolute().parent, apart=only is not None)
        tell_open(file.absolute().parent / (configured.record.data or configured.record.state))
    _keep_secrets()
    if not found:
        raise click.UsageError(f"{file} names no part: give it a section [gateway], [watch], [project] or [room].")
    chosen = found if only is None else [part for part in found if part.name == only]
    if not chosen:
        raise click.UsageError(f"{file} has no part {only}: it has {', '.join(part.name for part in found)}.")
    with _configured():
        check(configured, chosen, file.absolute().parent)
    if only is not None:
        _become(chosen[0])
    with _configured(), until_ended() as stop:
        supervise(found, stop, _say)


def _keep_secrets() -> None:
    """Remove secrets from the environment; parts that need the passphrase get it, or its file, by name."""
    for name in (PASSWORD_VARIABLE, PASSPHRASE_FILE, PASSPHRASE):
        os.environ.pop(name, None)


def _become(part: PartProcess) -> NoReturn:
    """Replace this process with one part; its exit status is the part's own."""
    if part.waits and part.needs is not None and not part.needs.exists():
        _say(part.name, part.waits)
    while part.needs is not None and not part.needs.exists():
        sleep(_LOOK_SECONDS)  # another part creates the record
    with _configured():
        if part.prepare is not None:
            part.prepare()
    os.execve(part.command[0], part.command, {**os.environ, **part.environment})  # noqa: S606 - our own command


@click.command("demo", epilog=_DEMO_EXAMPLES)
@click.option("--tables", type=click.IntRange(1, 60), default=12, show_default=True, help="Number of tables.")
@click.option(
    "--pace", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Speed, as a multiple of live."
)
@click.option(
    "--ahead", type=click.IntRange(0, 900), default=240, show_default=True, help="Minutes of play before now."
)
@click.option("--seed", type=int, default=_SEED, show_default=True, help="The same number gives the same floor.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="The port of the dashboard."
)
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="A new folder for the record.")
@click.option("--broker", is_flag=True, help="Use a Kafka broker that the command starts; requires Java and Maven.")
def demo_command(
    *, tables: int, pace: float, ahead: int, seed: int, port: int, data: Path | None, broker: bool
) -> None:
    """Run a simulated casino floor with the live dashboard."""
    if data is not None and (data / "record").exists():
        raise click.UsageError(f"{data} already has a record: name a new folder.")
    if port_taken("localhost", port):
        free = next((other for other in range(port + 1, 65536) if not port_taken("localhost", other)), port)
        says = f"port {port} is in use by another program: end it, or choose another port for the dashboard"
        raise click.UsageError(f"{says} with --port, such as catwalk demo --port {free} or make demo PORT={free}.")
    folder = Path(tempfile.mkdtemp(prefix="catwalk-demo-")) if data is None else data
    for name, role in _NAMES.items():
        added(folder / "accounts.toml", name, (role,), PASSWORD)
    (folder / "passphrase").write_text(secrets.token_hex(16), "utf-8")
    floor = f'tables = {tables}\nseed = {seed}\npace = {pace}\nahead = {ahead}\nincidents = "all"\n'
    floor += "keys = true\ncameras = true\n"
    with _configured(), ExitStack() as running:
        file = folder / "demo.toml"
        file.write_text(
            f'{_record(folder, running, broker=broker)}passphrase_file = "passphrase"\n\n'
            f'[simulate]\n{floor}labels = "{folder / "labels.jsonl"}"\n\n[watch]\n\n[project]\n\n'
            f'[checkpoint]\nevery = "1m"\nbegin = "catwalk/demo"\n\n[signer]\n\n{"[relay]" if broker else ""}\n'
            f"[room]\nport = {port}\n",
            "utf-8",
        )
        found = parts(read(file), folder.absolute())
        _keep_secrets()
        click.echo(_welcome(tables, pace, port, folder))
        with until_ended() as stop:
            supervise(found, stop, lambda name, line: None if line == DEVELOPMENT_BANNER else _say(name, line))
    click.echo(f"Ended. The record stays in {folder}.")


def _record(folder: Path, running: ExitStack, *, broker: bool) -> str:
    """The record section of a demonstration: its folder, or a broker that runs as long as the demonstration."""
    if not broker:
        return '[record]\ndata = "."\n'
    click.echo("Starting a Kafka broker; the first time, it is downloaded from Maven Central.")
    try:
        cluster = running.enter_context(one_broker(folder.absolute() / "broker"))
    except BrokerUnavailableError as error:
        raise click.UsageError(f"a broker cannot run here: {error}") from error
    write_settings(folder, cluster)
    click.echo(DEVELOPMENT_BANNER)
    return '[record]\nkafka = "kafka.toml"\nstate = "."\n'


def _welcome(tables: int, pace: float, port: int, folder: Path) -> str:
    people = ", ".join(f"{name} ({role})" for name, role in _NAMES.items())
    return (
        f"A floor of {tables} tables, {pace:g} times as fast as live, on a record in {folder}.\n"
        f"Open http://localhost:{port} in a few seconds.\n"
        f"Sign in as {people}; the password is {PASSWORD}\n"
        "Watch the Findings page as mistakes happen: open a finding, open its hand, play it. Ctrl-C ends everything."
    )


@contextmanager
def _configured() -> Iterator[None]:
    try:
        yield
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from error


def _say(name: str, line: str) -> None:
    click.echo(f"{name:>8}  {line}", err=True)
