"""Ultimate Texas Hold'em, Massachusetts and Maryland: ante, blind, play and trips against the dealer.

Whatever the cards, a seat's four wagers fall into one of sixty cases: the player lower, equal or higher, the dealer
with a pair or without, and the ten hands of the player. The cases of a house are computed once, as rows of lines with
their clauses, and a round is then looked up in them.
"""

from collections.abc import Mapping
from functools import cache

from domain.hands.ranked import CATEGORY_BITS, KEY, RANK_MASK, START, SUITED_OR_UNSEEN
from domain.hands.standard import BY_RANKS, CATEGORIES, PAIR, flush_value
from domain.money import PUSH
from domain.rulebooks import House
from domain.settlement import uth_cover_all, uth_progressive, uth_side_wagers
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
    ruling,
    undecidable,
)
from domain.settlement.played import PlayedRound, Seat
from domain.settlement.uth_limits import limit_winnings, limits
from domain.settlement.uth_progressive import forfeits

LOWER, EQUAL, HIGHER = range(3)

# The clause that decides each case.
CLAUSES = {
    "UTH-MA": {
        "fold": "UTH-MA 10(e)(2)",
        "lower": "UTH-MA 10(h)(1)",
        "equal": "UTH-MA 10(h)(3)",
        "even money": "UTH-MA 11(b)",
        "dealer below a pair": "UTH-MA 10(g)",
        "blind below its table": "UTH-MA 10(h)(2)",
        "left": "UTH-MA 6(e) s2",
    },
    "UTH-MD": {
        "fold": "UTH-MD 11.F(2)",
        "lower": "UTH-MD 11.H(3)(a)",
        "equal": "UTH-MD 11.H(3)(d)",
        "even money": "UTH-MD 12.A",
        "dealer below a pair": "UTH-MD 11.H(1)",
        "blind below its table": "UTH-MD 11.H(3)(c)",
        "left": "UTH-MD 7.C(2)",
    },
}

# (factor, per, clause, basis, answer): a line in the form the hot loop of `settle` reads. The amount returned is stake
# * factor // per. A collected wager's answer is made once, because it is the same for every stake.
Terms = tuple[int, int, str, str, Outcome | None]
Row = dict[str, Terms]


class SettlementTable:
    """A house's cases, looked up by (relation, dealer has a pair, player's hand)."""

    def __init__(self, house: House) -> None:
        self.house = house
        clauses = CLAUSES[house.game.text]
        self.rows: list[Row] = [
            _terms(_case(house, clauses, relation, qualifies=qualifies, hand=hand))
            for relation in (LOWER, EQUAL, HIGHER)
            for qualifies in (False, True)
            for hand in range(len(CATEGORIES))
        ]
        fold = lost(clauses["fold"])
        self.folded: list[Row] = [
            _terms({"ante": fold, "blind": fold} | _trips(house, hand)) for hand in range(len(CATEGORIES))
        ]
        self.left_clause = clauses["left"]
        self.limits = limits(house)


@cache
def rules(house: House) -> SettlementTable:
    """Return the cases of a house, computed once."""
    return SettlementTable(house)


def _case(
    house: House, clauses: Mapping[str, str], relation: int, *, qualifies: bool, hand: int
) -> dict[str, WagerOutcome]:
    """Return the printed decision table for one case: the lines of ante, blind, play and trips."""
    unqualified = pushed(clauses["dealer below a pair"])  # win, lose or tie: the ante is returned
    if relation == LOWER:
        all_lost = lost(clauses["lower"])
        main = {"ante": all_lost if qualifies else unqualified, "blind": all_lost, "play": all_lost}
    elif relation == EQUAL:
        tie = pushed(clauses["equal"])
        main = {"ante": tie if qualifies else unqualified, "blind": tie, "play": tie}
    else:
        ante, play = (
            paid(house.book.tables[wager].tables["only"].lines["any_win"], clauses["even money"])
            for wager in ("ante", "play")
        )
        main = {"ante": ante if qualifies else unqualified, "blind": _won_blind(house, clauses, hand), "play": play}
    return main | _trips(house, hand)


def _won_blind(house: House, clauses: Mapping[str, str], hand: int) -> WagerOutcome:
    """Return the line of a blind that beat the dealer: paid by its table, returned below it."""
    table = house.table("blind")
    if table is None:
        raise TypeError("the house has no blind table: load it through domain.rulebooks.house")
    odds = table.lines[CATEGORIES[hand]]
    if odds != PUSH:
        return paid(odds, table.clause)
    straight_pushes = CATEGORIES[hand] == "straight"  # table B names no straight: a reading
    return pushed(clauses["blind below its table"], READING if straight_pushes else CERTAIN)


def _trips(house: House, hand: int) -> dict[str, WagerOutcome]:
    """Return the line of trips, which depends on the player's hand alone."""
    table = house.table("trips")
    if table is None:
        return {}
    odds = table.lines.get(CATEGORIES[hand])
    return {"trips": lost(table.clause) if odds is None else paid(odds, table.clause)}


