"""Fast Action's dealing marker: at the dealer first, then one place clockwise after each completed round."""

from collections.abc import Iterable

from domain.facts.deal import MarkerPlaced
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.table.day import TableDay
from domain.table.layout import DEALER, position
from domain.watch.deck_queries import the_house
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.finding import found
from domain.watch.laws import law

MISPLACED = law(
    "marker-misplaced",
    {"first": "FAH (g)(2)/s2", "next": "FAH (g)(2)/s3", "after an omission": "FAH (i)(6)"},
)


@watch(MarkerPlaced, laws=(MISPLACED,), needs=(RoundCompleted,))
def marker_moves(day: TableDay, fact: MarkerPlaced) -> Found:
    """Check that the marker goes to its next place; a missed move is not made up."""
    marker, goes = day.layout.marker, position(fact)
    if _skips(day) and not {"player-seated", "player-left"}.isdisjoint(day.unrecorded):
        return  # nobody knows which positions are empty
    if marker.stands is None:
        if goes != DEALER:
            says = f"At the start of the game, the marker was at {_name(goes)} instead of the dealer."
            yield found(MISPLACED, MISPLACED.cites(day.book, "first"), fact, says, seat=goes, dealer=day.dealer_person)
        return
    expected = _next(day, marker.stands)
    allowed = {expected} if marker.due else {marker.stands, expected} if marker.loose else {marker.stands, DEALER}
    if goes in allowed or (goes == DEALER and marker.recommenced):
        return
    keys = ["next", "after an omission"] if marker.omitted else ["next"]
    cited = tuple(clause for key in keys for clause in MISPLACED.cites(day.book, key))
    belongs = expected if marker.due or marker.loose else marker.stands
    says = f"The marker was placed at {_name(goes)} instead of {_name(belongs)}."
    yield found(MISPLACED, cited, fact, says, seat=goes or None, dealer=day.dealer_person)


@watch(DealBegins, laws=(MISPLACED,), needs=(MarkerPlaced, RoundCompleted))
def marker_in_place(day: TableDay, deals: Fact) -> Found:
    """Check that the marker was placed before the deal, and moved since the last round."""
    marker = day.layout.marker
    if marker.stands is None:
        key, says = "first", "Cards were dealt without a marker at the dealer."
    elif marker.due:
        key, says = "next", f"The marker was not moved after the last round; it stayed at {_name(marker.stands)}."
    else:
        return
    yield found(MISPLACED, MISPLACED.cites(day.book, key), deals, says, dealer=day.dealer_person)


def _next(day: TableDay, stands: int) -> int:
    """Return the next place clockwise: up the seats, then the dealer, then seat 1."""
    seats: Iterable[int] = sorted(day.seated) if _skips(day) else range(1, day.positions + 1)
    return next((seat for seat in seats if seat > stands), DEALER)


def _skips(day: TableDay) -> bool:
    return bool(the_house(day)["marker_skips_empty"])


def _name(place: int) -> str:
    return f"seat {place}" if place else "the dealer"
