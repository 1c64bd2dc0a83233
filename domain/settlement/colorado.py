"""Colorado Hold'em: two kept cards and three community cards under a pay table, without a dealer's hand."""

from functools import cache

from domain.cards import JACK, RANKS, TEN
from domain.hands import standard, three_card
from domain.hands.ranked import refuse_unseen, straight_top
from domain.money import PUSH, Odds
from domain.rulebooks import House
from domain.settlement.coupons import with_coupons
from domain.settlement.outcome import (
    CERTAIN,
    READING,
    RULING,
    Outcome,
    Settlement,
    WagerOutcome,
    lost,
    paid,
    pushed,
    ruling,
    settled,
    undecidable,
)
from domain.settlement.played import Cards, PlayedRound, Seat

_DECIDING = 16  # bits below the category and the first rank

# The two versions print the same procedure in two sections.
CLAUSES = {
    "required": {
        "loses": "COL 10(e)/s1",
        "pushes": "COL 10(f)/s1",
        "declared": "COL 10(b)(3)(i)/s4",
        "fold": "COL 10(b)(2)/s2",
        "bet with instant winner": "COL 10(b)(3)(i)/s2",
        "decision": "COL 10(b)",
        "limit": "COL 12(c)/s1",
    },
    "permissible": {
        "loses": "COL 11(e)/s1",
        "pushes": "COL 11(f)/s1",
        "declared": "COL 11(b)(2)(i)/s4",
        "fold": "COL 11(b)",
        "bet with instant winner": "COL 11(b)(2)(i)/s2",
        "decision": "COL 11(b)",
        "limit": "COL 13(c)/s1",
    },
}


def settle(house: House, played: PlayedRound) -> Settlement:
    """Settle a round in which nothing went wrong."""
    seats, hands = {}, {}
    ruling_given = played.irregularity.ruling if played.irregularity else None
    for seat in played.seats:
        outcomes = before_showdown(house, seat, ruling_given)
        if not outcomes:
            hand = standard.value((*seat.kept, *played.community))
            hands[seat.seat] = hand
            outcomes = _showdown(house, seat, hand)
        if "bonus" in seat.wagers and not house["bonus_offered"]:
            outcomes["bonus"] = ruling("COL 6a(a)")
        if seat.coupons:
            with_coupons(house, seat, outcomes)
        seats[seat.seat] = outcomes
    return Settlement(seats=seats, order=tuple(seat.seat for seat in reversed(played.seats)), hands=hands)


def before_showdown(house: House, seat: Seat, ruling_given: str | None) -> dict[str, Outcome]:
    """Return what the seat's decision settles: a fold, a declared instant winner; nothing for a seat that plays."""
    if seat.choice == "fold":
        return _folded(house, seat, ruling_given)
    if seat.choice == "declare":
        return _declared(house, seat)
    if not seat.choice:
        return _undecided(house, seat)
    return {}


def instant_winner(cards: Cards, *, ace_low: bool) -> str:
    """Return the pay-table line of three dealt cards that win at once; empty if none (COL 3(c)(1), 3(c)(2))."""
    refuse_unseen(cards)
    hand = three_card.category(three_card.of_three(cards))
    if hand == three_card.THREE_OF_A_KIND:
        return "three_card_three_of_a_kind"
    if hand >= three_card.STRAIGHT_FLUSH and (ace_low or not is_low_ace_run(cards)):
        return "three_card_straight_flush"
    return ""


def is_low_ace_run(cards: Cards) -> bool:
    """Return whether these are ace, two and three: the run the text does not clearly allow."""
    return straight_top((card >> 2 for card in cards), length=3) == 1


def _declared(house: House, seat: Seat) -> dict[str, Outcome]:
    """Return a declared instant winner, paid before any community card; a wrong one loses only the initial wager."""
    clauses = CLAUSES[house["version"]]
    line = instant_winner(seat.cards, ace_low=house["instant_winner_ace_low"])
    doubtful = three_card.category(three_card.of_three(seat.cards)) >= three_card.STRAIGHT_FLUSH and is_low_ace_run(
        seat.cards
    )
    basis = RULING if doubtful else CERTAIN
    if line:
        lines = {
            "ante": paid(_odds(house, "main", line), clauses["declared"], basis),
            "bonus": paid(_odds(house, "bonus", line), _clause(house, "bonus"), basis),
            "bet": pushed(clauses["bet with instant winner"], READING),
        }
    else:
        keep = house["erroneous_declaration_bonus"] == "return"
        bonus_basis = RULING if doubtful else READING
        lines = {
            "ante": lost("COL 14(d)", basis),
            "bonus": pushed("COL 14(d)", bonus_basis) if keep else lost("COL 14(d)", bonus_basis),
            "bet": pushed("COL 14(d)", READING),
        }
    outcomes = _settled_by(lines, seat)
    _limit(house, seat, outcomes)
    return outcomes


