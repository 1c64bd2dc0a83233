"""Acts a rule book permits raise nothing if the house has chosen them, and unusual but lawful acts never do."""

from collections.abc import Sequence

import pytest

from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import Edit, change, drop, insert_after, insert_before, move_after, said, where
from domain.simulation.scripted import round_, seat
from tests.watch.harness import Day, verified
from tests.watch.lawful import day, edits

PLACED = "wager-placed"
TWO_OF_ONE = change(PLACED, to={"player": "player-1"}, seat=lambda held: held in (1, 2))
THREE_OF_ONE = change(PLACED, to={"player": "player-1"}, seat=lambda held: held in (1, 2, 3))
SIDE_BY_SIDE = [round_(seat(1), seat(2), seat(3))]
COUPON = [round_(seat(1, "Ks Kh", ante=1_000, coupons={"ante": 500}), seat(3))]
CONCEALED = insert_after(where("deck-received"), said("cover-card-introduced", "two", "black", "conceal"))
CAP_LOWERED = insert_after(where("game-commenced"), said("option-changed", "payout_cap", 6_000_000, True))
ON_LAYOUT = edits(
    insert_after(where("game-commenced"), said("option-changed", "payout_cap", 6_000_000, False)),
    insert_after(where("game-commenced"), said("sign-posted", "payout_cap", "layout")),
)
PLAY_GROWS = insert_after(where(PLACED, wager="play"), said("wager-changed", 1, "play", 4_000))
TRIPS_BEFORE_CALL = insert_before(
    where("bets-closed"), said(PLACED, 1, "trips", 500), said("wager-withdrawn", 1, "trips")
)
MARKED_AGAIN = insert_after(where("marker-placed"), said("marker-placed", "dealer", round=None))


SPLIT = day("FAH", rounds=[round_(seat(1, acts="split"), seat(3))])
CHIP = day("UTH-MD", options={"progressive": {"table": "A"}}, rounds=[round_(seat(1, progressive=100), seat(3))])
STAYS = {"player-seated.1", "bought-in.1", "player-left.1"}


def _without_seat_3(facts: Sequence[Fact]) -> list[Fact]:
    """Seat 3 takes ante and blind back before a card is dealt, and plays no part."""
    kept = [
        fact
        for fact in facts
        if getattr(fact, "seat", None) != 3
        or name_of(fact) in STAYS
        or (isinstance(fact, WagerPlaced) and fact.wager in ("ante", "blind"))
    ]
    back = (said("wager-returned", 3, wager, 1_000) for wager in ("ante", "blind"))
    return insert_before(where("bets-closed"), *back)(kept)


BETWEEN = [round_(seat(2), seat(4)) for _ in range(3)]
BY_TOKEN = drop("player-seated", seat=3)
COMES_LATE = edits(BY_TOKEN, insert_after(where("round-opened"), said("player-seated", 3, "player-3")))

