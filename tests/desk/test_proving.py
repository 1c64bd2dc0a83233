"""`catwalk doctor` on the desk: each damage to its database found, and where it is; its topics compared with it."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.desk.application import DESK_FILE, desk_of
from consumers.logs.opening import LOG_FILE
from consumers.logs.sqlite import SqliteLog
from domain.desk import access, review
from domain.desk.acting import DeskAct
from domain.desk.audit import DeskAudit, compared
from domain.ledger.chain import digest

NOON = 1_795_003_200_000_000
Damage = Callable[[sqlite3.Connection], object]
STREAM = "originator_id='review/f1'"


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    """An empty record, and a desk at which a finding was worked on in four records and looked at twice."""
    SqliteLog(tmp_path / LOG_FILE, create=True).close()
    with closing(desk_of(data=tmp_path)) as desk:
        desk.on_finding("f1", lambda state: review.claim(state, DeskAct("ann", NOON, "k1")))
        for number in range(3):
            act = DeskAct("ann", NOON + number, f"n{number}")
            desk.on_finding("f1", lambda state, act=act: review.note(state, act, "looked at camera 14"))
            desk.looked([access.looked(act, "hand", f"T7/2026-11-18 round {number}")])
    return tmp_path


def examined(folder: Path) -> tuple[int, list[tuple[str, str, int, str]], str]:
    """The exit status, the troubles, and what it said besides."""
    done = CliRunner().invoke(main, ["doctor", "--data", str(folder), "--json"])
    found: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return done.exit_code, [(t["kind"], t["stream"], t["sequence"], t["where"]) for t in found], done.stderr


def test_a_desk_as_it_was_written_is_whole(pit: Path) -> None:
    status, found, said = examined(pit)
    assert (status, found) == (0, [])
    assert "7 records of the desk in 2 streams: whole" in said


def test_a_record_nobody_worked_at_has_no_desk_and_none_is_made(tmp_path: Path) -> None:
    SqliteLog(tmp_path / LOG_FILE, create=True).close()
    status, _, said = examined(tmp_path)
    assert status == 0
    assert "desk" not in said
    assert not (tmp_path / DESK_FILE).exists()


def changed(pit: Path, statement: str) -> None:
    """Damages the desk behind everybody's back."""
    with closing(sqlite3.connect(pit / DESK_FILE)) as file, file:
        assert file.execute(statement.replace("{f1}", STREAM)).rowcount


# change to the desk's file | kind, stream, sequence, where
DAMAGES = [
    (
        "UPDATE facts SET state=CAST(replace(state, 'camera 14', 'camera 15') AS BLOB) WHERE {f1} AND originator_version=3",
        [("break", "review/f1", 3, "desk:4")],
    ),
    ("DELETE FROM facts WHERE {f1} AND originator_version=2", [("gap", "review/f1", 2, "desk:1")]),
    (
        "UPDATE facts SET state=CAST('{\"type\"' AS BLOB) WHERE {f1} AND originator_version=4",
        [("unreadable", "review/f1", 4, "desk:6")],
    ),
    (
        "UPDATE facts SET state=CAST(replace(state, ',', ', ') AS BLOB) WHERE {f1} AND originator_version=4",
        [("not-as-stored", "review/f1", 4, "desk:6")],
    ),
    (
        "UPDATE facts SET originator_version=9 WHERE {f1} AND originator_version=4",
        [("misfiled", "review/f1", 4, "desk:6")],
    ),
    (
        "UPDATE facts SET position=position+90 WHERE {f1} AND originator_version=2",
        [("gap", "review/f1", 2, "desk:1"), ("out-of-order", "review/f1", 2, "desk:92")],
    ),
]


@pytest.mark.parametrize(("statement", "told"), DAMAGES)
def test_each_damage_is_found_and_located(pit: Path, statement: str, told: list[tuple[str, str, int, str]]) -> None:
    changed(pit, statement)
    status, found, said = examined(pit)
    assert found == told
    assert status >= 5
    assert "altered or damaged" in said


def audit(rows: list[tuple[int, bytes]], published: int = 0) -> DeskAudit:
    """A reading of these rows."""
    made = DeskAudit(published)
    for position, stored in rows:
        assert not list(made.take(stored, f"here:{position}", position))
    return made


def test_desk_and_topics_are_told_apart_where_one_lacks_what_the_other_has(pit: Path) -> None:
    with closing(desk_of(data=pit)) as desk:
        notes = desk.recorder.select_notifications(1, 100)
        rows = [(row.id, bytes(row.state)) for row in notes]
    heads = {(str(row.originator_id), row.originator_version): digest(bytes(row.state)) for row in notes}

    def differences(at_desk: list[tuple[int, bytes]], published: int, there: list[tuple[int, bytes]]) -> list[Any]:
        held, seen = audit(at_desk, published), audit(there)
        found = compared(held.streams, seen.streams, lambda stream, at: heads.get((stream, at), ""))
        return [(one.kind, one.stream, one.sequence) for one in found]

    assert differences(rows, 7, rows) == []
    assert differences(rows, 4, rows[:4]) == []  # the rest is still to be published
    assert differences(rows, 0, rows) == []  # published, and the relay died before it noted that
    assert differences(rows, 7, rows[:5]) == [("tail-cut", "access/2026-11-18", 3), ("tail-cut", "review/f1", 4)]
    assert differences(rows[:5], 7, rows) == [("tail-cut", "access/2026-11-18", 3), ("tail-cut", "review/f1", 4)]
    other = [*rows[:5], (6, rows[5][1].replace(b"camera 14", b"camera 15"))]
    assert differences(rows, 6, other) == [("fork", "review/f1", 4)]