def _terms(lines: dict[str, WagerOutcome]) -> Row:
    terms: Row = {}
    for wager, line in lines.items():
        wins, per = line.odds.wins - line.odds.per * line.odds.stake_included, line.odds.per
        collected = None if line.stake_back else Outcome(0, line.clause, line.basis)
        terms[wager] = (line.stake_back * per + wins, per, line.clause, line.basis, collected)
    return terms


def settle(house: House, played: PlayedRound) -> Settlement:
    """Settle a round in which nothing went wrong and all deciding cards were seen.

    This is the hot loop of a replay: one key for the board, two additions and a look-up per hand, a look-up per seat.
    Raise UnknownCardError if a needed card was not seen.
    """
    compiled = rules(house)
    board = START
    for card in played.community:
        board += KEY[card]
    one, two = played.dealer
    key = board + KEY[one] + KEY[two]
    suited = key & SUITED_OR_UNSEEN
    dealer = flush_value(key, (one, two, *played.community)) if suited else BY_RANKS[key & RANK_MASK]
    qualifies = dealer >> CATEGORY_BITS >= PAIR
    hands = {0: dealer}
    seats: dict[int, dict[str, Outcome]] = {}
    order: list[int] = []
    folded: list[int] = []
    others = False
    limited: list[Seat] = []
    special: list[Seat] = []
    for seat in played.seats:
        one, two = seat.cards
        key = board + KEY[one] + KEY[two]
        suited = key & SUITED_OR_UNSEEN
        hand = flush_value(key, (one, two, *played.community)) if suited else BY_RANKS[key & RANK_MASK]
        number = seat.seat
        hands[number] = hand
        if seat.choice == "fold":
            row = compiled.folded[hand >> CATEGORY_BITS]
            folded.append(number)
        else:
            relation = LOWER if hand < dealer else HIGHER if hand > dealer else EQUAL
            row = compiled.rows[(relation * 2 + qualifies) * 10 + (hand >> CATEGORY_BITS)]
            order.append(number)
        seats[number] = outcomes = {}
        handed_back = 0
        for wager, stake in seat.wagers.items():
            terms = row.get(wager)
            if terms is None:
                others = True
                continue
            factor, per, clause, basis, collected = terms
            if collected is not None:
                outcomes[wager] = collected
            elif stake is None:
                outcomes[wager] = undecidable(clause, [f"the amount of seat {number}'s {wager}"])
            else:
                amount = stake * factor // per
                handed_back += amount
                outcomes[wager] = Outcome(amount, clause, basis)
        if not seat.choice or seat.left or seat.coupons:
            special.append(seat)
        if handed_back > compiled.limits.least:
            limited.append(seat)
    # Far right first, counterclockwise; the remaining wagers of folded hands come at the end of the round.
    settlement = Settlement(seats=seats, order=(*order[::-1], *folded[::-1]), hands=hands)
    if others:
        _settle_others(house, played, settlement)
        limited = list(played.seats)
    for seat in special:
        _left_or_undecided(compiled, seat, seats[seat.seat])
    for seat in limited:
        limit_winnings(compiled.limits, seat, seats[seat.seat])
    for seat in special:
        with_coupons(house, seat, seats[seat.seat])
    return settlement


def _left_or_undecided(compiled: SettlementTable, seat: Seat, outcomes: dict[str, Outcome]) -> None:
    """Settle the wagers of a player who left, or whose decision was unseen."""
    if forfeits(compiled.house, seat):
        for wager in outcomes:
            outcomes[wager] = Outcome(0, compiled.left_clause)
    elif not seat.choice:
        for wager in outcomes.keys() & {"ante", "blind", "bad_beat"}:
            outcome = outcomes[wager]
            if seat.left:
                # The text omits a player who left undecided (UTH-MA 6(e) s2), so the cards settle the wagers.
                outcomes[wager] = Outcome(outcome.returned, compiled.left_clause, READING, outcome.needs)
            elif outcome.returned != 0:  # a wager lost to the dealer is lost to a fold as well
                outcomes[wager] = undecidable(outcome.clause, [f"seat {seat.seat}'s decision"])


def _settle_others(house: House, played: PlayedRound, settlement: Settlement) -> None:
    """Settle every wager besides ante, blind, play and trips."""
    uth_side_wagers.settle(house, played, settlement)
    uth_cover_all.settle(house, played, settlement)
    uth_progressive.settle(house, played, settlement)
    for seat in played.seats:
        for wager in seat.wagers.keys() - settlement.seats[seat.seat].keys():
            settlement.seats[seat.seat][wager] = not_offered(house, wager)


def not_offered(house: House, wager: str) -> Outcome:
    """Return the outcome of a wager without a pay table at this house: no printed text settles it."""
    option = {"cover_all": "cover_all", "progressive": "progressive", "play_the_board": "play_board_table"}
    path = option.get(wager, f"{wager}_table")
    clause = house.book.options[path].clause if path in house.book.options else house.book.tables["ante"].clause
    return ruling(clause)
