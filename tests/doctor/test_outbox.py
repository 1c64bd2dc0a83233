"""The outbox of a gateway compared with the record, in few steps and in many."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from consumers.doctor import reading
from consumers.doctor.database import readonly
from consumers.doctor.outbox import Inputs, NewestDays
from consumers.doctor.reading import ReadOnly
from consumers.doctor.rows import Rows
from consumers.gateway.keys import PASSPHRASE, verify
from consumers.gateway.standing import MARKS
from consumers.gateway.standing import read as standing_in
from consumers.logs.opening import LOG_FILE, embedded_log
from consumers.logs.sqlite import SqliteLog
from consumers.record_place import OUTBOX
from domain.facts.codec import decode
from domain.facts.streams import owner
from domain.ledger.audit import Audit
from domain.ledger.writer import Writer, WriterDay, place
from tests.doctor.spoil import run

pytestmark = pytest.mark.xdist_group("doctor")

STREAM = "T1/2026-11-18"


@pytest.fixture(scope="module", params=["sealed by keys", "without keys"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day of one table."""
    made = tmp_path_factory.mktemp("days") / "pit"
    keys = ["--keys"] if request.param == "sealed by keys" else []
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PASSPHRASE, "a passphrase for tests")
        run("simulate", "--tables", "1", "--hours", "1", "--seed", "7", *keys, "--data", made)
    return made


def days_of(folder: Path, audit: Audit) -> Iterator[tuple[bytes, WriterDay]]:
    """Each fact of the stream, and its writer's day behind it."""
    writer = Writer(0)
    with closing(embedded_log(folder)) as log:
        for stored in log.read_stream(STREAM):
            list(audit.take(stored, ""))
            place(writer, decode(stored))
            yield stored, writer.days[owner(STREAM)]


def test_the_day_found_is_that_of_its_writer_behind_each_fact(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test fails if the whole day is folded, and if a day with another value in any field follows."""
    with closing(embedded_log(folder)) as log:
        standing = standing_in(log)
        assert isinstance(log, SqliteLog)
        audit = Audit(standing.keys, verify, standing.sources)
        monkeypatch.setattr(NewestDays, "_folded", lambda *_: None)
        with closing(sqlite3.connect(folder / LOG_FILE)) as db:
            db.executescript("CREATE TEMP TABLE facts AS SELECT * FROM main.facts WHERE 0")
            days = NewestDays(log, db, audit.streams)
            for count, (stored, day) in enumerate(days_of(folder, audit), 1):
                fact = decode(stored)
                kind = str(fact.__struct_config__.tag)
                db.execute("INSERT INTO temp.facts VALUES (?, ?, ?, ?, ?)", (count, STREAM, count, kind, stored))
                assert days.follows(day, []), (count, day)
                if count % 50 == 0:
                    for field in msgspec.structs.fields(WriterDay):
                        held = getattr(day, field.name)
                        other = (not held) if isinstance(held, bool) else held + ("x" if isinstance(held, str) else 1)
                        if field.name != "stream":
                            assert not days.follows(msgspec.structs.replace(day, **{field.name: other}), []), field.name
            assert count > 500


def test_facts_that_wait_in_the_outbox_go_behind_the_day(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts on record are skipped. A fact of another stream, or an unreadable one, fits no day."""
    with closing(embedded_log(folder)) as log, closing(sqlite3.connect(folder / LOG_FILE)) as db:
        stored = log.read_stream(STREAM)
        standing = standing_in(log)
        audit, whole = Audit(standing.keys, verify, standing.sources), Writer(0)
        for each in stored:
            place(whole, decode(each))
        for each in stored[:-20]:
            list(audit.take(each, ""))
        db.executescript("CREATE TEMP TABLE facts AS SELECT * FROM main.facts ORDER BY position")
        db.execute(
            "DELETE FROM temp.facts WHERE originator_id = ? AND originator_version > ?", (STREAM, len(stored) - 20)
        )
        assert isinstance(log, SqliteLog)
        monkeypatch.setattr(NewestDays, "_folded", lambda *_: None)
        days, day = NewestDays(log, db, audit.streams), whole.days[owner(STREAM)]
        assert days.follows(day, stored[-30:])
        assert not days.follows(day, [*stored[-30:-1], b"{"])
        assert not days.follows(
            day, [*stored[-30:], stored[-1].replace(b'"T1/', b'"T9/').replace(b'"sequence":', b'"sequence":9')]
        )


# A cell of an input, and another value for it.
CELLS = {
    "source": "'somebody'",
    "source_key": "source_key || '0'",
    "content": "replace(content, substr(content, 1, 1), 'g')",
    "stream": "'T2/2026-11-18'",
    "sequence": "sequence + 1",
    "sequence, as text": "sequence || ' or so'",
    "sequence, as a fraction": "sequence + 0.5",
    "source, as bytes": "CAST(source AS BLOB)",
    "content, too long": "content || content",
    "source_key, longer than any": "hex(zeroblob(9000))",
}


@pytest.mark.parametrize("cell", CELLS)
def test_an_input_that_differs_is_seen_in_bulk_as_one_by_one(
    folder: Path, cell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "IN_BULK", 0)
    file = tmp_path / "outbox.sqlite"
    shutil.copy(folder / OUTBOX, file)
    inputs = Inputs()
    with closing(readonly(folder / LOG_FILE)) as db:
        rows = Rows("facts", db, sound=True)
        standing = standing_in(ReadOnly(rows, MARKS))
        assert not list(reading.of_facts(rows, Audit(standing.keys, verify, standing.sources), inputs))
    one_by_one = Inputs()
    one_by_one.mark = inputs.mark
    with closing(sqlite3.connect(file)) as db:
        assert inputs.of_file(file) == (inputs.count, inputs.sum)
        assert inputs.known(file, db) == one_by_one.known(file, db) == (inputs.count, inputs.sum)
        column = cell.partition(",")[0]
        with db:
            one = "(source, source_key) = (SELECT source, source_key FROM inputs LIMIT 1 OFFSET 300)"
            db.execute(f"UPDATE inputs SET {column} = {CELLS[cell]} WHERE {one}")  # noqa: S608
        assert inputs.known(file, db) == one_by_one.known(file, db) != (inputs.count, inputs.sum)
