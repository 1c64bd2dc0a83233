"""Cards and stacks dealt to whom they are not due, too many or too few, or face up."""

from domain.simulation.edits import Edit, change, drop, insert_after, said, swap, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day

CARD, STACK = "card-dealt", "stack-delivered"
ORDER, SKIPPED, UNWAGERED = "deal-out-of-order", "seat-skipped", "seat-dealt-unwagered"
FACE_UP, COUNT = "card-dealt-face-up", "card-count-wrong"

MA, MD, PIK, FAH, COL = (day(book) for book in ("UTH-MA", "UTH-MD", "PIK", "FAH", "COL"))
MA_HAND, MD_HAND, PIK_HAND, COL_HAND = (day(book, "hand") for book in ("UTH-MA", "UTH-MD", "PIK", "COL"))
MA_SHOE, PIK_SHOE, COL_SHOE = (day(book, "automated-shoe") for book in ("UTH-MA", "PIK", "COL"))
MD_SHOE = day("UTH-MD", "automated-shoe", {"six_card_table": "A"})
MD_WAITS = day("UTH-MD", "automated-shoe", dealer_stack="after-decisions")
MD_ELECTRONIC = day("UTH-MD", options={"electronic_table": True})
MD_ELECTRONIC_SHOE = day("UTH-MD", "automated-shoe", {"electronic_table": True})
PIK_WAITS = day(
    "PIK", "automated-shoe", {"dealer_stack_delivery": "after-decisions"}, [round_(seat(1, acts="fold"), seat(3))]
)


def _turns(kind: str, one: tuple[str, int | None, int], other: tuple[str, int | None, int]) -> Edit:
    """Two cards or stacks change places: each is its place, its seat and which of those that went there."""
    first, second = (where(kind, nth, to=to, seat=number) for to, number, nth in (one, other))
    return swap(first, second)


def _seat(number: int, nth: int = 1) -> tuple[str, int | None, int]:
    return ("seat", number, nth)


def _dealer(nth: int = 1) -> tuple[str, int | None, int]:
    return ("dealer", None, nth)


def _board(nth: int = 1) -> tuple[str, int | None, int]:
    return ("community", None, nth)


BOX = ("box", None, 1)
NO_WAGER_AT_3 = drop("wager-placed", seat=3)


def _open(kind: str, seat: int | None, nth: int = 1) -> Edit:
    """A card or stack face up: the nth of a seat, or of those that go to no seat."""
    return change(kind, nth, to={"face_up": True}, seat=seat)


