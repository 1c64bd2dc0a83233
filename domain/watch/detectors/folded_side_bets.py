"""Side wagers of folded hands, which Maryland's text does not cover: a review when they decide money."""

from domain.facts.payments import RulingGiven
from domain.settlement.uth_folded import KEEPS_CARDS, RACKED, left_open
from domain.spoken import name_of_wager
from domain.table.irregular import rulings
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.owed import worked_out
from domain.watch.round_order import raised
from domain.watch.wager_order import known

REVIEW = law(
    "folded-side-bet-review",
    {name: name for name in (RACKED, "UTH-MD 11.J(1)", "UTH-MD 12.F#2")},
)


@judge(REVIEW, needs=(RulingGiven,))
def folded_hands_side_bets(told: RoundInPlay) -> Found:
    """Report a folded hand's side wager that its cards decide and that has no ruling."""
    made = worked_out(told)
    if made.settlement.void_clause:
        return
    racked = all(known(told, wager) for wager in KEEPS_CARDS)  # or an unseen wager may have kept the cards
    for seat in made.played.seats:
        spot = told.seats[seat.seat]
        for wager, outcome in made.settlement.seats[seat.seat].items():
            keys = left_open(told.house, seat, wager, outcome, made.settlement.hands)
            if not racked:
                keys = tuple(key for key in keys if key != RACKED)
            if not keys or rulings(told, spot, wager):
                continue
            wagered = spot.wagers[wager]
            shows = wagered.moves or wagered.placed
            says = (
                f"Seat {seat.seat} folded, and its {name_of_wager(wager)} depends on the folded cards, "
                "which the text does not cover."
            )
            yield from raised(told, REVIEW, keys, shows[0], says, seat=seat.seat, wager=wager, evidence=spot.dealt)
