"""Settlement of rounds with unseen cards: each wager is settled as far as the seen cards decide it.

A wager is settled for every arrangement of the unseen cards it depends on. If all give one amount, that is the answer.
If not, it is undecidable, and the missing cards are named.
"""

from collections import Counter
from collections.abc import Callable

from domain.cards import UNKNOWN
from domain.games.game import Kind
from domain.hands.ranked import ImpossibleHandError
from domain.rulebooks import House
from domain.settlement import uth_unseen
from domain.settlement.completions import TABLE, Part, apart, cards_of, completions, in_step, left_over, missing, ways
from domain.settlement.outcome import CERTAIN, READING, RULING, UNDECIDABLE, Outcome, Settlement, undecidable
from domain.settlement.played import PlayedRound, Seat, all_cards, with_parts

Settle = Callable[[House, PlayedRound], Settlement]

_SURE = (CERTAIN, READING, RULING, UNDECIDABLE)


def settle(house: House, played: PlayedRound, settle_seen: Settle) -> Settlement:
    """Settle every wager that the seen cards decide."""
    played = in_step(played)
    settlement = Settlement(seats={}, order=tuple(seat.seat for seat in reversed(played.seats)))
    left = left_over(house, played)
    if [*all_cards(played)].count(UNKNOWN) > left.total():
        raise ImpossibleHandError("more cards were dealt than the decks hold")
    for seat in played.seats:
        has_envy = "progressive" in seat.wagers and house.options.get("progressive")
        wagers = (*seat.wagers, *(("envy",) if has_envy else ()))
        together: dict[tuple[Part, ...], list[str]] = {}  # wagers that depend on the same cards are tried together
        outcomes: dict[str, Outcome] = {}
        for wager in wagers:
            if wager == "cover_all" and house.options.get("cover_all"):
                outcomes[wager] = uth_unseen.cover_all(house, played, seat)
            else:
                together.setdefault(tuple(_depends_on(house, played, seat, wager)), []).append(wager)
        for parts, held in together.items():
            outcomes |= _answers(house, played, seat, parts, held, left=left, settle_seen=settle_seen)
        settlement.seats[seat.seat] = {wager: outcomes[wager] for wager in wagers}
    if house.game.holdem:
        uth_unseen.finish(house, played, settlement, settle_seen)
    return settlement


def _answers(
    house: House,
    played: PlayedRound,
    seat: Seat,
    parts: tuple[Part, ...],
    wagers: list[str],
    *,
    left: Counter[int],
    settle_seen: Settle,
) -> dict[str, Outcome]:
    """Return these wagers of a seat, each decided if every arrangement of the unseen cards gives the same answer."""
    concerned = {number for number, _ in parts if number != TABLE} | {seat.seat}
    narrowed = with_parts(played, seats=tuple(each for each in played.seats if each.seat in concerned))
    blanks = [part for part in parts if UNKNOWN in cards_of(narrowed, part)]
    if ways(narrowed, blanks, left) > played.most_ways:
        return {wager: undecidable(_pay_table_clause(house, wager), missing(narrowed, blanks)) for wager in wagers}
    answers: dict[str, Outcome] = {}
    open_still = list(wagers)
    for filled in completions(narrowed, blanks, left):
        try:
            outcomes = settle_seen(house, filled).seats[seat.seat]
        except ImpossibleHandError:  # a hand that does not matter got a card that was drawn
            outcomes = settle_seen(house, apart(narrowed, filled, blanks, left)).seats[seat.seat]
        for wager in tuple(open_still):
            answer, other = answers.setdefault(wager, outcomes[wager]), outcomes[wager]
            if answer.returned != other.returned:
                answers[wager] = undecidable(other.clause, missing(narrowed, blanks))
                open_still.remove(wager)
            elif _SURE.index(other.basis) > _SURE.index(answer.basis):
                answers[wager] = other  # no surer than the least sure arrangement
        if not open_still:
            break
    for wager in wagers:
        if wager not in answers:  # the recorded cards allow no arrangement: not everything on the table was seen
            answers[wager] = undecidable(_pay_table_clause(house, wager), missing(narrowed, blanks))
    return answers


def _pay_table_clause(house: House, wager: str) -> str:
    """Return the clause of a wager's pay table, if too much is unseen to name its line."""
    tables = house.book.tables
    # Massachusetts prints no progressive table and no envy: the awards are the house's own.
    if wager in ("progressive", "envy") and "progressive" not in tables:
        return house.book.options["progressive.house_awards"].clause
    return tables[wager if wager in tables else "envy_100" if wager == "envy" else "main"].clause


def _depends_on(house: House, played: PlayedRound, seat: Seat, wager: str) -> list[Part]:
    return _DEPENDENCIES[house.game.kind](house, played, seat, wager)


def _pik(_: House, __: PlayedRound, seat: Seat, wager: str) -> list[Part]:
    if wager in ("ante", "play3", "play5"):
        return [(seat.seat, "cards"), (TABLE, "dealer")] if seat.choice.startswith("play") else []
    chosen = wager == "bonus3" and seat.selected
    return [(seat.seat, "selected" if chosen else "cards")]


def _fah(_: House, __: PlayedRound, seat: Seat, wager: str) -> list[Part]:
    if seat.choice == "natural":
        return [(seat.seat, "cards")]
    if seat.choice not in ("set", "split"):
        return []
    return [(seat.seat, "second" if wager == "split" else "kept"), (TABLE, "dealer"), (TABLE, "community")]


def _col(_: House, __: PlayedRound, seat: Seat, ___: str) -> list[Part]:
    if seat.choice == "declare":
        return [(seat.seat, "cards")]
    return [(seat.seat, "kept"), (TABLE, "community")] if seat.choice == "play" else []


_DEPENDENCIES: dict[Kind, Callable[[House, PlayedRound, Seat, str], list[Part]]] = {
    "ultimate": uth_unseen.depends_on,
    "pik-it": _pik,
    "fast-action": _fah,
    "colorado": _col,
}
