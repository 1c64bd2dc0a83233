"""Community cards early, late, in the wrong number or place; burns left out, shown or not prescribed; the marker."""

from domain.simulation.edits import (
    Edit,
    change,
    drop,
    insert_after,
    insert_before,
    move_after,
    move_before,
    said,
    where,
)
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Case
from tests.watch.lawful import day, edits

CARD, STACK, BURN, MARKER = "card-dealt", "stack-delivered", "card-burned", "marker-placed"
EARLY, WRONG, COUNT = "community-early", "community-deal-wrong", "card-count-wrong"
NO_BURN, SHOWN, NEEDLESS, MISPLACED = "burn-missing", "burn-exposed", "unexpected-burn", "marker-misplaced"

# Nobody plays before the river, so that every street waits for decisions.
CHECKED = (round_(seat(1, acts="check check play"), seat(3, acts="check check play")),)
MA, MD = day("UTH-MA", rounds=CHECKED), day("UTH-MD", rounds=CHECKED)
MA_HAND, MD_HAND = day("UTH-MA", "hand", rounds=CHECKED), day("UTH-MD", "hand", rounds=CHECKED)
MA_SHOE, MD_SHOE = day("UTH-MA", "automated-shoe", rounds=CHECKED), day("UTH-MD", "automated-shoe", rounds=CHECKED)
COL, COL_HAND, COL_SHOE = day("COL"), day("COL", "hand"), day("COL", "automated-shoe")
COL_FREE = day("COL", options={"version": "permissible"})
FAH = day("FAH")
THREE_ROUNDS = [round_(seat(1), seat(3)) for _ in range(3)]
FAH_LONG = day("FAH", rounds=THREE_ROUNDS)
FAH_RELIEVED = day("FAH", rounds=[round_(seat(1)), round_(seat(1), new_dealer="dealer-2")])


def _before(nth: int, kind: str, which: int) -> Edit:
    """The nth community card comes before another fact."""
    return move_before(where(CARD, nth, to="community"), where(kind, which))


def _slot(nth: int, slot: int) -> Edit:
    """A community card of Colorado or Fast Action, told by the card's own place in the deal."""
    return change(CARD, nth, to={"slot": slot}, seat=None)


REVEAL = "community-revealed"

