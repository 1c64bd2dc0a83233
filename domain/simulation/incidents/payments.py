"""Awards over a limit, twice or undeclared; wagers taken as abandoned, or settled on the wrong ground."""

from domain.facts.payments import WagerPaid
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import after, told
from domain.simulation.incidents.incident import ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.money import otherwise, settled
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven
from domain.simulation.incidents.settings import by_book, choosing, chosen, dealing, with_options
from domain.simulation.incidents.stage import dealt, holding, numbers, of, plain, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay


def _capped(setup: Setup) -> Setup:
    """Return the setup with a limit, if the house chooses it."""
    if setup.book == "UTH-MA" or chosen(setup, "payout_cap"):
        return setup
    return with_options(setup, {"payout_cap": 6_000_000})


def _royal_flush(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with a royal flush for a player with $600 on every spot."""
    number = numbers(plain(plan))[0]
    if of(plan, number).coupons:
        raise StretchUnfitError("a coupon lies there")
    if table.book == "COL":
        plan = with_wager(plan, number, ante=80_000)
        return dealt(holding(plan, number, "As Ks 2c", "bet"), community="Qs Js Ts")
    plan = with_wager(plan, number, ante=60_000, blind=60_000)
    return dealt(holding(plan, number, "As Ks", "play"), dealer="7c 2d", community="Qs Js Ts 4h 4c")


@incident(
    "cap-exceeded",
    (*ULTIMATE, "COL"),
    "A royal flush is paid in full, above what one hand may win.",
    clauses={
        "": "UTH-MA 11(e); UTH-MD 12.F",
        "required": "COL 12(c)/s1",
        "permissible": "COL 13(c)/s1",
    },
    setting=_capped,
    staging=_royal_flush,
    besides=("wager-outside-limits",),  # the wagers that reach the limit may be above the posted ones
)
def above_the_limit(scene: PlayedStretch) -> Woven:
    """Return the stretch with a royal flush paid without the limit."""
    seat = scene.seats()[0]
    edits: list[Edit] = []
    under_it = scene.wagers(seat=seat, wager=lambda wager: wager in _LIMITED or (_sides(scene) and wager in _SIDES))
    lawful = paid_out = sum(held.back for held in under_it)
    for held in under_it:
        paid = [move for move in held.moves if isinstance(move, WagerPaid)]
        due = _uncut(scene, held)
        if paid and due is not None and due != held.paid:
            edits.append(told(paid[0], cents=due))
            paid_out += due - held.paid
    scene.wants(edits)
    keys = (str(scene.house["version"]),) if scene.book == "COL" else ()
    return scene.woven(*edits, seat=seat, expected=lawful, observed=paid_out, keys=keys)


def _uncut(scene: PlayedStretch, held: UntouchedWager) -> int | None:
    """Return what a royal flush wins on a wager without any limit."""
    if scene.book != "COL" and held.wager in ("ante", "play"):
        return held.stake
    table = scene.house.tables.get("main" if scene.book == "COL" else held.wager)
    line = table.lines.get("royal_flush") if table is not None else None
    return line.winnings(held.stake) if line is not None and held.wager in _CUT else None


_CUT = ("ante", "bet", "blind", "trips")
# The scope of the limit: not Colorado's bonus, nor progressive and six card (UTH-MD 12.F(2)).
_LIMITED = (*_CUT, "play")
_SIDES = ("ultimate_pairs", "bad_beat", "play_the_board")


def _sides(scene: PlayedStretch) -> bool:
    """Return whether this house's limit includes Maryland's side wagers."""
    return scene.book == "UTH-MD" and bool(scene.house["cap_includes_side_wagers"])


@incident(
    "wager-paid-twice",
    ("PIK",),
    "Two awards are paid on one bonus wager.",
    clauses={"bonus5": "PIK 39.11(b)/s1", "bonus3": "PIK 39.11(c)/s1"},
    besides=("hand-misranked",),
)
def paid_again(scene: PlayedStretch) -> Woven:
    """Return the stretch with two awards paid on one wager."""
    won = settled(scene, lambda held: bool(held.paid) and held.wager in ("bonus5", "bonus3"))
    again = said("wager-paid", won.seat, won.wager, won.paid)
    return scene.woven(
        after(won.moves[0], again),
        seat=won.seat,
        wager=won.wager,
        expected=won.back,
        observed=won.back + won.paid,
        keys=(won.wager,),
    )


def _undeclared(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    plan = dealt(plain(plan), community="Kd 9h 2s")
    return holding(plan, numbers(plan)[0], "4c 5c 6c", "bet")


@incident(
    "instant-winner-undeclared-paid",
    ("COL",),
    "Three cards are paid as an instant winner, and the player never declared them.",
    clauses={"required": "COL 10(b)(3)(ii)", "permissible": "COL 11(b)(2)(ii)"},
    staging=_undeclared,
    besides=("hand-misranked", "loser-paid"),  # where the third card is unseen
)
def paid_undeclared(scene: PlayedStretch) -> Woven:
    """Return the stretch with an undeclared instant winner paid."""
    seat = scene.seats()[0]
    held = scene.wagers(seat=seat, wager="ante")[0]
    table = scene.house.table("main")
    scene.wants(table is not None and not held.coupon and not held.paid)
    cents = table.lines["three_card_straight_flush"].winnings(held.stake) if table is not None else 0
    words = said("wager-paid", seat, "ante", cents), said("wager-returned", seat, "ante", held.stake)
    return scene.woven(
        *otherwise(scene, held, *words),
        seat=seat,
        wager="ante",
        expected=0,
        observed=cents + held.stake,
        keys=(str(scene.house["version"]),),
    )


@incident(
    "abandoned-wager-mishandled",
    ("UTH-MD",),
    "A winning wager is collected as abandoned, and its player has not left.",
    clauses="UTH-MD 7.C(2)",
)
def taken_as_abandoned(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winner's wager taken as abandoned, though the player has not left."""
    won = settled(scene, lambda held: bool(held.paid))
    word = said("wager-collected", won.seat, won.wager, won.stake, "abandoned")
    return scene.woven(*otherwise(scene, won, word), seat=won.seat, wager=won.wager, expected=won.back, observed=0)


def _as_another(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return a round in which a wager could be settled by the wrong hand or wager."""
    number = numbers(plain(plan))[0]
    if of(plan, number).coupons:
        raise StretchUnfitError("a coupon lies there")
    if table.book == "PIK":  # lower by five cards, higher by three
        plan = holding(plan, number, "9c 8d 7h Ks 2c", "play3")
        return dealt(plan, dealer="Kh Kd 4h 8c 2d")
    if table.book == "COL" and table.house["version"] != "required":
        raise StretchUnfitError("the text leaves a pair of tens to a ruling")
    if table.book == "COL":  # a pair of tens is enough for the main wagers, but not for the bonus
        plan = with_wager(plan, number, bonus=100)
        return dealt(holding(plan, number, "Tc 8d 2c", "bet"), community="Td 4h 9s")
    if table.book == "UTH-MD":  # a flush with the board, and a weak hand with the box
        plan = with_wager(plan, number, trips=500, six_card=500)
        plan = holding(plan, number, "Ah 9h", "play")
        return dealt(plan, community="7h 4h 2h Kc Qd", box="3c 5d 8s Jc", dealer="6c 6d")
    plan = with_wager(plan, number, trips=500)  # ante, blind and play win, trips loses
    return dealt(holding(plan, number, "Kc 8d", "play"), dealer="Ks 7d", community="Kd 4h 3s 2c 2d")


@incident(
    "settlement-basis-wrong",
    (*ULTIMATE, "PIK", "COL"),
    "A wager is settled by a hand or another wager that has no bearing on it.",
    clauses='UTH-MA 6(c) s2; UTH-MD 11.I(3); PIK 39.1 "Hand"; COL 6a(d)',
    setting=by_book({"UTH-MD": lambda setup: choosing(six_card_table="A")(dealing("automated-shoe")(setup))}),
    staging=_as_another,
    besides=(
        *("winner-collected", "winner-misjudged", "push-mishandled", "hand-misranked", "loser-paid"),
        "settlement-procedure-wrong",
    ),
)
def on_another_ground(scene: PlayedStretch) -> Woven:
    """Return the stretch with wagers settled by another wager's result, or Maryland's box by the board."""
    seat = scene.seats()[0]
    if scene.book == "UTH-MD":
        held = scene.wagers(seat=seat, wager="six_card")[0]
        table = scene.house.table("six_card")
        cents = table.lines["flush"].winnings(held.stake) if table is not None else 0
        words = said("wager-paid", seat, "six_card", cents), said("wager-returned", seat, "six_card", held.stake)
        return scene.woven(*otherwise(scene, held, *words), seat=seat, wager="six_card")
    edits: list[Edit] = []
    for held in scene.wagers(seat=seat, wager=lambda wager: wager in ("ante", "blind", "play", "play3", "bet")):
        scene.wants(held.paid or held.returned)
        edits += otherwise(scene, held, said("wager-collected", seat, held.wager, held.stake))
    return scene.woven(*edits, seat=seat)
