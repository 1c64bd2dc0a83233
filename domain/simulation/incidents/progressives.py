"""Progressive wagers not acknowledged, locked out, counted or banked; awards unverified, unpaid or unprinted."""

from typing import Any

import msgspec

from domain.facts.deal import HandsDetermined
from domain.facts.payments import AwardVerified, RoundCompleted, RulingGiven, WagerPaid
from domain.facts.wagers import (
    ProgressiveAccepted,
    ProgressiveBanked,
    ProgressiveCollected,
    ProgressiveLockedOut,
    WagerPlaced,
)
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, gone, told
from domain.simulation.incidents.incident import ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import choosing
from domain.simulation.incidents.stage import dealt, holding, numbers, of, plain, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

MD = ("UTH-MD",)


def offered(setup: Setup) -> Setup:
    """Return the setup with a progressive; Maryland's meters begin at their resets."""
    if setup.options.get("progressive"):
        return setup
    held: dict[str, Any] = {"table": "B", "allowed": [100, 500]} if setup.book == "UTH-MD" else {}
    made = msgspec.structs.replace(setup, options={**setup.options, "progressive": held})
    return msgspec.structs.replace(made, meters_cents={}, contribution_percent={})


def _amount(table: TableInPlay) -> int:
    return int(table.house["progressive.allowed"][0]) if table.book == "UTH-MD" else 500


