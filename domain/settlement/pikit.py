"""Pik-it poker: two bonuses on the player's own cards, then one comparison for ante and play together."""

from functools import cache

from domain.cards import cards
from domain.hands import standard, three_card
from domain.hands.ranked import refuse_unseen
from domain.rulebooks import House, PayTable
from domain.settlement.coupons import with_coupons
from domain.settlement.outcome import (
    CERTAIN,
    READING,
    Outcome,
    Settlement,
    WagerOutcome,
    lost,
    paid,
    pushed,
    returned,
    ruling,
    settled,
    undecidable,
)
from domain.settlement.played import Cards, PlayedRound, Seat

HIGHER, LOWER, TIE = "39.11(a) higher", "39.11(a) lower", "39.4(d) tie"


@cache
def least_qualifying_value(house: House) -> int:
    """Return the value of A-K-4-3-2 in mixed suits: the lowest ace-king hand (PIK 39.1 "Qualifying hand")."""
    ranks = house.book.value("least_qualifying_hand")
    return standard.value(cards([held + suit for held, suit in zip(ranks, "sdhcs", strict=True)]))


def qualifies(house: House, dealer: Cards) -> bool:
    """Return whether the dealer's five cards play; always, if the house's version needs no qualifying hand."""
    return not house["dealer_qualifies"] or standard.value(dealer) >= least_qualifying_value(house)


def settle(house: House, played: PlayedRound) -> Settlement:
    """Settle a round in which nothing went wrong."""
    five, three = standard.value(played.dealer), three_card.value(played.dealer)
    qualified = qualifies(house, played.dealer)
    seats = {}
    hands = {0: five}
    for seat in played.seats:
        outcomes = bonuses(house, seat)
        outcomes |= compared(house, seat, five=five, three=three, qualified=qualified)
        if seat.coupons:
            with_coupons(house, seat, outcomes)
        hands[seat.seat] = three_card.value(seat.cards) if seat.choice == "play3" else standard.value(seat.cards)
        seats[seat.seat] = outcomes
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)), hands=hands)


def bonuses(house: House, seat: Seat) -> dict[str, Outcome]:
    """Return the two bonus wagers, settled before the decision and unaffected by it (PIK 39.10(b)/s3, 39.10(c)2)."""
    return three_card_bonus(house, seat) | five_card_bonus(house, seat)


def five_card_bonus(house: House, seat: Seat) -> dict[str, Outcome]:
    """Return the bonus on the player's five cards, whatever follows (PIK 39.10(c)2)."""
    if "bonus5" not in seat.wagers:
        return {}
    if len(seat.cards) != 5:
        return {"bonus5": ruling("PIK 38.12(c)")}  # settled on a miscounted hand: no text says at what
    hand = standard.CATEGORIES[standard.category(standard.value(seat.cards))]
    return {"bonus5": _on_line(house.table("bonus5"), hand, seat, "bonus5")}


def three_card_bonus(house: House, seat: Seat) -> dict[str, Outcome]:
    """Return the bonus on the three cards the player selected, however poor the choice (PIK 39.10(b)/s2)."""
    if "bonus3" not in seat.wagers:
        return {}
    refuse_unseen(seat.selected)
    if not seat.selected and not seat.left:
        return {"bonus3": _unselected(house, seat)}
    if len(seat.selected) != 3 or not set(seat.selected) <= set(seat.cards):
        return {"bonus3": ruling("PIK 39.10(b)/s2")}
    hand = three_card.CATEGORIES[three_card.category(three_card.of_three(seat.selected))]
    return {"bonus3": _on_line(house.table("bonus3"), hand, seat, "bonus3")}


def _unselected(house: House, seat: Seat) -> Outcome:
    """Return the bonus without a recorded selection: it is lost if every choice of three would lose."""
    refuse_unseen(seat.cards)
    best = three_card.CATEGORIES[three_card.category(three_card.value(seat.cards))]
    outcome = _on_line(house.table("bonus3"), best, seat, "bonus3")
    needs = [f"the three cards seat {seat.seat} selected"]
    return outcome if outcome.returned == 0 else undecidable("PIK 39.10(b)/s2", needs)


