"""Close a stretch: move all rounds but the last few of each table from the working file into Parquet.

This keeps the copy in each generation small during the day. The files are written and made durable first; then one
transaction puts them on the manifest and deletes the rows. A kill in between leaves files that no manifest names. The
same transaction adds up the moved rows, so that queries of the open day need not.
"""

from collections.abc import Mapping
from typing import Final

from projections.rollups import BASES, SUMMED, query_of_part, together
from projections.store.bookkeeping import ParquetFile
from projections.store.ddl import LIFE, closed_sums, listed
from projections.store.layout import sync_files
from projections.store.relations import ROUND_TABLES
from projections.store.working import Working

# Rows added to the round tables before a stretch is closed, if no more than these were left by the one before.
ROWS: Final = 20_000
KEPT: Final = 3  # the newest rounds of a stream, which may still change
_CLOSING: Final = "t.stream = c.stream AND t.round <= c.up_to"


def rows(working: Working) -> int:
    """Return the number of rows in the round tables of the working file."""
    counts = " + ".join(f'(SELECT count(*) FROM main."{table.name}")' for table in ROUND_TABLES)
    return int(working.rows(f"SELECT {counts}")[0][0])


def close(working: Working, kept: int = KEPT) -> bool:
    """Close all stretches; return whether there were any."""
    ends = working.rows("SELECT stream, max(round) FROM main.rounds GROUP BY stream")
    working.db.execute("CREATE OR REPLACE TEMP TABLE closing (stream VARCHAR, up_to INTEGER, life INTEGER)")
    places = [(stream, newest - kept, working.life(stream)) for stream, newest in ends if newest > kept]
    if not places:
        return False
    working.db.executemany("INSERT INTO closing VALUES (?, ?, ?)", places)
    files = _written(working)
    if not files:
        return False
    with working.transaction():
        working.register(files)
        _hold(working, files)
        add_up(working, {name: f"(SELECT t.* FROM main.{name} t JOIN closing c ON {_CLOSING})" for name in BASES})
        for table in ROUND_TABLES:
            working.db.execute(f'DELETE FROM main."{table.name}" t USING closing c WHERE {_CLOSING}')
    return True


def add_up(working: Working, bases: Mapping[str, str]) -> None:
    """Add rows that move into segments to the stored sums."""
    for rollup in SUMMED:
        sums = closed_sums(rollup)
        parts = f"{query_of_part(rollup, bases)} UNION ALL FROM {sums}"
        working.db.execute(f"CREATE OR REPLACE TABLE {sums} AS {together(rollup, parts, for_good=False)}")


def _written(working: Working) -> list[ParquetFile]:
    number = working.next_number()
    files = []
    for table in ROUND_TABLES:
        query = (
            f'SELECT {listed(table, "t")}, c.life AS {LIFE} FROM main."{table.name}" t JOIN closing c ON {_CLOSING}'
            " ORDER BY t.stream, t.round"
        )
        file = working.write(query, f"segments/{table.name}-{number}.parquet", table, "segment")
        if file is not None:
            files.append(file)
    sync_files(working.build.path / file.path for file in files)
    return files


def _hold(working: Working, files: list[ParquetFile]) -> None:
    """Note which streams have rows in the files, before the rows leave the working file."""
    for file in files:
        working.db.execute(
            f'INSERT INTO catwalk.held SELECT DISTINCT ?, t.stream, c.life FROM main."{file.name}" t'
            f" JOIN closing c ON {_CLOSING}",
            [file.path],
        )