CASES = [
    # who is next
    Case("UTH-MA 7(d); UTH-MA 7(d)(1)", ORDER, MA, _turns(CARD, _seat(1), _seat(3))),
    Case("UTH-MA 7(d)(1); UTH-MA 7(d)(2)", ORDER, MA, _turns(CARD, _seat(3), _dealer())),
    Case("UTH-MA 7(d); UTH-MA 7(d)(3)", ORDER, MA, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("UTH-MA 7(d)(3); UTH-MA 7(d)(4)", ORDER, MA, _turns(CARD, _seat(3, 2), _dealer(2))),
    Case("UTH-MA 8(c); UTH-MA 8(c)(1)", ORDER, MA_HAND, _turns(CARD, _seat(1), _seat(3))),
    Case("UTH-MA 8(c)(1); UTH-MA 8(c)(2)", ORDER, MA_HAND, _turns(CARD, _seat(3), _dealer())),
    Case("UTH-MA 8(c); UTH-MA 8(c)(3)", ORDER, MA_HAND, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("UTH-MA 8(c)(3); UTH-MA 8(c)(4)", ORDER, MA_HAND, _turns(CARD, _seat(3, 2), _dealer(2))),
    Case("UTH-MA 9(c) s1; UTH-MA 9(c) s2", ORDER, MA_SHOE, _turns(STACK, _seat(1), _seat(3))),
    Case("UTH-MA 9(c) s2; UTH-MA 9(c) s3", ORDER, MA_SHOE, _turns(STACK, _seat(3), _dealer())),
    Case("UTH-MA 7(d)", ORDER, MA, drop(CARD, -1, seat=3)),
    Case("UTH-MD 8.D(2)", ORDER, MD, _turns(CARD, _seat(1), _seat(3))),
    Case("UTH-MD 8.D(2)", ORDER, MD, drop(CARD, -1, seat=3)),
    Case("UTH-MD 9.B(2)", ORDER, MD_HAND, _turns(CARD, _seat(3), _dealer())),
    Case("UTH-MD 10.B(1); UTH-MD 10.B(2)", ORDER, MD_SHOE, _turns(STACK, BOX, _board())),
    Case("UTH-MD 10.B(2); UTH-MD 10.B(3)", ORDER, MD_SHOE, _turns(STACK, _board(), _dealer())),
    Case("UTH-MD 10.B(3)", ORDER, MD_SHOE, _turns(STACK, _seat(1), _seat(3))),
    Case("UTH-MD 10.B(4)", ORDER, MD_WAITS, _turns(STACK, _seat(1), _seat(3))),
    Case("PIK 39.7(c)/s1", ORDER, PIK, _turns(CARD, _seat(1), _seat(3))),
    Case("PIK 39.7(c)/s1", ORDER, PIK, _turns(CARD, _seat(3, 4), _dealer(4))),
    Case("PIK 39.8(c)/s1", ORDER, PIK_HAND, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("PIK 39.8(c)/s1", ORDER, PIK_HAND, drop(CARD, -1, seat=3)),
    Case("PIK 39.9(c)/s1; PIK 39.9(c)/s2", ORDER, PIK_SHOE, _turns(STACK, _seat(1), _seat(3))),
    Case("PIK 39.9(c)/s2; PIK 39.9(c)1", ORDER, PIK_SHOE, _turns(STACK, _seat(3), _dealer())),
    Case("PIK 39.9(c)2", ORDER, PIK_WAITS, swap(where(STACK, to="dealer"), where("hands-collected", seat=1))),
    Case("UTH-MD 10.B(4)", ORDER, MD_WAITS, swap(where(STACK, to="dealer"), where("decision-made", -1))),
    Case("FAH (a)(1)(iii); FAH (g)(3)/s2", ORDER, FAH, _turns(CARD, _dealer(), _seat(1))),
    Case("FAH (g)(3)/s2", ORDER, FAH, _turns(CARD, _seat(1), _seat(3))),
    Case("FAH (g)(3)/s3", ORDER, FAH, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("COL 7(c)/s2; COL 7(c)(1)", ORDER, COL, _turns(CARD, _seat(1), _seat(3))),
    Case("COL 7(c)(1); COL 7(c)(2)", ORDER, COL, _turns(CARD, _seat(3), _board())),
    Case("COL 7(c)/s2; COL 7(c)(3)", ORDER, COL, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("COL 7(c)(3); COL 7(c)(4)", ORDER, COL, _turns(CARD, _seat(3, 2), _board(2))),
    Case("COL 7(c)/s2; COL 7(c)(5)", ORDER, COL, _turns(CARD, _seat(1, 3), _seat(3, 3))),
    Case("COL 7(c)(5); COL 7(c)(6)", ORDER, COL, _turns(CARD, _seat(3, 3), _board(3))),
    Case("COL 8(c)/s2; COL 8(c)(1)", ORDER, COL_HAND, _turns(CARD, _seat(1), _seat(3))),
    Case("COL 8(c)(1); COL 8(c)(2)", ORDER, COL_HAND, _turns(CARD, _seat(3), _board())),
    Case("COL 8(c)/s2; COL 8(c)(3)", ORDER, COL_HAND, _turns(CARD, _seat(1, 2), _seat(3, 2))),
    Case("COL 8(c)(3); COL 8(c)(4)", ORDER, COL_HAND, _turns(CARD, _seat(3, 2), _board(2))),
    Case("COL 8(c)/s2; COL 8(c)(5)", ORDER, COL_HAND, _turns(CARD, _seat(1, 3), _seat(3, 3))),
    Case("COL 8(c)(5); COL 8(c)(6)", ORDER, COL_HAND, _turns(CARD, _seat(3, 3), _board(3))),
    Case("COL 9(c)/s1; COL 9(c)/s2", ORDER, COL_SHOE, _turns(STACK, _seat(1), _seat(3))),
    Case("COL 9(c)/s2; COL 9(c)/s3-last", ORDER, COL_SHOE, _turns(STACK, _seat(3), _board())),
    # a seat with its wagers is passed over
    Case("UTH-MA 7(d)(1); UTH-MA 7(d)(3)", SKIPPED, MA, drop(CARD, seat=3)),
    Case("UTH-MA 8(c)(1); UTH-MA 8(c)(3)", SKIPPED, MA_HAND, drop(CARD, seat=3)),
    Case("UTH-MA 9(c) s1", SKIPPED, MA_SHOE, drop(STACK, seat=1)),
    Case("UTH-MA 9(c) s2", SKIPPED, MA_SHOE, drop(STACK, seat=3)),
    Case("UTH-MD 8.D(2)", SKIPPED, MD, drop(CARD, seat=3)),
    Case("UTH-MD 9.B(2)", SKIPPED, MD_HAND, drop(CARD, seat=3)),
    Case("UTH-MD 10.B(3)", SKIPPED, MD_SHOE, drop(STACK, seat=3)),
    Case("UTH-MD 10.B(4)", SKIPPED, MD_WAITS, drop(STACK, seat=3)),
    Case("PIK 39.7(c)/s1; PIK 39.7(c)/s1-count", SKIPPED, PIK, drop(CARD, seat=3)),
    Case("PIK 39.8(c)/s1", SKIPPED, PIK_HAND, drop(CARD, seat=3)),
    Case("PIK 39.9(c)/s1", SKIPPED, PIK_SHOE, drop(STACK, seat=1)),
    Case("PIK 39.9(c)/s2", SKIPPED, PIK_SHOE, drop(STACK, seat=3)),
    Case("FAH (g)(3)/s2", SKIPPED, FAH, drop(CARD, seat=3)),
    Case("COL 7(c)(1); COL 7(c)(3); COL 7(c)(5)", SKIPPED, COL, drop(CARD, seat=3)),
    Case("COL 8(c)(1); COL 8(c)(3); COL 8(c)(5)", SKIPPED, COL_HAND, drop(CARD, seat=3)),
    Case("COL 9(c)/s1", SKIPPED, COL_SHOE, drop(STACK, seat=1)),
    Case("COL 9(c)/s2", SKIPPED, COL_SHOE, drop(STACK, seat=3)),
    # a seat without them is dealt in
    Case("UTH-MA 7(d)(1); UTH-MA 7(d)(3)", UNWAGERED, MA, NO_WAGER_AT_3),
    Case("UTH-MA 8(c)(1); UTH-MA 8(c)(3)", UNWAGERED, MA_HAND, NO_WAGER_AT_3),
    Case("UTH-MA 9(c) s1", UNWAGERED, MA_SHOE, drop("wager-placed", seat=1)),
    Case("UTH-MA 9(c) s2", UNWAGERED, MA_SHOE, NO_WAGER_AT_3),
    Case("UTH-MD 8.D(2)", UNWAGERED, MD, NO_WAGER_AT_3),
    Case("UTH-MD 9.B(2)", UNWAGERED, MD_HAND, NO_WAGER_AT_3),
    Case("UTH-MD 10.B(3)", UNWAGERED, MD_SHOE, NO_WAGER_AT_3),
    Case("UTH-MD 10.B(4)", UNWAGERED, MD_WAITS, NO_WAGER_AT_3),
    Case("PIK 39.7(c)/s1; PIK 39.7(c)/s1-count", UNWAGERED, PIK, NO_WAGER_AT_3),
    Case("PIK 39.8(c)/s1", UNWAGERED, PIK_HAND, NO_WAGER_AT_3),
    Case("PIK 39.9(c)/s1", UNWAGERED, PIK_SHOE, drop("wager-placed", seat=1)),
    Case("PIK 39.9(c)/s2", UNWAGERED, PIK_SHOE, NO_WAGER_AT_3),
    Case("FAH (g)(3)/s2", UNWAGERED, FAH, NO_WAGER_AT_3),
    Case("COL 7(c)(1); COL 7(c)(3); COL 7(c)(5)", UNWAGERED, COL, NO_WAGER_AT_3),
    Case("COL 8(c)(1); COL 8(c)(3); COL 8(c)(5)", UNWAGERED, COL_HAND, NO_WAGER_AT_3),
    Case("COL 9(c)/s1", UNWAGERED, COL_SHOE, drop("wager-placed", seat=1)),
    Case("COL 9(c)/s2", UNWAGERED, COL_SHOE, NO_WAGER_AT_3),
    # face up
    Case("UTH-MA 7(d)(1)", FACE_UP, MA, _open(CARD, 3)),
    Case("UTH-MA 7(d)(2)", FACE_UP, MA, _open(CARD, None)),
    Case("UTH-MA 7(d)(3)", FACE_UP, MA, _open(CARD, 3, 2)),
    Case("UTH-MA 7(d)(4)", FACE_UP, MA, _open(CARD, None, 2)),
    Case("UTH-MA 8(c)(1)", FACE_UP, MA_HAND, _open(CARD, 3)),
    Case("UTH-MA 8(c)(2)", FACE_UP, MA_HAND, _open(CARD, None)),
    Case("UTH-MA 8(c)(3)", FACE_UP, MA_HAND, _open(CARD, 3, 2)),
    Case("UTH-MA 8(c)(4)", FACE_UP, MA_HAND, _open(CARD, None, 2)),
    Case("UTH-MA 9(c) s1", FACE_UP, MA_SHOE, _open(STACK, 1)),
    Case("UTH-MA 9(c) s2", FACE_UP, MA_SHOE, _open(STACK, 3)),
    Case("UTH-MA 9(c) s3", FACE_UP, MA_SHOE, _open(STACK, None)),
    Case("UTH-MD 8.D(2)", FACE_UP, MD, _open(CARD, 3)),
    Case("UTH-MD 8.D(2)", FACE_UP, MD, _open(CARD, None)),
    Case("UTH-MD 9.B(2)", FACE_UP, MD_HAND, _open(CARD, 3)),
    Case("UTH-MD 10.B(2)", FACE_UP, MD_SHOE, _open(STACK, None, 2)),
    Case("UTH-MD 10.B(3)", FACE_UP, MD_SHOE, _open(STACK, 3)),
    Case("UTH-MD 10.B(4)", FACE_UP, MD_WAITS, _open(STACK, 3)),
    Case("PIK 39.7(c)/s2", FACE_UP, PIK, _open(CARD, 3, 5)),
    Case("PIK 39.8(b)3/s2; PIK 39.8(c)/s2", FACE_UP, PIK_HAND, _open(CARD, 1)),
    Case("PIK 39.9(c)/s1", FACE_UP, PIK_SHOE, _open(STACK, 1)),
    Case("PIK 39.9(c)/s2", FACE_UP, PIK_SHOE, _open(STACK, 3)),
    Case("FAH (g)(3)/s1-face", FACE_UP, FAH, _open(CARD, 3, 2)),
    Case("COL 7(c)(1)", FACE_UP, COL, _open(CARD, 3)),
    Case('COL 7(c)(2); COL 1 "Community card"', FACE_UP, COL, _open(CARD, None)),
    Case("COL 7(c)(3)", FACE_UP, COL, _open(CARD, 3, 2)),
    Case('COL 7(c)(4); COL 1 "Community card"', FACE_UP, COL, _open(CARD, None, 2)),
    Case("COL 7(c)(5)", FACE_UP, COL, _open(CARD, 3, 3)),
    Case('COL 7(c)(6); COL 1 "Community card"', FACE_UP, COL, _open(CARD, None, 3)),
    Case("COL 8(c)/s1; COL 8(c)(1)", FACE_UP, COL_HAND, _open(CARD, 3)),
    Case("COL 8(c)/s1; COL 8(c)(2)", FACE_UP, COL_HAND, _open(CARD, None)),
    Case("COL 8(c)/s1; COL 8(c)(3)", FACE_UP, COL_HAND, _open(CARD, 3, 2)),
    Case("COL 8(c)/s1; COL 8(c)(4)", FACE_UP, COL_HAND, _open(CARD, None, 2)),
    Case("COL 8(c)/s1; COL 8(c)(5)", FACE_UP, COL_HAND, _open(CARD, 3, 3)),
    Case("COL 8(c)/s1; COL 8(c)(6)", FACE_UP, COL_HAND, _open(CARD, None, 3)),
    Case("COL 9(c)/s1", FACE_UP, COL_SHOE, _open(STACK, 1)),
    Case("COL 9(c)/s2", FACE_UP, COL_SHOE, _open(STACK, 3)),
    Case("COL 9(c)/s3-last", FACE_UP, COL_SHOE, _open(STACK, None)),
    # too many, too few
    Case("UTH-MA 9(a)", COUNT, MA_SHOE, change(STACK, to={"size": 3, "cards": ()}, seat=3)),
    Case("UTH-MA 9(a)", COUNT, MA_SHOE, change(STACK, to={"size": 1, "cards": ()}, seat=None)),
    Case("UTH-MD 11.L(1)", COUNT, MD_ELECTRONIC, drop(CARD, 2, seat=None)),
    Case("UTH-MD 11.L(2)", COUNT, MD_ELECTRONIC, drop(CARD, -1, seat=None)),
    Case("UTH-MD 11.L(2)", COUNT, MD_ELECTRONIC_SHOE, change(STACK, 1, to={"size": 4, "cards": ()}, seat=None)),
    Case("PIK 39.7(c)/s1-count", COUNT, PIK, drop(CARD, -1, seat=3)),
    Case("PIK 39.7(c)/s1-count", COUNT, PIK, insert_after(where(CARD, -1, seat=None), said(CARD, "dealer"))),
    Case("PIK 39.9(a)", COUNT, PIK_SHOE, change(STACK, to={"size": 4, "cards": ()}, seat=1)),
    Case("FAH (g)(3)/s3", COUNT, FAH, drop(CARD, -1, seat=3)),
    Case("FAH (g)(3)/s3", COUNT, FAH, drop(CARD, 4, seat=None)),
    Case('COL 1 "Community card"', COUNT, COL, drop(CARD, 3, seat=None)),
    Case("COL 9(a)", COUNT, COL_SHOE, change(STACK, to={"size": 4, "cards": ()}, seat=3)),
    Case('COL 9(a); COL 1 "Community card"', COUNT, COL_SHOE, change(STACK, to={"size": 2, "cards": ()}, seat=None)),
]
