"""Cards set, discarded, given up, selected and declared against the rules of the games."""

from functools import partial

from domain.simulation.edits import change, drop, insert_after, insert_before, move_after, said, swap, where
from domain.simulation.scripted import day, round_, seat
from tests.watch.harness import Case, Edit
from tests.watch.settled_how import edits

COUNT = "discard-count-wrong"

FAH = partial(
    day,
    "FAH",
    rounds=[
        round_(
            seat(1, "7s 7d 7h 7c", "natural"),
            seat(2, "Kc Qd 6c 8s", "set", kept="Kc Qd"),
            seat(3, "Kh 9d Ad Qs", "split", kept="Ad Kh", second="Qs 9d"),
            seat(4, "2c 4d 9s Th", "surrender"),
            seat(5, "Ac Jd 3c 5s", "set", kept="Ac Jd"),
            dealer="9c 9h 4c 3h",
            community="Kd 8d 8s 2d 5d",
        )
    ],
)
COL = [
    round_(
        seat(1, "5c 6c 7c", "declare"),
        seat(2, "Ks 8d 2h", "play"),
        seat(3, "Qs 9d 2c", "fold"),
        community="Td 9h 3s",
    )
]
REQUIRED = partial(day, "COL", rounds=COL)
PERMISSIBLE = partial(day, "COL", {"version": "permissible"}, rounds=[round_(seat(2, "Ks 8d 2h", "play"), community="Td 9h 3s")])  # fmt: skip
DECLARES = partial(
    day, "COL", {"version": "permissible"}, rounds=[round_(seat(1, "9c 9d 9h", "declare"), seat(2, "Ks 8d 2h", "play"))]
)
A_FLUSH_DECLARED = partial(day, "COL", rounds=[round_(seat(1, "5c 6c Kc", "declare"), seat(2, "Ks 8d 2h", "play"))])
LOW_RUN = partial(day, "COL", rounds=[round_(seat(1, "Ac 2c 3c", "declare"), seat(2, "Ks 8d 2h", "play"))])
PIK = partial(
    day,
    "PIK",
    rounds=[
        round_(
            seat(1, "9h 9s 4c 4d Js", "play5", bonus3=500, selected="9h 9s Js"),
            seat(3, "Ks Kh 9d 8c 4h", "play3", bonus3=500, selected="Ks Kh 9d"),
            dealer="7c 7d Qs 5h 2s",
        )
    ],
)
TWO_NATURALS = partial(
    day, "FAH", rounds=[round_(seat(1, "7s 7d 7h 7c", "natural"), seat(2, "Kc Qd 6c 8s", "set"), dealer="9c 9h 4c 3h")]
)

FROM_THE_HAND = {book: partial(day, book, {"shuffler": "automated"}, method="hand") for book in ("PIK", "COL")}


def seen(clause: str) -> Edit:
    """A person watching saw cards drawn by the hand that holds the deck."""
    return insert_after(where("card-dealt"), said("observed", clause, "the dealer drew with the hand holding the deck"))


