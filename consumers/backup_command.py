"""`catwalk backup` and `catwalk restore`: the record, its keys and all beside it as one consistent whole."""

from pathlib import Path

import click

from consumers.backup import BackupTroubleError, backup, restore
from consumers.gateway.outbox import OutboxTakenError

_BACKUP = """\b
Example:
  catwalk backup --data pit --out pit-2026-11-18.tar

The gateway of this record must not be running: a backup is of one moment. For a copy beside a running
record use catwalk log copy, or Kafka's MirrorMaker.
"""
_RESTORE = """\b
Example:
  catwalk restore pit-2026-11-18.tar --data pit-again && catwalk doctor --data pit-again
"""
_DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), envvar="CATWALK_DATA", metavar="DIR", required=True
)


@click.command("backup", epilog=_BACKUP)
@_DATA
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write.")
def backup_command(data: Path, out: Path) -> None:
    """Write an embedded record, its keys, outbox and dead letters into one file."""
    try:
        manifest = backup(data, out)
    except (BackupTroubleError, OutboxTakenError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{out}: {len(manifest.files)} files, {sum(e.size for e in manifest.files.values()):,} bytes", err=True)


@click.command("restore", epilog=_RESTORE)
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@_DATA
def restore_command(file: Path, data: Path) -> None:
    """Put a backup in place as a new data folder, every file proved against the manifest."""
    try:
        manifest = restore(file, data)
    except (BackupTroubleError, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{data}: {len(manifest.files)} files put in place; prove them with catwalk doctor", err=True)