CASES = [
    # before every player has decided
    Case("UTH-MA 10(b) s2", EARLY, MA, _before(1, "decision-made", 2)),
    Case("UTH-MA 10(d) s2", EARLY, MA, _before(4, "decision-made", 4)),
    Case("UTH-MD 11.C(2)", EARLY, MD, _before(1, "decision-made", 2)),
    Case("UTH-MD 11.E(2)", EARLY, MD, _before(4, "decision-made", 4)),
    Case("UTH-MD 11.C(2)", EARLY, MD_HAND, _before(1, "decision-made", 1)),
    Case("UTH-MD 10.B(2); UTH-MD 11.C(2)", EARLY, MD_SHOE, move_before(where(REVEAL, 1), where("decision-made", 2))),
    Case("UTH-MD 11.E(2)", EARLY, MD_SHOE, move_before(where(REVEAL, 2), where("decision-made", 4))),
    Case("UTH-MD 8.D(3)", EARLY, MD, _before(1, CARD, 4)),
    Case("UTH-MD 9.B(3)", EARLY, MD_HAND, _before(1, CARD, 4)),
    Case("COL 10(c)", EARLY, COL, move_before(where(REVEAL), where("decision-made", 2))),
    Case("COL 11(c)", EARLY, COL_FREE, move_before(where(REVEAL), where("decision-made", 2))),
    Case("FAH (h)(10)/s1-deal", EARLY, FAH, move_before(where(CARD, 1, to="community"), where("hand-set", seat=None))),
    # number, order, place, facing
    Case("UTH-MA 10(b) s2", WRONG, MA, change(CARD, 3, to={"face_up": False}, seat=None)),
    Case("UTH-MA 10(b) s2", WRONG, MA, move_before(where(CARD, 3, to="community"), where(CARD, 4, to="community"))),
    Case("UTH-MA 10(b) s2", WRONG, MA, _before(4, "decision-asked", 4)),
    Case("UTH-MA 10(d) s2", WRONG, MA, move_after(where(CARD, 5, to="community"), where("decision-made", 5))),
    Case("UTH-MA 10(d) s2", WRONG, MA, change(CARD, -1, to={"face_up": False}, seat=None)),
    Case("UTH-MD 11.C(2)", WRONG, MD, change(CARD, 3, to={"face_up": False}, seat=None)),
    Case("UTH-MD 11.E(2)", WRONG, MD, drop(CARD, -1, seat=None)),
    Case("UTH-MD 11.E(2)", WRONG, MD, insert_after(where(CARD, -1), said(CARD, "community", face_up=True))),
    Case("UTH-MD 11.C(2)", WRONG, MD_SHOE, change(REVEAL, 1, to={"cards": lambda held: held[:2]})),
    Case("UTH-MD 11.E(2)", WRONG, MD_SHOE, drop(REVEAL, 2)),
    Case("FAH (h)(10)/s1-deal", WRONG, FAH, change(CARD, -5, to={"slot": 5}, seat=None)),
    Case("FAH (h)(10)/s1-deal", WRONG, FAH, change(CARD, -2, to={"face_up": False}, seat=None)),
    Case("FAH (h)(10)/s2", WRONG, FAH, change(CARD, -3, to={"slot": 5}, seat=None)),
    Case("COL 7(c)(4)", WRONG, COL, _slot(2, 1)),
    Case("COL 7(c)(6)", WRONG, COL, _slot(3, 2)),
    Case("COL 8(c)(4)", WRONG, COL_HAND, _slot(2, 1)),
    Case("COL 8(c)(6)", WRONG, COL_HAND, _slot(3, 1)),
    Case("COL 9(c)/s3-spread", WRONG, COL_SHOE, change("slot-assigned", 1, to={"slot": "left"})),
    Case("COL 9(c)/s3-spread", WRONG, COL_SHOE, drop("slot-assigned")),
    Case("UTH-MA 1 (Community card)", COUNT, MA, drop(CARD, -1, seat=None)),
    Case("FAH (a)(1)(i); FAH (h)(10)/s2", COUNT, FAH, drop(CARD, -1, seat=None)),
    # burns
    Case("UTH-MA 10(b) s1", NO_BURN, MA, drop(BURN, 1)),
    Case("UTH-MA 10(d) s1", NO_BURN, MA_HAND, drop(BURN, 2)),
    Case("UTH-MA 10(d) s1", NO_BURN, MA_SHOE, move_before(where(BURN, 2), where(BURN, 1))),
    Case("UTH-MD 11.C(1)", NO_BURN, MD_HAND, drop(BURN, 1)),
    Case("UTH-MD 11.E(1)", NO_BURN, MD_HAND, drop(BURN, 2)),
    Case("UTH-MD 11.C(1)", NEEDLESS, MD, insert_before(where(CARD, 1, to="community"), said(BURN, "flop"))),
    Case("UTH-MD 11.E(1)", NEEDLESS, MD, insert_before(where(CARD, 4, to="community"), said(BURN))),
    Case("FAH (g)(1)/s1", NO_BURN, FAH, drop(BURN, 1)),
    Case("FAH (g)(1)/s2", NO_BURN, FAH_RELIEVED, drop(BURN, reason="dealer")),
    Case("FAH (h)(10)/s1-burn", NO_BURN, FAH, drop(BURN, reason="community")),
    Case("UTH-MA 1 (Burn)", SHOWN, MA, change(BURN, 1, to={"face_up": True})),
    Case("FAH (g)(1)/s3", SHOWN, FAH, change(BURN, 1, to={"face_up": True})),
    # the marker
    Case("FAH (g)(2)/s2", MISPLACED, FAH, change(MARKER, 1, to={"position": "seat", "seat": 2})),
    Case("FAH (g)(2)/s2", MISPLACED, FAH, drop(MARKER, 1)),
    Case("FAH (g)(2)/s3", MISPLACED, FAH_LONG, change(MARKER, 2, to={"seat": 3})),
    Case("FAH (g)(2)/s3", MISPLACED, FAH_LONG, drop(MARKER, 2)),
    Case("FAH (g)(2)/s2", MISPLACED, FAH_LONG, drop(MARKER)),
    Case("FAH (g)(2)/s3", MISPLACED, FAH_LONG, edits(*[drop(MARKER, -1)] * 3)),
    Case("FAH (g)(2)/s3; FAH (i)(6)", MISPLACED, FAH_LONG, drop(MARKER, 2)),
]
