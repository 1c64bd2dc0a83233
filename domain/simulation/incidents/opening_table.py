"""Errors at a table's opening: steps missing, and decks that are defective or too old."""

from collections.abc import Sequence

import msgspec

from domain.facts.deal import RoundOpened
from domain.facts.decks import (
    CardsWashed,
    CoverCardIntroduced,
    DeckInspected,
    DeckReceived,
    InspectionVerified,
)
from domain.facts.envelope import Fact
from domain.facts.players import InspectionOffered, PlayerArrived
from domain.scoring import Trace
from domain.simulation.edits import Facts
from domain.simulation.incidents.changes import gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import (
    both,
    choosing,
    opened_here,
    shuffled_by_hand,
    shuffled_by_machine,
    two_decks,
)
from domain.simulation.pace import HOUR


def _deck(scene: PlayedStretch) -> str:
    """Return the deck of the first round."""
    return scene.first(RoundOpened).deck


def _of_deck(scene: PlayedStretch, kind: type[Fact]) -> Fact:
    """Return the step with that deck, or with one deck of that batch."""
    deck = _deck(scene)
    facts = [fact for fact in scene.all(kind) if getattr(fact, "deck", "").partition("/")[0] == deck]
    return scene.choose(facts)


@incident(
    "opening-step-missing",
    ALL_BOOKS,
    "A deck comes into play without having been inspected, or without anybody having verified it.",
    clauses="UTH-MA 3(a); UTH-MD 4.A; PIK 39.5(a); FAH (d)(1); COL 4(a)",
    setting=opened_here,
    stretch="opening",
)
def not_inspected(scene: PlayedStretch) -> Woven:
    """Return the stretch without the inspection of a deck, or without its verification."""
    return scene.woven(gone(_of_deck(scene, scene.chance.choice((DeckInspected, InspectionVerified)))))


@incident(
    "wash-missing",
    ALL_BOOKS,
    "A new deck is stacked and shuffled without having been washed.",
    clauses="UTH-MA 3(c) s1; UTH-MD 4.C(2); PIK 39.5(c)/s1; FAH (d)(3)/s1; COL 4(c)/s1",
    setting=opened_here,
    stretch="opening",
)
def not_washed(scene: PlayedStretch) -> Woven:
    """Return the stretch without the wash of a new deck."""
    return scene.woven(gone(_of_deck(scene, CardsWashed)))


@incident(
    "inspection-not-offered",
    ALL_BOOKS,
    "Play begins and the first player has not been shown the cards.",
    clauses="UTH-MA 3(b) s1; UTH-MD 4.B; PIK 39.5(b)/s1; FAH (d)(2)/s1; COL 4(b)/s1",
    setting=opened_here,
    stretch="opening",
)
def not_shown(scene: PlayedStretch) -> Woven:
    """Return the stretch without showing the cards to the first player."""
    return scene.woven(gone(_of_deck(scene, InspectionOffered)))


@incident(
    "opening-by-batch",
    ("FAH",),
    "The opening of a batch is recorded as a whole and not for each of its decks.",
    clauses="FAH (d)(4)",
    setting=both(opened_here, shuffled_by_machine),
    stretch="opening",
)
def as_a_whole(scene: PlayedStretch) -> Woven:
    """Return the stretch with one opening entry for a whole batch."""
    deck = _deck(scene)

    def edit(facts: Sequence[Fact]) -> Facts:
        kept: Facts = []
        for fact in facts:
            batch, slash, number = getattr(fact, "deck", "").partition("/")
            if slash and batch == deck:
                if number == "1":
                    kept.append(msgspec.structs.replace(fact, deck=batch))
            else:
                kept.append(fact)
        return kept

    return scene.woven(edit)


