"""Stub counts and deck changes, in the form of `projections/questions/card_record.py`.

The facts fill most columns first. Once the other tables are complete, they add the number of rounds dealt since the
previous count, and the findings about the cards.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from domain.facts.codec import name_of
from domain.facts.decks import DeckChanged, DeckInspected, DeckReceived, DeckRemoved, InspectionVerified
from domain.facts.envelope import Fact
from domain.facts.payments import MisdealDetermined, StubCounted
from domain.facts.shuffles import BatchReleased
from domain.facts.table_day import MethodChanged
from projections.export.columns import TABLES, Cell, Cells
from projections.export.zones import told

CARD_FACTS: Final[tuple[type[Fact], ...]] = (
    *(StubCounted, MisdealDetermined, MethodChanged, BatchReleased),
    *(DeckReceived, DeckInspected, InspectionVerified, DeckChanged, DeckRemoved),
)
_COUNT_ANEW: Final = ("stub-counted", "deck-changed", "method-changed")  # each restarts the count of rounds
_PLACE: Final = {column.name: place for place, column in enumerate(TABLES["card_record"])}


def cells_of(fact: Fact, number: int, deck: str, zone: ZoneInfo) -> Cells:
    """Return the row of a corrected fact of this round; `deck` is used if the fact names none."""
    said: Any = fact
    table, _, day = fact.stream.partition("/")
    method = ""
    if isinstance(said, MethodChanged):
        method = " ".join(filter(None, (said.dealing_method, said.shuffling)))
    cards = getattr(said, "cards", None)
    return (
        *(fact.stream, table, day, fact.sequence, told(fact.at, zone), name_of(fact).rpartition(".")[0], number or ""),
        *(str(getattr(said, "deck", "") or getattr(said, "old", "") or deck), "" if cards is None else cards, ""),
        *(method, getattr(said, "device", ""), str(getattr(said, "by", "")), ""),
    )


def counted(rows: Iterable[Cells], rounds: Sequence[int], codes: Callable[[int], str]) -> Iterator[Cells]:
    """The complete rows of one stream, given its finished rounds and what was found about the cards of a round."""
    before = 0
    for row in rows:
        told_row: list[Cell] = list(row)
        what, number = row[_PLACE["what"]], row[_PLACE["round"]]
        if what == "stub-counted":
            dealt = bisect_right(rounds, number) - bisect_right(rounds, before) if isinstance(number, int) else 0
            told_row[_PLACE["rounds_since_count"]] = max(dealt, 0)
        if what in _COUNT_ANEW and isinstance(number, int):
            before = max(before, number)
        told_row[_PLACE["findings"]] = codes(number) if isinstance(number, int) else ""
        yield tuple(told_row)
