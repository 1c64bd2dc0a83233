"""Decks and devices, as the room sees them; what a bad one touched, and the list of what is to be repaid."""

import csv
import io
from datetime import date
from typing import Any, Final

import msgspec

from consumers.room.looking import Looking, Shown, Visit
from consumers.room.tables import unhidden
from projections.questions.asking import NothingFitsError
from projections.questions.blast import Affected, Basis, BlastRadius, Repayment, blast_radius
from projections.questions.decks import DeckRow, DeviceRow, deck_ledger, devices

# A spreadsheet takes what begins with one of these for a formula.
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


class DeckBook(msgspec.Struct, frozen=True):
    """The ledger that was asked for, and the decks of all tables whose count is due."""

    due: tuple[DeckRow, ...]
    ledger: tuple[DeckRow, ...]
    devices: tuple[DeviceRow, ...]


class DecksRoom(Looking):
    """Questions about decks and devices."""

    def decks(self, visit: Visit, *, table: str = "", deck: str = "", day: date | None = None) -> Shown[DeckBook]:
        """Counts that are due now, the ledger of a table's day or of one deck, and the devices used."""
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
            return Shown(book, look.made_at)

    def blast_radius(self, visit: Visit, affected: Affected, basis: Basis | None = None) -> Shown[BlastRadius]:
        """Every round, hand and player that a bad deck, device, dealer or stretch of time touched."""
        with self._look(visit, "see-players", "report", _named(affected, basis)) as look:
            return Shown(blast_radius(look, affected, basis=basis), look.made_at)

    def repayment_list(self, visit: Visit, affected: Affected, basis: Basis | None = None, why: str = "") -> bytes:
        """The same as a list to take away: a row of CSV a player. Each time it is taken is written down."""
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
    """Words that a spreadsheet does not calculate with."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
