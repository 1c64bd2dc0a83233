"""Checks that a dealer may deal a planned round of Pik-it, Fast Action or Colorado, and that it went as planned."""

from collections.abc import Iterator

from domain.rulebooks import House
from domain.settlement.coupons import accepted
from domain.settlement.played import Irregularity
from domain.simulation.in_play import IN_THE_DEAL, NOTICED, InPlay, RoundIsVoid
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import TableInPlay
from domain.simulation.uth_in_play import PlanError

ACTS = {
    "PIK": ("play3", "play5", "fold", "leave"),
    "FAH": ("set", "split", "surrender", "natural", "leave"),
    "COL": ("play", "bet", "fold", "declare", "leave"),
}
_WAGERS = {"PIK": ("ante", "bonus5", "bonus3"), "FAH": ("original",), "COL": ("ante", "bonus")}
_LIMITS = {"ante": ("ante_min", "ante_max"), "bonus5": ("ante_min", "ante_max"), "bonus3": ("bonus3_min", "bonus3_max")}
_METHODS = {
    "PIK": ("manual-shoe", "hand", "automated-shoe"),
    "FAH": ("manual-shoe", "continuous-shoe"),
    "COL": ("manual-shoe", "hand", "automated-shoe"),
}


def refuse(table: TableInPlay, plan: RoundPlan) -> None:
    """Refuse a plan no dealer would accept before the deal, unless its `parts` say `unlawful`."""
    if not plan.parts.get("unlawful") and (wrong := "; ".join(troubles(table, plan))):
        raise PlanError(wrong)


def troubles(table: TableInPlay, plan: RoundPlan) -> Iterator[str]:
    """Yield everything wrong with the plan, one sentence each."""
    if table.method not in _METHODS[table.book]:
        yield f"{table.book} cannot be dealt by the method {table.method}"
    if table.method == "hand" and not table.machine_shuffles:
        yield "dealing from the hand needs a machine shuffle"
    if len(table.decks) > 1 and not table.machine_shuffles:
        yield "a second deck needs a machine that shuffles it"
    what = plan.irregularity
    if what is not None and what.kind == "stub-count" and what.stage not in ("", "dealing", "dealer-stack"):
        yield "the stub must be counted once all cards are dealt"
    yield from _positions(table, plan)
    for seat in plan.seats:
        for trouble in _of_seat(table.house, seat, plan.irregularity):
            yield f"seat {seat.seat}: {trouble}"


def _positions(table: TableInPlay, plan: RoundPlan) -> Iterator[str]:
    numbers = sorted(seat.seat for seat in plan.seats)
    if len(set(numbers)) < len(numbers):
        yield "a position has two players"
    if not numbers or numbers[0] < 1 or numbers[-1] > table.setup.positions:
        yield f"seat numbers must be 1 to {table.setup.positions}"
    of_player: dict[str, list[int]] = {}
    for seat in plan.seats:
        of_player.setdefault(seat.player or f"player-{seat.seat}", []).append(seat.seat)
    for player, held in of_player.items():
        if len(held) > table.house["max_positions"] or max(held) - min(held) >= len(held):
            yield f"{player} has more positions than one player may, or they are not adjacent"


def _of_seat(house: House, seat: SeatPlan, what: Irregularity | None) -> Iterator[str]:
    book, wagers = house.book.book, seat.wagers
    for wager, cents in wagers.items():
        least, most = (house.options.get(name) for name in _LIMITS.get(wager, ("", "")))
        if wager not in _WAGERS[book]:
            yield f"{wager} is not a wager before the deal"
        if cents <= 0 or (least and cents < least) or (most and cents > most):
            yield f"{wager} is outside the posted limits"
    if book == "PIK" and wagers.get("bonus5") != wagers.get("ante"):
        yield "the 5 card bonus must equal the ante"
    if book == "COL" and "bonus" in wagers and not house["bonus_offered"]:
        yield "no bonus is offered here"
    if book == "COL" and wagers.get("bonus", 100) != 100:
        yield "the bonus must be one $1 chip"
    if seat.coupons and not accepted(house):
        yield "this house accepts no coupons"
    last = seat.acts[-1] if seat.acts else ""
    if last and last not in ACTS[book]:
        yield f"{last!r} is not an act of this game: choose one of {', '.join(ACTS[book])}"
    wrong_fold = what is not None and what.kind == "fold-not-allowed"
    if book == "COL" and last == "fold" and house["version"] == "permissible" and not wrong_fold:
        yield "this version has no fold"
    if seat.cards and any(card not in seat.cards for card in (*seat.kept, *seat.second, *seat.selected)):
        yield "a kept or selected card was not dealt"


def went_as_planned(game: InPlay, void: RoundIsVoid | None) -> None:
    """Check that a planned irregularity took place; otherwise the round would prove nothing."""
    what = game.what
    noticed = what.kind in NOTICED and (what.kind != "jam" or (what.device == "shoe" and what.stage not in IN_THE_DEAL))
    missed = (void is None and bool(game.asides)) or (noticed and game.unnoticed and void is None)
    if what.kind == "jam" and what.device == "shoe" and what.stage in IN_THE_DEAL and void is None:
        missed = what.stage != "before-deal" or game.table.method != "automated-shoe"
    about = {"short-hand", "long-hand", "natural-undeclared", "erroneous-declaration", "fold-not-allowed"}
    if what.kind in about and what.of_seat not in game.seats:
        missed = True
    if what.kind == "erroneous-declaration" and what.of_seat is not None:
        missed = missed or game.hands[what.of_seat].choice != "declare"
    if what.kind == "fold-not-allowed" and what.of_seat is not None:
        missed = missed or game.hands[what.of_seat].choice != "fold"
    if missed:
        raise PlanError(f"the {what.kind} of the plan did not happen")
