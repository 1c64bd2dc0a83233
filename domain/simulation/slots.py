"""The time from one round to the next: about as many hands an hour as such a table deals.

Rounds begin on this beat, not at the end of the one before, so that a delayed round does not move all later ones.
"""

from random import Random

from domain.facts.words import Book
from domain.simulation.pace import SECOND
from domain.simulation.table import TableInPlay

# Seconds for the dealer's part of a round, and for each position, as the floor's paces add up to.
_SECONDS: dict[str, tuple[int, int]] = {
    "UTH-MA": (68, 22),
    "UTH-MD": (71, 24),
    "PIK": (65, 20),
    "FAH": (27, 11),
    "COL": (53, 15),
}
_BY_HAND = 10  # more if the dealer shuffles before each round


def slot(table: TableInPlay, positions: int, own: Random) -> int:
    """Return the microseconds from the beginning of a round to that of the next."""
    dealer, each = _SECONDS[table.setup.book]
    by_hand = 0 if table.machine_shuffles or table.setup.book == "FAH" else _BY_HAND
    return (dealer + by_hand + each * positions) * SECOND * (100 + int(own.random() * 30)) // 100


def rounds_in(book: Book, microseconds: int) -> int:
    """Return about how many rounds a table with a few players deals in this time."""
    dealer, each = _SECONDS[book]
    return microseconds // ((dealer + 3 * each) * SECOND)