CASES = [
    Case("FAH (a)(1)(ix); FAH (h)(1)/s1", COUNT, FAH, change("hand-set", seat=2, to={"kept": ("Kc", "Qd", "6c")})),
    Case("FAH (h)(1)/s1", COUNT, FAH, drop("hand-set", seat=2)),
    Case("FAH (h)(1)/s2", COUNT, FAH, change("hand-set", seat=2, to={"discarded": 1})),
    Case("FAH (h)(1)/s2", COUNT, FAH, insert_after(where("hand-set", seat=2), said("card-discarded", 2, count=3))),
    Case("FAH (h)(3)/s2", COUNT, FAH, change("hand-set", seat=3, to={"discarded": 2})),
    Case("FAH (h)(3)/s2", COUNT, FAH, change("hand-set", seat=3, to={"second": ("Qs",)})),
    Case("FAH (h)(5)/s2; FAH (h)(3)/s2", COUNT, FAH, insert_after(where("discards-collected", seat=4), said("discards-collected", 2, 3))),
    Case("FAH (h)(5)/s2", COUNT, FAH, change("discards-collected", seat=2, to={"count": 1})),
    Case("FAH (h)(5)/s2", COUNT, FAH, drop("discards-collected", seat=5)),
    Case("FAH (h)(5)/s2", COUNT, FAH, insert_after(where("discards-collected", seat=2), said("discards-collected", 4, 1))),
    Case("FAH (h)(6)/s1", COUNT, FAH, insert_after(where("decision-made", seat=4), said("card-discarded", 4, count=3))),
    Case("FAH (h)(6)/s3; FAH (h)(5)/s2", COUNT, FAH, change("discards-collected", seat=4, to={"count": 3})),
    Case("FAH (h)(7)/s1", COUNT, FAH, change("hand-set", seat=None, to={"kept": ("9c", "9h", "4c"), "discarded": 1})),
    Case("FAH (h)(7)/s1", COUNT, FAH, drop("hand-set", seat=None)),
    Case("FAH (h)(7)/s2", COUNT, FAH, change("discards-collected", seat=None, to={"count": 1})),
    Case("FAH (h)(7)/s2", COUNT, FAH, drop("discards-collected", seat=None)),
    Case("FAH (h)(6)/s1", "surrender-late", FAH, edits(
        move_after(where("decision-made", seat=4), where("discards-collected", seat=5)),
        move_after(where("wager-collected", seat=4), where("decision-made", seat=4)),
        move_after(where("wager-returned", seat=4), where("wager-collected", seat=4)),
    )),
    Case("FAH (h)(5)/s1", "collection-out-of-order", FAH, swap(where("discards-collected", seat=5), where("discards-collected", seat=2))),
    Case('COL 1 "Discard"; COL 10(b)(1)/s2', COUNT, REQUIRED, change("card-discarded", seat=2, to={"count": 2})),
    Case('COL 1 "Discard"; COL 10(b)(1)/s2', COUNT, REQUIRED, drop("card-discarded", seat=2)),
    Case('COL 1 "Discard"; COL 11(b)(1)/s2', COUNT, PERMISSIBLE, drop("card-discarded", seat=2)),
    Case("COL 10(b)(2)/s1", COUNT, REQUIRED, change("card-discarded", seat=3, to={"count": 2, "cards": ()})),
    Case("PIK 39.10(a); PIK 39.10(b)/s1", "selection-invalid", PIK, drop("cards-selected", seat=1)),
    Case("PIK 39.10(a); PIK 39.10(b)/s2", "selection-invalid", PIK, change("cards-selected", seat=1, to={"cards": ("9h", "9s")})),
    Case("PIK 39.10(b)/s2", "selection-invalid", PIK, change("cards-selected", seat=1, to={"cards": ("9h", "9s", "9c")})),
    Case("PIK 39.10(b)/s2", "selection-invalid", PIK, insert_after(where("cards-selected", seat=1), said("cards-selected", 1, ("9h", "4c", "4d")))),
    Case("FAH (h)(2)/s1", "natural-undeclared", TWO_NATURALS, edits(
        insert_before(where("decision-made", seat=1), said("hand-set", ("7s", "7d"), 1, discarded=2)),
        drop("decision-made", seat=1),
        drop("natural-confirmed", seat=1),
    )),
    Case("FAH (a)(1)(v)", "declared-hand-misjudged", FAH, change("natural-confirmed", seat=1, to={"confirmed": False})),
    Case("FAH (a)(1)(v)", "declared-hand-misjudged", FAH, insert_after(where("hand-set", seat=2), said("natural-confirmed", 2))),
    Case("COL 3(c)(1); COL 10(b)(3); COL 10(b)(3)(i)/s3", "declared-hand-misjudged", REQUIRED, change("natural-confirmed", seat=1, to={"confirmed": False})),
    Case("COL 3(c)(2); COL 11(b)(2); COL 11(b)(2)(i)/s3", "declared-hand-misjudged", DECLARES, change("natural-confirmed", seat=1, to={"confirmed": False})),
    Case("COL 3(c)(1); COL 3(c)(2); COL 10(b)(3)(i)/s3", "declared-hand-misjudged", A_FLUSH_DECLARED, change("natural-confirmed", seat=1, to={"confirmed": True})),
    Case("COL 3(c)(1)", "declared-hand-misjudged", LOW_RUN, change("natural-confirmed", seat=1, to={"confirmed": True})),
    Case("COL 3(c)(1)", "ruling-needed", LOW_RUN, drop("ruling-given")),
    Case("PIK 39.8(b)3/s2", "dealing-technique-wrong", FROM_THE_HAND["PIK"], seen("PIK 39.8(b)3/s2")),
    Case("COL 8(c)/s1", "dealing-technique-wrong", FROM_THE_HAND["COL"], seen("COL 8(c)/s1")),
]  # fmt: skip
