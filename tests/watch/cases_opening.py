"""Steps of the opening left out or done out of order, cards not shown, not washed, not spread while nobody plays."""

from collections.abc import Sequence

import msgspec

from domain.facts.envelope import Fact
from domain.simulation.edits import Facts, change, drop, insert_after, move_after, move_before, said, where
from tests.watch.cases_shuffles import BATCH, IDLED, TWO_DECKS
from tests.watch.harness import Case
from tests.watch.lawful import day, edits
from tests.watch.rows import rows

STEP, WASH, SHOWN, SPREAD = "opening-step-missing", "wash-missing", "inspection-not-offered", "idle-cards-not-spread"
FIRST_BATCH = "T7-batch-2"  # the one the day's first shoe is made of


def as_a_batch(facts: Sequence[Fact]) -> Facts:
    """The steps of the first deck of each batch stand for the whole batch, those of the others are not written."""
    whole: Facts = []
    for fact in facts:
        batch, slash, number = getattr(fact, "deck", "").partition("/")
        if slash and number != "1":
            continue
        whole.append(msgspec.structs.replace(fact, deck=batch) if slash else fact)
    return whole


INSPECTED = """UTH-MA 3(a); UTH-MA 3(b) s1
    UTH-MD 4.A
    PIK 39.5(a)
    COL 4(a)
    FAH (d)(1)"""
SHOWN_FIRST = """UTH-MA 3(b) s1
    UTH-MD 4.B
    PIK 39.5(b)/s1
    COL 4(b)/s1
    FAH (d)(2)/s1"""
EACH_OF_TWO = """UTH-MA 3(d)
    UTH-MD 4.E
    PIK 39.5(d)
    COL 4(d)"""

CASES = [
    # a new deck
    *rows(STEP, drop("deck-inspected"), INSPECTED),
    *rows(STEP, drop("inspection-verified"), INSPECTED),
    *rows(STEP, change("deck-inspected", to={"by": "floorperson"}), INSPECTED),
    *rows(STEP, move_before(where("inspection-verified"), where("deck-inspected")), INSPECTED),
    *rows(STEP, drop("deck-sorted"), "FAH (d)(1)"),
    *rows(
        STEP,
        move_before(where("cards-spread"), where("deck-inspected")),
        """UTH-MA 3(b) s1
        UTH-MD 4.B
        PIK 39.5(a)
        COL 4(a)""",
    ),
    *rows(SHOWN, drop("cards-spread"), SHOWN_FIRST),
    *rows(SHOWN, drop("inspection-offered"), SHOWN_FIRST),
    *rows(SHOWN, change("cards-spread", to={"face_up": False}), SHOWN_FIRST),
    *rows(SHOWN, move_before(where("cards-spread"), where("deck-sorted")), "FAH (d)(2)/s1"),
    *rows(
        STEP,
        drop("cards-turned"),
        """UTH-MA 3(c) s1
        UTH-MD 4.C(1)
        PIK 39.5(c)/s1
        COL 4(c)/s1
        FAH (d)(3)/s1""",
    ),
    *rows(
        WASH,
        drop("cards-washed"),
        """UTH-MA 3(c) s1
        UTH-MD 4.C(2)
        PIK 39.5(c)/s1
        COL 4(c)/s1
        FAH (d)(3)/s1""",
    ),
    *rows(WASH, move_before(where("cards-washed"), where("inspection-offered")), "UTH-MA 3(c) s1\nUTH-MD 4.C(2)"),
    *rows(
        STEP,
        move_before(where("cards-stacked", 1), where("cards-turned")),
        """UTH-MA 3(c) s1
        UTH-MD 4.C(3)
        PIK 39.5(c)/s1
        COL 4(c)/s1
        FAH (d)(3)/s1""",
    ),
    # two decks, each by itself
    *rows(STEP, drop("cards-turned", deck="T7-deck-1"), EACH_OF_TWO, method="hand", options=TWO_DECKS),
    *rows(
        STEP,
        drop("deck-sorted", deck="T7-deck-1"),
        "UTH-MA 3(d)\nPIK 39.5(d)\nCOL 4(d)",
        method="hand",
        options=TWO_DECKS,
    ),
    *rows(STEP, drop("cards-stacked", nth=1, deck="T7-deck-1"), "UTH-MD 4.E", method="hand", options=TWO_DECKS),
    *rows(STEP, drop("deck-inspected", deck=f"{FIRST_BATCH}/3"), "FAH (d)(4); FAH (d)(1)", options=BATCH),
    Case("FAH (d)(4)", "opening-by-batch", day("FAH", options=BATCH), as_a_batch),
    # while nobody plays
    *rows(
        SPREAD,
        drop("cards-spread", nth=2),
        """UTH-MA 4(e) s1
        UTH-MD 5.H(1)
        PIK 39.6(e)/s1
        COL 5(e)/s1
        FAH (e)(8)/s1""",
        rounds=IDLED,
    ),
    *rows(SPREAD, change("cards-spread", nth=2, to={"face_up": True}), "UTH-MD 5.H(1)", rounds=IDLED),
    *rows(
        SHOWN,
        drop("cards-turned", face_up=True),
        """UTH-MA 4(e) s2
        PIK 39.6(e)/s2
        COL 5(e)/s2
        FAH (e)(8)/s2""",
        rounds=IDLED,
    ),
    *rows(
        SHOWN,
        drop("inspection-offered", nth=2),
        """UTH-MA 4(e) s2
        UTH-MD 4.B
        PIK 39.6(e)/s2
        COL 5(e)/s2
        FAH (e)(8)/s2""",
        rounds=IDLED,
    ),
    *rows(
        WASH,
        drop("cards-washed", nth=2),
        """UTH-MA 4(e) s3
        UTH-MD 5.H(2)
        PIK 39.6(e)/s3
        COL 5(e)/s3
        FAH (e)(8)(i)""",
        rounds=IDLED,
    ),
    *rows(
        STEP,
        edits(
            move_after(where("cards-stacked", 3), where("game-commenced", 2)),
            move_after(where("cards-washed", 2), where("cards-stacked", 3)),
        ),
        "UTH-MA 4(e) s3\nUTH-MD 5.H(2)",
        rounds=IDLED,
    ),
    *rows(STEP, drop("cards-turned", nth=2, face_up=False), "FAH (e)(8)/s3", rounds=IDLED),
    *rows(
        SHOWN,
        insert_after(where("table-idled"), said("player-asked", "spread")),
        "FAH (e)(8)(ii)/s3",
        options=BATCH,
        rounds=IDLED,
    ),
]
