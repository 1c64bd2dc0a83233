"""The houses: each book with its options in force, and the tables that use it."""

import msgspec

from projections.questions.asking import Reading, rows


class HouseRow(msgspec.Struct, frozen=True, kw_only=True):
    """One book with its options."""

    house: str
    book: str
    options: str  # as JSON, by their names in the rule book
    method: str | None
    tables: tuple[str, ...]
    days: int


_HOUSES = """
SELECT h.house, any_value(h.book) AS book, any_value(h.options) AS options, any_value(h.method) AS method,
    coalesce(list_sort(list(DISTINCT t."table") FILTER (t."table" IS NOT NULL)), []) AS tables,
    count(DISTINCT t.stream) AS days
FROM houses h LEFT JOIN tables t ON t.house = h.house GROUP BY h.house ORDER BY book, h.house
"""


def houses_of(reading: Reading) -> list[HouseRow]:
    """Return every house that was ever in force."""
    return rows(reading, HouseRow, _HOUSES)
