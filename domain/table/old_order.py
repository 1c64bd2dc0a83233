"""Old orders among the cards dealt one by one: a new deck's, and the order of the round before.

A burned or removed card between two others hides a neighbor and never makes one.
"""

from collections.abc import Sequence

from domain.cards import UNKNOWN, show
from domain.table.chance import too_many


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


def shows(order: Sequence[int], dealt_at: Sequence[int], picked_at: Sequence[int]) -> bool:
    """Return whether the cards of one deck came in an old order, as shuffled cards do once in a million rounds."""
    if len(runs(order)) >= most_runs(len(order), 1):
        return True
    return bool(dealt_at) and len(again(order, dealt_at, picked_at)) >= most_again(len(order))


def most_runs(cards: int, decks: int) -> int:
    """Return the least number of runs that so many shuffled cards show at most once in a million rounds."""
    return too_many(cards, decks, 2)


def most_again(cards: int) -> int:
    """Return the same for neighbors of the previous round."""
    return too_many(cards, 1, 4)


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
