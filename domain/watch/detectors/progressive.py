"""Maryland's progressive system: present, responsive, locked out on time; chips counted, banked; awards verified."""

from domain.facts.envelope import Fact
from domain.facts.payments import AwardVerified, WagerPaid
from domain.facts.wagers import (
    MeterReset,
    ProgressiveAccepted,
    ProgressiveBanked,
    ProgressiveCollected,
    ProgressiveLockedOut,
)
from domain.money import dollars
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.dealing import first_dealt
from domain.watch.deck_queries import the_house, the_round
from domain.watch.detecting import DealBegins, Found, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import placing

MISSING = law("progressive-system-missing", "UTH-MD 2.C")
UNANSWERED = law("progressive-unacknowledged", "UTH-MD 2.C(1)")
OPEN = law(
    "progressive-lockout-missing",
    {
        "manual-shoe": "UTH-MD 8.C(2)",
        "hand": "UTH-MD 9.A(3)(a)",
        "automated-shoe": "UTH-MD 10.A(2)(b)(i)",
    },
)
MISCOUNTED = law(
    "progressive-count-mismatch",
    {
        "manual-shoe": "UTH-MD 8.C(3)",
        "hand": "UTH-MD 9.A(3)(b)",
        "automated-shoe": "UTH-MD 10.A(2)(b)(ii)",
    },
)
UNBANKED = law(
    "progressive-unbanked",
    {
        "manual-shoe": "UTH-MD 8.C(4)",
        "hand": "UTH-MD 9.A(3)(c)",
        "automated-shoe": "UTH-MD 10.A(2)(b)(iii)",
    },
)
UNVERIFIED = law(
    "progressive-unverified",
    {
        "hand": "UTH-MD 11.J(2)(a)",
        "light": "UTH-MD 11.J(2)(b)",
        "payout": "UTH-MD 11.J(2)(c)",
    },
)
IN_CHARGE = ("floorperson", "supervisor", "shift-manager")


def _wagered(told: RoundInPlay) -> list[int]:
    """Return the seats with a progressive wager."""
    return [spot.seat for spot in placing(told).spots if "progressive" in spot.wagers]


def _offered(told: RoundInPlay) -> bool:
    return bool(told.house["progressive"])


@watch(DealBegins, laws=(MISSING,))
def system_in_place(day: TableDay, deals: Fact) -> Found:
    """Check that a table with progressive wagers has a progressive system."""
    if day.layout.device("progressive") is not None:
        return
    # Without `placing`: the round is still going on, and its judges could not reuse the result.
    told = the_round(day)
    for spot in told.seats.values():
        if "progressive" not in spot.wagers:
            continue
        placed = spot.wagers["progressive"].placed
        says = "Progressive wagers were accepted at a table without a progressive system."
        yield found(
            MISSING,
            MISSING.cites(day.book),
            placed[0] if placed else deals,
            says,
            round=told.number,
            wager="progressive",
            dealer=day.dealer_person,
        )
        return


@judge(UNANSWERED, needs=(ProgressiveAccepted,))
def every_wager_acknowledged(told: RoundInPlay) -> Found:
    """Check that the system acknowledges every progressive wager."""
    if not _offered(told):
        return
    answered = {fact.seat for fact in told.of(ProgressiveAccepted)}
    for seat in _wagered(told):
        placed = told.seats[seat].wagers["progressive"].placed
        if seat not in answered and placed:
            says = f"The progressive system did not acknowledge seat {seat}'s wager."
            yield from raised(told, UNANSWERED, "", placed[0], says, seat=seat, wager="progressive")


@judge(OPEN, needs=(ProgressiveLockedOut,))
def locked_out_before_the_deal(told: RoundInPlay) -> Found:
    """Check that no progressive wager can be added once the deal begins."""
    card = first_dealt(told) if _offered(told) else None
    if card is not None and not any(fact.sequence < card.sequence for fact in told.of(ProgressiveLockedOut)):
        says = "Cards were dealt before further progressive wagers were locked out."
        yield from raised(told, OPEN, told.method, card, says, wager="progressive")


