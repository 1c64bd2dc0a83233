"""Export the facts of one table, or of the property: its days in order, as corrected by the checkpoint.

Corrections of a day may be on any later day. They are gathered first; then each day is folded once, with its
corrections.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from consumers.exporting.record import ExportableRecord, HeldStream, readable
from consumers.exporting.reporting import day_noted, hands_of
from consumers.exporting.selecting import Selection
from consumers.exporting.staging import Staging
from consumers.exporting.writing import (
    BANK,
    BEFORE,
    CARDS,
    DAYS,
    HANDS,
    LEFT_OUT,
    NOTES,
    OPEN,
    ExportWriter,
    PlacedRecord,
)
from domain.facts.streams import PROPERTY
from domain.facts.table_day import TableClosed
from domain.facts.watching import Corrected
from domain.watch.corrected import Corrections, corrected, told_by
from domain.watch.finding import Finding
from domain.watch.record import apply
from projections.export import chosen, proofs
from projections.export.columns import Cutter
from projections.export.day import FoldedStream, day_of, rows_of
from projections.export.layout import ROUNDS
from projections.export.told import TableMoney

_CLOSED = f'{{"type":"{TableClosed.__struct_config__.tag}"'.encode()


class TableExport:
    """A writer of the streams of facts, one owner after another."""

    def __init__(
        self, record: ExportableRecord, selection: Selection, staging: Staging, writer: ExportWriter, cutter: Cutter
    ) -> None:
        self.record = record
        self.selection = selection
        self.read = 0
        self._staging = staging
        self._writer = writer
        self._cutter = cutter
        self._hands = sum(1 for _ in staging.noted(HANDS))

    def take(self, table: str, streams: Sequence[str], done: str) -> Iterable[str]:
        """Write the days of a table and yield each one when written; `done` is the last one of an earlier run."""
        if table == PROPERTY:
            yield from self._property(streams, done)
            return
        wanted = [stream for stream in streams if self._wanted(stream)]
        before, besides = self._before(streams), self._besides(table, streams)
        if not wanted and not besides:
            return
        days = [stream for stream in streams if stream >= min({*wanted[:1], *before, *besides})]
        told = {stream: self.record.corrections(stream) for stream in days}
        known = told_by(each for corrections in told.values() for each in corrections)
        shown: dict[str, set[int] | None] = {}  # for the days written so far; None means everything
        for stream in days:
            later = {each.sequence for each in told[stream] if _is_shown(shown, each)}
            if stream in besides:
                later.add(1)
            if stream in before:
                later |= self._closing(stream, known.get(stream, {}), told[stream], done)
            if stream <= done and self.selection.whole:
                shown[stream] = None if stream in self.selection.whole else {1, *later} if later else set()
                continue
            if stream in wanted or later:
                shown[stream] = self._day(stream, known.get(stream, {}), told[stream], later)
                yield stream

    def _besides(self, table: str, streams: Sequence[str]) -> set[str]:
        """The days on which this table played another game than the selected ones, from their openings."""
        scope = self.selection.scope
        if not scope.games or not scope.has_table(table):
            return set()
        return {day for day in streams if scope.has_day(day.partition("/")[2])} - self.selection.whole

    def _before(self, streams: Sequence[str]) -> set[str]:
        """The day before each completely exported day, if it is not exported itself: it has the closer."""
        whole = self.selection.whole
        return {day for day, following in pairwise(streams) if following in whole and day not in whole}

    def _closing(self, stream: str, known: Corrections, told: Sequence[Corrected], done: str) -> set[int]:
        """The exported part of a preceding day: its close, and the corrections of that on the same day."""
        held, bank = self.record.unread("facts", stream), TableMoney()
        placed = zip(held.places, held.stored, strict=True)
        closes = [(at, each) for at, each in placed if each.startswith(_CLOSED)]
        facts = [fact for at, each in closes if (fact := readable("facts", stream, at, each)) is not None]
        shown = {fact.sequence for fact in facts}
        for fact in facts:
            if (read := corrected(fact, known.get(fact.sequence))) is not None:
                bank.take(read)
        if stream > done:
            self._staging.note(BEFORE, bank.day(stream, shown=False))
        return shown | {
            each.sequence for each in told if each.corrects_stream == stream and each.corrects_sequence in shown
        }

    def _wanted(self, stream: str) -> bool:
        return stream in self.selection.whole or self.selection.may_be_in_part(stream)

    def _day(self, stream: str, known: Corrections, told: Sequence[Corrected], later: set[int]) -> set[int] | None:
        """Write one day of a table; return what is exported of it."""
        if not self._wanted(stream):
            self._writer.stream(self.record.unread("facts", stream), {1, *later})
            return {1, *later}
        held = self.record.held("facts", stream)
        self.read += held.last
        day = day_of(stream, held.records, known)
        if stream in self.selection.whole:
            self._writer.stream(held)
            self._rows(held, day, None)
            self._open(held)
            return None
        return self._in_part(held, day, told, later)

    def _in_part(self, held: HeldStream, day: FoldedStream, told: Sequence[Corrected], later: set[int]) -> set[int]:
        stream, selection = held.stream, self.selection
        besides = selection.besides.get(stream, set())
        rounds = {*selection.rounds.get(stream, ()), *chosen.round_at(day, besides)} & day.rounds.keys()
        if selection.scope.player:
            rounds |= chosen.rounds_with(day, selection.scope.player)
        if not rounds and not besides and not later:
            return set()
        shown = chosen.shown_of(day, held.records, rounds, {*besides, *later})
        shown |= {each.sequence for each in told if each.corrects_stream == stream and each.corrects_sequence in shown}
        if rounds:
            selection.rounds[stream] = rounds
        facts = [held.records[held.at(sequence)] for sequence in sorted(shown)]
        self._writer.stream(held, shown, rounds, chosen.gaps_of(day, held.places, rounds))
        for sequence, number in chosen.placed_by_us(day, facts, rounds):
            self._staging.add(ROUNDS, proofs.line(PlacedRecord(stream, sequence, number)))
        self._rows(held, day, rounds)
        return shown

    def _rows(self, held: HeldStream, day: FoldedStream, rounds: set[int] | None) -> None:
        rows = rows_of(day, self._cutter, rounds)
        for row in rows.pop("card_record", ()):
            self._staging.note(CARDS, row)
        if rounds is None:
            self._staging.note(BANK, day.money.day(held.stream, shown=True))
        self._writer.rows(rows)
        standing = self._standing(held.stream)
        self._staging.note(DAYS, day_noted(held, day, rows, standing, rounds))
        for each in day.left_out:
            self._staging.note(LEFT_OUT, PlacedRecord(each.stream, each.sequence))
        if day.trouble:
            self._staging.note(NOTES, f"{day.trouble}.")
        for hand in hands_of(day, standing, rounds, self._hands):
            self._hands += 1
            self._staging.note(HANDS, hand)

    def _standing(self, stream: str) -> list[Finding]:
        standing: dict[str, Finding] = {}
        if self.record.has("findings", stream):
            for each in self.record.records("findings", stream):
                apply(standing, each)
        return list(standing.values())

    def _open(self, held: HeldStream) -> None:
        """Note the end of a day that may continue, so that no later record of it in the tree can be hidden."""
        if not proofs.is_closed(held.records):
            self._staging.note(OPEN, max(each.index for each in held.proven))

    def _property(self, streams: Sequence[str], done: str) -> Iterable[str]:
        for stream in streams:
            if stream <= done:
                continue
            held = self.record.held("facts", stream)
            self.read += held.last
            if stream in self.selection.whole:
                self._writer.stream(held)
                self._open(held)
                yield stream
            elif keys := chosen.keys_of(held.records) | self.selection.besides.get(stream, set()):
                self._writer.stream(held, {1, *keys})
                yield stream


def _is_shown(shown: dict[str, set[int] | None], correction: Corrected) -> bool:
    """Whether the export includes what it corrects, on an earlier day."""
    if correction.corrects_stream not in shown:
        return False
    held = shown[correction.corrects_stream]
    return held is None or correction.corrects_sequence in held
