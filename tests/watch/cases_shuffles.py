"""Cards dealt unshuffled, shuffled against the rules, or loaded too early."""

from domain.settlement.played import Irregularity
from domain.simulation import fast_action_idle, opening, shuffling
from domain.simulation.edits import Edit, change, drop, insert_after, move_after, move_before, said, where
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import round_, seat, wrong
from domain.simulation.table import TableInPlay
from tests.watch.harness import Case
from tests.watch.lawful import day, edits
from tests.watch.rows import rows

MISSING, AGAIN, STACKED = "shuffle-missing", "reshuffle-missing", "deck-not-stacked"
LOADED, BY_HAND = "shoe-loaded-early", "hand-deal-without-shuffler"
BATCH, TWO_DECKS = {"shuffler": "batch"}, {"decks": 2}
ROUND = round_(seat(1), seat(3))
TWICE = (ROUND, ROUND)
ANOTHER_SHOE = (ROUND, round_(seat(1), seat(3), parts={"shuffle_ordered": "directed"}))


def unshuffled(nth: int) -> Edit:
    """The nth shuffle of the day never ends."""
    return drop("shuffle-completed", nth=nth)


def idle(table: TableInPlay) -> None:
    """All players leave, the table is idle, and one player comes."""
    for number in list(table.seated):
        opening.leave(table, number)
    if table.book == "FAH":
        fast_action_idle.idle(table)
        fast_action_idle.resume(table, 1, "player-9")
        return
    opening.idle(table)
    opening.resume(table, 1, "player-9")


def ordered(table: TableInPlay) -> None:
    """The floorperson has the cards shuffled."""
    shuffling.order_shuffle(table, table.deck)


def goes_wrong(what: Irregularity, **parts: str) -> tuple[RoundPlan, RoundPlan]:
    """An irregularity in the first of two rounds, handled as it must be."""
    return round_(seat(1), seat(2), seat(4), irregularity=what, parts=dict(parts)), ROUND


IDLED = (ROUND, idle, round_(seat(1)))
TWO_FACE_UP = goes_wrong(wrong("card-face-up", ("2c", 3), ("3c", 4)))
EXPOSED = goes_wrong(wrong("card-exposed", of="dealer"))
SHOE_JAM = goes_wrong(wrong("jam", device="shoe", at_dealt=4))
SHUFFLER_JAM = goes_wrong(wrong("jam", device="shuffler", stage="before-deal"))
CUT_SOON = (round_(seat(1), seat(3), parts={"cards_behind": 286}), ROUND, ROUND)
RUNS_OUT = goes_wrong(wrong("insufficient-cards", stage="dealing"))

