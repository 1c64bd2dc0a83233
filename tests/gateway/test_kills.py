"""Gateways on the embedded log killed at random moments."""

import sqlite3
from pathlib import Path

import pytest

from tests.gateway.kills import KillContract, nursery
from tests.gateway.proof import Entry

__all__ = ["nursery"]


class Embedded:
    """An embedded record."""

    def __init__(self, folder: Path) -> None:
        self.state = folder
        self.options = self.proving = ("--data", str(folder))
        self._file = folder / "record/facts.sqlite"

    def log(self) -> list[Entry]:
        return [Entry(0, stored) for stored in self._read()]

    def standing(self, facts: set[bytes]) -> bool:
        return bool(facts) and not facts.isdisjoint(self._read())

    def _read(self) -> list[bytes]:
        log = sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)
        try:
            return [stored for (stored,) in log.execute("SELECT state FROM facts ORDER BY position")]
        finally:
            log.close()


class TestEmbedded(KillContract):
    """One SQLite file."""

    @pytest.fixture
    def record(self, tmp_path: Path) -> Embedded:
        return Embedded(tmp_path / "pit")
