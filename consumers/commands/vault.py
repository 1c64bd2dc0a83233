"""`catwalk vault`: players' identities, outside the record; the access log records every entry, look and erasure."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
import msgspec

from consumers.accounts.asker import account_options
from consumers.accounts.trail import asked, desk_folder, require_folder, trail
from consumers.asking.place import place_of_answers
from consumers.gateway.keys import KeyTroubleError, passphrase
from consumers.vault.people import VAULT_FILE, Vault, VaultEntry, VaultTroubleError
from domain.desk.access import IdentityErased, IdentityKept
from domain.desk.acting import by

_EXAMPLES = """\b
Examples:
  export CATWALK_KEY_PASSPHRASE_FILE=/etc/catwalk/passphrase
  catwalk vault put members.jsonl --data pit
  catwalk vault show p-1007 --purpose "case 2026-0001" --data pit
  catwalk vault erase p-1007 --purpose "requested by letter of 2026-11-18" --data pit
  catwalk vault list --data pit
  catwalk vault copy-keys /mnt/safe/identity-keys.sqlite --data pit

The record holds tokens and never a name. The vault is a separate file, vault/people.sqlite, which backups include.
Each entry has its own key, in vault/identity-keys.sqlite or the file that CATWALK_IDENTITY_KEYS names, sealed with
the passphrase of the keys. Backups do not include that file: use copy-keys to copy it. Erasing an entry overwrites
its key, so no backup can open the entry, and every hash and proof stays valid.

\b
Exit status: 0 done; 1 the vault has no entry for that player; 2 usage error, or a vault, line, key or desk that
cannot be used.
"""
_PUT = """\b
Example:
  echo '{"player": "p-1007", "name": "Jo Doe", "document": "passport 123"}' | catwalk vault put - --data pit

One line of JSON for each player: player, name, and optionally document and note. All lines are stored, or none. An
existing entry is replaced.
"""


_OLDER = "backups made before today open with the passphrase alone, so replace them. Copy the keys with copy-keys."


class VaultStoppedError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


class NobodyError(click.ClickException):
    """An error that ends the command with status 1."""


@click.group("vault", epilog=_EXAMPLES)
def vault_command() -> None:
    """Store, show and erase the identities of players, outside the record."""


@vault_command.command("put", epilog=_PUT)
@click.argument("file", type=click.File("rb"))
@click.option("--new", is_flag=True, help="Create a folder without a record, if needed.")
@account_options
@place_of_answers
def put_command(file: IO[bytes], *, new: bool, data: Path | None, state: Path | None) -> None:
    """Store the identities of these players."""
    folder = desk_folder(data, state)
    require_folder(data, state, new=new)
    entries = list(_entries(file))
    with _vault(folder, create=True) as vault, trail(folder) as told:
        told.needs("see-identities", "player", asked())
        for entry in entries:
            told.done(IdentityKept(**by(told.act()), player=entry.player))
        added = vault.put(entries)
    click.echo(f"{added} of {len(entries)} players are new; the other entries were replaced", err=True)


@vault_command.command("show", epilog='\b\nExample:\n  catwalk vault show p-1007 --purpose "case 2026-0001" --data pit')
@click.argument("player")
@click.option("--purpose", required=True, metavar="WHY", help="Why you look, for the access log.")
@account_options
@place_of_answers
def show_command(player: str, purpose: str, data: Path | None, state: Path | None) -> None:
    """Show the identity of PLAYER."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault:
        with trail(folder, purpose) as told:
            told.asks(f"who {player} is")
        found = vault.identity(player)
    if found is None:
        raise NobodyError(f"the vault has no entry for {player}: it was never stored, or it was erased.")
    click.echo(msgspec.json.encode(found))


@vault_command.command("erase", epilog='\b\nExample:\n  catwalk vault erase p-1007 --purpose "requested" --data pit')
@click.argument("player")
@click.option("--purpose", required=True, metavar="WHY", help="Why it is erased, for the access log.")
@account_options
@place_of_answers
def erase_command(player: str, purpose: str, data: Path | None, state: Path | None) -> None:
    """Erase the identity of PLAYER, in every backup too. The record keeps the token."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault, trail(folder) as told:
        told.needs("see-identities", "player", asked())
        if vault.identity(player) is None:
            raise NobodyError(f"the vault has no entry for {player}.")
        told.done(IdentityErased(**by(told.act()), player=player, why=purpose.strip()))
        vault.erase(player)
    click.echo(f"the identity of {player} is erased, also in every backup", err=True)
    click.echo(
        "Earlier copies of the identity keys still have its key: replace them with catwalk vault copy-keys.", err=True
    )


@vault_command.command("list", epilog="\b\nExample:\n  catwalk vault list --data pit")
@account_options
@place_of_answers
def list_command(data: Path | None, state: Path | None) -> None:
    """List the tokens that the vault has entries for; no names."""
    folder = desk_folder(data, state)
    with _vault(folder) as vault, trail(folder) as told:
        told.asks(asked())
        for player in vault.players():
            click.echo(player)


@vault_command.command(
    "copy-keys", epilog="\b\nExample:\n  catwalk vault copy-keys /mnt/safe/identity-keys.sqlite --data pit"
)
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@account_options
@place_of_answers
def copy_keys_command(out: Path, data: Path | None, state: Path | None) -> None:
    """Copy the identity keys to OUT, replacing the previous copy. Keep one copy: an older one still has erased keys."""
    folder = desk_folder(data, state)
    if out.resolve().is_relative_to(folder.resolve()):
        raise click.BadParameter(f"{out} is inside the folder: name a place outside", param_hint="OUT")
    with _vault(folder) as vault, trail(folder) as told:
        told.asks(asked())
        count = vault.copy_keys(out)
    click.echo(f"{out}: {count} identity keys, sealed with the passphrase", err=True)


@contextmanager
def _vault(folder: Path, *, create: bool = False) -> Iterator[Vault]:
    try:
        with Vault(folder / VAULT_FILE, passphrase(), create=create) as vault:
            if vault.taken_over:
                click.echo(f"Each entry now has its own key, in {vault.keys_file}: {_OLDER}", err=True)
            yield vault
    except (VaultTroubleError, KeyTroubleError, OSError) as error:
        raise VaultStoppedError(f"{error}.") from error


def _entries(file: IO[bytes]) -> Iterator[VaultEntry]:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=VaultEntry)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise VaultStoppedError(f"line {number}: {error}. Nothing was stored.") from error