@judge(MISCOUNTED, needs=(ProgressiveCollected,))
def chips_counted(told: RoundInPlay) -> Found:
    """Check that the chips are collected before the deal, as many as the system accepted."""
    card = first_dealt(told) if _offered(told) else None
    if card is None or not (seats := _wagered(told)):
        return
    collected = [fact for fact in told.of(ProgressiveCollected) if fact.sequence < card.sequence]
    if not collected:
        lay = number_of(len(seats), "progressive wager")
        says = f"The table had {lay}, but the chips were not collected and counted."
        yield from raised(told, MISCOUNTED, told.method, card, says, wager="progressive")
        return
    chips = sum(fact.chips for fact in collected)
    accepted = collected[-1].accepted
    if accepted is None or len(collected) > 1:
        accepted = len({fact.seat for fact in told.of(ProgressiveAccepted)}) or None
    if accepted is not None and chips != accepted:
        many = number_of(chips, "progressive chip was", "progressive chips were")
        says = f"{many} collected, but the system accepted {number_of(accepted, 'wager')}."
        yield from raised(told, MISCOUNTED, told.method, collected[-1], says, wager="progressive")


@judge(UNBANKED, needs=(ProgressiveBanked,))
def chips_banked(told: RoundInPlay) -> Found:
    """Check that all the chips are in the table inventory before the deal."""
    card = first_dealt(told) if _offered(told) else None
    if card is None or not (seats := _wagered(told)):
        return
    collected = sum(fact.chips for fact in told.of(ProgressiveCollected)) or len(seats)
    banked = sum(fact.chips for fact in told.of(ProgressiveBanked) if fact.sequence < card.sequence)
    if banked < collected:
        of = number_of(collected, "progressive chip was", "progressive chips were")
        says = f"{banked} of {of} in the table inventory when the deal began."
        yield from raised(told, UNBANKED, told.method, card, says, wager="progressive")


@judge(UNVERIFIED, needs=(AwardVerified,))
def awards_verified(told: RoundInPlay) -> Found:
    """Check that a progressive award is paid after verification of hand and light and a floorperson's validation."""
    for paid in told.of(WagerPaid):
        if paid.wager != "progressive":
            continue
        steps = [fact for fact in told.of(AwardVerified) if fact.seat == paid.seat and fact.sequence < paid.sequence]
        done = {fact.what for fact in steps if fact.what in ("hand", "light")}
        if any(fact.by in IN_CHARGE and fact.what not in ("hand", "light") for fact in steps):
            done.add("payout")
        lacking = [step for step in _WITHOUT if step not in done]
        if lacking:
            without = ", ".join(_WITHOUT[step] for step in lacking)
            says = f"Seat {paid.seat}'s progressive award was paid without {without}."
            yield from raised(told, UNVERIFIED, lacking, paid, says, seat=paid.seat, wager="progressive")


_WITHOUT = {
    "hand": "verification of the hand",
    "light": "verification of the system's light",
    "payout": "validation by a floorperson or above",
}

RESET_LOW = law(
    "meter-reset-too-low",
    {
        "A main": "UTH-MD 12.D(3)(b)(i)",
        "B major": "UTH-MD 12.D(3)(b)(ii)(1)",
        "B minor": "UTH-MD 12.D(3)(b)(ii)(2)",
        "C mega": "UTH-MD 12.D(3)(b)(iii)(1)",
        "C major": "UTH-MD 12.D(3)(b)(iii)(2)",
        "C minor": "UTH-MD 12.D(3)(b)(iii)(3)",
        "D mega": "UTH-MD 12.D(3)(b)(iv)(1)",
        "D major": "UTH-MD 12.D(3)(b)(iv)(2)",
        "D minor": "UTH-MD 12.D(3)(b)(iv)(3)",
    },
)


@watch(MeterReset, laws=(RESET_LOW,))
def meter_falls_back(day: TableDay, fact: MeterReset) -> Found:
    """Check that a meter resets to no less than its pay table allows."""
    house = the_house(day)
    if not house["progressive"]:
        return
    letter = house["progressive.table"]
    least = house.book.value(f"least_resets_cents_{letter}").get(fact.meter)
    cited = RESET_LOW.cites(day.book, f"{letter} {fact.meter}")
    if least is not None and fact.cents < least:
        says = f"The {fact.meter} meter was reset to {dollars(fact.cents)}, below its minimum of {dollars(least)}."
        yield found(
            RESET_LOW,
            cited,
            fact,
            says,
            wager="progressive",
            expected=least,
            observed=fact.cents,
            dealer=day.dealer_person,
        )
