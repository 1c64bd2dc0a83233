"""The tables that follow from the records, compared as the records are read."""

from __future__ import annotations

from typing import Any, Callable

from projections.export.verifier.clock import Clock
from projections.export.verifier.container import Export
from projections.export.verifier.days import PlayedDay
from projections.export.verifier.found import CARD_FACTS, CardRecord, Findings
from projections.export.verifier.hands import RoundTables
from projections.export.verifier.money import OF_MONEY, Money, Openers, Statistics
from projections.export.verifier.paid import Corrections, Paid
from projections.export.verifier.question import Question
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import DERIVED, Derived, guarded


class Tables:
    """The tables that follow from the records, compared as the records are read."""

    def __init__(
        self, export: Export, corrections: Corrections, told_rounds: dict[tuple[str, int], int], question: Question
    ) -> None:
        self._corrections, self._told = corrections, told_rounds
        self._tables = {name: Derived(export, name) for name in DERIVED}
        self.clock = Clock(question.zone)
        self.rounds = RoundTables(export, self.clock)
        self.openers, self.statistics = Openers(self.clock), Statistics(question.scope)

    def begin(self, shown: Shown) -> None:
        """Begin the next stream, in byte order of kind and name."""
        self._shown, self._types = shown, dict[str, int]()
        of_a_table = shown.kind == "facts" and shown.owner != "property"
        self._paid = Paid(shown, self._told) if of_a_table else None
        self._money = Money(shown) if of_a_table else None
        self._played = PlayedDay(shown, self._told) if of_a_table and (shown.whole or shown.rounds) else None
        self._cards = CardRecord(shown, self.clock)
        self._findings = Findings(shown, self.clock) if shown.kind == "findings" else None

    def take(self, record: dict[str, Any]) -> None:
        """Take the next record of the stream."""
        kind = record["type"]
        self._types[kind] = self._types.get(kind, 0) + 1
        if self._paid is not None:
            fact = self._corrections.read(record)
            if fact is not None:
                of_round = self._paid.take(fact)
                if self._played is not None:
                    self._played.take(fact)
                if kind in OF_MONEY and self._money is not None:
                    self._money.take(fact)
                elif kind in CARD_FACTS and self._shown.whole:
                    self._cards.take(fact, of_round)
        elif self._findings is not None:
            self._findings.take(record)

    def end(self, part: list[int], gap: Callable[[int, int], bool]) -> None:
        """End the stream and compare its rows. `part` lists the records shown of a stream in part.

        `gap` says whether the record itself lacks a range that is missing there.
        """
        for kind, count in sorted(self._types.items()):
            self._tables["counts"].row([self._shown.kind, self._shown.stream, guarded(kind), str(count)])
        if self._played is not None and not self._shown.whole:
            self.rounds.check_spans(self._shown, self._played, part, gap)
        for row in self._paid.rows() if self._paid else ():
            self._tables["paid"].row(row)
        if self._played is not None:
            self.rounds.compare(self._shown, self._played)
        for made in self._cards.rows():
            self._tables["card_record"].row(made)
        if self._money is not None:
            self._bank(self._shown, self._money)
        for made in self._findings.rows() if self._findings else ():
            self._tables["findings"].row(made)

    def _bank(self, shown: Shown, money: Money) -> None:
        if shown.whole:
            self._tables["table_money"].row(money.row())
            self._tables["openers"].row(self.openers.row(shown, money))
            self.statistics.take(shown, money)
        self.openers.ended(shown, money)

    def finish(self) -> dict[str, int]:
        """End all streams and return the number of rows of each table that follow from the records."""
        for made in self.statistics.rows():
            self._tables["statistics"].row(made)
        for table in self._tables.values():
            table.end()
        return {**{name: table.count for name, table in self._tables.items()}, **self.rounds.end()}
