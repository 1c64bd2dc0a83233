"""Decks and devices in the room; the rounds that a bad one touched, and the repayment list."""

import csv
import io
from datetime import date
from typing import Any, Final

import msgspec

from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from consumers.room.tables import unhidden
from projections.questions.asking import NothingFitsError
from projections.questions.blast import Affected, Basis, BlastRadius, Repayment, blast_radius
from projections.questions.decks import DeckRow, DeviceRow, deck_ledger, devices

# A spreadsheet treats text that begins with one of these as a formula.
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


class DeckBook(msgspec.Struct, frozen=True):
    """The requested ledger, and the decks of all tables whose count is due."""

    due: tuple[DeckRow, ...]
    ledger: tuple[DeckRow, ...]
    devices: tuple[DeviceRow, ...]


class DecksRoom(Looking):
    """Questions about decks and devices."""

    def decks(
        self, visit: RoomVisit, *, table: str = "", deck: str = "", day: date | None = None
    ) -> ShownAnswer[DeckBook]:
        """Decks whose count is due, the ledger of a table's day or of one deck, and the devices used."""
        subject = " ".join(["decks", table, deck, str(day or "")]).strip()
        with self._look(visit, "see-floor", "page", subject) as look:
            try:
                ledger = deck_ledger(look, table, deck=deck, first=day, last=day)
            except NothingFitsError:
                ledger = []
            book = DeckBook(
                due=tuple(unhidden(visit.person, row) for row in deck_ledger(look, overdue=True)),
                ledger=tuple(unhidden(visit.person, row) for row in ledger),
                devices=tuple(devices(look, table=table, first=day, last=day)),
            )
            return ShownAnswer(book, look.made_at)

    def blast_radius(
        self, visit: RoomVisit, affected: Affected, basis: Basis | None = None
    ) -> ShownAnswer[BlastRadius]:
        """Every round, hand and player that a bad deck, device, dealer or period touched."""
        with self._look(visit, "see-players", "report", _named(affected, basis)) as look:
            return ShownAnswer(blast_radius(look, affected, basis=basis), look.made_at)

    def repayment_list(self, visit: RoomVisit, affected: Affected, basis: Basis | None = None, why: str = "") -> bytes:
        """The blast radius as a CSV download, one row per player; the access log records every download."""
        subject = _named(affected, basis)
        with self._allowed(visit, "order-exports", "export", subject), self._readings.look() as look:
            rows = blast_radius(look, affected, basis=basis).repayments
        self._taken(visit, subject, len(rows), why)
        return _csv(rows)


def _named(affected: Affected, basis: Basis | None) -> str:
    said = {name: value for name, value in msgspec.to_builtins(affected).items() if value}
    words = ", ".join(f"{name} {value}" for name, value in said.items())
    return f"blast radius of {words}" + (f", by {basis}" if basis else "")


def _csv(rows: tuple[Repayment, ...]) -> bytes:
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\r\n")
    lines.writerow(Repayment.__struct_fields__)
    for row in rows:
        lines.writerow(_safe(getattr(row, name)) for name in Repayment.__struct_fields__)
    return written.getvalue().encode("utf-8")


def _safe(value: Any) -> Any:
    """Text that a spreadsheet does not treat as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
