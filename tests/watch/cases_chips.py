"""The house's own rules about chips: a tray that is off at the close, and chips without a slip."""

from domain.clauses import BOOKS
from domain.simulation.edits import Edit, change, insert_after, insert_before, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day, edits

TRAY, SLIP = "HOUSE 1 (Tray)", "HOUSE 2 (Slips)"
OFF, NO_SLIP = "tray-off", "slip-missing"
TOLERATED = 2_500
DAYS = {book: day(book, options={"tray_tolerance": TOLERATED}, rounds=[round_(seat(1), seat(3))]) for book in BOOKS}


def counted(by: int) -> Edit:
    """The closer differs by this many cents from what is in the tray."""
    return change("table-closed", to={"closer_cents": lambda held: held + by})


def moved(kind: str, slip: str, cents: int) -> Edit:
    """Chips come or go after the first round."""
    return insert_after(where("round-completed"), said(kind, slip, cents))


CASES = [
    *(Case(TRAY, OFF, DAYS[book], counted(by)) for book in BOOKS for by in (-TOLERATED - 1, TOLERATED + 1)),
    Case(TRAY, OFF, DAYS["COL"], moved("fill-received", "F-1", 100_000)),
    Case(TRAY, OFF, DAYS["COL"], moved("credit-sent", "C-1", 100_000)),
    Case(TRAY, OFF, DAYS["COL"], change("drop-counted", to={"cents": lambda held: held - 10_000})),
    Case(TRAY, OFF, DAYS["PIK"], insert_before(where("round-completed"), said("wager-paid", 1, "bonus3", 5_000))),
    Case(TRAY, "house-option-invalid", DAYS["FAH"], change("table-opened", to={"options": {"tray_tolerance": -1}})),
    *(
        Case(SLIP, NO_SLIP, DAYS[book], edits(moved(kind, "", cents), counted(by)))
        for book in BOOKS
        for kind, cents, by in (("fill-received", 5_000, 5_000), ("credit-sent", 5_000, -5_000))
    ),
]
