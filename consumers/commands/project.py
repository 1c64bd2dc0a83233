"""`catwalk project` and `catwalk rebuild`: keep the read models of a record, and rebuild them."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from eventsourcing.persistence import PersistenceError
from msgspec.structs import replace

from consumers.asking.place import READ
from consumers.ending import until_ended
from consumers.gateway.keys import KeyTroubleError
from consumers.kafka.option import kafka_trouble
from consumers.kafka.topic_names import LETTERS, Kind
from consumers.logs.log import Log
from consumers.logs.opening import findings_log
from consumers.projecting.following import UnheardError, follow, through
from consumers.projecting.one_pass import OnePass
from consumers.projecting.projector import AnotherRecordError, Projector
from consumers.projecting.rebuilding import Rebuilt, rebuild
from consumers.record_place import RecordOptions, place_options
from consumers.watching.letters import kept
from consumers.watching.sealing import signer_of
from domain.following import UnansweredError
from projections.store.store import Store
from projections.troubles import ReadModelsError

_PROJECT_EXAMPLES = """\b
Examples:
  catwalk project --data pit
  catwalk project --data pit --once
  catwalk project --data pit --verify
  catwalk project --kafka cluster.toml --state /var/lib/catwalk/project

One process writes the read models of a record, in the folder read below --data or --state. Any number of other
processes read what it has published, at most one second old. Rows and their positions in the log are one transaction,
so after a kill at any moment the process resumes without loss or duplicates. A table whose facts have a gap, or
cannot be read or folded, is marked from there on; other tables continue.

With --verify, it also does the work of `catwalk watch`: it reads, decodes and folds each fact once, then verifies it
and writes rows. Findings and rows are the same bytes as with two processes. Use two processes to use two machines.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM, or with --once everything is published; 2 usage error, with --once ended
early, a log or folder that could not be read or written, or read models of another record.
"""
_REBUILD_EXAMPLES = """\b
Examples:
  catwalk rebuild --data pit
  catwalk rebuild --kafka cluster.toml --state /var/lib/catwalk/project

The command reads the record again up to the position of the current read models, writes new ones next to them, and
compares a digest of each table. Then the new ones replace the current ones, even if they differ, because they follow
from the record. If the current ones cannot be read, there is no comparison, and the whole record is read. New read
models with a duplicate row are refused; duplicate rows in the current ones are reported. A running projector ends;
start it again.

\b
Exit status: 0 equal, or nothing to compare with; 1 a table differs; 2 usage error, a duplicate row, or a log or
folder that could not be read or written.
"""


class ProjectStoppedError(click.ClickException):
    """An error that ends the command with status 2."""

    exit_code = 2


@click.command("project", epilog=_PROJECT_EXAMPLES)
@click.option("--once", is_flag=True, help="Publish the record so far and end.")
@click.option("--verify", is_flag=True, help="Verify the facts as well, and write findings to their log.")
@place_options
def project_command(*, once: bool, verify: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Follow a record and its findings, and keep the read models for queries."""
    place = RecordOptions(data, kafka, state)
    folder = _read_folder(place)
    with _trouble(), ExitStack() as opened:
        logs = _logs(place, opened, also=(LETTERS,) if verify else ())
        store = opened.enter_context(Store.open(folder))
        stop = opened.enter_context(until_ended())
        try:
            projector = _verifying(logs, store, opened, place) if verify else Projector(*logs, store)
            if once:
                whole = through(projector, stop)
            else:
                click.echo(f"{'verifying and ' if verify else ''}projecting into {folder}", err=True)
                follow(projector, stop)
                whole = True
        except (AnotherRecordError, UnheardError) as error:
            raise ProjectStoppedError(f"{folder}: {error}") from error
        click.echo(f"{projector.read} facts and records of findings read", err=True)
    if not whole:
        raise ProjectStoppedError("ended early: the facts read so far are published, and the next run resumes there.")


@click.command("rebuild", epilog=_REBUILD_EXAMPLES)
@place_options
def rebuild_command(*, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Rebuild the read models from the record, and compare them with the current ones."""
    place = RecordOptions(data, kafka, state)
    folder = _read_folder(place)
    with _trouble(), ExitStack() as opened:
        facts, findings = _logs(place, opened)
        stop = opened.enter_context(until_ended())
        made = rebuild(folder, facts, findings, stop)
    if made is None:
        raise ProjectStoppedError("ended early: the read models are unchanged. Run the command again.")
    _tell(made)
    if made.differing:
        raise SystemExit(1)


def _verifying(logs: tuple[Log, Log], store: Store, opened: ExitStack, place: RecordOptions) -> OnePass:
    """For Kafka, dead letters get a folder of their own, because a gateway sends those of its own folder."""
    letters = place if place.data is not None else replace(place, state=place.folder / "watch")
    report = kept({log.name: log for log in logs}, opened, letters)
    return OnePass(logs, store, report, lambda _: None, signer_of(place.keys(), logs[0]))


def _read_folder(place: RecordOptions) -> Path:
    """The folder of the read models; raise an error if a file has that name."""
    folder = place.folder / READ
    if folder.exists() and not folder.is_dir():
        raise ProjectStoppedError(
            f"{folder} is a file, but the read models need a folder of that name. Move the file and start again; "
            "nothing was changed."
        )
    return folder


def _tell(made: Rebuilt) -> None:
    for name, told in made.made.items():
        before = made.old.get(name)
        says = "made" if before is None else "equal" if before == told else "DIFFERENT"
        click.echo(f"{name:<12} {told[:16]}  {says}")
    for says in made.doubled:
        click.echo(f"in the previous read models {says}", err=True)
    if made.unread:
        click.echo(f"nothing to compare with: {made.unread}", err=True)
    click.echo(f"{made.read} facts and records of findings read", err=True)


def _logs(place: RecordOptions, opened: ExitStack, also: Collection[Kind] = ()) -> tuple[Log, Log]:
    facts = opened.enter_context(closing(place.log(also=also)))
    findings = opened.enter_context(closing(findings_log(data=place.data, kafka=place.kafka)))
    return facts, findings


@contextmanager
def _trouble() -> Iterator[None]:
    """End a command with one sentence if a log or the read models cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except ReadModelsError as error:
            raise ProjectStoppedError(str(error)) from error
        except KeyTroubleError as error:
            raise ProjectStoppedError(f"the watcher's key cannot seal: {error}") from error
        except (PersistenceError, UnansweredError) as error:
            why = error.__cause__ if isinstance(error, UnansweredError) else error
            raise ProjectStoppedError(f"{why}. Committed rows stay; the next projector resumes there.") from error
