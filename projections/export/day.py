"""One stream of a table's facts for an export: the whole stream up to the checkpoint, with its corrections.

The fold is the one that feeds the read models. It uses these facts only, so an export does not depend on the time at
which it is made.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.watching import Corrected
from domain.table.round import RoundInPlay
from domain.watch.corrected import Corrections, corrected, unfit
from projections.changes import Changes, Row
from projections.export.card_record import CARD_FACTS, cells_of
from projections.export.columns import Cells, Cutter
from projections.export.told import PaidWagers, TableMoney
from projections.folding.day import DayFold
from projections.folding.stream import FoldError, folded
from projections.schema import SCHEMA

_OF_ROUNDS = ("rounds", "hands", "wagers")
_ROUND = SCHEMA["rounds"].names.index("round")
_SEQUENCE, _DECK = SCHEMA["handling"].names.index("sequence"), SCHEMA["handling"].names.index("deck")
_EDITION = 1  # any: an export has none


class FoldedStream(msgspec.Struct):
    """A folded stream: its result, and what could not be read."""

    fold: DayFold
    paid: PaidWagers
    money: TableMoney
    round_of: dict[int, int]  # by sequence, as corrected
    cards: list[Fact]  # the facts of the card record, as corrected
    left_out: tuple[Corrected, ...] = ()  # unreadable corrections
    trouble: str = ""

    @property
    def rounds(self) -> Mapping[int, RoundInPlay]:
        """The rounds by number."""
        return self.fold.day.rounds


def day_of(stream: str, facts: Sequence[Fact], known: Corrections) -> FoldedStream:
    """Return the day of these facts with these corrections."""
    paid, money, round_of, cards = PaidWagers(), TableMoney(), {}, []
    left_out: list[Corrected] = []
    for fact in facts:
        told = known.get(fact.sequence, ())
        read = corrected(fact, told)
        left_out += unfit(fact, told)
        if read is not None:
            round_of[fact.sequence] = paid.take(read)
            money.take(read)
            if isinstance(read, CARD_FACTS):
                cards.append(read)
    trouble = ""
    try:
        fold = folded(stream, facts, known, _EDITION, remembers=None)
    except FoldError as error:
        fold, trouble = error.fold, f"{stream} is shown up to fact {error.fact.sequence - 1}: {error.error}"
    return FoldedStream(fold, paid, money, round_of, cards, tuple(left_out), trouble)


def rows_of(day: FoldedStream, cutter: Cutter, rounds: Collection[int] | None = None) -> dict[str, list[Cells]]:
    """Return the rows of a stream, table by table: of the whole stream, or of these rounds only."""
    stream = day.fold.day.stream
    changes = Changes()
    day.fold.write(changes, day.fold.day.sequence, None)
    found: dict[str, list[Row]] = {name: changes.rows.get(name, []) for name in _OF_ROUNDS}
    cells: dict[str, list[Cells]] = {}
    for name, rows in found.items():
        chosen = rows if rounds is None else [row for row in rows if row[_ROUND] in rounds]
        cells[name] = [cutter.cells(name, row) for row in sorted(chosen, key=_place)]
    cells["paid"] = day.paid.rows(stream, rounds)
    if rounds is None:
        cells["deck_ledger"] = [cutter.cells("deck_ledger", row) for row in changes.day[stream]["decks"]]
        cells["coverage"] = [cutter.cells("coverage", row) for row in changes.day[stream]["coverage"]]
        cells["table_money"] = [day.money.row(stream)]
        decks = {row[_SEQUENCE]: row[_DECK] for row in changes.rows.get("handling", ())}
        cells["card_record"] = [
            cells_of(fact, day.round_of[fact.sequence], decks.get(fact.sequence, ""), cutter.zone) for fact in day.cards
        ]
    else:
        cells["coverage"] = [cutter.cells("coverage", row) for row in _coverage(day, rounds)]
    return cells


def _place(row: Row) -> Any:
    return row[_ROUND]  # the fold keeps them in order within a round


def _coverage(day: FoldedStream, rounds: Collection[int]) -> list[Row]:
    covered: Counter[str] = Counter()
    for number in rounds:
        if number in day.fold.summaries:
            covered.update(day.fold.summaries[number].coverage)
    return [(*day.fold.start, what, count) for what, count in sorted(covered.items()) if count]
