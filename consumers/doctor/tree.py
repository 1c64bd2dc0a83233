"""Rebuild the tree's file from its entries and compare: everything else in it follows from them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from consumers.doctor.database import readonly
from consumers.doctor.rows import TreeCoverage
from consumers.trust.tree_file import TREE_FILE, TreeFile, TreeTroubleError
from domain.ledger.stretches import KINDS, Kind

# The positions reached in logs do not follow from the entries; they are compared with the rows of each log.
_BESIDE = frozenset({"positions"})


def troubles(path: Path) -> Iterator[str]:
    """The differences between a table of the tree's file and its entries."""
    with TemporaryDirectory() as scratch:
        again = Path(scratch) / "tree.sqlite"
        try:
            with closing(TreeFile(path)) as tree, closing(TreeFile(again, make=True)) as new, new.growing():
                after = 0
                while entries := tree.entries(after):
                    for entry in entries:
                        new.put(entry.type, entry.stored)
                    after = entries[-1].sequence
        except TreeTroubleError as error:
            yield str(error)
            return
        with closing(readonly(path)) as held, closing(readonly(again)) as made:
            for table in _tables(made):
                yield from _compared(table, held, made)


def _tables(db: sqlite3.Connection) -> list[str]:
    rows = db.execute("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    return [name for (name,) in rows if name not in _BESIDE]


def _compared(table: str, held: sqlite3.Connection, made: sqlite3.Connection) -> Iterator[str]:
    """The first row of a table that differs."""
    columns = [row[1] for row in made.execute(f"PRAGMA table_info({table})")]
    asked = f"SELECT * FROM {table} ORDER BY {', '.join(columns)}"  # noqa: S608 - names of a schema that was made here
    for here, there in zip_longest(held.execute(asked), made.execute(asked)):
        if here != there:
            yield f"table {table} has {_shown(here)} where its entries make {_shown(there)}"
            return


def _shown(row: tuple[object, ...] | None) -> str:
    if row is None:
        return "no row"
    first = [each.hex()[:16] if isinstance(each, bytes) else str(each)[:40] for each in row[:3]]
    return f"the row {', '.join(first)}"


def held(folder: Path) -> dict[Kind, TreeCoverage]:
    """The tree's coverage of each log in a folder; empty without a readable tree."""
    file = folder / TREE_FILE
    if not file.is_file():
        return {}
    try:
        with closing(TreeFile(file)) as tree:
            told = tree.streams(tree.size)
            positions = {kind: tree.positions(kind).get(0, 0) for kind in KINDS}
    except (TreeTroubleError, sqlite3.Error):
        return {}
    return {
        kind: TreeCoverage({stream: last for of, stream, last in told if of == kind}, positions[kind]) for kind in KINDS
    }
