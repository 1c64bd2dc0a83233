"""Make an export: write one stream after another to the folder beside the file, then everything made from them."""

from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import Path

import msgspec

from consumers.exporting import proving
from consumers.exporting.finishing import finished
from consumers.exporting.outside import days_of, tables_of
from consumers.exporting.proving import NotProvedError
from consumers.exporting.record import ExportableRecord
from consumers.exporting.selecting import NothingThereError, Selection, of_findings, selected
from consumers.exporting.staging import BAG, Staging
from consumers.exporting.tables import TableExport
from consumers.exporting.writing import OUTSIDE, ExportWriter, StreamLine
from domain.facts.streams import owner
from domain.watch.record import sealed_by
from projections.export import chosen, found
from projections.export.columns import LISTS, PLAYERS, TABLES, Cutter
from projections.export.identities import Names, unnamed
from projections.export.layout import STREAMS
from projections.export.question import ExportQuestion
from projections.export.zones import zone_of

# The current step, the streams done, their total (0 if unknown), and the facts read.
Tell = Callable[[str, int, int, int], None]
_DESK, _FACTS, _FINDINGS, _OUTSIDE = "1 desk", "2 facts", "3 findings", "4 outside"


class MadeExport(msgspec.Struct, frozen=True):
    """A finished export."""

    name: str
    digest: str
    size: int
    streams: int
    facts: int


def make(
    question: ExportQuestion,
    record: ExportableRecord,
    file: Path,
    tell: Tell,
    *,
    names: Names = unnamed,
    recorded: Callable[[MadeExport], object] = lambda _: None,
) -> MadeExport:
    """Make the export, or resume making it; a file at FILE is complete, and was recorded before it appeared there."""
    selection = selected(record, question.scope, question.ordered_by)
    staging = Staging(file, question.stored.decode(), record.tree.sign)
    try:
        making = _Making(question, record, selection, staging, tell)
        making.streams()
        making.told("proofs, workbook and report")
        whole = finished(question, record, staging, names)
        making.told("checking the export")
        proving.check(whole.file, record.tree.key)
        made = MadeExport(question.name, whole.digest, whole.file.stat().st_size, whole.streams, whole.facts)
        recorded(made)
        staging.finish(whole.file)
        return made
    except (NothingThereError, NotProvedError):
        staging.drop()
        raise
    finally:
        staging.close()


class _Making:
    def __init__(
        self, question: ExportQuestion, record: ExportableRecord, selection: Selection, staging: Staging, tell: Tell
    ) -> None:
        self.done = 0
        self._findings_streams = list(of_findings(record, selection)) if selection.whole else []
        self._total = len(selection.whole) + len(self._findings_streams) + len(selection.desk)
        self._question = question
        self._record = record
        self._selection = selection
        self._staging = staging
        self._tell = tell
        self._cutter = Cutter(zone_of(question.zone))
        self._writer = ExportWriter(staging, [name for name in TABLES if name != PLAYERS and name not in LISTS])
        self.tables = TableExport(record, selection, staging, self._writer, self._cutter)
        for line in staging.noted(f"{BAG}/{STREAMS}"):  # from an earlier run
            self.done += 1
            told = msgspec.json.decode(line, type=StreamLine)
            if told.kind == "facts" and told.rounds:
                selection.rounds[told.stream] = set(told.rounds)

    def streams(self) -> None:
        """Write every stream, in the order of the list of streams."""
        for stream in self._left(_DESK, self._selection.desk):
            self._writer.stream(self._record.held("desk", stream))
            self._is_done(_DESK, stream)
        self._facts()
        if self._selection.scope.in_part and not self._selection.desk and not self._any():
            raise NothingThereError(f"no round of player {self._selection.scope.player} is on record at the checkpoint")
        if not self._staging.has(STREAMS):
            says = "the requested facts form no round, because the table's day has no opening with a known game"
            raise NothingThereError(f"{says}. Ask for the whole day")
        findings = self._findings_streams or list(of_findings(self._record, self._selection))
        for stream in self._left(_FINDINGS, findings):
            self._findings(stream)
            self._is_done(_FINDINGS, stream)
        for table in self._left(_OUTSIDE, tables_of(self._record, self._selection)):
            self.told("months and years to date")
            for day in days_of(self._record, self._selection, table):
                self._staging.note(OUTSIDE, day)
            self._staging.done(f"{_OUTSIDE} {table}")
        self._staging.mark()

    def _facts(self) -> None:
        before = self._staging.place
        done = before.removeprefix(f"{_FACTS} ") if before.startswith(_FACTS) else ""
        if before.startswith((_FINDINGS, _OUTSIDE)):
            return
        for table, days in groupby(self._record.streams("facts"), key=owner):
            streams = list(days)
            if streams[-1] <= done:
                continue
            for stream in self.tables.take(table, streams, done):
                # The exported part of later days depends on the days before, so a table is done completely or not at
                # all.
                if self._selection.whole:
                    self._is_done(_FACTS, stream)
                else:
                    self._count()
            self._staging.done(f"{_FACTS} {streams[-1]}")

    def _findings(self, stream: str) -> None:
        held = self._record.held("findings", stream)
        if self._selection.whole:
            self._writer.stream(held)
            records: Iterable[int] = held.places
        else:
            records = chosen.findings_of(held.records, self._selection.rounds, self._selection.findings)
            if not records:
                return
            self._writer.stream(held, sorted(records))
        if not sealed_by(stream):
            rows = found.rows_of(stream, (held.records[held.at(sequence)] for sequence in sorted(records)))
            self._writer.rows({"findings": found.cells_of(rows, self._cutter)})

    def _any(self) -> bool:
        """Whether a round, or a fact exported for itself, was found."""
        return bool(self._selection.rounds or self._selection.besides)

    def _left(self, part: str, streams: list[str]) -> list[str]:
        """The streams that an earlier run did not finish."""
        before = self._staging.place
        if before.startswith(part):
            return [stream for stream in streams if stream > before.removeprefix(f"{part} ")]
        return [] if before[:1] > part[:1] else streams

    def told(self, what: str) -> None:
        """Report the progress."""
        self._tell(what, self.done, self._total, self.tables.read)

    def _is_done(self, part: str, stream: str) -> None:
        self._count()
        self._staging.done(f"{part} {stream}")

    def _count(self) -> None:
        self.done += 1
        self.told("streams")
