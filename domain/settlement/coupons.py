"""Match play coupons: a wager that is partly a coupon of some face value.

The face value counts for multiples and odds. No text says what happens to the coupon itself. The reading: it is
returned on a push or a void, and the house keeps it on a win unless the licensee's terms say otherwise.
"""

from domain.rulebooks import House
from domain.settlement.outcome import READING, RULING, Outcome, ruling
from domain.settlement.played import Seat

# Where a book speaks of the form of wagers; the last two do not mention coupons.
FORM_CLAUSES = {
    "UTH-MA": "UTH-MA 6(a) s1",
    "PIK": "PIK 39.3(c)/s1",
    "COL": "COL 6(a)/s1",
    "UTH-MD": "UTH-MD 7.A",
    "FAH": "FAH (f)(1)/s1",
}


def accepted(house: House) -> bool:
    """Return whether a coupon may be part of a wager at this house."""
    options = house.options
    return bool(options.get("match_play") and options.get("match_play.accepted"))


def with_coupons(house: House, seat: Seat, outcomes: dict[str, Outcome]) -> None:
    """Settle the coupon part of each wager; where coupons are not accepted, only a ruling can."""
    clause = FORM_CLAUSES[house.game.text]
    for wager, face in seat.coupons.items():
        outcome, stake = outcomes.get(wager), seat.wagers.get(wager)
        if outcome is None or outcome.returned is None or stake is None:
            continue
        if not accepted(house):
            outcomes[wager] = ruling(clause)
        elif outcome.returned:
            kept = face if outcome.returned > stake and not house["match_play.returned_on_win"] else 0
            basis = RULING if outcome.basis == RULING else READING
            outcomes[wager] = Outcome(outcome.returned - kept, outcome.clause, basis)
