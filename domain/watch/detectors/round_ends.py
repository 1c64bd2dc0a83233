"""The end of a round, which must come before the next one begins."""

from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed
from domain.table.day import TableDay
from domain.watch.deck_queries import the_round
from domain.watch.detecting import Found, RoundEnds, watch
from domain.watch.finding import found
from domain.watch.laws import law

NOT_CLOSED = law(
    "round-not-closed",
    'UTH-MA 1 (Round of play); PIK 39.1 "Round of play"; FAH (a)(1)(vii); COL 1 "Round of play"',
)


@watch(RoundEnds, laws=(NOT_CLOSED,), needs=(RoundCompleted,))
def rounds_are_completed(day: TableDay, ends: Fact) -> Found:
    """Check that a round is complete before the next one opens or the table closes."""
    if isinstance(ends, RoundCompleted):
        return
    told = the_round(day)
    what = "the table closed" if isinstance(ends, TableClosed) else "another began"
    says = f"Round {told.number} was not complete when {what}."
    yield found(NOT_CLOSED, NOT_CLOSED.cites(day.book), ends, says, round=told.number, dealer=told.dealer_person)
