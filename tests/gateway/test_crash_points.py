"""A gateway killed before each single statement it makes to its databases, one after the other."""

import shutil
from pathlib import Path

import pytest

from tests.gateway.admitted import OPENED
from tests.gateway.floor import day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.proof import expected_of, faults
from tests.gateway.test_kills import Embedded

__all__ = ["nursery"]

DAY = "2026-11-18"
SAID = lines(day(rounds=2))
KILLED = -9


@pytest.fixture
def begun(nursery: Nursery, tmp_path: Path) -> Path:
    """A record of the morning, and the files of what is said until noon and until the evening."""
    for until, count in (("morning", 6), ("noon", 14), ("evening", len(SAID))):
        (tmp_path / until).write_bytes(b"\n".join(SAID[:count]) + b"\n")
    options = ("--data", tmp_path / "begun")
    (tmp_path / "opened").write_bytes(OPENED + b"\n")
    assert nursery.run("ingest", *options, tmp_path / "opened")[0] == 0
    for table in ("property", "T7"):
        status, told = nursery.run("keys", "make", table, f"{table}-key", "--from", f"{DAY}T00:00:00Z", *options)
        assert status == 0, told
        (tmp_path / f"{table}.told").write_text(told)
    assert nursery.run("ingest", *options, tmp_path / "morning")[0] == 0
    return tmp_path / "begun"


def test_a_gateway_killed_before_any_one_statement_loses_nothing_and_doubles_nothing(
    nursery: Nursery, begun: Path, tmp_path: Path
) -> None:
    """The lines until noon kill it one statement later each time, until none is left; the evening follows."""
    keys = [(tmp_path / f"{table}.told").read_bytes().splitlines()[-1] for table in ("property", "T7")]
    expected = expected_of({DAY: [OPENED.replace(b"{", b'{"stream":"property",', 1), *keys, *SAID]})
    statement, status = 0, KILLED
    while status == KILLED:
        statement += 1
        folder = tmp_path / f"pit-{statement}"
        shutil.copytree(begun, folder)
        ran = nursery.start("ingest", "--data", folder, tmp_path / "noon", die_at=statement)
        status = ran.wait() or 0
        assert status in (0, KILLED), ran.told.read_text()
        again, said = nursery.run("ingest", "--data", folder, tmp_path / "evening")
        assert again == 0, said
        assert faults(Embedded(folder).log(), expected) == [], f"died before statement {statement}"
        shutil.rmtree(folder)
    assert statement > 50
