"""`catwalk signer`: make and sign exports for the room, so that the room needs no key."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from eventsourcing.persistence import PersistenceError

from consumers.desk.opening import DeskPlaceError, open_desk
from consumers.ending import until_ended
from consumers.exporting.orders import EXPORTS, Home, Shelf
from consumers.gateway.keys import KeyTroubleError, passphrase
from consumers.record_place import RecordOptions, place_options
from consumers.signing.service import SocketError, serving
from consumers.signing.words import SOCKET

_EXAMPLES = """\b
Examples:
  catwalk signer --data pit
  catwalk signer --kafka cluster.toml --state /var/lib/catwalk --socket /run/catwalk/signer.sock

When a second person signs an order on the dashboard, the dashboard asks this process on a local socket. The process
makes the export, signs it with the property's key, and puts it into the folder exports. The desk records order,
signature and digest. The dashboard itself needs no passphrase. The process answers only the same user.
CATWALK_KEY_PASSPHRASE_FILE names the file with the passphrase of the keys.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM; 2 usage error, no passphrase, or a socket or desk that cannot be used.
"""


class SignerStoppedError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


@click.command("signer", epilog=_EXAMPLES)
@click.option(
    "--socket",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"The local socket to listen on; default: {SOCKET} in the folder.",
)
@place_options
def signer_command(*, path: Path | None, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Make and sign the exports that people order on the dashboard."""
    place = RecordOptions(data, kafka, state)
    folder = place.folder.absolute()
    place.require_record()
    with _trouble(), ExitStack() as held:
        passphrase()  # a missing passphrase fails now, not at the first order
        desk = held.enter_context(closing(open_desk(folder)))
        shelf = Shelf(Home(folder, data, kafka, folder / EXPORTS), desk)
        stop = held.enter_context(until_ended())
        chosen = path or folder / SOCKET
        with serving(chosen, shelf):
            click.echo(f"listening on {chosen} for exports to sign", err=True)
            stop.wait()


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except (SocketError, KeyTroubleError, DeskPlaceError, PersistenceError, sqlite3.Error, OSError) as error:
        raise SignerStoppedError(f"{str(error).rstrip('.')}.") from error
