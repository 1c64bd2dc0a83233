"""Houses in force as rows: the options, and the house edge of each wager by exact odds."""

from collections.abc import Iterator

import msgspec

from domain.odds.expectation import expectations
from domain.rulebooks import House
from projections.changes import Key, Row


def house_rows(digest: str, house: House) -> Iterator[tuple[Key, Row]]:
    """A row per wager, with its key."""
    options = msgspec.json.encode(house.options, order="sorted").decode()
    method = str(house.options.get("dealing_method") or "")
    for wager, expected in sorted(expectations(house).items()):
        yield (
            (digest, wager),
            (
                *(digest, house.book.book, options, method, wager, expected.unit),
                *(expected.edge, expected.deviation),
                *(expected.fixed_cents, expected.crossed, expected.fixed_variance, expected.note),
            ),
        )
