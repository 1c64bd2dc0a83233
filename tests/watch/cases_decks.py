"""Decks of a wrong number, size or color, played out of turn or too long; devices left where they must not stand."""

from collections.abc import Sequence

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import DeviceHere, TableOpened
from domain.simulation.edits import Edit, Facts, change, delay, drop, where
from domain.simulation.pace import HOUR
from domain.simulation.scripted import round_, seat, wrong
from tests.watch.cases_shuffles import ANOTHER_SHOE, BATCH, IDLED, ROUND, TWICE, TWO_DECKS, goes_wrong
from tests.watch.lawful import edits
from tests.watch.rows import rows

WHOLE, COVER, MISMATCHED = "deck-composition-wrong", "cover-card-missing", "decks-mismatched"
NUMBER, TURNS, IDLE, RACK = "deck-number-wrong", "deck-not-alternated", "idle-deck-not-shuffled", "discard-rack-mixed"
OVERDUE, STAYED, DEVICE, TWICE_SEEN = "deck-change-overdue", "deck-not-removed", "device-not-removed", "card-duplicated"
NONCONFORMING = "cards-nonconforming"
ONE, OTHER = "T7-deck-1", "T7-deck-2"
SHOE_LATE = goes_wrong(wrong("jam", device="shoe", at_dealt=4), after_jam="replaced")
SHUFFLER_LATE = goes_wrong(wrong("jam", device="shuffler", stage="before-deal"), after_jam="replaced")
THRICE = (ROUND, ROUND, ROUND)
COUNTED = (round_(seat(1), seat(3), count_stub=True), ROUND)

A_DECK = """UTH-MA 2(a)
    UTH-MD 3.A(1)
    PIK 39.2(a)/s1
    COL 2(a)/s1
    FAH (b)(1)/s1"""
EACH_DECK = """PIK 39.2(b)1
    COL 2(b)(1)"""


def devices(make: dict[str, object], kind: str = "shuffler") -> Edit:
    """Replace the devices of a kind the table opened with; remove them if none are given."""

    def edit(facts: Sequence[Fact]) -> Facts:
        opened = facts[0]
        if not isinstance(opened, TableOpened):
            raise TypeError(f"a day begins with its opening, not with {opened}")
        here: list[DeviceHere] = []
        for each in opened.devices:
            if each.kind != kind:
                here.append(each)
            elif make:
                here.append(msgspec.structs.replace(each, **make))
        return [msgspec.structs.replace(opened, devices=tuple(here)), *facts[1:]]

    return edit


def unshuffled_idle(deck: str) -> Edit:
    """The deck out of play does not go through the machine, and nobody empties the rack."""
    return edits(
        drop("discard-rack-emptied", nth=1),
        drop("shuffle-started", nth=2, deck=deck),
        drop("shuffle-completed", nth=2, deck=deck),
    )


def same_again(nth: int, deck: str) -> Edit:
    """The nth round is dealt from this deck."""
    return change("round-opened", nth=nth, to={"deck": deck})


def left_over(by: int) -> Edit:
    """The first shoe is emptied with so many more cards in it, or so many fewer."""
    return change("shoe-emptied", nth=1, to={"cards": lambda held: held + by})


