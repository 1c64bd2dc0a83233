"""Cards missing from the deck for a stretch of rounds: palmed, or left in the shuffler."""

from collections.abc import Sequence

import msgspec

from domain.cards import DECK
from domain.facts.decks import DeckRemoved
from domain.facts.payments import StubCounted
from domain.scoring import Label
from domain.simulation.incidents.incident import ONE_DECK, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import chosen, with_options
from domain.simulation.incidents.shuffling import one_deck
from domain.simulation.incidents.stage import plain
from domain.simulation.pace import HOUR, MINUTE
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay
from domain.table.deck import life_hours

# What a short deck may also cause until it is whole again.
SHOWS = (
    *("stub-count-mismatch", "stub-discrepancy-unresolved", "deck-not-removed", "deck-composition-wrong"),
    *("round-not-voided", "ruling-needed"),
)
CLAUSES = {
    "": 'UTH-MA 1 (Stub); UTH-MA 7(f)(2) s1; PIK 39.1 "Stub"; PIK 39.7(e)2/s1; COL 1 "Stub"; COL 7(e)(2)/s1',
    "manual-shoe": "UTH-MD 8.G",
    "hand": "UTH-MD 9.E",
    "automated-shoe": "UTH-MD 10.E",
}


PALMED = 8  # rounds for which a card is kept
_A_ROUND = 4 * MINUTE  # few stretches last longer


def uncounted(setup: Setup) -> Setup:
    """Return the setup with one deck and no device that counts it."""
    held = one_deck(setup)
    return with_options(held, {"shuffler": "automated"}) if chosen(held, "shuffler") == "counting" else held


def without(table: TableInPlay, plan: RoundPlan, gone: Sequence[int]) -> RoundPlan:
    """Remove these cards from the deck in turn, and so from this round."""
    table.deck.cards = tuple(card for card in table.deck.cards if card not in gone)
    return msgspec.structs.replace(plan, shuffled=tuple(card for card in plan.shuffled if card not in gone))


def stays(table: TableInPlay, plan: RoundPlan, rounds: int) -> RoundPlan:
    """Return the round if its deck stays at the table for this many more rounds; otherwise it does not qualify."""
    life = life_hours(table.house.book, by_hand=table.method == "hand")
    if life is not None and table.post.at + rounds * _A_ROUND > table.deck.since + life * HOUR:
        raise StretchUnfitError("the deck would be changed meanwhile")
    return plan


def whole_again(table: TableInPlay) -> None:
    """Put the missing cards back."""
    for deck in table.decks:
        deck.cards = tuple(sorted(DECK * deck.decks))


def found_by_the_count(scene: PlayedStretch) -> Woven:
    """Return the label of a short deck, which the first stub count shows at the latest."""
    whole_again(scene.table)
    changed = [scene.place(fact) for fact in scene.all(DeckRemoved)]
    counts = [fact for fact in scene.all(StubCounted) if not changed or scene.place(fact) < changed[0]]
    if not counts:  # the day ended, or the deck was worn, before a count
        return Woven(tuple(scene.facts), ())
    unseen = scene.trace("deck-composition-wrong", anywhere=True)  # the missing cards, until they are dealt again
    woven = scene.woven(round=counts[0].round, besides=[unseen])
    return Woven(woven.facts, tuple(_until_the_end(label, scene) for label in woven.labels))


def _until_the_end(label: Label, scene: PlayedStretch) -> Label:
    last = scene.rounds[-1] + scene.incident.quiet
    besides = tuple(
        trace
        if trace.first_round is None
        else msgspec.structs.replace(trace, first_round=scene.rounds[0], last_round=last)
        for trace in label.besides
    )
    return msgspec.structs.replace(label, besides=besides)


def _one_card_gone(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Take the deck's last card in the first round; it would have been dealt to nobody."""
    if nth:
        return plan
    return without(table, stays(table, plain(plan), PALMED), plan.shuffled[-1:])


@incident(
    "palmed-card",
    ONE_DECK,
    "A card is palmed and kept for some rounds, for a better moment.",
    code="stub-count-mismatch",
    clauses=CLAUSES,
    setting=uncounted,
    staging=_one_card_gone,
    rounds=PALMED,
    quiet=3,
    besides=SHOWS,
)
def palmed(scene: PlayedStretch) -> Woven:
    """Return the stretch with a palmed card, which makes each stub count one short."""
    return found_by_the_count(scene)
