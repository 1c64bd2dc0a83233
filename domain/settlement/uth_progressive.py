"""Progressive wagers: Massachusetts' own awards, Maryland's meters in turn, and its envy bonus."""

from domain.hands import standard
from domain.money import Cents
from domain.rulebooks import House
from domain.settlement.outcome import (
    CERTAIN,
    READING,
    Outcome,
    Settlement,
    lost,
    ruling,
    settled,
    undecidable,
)
from domain.settlement.played import Cards, PlayedRound, Seat

ENVY_HANDS = ("straight_flush", "royal_flush")  # UTH-MD 1.B(3)


def settle(house: House, played: PlayedRound, settlement: Settlement) -> None:
    """Settle progressive wagers in the order of the round, each with the meters at its turn."""
    by_number = {seat.seat: seat for seat in played.seats if "progressive" in seat.wagers}
    seats = [by_number[number] for number in settlement.order if number in by_number]
    if not seats or not house.options.get("progressive"):
        return
    if not house.game.has_meters:
        for seat in seats:
            settlement.seats[seat.seat]["progressive"] = _house_award(house, seat, settlement.hands[seat.seat])
            # The text has no envy bonus, but names the wager wherever a progressive is placed.
            settlement.seats[seat.seat]["envy"] = Outcome(0, "UTH-MA 14(c)")
        return
    meters = opening_meters(house, played)
    for seat in seats:
        if not forfeits(house, seat):
            settlement.seats[seat.seat]["progressive"] = _metered_award(house, played, seat, meters)
    for seat in seats:
        settlement.seats[seat.seat]["envy"] = _envy(house, played, seat)
    settlement.meters_after = meters


def forfeits(house: House, seat: Seat) -> bool:
    """Return whether this player left and the operator treats the wagers as abandoned and lost (UTH-MD 7.C(2))."""
    return seat.left and bool(house.options.get("abandoned_wagers_lose"))


def opening_meters(house: House, played: PlayedRound | None = None) -> dict[str, Cents]:
    """Return the meters at the start of settlement, from the round or the house, or else at their resets.

    Meters that the round marks as unseen are left out.
    """
    meters = resets(house) | (house["progressive.meters"] or {})
    if played is None:
        return meters
    meters |= played.meters or {}
    return {meter: cents for meter, cents in meters.items() if meter not in played.unseen_meters}


def resets(house: House) -> dict[str, Cents]:
    """Return the reset of each meter in the house's table; the lowest printed one without a house setting."""
    least: dict[str, Cents] = house.book.value(f"least_resets_cents_{house['progressive.table']}")
    return least | (house["progressive.resets"] or {})


def _house_award(house: House, seat: Seat, hand: int) -> Outcome:
    """Return the house's own award, or a ruling: UTH-MA 14 prints no pay table."""
    awards = house["progressive.house_awards"]
    if awards is None:
        return ruling("UTH-MA 14(c)")
    return Outcome(awards.get(standard.CATEGORIES[standard.category(hand)], 0), "UTH-MA 14(c)")


def counting_board(house: House, played: PlayedRound) -> Cards:
    """Return the community cards that count for the progressive: all five, or the flop."""
    return played.community if house["progressive.cards"] == "best-of-seven" else played.community[:3]


def progressive_hand(house: House, played: PlayedRound, seat: Seat) -> str:
    """Return the hand that counts for the progressive: best of seven, or hole cards and flop."""
    hand = standard.value((*seat.cards, *counting_board(house, played)))
    return standard.CATEGORIES[standard.category(hand)]


def _metered_award(house: House, played: PlayedRound, seat: Seat, meters: dict[str, Cents]) -> Outcome:
    """Return one award, the highest, with the meters at this seat's turn (UTH-MD 12.D(2), 12.D(4))."""
    table = house.table("progressive")
    if table is None:
        return ruling("UTH-MD 12.D(1)")
    odds = table.lines.get(progressive_hand(house, played, seat))
    stake = seat.wagers["progressive"]
    # The text omits a folded hand: it still wins with the cards it was dealt.
    basis = READING if seat.choice == "fold" else CERTAIN
    if odds is None:
        return settled(lost(table.clause, basis), stake)
    if not odds.meter:
        if stake is None:
            return undecidable(table.clause, [f"the amount of seat {seat.seat}'s progressive"])
        return Outcome(stake + odds.winnings(stake), table.clause, basis)
    if odds.meter in played.unseen_meters:
        return undecidable(table.clause, [f"the stand of the {odds.meter} meter"])
    award = meters[odds.meter] * odds.percent // 100  # whole cents; the rest stays on the meter
    meters[odds.meter] -= award
    if odds.percent == 100:
        meters[odds.meter] = resets(house)[odds.meter]
    return Outcome(award, table.clause, basis)


def may_hold_envy(house: House, seat: Seat) -> bool:
    """Return whether this seat's hand counts for others; a folded one only if its cards were kept to be shown.

    An abandoned hand no longer belongs to anyone at the table.
    """
    if forfeits(house, seat) or (seat.choice == "fold" and not _cards_kept(seat)):
        return False
    return not house["progressive.envy_holder_must_wager"] or "progressive" in seat.wagers


def holds_envy_hand(house: House, played: PlayedRound, seat: Seat) -> str:
    """Return the envy hand this seat shows; empty if none."""
    if not may_hold_envy(house, seat):
        return ""
    hand = progressive_hand(house, played, seat)
    return hand if hand in ENVY_HANDS else ""


def _cards_kept(seat: Seat) -> bool:
    """Return whether a folded hand's cards stay, under an open wager (UTH-MD 11.F(3)(a), UTH-MD 11.F(3)(c))."""
    return bool(seat.wagers.keys() & {"trips", "six_card"})


def _envy(house: House, played: PlayedRound, seat: Seat) -> Outcome:
    """Return one fixed sum per other player's envy hand, by this player's own wager (UTH-MD 12.D(5)(a))."""
    clause = house.book.tables["envy_100"].clause
    holders = [other for other in played.seats if other.seat != seat.seat and holds_envy_hand(house, played, other)]
    if not holders:
        return Outcome(0, "UTH-MD 11.J(2)(e)(i)")
    unsure = [other for other in holders if not (other.choice or other.left or _cards_kept(other))]
    if unsure:
        return undecidable("UTH-MD 11.J(2)(e)(i)", [f"seat {other.seat}'s decision" for other in unsure])
    hands = [holds_envy_hand(house, played, other) for other in holders]
    stake = seat.wagers["progressive"]
    if stake is None:
        return undecidable(clause, [f"the amount of seat {seat.seat}'s progressive"])
    table = house.tables.get(f"envy_{stake}")
    if table is None:
        return ruling(clause)  # envy is printed only for $1 and $5
    return Outcome(sum(table.lines[hand].flat_cents for hand in hands), table.clause)
