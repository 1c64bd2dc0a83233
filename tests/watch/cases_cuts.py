"""Cards dealt uncut, cut too early or too shallow, offered out of turn; cover cards left where they do not belong."""

from domain.simulation.edits import Edit, change, drop, insert_after, move_after, said, where
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import round_, seat
from tests.watch.cases_shuffles import BATCH, IDLED, ROUND
from tests.watch.harness import Case
from tests.watch.lawful import day, edits
from tests.watch.rows import rows

MISSING, SHALLOW, UNFINISHED = "cut-missing", "cut-too-shallow", "cut-unfinished"
BEFORE, DEEP, UNEXPECTED = "deal-before-cut", "cut-unusually-deep", "unexpected-cut"
COVER, MISPLACED = "cover-card-missing", "cover-card-misplaced"
RECUT, RECUT_MISSING = "recut-out-of-order", "recut-missing"
OFFER, CUTTING = "cut-offer-out-of-order", "cutting-card-too-shallow"
DECK = "T7-deck-1"

UNCUT = edits(drop("cut-performed", nth=1), drop("cut-completed", nth=1))


def recut(by: str, depth: int | None = None) -> Edit:
    """Have the cards cut again after the cut, or not at all without a depth."""
    again = [said("cut-performed", DECK, depth, 52), said("cut-completed", DECK)] if depth is not None else []
    return insert_after(where("cut-completed"), said("recut-ordered", by), *again)


def reached(cards_behind: int) -> tuple[RoundPlan, ...]:
    """A shoe whose cutting card comes in the second round, and the shoe after it."""
    first = round_(seat(1), seat(3), parts={"cards_behind": cards_behind})
    return (first, ROUND, ROUND)


def asks(nth: int, number: int) -> Edit:
    """The nth offer of the cut goes to this seat, which cuts."""
    return edits(
        change("cut-offered", nth=nth, to={"seat": number}), change("cut-performed", nth=nth, to={"seat": number})
    )


NOBODY_CUTS = (round_(seat(1), seat(3), seat(5), parts={"cut_by": None}),)
EVERY_CUT = """UTH-MA 4(c)(1)(ii)
    UTH-MD 5.F
    PIK 39.6(c)1ii
    COL 5(c)(1)(ii)
    FAH (e)(5)"""
MA_MD_PIK_COL = """UTH-MA 4(d)
    UTH-MD 5.G
    PIK 39.6(d)
    COL 5(d)"""