def everybody_wagers(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with a progressive wager for every player, in Massachusetts beside trips."""
    for number in numbers(plain(plan)):
        trips = {} if table.book == "UTH-MD" else {"trips": of(plan, number).wagers.get("trips", 500)}
        plan = with_wager(plan, number, progressive=_amount(table), **trips)
    return plan


def an_award(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Return the round with a full house and a progressive wager for the first player."""
    plan = everybody_wagers(table, plan, nth)
    plan = holding(plan, numbers(plan)[0], "Ks Kh")
    return dealt(plan, dealer="7c 2d", community="Kc 9d 4h 9c 9s")


def _straight_flush(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Return the round with a straight flush for the first player and progressive wagers for all others."""
    if len(plan.seats) < 2:
        raise StretchUnfitError("there is nobody to envy")
    plan = everybody_wagers(table, plan, nth)
    plan = holding(plan, numbers(plan)[0], "9s 8s", "play")
    return dealt(plan, dealer="7c 2d", community="7s 6s 5s Kh 4c")


_LOCKED_OUT = {
    "manual-shoe": "UTH-MD 8.C(2)",
    "hand": "UTH-MD 9.A(3)(a)",
    "automated-shoe": "UTH-MD 10.A(2)(b)(i)",
}
_COUNTED = {
    "manual-shoe": "UTH-MD 8.C(3)",
    "hand": "UTH-MD 9.A(3)(b)",
    "automated-shoe": "UTH-MD 10.A(2)(b)(ii)",
}
_BANKED = {
    "manual-shoe": "UTH-MD 8.C(4)",
    "hand": "UTH-MD 9.A(3)(c)",
    "automated-shoe": "UTH-MD 10.A(2)(b)(iii)",
}


@incident(
    "progressive-lockout-missing",
    MD,
    "Cards are dealt and further progressive wagers are not locked out.",
    clauses=_LOCKED_OUT,
    setting=offered,
    staging=everybody_wagers,
)
def not_locked_out(scene: PlayedStretch) -> Woven:
    """Return the stretch without the lockout of the progressive."""
    return scene.woven(gone(scene.first(ProgressiveLockedOut)))


@incident(
    "progressive-count-mismatch",
    MD,
    "More progressive chips are collected than the system has accepted.",
    clauses=_COUNTED,
    setting=offered,
    staging=everybody_wagers,
    besides=("progressive-unbanked",),
)
def one_chip_more(scene: PlayedStretch) -> Woven:
    """Return the stretch with one chip more collected than accepted."""
    collected = scene.first(ProgressiveCollected)
    return scene.woven(told(collected, chips=collected.chips + 1))


@incident(
    "progressive-unbanked",
    MD,
    "The progressive chips are not put into the chip tray before the deal.",
    clauses=_BANKED,
    setting=offered,
    staging=everybody_wagers,
)
def not_banked(scene: PlayedStretch) -> Woven:
    """Return the stretch without the banking of the progressive chips."""
    return scene.woven(gone(scene.first(ProgressiveBanked)))


@incident(
    "progressive-unacknowledged",
    MD,
    "A progressive wager is taken that the system has not acknowledged.",
    clauses="UTH-MD 2.C(1)",
    setting=offered,
    staging=everybody_wagers,
)
def no_light(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager that the system did not acknowledge."""
    accepted = scene.any_of(ProgressiveAccepted)
    return scene.woven(gone(accepted), seat=accepted.seat)


@incident(
    "progressive-amount-invalid/wager",
    ULTIMATE,
    "A progressive wager is another amount than is allowed.",
    code="progressive-amount-invalid",
    clauses="UTH-MA 14(a); UTH-MD 7.F(3)(a)",
    setting=offered,
    staging=everybody_wagers,
)
def three_dollars(scene: PlayedStretch) -> Woven:
    """Return the stretch with a $3 progressive wager, which loses."""
    lost = scene.choose([held for held in scene.wagers(wager="progressive") if not held.back])
    placed = scene.first(WagerPlaced, seat=lost.seat, wager="progressive")
    edits = [told(placed, cents=300), *(told(move, cents=300) for move in lost.moves)]
    return scene.woven(*edits, seat=lost.seat, wager="progressive", expected=lost.stake, observed=300)


@incident(
    "progressive-unverified",
    MD,
    "A progressive award is paid, and nobody has verified the hand.",
    clauses={
        "of the hand": "UTH-MD 11.J(2)(a)",
        "of the light": "UTH-MD 11.J(2)(b)",
        "of the payout": "UTH-MD 11.J(2)(c)",
    },
    setting=offered,
    staging=an_award,
)
def not_verified(scene: PlayedStretch) -> Woven:
    """Return the stretch without one of the three verification steps."""
    step = scene.any_of(AwardVerified)
    return scene.woven(gone(step), seat=step.seat, keys=(f"of the {step.what}",))


@incident(
    "envy-unpaid",
    MD,
    "A player is not paid the envy bonus for another's straight flush.",
    clauses="UTH-MD 11.J(2)(e)(i)",
    setting=offered,
    staging=_straight_flush,
)
def forgotten(scene: PlayedStretch) -> Woven:
    """Return the stretch without the envy payment."""
    paid = scene.any_of(WagerPaid, wager="envy")
    return scene.woven(gone(paid), seat=paid.seat, wager="envy", expected=paid.cents, observed=0)


@incident(
    "meter-wrong",
    MD,
    "A meter is read at another amount than was left on it, and read again.",
    clauses="UTH-MD 12.D(4)",
    besides=("meter-wrong",),
    setting=offered,
)
def misread(scene: PlayedStretch) -> Woven:
    """Return the stretch with a meter read at another table's amount."""
    meter = scene.choose(sorted(scene.table.meters))
    last = scene.first(RoundCompleted)
    stands = scene.table.meters[meter]
    words = said("meter-read", meter, stands + 100_000), said("meter-read", meter, stands)
    return scene.woven(after(last, *words), anywhere=True, expected=stands, observed=stands + 100_000)


def _without_awards(setup: Setup) -> Setup:
    if setup.options.get("progressive") == {}:
        return setup
    return msgspec.structs.replace(setup, options={**setup.options, "progressive": {}})


@incident(
    "award-unprinted",
    ("UTH-MA",),
    "A progressive wager is handed back without a ruling, where nothing prints what it pays.",
    clauses="UTH-MA 14(c)",
    setting=_without_awards,
    staging=everybody_wagers,
)
def nobody_rules(scene: PlayedStretch) -> Woven:
    """Return the stretch with an unprinted award returned without a ruling."""
    ruling = scene.any_of(RulingGiven, wager="progressive")
    return scene.woven(gone(ruling), seat=ruling.seat, wager="progressive")


@incident(
    "cover-all-count-mismatch",
    ("UTH-MA",),
    "The hands the device counted are not the hands dealt.",
    clauses="UTH-MA 13(e)",
    setting=choosing(cover_all=True, shuffler="cover-all"),
)
def miscounted(scene: PlayedStretch) -> Woven:
    """Return the stretch with the device's count one hand too low."""
    scene.wants(scene.wagers(wager="cover_all"))
    counted = scene.first(HandsDetermined)
    return scene.woven(told(counted, hands=counted.hands - 1))
