"""`catwalk doctor` on an embedded record: what used to pass for whole, and each part that is not the one written."""

import json
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.doctor import reading
from consumers.doctor.telling import DAMAGE, STATUS
from consumers.gateway.keys import PASSPHRASE
from consumers.gateway.outbox import Outbox
from consumers.logs.log import StoredFact
from consumers.logs.sqlite import SqliteLog
from tests.doctor.spoil import FILES, JOURNALS, spoilt

pytestmark = pytest.mark.xdist_group("doctor")

FACTS, FINDINGS, DESK, _, TREE, OUTBOX = FILES
LETTERS = "gateway/dead-letters.sqlite"


def examined(folder: Path) -> tuple[int, list[tuple[str, str, str]], str]:
    """The exit status, each trouble that is damage, and what is said besides."""
    done = CliRunner().invoke(main, ["doctor", "--json", "--data", str(folder)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    found = [json.loads(line) for line in done.stdout.splitlines()]
    troubles = [(each["kind"], each["stream"], each["says"]) for each in found if STATUS.get(each["kind"], 0) >= DAMAGE]
    return done.exit_code, troubles, done.stderr


def changed(folder: Path, file: str, *statements: str) -> None:
    """Changes a file behind everybody's back, and takes the journal into it."""
    with closing(sqlite3.connect(folder / file)) as db, db:
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        for each in statements:
            assert db.execute(each).rowcount, each
        if not any(each.startswith("DROP") for each in statements):
            for _, made in triggers:
                db.execute(made)


def test_the_record_these_tests_spoil_is_whole(pit: Path, killed: Path) -> None:
    for folder in (pit, killed):
        status, troubles, said = examined(folder)
        assert (status < DAMAGE, troubles) == (True, [])
        assert said.count(": whole") == 3  # findings, desk, tree


LAST = "SELECT max(position) FROM facts"
STATUS_CHANGED = "UPDATE facts SET state=CAST(replace(state, '\"status\":', '\"status\":1') AS BLOB) WHERE "
LAST_GONE = f"DELETE FROM facts WHERE position = ({LAST})"  # noqa: S608
LAST_FIVE_GONE = f"DELETE FROM facts WHERE position > ({LAST}) - 5"  # noqa: S608
LAST_NOTE = "SELECT max(position) FROM facts WHERE originator_id LIKE 'review/%'"
CAMERA = "UPDATE facts SET state=CAST(replace(state, 'camera 14', 'camera 15') AS BLOB) WHERE position="
# change | to which file | what the doctor finds: the kind, the stream, what it says
DONE = [
    ("five looks removed", DESK, "DELETE FROM facts WHERE position IN (SELECT position FROM facts WHERE originator_id LIKE 'access/%' ORDER BY position DESC LIMIT 5)", "tail-cut", "", "records were written to this log, but it ends at record"),
    ("the desk's last five", DESK, LAST_FIVE_GONE, "tail-cut", "", "records were written to this log, but it ends at record"),
    ("the findings' last", FINDINGS, LAST_GONE, "tail-cut", "", "records were written to this log"),
    ("a whole review", DESK, "DELETE FROM facts WHERE originator_id='review/f1'", "gap", "", "5 positions hold no record: rows were removed or moved"),
    ("the last note changed", DESK, f"{CAMERA}({LAST_NOTE})", "break", "", "differ from those that were written"),
    ("the digest changed", DESK, "UPDATE facts_written SET digest=zeroblob(32)", "break", "", "or the digest stored with them was changed"),
    ("a fact found elsewhere", FACTS, "UPDATE facts SET originator_id='T2/2026-11-18' WHERE position=5", "misfiled", "property/2026-11-18", "it is found as T2/2026-11-18:5, but its bytes say property/2026-11-18:5"),
    ("a fact found later", FACTS, "UPDATE facts SET originator_version=90000 WHERE position=5", "misfiled", "property/2026-11-18", "it is found as property/2026-11-18:90000"),
    ("another type", FACTS, "UPDATE facts SET topic='noted.1' WHERE position=5", "misfiled", "property/2026-11-18", "it is found as noted.1, but is "),
    ("an input forgotten", OUTBOX, "DELETE FROM inputs WHERE sequence=7", "outbox-bad", "", "could record a repeat as a new fact"),
    ("an input's digest", OUTBOX, "UPDATE inputs SET content='0' WHERE sequence=7", "outbox-bad", "", "differs from what the record was made from"),
    ("an input's place", OUTBOX, "UPDATE inputs SET sequence=8 WHERE sequence=7", "outbox-bad", "", "differs from what the record was made from"),
    ("a day's end", OUTBOX, "UPDATE days SET day=CAST(replace(day, x'a87365616c5f647565c3', x'a87365616c5f647565c2') AS BLOB)", "outbox-bad", "T1/2026-11-18", "does not follow from the day's facts"),
    ("starts forgotten", OUTBOX, "UPDATE writer SET epoch=0", "outbox-bad", "", "it counts 0 starts of a gateway, but the record counts 1"),
    ("what waits to be sent", OUTBOX, "INSERT INTO pending VALUES (1, 'T1/2026-11-18', 3, 'noted.1', x'7b7d')", "outbox-bad", "T1/2026-11-18", "its fact to send name a different place"),
    ("the keeper's place", TREE, "UPDATE positions SET position=position+100000 WHERE log='desk'", "tail-cut", "", "the tree of checkpoints covers"),
    ("a record passed over", TREE, "UPDATE positions SET position=position+8 WHERE log='desk'", "tree-bad", "review/f9", "the keeper passes over it"),
    ("a leaf too many", TREE, "INSERT INTO nodes VALUES (9, 9, x'00')", "tree-bad", "checkpoints", "table nodes has the row 9, 9, 00 where its entries make no row"),
    ("a head's day", TREE, "UPDATE heads SET days='2026-11-18' WHERE size=(SELECT min(size) FROM heads)", "tree-bad", "checkpoints", "table heads has the row"),
    ("a letter's bytes", LETTERS, "UPDATE dead_letters SET bytes=CAST('jung' AS BLOB)", "file-bad", "", "differ from those that were stored"),
    ("another table", DESK, "CREATE TABLE more (a)", "file-bad", "", "which catwalk never makes"),
    ("a revocation changed", OUTBOX, "INSERT INTO held (stored, digest) VALUES (x'7b7d', 'd')", "outbox-bad", "", "is damaged: its bytes differ from the stored digest"),
    ("no table of what waits", OUTBOX, "DROP TABLE pending", "file-bad", "", "its schema lacks table pending of pending"),
    ("no table of days", OUTBOX, "DROP TABLE days", "file-bad", "", "its schema lacks table days of days"),
    ("no table of revocations", OUTBOX, "DROP TABLE held", "file-bad", "", "its schema lacks table held of held"),
    ("no triggers", TREE, "DROP INDEX leaves_of_a_stream", "file-bad", "", "its schema lacks trigger"),
    ("no index of letters", LETTERS, "DROP TABLE dead_letters", "file-bad", "", "its schema lacks table dead_letters"),
]  # fmt: skip


@pytest.mark.parametrize("row", DONE, ids=[row[0] for row in DONE])
def test_what_somebody_did_to_a_file_is_found(pit: Path, row: tuple[str, str, str, str, str, str]) -> None:
    _, file, statement, kind, stream, says = row
    changed(pit, file, statement)
    status, troubles, _ = examined(pit)
    assert [each for each in troubles if each[:2] == (kind, stream) and says in each[2]], troubles
    assert status == max(STATUS[each] for each, _, _ in troubles)


@pytest.mark.parametrize("row", [row for row in DONE if row[1] in (FACTS, OUTBOX)], ids=lambda row: row[0])
def test_what_is_found_of_the_facts_is_found_in_bulk_as_well(
    pit: Path, row: tuple[str, str, str, str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(pit, *row[1:3])
    told = []
    for least in (10**9, 0):
        monkeypatch.setattr(reading, "IN_BULK", least)
        told.append(examined(pit)[:2])  # each run is a record of the desk more, which is said besides
    assert told[0] == told[1]


def test_a_journal_with_a_changed_byte_is_told_and_left_as_it_is(killed: Path) -> None:
    """SQLite itself says nothing: it takes back every transaction from there on, and forgets the journal."""
    for name in JOURNALS:
        file = killed / name
        stored = bytearray(file.read_bytes())
        at = 32 + (24 + 4096) * 2 + 2000
        assert len(stored) > 2 * at
        stored[at] ^= 1
        file.write_bytes(stored)
    left = {name: (killed / name).read_bytes() for name in JOURNALS}
    status, troubles, said = examined(killed)
    assert status == STATUS["file-bad"]
    told = [says for kind, _, says in troubles if kind == "file-bad"]
    for name in JOURNALS:
        assert [says for says in told if says.startswith(f"{Path(name).name}: frame 3 was changed")], told
    assert "the desk is damaged, so this run is not noted there" in said
    for name in JOURNALS:
        assert (killed / name).read_bytes() == left[name], name


def test_a_file_nobody_can_open_is_one_sentence_and_the_rest_is_proved(pit: Path) -> None:
    (pit / DESK).write_bytes(b"no database" * 1000)
    status, troubles, said = examined(pit)
    assert status == STATUS["file-bad"]
    assert [says for kind, _, says in troubles if kind == "file-bad" and "not the header of a database" in says]
    assert "record/desk.sqlite is damaged, so the desk was not opened" in said
    assert re.search(r"records of findings in \d+ streams: whole", said)


def test_how_much_no_checkpoint_covers_is_told(pit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The five notes and five looks of the last visit, of which the last ones could be removed unnoticed."""
    _, _, said = examined(pit)
    assert re.search(
        r"no checkpoint covers (\d+ facts?, )?(\d+ records? of findings and )?10 records of the desk \(5 of the access log\)",
        said,
    ), said
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    assert CliRunner().invoke(main, ["checkpoint", "--data", str(pit)]).exit_code == 0
    _, _, said = examined(pit)
    assert "of the desk" not in said.partition("no checkpoint covers")[2]
    shutil.rmtree(pit / "trust")
    (pit / "record/checkpoints.sqlite").unlink()
    assert "no checkpoint was ever signed, so none covers" in examined(pit)[2]


def test_each_run_is_noted_at_the_desk(pit: Path) -> None:
    assert examined(pit)[0] < DAMAGE
    changed(pit, FINDINGS, LAST_GONE)
    assert examined(pit)[0] >= STATUS["tail-cut"]
    with closing(desk_of(data=pit)) as desk:
        proved = desk.last_proof()
        assert proved is not None
        assert (proved.sequence, proved.status) == (2, examined(pit)[0])
        assert proved.records > 400


def test_a_log_from_before_there_was_a_digest_is_told_and_goes_on_with_one(pit: Path) -> None:
    changed(pit, DESK, "DELETE FROM facts_written")
    with closing(sqlite3.connect(pit / DESK)) as db:
        db.execute("DROP TABLE facts_written")
    _, troubles, _ = examined(pit)  # it notes itself, and so begins one
    assert not troubles
    _, troubles, _ = examined(pit)
    assert not troubles
    changed(pit, DESK, f"{STATUS_CHANGED}position=({LAST})")
    assert [kind for kind, _, _ in examined(pit)[1]] == ["break"]


def test_a_gateway_at_work_is_no_trouble(pit: Path) -> None:
    with closing(Outbox(pit / OUTBOX)):
        status, troubles, said = examined(pit)
    assert (status < DAMAGE, troubles) == (True, [])
    assert "a gateway is running, so the end of the record was not compared" in said


def test_who_writes_while_the_doctor_reads_makes_no_trouble(pit: Path) -> None:
    """Rows, index and digest are those of one moment."""
    stop = threading.Event()

    def writes() -> None:
        with closing(SqliteLog(pit / FINDINGS, name="findings")) as log:
            number = 0
            while not stop.wait(0.002):
                number += 1
                log.append(
                    [
                        StoredFact(
                            "T9/2026-11-18",
                            number,
                            "noted.1",
                            b'{"type":"noted.1","stream":"T9/2026-11-18","sequence":%d}' % number,
                        )
                    ]
                )

    writer = threading.Thread(target=writes)
    writer.start()
    try:
        for _ in range(3):
            kinds = {kind for kind, _, _ in examined(pit)[1]}
            assert kinds <= {"unreadable"}  # they are no records of findings, and that is all there is to say
    finally:
        stop.set()
        writer.join()


def test_changed_bytes_at_random_places_are_noticed_or_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of what `make spoil` does with two thousand in each file."""
    found = spoilt(tmp_path, 1, 4)
    assert set(found) == {*FILES, *JOURNALS}
    missed = [what for counts in found.values() for what in counts if what.startswith("MISSED")]
    assert not missed
    assert sum(counts["noticed"] for counts in found.values()) > 15
    assert all(found[journal]["noticed"] for journal in JOURNALS)