CASES = [
    # before the first round
    *rows(
        MISSING,
        unshuffled(1),
        """UTH-MA 3(c) s2; UTH-MA 4(a) s1
        UTH-MD 4.D; UTH-MD 5.A; UTH-MD 5.A(1)
        PIK 39.5(c)/s2; PIK 39.6(a)/s1-start
        COL 4(c)/s2; COL 5(a)/s1-start
        FAH (d)(3)/s2; FAH (e)(1)/s1-start""",
    ),
    # between rounds, and between shoes
    *rows(
        MISSING,
        unshuffled(2),
        """UTH-MA 4(a) s1
        UTH-MD 5.A; UTH-MD 5.A(2)
        PIK 39.6(a)/s1-round
        COL 5(a)/s1-round""",
        rounds=TWICE,
    ),
    *rows(
        MISSING,
        unshuffled(2),
        """PIK 39.6(a)/s1-round; PIK 39.8(b)2
        COL 5(a)/s1-round; COL 8(b)(2)""",
        method="hand",
        rounds=TWICE,
    ),
    *rows(MISSING, unshuffled(2), "FAH (e)(1)/s1-shoe", rounds=ANOTHER_SHOE),
    # by order
    *rows(MISSING, unshuffled(2), "UTH-MD 5.A; UTH-MD 5.A(3)", rounds=(ROUND, ordered, ROUND)),
    # after an idle table
    *rows(
        MISSING,
        unshuffled(2),
        """UTH-MA 4(e) s3
        UTH-MD 5.H(2)
        PIK 39.6(e)/s3
        COL 5(e)/s3
        FAH (e)(8)(i)""",
        rounds=IDLED,
    ),
    Case(
        "FAH (e)(8)(ii)/s1",
        MISSING,
        day("FAH", options=BATCH, rounds=(*IDLED, round_(seat(1), parts={"shuffle_ordered": "directed"}))),
        drop("shuffle-completed", nth=2, deck="T7-batch-2"),
    ),
    # after a void
    *rows(
        AGAIN,
        unshuffled(2),
        """UTH-MA 15(b) s2
        UTH-MD 13.B
        PIK 38.12(a)/s2
        COL 14(a)/s2""",
        rounds=TWO_FACE_UP,
    ),
    *rows(AGAIN, unshuffled(2), "UTH-MD 13.E", rounds=goes_wrong(wrong("wrong-count", of="seat:4", dealt=3))),
    *rows(AGAIN, unshuffled(2), "PIK 38.12(c)", rounds=goes_wrong(wrong("wrong-count", of="seat:4", dealt=6))),
    *rows(AGAIN, unshuffled(2), "COL 14(c)", rounds=goes_wrong(wrong("wrong-count", of="seat:4", dealt=4))),
    *rows(
        AGAIN,
        unshuffled(2),
        "PIK 39.7(e)2/s2",
        rounds=goes_wrong(wrong("stub-count", finding="misdealt", of="seat:4", dealt=6)),
    ),
    *rows(
        AGAIN,
        unshuffled(2),
        "COL 7(e)(2)/s2",
        rounds=goes_wrong(wrong("stub-count", finding="misdealt", of="seat:4", dealt=4)),
    ),
    *rows(
        AGAIN,
        unshuffled(2),
        """UTH-MD 13.F
        PIK 38.12(d)""",
        rounds=EXPOSED,
    ),
    # after a fault of a device
    *rows(
        AGAIN,
        unshuffled(1),
        """UTH-MA 15(e)
        UTH-MD 13.H(1); UTH-MD 13.H(3)
        PIK 38.12(e)
        COL 14(e)""",
        method="hand",
        rounds=SHUFFLER_JAM,
    ),
    *rows(
        AGAIN,
        unshuffled(2),
        """UTH-MA 15(f)
        UTH-MD 13.I(3)
        PIK 38.12(f)
        COL 14(f)""",
        method="automated-shoe",
        rounds=SHOE_JAM,
    ),
    *rows(AGAIN, drop("device-emptied"), "UTH-MD 13.H(3)", method="hand", rounds=SHUFFLER_JAM),
    *rows(AGAIN, drop("device-emptied"), "UTH-MD 13.I(2)", method="automated-shoe", rounds=SHOE_JAM),
    # a shoe at its end
    *rows(AGAIN, unshuffled(2), "FAH (e)(7); FAH (g)(4)", rounds=CUT_SOON),
    *rows(AGAIN, unshuffled(2), "FAH (i)(5)", rounds=RUNS_OUT),
    *rows(
        "reshuffle-mid-round",
        insert_after(where("hand-set"), said("shuffle-completed", "T7-batch-1", "manual")),
        "FAH (e)(1)/s1-any",
    ),
    # by hand where a machine has to
    *rows(
        BY_HAND,
        change("shuffle-completed", to={"method": "manual", "device": ""}),
        """UTH-MA 8(b)(1)
        UTH-MD 9.A(1)
        PIK 39.8(b)1
        COL 8(b)(1)""",
        method="hand",
    ),
    # not stacked
    *rows(
        STACKED,
        drop("cards-stacked", nth=2),
        """UTH-MA 4(a) s2
        UTH-MD 5.B
        PIK 39.6(a)/s2
        COL 5(a)/s2
        FAH (e)(1)/s2""",
    ),
    *rows(STACKED, change("cards-stacked", nth=2, to={"stacks": 2}), "PIK 39.6(a)/s2", method="hand"),
    # loaded too early
    *rows(
        LOADED,
        move_before(where("shoe-loaded"), where("shuffle-completed")),
        """UTH-MA 7(a) s2
        UTH-MD 8.B
        PIK 39.7(a)/s2
        COL 7(a)/s2
        FAH (e)(6)/s3""",
    ),
    *rows(
        LOADED,
        move_before(where("shoe-loaded"), where("shuffle-completed")),
        """UTH-MA 9(b)(1)
        UTH-MD 10.A(1)
        PIK 39.9(b)1
        COL 9(b)(1)""",
        method="automated-shoe",
    ),
    *rows(
        LOADED,
        move_before(where("shoe-loaded"), where("cut-performed")),
        """UTH-MD 8.B; UTH-MD 5.F(2)
        FAH (e)(6)/s3""",
    ),
    *rows(LOADED, move_after(where("cutting-card-inserted"), where("shoe-loaded")), "FAH (e)(6)/s3"),
    # a batch out of the machine
    *rows(
        "batch-unsecured", drop("batch-secured", deck="T7-batch-1"), "FAH (e)(8)(ii)(B)", options=BATCH, rounds=IDLED
    ),
    *rows(
        "batch-unsecured",
        drop("batch-released", deck="T7-batch-1"),
        "FAH (e)(8)(ii)(B)",
        options=BATCH,
        rounds=IDLED,
    ),
    # the same, of a deck that takes turns
    Case(
        "UTH-MD 5.A; UTH-MD 5.A(2)",
        MISSING,
        day("UTH-MD", "hand", TWO_DECKS, (ROUND, ROUND, ROUND)),
        edits(
            drop("shuffle-completed", nth=2, deck="T7-deck-1"),
            drop("shuffle-started", nth=2, deck="T7-deck-1"),
        ),
    ),
]
