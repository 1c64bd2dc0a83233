"""Attacks on a record after a checkpoint, with the disk and the tables' own keys: each is found and named."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from consumers.commands.doctor import STATUS
from consumers.desk.application import DESK_FILE
from consumers.gateway.keys import PASSPHRASE
from consumers.trust.keeper import begin, open_keeper
from consumers.trust.published import PUBLISHED_FILE
from consumers.trust.tree_file import TREE_FILE
from domain.desk.access import stream_of
from domain.facts.codec import decode, encode
from domain.facts.wagers import WagerPlaced
from tests.trust.records import DAY, NAME, START, Pit, run

STREAM = f"T7/{DAY}"


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    """A record of three checkpoints: two tables, the property, findings' marks, looks at the pages."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path).opened()
    begin(tmp_path, NAME, START)
    for _ in range(3):
        made.rounds("T7", 2)
        made.rounds("T8", 1)
        made.looks(2)
        run("watch", "--once", "--data", str(tmp_path))
        assert run("checkpoint", "--data", str(tmp_path)).exit_code == 0
    yield made
    made.close()


def examined(pit: Pit) -> tuple[int, list[dict[str, object]], str]:
    result = run("doctor", "--json", "--data", str(pit.folder))
    found = [msgspec.json.decode(line) for line in result.stdout.splitlines()]
    return result.exit_code, [one for one in found if one["kind"] != "unsealed"], result.stderr


def of_the_tree(found: list[dict[str, object]]) -> list[tuple[object, object, object]]:
    kinds = {"altered", "missing", "tree-bad"}
    return [(one["kind"], one["stream"], one["sequence"]) for one in found if one["kind"] in kinds]


def test_a_record_that_is_as_it_was_is_proved_against_its_tree(pit: Pit) -> None:
    status, found, says = examined(pit)
    assert (status, found) == (0, [])
    assert "3 checkpoints over" in says


def wager(pit: Pit) -> int:
    """A wager that stands in the second leaf of its stream."""
    return next(
        fact.sequence
        for fact in map(decode, pit.stream(STREAM))
        if isinstance(fact, WagerPlaced) and fact.sequence > 35
    )


def doubled(fact: object) -> object:
    assert isinstance(fact, WagerPlaced)
    assert fact.cents is not None
    return msgspec.structs.replace(fact, cents=2 * fact.cents)


def test_each_single_record_that_is_altered_is_named(pit: Pit) -> None:
    """Every record of the stream in turn, with a cent more where there is one and another time where there is none."""
    records = pit.stream(STREAM)
    for sequence, stored in enumerate(records, 1):
        changed = encode(msgspec.structs.replace(decode(stored), at=START + 1))
        pit.overwritten(STREAM, [*records[: sequence - 1], changed, *records[sequence:]])
        status, found, _ = examined(pit)
        assert status >= STATUS["altered"]
        assert of_the_tree(found) == [("altered", STREAM, sequence)]
    pit.overwritten(STREAM, records)
    assert examined(pit)[0] == 0


def test_a_stream_chained_and_sealed_anew_with_the_table_s_own_key_is_found(pit: Pit) -> None:
    """Every link and every seal holds: the tree alone finds it. The stream is named, and where the stretch begins."""
    at = wager(pit)
    with open_keeper(pit.folder) as keeper:
        leaves = [each.stretch for each in keeper.proven(keeper.sizes()[-1], "facts", STREAM)]
    (stretch,) = (each for each in leaves if each.first <= at <= each.last)
    assert leaves[0].last < stretch.first < stretch.last < leaves[-1].last
    pit.overwritten(STREAM, pit.rewritten(STREAM, at, doubled))  # type: ignore[arg-type] - a wager in, a wager out
    status, found, _ = examined(pit)
    assert status == STATUS["altered"]
    assert [(one["kind"], one["stream"], one["sequence"]) for one in found] == [("altered", STREAM, stretch.first)]
    says = f"everything from one of the records {stretch.first} to {stretch.last} on was rewritten"
    assert str(found[0]["says"]).startswith(says)
    line = run("doctor", "--data", str(pit.folder)).stdout
    assert line.startswith(f"altered: {STREAM} record {stretch.first} at leaf ")
    assert says in line
    assert line.endswith("; 1 later leaf of the stream does not match either\n")


def test_the_last_leaf_written_anew_is_found(pit: Pit) -> None:
    last = len(pit.stream(STREAM)) - 1
    pit.overwritten(STREAM, pit.rewritten(STREAM, last, lambda fact: msgspec.structs.replace(fact, at=START + 7)))
    status, found, _ = examined(pit)
    assert status == STATUS["altered"]
    assert of_the_tree(found) == [("altered", STREAM, last + 1)]