LOADED_TWICE = (round_(seat(1)), round_(seat(1), parts={"shuffle_ordered": "directed"}))
CASES = [
    # what a deck is
    *rows(WHOLE, change("deck-received", to={"cards": 51}), A_DECK),
    *rows(WHOLE, change("deck-received", to={"decks": 2, "cards": 104}), "UTH-MA 2(a)\nUTH-MD 3.A(1)"),
    *rows(
        WHOLE,
        change("deck-received", nth=2, to={"cards": 53}),
        EACH_DECK,
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(TWICE_SEEN, change("card-dealt", to={"card": "7h"}), A_DECK),
    *rows(
        COVER,
        change("deck-received", to={"cover_cards": 0}),
        """UTH-MA 2(a)
        UTH-MD 3.A(3)
        PIK 39.2(a)/s1
        COL 2(a)/s1""",
    ),
    *rows(COVER, change("deck-received", to={"cover_color": "blue"}), "UTH-MA 2(a)"),
    *rows(COVER, change("deck-received", to={"cover_cards": 0}), EACH_DECK, method="hand", options=TWO_DECKS),
    *rows(COVER, change("deck-received", to={"cover_cards": 1}), "PIK 39.2(c)", method="automated-shoe"),
    *rows(NONCONFORMING, change("deck-inspected", to={"defects": 1}), "UTH-MD 3.A(2)"),
    *rows(NONCONFORMING, change("deck-received", to={"cover_color": "red"}), "PIK 39.2(a)/s2\nCOL 2(a)/s2"),
    # how many
    *rows(
        "second-deck-without-shuffler",
        devices({}),
        """UTH-MA 2(b)
        UTH-MD 3.A(1); UTH-MD 3.B
        PIK 39.2(b)
        COL 2(b)""",
        options={"shuffler": "automated", **TWO_DECKS},
        rounds=TWICE,
    ),
    *rows(NUMBER, change("deck-received", to={"decks": 5, "cards": 260}), "FAH (b)(1)/s1"),
    *rows(WHOLE, change("shoe-loaded", to={"cards": 296}), "FAH (b)(1)/s1"),
    *rows(WHOLE, change("shoe-loaded", nth=2, to={"cards": 296}), "FAH (b)(1)/s1", rounds=LOADED_TWICE),
    *rows(
        WHOLE,
        change("shoe-emptied", to={"cards": 296}),
        "FAH (b)(1)/s1",
        method="continuous-shoe",
        options={"shuffler": "continuous"},
        rounds=ANOTHER_SHOE,
    ),
    *rows(NUMBER, change("deck-received", to={"decks": 5, "cards": 260}), "FAH (b)(4)", options=BATCH),
    *rows(NUMBER, change("deck-received", nth=1, to={"decks": 8, "cards": 416}), "FAH (b)(4)(ii)", options=BATCH),
    *rows(NUMBER, drop("deck-received", nth=1), "FAH (b)(4); FAH (b)(4)(ii)", options=BATCH),
    *rows("deck-number-unusual", change("deck-received", to={"decks": 7, "cards": 364}), "FAH (b)(4)", options=BATCH),
    # told apart
    *rows(
        MISMATCHED,
        change("deck-received", to={"back_color": "red"}),
        """UTH-MA 2(b)(2)
        UTH-MD 3.B(2)
        PIK 39.2(b)2
        COL 2(b)(2)""",
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(
        MISMATCHED,
        change("deck-received", nth=2, to={"design": "another"}),
        "UTH-MD 3.B(1)",
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(
        MISMATCHED,
        change("deck-received", to={"back_color": "red"}),
        "FAH (b)(4)(iii)",
        options=BATCH,
        rounds=ANOTHER_SHOE,
    ),
    # in turn
    *rows(
        TURNS,
        same_again(2, ONE),
        """UTH-MA 2(b)(4)
        UTH-MD 3.B(4)
        PIK 39.2(b)4
        COL 2(b)(4)""",
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(
        TURNS,
        edits(same_again(2, "T7-batch-2"), change("shoe-loaded", nth=2, to={"deck": "T7-batch-2"})),
        "FAH (b)(4)(v)",
        options=BATCH,
        rounds=ANOTHER_SHOE,
    ),
    *rows(
        TURNS,
        edits(same_again(2, "T7-batch-2"), change("shoe-loaded", nth=2, to={"deck": "T7-batch-2"})),
        "FAH (e)(8)(ii)/s2",
        options=BATCH,
        rounds=IDLED,
    ),
    *rows(
        IDLE,
        change("shuffle-completed", nth=2, to={"method": "manual", "device": ""}, deck=ONE),
        """UTH-MA 2(b)(3)
        UTH-MD 3.B(3)
        PIK 39.2(b)3
        COL 2(b)(3)""",
        method="hand",
        options=TWO_DECKS,
        rounds=THRICE,
    ),
    *rows(
        IDLE,
        drop("shuffle-completed", nth=1, deck=OTHER),
        "UTH-MA 2(b)(3)\nUTH-MD 3.B(3)",
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(
        IDLE,
        change("shuffle-completed", to={"method": "manual", "device": ""}, deck="T7-batch-1"),
        "FAH (b)(4)(iv)",
        options=BATCH,
        rounds=ANOTHER_SHOE,
    ),
    *rows(
        RACK,
        unshuffled_idle(ONE),
        """UTH-MA 2(b)(5)
        UTH-MD 3.B(5)
        PIK 39.2(b)5
        COL 2(b)(5)""",
        method="hand",
        options=TWO_DECKS,
        rounds=TWICE,
    ),
    *rows(RACK, drop("discard-rack-emptied", nth=1), "FAH (b)(4)(vi)", options=BATCH, rounds=ANOTHER_SHOE),
    # how long
    *rows(OVERDUE, delay(where("round-opened", 2), 4 * HOUR), "UTH-MD 3.C(1)", method="hand", rounds=TWICE),
    *rows(OVERDUE, delay(where("round-opened", 2), 8 * HOUR), "UTH-MD 3.C(2)", rounds=TWICE),
    *rows(OVERDUE, drop("deck-received"), "FAH (d)(5)"),
    # a wrong count
    *rows(
        STAYED,
        change("stub-counted", to={"cards": lambda cards: cards - 1}),
        """UTH-MA 7(f)(2) s3
        UTH-MD 8.G(2)
        PIK 39.7(e)2/s3
        COL 7(e)(2)/s3""",
        rounds=COUNTED,
    ),
    *rows(
        STAYED,
        change("stub-counted", to={"cards": lambda cards: cards - 1}),
        """UTH-MA 7(f)(2) s3; UTH-MA 8(e) s2
        UTH-MD 9.E(2)
        PIK 39.7(e)2/s3; PIK 39.8(e)/s2
        COL 7(e)(2)/s3; COL 8(e)/s2""",
        method="hand",
        rounds=COUNTED,
    ),
    *rows(
        STAYED,
        change("stub-counted", to={"cards": lambda cards: cards + 1}),
        """UTH-MA 7(f)(2) s3; UTH-MA 9(e) s2
        UTH-MD 10.E(2)
        PIK 39.7(e)2/s3; PIK 39.9(e)/s2
        COL 7(e)(2)/s3; COL 9(e)/s2""",
        method="automated-shoe",
        rounds=COUNTED,
    ),
    *rows(
        STAYED,
        change("shuffle-completed", to={"counted": 51}),
        """UTH-MD 5.E
        PIK 39.7(f)/s2
        COL 7(f)/s2""",
        options={"shuffler": "counting"},
    ),
    *rows(
        "bad-deck-in-play",
        edits(devices({"reshuffles": True}), change("shuffle-completed", to={"counted": 51})),
        "UTH-MD 5.I",
        options={"shuffler": "counting"},
    ),
    # devices
    *rows(
        DEVICE,
        change("shuffle-completed", nth=2, to={"method": "manual", "device": ""}),
        """UTH-MA 15(g)
        PIK 38.12(g)
        COL 14(g)""",
        options={"shuffler": "automated"},
        rounds=TWICE,
    ),
    *rows(
        DEVICE,
        drop("device-removed"),
        "UTH-MA 15(g)\nPIK 38.12(g)\nCOL 14(g)",
        method="automated-shoe",
        rounds=SHOE_LATE,
    ),
    *rows(DEVICE, drop("device-covered"), "UTH-MD 13.J(1); UTH-MD 13.J(2)", method="automated-shoe", rounds=SHOE_LATE),
    *rows(DEVICE, drop("device-covered"), "UTH-MD 13.J(1); UTH-MD 13.J(2)", method="hand", rounds=SHUFFLER_LATE),
    # what goes into a shoe
    *rows(
        WHOLE,
        change("shoe-loaded", to={"cards": 51}),
        "UTH-MA 2(a)\nUTH-MD 3.A(1)\nPIK 39.2(a)/s1\nCOL 2(a)/s1",
    ),
    *rows(
        WHOLE,
        change("shoe-loaded", nth=2, to={"cards": 12}),
        "FAH (b)(1)/s1",
        method="continuous-shoe",
        options={"shuffler": "continuous"},
    ),
    # four figures of a shoe: loaded, dealt, burned and left
    *(
        case
        for options in ({}, BATCH)
        for by in (-16, 1)
        for case in rows(WHOLE, left_over(by), "FAH (b)(1)/s1", options=options, rounds=LOADED_TWICE)
    ),
]
