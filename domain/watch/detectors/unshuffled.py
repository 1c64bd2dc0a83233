"""Cards in an old order: a new deck's, or the order in which they were dealt or picked up.

Only cards dealt one by one have a known order. A stack from an automated shoe may be in any order. A burned or removed
card between two others hides a neighbor and never makes one.
"""

from collections.abc import Sequence

from domain.cards import UNKNOWN, show
from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.deck_rounds import dealt_order
from domain.watch.chance import too_many
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


def _neighbours() -> tuple[frozenset[int], ...]:
    """Return the two cards next to each card in its suit; the ace is next to king and two."""
    by_text = {show([card]): card for card in range(52)}
    ranks = "A23456789TJQK"
    near: dict[int, frozenset[int]] = {}
    for suit in "cdhs":
        for at, rank in enumerate(ranks):
            beside = (ranks[at - 1], ranks[(at + 1) % 13])
            near[by_text[rank + suit]] = frozenset(by_text[each + suit] for each in beside)
    return (*(near[card] for card in range(52)), frozenset())


SORTED = _neighbours()  # an unknown card has none


@watch(RoundEnds, laws=(UNSHUFFLED,), by_cards=True)
def cards_do_not_come_as_they_lay(day: TableDay, _: Fact) -> Found:
    """Check that cards do not come in a new deck's order, or as they were last dealt or picked up."""
    told, deck = the_round(day), day.decks.at_hand
    if deck is None:
        return
    order = dealt_order(told)
    decks = deck.decks if deck.received is not None or not day.game.many_rounds_a_shoe else int(told.house["decks"])
    yield from _too_many(day, "new", runs(order), too_many(len(order), decks, 2), "a neighbor of their suit")
    if deck.dealt_at:
        at = again(order, deck.dealt_at, deck.picked_at)
        yield from _too_many(
            day, "round", at, too_many(len(order), 1, 4), "a card they were next to in the previous round"
        )


def _too_many(day: TableDay, key: str, at: Sequence[int], least: int, what: str) -> Found:
    if len(at) < least:
        return
    dealt = the_round(day).of(CardDealt)
    shows = [dealt[place] for place in at]
    says = (
        f"{len(at)} of {len(dealt)} cards followed {what}. "
        f"In shuffled cards, {least} or more do so less than once in a million rounds."
    )
    yield from raised(day, UNSHUFFLED, key, shows[least - 1], says, evidence=shows)


def runs(order: Sequence[int]) -> list[int]:
    """Return the places of the cards that follow a neighbor of their suit."""
    found, before = [], UNKNOWN
    for place, card in enumerate(order):
        if card in SORTED[before]:
            found.append(place)
        before = card
    return found


def again(order: Sequence[int], dealt_at: Sequence[int], picked_at: Sequence[int]) -> list[int]:
    """Return the places of the cards that follow an old neighbor, given their old places."""
    found, before = [], UNKNOWN
    for place, card in enumerate(order):
        beside = -2 < dealt_at[card] - dealt_at[before] < 2 or -2 < picked_at[card] - picked_at[before] < 2
        if beside and card != before:  # and not two unseen cards
            found.append(place)
        before = card
    return found
