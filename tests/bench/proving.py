"""The rows of facts proved by `catwalk doctor`: the compiled pass, and each fact by itself, over the same file."""

import tempfile
from contextlib import closing
from pathlib import Path

from consumers.bulk import loading
from consumers.doctor import reading
from consumers.doctor.database import readonly
from consumers.doctor.outbox import Inputs
from consumers.doctor.reading import ReadOnly, of_facts
from consumers.doctor.rows import Rows
from consumers.gateway.keys import verify
from consumers.gateway.standing import MARKS
from consumers.gateway.standing import read as standing_in
from consumers.logs.sqlite import SqliteLog
from domain.ledger.audit import Audit
from tests.bench.chained import chained
from tests.bench.sides import beside

FACTS = 100_000
BATCH = 5_000
DAY = "2026-11-18"
GOAL = 1_000_000


def proved_rows() -> None:
    """Facts a second and core, in turns: keys, columns, bytes, chains, digest, what sources said, and the index."""
    if loading.compiled() is None:
        print("rows of facts      the compiled pass cannot be had here")
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "facts.sqlite"
        rows = chained(FACTS, DAY)
        with closing(SqliteLog(file, create=True)) as log:
            for start in range(0, len(rows), BATCH):
                log.append(rows[start : start + BATCH])
        beside(
            "rows of facts proved in bulk",
            lambda: _proved(file, 0),
            lambda: _proved(file, FACTS + 1),
            count=FACTS,
            peer="one by one",
            goal=GOAL,
        )


def _proved(file: Path, in_bulk_from: int) -> None:
    kept, reading.IN_BULK = reading.IN_BULK, in_bulk_from
    with closing(readonly(file)) as db:
        rows = Rows("facts", db, sound=True)
        standing = standing_in(ReadOnly(rows, MARKS))
        audit = Audit(standing.keys, verify, standing.sources)
        found = [*of_facts(rows, audit, Inputs()), *rows.finish(damaged=False, cut=False)]
    reading.IN_BULK = kept
    if found or audit.read != FACTS:
        raise RuntimeError(f"the log of the benchmark is not whole: {found[:3]}")


if __name__ == "__main__":
    proved_rows()
