"""`catwalk vault`: who players are, kept outside the record; every entry, look and erasure stands in the access log."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
import msgspec

from consumers.asking.place import place_of_answers
from consumers.desk.asker import account_options
from consumers.desk.trail import asked, desk_folder, trail
from consumers.gateway.keys import KeyTroubleError, passphrase
from consumers.vault.people import VAULT_FILE, Entry, Vault, VaultTroubleError
from domain.desk.access import IdentityErased, IdentityKept
from domain.desk.acting import by

_EXAMPLES = """\b
Examples:
  export CATWALK_KEY_PASSPHRASE_FILE=/etc/catwalk/passphrase
  catwalk vault put members.jsonl --data pit
  catwalk vault show p-1007 --purpose "case 2026-0001" --data pit
  catwalk vault erase p-1007 --purpose "asked for by letter of 2026-11-18" --data pit
  catwalk vault list --data pit

The record holds tokens and never a name. The vault is a file of its own, vault/people.sqlite, sealed by the passphrase
of the keys; a backup takes it along. What is erased is overwritten there, and every hash and proof stays as it is.

\b
Exit status: 0 done; 1 nothing is kept of that player; 2 usage, or a vault, line, key or desk that will not do.
"""
_PUT = """\b
Example:
  echo '{"player": "p-1007", "name": "Jo Doe", "document": "passport 123"}' | catwalk vault put - --data pit

A line of JSON each: player, name, and document and note where there are any. All lines are taken, or none. What was
kept of a player is replaced.
"""


class VaultStoppedError(click.ClickException):
    """Ends the command with status 2."""

    exit_code = 2


class NobodyError(click.ClickException):
    """Ends the command with status 1."""


@click.group("vault", epilog=_EXAMPLES)
def vault_command() -> None:
    """Who players are: kept, shown and erased outside the record."""


@vault_command.command("put", epilog=_PUT)
@click.argument("file", type=click.File("rb"))
@account_options
@place_of_answers
def put_command(file: IO[bytes], data: Path | None, state: Path | None) -> None:
    """Keep who these players are."""
    folder = desk_folder(data, state)
    entries = list(_entries(file))
    with _vault(folder, create=True) as vault, trail(folder) as told:
        told.needs("see-identities", "player", asked())
        for entry in entries:
            told.done(IdentityKept(**by(told.act()), player=entry.player))
        new = vault.put(entries)
    click.echo(f"{new} of {len(entries)} players are new, the others were kept before", err=True)


@vault_command.command("show", epilog='\b\nExample:\n  catwalk vault show p-1007 --purpose "case 2026-0001" --data pit')
@click.argument("player")
@click.option("--purpose", required=True, metavar="WHY", help="Why you look, for the access log.")
@account_options
@place_of_answers
def show_command(player: str, purpose: str, data: Path | None, state: Path | None) -> None:
    """Show who a PLAYER is."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault:
        with trail(folder, purpose) as told:
            told.asks(f"who {player} is")
        found = vault.identity(player)
    if found is None:
        raise NobodyError(f"nothing is kept of {player}: nobody said who that is, or it was erased.")
    click.echo(msgspec.json.encode(found))


@vault_command.command("erase", epilog='\b\nExample:\n  catwalk vault erase p-1007 --purpose "asked for" --data pit')
@click.argument("player")
@click.option("--purpose", required=True, metavar="WHY", help="Why it is erased, for the access log.")
@account_options
@place_of_answers
def erase_command(player: str, purpose: str, data: Path | None, state: Path | None) -> None:
    """Erase who a PLAYER is. The record keeps the token; backups made before keep their copy, sealed."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault, trail(folder) as told:
        told.needs("see-identities", "player", asked())
        if vault.identity(player) is None:
            raise NobodyError(f"nothing is kept of {player}.")
        told.done(IdentityErased(**by(told.act()), player=player, why=purpose.strip()))
        vault.erase(player)
    click.echo(f"who {player} is was erased", err=True)


@vault_command.command("list", epilog="\b\nExample:\n  catwalk vault list --data pit")
@account_options
@place_of_answers
def list_command(data: Path | None, state: Path | None) -> None:
    """List the tokens of whom something is kept; no names."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault, trail(folder) as told:
        told.asks(asked())
        for player in vault.players():
            click.echo(player)


@contextmanager
def _vault(folder: Path, *, create: bool = False) -> Iterator[Vault]:
    try:
        with Vault(folder / VAULT_FILE, passphrase(), create=create) as vault:
            yield vault
    except (VaultTroubleError, KeyTroubleError, OSError) as error:
        raise VaultStoppedError(f"{error}.") from error


def _entries(file: IO[bytes]) -> Iterator[Entry]:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Entry)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise VaultStoppedError(f"line {number}: {error}; nothing was kept.") from error