def _folded(house: House, seat: Seat, ruling_given: str | None) -> dict[str, Outcome]:
    """Return a fold, which loses the ante; the permissible version has no fold, so there only a ruling decides."""
    clause = CLAUSES[house["version"]]["fold"]
    collects = house["fold_bonus"] == "collect"
    bonus = lost("COL 10(b)(2)/s2", READING) if collects else pushed("COL 10(b)(2)/s2", READING)
    if house["version"] == "permissible":
        outcomes = _settled_by({"bonus": bonus}, seat)
        stake = seat.wagers["ante"]
        by_ruling = {"collect": settled(lost(clause), stake), "return": settled(pushed(clause), stake)}
        outcomes["ante"] = by_ruling.get(ruling_given or "") or ruling(clause, 0, stake)
        return outcomes | ({"bet": ruling(clause)} if "bet" in seat.wagers else {})
    return _settled_by({"ante": lost(clause), "bonus": bonus, "bet": lost(clause, READING)}, seat)


def _undecided(house: House, seat: Seat) -> dict[str, Outcome]:
    clause = CLAUSES[house["version"]]["decision"]
    if not seat.left:
        return {wager: undecidable(clause, [f"seat {seat.seat}'s decision"]) for wager in seat.wagers}
    if house["version"] == "required":  # no bet, so the player does not continue: a fold, as a reading
        folded = _folded(house, seat, None)
        return {wager: Outcome(outcome.returned, "COL 6(b)/s2", READING) for wager, outcome in folded.items()}
    return {wager: ruling("COL 6(b)/s2") for wager in seat.wagers}


def _showdown(house: House, seat: Seat, hand: int) -> dict[str, Outcome]:
    outcomes = _settled_by(_lines(house, hand >> _DECIDING), seat)
    _limit(house, seat, outcomes)
    return outcomes


@cache
def _lines(house: House, deciding: int) -> dict[str, WagerOutcome]:
    """Return each wager's line for a hand: the category decides, and for a pair its rank."""
    hand = deciding << _DECIDING
    main = _main(house, hand)
    return {"ante": main, "bet": main, "bonus": _bonus(house, hand)}


def _main(house: House, hand: int) -> WagerOutcome:
    """Return the line of ante and bet; the procedure says which pairs lose or push (COL 10(e), 10(f), 11(e), 11(f))."""
    clauses = CLAUSES[house["version"]]
    category = standard.category(hand)
    if category > standard.PAIR:
        return paid(_odds(house, "main", standard.CATEGORIES[category]), _clause(house, "main"))
    pair = hand >> 16 & 15 if category == standard.PAIR else -1
    pushes = [RANKS.index(held) for held in house.book.value(f"pushes_{house['version']}")]
    if pair < min(pushes):
        return lost(clauses["loses"])
    tens_in_doubt = pair == TEN and TEN in pushes  # 11(f) pushes what 13(b) pays
    if pair in pushes and not (tens_in_doubt and house["v2_pair_of_tens"] == "pay"):
        return pushed(clauses["pushes"], RULING if tens_in_doubt else CERTAIN)
    odds = _odds(house, "main", "pair_of_tens_or_better")
    return paid(odds, _clause(house, "main"), RULING if tens_in_doubt else CERTAIN)


def _bonus(house: House, hand: int) -> WagerOutcome:
    """Return the bonus' line by its own ladder: a pair of jacks or better pushes, tens and below lose (COL 12(d))."""
    category = standard.category(hand)
    clause = _clause(house, "bonus")
    if category > standard.PAIR:
        return paid(_odds(house, "bonus", standard.CATEGORIES[category]), clause)
    if category == standard.PAIR and hand >> 16 & 15 >= JACK:
        odds = _odds(house, "bonus", "pair_of_jacks_or_better")
        return pushed(clause) if odds == PUSH else paid(odds, clause)
    return lost(clause)


def _odds(house: House, table: str, line: str) -> Odds:
    chosen = house.tables[table]
    return chosen.lines[line] if chosen else PUSH


def _clause(house: House, table: str) -> str:
    chosen = house.tables[table]
    return chosen.clause if chosen else house.book.tables[table].clause


def _settled_by(lines: dict[str, WagerOutcome], seat: Seat) -> dict[str, Outcome]:
    return {
        wager: settled(lines[wager], stake, f"seat {seat.seat}'s {wager}")
        for wager, stake in seat.wagers.items()
        if wager in lines
    }


def _limit(house: House, seat: Seat, outcomes: dict[str, Outcome]) -> None:
    """Apply the cap on the joint winnings of ante and bet, shared by their size; the bonus is outside it."""
    cap = house["payout_cap"]
    if cap is None:
        return
    main = [wager for wager in ("ante", "bet") if wager in seat.wagers]
    won = {
        wager: (outcomes[wager].returned or 0) - stake for wager in main if (stake := seat.wagers[wager]) is not None
    }
    total = sum(won.values())
    clause = CLAUSES[house["version"]]["limit"]
    unseen = [wager for wager in main if outcomes[wager].returned is None]
    if unseen and 2 * total > cap:  # a bet equals the ante, so together they may reach the cap
        needs = [f"the amount of seat {seat.seat}'s {wager}" for wager in unseen]
        outcomes |= {wager: undecidable(clause, needs) for wager in won}
        return
    if total <= cap:
        return
    left = cap
    for number, (wager, amount) in enumerate(won.items(), start=1):
        share = left if number == len(won) else cap * amount // total
        left -= share
        outcomes[wager] = Outcome((seat.wagers[wager] or 0) + share, clause, READING)
