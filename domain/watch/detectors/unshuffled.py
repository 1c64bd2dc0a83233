"""Cards in an old order: a new deck's, or the order in which they were dealt or picked up.

Only cards dealt one by one have a known order. A stack from an automated shoe may be in any order. A burned or removed
card between two others hides a neighbor and never makes one.
"""

from collections.abc import Sequence

from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.deck_rounds import dealt_order
from domain.table.old_order import again, most_again, most_runs, runs
from domain.watch.deck_queries import raised, the_round
from domain.watch.detecting import Found, RoundEnds, watch
from domain.watch.laws import law

UNSHUFFLED = law(
    "shuffle-missing",
    {
        "new": "UTH-MA 4(a) s1; UTH-MD 5.A; PIK 39.6(a)/s1-round; COL 5(a)/s1-round; FAH (e)(1)/s1-start",
        "round": "UTH-MA 4(a) s1; UTH-MD 5.A; UTH-MD 5.A(2); PIK 39.6(a)/s1-round; COL 5(a)/s1-round",
    },
)


@watch(RoundEnds, laws=(UNSHUFFLED,), by_cards=True)
def cards_do_not_come_as_they_lay(day: TableDay, _: Fact) -> Found:
    """Check that cards do not come in a new deck's order, or as they were last dealt or picked up."""
    told, deck = the_round(day), day.decks.at_hand
    if deck is None or (deck.rounds_since_shuffle and "shuffle-completed" not in told.unrecorded):
        return  # no shuffle is on record, which is a finding already
    order = dealt_order(told)
    decks = deck.decks if deck.received is not None or not day.game.many_rounds_a_shoe else int(told.house["decks"])
    if len(at := runs(order)) >= (least := most_runs(len(order), decks)):
        yield from _old(day, "new", at, least, "a neighbor of their suit")
        return
    at = again(order, deck.dealt_at, deck.picked_at) if deck.dealt_at else []
    if len(at) >= (least := most_again(len(order))):
        yield from _old(day, "round", at, least, "a card they were next to in the previous round")


def _old(day: TableDay, key: str, at: Sequence[int], least: int, what: str) -> Found:
    dealt = the_round(day).of(CardDealt)
    shows = [dealt[place] for place in at]
    says = (
        f"{len(at)} of {len(dealt)} cards followed {what}. "
        f"In shuffled cards, {least} or more do so less than once in a million rounds."
    )
    yield from raised(day, UNSHUFFLED, key, shows[least - 1], says, evidence=shows)
