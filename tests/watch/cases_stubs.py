"""The stub uncounted, counted wrongly, shown, or left out of the rack."""

from domain.simulation.edits import change, drop, insert_after, move_before, said, where
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.cases_shuffles import ROUND, TWO_DECKS, goes_wrong
from tests.watch.harness import Case
from tests.watch.lawful import day, edits
from tests.watch.rows import rows

OVERDUE, MISMATCH, UNRESOLVED = "stub-count-overdue", "stub-count-mismatch", "stub-discrepancy-unresolved"
TECHNIQUE, LEFT, EXPOSED = "stub-count-technique-wrong", "stub-not-discarded", "stub-exposed"
FIVE, NINE = (ROUND,) * 5, (ROUND,) * 9
COUNTED = (round_(seat(1), seat(3), count_stub=True),)
COUNTING = {"shuffler": "counting"}
ONE_LESS = change("stub-counted", to={"cards": lambda cards: cards - 1})
METHODS = ("manual-shoe", "hand", "automated-shoe")

COUNTS = {
    "manual-shoe": """UTH-MA 7(f) s1
        UTH-MD 8.E
        PIK 39.7(e)/s1
        COL 7(e)/s1""",
    "hand": """UTH-MA 8(e) s1
        UTH-MD 9.C
        PIK 39.8(e)/s1
        COL 8(e)/s1""",
    "automated-shoe": """UTH-MA 9(e) s1
        UTH-MD 10.C
        PIK 39.9(e)/s1
        COL 9(e)/s1""",
}
MISMATCHES = {
    "manual-shoe": """UTH-MA 1 (Stub); UTH-MA 7(f)(2) s1
        UTH-MD 8.G
        PIK 39.1 "Stub"; PIK 39.7(e)2/s1
        COL 1 "Stub"; COL 7(e)(2)/s1""",
    "hand": "UTH-MD 9.E",
    "automated-shoe": "UTH-MD 10.E",
}
RESOLVED = {
    "manual-shoe": """UTH-MA 7(f)(2) s1
        UTH-MD 8.G
        PIK 39.7(e)2/s1
        COL 7(e)(2)/s1""",
    "hand": """UTH-MA 7(f)(2) s1; UTH-MA 8(e) s2
        UTH-MD 9.E
        PIK 39.7(e)2/s1; PIK 39.8(e)/s2
        COL 7(e)(2)/s1; COL 8(e)/s2""",
    "automated-shoe": """UTH-MA 7(f)(2) s1; UTH-MA 9(e) s2
        UTH-MD 10.E
        PIK 39.7(e)2/s1; PIK 39.9(e)/s2
        COL 7(e)(2)/s1; COL 9(e)/s2""",
}
FACE_DOWN = {
    "manual-shoe": """UTH-MA 7(f) s2
        UTH-MD 8.E
        PIK 39.7(e)/s2
        COL 7(e)/s2""",
    "hand": """UTH-MA 8(e) s2
        UTH-MD 9.C
        PIK 39.8(e)/s2
        COL 8(e)/s2""",
    "automated-shoe": """UTH-MA 9(e) s2
        UTH-MD 10.C
        PIK 39.9(e)/s2
        COL 9(e)/s2""",
}
RACKED = {
    "manual-shoe": """UTH-MA 7(e)
        UTH-MD 8.D(4)
        PIK 39.7(d)
        COL 7(d)""",
    "hand": """UTH-MA 8(d)
        UTH-MD 9.B(4)
        PIK 39.8(d)
        COL 8(d)""",
    "automated-shoe": """UTH-MA 9(d) s2
        UTH-MD 10.B(5)
        PIK 39.9(d)
        COL 9(d)""",
}
RACKED_AFTER_A_COUNT = {
    "manual-shoe": """UTH-MA 7(f)(1)
        UTH-MD 8.F
        PIK 39.7(e)1
        COL 7(e)(1)""",
    "hand": "UTH-MD 9.D",
    "automated-shoe": "UTH-MD 10.D",
}

CASES = [
    *(case for how in METHODS for case in rows(OVERDUE, drop("stub-counted"), COUNTS[how], method=how, rounds=FIVE)),
    *rows(
        OVERDUE,
        change("shuffle-completed", to={"counted": None}),
        """PIK 39.7(e)/s1; PIK 39.7(f)/s1
        COL 7(e)/s1; COL 7(f)/s1
        UTH-MD 8.E""",
        options=COUNTING,
        rounds=FIVE,
    ),
    Case(
        "PIK 39.7(e)/s1",
        "deck-uncounted",
        day("PIK", "manual-shoe", {"shuffler": "automated", **TWO_DECKS}, NINE),
        edits(
            drop("stub-counted"),
            *(insert_after(where("stub-removed", round=number), said("stub-counted", 37)) for number in (4, 8)),
        ),
    ),
    *(case for how in METHODS for case in rows(MISMATCH, ONE_LESS, MISMATCHES[how], method=how, rounds=COUNTED)),
    *(case for how in METHODS for case in rows(UNRESOLVED, ONE_LESS, RESOLVED[how], method=how, rounds=COUNTED)),
    *rows(
        UNRESOLVED,
        edits(drop("misdeal-determined"), drop("round-voided")),
        "UTH-MD 8.G",
        rounds=goes_wrong(wrong("stub-count", finding="misdealt", of="dealer", dealt=3)),
    ),
    *(
        case
        for how in METHODS
        for case in rows(
            TECHNIQUE, change("stub-counted", to={"on_layout": False}), FACE_DOWN[how], method=how, rounds=COUNTED
        )
    ),
    *rows(TECHNIQUE, change("stub-counted", to={"face_down": False}), FACE_DOWN["manual-shoe"], rounds=COUNTED),
    # into the rack
    *(case for how in METHODS for case in rows(LEFT, drop("stub-discarded"), RACKED[how], method=how)),
    *(
        case
        for how in METHODS
        for case in rows(LEFT, drop("stub-discarded"), RACKED_AFTER_A_COUNT[how], method=how, rounds=COUNTED)
    ),
    *rows(LEFT, move_before(where("stub-discarded"), where("card-dealt", -1)), RACKED["hand"], method="hand"),
    *(
        case
        for how in METHODS
        for case in rows(EXPOSED, change("stub-discarded", to={"exposed": True}), RACKED[how], method=how)
    ),
    *(
        case
        for how in METHODS
        for case in rows(
            EXPOSED,
            change("stub-discarded", to={"exposed": True}),
            RACKED_AFTER_A_COUNT[how],
            method=how,
            rounds=COUNTED,
        )
    ),
    *rows(
        EXPOSED,
        change("stub-counted", to={"face_down": False}),
        """UTH-MA 7(f) s2
        UTH-MD 8.F""",
        rounds=COUNTED,
    ),
]
