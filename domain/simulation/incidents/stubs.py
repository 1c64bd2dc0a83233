"""The stub counted late, wrongly or in the open, not put away, or a wrong count left unexplained."""

from collections import Counter

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.decks import DeckRemoved
from domain.facts.payments import MisdealDetermined, RoundVoided, StubCounted, StubDiscarded
from domain.facts.shuffles import ShuffleCompleted
from domain.facts.table_day import MethodChanged
from domain.simulation import stub
from domain.simulation.incidents.changes import gone, told
from domain.simulation.incidents.incident import ONE_DECK, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import both, choosing, dealing, two_decks, with_options, with_parts
from domain.simulation.incidents.stage import plain
from domain.simulation.plans import RoundPlan
from domain.simulation.scripted import wrong
from domain.simulation.table import Setup, TableInPlay

_RACKED = {
    "manual-shoe": "UTH-MA 7(e); UTH-MD 8.D(4); PIK 39.7(d); COL 7(d)",
    "hand": "UTH-MA 8(d); UTH-MD 9.B(4); PIK 39.8(d); COL 8(d)",
    "automated-shoe": "UTH-MA 9(d) s2; UTH-MD 10.B(5); PIK 39.9(d); COL 9(d)",
}


def _counted(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Have this round's stub counted, due or not."""
    return msgspec.structs.replace(plain(plan), count_stub=True)


_A_WHILE = 5  # rounds within which a count is due


def _due(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Have the first round's stub counted; later rounds are ordinary."""
    if nth:
        return plan
    if not stub.count_is_due(table):
        raise StretchUnfitError("no count is due")
    return plain(plan)


@incident(
    "stub-count-overdue",
    ONE_DECK,
    "Five rounds are dealt without a count of the stub.",
    clauses={
        "manual-shoe": "UTH-MA 7(f) s1; UTH-MD 8.E; PIK 39.7(e)/s1; COL 7(e)/s1",
        "hand": "UTH-MA 8(e) s1; UTH-MD 9.C; PIK 39.8(e)/s1; COL 8(e)/s1",
        "automated-shoe": "UTH-MA 9(e) s1; UTH-MD 10.C; PIK 39.9(e)/s1; COL 9(e)/s1",
    },
    staging=_due,
    rounds=6,
    besides=("deck-uncounted",),
)
def not_counted(scene: PlayedStretch) -> Woven:
    """Return the stretch without a due count, which is overdue after five rounds."""
    counted = scene.first(StubCounted)
    scene.wants(not scene.has(RoundVoided) and not scene.has(DeckRemoved) and not scene.has(MethodChanged))
    scene.wants(len(scene.rounds) >= _A_WHILE)
    return scene.woven(gone(counted), until=scene.round + 4)


@incident(
    "stub-count-mismatch",
    ONE_DECK,
    "The stub is counted as one card more than the deal has left, and nobody does anything about it.",
    clauses={
        "": 'UTH-MA 1 (Stub); UTH-MA 7(f)(2) s1; PIK 39.1 "Stub"; PIK 39.7(e)2/s1; COL 1 "Stub"; COL 7(e)(2)/s1',
        "manual-shoe": "UTH-MD 8.G",
        "hand": "UTH-MD 9.E",
        "automated-shoe": "UTH-MD 10.E",
    },
    staging=_counted,
    besides=("stub-discrepancy-unresolved", "deck-not-removed", "round-not-voided", "ruling-needed"),
    quiet=3,
)
def counted_wrong(scene: PlayedStretch) -> Woven:
    """Return the stretch with a stub count one too high, and no reaction."""
    counted = scene.first(StubCounted)
    scene.wants(counted.cards is not None)
    return scene.woven(told(counted, cards=(counted.cards or 0) + 1))


def _short_deck(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Make the deck short when its stub is counted."""
    if table.rounds < 1:
        raise StretchUnfitError("the round before must have been dealt from it")
    return msgspec.structs.replace(plain(plan), irregularity=wrong("stub-count", finding="deck"))


@incident(
    "stub-discrepancy-unresolved",
    ONE_DECK,
    "A deck is a card short by the count of its stub, and nobody determines whether it was misdealt.",
    clauses={
        "": "UTH-MA 7(f)(2) s1; PIK 39.7(e)2/s1; COL 7(e)(2)/s1",
        "manual-shoe": "UTH-MD 8.G",
        "hand": "UTH-MD 9.E",
        "automated-shoe": "UTH-MD 10.E",
    },
    staging=_short_deck,
    besides=("stub-count-mismatch",),
    quiet=2,
    void=True,
)
def nobody_asks_why(scene: PlayedStretch) -> Woven:
    """Return the stretch with a short deck removed, but without the determination on the deal."""
    return scene.woven(gone(scene.first(MisdealDetermined)))


@incident(
    "deck-not-removed",
    ("UTH-MD", "PIK", "COL"),
    "The shuffler counts a card too few, and the deck is dealt all the same.",
    clauses="UTH-MD 5.E; PIK 39.7(f)/s2; COL 7(f)/s2",
    setting=choosing(shuffler="counting"),
)
def dealt_though_counted_short(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck dealt although the shuffler counted it short."""
    counted = scene.first(ShuffleCompleted, counted=lambda cards: cards is not None)
    scene.wants(len(scene.all(ShuffleCompleted)) == 1)
    idle = counted.deck != scene.first(RoundOpened).deck  # shuffled during this round, dealt in the next
    return scene.woven(told(counted, counted=(counted.counted or 0) - 1), round=scene.round + idle)


@incident(
    "stub-count-technique-wrong",
    ONE_DECK,
    "The stub is counted away from the layout.",
    clauses={
        "": "UTH-MA 7(f) s2; PIK 39.7(e)/s2; COL 7(e)/s2",
        "manual-shoe": "UTH-MD 8.E",
        "hand": "UTH-MD 9.C",
        "automated-shoe": "UTH-MD 10.C",
    },
    staging=_counted,
)
def counted_in_the_hand(scene: PlayedStretch) -> Woven:
    """Return the stretch with the stub counted away from the layout."""
    return scene.woven(told(scene.first(StubCounted), on_layout=False))


@incident(
    "stub-exposed",
    ONE_DECK,
    "Cards of the stub are shown as it goes into the rack.",
    clauses=_RACKED,
)
def stub_shown(scene: PlayedStretch) -> Woven:
    """Return the stretch with the stub's cards exposed."""
    scene.wants(not scene.has(StubCounted))
    return scene.woven(told(scene.first(StubDiscarded), exposed=True))


@incident(
    "stub-not-discarded",
    ONE_DECK,
    "The round ends and the stub has not been put into the discard rack.",
    clauses=_RACKED,
)
def stub_left(scene: PlayedStretch) -> Woven:
    """Return the stretch with the stub left beside the shoe."""
    scene.wants(not scene.has(StubCounted))
    return scene.woven(gone(scene.first(StubDiscarded)))


def _one_deck_counted(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Count both decks once; then only every fourth round, always for the same deck."""
    if len(table.decks) != 2:
        raise StretchUnfitError("there is one deck alone")
    return msgspec.structs.replace(plain(plan), count_stub=nth < 2 or table.turn % 4 == 0)


@incident(
    "deck-uncounted",
    ("PIK",),
    "Of two decks one is counted at every count, the other never.",
    clauses="PIK 39.7(e)/s1",
    setting=both(two_decks, choosing(shuffler="automated")),
    staging=_one_deck_counted,
    rounds=14,
    quiet=6,
    besides=("stub-count-overdue",),
)
def never_the_other_deck(scene: PlayedStretch) -> Woven:
    """Return the stretch with one of two decks never counted; a worn one may leave before that shows."""
    counted = {fact.round for fact in scene.all(StubCounted)}
    uncounted: Counter[str] = Counter()
    shows = False
    for opened in scene.all(RoundOpened):
        uncounted[opened.deck] = 0 if opened.round in counted else uncounted[opened.deck] + 1
        shows = shows or uncounted[opened.deck] >= _A_WHILE
    scene.wants(shows)
    return scene.woven(until=scene.rounds[-1])


def _reshuffling(setup: Setup) -> Setup:
    """Return the setup of Maryland's automated shoe that shuffles and counts by itself."""
    held = with_options(dealing("automated-shoe")(setup), {"shuffler": "none", "decks": 1})
    return with_parts(held, shoe_reshuffles=True, shuffler_loads_shoe=False)


@incident(
    "bad-deck-in-play",
    ("UTH-MD",),
    "A shoe that reshuffles by itself counts a card too few, and its deck is dealt.",
    clauses="UTH-MD 5.I",
    setting=_reshuffling,
)
def counted_short(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck in play that the shoe counted short."""
    counted = scene.first(ShuffleCompleted, counted=lambda cards: cards is not None)
    return scene.woven(told(counted, counted=(counted.counted or 0) - 1))
