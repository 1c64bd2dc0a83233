"""The compiled pass over rows of facts, held against the way each fact goes without it, on records altered by chance."""

import importlib
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consumers.bulk import fact_pass, forms, loading, scan
from consumers.doctor import in_bulk, reading
from consumers.doctor.database import schema_of, troubles
from consumers.doctor.outbox import Inputs
from consumers.doctor.reading import ReadOnly
from consumers.doctor.rows import Rows, TreeCoverage
from consumers.gateway.keys import PASSPHRASE, verify
from consumers.gateway.standing import MARKS
from consumers.gateway.standing import read as standing_in
from consumers.logs.opening import embedded_log
from consumers.logs.sqlite import LogRow, written
from domain.facts.codec import decode
from domain.facts.streams import owner
from domain.facts.wagers import WagerPlaced
from domain.ledger import chain
from domain.ledger.audit import Audit
from tests.bench.chained import chained
from tests.doctor.altering import BYTES, altered, chained_again, changed
from tests.doctor.spoil import run

pytestmark = pytest.mark.xdist_group("doctor")

DAYS = ("2026-11-18", "2026-11-19")
MADE = """
CREATE TABLE facts (position INTEGER PRIMARY KEY, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (originator_id, originator_version)) STRICT;
CREATE TABLE facts_written (only_one INTEGER PRIMARY KEY, since INTEGER, position INTEGER, digest BLOB);
"""
Told = dict[str, Any]
FOLDER = Path()
NUMBERS = count()


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> list[LogRow]:
    """Two days of two tables, sealed by keys."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PASSPHRASE, "a passphrase for tests")
        folder = tmp_path_factory.mktemp("days") / "pit"
        for seed, day in enumerate(DAYS, 7):
            words = ("--tables", "2", "--hours", "1", "--games", "UTH-MD,COL", "--seed", str(seed), "--keys")
            run("simulate", *words, "--start", day, "--data", folder)
    with closing(embedded_log(folder)) as log:
        stored = [fact for batch in log.drain({}) for _, fact in batch.facts]
    return rows_of(stored)


def rows_of(stored: list[bytes]) -> list[LogRow]:
    """The rows of these facts, as a log writes them."""
    facts = [decode(each) for each in stored]
    kinds = [str(fact.__struct_config__.tag) for fact in facts]
    return [
        LogRow(position, fact.stream, fact.sequence, kind, each)
        for position, (fact, kind, each) in enumerate(zip(facts, kinds, stored, strict=True), 1)
    ]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder for the logs of a test, as files: compiled code opens them by itself."""
    monkeypatch.setattr(sys.modules[__name__], "FOLDER", tmp_path)


def log_of(rows: list[LogRow], noted: list[LogRow] | None = None) -> sqlite3.Connection:
    """A log of these rows, whose digest is of the `noted` ones."""
    db = sqlite3.connect(FOLDER / f"{next(NUMBERS)}.sqlite", isolation_level=None)
    db.text_factory = lambda stored: stored.decode(errors="backslashreplace")
    db.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {MADE}")
    db.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?)", rows)
    noted = rows if noted is None else noted
    db.execute("INSERT INTO facts_written VALUES (1, 0, ?, ?)", (noted[-1].position, written(b"", noted)))
    db.execute("COMMIT")
    return db


def proved(db: sqlite3.Connection, held: TreeCoverage | None = None, like: Inputs | None = None) -> Told:
    """Everything that comes of reading a log, by the way that `reading.IN_BULK` says; inputs are marked as `like`."""
    rows = Rows("facts", db, held, sound=True)
    standing = standing_in(ReadOnly(rows, MARKS))
    audit, inputs = Audit(standing.keys, verify, standing.sources), Inputs()
    if like is not None:
        inputs.mark = like.mark
    found = list(reading.of_facts(rows, audit, inputs))
    at_end = [*audit.finish(), *rows.finish(damaged=False, cut=False)]
    db.execute("ROLLBACK")
    streams = {
        name: (
            *(each.chain.sequence, each.chain.head, each.where, each.epoch, each.closed, each.last_at),
            *(each.unsealed.count, each.unsealed.since, each.chain.recent._first, bytes(each.chain.recent._kept)),
        )
        for name, each in audit.streams.items()
    }
    return {
        "found": found,
        "at end": at_end,
        "streams": streams,
        "audit": (audit.read, audit.begun, audit.latest_at, audit.newest),
        "inputs": (inputs.sum, inputs.count, inputs.epoch, inputs.standing),
        "rows": (rows.last, rows.digest, rows.ends),
        "marks": inputs,
    }


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[LogRow]:
    """The rows that the compiled pass left to the strict way."""
    left: list[LogRow] = []
    strictly = in_bulk.InBulk._strictly

    def told(self: in_bulk.InBulk, row: LogRow) -> Iterator[Any]:
        left.append(row)
        return strictly(self, row)

    monkeypatch.setattr(in_bulk.InBulk, "_strictly", told)
    return left


