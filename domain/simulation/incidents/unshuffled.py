"""Cards in an earlier order: a new deck's, or that of the round before (a false shuffle)."""

import msgspec

from domain.cards import DECK
from domain.facts.deal import RoundOpened
from domain.simulation.incidents.incident import ONE_DECK, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import both, dealing
from domain.simulation.incidents.shuffling import fresh_shoe, one_deck
from domain.simulation.incidents.stage import plain, with_hands
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

# The findings of a sorted deck; cards dealt one by one show its order.
CLAUSES = "UTH-MA 4(a) s1; UTH-MD 5.A; PIK 39.6(a)/s1-round; FAH (e)(1)/s1-start; COL 5(a)/s1-round"
# By suit, and within each from ace to king: `DECK` goes by rank, with the suits in each.
NEW_DECK = tuple(4 * rank + suit for suit in range(4) for rank in (12, *range(12)))


def one_by_one(setup: Setup) -> Setup:
    """Return the setup that deals cards one by one from one deck or shoe."""
    if setup.book == "FAH":
        return one_deck(setup)
    return both(dealing("manual-shoe", "hand"), one_deck)(setup)


def sorted_deck(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Leave the deck in its box order, with one cut; a shoe begins with such a deck."""
    cut = 13 * (nth % 4)
    lies = (*NEW_DECK[cut:], *NEW_DECK[:cut])
    if table.book == "FAH":
        dealt = 4 * (len(plan.seats) + 1) + 6  # plus a burn and the board
        return msgspec.structs.replace(plan if nth else fresh_shoe(table, plan, 0), order=lies[:dealt])
    if len((plan if nth else plain(plan, 2)).shuffled) != len(DECK):
        raise StretchUnfitError("the deck is not whole")
    return msgspec.structs.replace(plan, shuffled=lies)


@incident(
    "sorted-deck",
    (*ONE_DECK, "FAH"),
    "A deck is dealt in the order in which it came out of its box.",
    code="shuffle-missing",
    clauses=CLAUSES,
    setting=one_by_one,
    staging=sorted_deck,
    besides=("shuffle-missing",),
)
def in_order(scene: PlayedStretch) -> Woven:
    """Return the stretch with a sorted deck, which shows in the first round."""
    return scene.woven()


ENOUGH = 3  # hands
# Any order will do, if it occurs twice.
AGAIN = tuple(sorted(DECK, key=lambda card: (card * 29 + 17) % 52))


def as_before(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Leave the cards in the order of the round before, with enough dealt to show it."""
    if len((plan if nth else plain(plan)).shuffled) != len(DECK):
        raise StretchUnfitError("the deck is not whole")
    return msgspec.structs.replace(with_hands(table, plan, ENOUGH), shuffled=AGAIN)


@incident(
    "false-shuffle",
    ONE_DECK,
    "The shuffle leaves the cards as they were: the next round comes as the last.",
    code="shuffle-missing",
    clauses="UTH-MA 4(a) s1; UTH-MD 5.A; PIK 39.6(a)/s1-round; COL 5(a)/s1-round",
    setting=one_by_one,
    staging=as_before,
    rounds=2,
    quiet=2,
)
def the_same_again(scene: PlayedStretch) -> Woven:
    """Return the stretch with a repeated order, which shows in the second round."""
    opened = scene.all(RoundOpened)
    scene.wants(len(opened) == 2 and opened[0].deck == opened[1].deck)
    return scene.woven(round=scene.rounds[1])
