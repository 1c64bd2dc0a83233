"""The columns of an export's tables: those of the read models, without any that depend on a log's positions."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from projections.export.verifier.columns import COLUMNS
from projections.export.zones import told
from projections.schema import SCHEMA

Cell = int | str  # an unknown value is an empty text
Cells = tuple[Cell, ...]


class ExportColumn(msgspec.Struct, frozen=True):
    """One column: its DuckDB type, and the place of its value in a row of the read models."""

    name: str
    type: str
    place: int = 0

    @property
    def integer(self) -> bool:
        """True if its cells are numbers."""
        return self.type in ("INTEGER", "BIGINT")


# Tables that are also read models, one of them under another name.
_MODELS: Final[dict[str, str]] = {name: name for name in ("coverage", "findings", "hands", "rounds", "wagers")}
_MODELS["deck_ledger"] = "decks"
_BESIDE: Final = ("clause_texts",)  # what an export adds to a row of the read models


def _columns(table: str) -> tuple[ExportColumn, ...]:
    """Return the columns that a table declares, with the types and places that its read model gives them."""
    declared = [(name.lstrip("*"), "BIGINT" if name.startswith("*") else "VARCHAR") for name in COLUMNS[table]]
    if table not in _MODELS:
        return tuple(ExportColumn(name, kind, place) for place, (name, kind) in enumerate(declared))
    model = SCHEMA[_MODELS[table]].columns
    held = {each.name: ExportColumn(each.name, each.type, place) for place, each in enumerate(model)}
    held |= {name: ExportColumn(name, "VARCHAR", len(model) + more) for more, name in enumerate(_BESIDE)}
    found = tuple(held[name] for name, _ in declared)
    for column, (_, kind) in zip(found, declared, strict=True):
        if column.integer != (kind == "BIGINT"):
            raise TypeError(f"{table}: {column.name} is {column.type} in the read model, so its star is wrong")
    return found


# In the order of their names, which is the order of their files and sheets.
TABLES: Final[Mapping[str, tuple[ExportColumn, ...]]] = {name: _columns(name) for name in sorted(COLUMNS)}
PLAYERS: Final = "players"  # only where names are shown
LISTS: Final = (
    "card_record",
    "errors",
    "faults",
    "openers",
    "statistics",
)  # made from the other tables, once these are complete


class Cutter:
    """Rows of the read models, converted to the cells of an export's table, with times in the zone."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone

        def moment(at: int | None) -> Cell:
            return "" if at is None else told(at, zone)

        by_type: dict[str, Callable[[Any], Cell]] = {
            "TIMESTAMP": moment,
            "BOOLEAN": lambda value: "" if value is None else "true" if value else "false",
            "DATE": lambda value: "" if value is None else value if isinstance(value, str) else value.isoformat(),
            "VARCHAR[]": _listed,
            "INTEGER[]": _listed,
        }
        self._cuts = {
            name: tuple((column.place, by_type.get(column.type, _plain)) for column in columns)
            for name, columns in TABLES.items()
        }

    def cells(self, table: str, row: tuple[Any, ...]) -> Cells:
        """Return the cells of one row."""
        return tuple(cut(row[place]) for place, cut in self._cuts[table])


def _plain(value: Any) -> Cell:
    return "" if value is None else value


def _listed(values: Any) -> Cell:
    return "; ".join(map(str, values or ()))
