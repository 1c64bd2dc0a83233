"""Cards unshuffled, shuffled against the rules, loaded early, not stacked, or decks not alternated."""

import msgspec

from domain.facts.deal import CardBurned, CardDealt, RoundOpened, StackDispensed
from domain.facts.decks import CardsStacked, DeckReceived, DiscardRackEmptied
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, RoundCompleted, StubDiscarded
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded, ShuffleCompleted, ShuffleStarted
from domain.facts.table_day import TableIdled
from domain.simulation.incidents.changes import all_earlier, earlier, gone, later, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import (
    both,
    by_book,
    dealing,
    shuffled_by_hand,
    two_decks,
    with_options,
    with_parts,
)
from domain.simulation.incidents.stage import having, plain, two_face_up
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay

_SHUFFLE = (ShuffleStarted, ShuffleCompleted, CardsStacked)


def one_deck(setup: Setup) -> Setup:
    """Return the setup with one deck that the dealer loads; Fast Action's is shuffled by hand."""
    if setup.book == "FAH":
        return shuffled_by_hand(setup)
    return with_parts(with_options(setup, {"decks": 1}), shuffler_loads_shoe=False, shoe_reshuffles=False)


def fresh_shoe(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Order a shuffle before this round at Fast Action; the other games shuffle before every round."""
    plain(plan)
    if table.book != "FAH":
        return plan
    if not table.rounds:
        raise StretchUnfitError("the first shoe is not the place")
    return having(plan, shuffle_ordered="directed")


def before_the_deal(scene: PlayedStretch) -> list[Fact]:
    """Return the facts of the stretch before its first card."""
    first = next(fact for fact in scene.facts if isinstance(fact, CardDealt | StackDispensed))
    return scene.facts[: scene.place(first)]


@incident(
    "shuffle-missing",
    ALL_BOOKS,
    "Cards are dealt again as they were picked up: the shuffle is left out.",
    clauses="UTH-MA 4(a) s1; UTH-MD 5.A; UTH-MD 5.A(2); PIK 39.6(a)/s1-round; FAH (e)(1)/s1-shoe; COL 5(a)/s1-round",
    setting=one_deck,
    staging=fresh_shoe,
    before=1,
    besides=("reshuffle-missing",),
)
def not_shuffled(scene: PlayedStretch) -> Woven:
    """Return the stretch without the shuffle."""
    shuffle = [fact for fact in before_the_deal(scene) if isinstance(fact, _SHUFFLE)]
    scene.wants(shuffle and not scene.has(DeckReceived) and not scene.has(TableIdled))
    return scene.woven(gone(*shuffle))


@incident(
    "reshuffle-missing",
    ALL_BOOKS,
    "After a void round the cards are dealt again without having been reshuffled.",
    clauses="UTH-MA 15(b) s2; UTH-MD 13.B; PIK 38.12(a)/s2; FAH (i)(5); COL 14(a)/s2",
    setting=one_deck,
    staging=two_face_up,
    rounds=2,
    void=True,
    quiet=2,
    besides=("shuffle-missing",),
)
def not_reshuffled(scene: PlayedStretch) -> Woven:
    """Return the stretch without the reshuffle after a void round."""
    first, second = scene.nth(0, RoundOpened), scene.nth(1, RoundOpened)
    between = scene.facts[scene.place(first) : scene.place(second)]
    shuffle = [fact for fact in between if isinstance(fact, _SHUFFLE)]
    scene.wants(shuffle and not scene.has(DeckReceived) and not scene.has(TableIdled))
    return scene.woven(gone(*shuffle), round=second.round)


@incident(
    "reshuffle-mid-round",
    ("FAH",),
    "Cards of the shoe in play are shuffled while the round goes on.",
    clauses="FAH (e)(1)/s1-any",
    setting=shuffled_by_hand,
    staging=lambda table, plan, nth: having(plan, shuffle_ordered="directed") if nth else plain(plan),
    rounds=2,
    besides=("shuffle-missing",),
)
def in_the_middle(scene: PlayedStretch) -> Woven:
    """Return the stretch with the shoe in play reshuffled before the round ends."""
    over = scene.first(RoundCompleted)
    second = scene.nth(1, RoundOpened)
    kinds = (ShoeEmptied, DiscardRackEmptied, *_SHUFFLE)
    between = scene.facts[scene.place(over) : scene.place(second)]
    shuffle = [fact for fact in between if isinstance(fact, kinds)]
    return scene.woven(*all_earlier(shuffle, over))


@incident(
    "shoe-loaded-early",
    ALL_BOOKS,
    "The cards go into the shoe before they are shuffled.",
    clauses={
        "manual-shoe": "UTH-MA 7(a) s2; UTH-MD 8.B; PIK 39.7(a)/s2; FAH (e)(6)/s3; COL 7(a)/s2",
        "automated-shoe": "UTH-MA 9(b)(1); UTH-MD 10.A(1); PIK 39.9(b)1; COL 9(b)(1)",
    },
    setting=both(by_book(dict.fromkeys(ONE_DECK, dealing("manual-shoe", "automated-shoe"))), one_deck),
    staging=fresh_shoe,
)
def loaded_first(scene: PlayedStretch) -> Woven:
    """Return the stretch with the shoe loaded before the shuffle."""
    start = before_the_deal(scene)
    loaded = [fact for fact in start if isinstance(fact, ShoeLoaded)]
    started = [fact for fact in start if isinstance(fact, ShuffleStarted)]
    scene.wants(loaded and started)
    return scene.woven(earlier(loaded[-1], started[-1]))


@incident(
    "deck-not-stacked",
    ALL_BOOKS,
    "The shuffled cards are left in two stacks.",
    clauses="UTH-MA 4(a) s2; UTH-MD 5.B; PIK 39.6(a)/s2; FAH (e)(1)/s2; COL 5(a)/s2",
    setting=one_deck,
    staging=fresh_shoe,
)
def two_stacks(scene: PlayedStretch) -> Woven:
    """Return the stretch with the shuffled cards in two stacks."""
    stacked = [fact for fact in before_the_deal(scene) if isinstance(fact, CardsStacked)]
    scene.wants(stacked)
    return scene.woven(told(stacked[-1], stacks=2))


@incident(
    "hand-deal-without-shuffler",
    ONE_DECK,
    "Cards are dealt from the hand after a shuffle by hand.",
    clauses="UTH-MA 8(b)(1); UTH-MD 9.A(1); PIK 39.8(b)1; COL 8(b)(1)",
    setting=both(dealing("hand"), one_deck),
    besides=("cut-missing",),
)
def shuffled_by_the_dealer(scene: PlayedStretch) -> Woven:
    """Return the stretch dealt from the hand after a shuffle by hand."""
    started, completed = scene.first(ShuffleStarted), scene.first(ShuffleCompleted)
    by_hand = {"method": "manual", "device": ""}
    stood = scene.trace("device-not-removed", anywhere=True)
    return scene.woven(told(started, **by_hand), told(completed, **by_hand, counted=None), besides=[stood])


@incident(
    "idle-deck-not-shuffled",
    ONE_DECK,
    "The deck out of play is not shuffled while the other is, and is dealt in its turn.",
    clauses="UTH-MA 2(b)(3); UTH-MD 3.B(3); PIK 39.2(b)3; COL 2(b)(3)",
    setting=two_decks,
    rounds=2,
    before=1,
    quiet=2,
    besides=("shuffle-missing", "reshuffle-missing", "opening-step-missing"),  # nor is it stacked for it
)
def not_in_the_machine(scene: PlayedStretch) -> Woven:
    """Return the stretch without the shuffle of the idle deck."""
    first, second = scene.nth(0, RoundOpened), scene.nth(1, RoundOpened)
    scene.wants(first.deck != second.deck and not scene.has(DeckReceived))
    early = scene.facts[: scene.place(second)]
    shuffle = [fact for fact in early if isinstance(fact, _SHUFFLE) and fact.deck == second.deck]
    scene.wants(shuffle)  # after an idle period, both were shuffled before the first of these rounds
    return scene.woven(gone(*shuffle), round=second.round)


def _same_again(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Give the last round's deck another turn."""
    plain(plan)
    if len(table.decks) != 2 or not table.rounds:
        raise StretchUnfitError("there is no deck to take turns with")
    table.turn += 1
    return msgspec.structs.replace(plan, shuffled=tuple(plan.shuffled))


@incident(
    "deck-not-alternated",
    ONE_DECK,
    "Of two decks the same is dealt twice running.",
    clauses="UTH-MA 2(b)(4); UTH-MD 3.B(4); PIK 39.2(b)4; COL 2(b)(4)",
    setting=two_decks,
    staging=_same_again,
    quiet=2,
)
def the_same_deck_again(scene: PlayedStretch) -> Woven:
    """Return the stretch with one deck dealt twice in a row; later counts then fall on the other deck."""
    return scene.woven(besides=[scene.trace("deck-uncounted", anywhere=True)])


@incident(
    "discard-rack-mixed",
    ONE_DECK,
    "Cards of the second deck go into the rack while those of the first still lie there.",
    clauses="UTH-MA 2(b)(5); UTH-MD 3.B(5); PIK 39.2(b)5; COL 2(b)(5)",
    setting=two_decks,
    rounds=2,
    quiet=2,
)
def rack_not_emptied(scene: PlayedStretch) -> Woven:
    """Return the stretch with a second deck's cards in the discard rack."""
    second = scene.nth(1, RoundOpened)
    first, rest = scene.first(RoundOpened).deck, scene.facts[scene.place(second) :]
    racked = next(fact for fact in rest if isinstance(fact, HandsCollected | StubDiscarded | CardBurned))
    started = next((fact for fact in rest if isinstance(fact, ShuffleStarted) and fact.deck == first), None)
    ended = next((fact for fact in rest if isinstance(fact, ShuffleCompleted) and fact.deck == first), None)
    scene.wants(started is not None and ended is not None and scene.place(racked) < scene.place(ended))
    if started is None:
        raise LookupError("the deck went into the machine, which was just asked")
    return scene.woven(gone(scene.first(DiscardRackEmptied)), later(started, racked), round=scene.rounds[-1])
