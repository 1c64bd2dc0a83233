"""Cards that come out in the order they were in before: a new deck's, or that in which they were dealt or picked up.

Only cards dealt one by one have an order known to be the deck's; within a stack of an automated shoe they may lie in
any. A burned or removed card between two others hides a neighbour and never makes one.
"""

import itertools
from collections.abc import Sequence

from domain.cards import UNKNOWN, show
from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.table.day import TableDay
from domain.table.round import Round
from domain.table.spots import CODE
from domain.watch import at_the_table, course
from domain.watch.at_the_table import FAST_ACTION, STACKS
from domain.watch.chance import too_many
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law

UNSHUFFLED = law(
    "shuffle-missing",
    {
        "": "UTH-MA 4(a) s1; UTH-MD 5.A; PIK 39.6(a)/s1-round; COL 5(a)/s1-round; FAH (e)(1)/s1-start",
        "round": "UTH-MA 4(a) s1; UTH-MD 5.A; UTH-MD 5.A(2); PIK 39.6(a)/s1-round; COL 5(a)/s1-round",
    },
)
FEWEST = 4  # no deal is so short that fewer neighbours are too many


def _neighbours() -> tuple[frozenset[int], ...]:
    """The two cards of the same suit next to each card, the ace being next to king and two."""
    by_place = {show([card]): card for card in range(52)}
    ranks = "A23456789TJQK"
    near: dict[int, frozenset[int]] = {}
    for suit in "cdhs":
        for at, rank in enumerate(ranks):
            beside = (ranks[at - 1], ranks[(at + 1) % 13])
            near[by_place[rank + suit]] = frozenset(by_place[each + suit] for each in beside)
    return tuple(near[card] for card in range(52))


SORTED = _neighbours()


@judge(UNSHUFFLED)
def cards_do_not_come_in_suit_and_sequence(told: Round) -> Found:
    """Shuffled cards do not follow each other like a new deck's."""
    dealt = told.of(CardDealt)
    if told.method == STACKS or len(dealt) <= FEWEST:
        return
    at = runs([CODE[fact.card] for fact in dealt])
    if len(at) < FEWEST:
        return
    decks = int(told.house["decks"]) if told.book == FAST_ACTION else 1
    least = too_many(len(dealt), decks, 2)
    if len(at) >= least:
        shows = [dealt[place] for place in at]
        says = (
            f"{len(at)} of {len(dealt)} cards followed a neighbour of their suit as in a new deck; "
            f"shuffled cards show {least} or more less than once in a million rounds."
        )
        yield from course.raised(told, UNSHUFFLED, "", shows[least - 1], says, evidence=shows)


def runs(order: Sequence[int]) -> list[int]:
    """The places of the cards that follow a neighbour of their suit."""
    found, before = [], UNKNOWN
    for place, card in enumerate(order):
        if before != UNKNOWN and card in SORTED[before]:
            found.append(place)
        before = card
    return found


@watch(RoundEnds, laws=(UNSHUFFLED,))
def cards_do_not_come_as_they_were(day: TableDay, _: Fact) -> Found:
    """Shuffled cards do not follow each other as in the round before, dealt or picked up."""
    told, deck = day.round, day.decks.at_hand
    if told is None or deck is None or told.method == STACKS or day.book == FAST_ACTION:
        return
    dealt = told.of(CardDealt)
    if len(dealt) <= FEWEST or (not deck.last_order and not deck.last_pickup):
        return
    order = [CODE[fact.card] for fact in dealt]
    at = again(order, deck.last_order, deck.last_pickup)
    if len(at) < FEWEST:
        return
    least = too_many(len(order), 1, 4)
    if len(at) >= least:
        shows = [dealt[place] for place in at]
        says = (
            f"{len(at)} of {len(order)} cards followed the card they lay next to after the round before; "
            f"shuffled cards show {least} or more less than once in a million rounds."
        )
        yield from at_the_table.raised(day, UNSHUFFLED, "round", shows[least - 1], says, evidence=shows)


def again(order: Sequence[int], *earlier: Sequence[int]) -> list[int]:
    """The places of the cards that follow one they lay next to in an earlier order."""
    near: set[tuple[int, int]] = set()
    for held in earlier:
        near.update(itertools.pairwise(held))
    found, before = [], UNKNOWN
    for place, card in enumerate(order):
        if UNKNOWN not in (before, card) and ((before, card) in near or (card, before) in near):
            found.append(place)
        before = card
    return found
