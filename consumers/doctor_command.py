"""`catwalk doctor`: the whole record read again and proved."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import click
import msgspec

from consumers.asking.place import READ
from consumers.desk.proving import Proved, prove
from consumers.gateway.key_register import read_register
from consumers.gateway.keys import verify
from consumers.gateway.letter_records import one_line
from consumers.gateway.outbox import heads
from consumers.logs.log import Log
from consumers.logs.opening import UnreadLogError, findings_log, unread_log
from consumers.record_place import OUTBOX, Place, moment, place_options
from consumers.trust.proving import Proved as TreeProved
from consumers.trust.proving import prove as prove_tree
from consumers.trust.tree_file import TreeTroubleError
from domain.ledger.audit import HARMLESS, Audit, Found
from domain.ledger.seals import PATIENCE
from domain.watch.record_audit import RecordAudit
from projections.doubles import doubled
from projections.reading import opened
from projections.strays import strayed
from projections.troubles import REBUILD, NothingPublishedError, ReadModelsError

_SECOND = 1_000_000
# What each kind of trouble ends the command with; the graver, the higher. 2 is for what could not be read at all.
STATUS = {
    "silent": 1,
    "seal-bad": 3,
    "unsealed": 4,
    "unsealed-long": 4,
    "not-as-stored": 5,
    "opening-missing": 6,
    "second-writer": 7,
    "after-close": 8,
    "out-of-order": 9,
    "day-unlinked": 10,
    "gap": 11,
    "tail-cut": 12,
    "break": 13,
    "unreadable": 14,
    "fork": 15,
    "missing": 16,
    "altered": 17,
    "tree-bad": 18,
}
_DAMAGE = STATUS["not-as-stored"]
_EXAMPLES = """\b
Examples:
  catwalk doctor --data pit
  catwalk doctor --data pit --json
  catwalk doctor --kafka cluster.toml --state /var/lib/catwalk
  catwalk doctor --data pit --findings
  catwalk doctor --data pit --as-of 2026-11-18T21:30:00Z

Reads every fact, proves sequence, hashes, seals and the links between days, and names each trouble with its
stream, sequence and place in the log, and the byte of the record where the bytes tell it: a hash only tells
the record. Facts no seal covers are told; those that have been waiting for one longer than --patience are
trouble, by the latest fact of the record or by --as-of, which also asks which open streams are silent. What people
did at the desk is proved alike, and where it is published to Kafka, that its topics tell the same. Where checkpoints
are made, every record is held against them. Read models that are published beside it are no part of the record: that a
row of them stands twice, that a rollup does not say what its rounds say, or that they cannot be read, ends it with 1
at most, and `catwalk rebuild` cures it.

\b
Exit status, of several the highest:
   0  whole                                    8  after-close: a fact behind its day's close
   1  silent: an open stream says nothing      9  out-of-order: behind facts that follow it
   2  usage, or the log could not be read     10  day-unlinked: a day does not name the one before
   3  seal-bad: a seal does not hold          11  gap: records are missing
   4  unsealed-long: facts wait for a seal    12  tail-cut: the writer wrote more than is here
      (unsealed, with --sealed)               13  break: a record is not what was written
   5  not-as-stored: the same said otherwise  14  unreadable: bytes that are no fact
   6  opening-missing: no opening first       15  fork: two records at one place
   7  second-writer: another writer's mark    16  missing: the tree of checkpoints holds more
  17  altered since a checkpoint was signed   18  tree-bad: that tree itself is not whole
"""


class Silent(msgspec.Struct, frozen=True):
    """An open stream that has said nothing."""

    kind: str
    stream: str
    sequence: int
    where: str
    says: str
    byte: None = None


@click.command("doctor", epilog=_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a trouble.")
@click.option("--sealed", is_flag=True, help="What no seal covers is trouble too.")
@click.option(
    "--findings",
    is_flag=True,
    help="Prove the findings log instead: its chains, and its seals where a watcher has a key.",
)
@click.option("--as-of", metavar="TIME", help="A moment by which silence and waiting for a seal are told.")
@click.option(
    "--patience",
    type=click.IntRange(1),
    default=PATIENCE // _SECOND,
    show_default=True,
    metavar="SECONDS",
    help="How long a stream may be silent, or its facts wait for a seal.",
)
@place_options
def doctor_command(
    *,
    as_json: bool,
    sealed: bool,
    findings: bool,
    as_of: str | None,
    patience: int,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Prove the record: re-read everything and name whatever is not as it was written."""
    place = Place(data, kafka, state)
    asked = moment(as_of, "--as-of") if as_of else None
    if findings:
        _prove_findings(place, as_json=as_json, sealed=sealed)
        return
    with unread_log():
        log = place.log()
        try:
            audit = Audit(read_register(log), verify)
            status = 0
            heads, not_compared = _heads(place)
            for found in _troubles(log, audit, heads, asked, patience * _SECOND):
                status = max(status, _status(found, sealed=sealed))
                _say(found, as_json=as_json)
        finally:
            log.close()
    _tell(audit, status)
    status = max(status, _desk_proved(place, as_json=as_json))
    status = max(status, _tree_proved(place, as_json=as_json))
    status = max(status, _read_models_told(place))
    if not_compared:
        click.echo(f"{not_compared}, so nobody compared where the record ends with what its writer wrote", err=True)
    if status:
        raise SystemExit(status)