def folded(seat: Seat) -> dict[str, Outcome]:
    """Return a fold, which loses the ante and nothing else."""
    return {"ante": settled(lost("PIK 39.3(b)/s2"), seat.wagers["ante"])}


def _on_line(table: PayTable | None, hand: str, seat: Seat, wager: str) -> Outcome:
    if table is None:
        return ruling("PIK 39.3(a)/s2" if wager == "bonus3" else "PIK 39.3(a)/s1")
    odds = table.lines.get(hand)
    line = lost(table.clause) if odds is None else paid(odds, table.clause)
    return settled(line, seat.wagers[wager], f"seat {seat.seat}'s {wager}")


def compared(house: House, seat: Seat, *, five: int, three: int, qualified: bool) -> dict[str, Outcome]:
    """Return ante and play wager: three cards against three for play 3, five against five for play 5."""
    stakes = seat.wagers
    play = [wager for wager in ("play3", "play5") if wager in stakes]
    if seat.choice == "fold":
        return folded(seat) | {wager: ruling("PIK 39.3(b)/s1") for wager in play}
    if not seat.choice:
        if seat.left and not play:  # no play wager, so the definition of a fold applies: a reading
            return {"ante": settled(lost("PIK 39.3(d)/s2", READING), stakes["ante"])}
        unseen = undecidable("PIK 39.3(b)/s1", [f"seat {seat.seat}'s decision"])
        return dict.fromkeys(("ante", *play), unseen)
    if seat.choice == "play3":
        relation = _relation(three_card.value(seat.cards), three)
        both = _plain(house, relation)
        if not qualified and relation != TIE:  # qualification does not affect a play 3
            both = WagerOutcome(both.stake_back, both.odds, "PIK 1.13Y(d)2ii")
            # The text omits the ante beside it: read to follow the same comparison.
            ante = WagerOutcome(both.stake_back, both.odds, both.clause, CERTAIN if relation == HIGHER else READING)
            return _outcomes(seat, ante=ante, play=both)
        return _outcomes(seat, ante=both, play=both)
    relation = _relation(standard.value(seat.cards), five)
    ante = _plain(house, relation)
    if qualified:
        return _outcomes(seat, ante=ante, play=ante)
    basis = CERTAIN if relation == HIGHER else READING  # the text omits a lower hand: an ordinary loss
    ante = WagerOutcome(ante.stake_back, ante.odds, "PIK 39.10(f)/ante" if relation != TIE else ante.clause, basis)
    return _outcomes(seat, ante=ante, play=pushed("PIK 39.11(a)/s2"))


def _relation(own: int, dealer: int) -> str:
    return HIGHER if own > dealer else LOWER if own < dealer else TIE


@cache
def _plain(house: House, relation: str) -> WagerOutcome:
    """Return the line of ante and play if the dealer's hand plays. No clause settles a tie: a push."""
    even = house.book.tables["ante"].tables["only"].lines["any_win"]
    return {
        HIGHER: paid(even, "PIK 39.11(a)/s1"),
        LOWER: lost("PIK 39.11(a)/s1"),
        TIE: pushed("PIK 39.4(d)/s2", READING),
    }[relation]


def _outcomes(seat: Seat, *, ante: WagerOutcome, play: WagerOutcome) -> dict[str, Outcome]:
    outcomes = {"ante": settled(ante, seat.wagers["ante"], f"seat {seat.seat}'s ante")}
    for wager in ("play3", "play5"):
        if wager in seat.wagers:
            own = wager == seat.choice
            outcomes[wager] = (
                settled(play, seat.wagers[wager], f"seat {seat.seat}'s {wager}")
                if own
                else returned(seat.wagers[wager], "PIK 39.3(b)/s1-exclusive", READING)
            )
    return outcomes
