"""Check the desk, for `catwalk doctor`: its own chains, its topics' chains, and whether both agree."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path

import click
import msgspec
from eventsourcing.persistence import PersistenceError

from consumers.desk.application import DESK_FILE, Desk
from consumers.desk.opening import DeskPlaceError, database, open_desk
from consumers.desk.relay import KINDS, Relay, cluster_name
from consumers.doctor.database import readonly
from consumers.doctor.rows import Rows, TreeCoverage, misplaced
from consumers.kafka.option import lacks_right
from consumers.kafka.topic_names import Kind
from consumers.logs.log import Log
from consumers.logs.opening import UnreadLogError, kafka_log
from consumers.logs.sqlite import LogRow
from domain.desk.audit import DeskAudit, compared
from domain.ledger.audit import HARMLESS, ChainTrouble
from domain.ledger.chain import digest

_BATCH = 1_000


class RecordProof(msgspec.Struct):
    """The amounts read, and notes besides the problems."""

    read: int = 0
    streams: int = 0
    notes: list[str] = []
    ends: dict[str, int] = {}  # the last record of each stream


def prove(
    folder: Path | None, kafka: Path | None, proved: RecordProof, tree: TreeCoverage | None = None
) -> Iterator[ChainTrouble]:
    """Every problem of the desk in this folder, or in the environment's database, and of its topics."""
    with ExitStack() as opened:
        desk = _desk(folder, opened)
        logs = _logs(kafka, opened, proved) if kafka is not None else {}
        # In this order, a desk in use with a relay behind it is consistent: the part that is read later has more.
        published = Relay(desk, logs, cluster_name(kafka)).position if desk is not None and logs and kafka else 0
        seen, held = DeskAudit(), DeskAudit(published)
        for log in logs.values():
            yield from _of_topic(seen, log)
        if desk is not None:
            yield from _of_desk(held, desk) if database() or folder is None else _of_file(held, folder, tree)
        proved.read += seen.read + held.read
        proved.streams = len(seen.streams | held.streams)
        proved.ends = {stream: read.chain.sequence for stream, read in held.streams.items()}
        if not logs:
            return
        if desk is None:
            proved.notes.append("the desk is not here, so its topics were not compared with it")
            return
        yield from compared(held.streams, seen.streams, lambda stream, at: _head(desk, stream, at))
        if left := sum(read.waits for read in held.streams.values()):
            proved.notes.append(f"{left} streams of the desk have records that catwalk relay has not published yet")


def _desk(folder: Path | None, opened: ExitStack) -> Desk | None:
    """The existing desk, or None: the check creates nothing."""
    if not database() and (folder is None or not (folder / DESK_FILE).is_file()):
        return None
    try:
        return opened.enter_context(closing(open_desk(folder or Path())))
    except (PersistenceError, sqlite3.Error, DeskPlaceError, OSError) as error:
        raise UnreadLogError(f"the desk cannot be opened: {error}. Restore it from a backup.") from error


def _logs(kafka: Path, opened: ExitStack, proved: RecordProof) -> Mapping[Kind, Log]:
    try:
        return {kind: opened.enter_context(closing(kafka_log(kafka, kind))) for kind in KINDS}
    except click.ClickException as error:
        if not lacks_right(error.__cause__):
            raise
        proved.notes.append("this user may not read the topics of cases and access, so they were not checked")
        return {}


def _of_desk(audit: DeskAudit, desk: Desk) -> Iterator[ChainTrouble]:
    """Check a desk wherever the library stores it."""
    after = 0
    while rows := desk.recorder.select_notifications(after, _BATCH, inclusive_of_start=False):
        for each in rows:
            row = LogRow(each.id, str(each.originator_id), each.originator_version, each.topic, bytes(each.state))
            yield from misplaced(row, f"desk:{row.position}")
            yield from audit.take(row.stored, f"desk:{row.position}", row.position, row[1:3])
        after = rows[-1].id


def _of_file(audit: DeskAudit, folder: Path, tree: TreeCoverage | None) -> Iterator[ChainTrouble]:
    """Check a desk in its own file, with all lookups of its records."""
    damaged = False
    with closing(readonly(folder / DESK_FILE)) as db:
        rows = Rows("desk", db, tree)
        for batch in rows.batches():
            for row in batch:
                where = f"desk:{row.position}"
                for found in chain(rows.misplaced(row, where), audit.take(row.stored, where, row.position, row[1:3])):
                    damaged = damaged or found.kind not in HARMLESS
                    yield found
        yield from rows.finish(damaged=damaged, cut=False)


def _of_topic(audit: DeskAudit, log: Log) -> Iterator[ChainTrouble]:
    for batch in log.drain({}):
        for position, stored in batch.facts:
            yield from audit.take(stored, f"{log.name}/{batch.partition}:{position}", position)


def _head(desk: Desk, stream: str, sequence: int) -> str:
    rows = desk.recorder.select_events(stream, gt=sequence - 1, lte=sequence)
    return digest(bytes(rows[0].state)) if rows else ""