def differing(db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, held: TreeCoverage | None = None) -> list[str]:
    """In what the ways differ: each fact by itself, in bulk from SQLite's library, and in bulk without it."""
    usual = loading.compiled()
    assert usual is not None
    assert usual.sqlite is not None
    found = []
    for made in (usual, usual._replace(sqlite=None)):
        with monkeypatch.context() as patched:
            patched.setattr(loading, "compiled", lambda made=made: made)
            patched.setattr(reading, "IN_BULK", 0)
            bulk = proved(db, held)
            patched.setattr(reading, "IN_BULK", 2**62)
            strict = proved(db, held, bulk["marks"])
        same = [*strict][:-1]
        found += [f"{name}: {strict[name]} and {bulk[name]}" for name in same if strict[name] != bulk[name]]
    return found


def test_days_as_they_were_written_are_taken_in_bulk(
    days: list[LogRow], refused: list[LogRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but what says more than where it stands, and the first of each type."""
    assert loading.compiled() is not None
    for rows in (fact_pass.ROWS, 7):
        monkeypatch.setattr(fact_pass, "ROWS", rows)
        monkeypatch.setattr(in_bulk, "ROWS", rows)
        refused.clear()
        assert not differing(log_of(days), monkeypatch)
        usual = [row for row in refused if decode(row.stored).__class__ not in in_bulk.STRICT]
        assert len(usual) < 200 < len(days) / 10
    assert not differing(log_of(days), monkeypatch, TreeCoverage({}, 500))


def test_more_rows_than_are_remembered_are_remembered_alike(
    days: list[LogRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "REMEMBERED", 100)
    monkeypatch.setattr(fact_pass, "_WINDOW", 700)
    monkeypatch.setattr(fact_pass, "ROWS", 300)
    monkeypatch.setattr(in_bulk, "ROWS", 300)
    rows = days[:3000]
    again = [rows[at]._replace(position=3001 + at, sequence=90_000 + at) for at in range(0, 3000, 37)]
    assert not differing(log_of([*rows, *again]), monkeypatch)


@pytest.mark.parametrize("seed", range(6))
def test_altered_records_are_told_alike(days: list[LogRow], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same alterations every time
    monkeypatch.setattr(fact_pass, "ROWS", 100)
    monkeypatch.setattr(in_bulk, "ROWS", 100)
    second = next(at for at, row in enumerate(days) if row.stream.endswith(DAYS[1]))
    told = 0
    for _ in range(20):
        begin = chance.choice([0, second - 300])  # the second time the days end and others begin
        rows = [row._replace(position=number) for number, row in enumerate(days[begin : begin + 600], 1)]
        spoilt, what = altered(rows, chance)
        with closing(log_of(spoilt, chance.choice([spoilt, rows]))) as db:
            assert not differing(db, monkeypatch), (seed, what)
            told += bool(proved(db)["found"])
    assert told > 10


@pytest.mark.parametrize("name", BYTES)
def test_each_alteration_is_told_alike_at_every_type_of_fact(
    days: list[LogRow], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chained again, so that nothing but the bytes themselves can tell."""
    chance = random.Random(name)  # noqa: S311 - the same alterations every time
    rows = days[:600]
    firsts = {row.type: at for at, row in reversed(list(enumerate(rows))) if row.sequence > 1}
    spoilt = rows
    for at in sorted(firsts.values()):
        spoilt = chained_again(changed(spoilt, at, stored=BYTES[name](spoilt[at].stored, chance)), at)
    assert spoilt != rows
    with closing(log_of(spoilt)) as db:
        assert not differing(db, monkeypatch)


@pytest.mark.parametrize("column", ["LOW", "HIGH", "ROLE", "REQUIRED"])
def test_a_form_that_lets_too_much_through_shows(
    days: list[LogRow], column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: here with limits, roles or needs of fields left out."""
    of, kinds = fact_pass._forms_of(frozenset(fact_pass.TYPES.values()), in_bulk.STRICT)
    fields = of.fields.copy()
    loose = {"LOW": -(10**18), "HIGH": 10**18, "ROLE": 0, "REQUIRED": 0}[column]
    at = getattr(forms, column)
    fields[fields[:, at] == forms.REFUSED if column == "ROLE" else slice(None), at] = loose
    looser = of._replace(fields=fields)
    monkeypatch.setattr(fact_pass, "_forms_of", lambda *_: (looser, kinds))
    names = {"LOW": "a seat", "HIGH": "a seat", "ROLE": "signed", "REQUIRED": "a field gone"}
    chance = random.Random(3)  # noqa: S311 - the same alterations every time
    for _ in range(30):
        rows = days[:600]
        at = next(
            place
            for place in (chance.randrange(100, 500) for _ in count())
            if b'"seat"' in rows[place].stored and rows[place].sequence > 1
        )
        spoilt = chained_again(changed(rows, at, stored=BYTES[names[column]](rows[at].stored, chance)), at)
        with closing(log_of(spoilt)) as db:
            if differing(db, monkeypatch):
                return
    pytest.fail("nothing shows")


def test_an_index_that_finds_other_records_is_seen_by_sqlite_and_by_the_doctor(days: list[LogRow]) -> None:
    """The index of another table, in which one record stands elsewhere, is put in the place of the index.

    SQLite sees it, so the file is not sound, and rows and index are compared.
    """
    rows = days[:600]
    other = changed(rows, 300, position=90_000)
    with closing(log_of(rows)) as db:
        db.executescript(MADE.partition("CREATE TABLE facts_written")[0].replace("facts", "others"))
        db.executemany("INSERT INTO others VALUES (?, ?, ?, ?, ?)", other)
        db.execute("PRAGMA writable_schema=ON")
        root = "SELECT rootpage FROM sqlite_schema WHERE name='sqlite_autoindex_others_1'"
        db.execute(f"UPDATE sqlite_schema SET rootpage=({root}) WHERE name='sqlite_autoindex_facts_1'")  # noqa: S608
        db.execute("PRAGMA writable_schema=RESET")
        file = Path(db.execute("PRAGMA database_list").fetchone()[2])
        assert any("index sqlite_autoindex_facts_1" in each for each in troubles(file, schema_of(db), ()))
        read = Rows("facts", db)
        assert not list(reading.of_rows(read, lambda *_: iter(())))
        told = [found for found in read.finish(damaged=False, cut=False) if found.kind == "misfiled"]
    assert [found.stream for found in told] == [rows[300].stream]


def test_a_table_with_many_owners_and_odd_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """More streams than there is room for at first, in turns."""
    facts = [each.stored for each in islice(chained(4_000, DAYS[0], 130), 4_000)]
    assert len({owner(decode(each).stream) for each in facts}) == 130
    assert isinstance(decode(facts[-1]), WagerPlaced)
    assert not differing(log_of(rows_of(facts)), monkeypatch)


def test_names_of_tables_that_differ_in_one_place_have_hashes_of_their_own() -> None:
    """Pits and tables by number, one house's pits by letter, and long names that differ at their end."""
    names = [f"PIT{pit:02}-{table:02}/{DAYS[0]}" for pit in range(1, 21) for table in range(1, 21)]
    names += [f"{letter}{table:03}" for letter in "ABCDEFGH" for table in range(100)]
    names += [f"{'long' * 11}{table}" for table in range(300)]
    hashes = [forms.name_hash(name.encode()) for name in names]
    assert len(set(hashes)) == len(names)
    table = forms.hashed({name.encode(): row for row, name in enumerate(names)})
    last = len(table) - 1
    steps = [(at - hashes[row]) & last for at, row in enumerate(table) if row >= 0]
    assert sum(steps) / len(names) < 1.5, "a lookup goes on for that many places on average"
    assert max(steps) < 40


def test_a_lookup_goes_by_the_hash_that_makes_the_table() -> None:
    compiled = loading.compiled()
    assert compiled is not None
    hash_of = importlib.import_module("numba").njit(scan.short_hash)
    for length in range(64):
        name = bytes(range(200, 200 - length, -1))
        letters = np.frombuffer(b"abc" + name + b"\xff" * 8, np.uint8)
        assert hash_of(letters, 3, 3 + length) % 2**64 == forms.name_hash(name)


def test_many_new_streams_make_the_table_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each owner's newest day takes the place of the one before it."""
    made = []
    monkeypatch.setattr(fact_pass, "hashed", lambda *given: made.append(1) or forms.hashed(*given))
    facts = [each.stored for day in (*DAYS, "2026-11-20") for each in chained(3 * 600, day, 600)]
    assert not differing(log_of(rows_of(facts)), monkeypatch)
    assert len(made) < 60, "of 1,800 streams, in two readings"


@pytest.mark.parametrize(
    "stored",
    [b"{}", b"\xff", b'{"stream":"C1/2026-11-18","sequence":"x"}', b"[" * 5_000],
    ids=["empty", "no text", "no number", "nested"],
)
def test_rows_that_claim_no_stream_change_none_and_take_no_look_at_any(
    stored: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of([each.stored for each in chained(500, DAYS[0], 20)])
    spoiled = []
    for row in rows:
        spoiled.append(row._replace(position=len(spoiled) + 1))
        if row.position > 100 and row.position % 4 == 0:
            spoiled.append(LogRow(len(spoiled) + 1, "x", row.position, "x", stored))
    known = []
    knows = in_bulk.InBulk._know
    monkeypatch.setattr(in_bulk.InBulk, "_know", lambda self, name: known.append(name) or knows(self, name))
    assert not differing(log_of(spoiled), monkeypatch)
    assert len(known) < 200, "as many looks as rows of an opening or of a new type, in two readings"


def test_a_row_without_a_type_still_claims_its_place(days: list[LogRow], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(days)
    for at in range(300, 900, 50):
        stored = re.sub(rb'"type":"[^"]*",', b"", rows[at].stored)
        rows[at] = rows[at]._replace(stored=stored)
    assert not differing(log_of(rows, days), monkeypatch)


@pytest.mark.parametrize("position", [-(2**63), -1, 0])
def test_a_row_before_the_first_position_is_told_alike(position: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of([each.stored for each in chained(200, DAYS[0], 2)])
    odd = LogRow(position, "x", 1, "x", b"{}")
    assert not differing(log_of([odd, *rows]), monkeypatch)


def test_without_numba_there_is_no_compiled_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report is then the strict way's report; the log says why."""
    monkeypatch.setitem(sys.modules, "numba", None)
    loading.compiled.cache_clear()
    try:
        assert loading.compiled() is None
    finally:
        monkeypatch.undo()
        loading.compiled.cache_clear()


def without_instructions(more: str) -> str:
    """Load the check in a process of its own, compiled for any processor, and return its output."""
    code = (
        "from consumers.bulk import loading\n"
        f"{more}\n"
        "try:\n    print(loading._compiled().take)\nexcept loading.UnusableError as error:\n    print(error)\n"
    )
    any_processor = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=any_processor
    ).stdout


def test_a_processor_without_instructions_for_sha_256_calls_openssl() -> None:
    assert "function take" in without_instructions("")
    assert "no OpenSSL library" in without_instructions("loading._libraries = lambda: iter(())")


def test_a_library_that_hashes_otherwise_is_not_used() -> None:
    """The blocks of SHA-1 in the place of those of SHA-256."""
    assert "incorrectly" in without_instructions("loading._TRANSFORM = 'SHA1_Transform'")


def test_where_nothing_can_be_kept_it_is_compiled_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where what was kept is spoilt: a cache stops nobody."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = loading.cache_folder()
    assert folder is not None
    assert folder.is_relative_to(tmp_path / "cache" / "catwalk" / "numba")
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert loading.cache_folder() is None
    kept: list[bool] = []

    def tried(*_: Any, keep: bool) -> str:
        kept.append(keep)
        if keep:
            raise EOFError
        return "compiled"

    monkeypatch.setattr(loading, "_proved", tried)
    assert loading._compiled() == "compiled"  # type: ignore[comparison-overlap]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert loading._compiled() == "compiled"  # type: ignore[comparison-overlap]
    assert kept[-2:] == [True, False]
