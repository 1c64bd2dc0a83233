"""The regulator's lists as printed: rows of the export's own tables, with amounts in dollars."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

from domain.money import dollars
from projections.export.columns import TABLES
from projections.export.report.glyphs import exact, printable
from projections.export.report.told import MOST_LINES, PrintedTable

Row = Sequence[str]
_NO_DUTY: Final = ("", "first day on record")


class _Printed(msgspec.Struct, frozen=True):
    title: str
    heads: tuple[str, ...]
    right: tuple[int, ...]  # columns of numbers
    cells: Callable[[dict[str, str]], tuple[str, ...]]


def listed(table: str, rows: Iterable[Row]) -> PrintedTable:
    """Return the first rows of a table that belong on paper."""
    names = [column.name for column in TABLES[table]]
    kept: list[tuple[str, ...]] = []
    more = 0
    day = ""
    for row in rows:
        told = dict(zip(names, row, strict=True))
        if table == "statistics" and told["gaming_day"] != day:
            day, kept, more = told["gaming_day"], [], 0  # only the rows of the last day
        if table == "openers" and told["duty"] in _NO_DUTY:
            continue
        if len(kept) < MOST_LINES:
            kept.append(tuple(row))
        else:
            more += 1
    return PrintedTable(table, tuple(kept), more)


def printed(held: PrintedTable) -> dict[str, Any]:
    """Return the printed data of a list."""
    how = _PRINTED[held.table]
    names = [column.name for column in TABLES[held.table]]
    rows = [dict(zip(names, row, strict=True)) for row in held.rows]
    title = f"{how.title} up to {rows[0]['gaming_day']}" if held.table == "statistics" and rows else how.title
    return {
        "title": title,
        "heads": how.heads,
        "right": how.right,
        "rows": [how.cells(row) for row in rows],
        "notes": _notes(rows),
        "left": f"{held.more:,}" if held.more else "",
        "file": f"{held.table}.csv",
    }


def _notes(rows: Iterable[dict[str, str]]) -> list[str]:
    """Return the notes on what to investigate; the reason for missing intervals appears once."""
    told = [f"{row['of']}, {row['period']}: {row['note']}" for row in rows if row.get("note")]
    found = [printable(each) for each in told if ": No interval: " not in each]
    few = "A dash for an interval: the year before, or the month, has fewer than 30 counted table days."
    return found if len(found) == len(told) else [*found, few]


def _cents(cell: str) -> str:
    return dollars(int(cell) if cell else None)


def _percent(cell: str) -> str:
    return f"{int(cell) / 100:.2f} %" if cell else "–"


def _statistics(row: dict[str, str]) -> tuple[str, ...]:
    between = f"{_percent(row['low_hold_bp'])} to {_percent(row['high_hold_bp'])}" if row["low_hold_bp"] else "–"
    return (
        *(printable(row["of"] or "unknown game"), row["period"], f"{row['counted']} of {row['table_days']}"),
        *(_cents(row["drop_cents"]), _cents(row["win_cents"]), _percent(row["hold_bp"]), between),
        {"true": "inside", "false": "outside"}.get(row["inside"], "–"),
    )


def _openers(row: dict[str, str]) -> tuple[str, ...]:
    amounts = (_cents(row[name]) for name in ("closer_cents", "opener_cents", "difference_cents"))
    return (exact(row["stream"]), row["closed_on"] or "–", *amounts, row["duty"])


def _cards(row: dict[str, str]) -> tuple[str, ...]:
    names = ("round", "deck", "cards", "rounds_since_count", "findings")
    at = row["at"][11:19]
    return (exact(row["stream"]), at, row["what"].replace("-", " "), *(printable(row[name]) or "–" for name in names))


def _errors(row: dict[str, str]) -> tuple[str, ...]:
    amounts = (_cents(row[name]) for name in ("owed_cents", "back_cents", "to_player_cents", "by_player_cents"))
    place = (exact(row["stream"]), row["round"], row["seat"], printable(row["player"]) or "–")
    return (*place, row["wager"].replace("_", " "), *amounts, exact(row["clause"]))


_PRINTED: Final = {
    "statistics": _Printed(
        "Drop, win and hold",
        ("Game or table", "Period", "Counted days", "Drop", "Win", "Hold", "95 % interval", "Hold is"),
        (2, 3, 4, 5, 6),
        _statistics,
    ),
    "openers": _Printed(
        "Openers that differ from the previous closer",
        ("Table and day", "Closed on", "Previous closer", "Opener", "Difference", "Required action"),
        (2, 3, 4),
        _openers,
    ),
    "errors": _Printed(
        "Errors and repayments",
        ("Table and day", "Round", "Seat", "Player", "Wager", "Owed", "Back", "To player", "By player", "Clause"),
        (1, 2, 5, 6, 7, 8),
        _errors,
    ),
    "card_record": _Printed(
        "Stub counts and deck changes",
        ("Table and day", "At", "What", "Round", "Deck", "Cards", "Rounds since", "Found"),
        (3, 5, 6),
        _cards,
    ),
}
PRINTED: Final = tuple(_PRINTED)
