"""The place, person and form of wagers, and whether the house offers them."""

from domain.facts.players import PlayerLeft, PlayerSeated
from domain.facts.wagers import WagerPlaced
from domain.money import dollars
from domain.spoken import name_of_wager, the_wager
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import amount, firsts, placing, street_at

FORM = law(
    "wager-form-invalid",
    "UTH-MA 6(a) s1; UTH-MD 7.A; PIK 39.3(c)/s1; FAH (f)(1)/s1; COL 6(a)/s1",
)
VERBAL = law(
    "wager-verbal-cash",
    "UTH-MA 6(a) s2; UTH-MD 7.B; PIK 39.3(c)/s2; FAH (f)(1)/s2; COL 6(a)/s2",
)
MISPLACED = law(
    "wager-misplaced",
    {
        "": "UTH-MA 6(a) s1; UTH-MD 7.A; PIK 39.3(c)/s1; FAH (f)(1)/s1; COL 6(a)/s1",
        "play preflop": "UTH-MA 10(a)(1); UTH-MD 11.B(2)(a)",
        "play flop": "UTH-MA 10(c)(1); UTH-MD 11.D(2)(a)",
        "play river": "UTH-MA 10(e)(1); UTH-MD 11.F(1)",
        "ante": "COL 6(d)/s1",
        "bet required": "COL 10(b)(1)/s1",
        "bet permissible": "COL 11(b)(1)/s1",
    },
)
NOT_OFFERED = law(
    "wager-not-offered",
    {
        "cover_all": "UTH-MA 13(a)",
        "progressive": "UTH-MA 14(b) s1; UTH-MD 7.F(3)",
        "six_card": "UTH-MD 7.F(4)",
        "ultimate_pairs": "UTH-MD 7.F(5)",
        "bad_beat": "UTH-MD 7.F(6)",
        "play_the_board": "UTH-MD 7.F(7)",
        "bonus": "COL 6a(a)",
    },
)
PROGRESSIVE = law("progressive-amount-invalid", "UTH-MA 14(a); UTH-MD 7.F(3)(a)")
ENVY = law(
    "envy-amount-unprinted",
    "UTH-MD 7.F(3)(a); UTH-MD 12.D(5)(a); UTH-MD 12.D(6)(a); UTH-MD 12.D(7)(a)",
)
UNSEATED = law("wager-unseated", "UTH-MA 6(e) s1; UTH-MD 7.C; PIK 39.3(d)/s1; FAH (f)(2)/s1; COL 6(b)/s1")

# Fast Action's second wager goes on the cards in the discard area (FAH (h)(3)/s2).
_OTHER_NAMES = {"split": ("discard", "discards")}


@judge(FORM, VERBAL)
def in_chips(told: RoundInPlay) -> Found:
    """Check that wagers are chips, plaques or an allowed match play coupon, and never words or cash."""
    for placed in placing(told).odd:
        if placed.form == "verbal":
            says = f"A verbal {the_wager(placed.wager)} was accepted at seat {placed.seat}."
            yield from raised(told, VERBAL, "", placed, says, seat=placed.seat, wager=placed.wager)
        elif placed.form == "cash":
            says = f"Cash was accepted as the {the_wager(placed.wager)} at seat {placed.seat}."
            yield from raised(told, FORM, "", placed, says, seat=placed.seat, wager=placed.wager)
        elif (placed.form == "coupon" or placed.coupon_cents) and not told.house.options.get("match_play.accepted"):
            says = f"A match play coupon was accepted as the {the_wager(placed.wager)} at seat {placed.seat}."
            yield from raised(told, FORM, "", placed, says, seat=placed.seat, wager=placed.wager)


@judge(MISPLACED)
def in_its_area(told: RoundInPlay) -> Found:
    """Check that every wager is in its own area."""
    for placed in placing(told).odd:
        if not placed.area or placed.area == placed.wager or placed.area in _OTHER_NAMES.get(placed.wager, ()):
            continue
        keys = ["", placed.wager]
        if placed.wager == "play":
            keys = [f"play {street_at(told, placed.seat, placed.sequence)}"]
        elif placed.wager == "bet" and told.game.colorado:
            keys.append(f"bet {told.house['version']}")
        wager, area = name_of_wager(placed.wager), name_of_wager(placed.area)
        says = f"Seat {placed.seat}'s {wager} was placed in the area for {area}."
        yield from raised(told, MISPLACED, keys, placed, says, seat=placed.seat, wager=placed.wager)


@judge(NOT_OFFERED)
def offered(told: RoundInPlay) -> Found:
    """Check that an optional wager is accepted only if the house offers it."""
    refused = [wager for wager in placing(told).kinds if not told.house.takes(wager)]
    for placed in firsts(told.of(WagerPlaced)) if refused else ():
        if placed.wager in refused:
            says = f"Seat {placed.seat} placed the {the_wager(placed.wager)}, which this table does not offer."
            yield from raised(told, NOT_OFFERED, placed.wager, placed, says, seat=placed.seat, wager=placed.wager)


@judge(PROGRESSIVE, ENVY)
def progressive_amounts(told: RoundInPlay) -> Found:
    """Check that a progressive wager is an allowed amount with a printed envy bonus."""
    if "progressive" not in placing(told).kinds or not told.house.options.get("progressive"):
        return
    allowed = told.house.options.get("progressive.allowed") or (told.house.book.value("progressive_cents"),)
    for placed in firsts(told.of(WagerPlaced)):
        lay = amount(told.seats[placed.seat], "progressive")
        if placed.wager != "progressive" or lay is None:
            continue
        parts = {"seat": placed.seat, "wager": "progressive", "observed": lay}
        if lay not in allowed:
            due = min((abs(cents - lay), cents) for cents in allowed)[1]
            listed = " or ".join(map(dollars, allowed))
            says = f"Seat {placed.seat}'s progressive wager is {dollars(lay)}, but only {listed} is allowed."
            yield from raised(told, PROGRESSIVE, "", placed, says, **parts, expected=due)
        elif f"envy_{lay}" not in told.house.book.tables:
            says = f"No envy bonus is printed for seat {placed.seat}'s progressive wager of {dollars(lay)}."
            yield from raised(told, ENVY, "", placed, says, **parts)


@judge(UNSEATED, needs=(PlayerSeated,))
def by_the_seated(told: RoundInPlay) -> Found:
    """Check that only seated players wager; a player may sit at one position and wager at another beside it.

    All wagers of one person at a seat are one finding, by the first wager of the round.
    """
    strangers = placing(told).strangers
    if not strangers:
        return
    left, came = told.of(PlayerLeft), told.of(PlayerSeated)
    sitting = set(told.seated.values()) | {fact.player for fact in came}
    occupied = set(told.seated) | {fact.seat for fact in came}
    known: set[tuple[int, str]] = set()
    for placed in strangers:
        if placed.player:
            gone = any(fact.player == placed.player and fact.sequence < placed.sequence for fact in left)
            seated = placed.player in sitting and not gone
        else:
            seated = placed.seat in occupied or int(told.house.options.get("max_positions") or 1) > 1
        if not seated and (placed.seat, placed.player) not in known:
            known.add((placed.seat, placed.player))
            says = f"Seat {placed.seat}'s {the_wager(placed.wager)} was accepted from a person not seated at the table."
            yield from raised(told, UNSEATED, "", placed, says, seat=placed.seat, wager=placed.wager)