# what is permitted | the day | what is done
SILENT: dict[str, tuple[Day, Edit | None]] = {
    "UTH-MA 6(a) s1 an area no sensor tells": (day("UTH-MA"), change(PLACED, to={"area": ""})),
    "FAH (h)(3)/s2 the second wager on the discards": (SPLIT, change(PLACED, to={"area": "discards"}, wager="split")),
    "UTH-MA 12 players nobody names": (day("UTH-MA"), change(PLACED, to={"player": ""})),
    "PIK 39.3(e) unnamed, beside an empty seat": (
        day("PIK", options={"max_positions": 3}, rounds=SIDE_BY_SIDE),
        edits(BY_TOKEN, change(PLACED, to={"player": ""})),
    ),
    "UTH-MA 6(e) s1 a player who sits down before wagering": (day("UTH-MA"), COMES_LATE),
    "UTH-MA 7(d)(1) a seat whose wagers went back": (
        day("UTH-MA", rounds=[round_(seat(1), seat(3, acts="play:4"))]),
        _without_seat_3,
    ),
    "UTH-MA 6(e) s2 somebody without a wager gets up": (
        day("UTH-MA"),
        edits(
            insert_before(where("round-opened"), said("player-seated", 5, "player-5")),
            insert_after(where("card-dealt", 3), said("player-left", 5, "player-5", round=1)),
        ),
    ),
    "UTH-MD 7.C(1) a player gets up when the round is over": (
        day("UTH-MD"),
        insert_after(where("round-completed"), said("player-left", 3, "player-3", round=1)),
    ),
    "UTH-MA 9(a) a stack nobody counted": (
        day("UTH-MA", "automated-shoe"),
        change("stack-delivered", to={"size": None}),
    ),
    "COL 7(c)(4) a place nobody told": (day("COL"), change("card-dealt", to={"slot": None})),
    "FAH (h)(10)/s2 a place nobody told": (day("FAH"), change("card-dealt", to={"slot": None})),
    "UTH-MD 2.C(2) an answer after the call to a chip before it": (
        CHIP,
        move_after(where("progressive-accepted"), where("bets-closed")),
    ),
    "UTH-MD 8.C(3) chips counted by themselves": (CHIP, change("progressive-collected", to={"accepted": None})),
    "UTH-MA 6(b) s2 the same amount told again": (
        day("UTH-MA"),
        insert_after(where("card-dealt", 3), said("wager-changed", 1, "ante", 1_000), said(PLACED, 1, "blind", 1_000)),
    ),
    "FAH (g)(2)/s3 a marker that skips empty places": (
        day("FAH", options={"marker_skips_empty": True}, rounds=BETWEEN),
        None,
    ),
    "FAH (g)(2)/s3 a marker that skips none": (day("FAH", rounds=BETWEEN), None),
    "UTH-MD 4.F inspected all the same": (day("UTH-MD", preinspected=True), None),
    "COL 10(b)(1)/s1 a bet no sensor covers": (day("COL", unseen_wagers=("bet",)), None),
    "UTH-MA 8(a) dealt from the hand": (day("UTH-MA", "hand"), None),
    "UTH-MA 9(a) dealt in stacks": (day("UTH-MA", "automated-shoe"), None),
    "UTH-MA 4(a) s2 proviso the device loads": (day("UTH-MA", "automated-shoe", shuffler_loads_shoe=True), None),
    "UTH-MD 5.C the device loads": (day("UTH-MD", "automated-shoe", shuffler_loads_shoe=True), None),
    "UTH-MD 4.F preinspected and preshuffled": (day("UTH-MD", preinspected=True, preshuffled=True), None),
    "UTH-MD 10.B(3) the dealer first": (day("UTH-MD", "automated-shoe", dealer_stack="at-deal"), None),
    "UTH-MD 10.B(4) the dealer waits": (day("UTH-MD", "automated-shoe", dealer_stack="after-decisions"), None),
    "PIK 39.8(a) dealt from the hand": (day("PIK", "hand"), None),
    "PIK 39.9(c)1 the dealer's stack at the deal": (
        day("PIK", "automated-shoe", {"dealer_stack_delivery": "at-deal"}),
        None,
    ),
    "PIK 39.9(c)2 the dealer's stack later": (
        day("PIK", "automated-shoe", {"dealer_stack_delivery": "after-decisions"}),
        None,
    ),
    "COL 8(a) dealt from the hand": (day("COL", "hand"), None),
    "COL 9(a) dealt in stacks": (day("COL", "automated-shoe"), None),
    "COL 6(f)/s1 the permissible version": (day("COL", options={"version": "permissible"}), None),
    "FAH (k)(1) a continuous shoe": (day("FAH", "continuous-shoe"), None),
    "FAH (b)(3) a concealing card": (day("FAH", options={"concealing_card": True}), CONCEALED),
    "PIK 39.3(e) three positions": (day("PIK", options={"max_positions": 3}, rounds=SIDE_BY_SIDE), THREE_OF_ONE),
    "COL 6(e) two positions": (day("COL", options={"max_positions": 2}, rounds=SIDE_BY_SIDE), TWO_OF_ONE),
    "UTH-MA 6(a) s1 a coupon": (day("UTH-MA", rounds=COUPON), None),
    "COL 12(c)/s2 the limit lowered with notice": (day("COL", options={"payout_cap": 9_000_000}), CAP_LOWERED),
    "COL 12(c)/s2 the limit lowered on the layout": (day("COL", options={"payout_cap": 9_000_000}), ON_LAYOUT),
    "UTH-MA 10(a)(1) a play wager put down in two steps": (
        day("UTH-MA", rounds=[round_(seat(1, acts="play:4"), seat(3))]),
        PLAY_GROWS,
    ),
    "UTH-MA 6(b) s2 a wager taken back before the call": (day("UTH-MA"), TRIPS_BEFORE_CALL),
    "FAH (g)(2)/s2 the marker set right before the first card": (day("FAH"), MARKED_AGAIN),
}


@pytest.mark.parametrize("name", SILENT)
def test_what_is_permitted_raises_nothing(name: str) -> None:
    """A lawful day with the permission used."""
    told, edit = SILENT[name]
    facts = list(told()) if edit is None else edit(told())
    assert [(one.code, one.clauses, one.says) for one in verified(facts)] == []