@incident(
    "deck-composition-wrong",
    ALL_BOOKS,
    "A deck comes to the table with a card too few, and is played.",
    clauses="UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; FAH (b)(1)/s1; COL 2(a)/s1",
    stretch="opening",
)
def came_short(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck recorded as one card short on arrival."""
    came = scene.first(DeckReceived, deck=_deck(scene))
    return scene.woven(told(came, cards=(came.cards or 52) - 1))


@incident(
    "cover-card-missing/deck",
    ONE_DECK,
    "A deck comes to the table without its cover card.",
    code="cover-card-missing",
    clauses="UTH-MA 2(a); UTH-MD 3.A(3); PIK 39.2(a)/s1; COL 2(a)/s1",
    stretch="opening",
)
def no_cover_came(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck that arrives without its cover card."""
    came = scene.first(DeckReceived, deck=_deck(scene))
    introduced = [fact for fact in scene.all(CoverCardIntroduced) if fact.card.startswith(came.deck)]
    scene.wants(came.cover_cards and introduced)
    return scene.woven(told(came, cover_cards=(came.cover_cards or 1) - 1), gone(introduced[-1]))


@incident(
    "cards-nonconforming/deck",
    ("UTH-MD", "PIK", "COL"),
    "A deck is played with a defective card, or with a cover card like its backs.",
    clauses="UTH-MD 3.A(2); PIK 39.2(a)/s2; COL 2(a)/s2",
    setting=opened_here,
    stretch="opening",
)
def not_conforming(scene: PlayedStretch) -> Woven:
    """Return the stretch with a nonconforming deck in play."""
    if scene.book == "UTH-MD":
        inspected = _of_deck(scene, DeckInspected)
        return scene.woven(told(inspected, defects=1))
    came = scene.first(DeckReceived, deck=_deck(scene))
    return scene.woven(told(came, cover_color=came.back_color))


@incident(
    "decks-mismatched",
    ONE_DECK,
    "Two decks played in turn have backs of the same colour.",
    clauses="UTH-MA 2(b)(2); UTH-MD 3.B(2); PIK 39.2(b)2; COL 2(b)(2)",
    setting=two_decks,
    stretch="opening",
    rounds=2,
)
def alike(scene: PlayedStretch) -> Woven:
    """Return the stretch with two decks that have backs of one color."""
    first, second = scene.nth(0, RoundOpened), scene.nth(1, RoundOpened)
    one, other = (scene.first(DeckReceived, deck=opened.deck) for opened in (first, second))
    again = scene.trace("decks-mismatched", anywhere=True)  # whenever one deck replaces another
    return scene.woven(told(other, back_color=one.back_color), round=second.round, besides=[again])


@incident(
    "deck-number-wrong",
    ("FAH",),
    "The shoe holds a deck more than the house has chosen.",
    clauses="FAH (b)(1)/s1",
    setting=shuffled_by_hand,
    stretch="opening",
)
def a_deck_too_many(scene: PlayedStretch) -> Woven:
    """Return the stretch with one deck more in the shoe than the house has chosen."""
    came = scene.first(DeckReceived, deck=_deck(scene))
    more = came.decks + 1
    return scene.woven(told(came, decks=more, cards=52 * more), besides=_of_another_number(scene))


def _of_another_number(scene: PlayedStretch) -> list[Trace]:
    """Return the other findings of a larger shoe: a quarter of it is more cards, and so is its load, all day."""
    return [scene.trace(code, anywhere=True) for code in ("cutting-card-too-shallow", "deck-composition-wrong")]


@incident(
    "deck-number-unusual",
    ("FAH",),
    "The two batches hold neither twelve nor sixteen decks in all.",
    clauses="FAH (b)(4)",
    setting=both(opened_here, shuffled_by_machine, choosing(decks=6)),
    stretch="opening",
)
def seven_and_seven(scene: PlayedStretch) -> Woven:
    """Return the stretch with fourteen decks in two batches."""
    came = scene.all(DeckReceived)

    def edit(facts: Sequence[Fact]) -> Facts:
        told_now: Facts = []
        for fact in facts:
            told_now.append(fact)
            batch, _, number = getattr(fact, "deck", "").partition("/")
            if number == "6":
                again = {"deck": f"{batch}/7", "source_key": f"{fact.source_key}+"}
                told_now.append(msgspec.structs.replace(fact, **again))
        return told_now

    edits = [told(each, decks=7, cards=7 * 52) for each in came]
    return scene.woven(*edits, edit, anywhere=True, besides=_of_another_number(scene))


@incident(
    "deck-change-overdue",
    ("UTH-MD",),
    "The first cards are dealt from a deck that has lain at the table for longer than a deck may.",
    clauses={"hand": "UTH-MD 3.C(1)", "manual-shoe": "UTH-MD 3.C(2)", "automated-shoe": "UTH-MD 3.C(2)"},
    stretch="opening",
    besides=("deck-change-overdue",),
    quiet=2,
)
def since_the_morning(scene: PlayedStretch) -> Woven:
    """Return the stretch with a deck past its time when first dealt, after a long wait for players."""
    arrived = scene.first(PlayerArrived)
    before = {fact.source_key for fact in scene.facts[: scene.place(arrived)]}

    def edit(facts: Sequence[Fact]) -> Facts:
        early = 9 * HOUR
        return [
            msgspec.structs.replace(fact, at=fact.at - early) if fact.source_key in before else fact for fact in facts
        ]

    return scene.woven(edit)


@incident(
    "deck-change-overdue/day",
    ("FAH",),
    "Fast Action is dealt for a whole day with the cards of the day before.",
    code="deck-change-overdue",
    clauses="FAH (d)(5)",
    stretch="day",
)
def yesterdays_cards(scene: PlayedStretch) -> Woven:
    """Return the day without new cards."""
    return scene.woven(gone(*scene.all(DeckReceived)), anywhere=True)
