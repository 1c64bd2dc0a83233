"""Chips that come, go or are missing outside the rounds: a short tray, and a fill without a slip."""

from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import CreditSent, DropCounted, FillReceived, InventoryCounted
from domain.rulebooks import TRAY_TOLERANCE
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, told
from domain.simulation.incidents.incident import ALL_BOOKS, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven, cents_of
from domain.simulation.incidents.settings import choosing

_TOLERATED = 2_500
_TAKEN = 50_000
_FILL = 100_000


@incident(
    "tray-off",
    ALL_BOOKS,
    "Chips for $500 are missing from the tray at the close, and no slip or payment says why.",
    clauses="HOUSE 1 (Tray)",
    setting=choosing(**{TRAY_TOLERANCE: _TOLERATED}),
    stretch="day",
    only_named=True,
)
def short_tray(scene: PlayedStretch) -> Woven:
    """Return a day whose tray is counted short at the close."""
    closed, opened = scene.first(TableClosed), scene.first(TableOpened)
    scene.wants(closed.closer_cents is not None and opened.opener_cents is not None and closed.closer_cents > _TAKEN)
    short = (closed.closer_cents or 0) - _TAKEN
    out = sum(map(cents_of, [*scene.all(CreditSent), *scene.all(DropCounted)]))
    won = (closed.closer_cents or 0) + out - (opened.opener_cents or 0) - sum(map(cents_of, scene.all(FillReceived)))
    return scene.woven(
        told(scene.last(InventoryCounted), cents=short),
        told(closed, closer_cents=short),
        expected=won,
        observed=won - _TAKEN,
        anywhere=True,
    )


@incident(
    "slip-missing",
    ALL_BOOKS,
    "A fill comes to the table without a slip.",
    clauses="HOUSE 2 (Slips)",
    only_named=True,
)
def fill_without_a_slip(scene: PlayedStretch) -> Woven:
    """Return the stretch with a fill that has no slip; the chips are in the tray."""
    scene.table.tray_cents += _FILL
    return scene.woven(after(scene.last(RoundCompleted), said("fill-received", "", _FILL)), anywhere=True)
