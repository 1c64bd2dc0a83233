"""The questions on a year of 31 million rounds: a smaller year laid seven times side by side, table by table.

`python -m tests.bench.whole_year` takes some minutes and 6 GB on the disk. A copy has tables, players and dealers of its
own. Hands, wagers, cards and handling are not copied, for a year of those is most of the work and what is asked of a year
leaves them shut: questions that open them are left out here.
"""

import os
import random
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Final

import duckdb

from projections.reading import opened
from projections.schema import SCHEMA
from projections.store import Store
from projections.store.bookkeeping import ParquetFile
from projections.store.relations import parquet
from projections.store.working import written
from tests.bench.questions import asked
from tests.bench.years import Year, houses

TABLES: Final = 16  # of one copy
COPIES: Final = 7
LEFT: Final = frozenset({"hands", "wagers", "cards", "handling"})
OPENS_THEM: Final = ("a round by number", "blast radius", "deck ledger")
_TABLE: Final = f"""('T' || lpad((substr("table", 2)::INTEGER + {TABLES} * copy)::VARCHAR, 3, '0'))"""
# What a copy calls by another name: after its table, or with its own number.
_NAMED: Final = {
    "stream": f"{_TABLE} || substr(stream, 5)",
    "table": _TABLE,
    "deck": f"{_TABLE} || substr(deck, 5)",
    "finding": f"{_TABLE} || substr(finding, 5)",
    "device": f"'shuffler-' || {_TABLE}",
    "player": "'p-' || copy || substr(player, 2)",
    "dealer": "'D-' || copy || substr(dealer, 2)",
    "person": "'D-' || copy || substr(person, 2)",
}


class WholeYear(Year):
    """Copies of a year beside each other, the last day open at all their tables."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, TABLES * COPIES)
        self._of_a_copy = Year(folder, TABLES)

    def player(self, chance: random.Random) -> str:
        """Any player, in one of the copies."""
        return f"p-{chance.randrange(COPIES)}-{chance.randrange(self._of_a_copy.players)}"

    def dealer(self, chance: random.Random) -> str:
        """Any dealer."""
        return f"D-{chance.randrange(COPIES)}-{chance.randrange(self._of_a_copy.dealers)}"

    def copied(self, source: Path) -> None:
        """Copy the files of a smaller year and make its open day again."""
        with Store.open(self.folder) as store, opened(source) as reading:
            store.commit(houses())
            self._build, self._working = store._build.path, store._working
            manifest = reading._manifest
            for files in manifest.files.values():
                sealed = [file for file in files if file.kind != "segment"]
                self._register([self._copied(manifest.folder, file) for file in sealed])
            self._span(self.last, self.last + timedelta(days=1))
            store.publish()

    def _copied(self, folder: Path, file: ParquetFile) -> ParquetFile:
        target = self._build / file.path
        if file.name in LEFT:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(folder / file.path, target)
            return file
        with duckdb.connect() as db:
            made = written(db, self._beside(file, parquet(folder, [file])), self._build, target, (file.name, file.kind))
        assert made is not None
        return made

    def _beside(self, file: ParquetFile, rows: str) -> str:
        """The rows of a file once for each copy, in the order in which a compaction lays them."""
        table = SCHEMA[file.name]
        renamed = ", ".join(f'{told} AS "{name}"' for name, told in _NAMED.items() if name in table.names)
        if table.lies_by:  # what it lies by begins with the number of the copy
            copies = (f"SELECT {copy} AS copy, * FROM {rows}" for copy in range(COPIES))  # noqa: S608 - our own words
            return f"SELECT * EXCLUDE copy REPLACE ({renamed}) FROM ({' UNION ALL '.join(copies)})"  # noqa: S608
        place = 'gaming_day, "table"' + (", round" if "round" in table.names else "")
        many = f"FROM {rows}, range({COPIES}) copies(copy)"
        return f"SELECT * FROM (SELECT * EXCLUDE copy REPLACE ({renamed}) {many}) ORDER BY {place}"  # noqa: S608

    def _peopled(self, told: str) -> str:
        copy = f"substr(r.owner, 2)::INTEGER // {TABLES} || '-' || hash("
        for one in ("p", "D"):
            told = told.replace(f"'{one}-' || hash(", f"'{one}-' || {copy}")
        return self._of_a_copy._peopled(told)


def whole_year(source: Path | None = None) -> None:
    """Time of each question on a whole year, from a smaller year in a folder or one made here."""
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        if source is None:
            source = Path(folder) / "one"
            Year(source, TABLES).make()
        year = WholeYear(Path(folder) / "whole")
        year.copied(source)
        took = asked(year, perf_counter() - began, without=OPENS_THEM)
    for name, each in took.items():
        print(f"{name:<32}{each.clock * 1e3:>12,.0f}{each.processor * 1e3:>7,.0f}")


if __name__ == "__main__":
    whole_year(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
