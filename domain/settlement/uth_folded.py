"""Side wagers of a folded hand in Maryland, where the text is silent (UTH-MD 11.F(3)(b), 11.J(1), 12.F#2).

They are settled on the cards that were dealt. If that pays, or if only the fold keeps a bad beat from paying, a person
should review it.
"""

from collections.abc import Mapping

from domain.hands import standard
from domain.rulebooks import House
from domain.settlement.outcome import Outcome
from domain.settlement.played import Seat

KEEPS_CARDS = frozenset({"trips", "six_card"})  # open wagers that keep a folded hand on the table
_CLAUSES = {"progressive": "UTH-MD 11.J(1)", "ultimate_pairs": "UTH-MD 11.F(3)(b)", "bad_beat": "UTH-MD 12.F#2"}
RACKED = "UTH-MD 11.F(3)(b)"


def left_open(house: House, seat: Seat, wager: str, outcome: Outcome, hands: Mapping[int, int]) -> tuple[str, ...]:
    """Return the silent clauses for a folded hand's wager, if they matter; otherwise none."""
    if not house.game.has_meters or seat.choice != "fold" or wager not in _CLAUSES:
        return ()
    matters = _beaten_all_the_same(house, seat, hands) if wager == "bad_beat" else bool(outcome.returned)
    racked = KEEPS_CARDS.isdisjoint(seat.wagers)
    if not matters or (wager == "ultimate_pairs" and not racked):
        return ()
    return tuple(dict.fromkeys((_CLAUSES[wager], *((RACKED,) if racked else ()))))


def _beaten_all_the_same(house: House, seat: Seat, hands: Mapping[int, int]) -> bool:
    """Return whether this bad beat would pay without the fold."""
    own, dealer, table = hands.get(seat.seat), hands.get(0), house.table("bad_beat")
    if own is None or dealer is None or own == dealer or table is None:
        return False
    return standard.CATEGORIES[standard.category(min(own, dealer))] in table.lines
