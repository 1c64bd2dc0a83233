"""The columns of an export's tables: those of the read models, without any that depend on a log's positions."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec

from projections.export.zones import told
from projections.schema import EDITION, SCHEMA

Cell = int | str  # an unknown value is an empty text
Cells = tuple[Cell, ...]


class Column(msgspec.Struct, frozen=True):
    """One column: its DuckDB type, and the place of its value in a row of the read models."""

    name: str
    type: str
    place: int = 0

    @property
    def integer(self) -> bool:
        """True if its cells are numbers."""
        return self.type in ("INTEGER", "BIGINT")


def _of(model: str) -> tuple[Column, ...]:
    return tuple(
        Column(column.name, column.type, place)
        for place, column in enumerate(SCHEMA[model].columns)
        if column.name != EDITION
    )


def _own(*named: str) -> tuple[Column, ...]:
    """Return columns that only exports have: amounts, counts and sequences are integers, the rest is text."""
    kinds = ((name.removesuffix("#"), "BIGINT" if name.endswith(("_cents", "#")) else "VARCHAR") for name in named)
    return tuple(Column(name, kind, place) for place, (name, kind) in enumerate(kinds))


_AMOUNTS = ("staked_cents", "collected_cents", "paid_cents", "returned_cents")
_BANK = ("opener_cents", "fills_cents", "credits_cents", "drop_cents", "closer_cents", "bought_in_cents", "win_cents")
_IN_A_STREAM = ("stream", "table", "gaming_day")
# In the order of their names, which is the order of their files and sheets.
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "card_record": _own(
        *(*_IN_A_STREAM, "sequence#", "at", "what", "round#", "deck", "cards#", "rounds_since_count#"),
        *("method", "device", "by", "findings"),
    ),
    "counts": _own("kind", "stream", "type", "records#"),
    "coverage": _of("coverage"),
    "deck_ledger": _of("decks"),
    "errors": _own(
        *(*_IN_A_STREAM, "round#", "ended_at", "dealer", "seat#", "player", "wager", "staked_cents", "owed_cents"),
        *("back_cents", "to_player_cents", "by_player_cents", "clause", "basis", "findings"),
    ),
    "faults": _own("kind", "stream", "sequence#", "fault"),
    "findings": (*_of("findings"), Column("clause_texts", "VARCHAR", len(SCHEMA["findings"].columns))),
    "hands": _of("hands"),
    "openers": _own(
        *(*_IN_A_STREAM, "opened_at", "closed_on", "closer_cents", "opener_cents", "difference_cents", "duty"),
    ),
    "paid": _own("stream", "round#", "seat#", "wager", *_AMOUNTS),
    "players": _own("player", "name"),
    "rounds": _of("rounds"),
    "statistics": _own(
        *("gaming_day", "by", "of", "period", "table_days#", "counted#", "drop_cents", "win_cents", "hold_bp#", "base"),
        *("base_table_days#", "base_hold_bp#", "low_hold_bp#", "high_hold_bp#", "inside", "note"),
    ),
    "table_money": _own(*_IN_A_STREAM, *_BANK),
    "wagers": _of("wagers"),
}
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