def _desk_proved(place: Place, *, as_json: bool) -> int:
    """The same for what people did at the desk, where there is one: sequence, hashes, bytes, and its topics."""
    proved, status = Proved(), 0
    with unread_log():
        for found in prove(place.folder if place.has_folder else None, place.kafka, proved):
            status = max(status, _status(found, sealed=False))
            _say(found, as_json=as_json)
    if proved.read:
        click.echo(f"{proved.read} records of the desk in {proved.streams} streams: {_verdict(status)}", err=True)
    for note in proved.notes:
        click.echo(note, err=True)
    return status


def _tree_proved(place: Place, *, as_json: bool) -> int:
    """The tree of the property's checkpoints, where one was begun: itself, and the record against each leaf of it."""
    proved, status = TreeProved(), 0
    with unread_log():
        try:
            for found in prove_tree(place, proved):
                status = max(status, _status(found, sealed=False))
                _say(found, as_json=as_json)
        except TreeTroubleError as error:
            raise UnreadLogError(str(error)) from error
    if proved.heads:
        told = f"{proved.heads} checkpoints over {proved.leaves} stretches, {proved.records} records held against them"
        click.echo(f"{told}: {_verdict(status)}", err=True)
    return status


def _read_models_told(place: Place) -> int:
    """Whether a row of the read models stands twice or does not follow from its rounds, where some are published."""
    if not place.has_folder:
        return 0
    try:
        with opened(place.folder / READ, all_of_it=True) as reading:
            wrong = [twice.says for twice in doubled(reading)] + [other.says for other in strayed(reading)]
            told = [f"{place.folder / READ}: {says}. {REBUILD}" for says in wrong]
    except NothingPublishedError:
        return 0
    except ReadModelsError as error:
        told = [str(error)]
    for says in told:
        click.echo(says, err=True)
    return STATUS["silent"] if told else 0


def _prove_findings(place: Place, *, as_json: bool, sealed: bool) -> None:
    """The same for what verifiers wrote: sequence, hashes, bytes and seals."""
    with unread_log():
        with closing(place.log()) as facts:
            audit, status = RecordAudit(read_register(facts), verify), 0
        with closing(findings_log(data=place.data, kafka=place.kafka, create=False)) as log:
            for found in _of_findings(audit, log):
                status = max(status, _status(found, sealed=sealed))
                _say(found, as_json=as_json)
    _tell(audit, status)
    if not audit.seals.count:
        click.echo("no watcher sealed these findings: catwalk keys make watcher NAME makes the key for it", err=True)
        status = max(status, STATUS["unsealed"] if sealed else 0)
    if status:
        raise SystemExit(status)


def _of_findings(audit: RecordAudit, log: Log) -> Iterator[Found]:
    for batch in log.drain({}):
        for position, stored in batch.facts:
            yield from audit.take(stored, f"{log.name}/{batch.partition}:{position}")
    yield from audit.finish()


def _tell(audit: Audit | RecordAudit, status: int) -> None:
    click.echo(f"{audit.read} records in {audit.begun} streams: {_verdict(status)}", err=True)


def _verdict(status: int) -> str:
    return "whole" if status == 0 else "not as it was written" if status >= _DAMAGE else "to be looked at"


def _heads(place: Place) -> tuple[dict[str, tuple[int, str]], str]:
    """What the gateway here knows it wrote, or why that is not known."""
    path = place.folder / OUTBOX if place.has_folder else None
    if path is None or not path.exists():
        return {}, "the outbox of the gateway is not here"
    try:
        told = heads(path)
    except (sqlite3.DatabaseError, msgspec.DecodeError) as error:
        says = f"{path}, the gateway's outbox, cannot be read: {error}. A catwalk log copy is proved without it."
        raise UnreadLogError(says) from error
    return (told, "") if told is not None else ({}, "a gateway is at work")


def _troubles(
    log: Log, audit: Audit, heads: dict[str, tuple[int, str]], asked: int | None, patience: int
) -> Iterator[Found | Silent]:
    for batch in log.drain({}):
        for position, stored in batch.facts:
            yield from audit.take(stored, f"{log.name}/{batch.partition}:{position}")
    yield from audit.finish(heads, asked, patience)
    if asked is not None:
        yield from _silent(audit, asked, patience)


def _silent(audit: Audit, asked: int, patience: int) -> Iterator[Silent]:
    for name, reading in sorted(audit.streams.items()):
        quiet = asked - reading.last_at
        if not reading.closed and quiet > patience:
            says = f"open, and silent for {timedelta(seconds=quiet // _SECOND)}"
            yield Silent("silent", name, reading.chain.sequence, reading.where, says)


def _status(found: Found | Silent, *, sealed: bool) -> int:
    if found.kind in HARMLESS and not (sealed and found.kind == "unsealed"):
        return 0
    return STATUS[found.kind]


def _say(found: Found | Silent, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        at = f" at {found.where}" if found.where else ""
        byte = "" if found.byte is None else f", byte {found.byte}"
        told = f"{found.kind}: {found.stream or 'no stream'} record {found.sequence}{at}{byte}: {found.says}"
        click.echo(one_line(told))
