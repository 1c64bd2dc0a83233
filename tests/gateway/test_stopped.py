"""A gateway whose log does not take what it is given ends with one sentence, and loses nothing."""

import shutil
from pathlib import Path

from consumers.doctor.telling import STATUS
from tests.gateway.floor import day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery

__all__ = ["nursery"]


def test_a_gateway_with_another_outbox_is_told_so_and_overwrites_nothing(nursery: Nursery, tmp_path: Path) -> None:
    said = lines(day())
    (tmp_path / "said").write_bytes(b"\n".join(said) + b"\n")
    (tmp_path / "other").write_bytes(b"\n".join(said).replace(b"1000", b"2000") + b"\n")
    assert nursery.run("ingest", "--data", "pit", "said")[0] == 0
    (tmp_path / "opening").write_bytes(said[0] + b"\n")
    assert nursery.run("ingest", "--data", "elsewhere", "opening")[0] == 0
    shutil.rmtree(tmp_path / "pit/gateway")
    shutil.copytree(tmp_path / "elsewhere/gateway", tmp_path / "pit/gateway")
    status, told = nursery.run("ingest", "--data", "pit", "other")
    assert status == 2
    assert "T7/2026-11-18:3 already holds other bytes: another gateway wrote this record, or pit/gateway" in told
    assert "Traceback" not in told
    status, told = nursery.run("doctor", "--data", "pit")
    assert status == STATUS["outbox-bad"]
    assert "could record a repeat as a new fact" in told
