"""Real cases that led to fines, rebuilt round by round and hand by hand.

SugarHouse, 2018: cards left in the shuffler over 46 rounds and 122 hands, and a sorted deck dealt for 16 hands.
Hollywood, 2015: a card short for 42 hands. Golden Nugget, 2012: unshuffled cards, the same order for 41 rounds.
Tropicana: a dealer who overpaid one friend, thirty times and more.
"""

from itertools import pairwise

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded
from domain.games import GAMES
from domain.scoring import STATISTICAL
from domain.simulation.edits import said
from domain.simulation.incidents.changes import before, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, Staging, incident
from domain.simulation.incidents.missing_cards import CLAUSES as STUB
from domain.simulation.incidents.missing_cards import SHOWS, found_by_the_count, stays, uncounted, whole_again, without
from domain.simulation.incidents.patterns import ONE_WAY, dumped
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import both, chosen, dealing, opened_here, with_options
from domain.simulation.incidents.shuffling import fresh_shoe
from domain.simulation.incidents.stage import having, plain, with_hands
from domain.simulation.incidents.unshuffled import CLAUSES, as_before, one_by_one, sorted_deck
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

ROUNDS, HANDS, LEFT_BEHIND = 46, 122, 16
SORTED_HANDS = 16
_SHOES = tuple(book for book in ALL_BOOKS if GAMES[book].many_rounds_a_shoe)
MOST_OF_A_ROUND = 100  # cards put back after one


def hands_in(nth: int, rounds: int, hands: int) -> int:
    """Return how many hands the nth of these rounds has, so that they add up to this many."""
    return hands * (nth + 1) // rounds - hands * nth // rounds


