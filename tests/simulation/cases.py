"""Written rounds as plans: what the case format says of a round, dealt by the floor's dealers."""

from collections.abc import Iterator
from pathlib import Path

from domain.cards import UNKNOWN
from domain.settlement.case_format import WorkedCase, read
from domain.settlement.played import Seat, all_cards
from domain.simulation.plans import RoundPlan, SeatPlan

CASES = Path(__file__).parent.parent / "cases"
_RIDES = {"PIK": ("play3", "play5"), "FAH": ("split",), "COL": ("bet",)}


def written(book: str) -> Iterator[WorkedCase]:
    """Every written round of a book."""
    for line in (CASES / f"{book.lower()}.jsonl").read_text().splitlines():
        yield read(line)


def undealable(case: WorkedCase) -> str:
    """The reason why no lawful dealer deals this round, for a refused round or one nobody saw whole."""
    played, house = case.played, case.house
    if UNKNOWN in all_cards(played) or any(cents is None for seat in played.seats for cents in seat.wagers.values()):
        return "not all of it was seen"
    for seat in played.seats:
        wagers = seat.wagers
        if "play3" in wagers and "play5" in wagers:
            return "two play wagers on one hand"
        if seat.choice in ("play3", "play5") and wagers[seat.choice] != (
            (wagers["ante"] or 0) * house[f"{seat.choice}_multiple"]
        ):
            return "another play wager than the one multiple of the house"
        if "bet" in wagers and (seat.choice != "play" or wagers["bet"] != wagers["ante"]):
            return "a bet no rule allows"
        if "bonus5" in wagers and wagers["bonus5"] != wagers["ante"]:
            return "a 5 card bonus that is not as much as the ante"
        if "split" in wagers and (wagers["split"] != wagers["original"] or len(seat.cards) > 4):
            return "a split no rule allows"
        if seat.coupons and not house.options.get("match_play"):
            return "a coupon where none is accepted"
    return ""


def plan_of(case: WorkedCase) -> RoundPlan:
    """The plan of a written round."""
    played = case.played
    return RoundPlan(
        tuple(_seat(case, seat) for seat in played.seats),
        dealer=played.dealer,
        community=played.community,
        irregularity=played.irregularity,
        parts={"dealer_kept": played.dealer_kept} if _kept_by_choice(case) else {},
    )


def _kept_by_choice(case: WorkedCase) -> bool:
    what = case.played.irregularity
    return bool(case.played.dealer_kept) and (what is None or what.kind != "dealer-misset")


def _seat(case: WorkedCase, seat: Seat) -> SeatPlan:
    before = case.house.game.placed
    placed = {wager: cents or 0 for wager, cents in seat.wagers.items() if wager in before}
    return SeatPlan(
        seat.seat,
        placed,
        seat.cards,
        _acts(seat),
        seat.player or f"player-{seat.seat}",
        dict(seat.coupons),
        seat.kept,
        seat.second,
        seat.selected,
    )


def _acts(seat: Seat) -> tuple[str, ...]:
    if seat.choice == "short-void":
        return ()
    if not seat.choice:
        return ("leave",) if seat.left else ()
    return ("bet",) if "bet" in seat.wagers else (seat.choice,)
