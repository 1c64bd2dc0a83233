"""`catwalk project` and `catwalk rebuild`: keep the read models of a record, and make them anew."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
from eventsourcing.persistence import PersistenceError
from msgspec.structs import replace

from consumers.asking.place import READ
from consumers.ending import until_ended
from consumers.gateway.keys import KeyTroubleError
from consumers.gateway.letter_topic import KIND
from consumers.kafka.option import kafka_trouble
from consumers.kafka.topics import Kind
from consumers.logs.log import Log
from consumers.logs.opening import findings_log
from consumers.projecting.following import UnheardError, follow, through
from consumers.projecting.one_pass import OnePass
from consumers.projecting.projector import AnotherRecordError, Projector
from consumers.projecting.rebuilding import Rebuilt
from consumers.projecting.rebuilding import rebuild as made_anew
from consumers.record_place import Place, place_options
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

One process keeps the read models of a record, in the folder read below --data or --state; any number of others read
what it has published, a second old at most. Rows and the positions they come from are one transaction: killed at any
moment it goes on where it was, and nothing is lost or doubled. A table whose facts have a gap, or cannot be read or
folded, is marked from there; the others go on.

With --verify it does the work of `catwalk watch` too: each fact is read, decoded and folded once, then verified and
made into rows. Findings and rows are the same bytes as those of two processes. Use two processes for two machines.

\b
Exit status: 0 ended by Ctrl-C or SIGTERM, or --once and all is in; 2 usage, --once ended before that, a log or folder
that could not be read or written, or read models that are of another record.
"""
_REBUILD_EXAMPLES = """\b
Examples:
  catwalk rebuild --data pit
  catwalk rebuild --kafka cluster.toml --state /var/lib/catwalk/project

Everything is read again up to where the present read models are, beside them, and compared with them by a digest a
table; then it takes their place, whether equal or not, for it is what the record says. Where the present ones cannot
be read there is nothing to compare with, and all of the record goes in. What would hold a row twice is not taken, and
where the present ones do that is told. A projector that is running ends; start it again.

\b
Exit status: 0 equal, or nothing to compare with; 1 a table came out different; 2 usage, a row that stands twice, or a
log or folder that could not be read or written.
"""


class ProjectStoppedError(click.ClickException):
    """Ends the command with status 2."""

    exit_code = 2


@click.command("project", epilog=_PROJECT_EXAMPLES)
@click.option("--once", is_flag=True, help="Take what is there, publish it and end.")
@click.option("--verify", is_flag=True, help="Verify the facts as well, and write findings to their log.")
@place_options
def project_command(*, once: bool, verify: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Follow a record and what is found in it, and keep the read models that questions are asked of."""
    place = Place(data, kafka, state)
    folder = _read_folder(place)
    with _trouble(), ExitStack() as opened:
        logs = _logs(place, opened, also=(KIND,) if verify else ())
        store = opened.enter_context(Store.open(folder))
        stop = opened.enter_context(until_ended())
        try:
            projector = _verifying(logs, store, opened, place) if verify else Projector(*logs, store)
            if once:
                whole = through(projector, stop)
            else:
                click.echo(f"{'verifying and ' if verify else ''}projecting into {folder}", err=True)
                opened.callback(projector.end)
                projector.begin()
                follow(projector, stop)
                whole = True
        except (AnotherRecordError, UnheardError) as error:
            raise ProjectStoppedError(f"{folder}: {error}") from error
        click.echo(f"{projector.read} facts and records of findings read", err=True)
    if not whole:
        raise ProjectStoppedError(
            "it was ended before all was in: what was read is published, the next one goes on there."
        )


@click.command("rebuild", epilog=_REBUILD_EXAMPLES)
@place_options
def rebuild_command(*, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Make the read models anew from the record, and prove them equal to the present ones."""
    place = Place(data, kafka, state)
    folder = _read_folder(place)
    with _trouble(), ExitStack() as opened:
        facts, findings = _logs(place, opened)
        stop = opened.enter_context(until_ended())
        made = made_anew(folder, facts, findings, stop)
    if made is None:
        raise ProjectStoppedError("it was ended before it was done: the read models are what they were.")
    _tell(made)
    if made.differing:
        raise SystemExit(1)


def _verifying(logs: tuple[Log, Log], store: Store, opened: ExitStack, place: Place) -> OnePass:
    """Dead letters of a record in Kafka have a folder of their own: the gateway sends on those of its folder."""
    letters = place if place.data is not None else replace(place, state=place.folder / "watch")
    report = kept({log.name: log for log in logs}, opened, letters)
    return OnePass(logs, store, report, lambda _: None, signer_of(place.keys(), logs[0]))


def _read_folder(place: Place) -> Path:
    """Where the read models are; nothing else may lie at that place."""
    folder = place.folder / READ
    if folder.exists() and not folder.is_dir():
        raise ProjectStoppedError(
            f"{folder} is a file, and the read models need a folder of that name. Move it away and start again; "
            "nothing was touched."
        )
    return folder


def _tell(made: Rebuilt) -> None:
    for name, told in made.made.items():
        before = made.old.get(name)
        says = "made" if before is None else "equal" if before == told else "DIFFERENT"
        click.echo(f"{name:<12} {told[:16]}  {says}")
    for says in made.doubled:
        click.echo(f"in the read models until now {says}", err=True)
    if made.unread:
        click.echo(f"nothing to compare with: {made.unread}", err=True)
    click.echo(f"{made.read} facts and records of findings read", err=True)


def _logs(place: Place, opened: ExitStack, also: Collection[Kind] = ()) -> tuple[Log, Log]:
    facts = opened.enter_context(closing(place.log(also=also)))
    findings = opened.enter_context(closing(findings_log(data=place.data, kafka=place.kafka)))
    return facts, findings


@contextmanager
def _trouble() -> Iterator[None]:
    """Ends a command with one sentence when a log or the read models cannot be read or written."""
    with kafka_trouble():
        try:
            yield
        except ReadModelsError as error:
            raise ProjectStoppedError(str(error)) from error
        except KeyTroubleError as error:
            raise ProjectStoppedError(f"the watcher's key cannot seal: {error}") from error
        except (PersistenceError, UnansweredError) as error:
            why = error.__cause__ if isinstance(error, UnansweredError) else error
            raise ProjectStoppedError(f"{why}. What was committed stands; the next projector goes on there.") from error
