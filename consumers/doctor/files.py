"""The database files of a record, and the schema that catwalk gives each of them."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from consumers.desk.application import DESK_FILE, desk_of
from consumers.doctor.database import Schema, readonly, schema_of, troubles
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.outbox import Outbox
from consumers.logs.log import StoredFact
from consumers.logs.opening import FINDINGS_FILE, LOG_FILE
from consumers.logs.sqlite import SqliteLog
from consumers.record_place import DEAD_LETTERS, OUTBOX
from consumers.trust.published import PUBLISHED_FILE
from consumers.trust.tree_file import TREE_FILE, TreeFile
from domain.ledger.audit import ChainTrouble

FILES: Final = (LOG_FILE, FINDINGS_FILE, DESK_FILE, PUBLISHED_FILE, TREE_FILE, OUTBOX, DEAD_LETTERS)
_WAIT_SECONDS: Final = 0.5
_BUSY: Final = 5  # sqlite3.SQLITE_BUSY, the lowest byte of an error code


def examined(folder: Path) -> Iterator[tuple[str, list[ChainTrouble]]]:
    """Each existing database file, with its problems; files that a gateway has open are skipped."""
    for name in FILES:
        path = folder / name
        if path.is_file() and not at_work(path):
            says = "Copy the folder, then restore a backup"
            found = troubles(path, *_schemas()[name])
            yield name, [ChainTrouble("file-bad", "", 0, name, f"{each}. {says}") for each in found]


def at_work(path: Path) -> bool:
    """Whether a process has locked this file exclusively, as a gateway locks its outbox."""
    try:
        with closing(readonly(path, _WAIT_SECONDS)) as db:
            db.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode & 0xFF == _BUSY
    except (sqlite3.Error, UnicodeDecodeError):
        return False  # its problems are reported when it is examined
    return False


@cache
def _schemas() -> Mapping[str, tuple[Schema, frozenset[str]]]:
    """The schema of each file and the tables that are always in it, made by the code that makes a record's files."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        log = SqliteLog(folder / LOG_FILE, create=True)
        of_every_log = frozenset(_schema(folder / LOG_FILE))
        log.append([StoredFact("T1/2026-01-01", 1, "noted.1", b"{}")])
        log.close()
        desk = desk_of(data=folder)
        of_every_desk = frozenset(_schema(folder / DESK_FILE))
        desk.factory.tracking_recorder()
        desk.close()
        TreeFile(folder / TREE_FILE, make=True).close()
        Outbox(folder / OUTBOX).close()
        DeadLetters(folder / DEAD_LETTERS).close()
        made = {name: _schema(folder / name) for name in (LOG_FILE, DESK_FILE, TREE_FILE, OUTBOX, DEAD_LETTERS)}
    logs = made[LOG_FILE]
    whole = {name: (schema, frozenset(schema)) for name, schema in made.items()}
    whole[LOG_FILE] = (logs, of_every_log)
    desks = ({**logs, **made[DESK_FILE]}, of_every_desk)
    return whole | {FINDINGS_FILE: whole[LOG_FILE], PUBLISHED_FILE: whole[LOG_FILE], DESK_FILE: desks}


def _schema(path: Path) -> Schema:
    with closing(readonly(path)) as db:
        return schema_of(db)
