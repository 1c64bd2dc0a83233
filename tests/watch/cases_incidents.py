"""Days on which much goes wrong and is set right, and days half of which nobody records: silent but for one breach."""

from collections.abc import Iterator

from domain.facts.table_day import TableOpened
from domain.settlement.played import Irregularity
from domain.simulation.edits import Edit, change, drop, insert_after, said, where
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.harness import Case, Day
from tests.watch.lawful import day
from tests.watch.test_permitted import SILENT

NO_CALL = "no-more-bets-missing"
FACE_UP = wrong("card-face-up", ("2c", 1), ("3c", 4))
FACE_UP_LATE = wrong("card-face-up", ("2c", 1), ("3c", 10))
SEEN = wrong("card-exposed", of="dealer", stage="dealing")
DRAWN = wrong("card-drawn-in-error", card="2c")
JAM = wrong("jam", device="shoe", at_dealt=4)
# What goes wrong and is handled as the book has it, a round each, between two like any other.
INCIDENTS: dict[tuple[str, str], list[Irregularity]] = {
    ("UTH-MA", "manual-shoe"): [
        FACE_UP,
        FACE_UP_LATE,
        SEEN,
        DRAWN,
        wrong("wrong-count", of="seat:3", dealt=3),
        wrong("wrong-count", of="dealer", dealt=1),
        wrong("wrong-count", of="dealer", dealt=3),
        wrong("wrong-count", of="community", dealt=6),
    ],
    ("UTH-MA", "automated-shoe"): [JAM, wrong("wrong-count", of="dealer", dealt=1)],
    ("UTH-MD", "manual-shoe"): [FACE_UP, DRAWN, wrong("wrong-count", of="seat:3", dealt=3)],
    ("UTH-MD", "hand"): [FACE_UP_LATE, wrong("wrong-count", of="community", dealt=4)],
    ("UTH-MD", "automated-shoe"): [JAM, wrong("wrong-count", of="community", dealt=6)],
    ("PIK", "manual-shoe"): [FACE_UP, SEEN, DRAWN, wrong("wrong-count", of="dealer", dealt=6, stage="reveal")],
    ("PIK", "automated-shoe"): [JAM, wrong("wrong-count", of="seat:1", dealt=6, stage="bonus5", at_seat=3)],
    ("COL", "hand"): [FACE_UP, DRAWN, wrong("wrong-count", of="seat:3", dealt=4, stage="decision", at_seat=1)],
    ("COL", "automated-shoe"): [JAM, wrong("card-face-up", ("2c", 3), ("3c", 4))],
    ("FAH", "manual-shoe"): [
        wrong("card-face-up", ("2c", 0), ("3c", 5)),
        wrong("short-hand", seat=3, dealt=3, election="void"),
        wrong("short-hand", seat=3, dealt=2, election="complete"),
        wrong("long-hand", seat=3, dealt=5),
        wrong("wrong-count", of="dealer", dealt=3),
        wrong("insufficient-cards", stage="community", at_dealt=3),
    ],
}
CALLS: dict[tuple[str, str], str] = {
    ("UTH-MA", "hand"): "UTH-MA 8(b)(3) s1",
    ("PIK", "hand"): "PIK 39.8(b)3/s1",
    ("COL", "manual-shoe"): "COL 7(b)",
    ("FAH", "continuous-shoe"): "FAH (g)(2)/s1",
    ("UTH-MA", "manual-shoe"): "UTH-MA 7(b)",
    ("UTH-MA", "automated-shoe"): "UTH-MA 9(b)(2)",
    ("UTH-MD", "manual-shoe"): "UTH-MD 8.C(1)",
    ("UTH-MD", "hand"): "UTH-MD 9.A(3)",
    ("UTH-MD", "automated-shoe"): "UTH-MD 10.A(2)(a)",
    ("PIK", "manual-shoe"): "PIK 39.7(b)/s1",
    ("PIK", "automated-shoe"): "PIK 39.9(b)2",
    ("COL", "hand"): "COL 8(b)(3)",
    ("COL", "automated-shoe"): "COL 9(b)(2)",
    ("FAH", "manual-shoe"): "FAH (g)(2)/s1",
}


def _usual() -> RoundPlan:
    return round_(seat(1), seat(3))


def _eventful(book: str, method: str) -> Day:
    rounds = [round_(seat(1), seat(3), irregularity=what) for what in INCIDENTS[book, method]]
    return day(book, method, rounds=[_usual(), *rounds, _usual()])


def _permitted() -> Iterator[Case]:
    """The days on which something permitted is done, and then no more bets is not called."""
    for told, edit in SILENT.values():
        facts = list(told())
        opened = facts[0]
        clause = CALLS.get((opened.book, opened.dealing_method)) if isinstance(opened, TableOpened) else None
        if clause is not None:
            yield Case(clause, NO_CALL, _edited(told, edit), drop("bets-closed", 1))


def _edited(told: Day, edit: Edit | None) -> Day:
    return lambda: list(told()) if edit is None else edit(told())


CARDS = ("card-dealt", "stack-delivered", "stack-dispensed", "card-burned", "community-revealed")
CHIPS = ("wager-placed", "wager-paid", "wager-collected", "wager-returned")

CASES = [
    *(Case(clause, NO_CALL, _eventful(*at), drop("bets-closed", 1)) for at, clause in CALLS.items() if at in INCIDENTS),
    *_permitted(),
    # without a reader of cards, wagers are still seen, and the other way round
    *(
        Case(clause, "wager-amount-invalid", day(book, method, unrecorded=CARDS), edit)
        for clause, book, method, edit in (
            ("UTH-MA 1 (Ante)", "UTH-MA", "manual-shoe", change("wager-placed", to={"cents": 500}, wager="blind")),
            ("UTH-MD 7.F(1)", "UTH-MD", "automated-shoe", change("wager-placed", to={"cents": 500}, wager="blind")),
            ('COL 1 "Bet wager"', "COL", "automated-shoe", change("wager-placed", to={"cents": 500}, wager="bet")),
        )
    ),
    Case("UTH-MA 7(d)(1)", "deal-out-of-order", day("UTH-MA", unrecorded=CHIPS), drop("card-dealt", 1, seat=1)),
    Case("COL 7(c)(1)", "deal-out-of-order", day("COL", unseen_wagers=("ante",)), drop("card-dealt", 1, seat=1)),
    Case(
        "UTH-MA 1 (Blind)",
        "wager-missing",
        day("UTH-MA", unrecorded=CARDS),
        change("wager-placed", to={"wager": "trips"}, wager="blind", seat=3),
    ),
    Case(
        "PIK 39.3(d)/s2",
        "player-left-mid-round",
        day("PIK", "automated-shoe"),
        insert_after(where("stack-delivered", -1), said("player-left", 3, "player-3", round=1)),
    ),
]
