"""Rounds of which not every card was seen: each wager is settled as far as what was seen decides it.

A wager is put to every way the unseen cards it depends on can lie. If all give one amount, that is the answer;
if not, it is undecidable, and what is missing is named.
"""

from collections.abc import Callable
from itertools import combinations

from domain.cards import UNKNOWN
from domain.hands import standard
from domain.rulebooks import House
from domain.settlement import uth_cover_all
from domain.settlement.completions import TABLE, Part, cards_of, completions, in_step, left_over, ways
from domain.settlement.outcome import Outcome, Settlement, undecidable
from domain.settlement.played import Cards, Round, Seat, with_parts
from domain.settlement.uth_limits import MAIN, may_reach

Settle = Callable[[House, Round], Settlement]

MOST_WAYS = 60_000  # beyond this the unseen cards are too many to try, and the wager is left undecided

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def settle(house: House, played: Round, settle_seen: Settle) -> Settlement:
    """Settles every wager that what was seen decides."""
    played = in_step(played)
    settlement = Settlement(seats={}, order=tuple(seat.seat for seat in reversed(played.seats)))
    for seat in played.seats:
        outcomes: dict[str, Outcome] = {}
        for wager in (*seat.wagers, *(("envy",) if "progressive" in seat.wagers else ())):
            outcomes[wager] = answer(house, played, seat, wager, settle_seen)
        settlement.seats[seat.seat] = outcomes
    return settlement


def answer(house: House, played: Round, seat: Seat, wager: str, settle_seen: Settle) -> Outcome:
    """What one wager gets, if every way its unseen cards can lie gives the same."""
    if wager == "cover_all" and house.options.get("cover_all"):
        return _cover_all(house, played, seat)
    parts = _depends_on(house, played, seat, wager)
    concerned = {number for number, _ in parts if number != TABLE} | {seat.seat}
    narrowed = with_parts(played, seats=tuple(each for each in played.seats if each.seat in concerned))
    blanks = [part for part in parts if UNKNOWN in cards_of(narrowed, part)]
    left = left_over(house, played)
    answers: dict[int | None, Outcome] = {}
    clause = house.book.tables[wager].clause if wager in house.book.tables else ""
    if ways(narrowed, blanks, left) > MOST_WAYS:
        return undecidable(clause, _missing(narrowed, blanks))
    for filled in completions(narrowed, blanks, left):
        outcome = settle_seen(house, filled).seats[seat.seat][wager]
        answers[outcome.returned] = outcome
        if len(answers) > 1:
            return undecidable(outcome.clause, _missing(narrowed, blanks))
    return next(iter(answers.values()))


def _depends_on(house: House, played: Round, seat: Seat, wager: str) -> list[Part]:
    return _DEPENDENCIES[house.book.book](house, played, seat, wager)


def _uth(house: House, played: Round, seat: Seat, wager: str) -> list[Part]:
    own, dealer, board, box = (seat.seat, "cards"), (TABLE, "dealer"), (TABLE, "community"), (TABLE, "six_card_box")
    folded = seat.choice == "fold"
    if wager in may_reach(house, seat):
        return [own, dealer, board]  # how much of it is cut depends on the others
    if wager in MAIN:
        if folded:
            return [own, board] if wager == "trips" else []
        return [own, board] if wager == "trips" else [own, dealer, board]
    if wager == "six_card":
        return [own, box]
    if wager == "ultimate_pairs":
        return [own, dealer] if house["ultimate_pairs_table"] == "B" else [own]
    if wager == "play_the_board":
        return [board]
    if wager == "bad_beat":
        return [] if folded else [own, dealer, board]
    others = [each for each in played.seats if each.seat != seat.seat]
    if wager == "envy":
        shown = [each for each in others if each.choice != "fold" or each.wagers.keys() & {"trips", "six_card"}]
        return [*((each.seat, "cards") for each in shown), board] if shown else []
    if wager == "progressive" and house.book.book == "UTH-MD" and _may_touch_a_meter(house, played, seat):
        earlier = [(each.seat, "cards") for each in others if each.seat > seat.seat and "progressive" in each.wagers]
        return [own, board, *earlier]
    return [own, board]


def _may_touch_a_meter(house: House, played: Round, seat: Seat) -> bool:
    """Whether this seat's own award may depend on what earlier seats took from a meter."""
    table = house.table("progressive")
    cards = (*seat.cards, *played.community)
    if table is None or UNKNOWN in cards:
        return True
    odds = table.lines.get(standard.CATEGORIES[standard.category(standard.value(cards))])
    return odds is not None and bool(odds.meter)


def _pik(_: House, __: Round, seat: Seat, wager: str) -> list[Part]:
    if wager in ("ante", "play3", "play5"):
        return [(seat.seat, "cards"), (TABLE, "dealer")] if seat.choice.startswith("play") else []
    chosen = wager == "bonus3" and seat.selected
    return [(seat.seat, "selected" if chosen else "cards")]


def _fah(_: House, __: Round, seat: Seat, wager: str) -> list[Part]:
    if seat.choice == "natural":
        return [(seat.seat, "cards")]
    if seat.choice not in ("set", "split"):
        return []
    return [(seat.seat, "second" if wager == "split" else "kept"), (TABLE, "dealer"), (TABLE, "community")]


def _col(_: House, __: Round, seat: Seat, ___: str) -> list[Part]:
    if seat.choice == "declare":
        return [(seat.seat, "cards")]
    return [(seat.seat, "kept"), (TABLE, "community")] if seat.choice == "play" else []


_DEPENDENCIES: dict[str, Callable[[House, Round, Seat, str], list[Part]]] = {
    "UTH-MA": _uth,
    "UTH-MD": _uth,
    "PIK": _pik,
    "FAH": _fah,
    "COL": _col,
}


def _missing(played: Round, blanks: list[Part]) -> list[str]:
    """The unseen cards by name: "the dealer's second card", "seat 3's first card"."""
    names = {"dealer": "the dealer's", "community": "the", "six_card_box": "the six card box's"}
    missing = []
    for number, field in blanks:
        cards = cards_of(played, (number, field))
        owner = names[field] if number == TABLE else f"seat {number}'s"
        kind = {"community": "community card", "kept": "kept card", "second": "split card"}.get(field, "card")
        missing += [f"{owner} {_ORDINALS[place]} {kind}" for place, card in enumerate(cards) if card == UNKNOWN]
    return missing


def _cover_all(house: House, played: Round, seat: Seat) -> Outcome:
    """The table's highest hand may be any hand an unseen one can still become."""
    if UNKNOWN in played.community:
        return undecidable("UTH-MA 13(b)", _missing(played, [(TABLE, "community")]))
    seen: list[tuple[int, Cards]] = []
    hidden: list[tuple[int, Cards]] = []
    for number, own in ((TABLE, played.dealer), *((each.seat, each.cards) for each in played.seats)):
        (hidden if UNKNOWN in own else seen).append((number, own))
    known = [standard.category(standard.value((*own, *played.community))) for _, own in seen]
    possible = {max(known)} if known else set()
    floor = max(known, default=-1)
    for _, own in hidden:
        for choice in combinations(left_over(house, played), own.count(UNKNOWN)):
            drawn = iter(choice)
            whole = [next(drawn) if card == UNKNOWN else card for card in own]
            possible.add(max(floor, standard.category(standard.value((*whole, *played.community)))))
    answer = uth_cover_all.outcome(house, played, seat, possible)
    if answer.returned is not None or not answer.needs:
        return answer
    parts = [(number, "dealer" if number == TABLE else "cards") for number, _ in hidden]
    return undecidable(answer.clause, _missing(played, parts))