def _short(many: int, rounds: int, hands: int) -> Staging:
    """Return the staging that removes this many cards from the first of these rounds on."""

    def staging(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
        if not nth:
            stays(table, plain(plan), rounds)
        plan = with_hands(table, plan, hands_in(nth, rounds, hands))
        return plan if nth else without(table, plan, plan.shuffled[-many:])

    return staging


@incident(
    "sugarhouse-single-deck",
    ONE_DECK,
    "Sixteen cards of a single deck stay behind in the shuffler for 46 rounds and 122 hands.",
    code="stub-count-mismatch",
    clauses=STUB,
    setting=uncounted,
    staging=_short(LEFT_BEHIND, ROUNDS, HANDS),
    rounds=ROUNDS,
    quiet=3,
    besides=SHOWS,
)
def sixteen_of_one_deck(scene: PlayedStretch) -> Woven:
    """Return the stretch with sixteen cards of one deck in the shuffler; the first stub count shows it."""
    return found_by_the_count(scene)


@incident(
    "hollywood",
    ONE_DECK,
    "A deck is one card short for 42 hands.",
    code="stub-count-mismatch",
    clauses=STUB,
    setting=uncounted,
    staging=_short(1, 16, 42),
    rounds=16,
    quiet=3,
    besides=SHOWS,
)
def one_card_short(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck one card short for about an hour."""
    return found_by_the_count(scene)


def _six_decks(setup: Setup) -> Setup:
    """Return the setup with six decks in a continuous shoe."""
    held = both(opened_here, dealing("continuous-shoe"))(setup)
    return held if chosen(held, "decks") == 6 else with_options(held, {"decks": 6})


def _left_in_the_machine(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Take the cards out and put them back without sixteen, which stay in the shuffler until the next time."""
    if nth == ROUNDS:
        whole_again(table)
        return having(plan, shuffle_ordered="directed")
    plan = plan if nth else fresh_shoe(table, plan, 0)
    plan = with_hands(table, plan, hands_in(nth, ROUNDS, HANDS))
    if nth:
        plan = msgspec.structs.replace(plan, parts={})  # nobody looks into the shoe meanwhile
    else:
        batch = table.deck
        batch.cards = tuple(card for place, card in enumerate(batch.cards) if place % 19 or place >= 19 * LEFT_BEHIND)
    return plan


@incident(
    "sugarhouse-six-decks",
    _SHOES,
    "Sixteen cards of six decks stay behind in the shuffler for 46 rounds and 122 hands, and its warning light is on.",
    code="deck-composition-wrong",
    clauses="FAH (b)(1)/s1",
    setting=_six_decks,
    staging=_left_in_the_machine,
    rounds=ROUNDS + 1,
    quiet=2,
)
def sixteen_of_six_decks(scene: PlayedStretch) -> Woven:
    """Return the stretch with sixteen cards of six decks missing; the shoe is short when it is next emptied."""
    whole_again(scene.table)
    touched = scene.rounds[:ROUNDS]
    emptied = scene.all(ShoeEmptied)
    if len(emptied) < 2:  # the day ended before the cards were taken out
        return Woven(tuple(scene.facts), ())
    loads = [fact for fact in scene.all(ShoeLoaded) if (fact.cards or 0) > MOST_OF_A_ROUND]
    device = scene.table.device("shoe")
    light = said("device-failed", device, "shoe", "incomplete"), said("device-restored", device)
    return scene.woven(
        *(told(fact, cards=None) for fact in loads),
        before(scene.first(RoundOpened), *light),
        anywhere=True,
        touches=touched,
    )


def _sorted_for_a_while(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    plan = with_hands(table, plan if nth else plain(plan), hands_in(nth, 6, SORTED_HANDS))
    return sorted_deck(table, plan, nth)


@incident(
    "sugarhouse-sorted-deck",
    ONE_DECK,
    "A sorted deck is dealt for sixteen hands.",
    code="shuffle-missing",
    clauses=CLAUSES,
    setting=one_by_one,
    staging=_sorted_for_a_while,
    rounds=6,
    quiet=2,
    besides=("shuffle-missing",),
)
def sorted_for_sixteen_hands(scene: PlayedStretch) -> Woven:
    """Return the stretch with a sorted deck, which shows in the first round."""
    return scene.woven()


@incident(
    "golden-nugget",
    ONE_DECK,
    "Cards that were never shuffled come in the same order for 41 rounds.",
    code="shuffle-missing",
    clauses="UTH-MA 4(a) s1; UTH-MD 5.A; PIK 39.6(a)/s1-round; COL 5(a)/s1-round",
    setting=one_by_one,
    staging=as_before,
    rounds=41,
    quiet=2,
    besides=("shuffle-missing",),
)
def never_shuffled(scene: PlayedStretch) -> Woven:
    """Return the stretch with cards in an unchanged order, which shows from the second round on."""
    opened = scene.all(RoundOpened)
    again = [later.round for one, later in pairwise(opened) if one.deck == later.deck]
    scene.wants(again)
    return scene.woven(round=again[0])


@incident(
    "tropicana",
    ALL_BOOKS,
    "A dealer pays one friend too much, thirty times in a day.",
    code=ONE_WAY,
    kind=STATISTICAL,
    rounds=70,
)
def one_friend(scene: PlayedStretch) -> Woven:
    """Return the stretch with each payment labeled, and the pattern that they all go to one friend."""
    return dumped(scene, 30, "tropicana")


@incident(
    "sugarhouse-shoe",
    _SHOES,
    "Sixteen cards of a shoe stay behind: what was loaded, dealt, burned and left does not add up.",
    code="deck-composition-wrong",
    clauses="FAH (b)(1)/s1",
    setting=dealing("manual-shoe"),
    staging=fresh_shoe,
    before=3,
    only_named=True,
)
def sixteen_of_a_shoe(scene: PlayedStretch) -> Woven:
    """Return the stretch with a shoe that is emptied sixteen cards short."""
    emptied = scene.first(ShoeEmptied)
    scene.wants(emptied.cards is not None and emptied.cards > LEFT_BEHIND)
    return scene.woven(told(emptied, cards=(emptied.cards or 0) - LEFT_BEHIND), anywhere=True)
