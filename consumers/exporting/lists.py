"""The regulator's lists, made line by line from the finished tables."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, islice
from typing import Final

import msgspec

from consumers.exporting.faults import rows_of as rows_of_faults
from consumers.exporting.staging import BAG, Staging
from consumers.exporting.writing import BANK, BEFORE, CARDS, OUTSIDE, file_of
from domain.ledger.seals import KeyRegister
from domain.ledger.source_register import SourceRegister
from projections.export import csv_text, openers, statistics
from projections.export import errors as errors_list
from projections.export.card_record import counted
from projections.export.columns import TABLES, Cells
from projections.export.errors import ErrorTotals
from projections.export.question import ExportQuestion
from projections.export.told import ListedTableDay
from projections.export.zones import zone_of

_AT_ONCE: Final = 4_096  # rows written to a file together
_ROUNDS = {column.name: place for place, column in enumerate(TABLES["rounds"])}


def write(question: ExportQuestion, staging: Staging, register: KeyRegister, sources: SourceRegister) -> int:
    """Write all five lists, each with a header even if it is empty; return the number of the record's faults."""
    zone = zone_of(question.zone)
    standing = ErrorTotals(read(staging, "findings"))
    days = _days(staging, BANK)
    _put(staging, "card_record", _cards(staging, standing))
    _put(staging, "errors", errors_list.rows_of(read(staging, "wagers"), read(staging, "rounds"), standing))
    _put(staging, "openers", openers.rows_of([*days, *_days(staging, BEFORE)], zone))
    told = statistics.rows_of([*days, *_days(staging, OUTSIDE)], to_date=question.scope.to_date)
    _put(staging, "statistics", told)
    faults = rows_of_faults(staging, register, sources)
    _put(staging, "faults", faults)
    return len(faults)


def read(staging: Staging, table: str) -> Iterator[list[str]]:
    """The rows of a table after its header, as written."""
    staging.flush()
    with staging.path(f"{BAG}/{file_of(table)}").open(encoding="utf-8", newline="") as lines:
        rows = csv_text.read_rows(lines)
        next(rows, None)
        yield from rows


def _days(staging: Staging, name: str) -> list[ListedTableDay]:
    return [msgspec.json.decode(line, type=ListedTableDay) for line in staging.noted(name)]


def _cards(staging: Staging, standing: ErrorTotals) -> Iterator[Cells]:
    """The card records stream by stream, beside the rounds of that stream."""
    rounds = groupby(read(staging, "rounds"), key=lambda row: row[_ROUNDS["stream"]])
    noted = (tuple(msgspec.json.decode(line)) for line in staging.noted(CARDS))
    of_stream, own = next(rounds, ("", iter(())))
    for stream, rows in groupby(noted, key=lambda row: str(row[0])):
        while of_stream and of_stream < stream:
            of_stream, own = next(rounds, ("", iter(())))
        numbers = [int(row[_ROUNDS["round"]]) for row in own] if of_stream == stream else []
        yield from counted(rows, numbers, partial(standing.codes, stream))


def _put(staging: Staging, table: str, rows: Iterable[Cells]) -> None:
    left = iter(rows)
    with staging.path(f"{BAG}/{file_of(table)}").open("wb") as out:
        out.write(csv_text.head(table))
        while some := list(islice(left, _AT_ONCE)):
            out.write(csv_text.rows_of(some))