CUTS: dict[str, Callable[[list[bytes]], list[int]]] = {
    "one in the middle": lambda records: [len(records) // 2],
    "the first": lambda _: [1],
    "the last": lambda records: [len(records)],
    "the last three": lambda records: [len(records) - 2, len(records) - 1, len(records)],
    "all of them": lambda records: list(range(1, len(records) + 1)),
}


@pytest.mark.parametrize("what", CUTS)
def test_records_dropped_after_a_checkpoint_are_named(pit: Pit, what: str) -> None:
    records = pit.stream(STREAM)
    gone = CUTS[what](records)
    with pit.log.recorder(0).datastore.transaction(commit=True) as c:
        for sequence in gone:
            c.execute("DELETE FROM facts WHERE originator_id=? AND originator_version=?", (STREAM, sequence))
    status, found, _ = examined(pit)
    assert status >= STATUS["missing"]
    assert of_the_tree(found) == [("missing", STREAM, gone[0])]


def test_a_tail_cut_off_and_grown_again_with_the_table_s_own_key_is_found(pit: Pit) -> None:
    records = pit.stream(STREAM)
    pit.overwritten(STREAM, records[:30])
    today = pit.writer.days["T7"]
    today.sequence, today.head = 30, decode(records[30]).previous
    pit.rounds("T7", 6)
    assert len(pit.stream(STREAM)) > len(records)
    status, found, _ = examined(pit)
    assert status == STATUS["altered"]
    assert of_the_tree(found)[0][:2] == ("altered", STREAM)


@pytest.mark.parametrize(
    ("words", "kind", "sequence"),
    [
        ("DELETE FROM facts WHERE originator_version=2", "missing", 2),
        (
            "UPDATE facts SET state=CAST(replace(state, 'olga', 'otto') AS BLOB) WHERE originator_version=3",
            "altered",
            3,
        ),
    ],
    ids=["dropped", "altered"],
)
def test_what_was_done_at_the_desk_cannot_be_made_undone(pit: Pit, words: str, kind: str, sequence: int) -> None:
    with sqlite3.connect(pit.folder / DESK_FILE) as db:
        words = f"{words} AND originator_id='{stream_of(START)}'"  # commands have left a trace on other days
        assert db.execute(words).rowcount == 1
    _, found, _ = examined(pit)
    (told,) = of_the_tree(found)
    assert told == (kind, stream_of(START), sequence)


def test_a_finding_withdrawn_from_the_log_is_missed(pit: Pit) -> None:
    with sqlite3.connect(pit.folder / "record/findings.sqlite") as db:
        stream, sequence = db.execute("SELECT originator_id, originator_version FROM facts LIMIT 1").fetchone()
        db.execute("DELETE FROM facts WHERE originator_id=? AND originator_version=?", (stream, sequence))
    _, found, _ = examined(pit)
    assert ("missing", stream, sequence) in of_the_tree(found)


TREE_DAMAGE = {
    "a leaf": "UPDATE leaves SET stored=CAST(replace(stored, '\"first\":1,', '\"first\":2,') AS BLOB) WHERE place=0",
    "a leaf's place": "UPDATE leaves SET stream='T9/2026-11-18' WHERE place=0",
    "a node": "UPDATE nodes SET hash=zeroblob(32) WHERE level=0 AND place=2",
    "a head": "UPDATE heads SET note=replace(note, 'time 2', 'time 3') WHERE size=(SELECT min(size) FROM heads)",
    "an entry": "UPDATE entries SET stored=CAST(replace(stored, '\"first\":1,', '\"first\":2,') AS BLOB) WHERE sequence=2",
    "the order of entries": "UPDATE entries SET stored=(SELECT stored FROM entries WHERE sequence=3) WHERE sequence=2",
    "a node that is gone": "DELETE FROM nodes WHERE level=1 AND place=1",
}


@pytest.mark.parametrize("what", TREE_DAMAGE)
def test_a_tree_that_was_altered_itself_is_named(pit: Pit, what: str) -> None:
    with sqlite3.connect(pit.folder / TREE_FILE) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type='trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        assert db.execute(TREE_DAMAGE[what]).rowcount == 1
        for _, made in triggers:
            db.execute(made)
    status, found, says = examined(pit)
    assert status == STATUS["tree-bad"] or (status == 2 and "lacks node" in says)
    assert status == 2 or found[0]["kind"] == "tree-bad"


def test_a_published_entry_that_is_another_is_named(pit: Pit) -> None:
    with sqlite3.connect(pit.folder / PUBLISHED_FILE) as db:
        db.execute("UPDATE facts SET state=CAST(replace(state, 'T7', 'T9') AS BLOB) WHERE position=2")
    status, found, _ = examined(pit)
    assert status == STATUS["tree-bad"]
    assert of_the_tree(found) == [("tree-bad", "checkpoints", 2)]


def test_a_tree_that_is_gone_is_missed_and_is_not_begun_anew(pit: Pit) -> None:
    folder = str(pit.folder)
    before = (pit.folder / TREE_FILE).read_bytes()
    (pit.folder / TREE_FILE).unlink()
    status, found, _ = examined(pit)
    assert status == STATUS["tree-bad"]
    assert "is gone" in str(found[0]["says"])
    for words in (("checkpoint",), ("checkpoint", "key", "make", NAME)):
        refused = run(*words, "--data", folder)
        assert refused.exit_code == 2
        assert "restore" in refused.stderr.lower()
    assert not (pit.folder / TREE_FILE).exists()
    assert run("checkpoint", "restore", "--data", folder).exit_code == 0
    assert examined(pit)[0] == 0
    with sqlite3.connect(pit.folder / TREE_FILE) as db:
        held = db.execute("SELECT * FROM entries").fetchall()
    (pit.folder / "before").write_bytes(before)
    with sqlite3.connect(pit.folder / "before") as db:
        assert db.execute("SELECT * FROM entries").fetchall() == held


@pytest.mark.parametrize("file", [DESK_FILE, "record/findings.sqlite"], ids=["desk", "findings"])
def test_a_log_that_is_gone_altogether_is_missed(pit: Pit, file: str) -> None:
    """The log is empty, so no record can fail to fit; the tree still shows that it was there."""
    (pit.folder / file).unlink()
    status, found, _ = examined(pit)
    assert status >= STATUS["missing"]
    told = of_the_tree(found)
    assert told
    assert {(kind, sequence) for kind, _, sequence in told} == {("missing", 1)}
