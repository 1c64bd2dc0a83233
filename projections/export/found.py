"""Findings in an export: the standing and the withdrawn ones, according to the records up to the checkpoint."""

from collections.abc import Iterable, Iterator

from domain.clauses import UnknownClauseError, clause
from domain.facts.envelope import Fact
from projections.changes import Row
from projections.export.columns import Cells, Cutter
from projections.folding.findings import FindingRows
from projections.schema import SCHEMA

NAMES = SCHEMA["findings"].names
_NAME, _CLAUSES = NAMES.index("finding"), NAMES.index("clauses")


def rows_of(stream: str, records: Iterable[Fact]) -> list[Row]:
    """Return a row per finding, by name, in the form of the read models plus the texts of its clauses."""
    of_stream = FindingRows(stream)
    found: dict[str, Row] = {}
    for record in records:
        for table, row in of_stream.take(record):
            if table == "findings":
                found[row[_NAME]] = row
    return [(*row, " | ".join(gists(row[_CLAUSES]).values())) for _, row in sorted(found.items())]


def cells_of(rows: Iterable[Row], cutter: Cutter) -> Iterator[Cells]:
    """The cells of these rows."""
    return (cutter.cells("findings", row) for row in rows)


def gists(clauses: Iterable[str]) -> dict[str, str]:
    """Return what these clauses require, by their references."""
    return {name: _gist(name) for name in clauses}


def _gist(name: str) -> str:
    try:
        return clause(name).gist
    except UnknownClauseError:
        return ""
