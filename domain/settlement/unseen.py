"""Rounds of which not every card was seen: each wager is settled as far as what was seen decides it.

A wager is put to every way the unseen cards it depends on can lie. If all give one amount, that is the answer;
if not, it is undecidable, and what is missing is named.
"""

from collections.abc import Callable

from domain.cards import UNKNOWN
from domain.rulebooks import House
from domain.settlement import uth_unseen
from domain.settlement.completions import TABLE, Part, cards_of, completions, in_step, left_over, missing, ways
from domain.settlement.outcome import Outcome, Settlement, undecidable
from domain.settlement.played import Round, Seat, with_parts

Settle = Callable[[House, Round], Settlement]

MOST_WAYS = 60_000  # beyond this the unseen cards are too many to try, and the wager is left undecided


def settle(house: House, played: Round, settle_seen: Settle) -> Settlement:
    """Settles every wager that what was seen decides."""
    played = in_step(played)
    settlement = Settlement(seats={}, order=tuple(seat.seat for seat in reversed(played.seats)))
    for seat in played.seats:
        outcomes: dict[str, Outcome] = {}
        has_envy = "progressive" in seat.wagers and house.options.get("progressive")
        for wager in (*seat.wagers, *(("envy",) if has_envy else ())):
            outcomes[wager] = answer(house, played, seat, wager, settle_seen)
        settlement.seats[seat.seat] = outcomes
    if house.book.book.startswith("UTH"):
        uth_unseen.finish(house, played, settlement, settle_seen)
    return settlement


def answer(house: House, played: Round, seat: Seat, wager: str, settle_seen: Settle) -> Outcome:
    """What one wager gets, if every way its unseen cards can lie gives the same."""
    if wager == "cover_all" and house.options.get("cover_all"):
        return uth_unseen.cover_all(house, played, seat)
    parts = _depends_on(house, played, seat, wager)
    concerned = {number for number, _ in parts if number != TABLE} | {seat.seat}
    narrowed = with_parts(played, seats=tuple(each for each in played.seats if each.seat in concerned))
    blanks = [part for part in parts if UNKNOWN in cards_of(narrowed, part)]
    left = left_over(house, played)
    answers: dict[int | None, Outcome] = {}
    if ways(narrowed, blanks, left) > MOST_WAYS:
        return undecidable(_pay_table_clause(house, wager), missing(narrowed, blanks))
    for filled in completions(narrowed, blanks, left):
        outcome = settle_seen(house, filled).seats[seat.seat][wager]
        answers[outcome.returned] = outcome
        if len(answers) > 1:
            return undecidable(outcome.clause, missing(narrowed, blanks))
    # Without an answer the cards told leave no way at all: what lies there was not all seen.
    return next(iter(answers.values()), undecidable(_pay_table_clause(house, wager), missing(narrowed, blanks)))


def _pay_table_clause(house: House, wager: str) -> str:
    """The clause of a wager's pay table, where too much is unseen to say which line of it decides."""
    tables = house.book.tables
    # Massachusetts prints no progressive table and no envy: the awards are the house's own.
    if wager in ("progressive", "envy") and "progressive" not in tables:
        return house.book.options["progressive.house_awards"].clause
    return tables[wager if wager in tables else "envy_100" if wager == "envy" else "main"].clause


def _depends_on(house: House, played: Round, seat: Seat, wager: str) -> list[Part]:
    return _DEPENDENCIES[house.book.book](house, played, seat, wager)


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
    "UTH-MA": uth_unseen.depends_on,
    "UTH-MD": uth_unseen.depends_on,
    "PIK": _pik,
    "FAH": _fah,
    "COL": _col,
}