CASES = [
    *rows(
        MISSING,
        UNCUT,
        """UTH-MA 4(b)(2)
        UTH-MD 5.D(2)
        PIK 39.6(b)2
        COL 5(b)(2)
        FAH (e)(2)(ii)""",
    ),
    *rows(
        MISSING,
        UNCUT,
        """UTH-MD 5.D(2)
        PIK 39.6(b)2
        COL 5(b)(2)""",
        preshuffled=True,
    ),
    *rows(MISSING, drop("cut-performed", nth=2), "FAH (e)(8)(i); FAH (e)(2)(ii)", rounds=IDLED),
    *rows(
        BEFORE,
        edits(
            move_after(where("cut-performed"), where("card-dealt")),
            move_after(where("cut-completed"), where("cut-performed")),
        ),
        """UTH-MA 4(c)(2)
        PIK 39.6(c)2
        COL 5(c)(2)""",
    ),
    *rows(
        BEFORE,
        move_after(where("cut-completed"), where("card-dealt")),
        """UTH-MA 4(c)(2)
        PIK 39.6(c)2
        COL 5(c)(2)""",
    ),
    # how deep
    *rows(SHALLOW, change("cut-performed", to={"depth": 9}), EVERY_CUT),
    *rows(SHALLOW, change("cut-performed", to={"depth": 303}), "FAH (e)(5)"),
    *rows(
        SHALLOW,
        recut("supervisor", 5),
        """UTH-MA 4(d); UTH-MA 4(c)(1)(ii)
        UTH-MD 5.G; UTH-MD 5.F""",
    ),
    *rows(
        DEEP,
        change("cut-performed", to={"depth": 45}),
        """PIK 39.6(c)1ii
        COL 5(c)(1)(ii)""",
    ),
    *rows(
        UNFINISHED,
        drop("cut-completed"),
        """UTH-MA 4(c)(1)(iii)
        UTH-MD 5.F(1)
        PIK 39.6(c)1iii
        COL 5(c)(1)(iii)
        FAH (e)(6)/s1""",
    ),
    *rows(
        UNEXPECTED,
        insert_after(where("shuffle-completed"), said("cut-performed", DECK, 20, 52), said("cut-completed", DECK)),
        """UTH-MA 4(b)(1)
        UTH-MD 5.D(1)
        PIK 39.6(b)1
        COL 5(b)(1)""",
        method="automated-shoe",
    ),
    Case(
        "FAH (e)(2)(i)",
        UNEXPECTED,
        day("FAH", options=BATCH),
        insert_after(
            where("shuffle-completed"),
            said("cut-performed", "T7-batch-2", 100, 312),
            said("cut-completed", "T7-batch-2"),
        ),
    ),
    # the cover card
    *rows(
        COVER,
        drop("cover-card-placed", on="before-deck"),
        """UTH-MA 4(c)(1)(i)
        PIK 39.6(c)1i
        COL 5(c)(1)(i)""",
    ),
    *rows(
        MISPLACED,
        change("cover-card-removed", nth=1, to={"to": "layout"}),
        """UTH-MA 4(c)(1)(iv)
        PIK 39.6(c)1iv
        COL 5(c)(1)(iv)""",
    ),
    *rows(MISPLACED, drop("cover-card-removed", nth=1), "PIK 39.6(c)1iv\nCOL 5(c)(1)(iv)"),
    *rows(COVER, drop("cover-card-placed", on="dealer-stack"), "PIK 39.9(c)/s3; PIK 39.2(c)", method="automated-shoe"),
    *rows(MISPLACED, drop("cover-card-removed"), "PIK 39.10(d)/s5", method="automated-shoe"),
    *rows(
        MISPLACED,
        change("cover-card-removed", to={"to": "discard-rack"}),
        "PIK 39.10(d)/s5",
        method="automated-shoe",
    ),
    # cut again
    *rows(RECUT_MISSING, recut("supervisor"), MA_MD_PIK_COL),
    *rows(RECUT, insert_after(where("card-dealt"), said("recut-ordered", "supervisor")), MA_MD_PIK_COL),
    *rows(RECUT, recut("dealer", 20), MA_MD_PIK_COL),
    *rows(
        RECUT,
        recut("floorperson", 20),
        """UTH-MA 4(d)
        PIK 39.6(d)
        COL 5(d)""",
    ),
    *rows(RECUT, insert_after(where("shuffle-completed"), said("recut-ordered", "supervisor")), MA_MD_PIK_COL),
    # whom the cut is offered to
    *rows(OFFER, asks(1, 3), "FAH (e)(3); FAH (e)(3)(i)"),
    *rows(OFFER, drop("cut-offered"), "FAH (e)(3); FAH (e)(4)"),
    *rows(OFFER, asks(2, 3), "FAH (e)(3); FAH (e)(3)(ii)", rounds=reached(287)),
    *rows(OFFER, asks(2, 1), "FAH (e)(3); FAH (e)(3)(iii)", rounds=reached(288)),
    *rows(
        OFFER,
        asks(2, 1),
        "FAH (e)(3); FAH (e)(3)(iv)",
        rounds=(ROUND, round_(seat(1), seat(3), parts={"shuffle_ordered": "directed"})),
    ),
    *rows(OFFER, edits(drop("cut-offered", nth=3), drop("cut-refused", nth=3)), "FAH (e)(4)", rounds=NOBODY_CUTS),
    *rows(
        OFFER,
        edits(change("cut-offered", nth=2, to={"seat": 5}), change("cut-offered", nth=3, to={"seat": 3})),
        "FAH (e)(4)",
        rounds=NOBODY_CUTS,
    ),
    # where the cutting card stands
    *rows(CUTTING, change("cutting-card-inserted", to={"cards_behind": 69}), "FAH (e)(6)/s2"),
    *rows(CUTTING, change("cutting-card-inserted", to={"cards_behind": 92}), "FAH (e)(6)/s2", options={"decks": 8}),
    *rows(CUTTING, drop("cutting-card-inserted"), "FAH (e)(6)/s2"),
    *rows(
        CUTTING,
        edits(
            change("cutting-card-inserted", nth=1, to={"cards_behind": None}),
            change("shoe-loaded", nth=1, to={"cards": 80}),
        ),
        "FAH (e)(6)/s2",
        rounds=reached(287),
    ),
]
