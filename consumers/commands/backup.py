"""`catwalk backup` and `catwalk restore`: the record, its keys and everything beside it as one consistent file."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from eventsourcing.persistence import PersistenceError

from consumers.accounts.trail import asker_options, trail
from consumers.backups.embedded import BackupManifest, BackupTroubleError, backup, restore
from consumers.backups.kafka import LOGS, NotEqualError, topics_of
from consumers.gateway.outbox import OutboxTakenError
from consumers.kafka.option import kafka_trouble
from consumers.kafka.topic_names import LETTERS
from consumers.logs.opening import LogOptionsError, folder_option, kafka_log
from consumers.record_place import RecordOptions, now, place_options
from consumers.vault.people import VAULT_FILE

_BACKUP = """\b
Examples:
  catwalk backup --data pit --out pit-2026-11-18.tar
  catwalk backup --kafka reader.toml --state /var/lib/catwalk --out pit-2026-11-18.tar

Stop the gateway of this record or state folder first, because a backup shows one moment. For a record in Kafka, the
backup also copies facts, findings and dead letters from their topics, as a user who may read them, up to where they
ended at the start of the backup. It proves each copy equal by digest. Such a backup is restored as an embedded
record. To copy the topics themselves to another cluster, use Kafka's MirrorMaker. To copy a running record, use
catwalk log copy.
"""
_RESTORE = """\b
Examples:
  catwalk restore pit-2026-11-18.tar --data pit-again && catwalk doctor --data pit-again
  catwalk log copy --from-data pit-again --to-kafka new-cluster.toml

To bring a record back into Kafka, use catwalk log copy; then start a gateway with --kafka new-cluster.toml --state
pit-again. Do not restore into topics that are still whole: records they already hold are skipped, and a place with
other bytes is refused.
"""


@click.command("backup", epilog=_BACKUP)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write.")
@asker_options
@place_options
def backup_command(out: Path, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Write a record, its keys, outbox and dead letters into one file."""
    place = RecordOptions(data, kafka, state)
    if data is not None and kafka is not None:
        raise LogOptionsError("give --data, or --kafka with --state, but not both.")
    if data is None and kafka is None:
        raise LogOptionsError("the record's place is missing: give --data DIR, or --kafka FILE and --state DIR.")
    if not out.parent.is_dir():
        raise click.BadParameter(f"there is no folder {out.parent}", param_hint="--out")
    if out.resolve().is_relative_to(place.folder.resolve()):
        raise click.BadParameter(
            f"{out} is inside the folder that it would copy: name a place outside", param_hint="--out"
        )
    if data is not None:
        place.log().close()  # raises an error if there is no record
    with trail(place.folder) as told:
        told.asks(f"backup into {out}")
    with _trouble(out):
        manifest = backup(place.folder, out) if kafka is None else _of_kafka(kafka, place.folder, out)
    click.echo(f"{out}: {len(manifest.files)} files, {sum(e.size for e in manifest.files.values()):,} bytes", err=True)
    if VAULT_FILE in manifest.files:
        click.echo("It does not include the identity keys: copy them with catwalk vault copy-keys.", err=True)


def _of_kafka(kafka: Path, folder: Path, out: Path) -> BackupManifest:
    with ExitStack() as open_logs:
        logs = {kind: open_logs.enter_context(closing(kafka_log(kafka, kind))) for kind in LOGS}
        letters = open_logs.enter_context(closing(kafka_log(kafka, LETTERS)))
        return backup(folder, out, topics_of(logs, letters, now()))


@contextmanager
def _trouble(out: Path) -> Iterator[None]:
    with kafka_trouble():
        try:
            yield
        except (BackupTroubleError, NotEqualError, OutboxTakenError, PersistenceError, sqlite3.Error) as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise click.ClickException(f"{out} cannot be written: {error.strerror or error}") from error


@click.command("restore", epilog=_RESTORE)
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@folder_option("--data", "The new data folder", required=True)
def restore_command(file: Path, data: Path) -> None:
    """Restore a backup to a new data folder, and check every file against the manifest."""
    try:
        manifest = restore(file, data)
    except BackupTroubleError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{file} cannot be restored to {data}: {error.strerror or error}") from error
    click.echo(f"{data}: {len(manifest.files)} files restored; check them with catwalk doctor", err=True)
