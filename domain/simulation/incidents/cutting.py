"""Cuts missing, too shallow, too deep, unfinished or needless; recuts; offers of the cut."""

from domain.facts.deal import CardDealt, StackDispensed
from domain.facts.decks import CoverCardPlaced, CoverCardRemoved
from domain.facts.shuffles import (
    CutCompleted,
    CutOffered,
    CutPerformed,
    CutRefused,
    CuttingCardInserted,
    RecutOrdered,
    ShuffleCompleted,
)
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, gone, later, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import shuffled_by_hand, shuffled_by_machine
from domain.simulation.incidents.shuffling import before_the_deal, fresh_shoe, one_deck
from domain.simulation.incidents.stage import having, plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

_CUT = (CutOffered, CutRefused, CutPerformed, CutCompleted)
_LIFTED = ("UTH-MA", "PIK", "COL")  # a cover card is placed in front of the deck, and goes to the rack


@incident(
    "cut-missing",
    ALL_BOOKS,
    "Cards shuffled by hand are dealt uncut.",
    clauses="UTH-MA 4(b)(2); UTH-MD 5.D(2); PIK 39.6(b)2; FAH (e)(2)(ii); COL 5(b)(2)",
    setting=shuffled_by_hand,
    staging=fresh_shoe,
)
def uncut(scene: PlayedStretch) -> Woven:
    """Return the stretch without the cut."""
    start = before_the_deal(scene)
    cut = [fact for fact in start if isinstance(fact, _CUT)]
    covers = [
        fact
        for fact in start
        if (isinstance(fact, CoverCardPlaced) and fact.on != "shoe-end") or isinstance(fact, CoverCardRemoved)
    ]
    scene.wants(cut)
    return scene.woven(gone(*cut, *covers))


@incident(
    "cut-too-shallow",
    ALL_BOOKS,
    "Only a few cards are cut off.",
    clauses="UTH-MA 4(c)(1)(ii); UTH-MD 5.F; PIK 39.6(c)1ii; FAH (e)(5); COL 5(c)(1)(ii)",
    setting=shuffled_by_hand,
    staging=fresh_shoe,
)
def too_shallow(scene: PlayedStretch) -> Woven:
    """Return the stretch with fewer than ten cards cut off."""
    return scene.woven(told(scene.last(CutPerformed), depth=scene.chance.randint(3, 9)), anywhere=True)


@incident(
    "cut-unusually-deep",
    ("PIK", "COL"),
    "The cut leaves only a few cards below.",
    clauses="PIK 39.6(c)1ii; COL 5(c)(1)(ii)",
    setting=shuffled_by_hand,
)
def too_deep(scene: PlayedStretch) -> Woven:
    """Return the stretch with an unusually deep cut, which no text forbids."""
    cut = scene.last(CutPerformed)
    return scene.woven(told(cut, depth=(cut.of_cards or 52) - scene.chance.randint(3, 9)), anywhere=True)


@incident(
    "cut-unfinished",
    ALL_BOOKS,
    "The two parts of the cut do not change places.",
    clauses="UTH-MA 4(c)(1)(iii); UTH-MD 5.F(1); PIK 39.6(c)1iii; FAH (e)(6)/s1; COL 5(c)(1)(iii)",
    setting=shuffled_by_hand,
    staging=fresh_shoe,
)
def half_a_cut(scene: PlayedStretch) -> Woven:
    """Return the stretch with a cut whose parts go back as they were."""
    return scene.woven(gone(scene.last(CutCompleted)))


@incident(
    "deal-before-cut",
    _LIFTED,
    "The cut is completed when cards have been dealt.",
    clauses="UTH-MA 4(c)(2); PIK 39.6(c)2; COL 5(c)(2)",
    setting=shuffled_by_hand,
    besides=("cut-unfinished", "shoe-loaded-early", "cover-card-misplaced"),
)
def dealt_first(scene: PlayedStretch) -> Woven:
    """Return the stretch with the cut completed after the first card."""
    first = next(fact for fact in scene.facts if isinstance(fact, CardDealt | StackDispensed))
    return scene.woven(later(scene.last(CutCompleted), first), anywhere=True)


@incident(
    "unexpected-cut",
    ALL_BOOKS,
    "Cards a machine has shuffled are cut.",
    clauses="UTH-MA 4(b)(1); UTH-MD 5.D(1); PIK 39.6(b)1; FAH (e)(2)(i); COL 5(b)(1)",
    setting=lambda setup: one_deck(shuffled_by_machine(setup)) if setup.book != "FAH" else shuffled_by_machine(setup),
    staging=fresh_shoe,
)
def needless_cut(scene: PlayedStretch) -> Woven:
    """Return the stretch with a cut of machine-shuffled cards."""
    start = before_the_deal(scene)
    if scene.book == "FAH":
        inserted = scene.last(CuttingCardInserted)
        size, deck, behind = scene.table.deck, inserted.deck, scene.facts[scene.place(inserted) - 1]
        cards = len(size.cards)
    else:
        shuffled = [fact for fact in start if isinstance(fact, ShuffleCompleted)]
        scene.wants(shuffled)
        deck, behind, cards = shuffled[-1].deck, start[start.index(shuffled[-1]) + 1], 52
        scene.wants(getattr(behind, "stacks", 0))
    words = said("cut-performed", deck, cards // 2, cards), said("cut-completed", deck)
    return scene.woven(after(behind, *words), anywhere=True)


def _recut(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    return having(plain(plan), recut="improper cut")


@incident(
    "recut-missing",
    ONE_DECK,
    "A recut is ordered, and the cards are dealt without it.",
    clauses="UTH-MA 4(d); UTH-MD 5.G; PIK 39.6(d); COL 5(d)",
    setting=shuffled_by_hand,
)
def not_cut_again(scene: PlayedStretch) -> Woven:
    """Return the stretch without the ordered recut."""
    start = before_the_deal(scene)
    cut = [fact for fact in start if isinstance(fact, CutCompleted)]
    scene.wants(cut)
    by = "floorperson" if scene.book == "UTH-MD" else "supervisor"
    end = [fact for fact in start if isinstance(fact, CoverCardRemoved | CoverCardPlaced) and fact.round is None]
    return scene.woven(after(end[-1] if end else cut[-1], said("recut-ordered", by, "improper cut")))


@incident(
    "recut-out-of-order",
    ONE_DECK,
    "A recut is ordered by somebody without the rank for it, and made.",
    clauses="UTH-MA 4(d); UTH-MD 5.G; PIK 39.6(d); COL 5(d)",
    setting=shuffled_by_hand,
    staging=_recut,
)
def ordered_by_the_dealer(scene: PlayedStretch) -> Woven:
    """Return the stretch with a recut that the dealer orders."""
    return scene.woven(told(scene.first(RecutOrdered), by="dealer"), anywhere=True)


@incident(
    "cover-card-missing",
    _LIFTED,
    "The deck is cut without the cover card in front of it.",
    clauses="UTH-MA 4(c)(1)(i); PIK 39.6(c)1i; COL 5(c)(1)(i)",
    setting=shuffled_by_hand,
)
def no_cover_card(scene: PlayedStretch) -> Woven:
    """Return the stretch without the cover card of the cut."""
    placed = scene.last(CoverCardPlaced, on="before-deck")
    removed = scene.facts[scene.place(placed) :]
    away = next(fact for fact in removed if isinstance(fact, CoverCardRemoved))
    return scene.woven(gone(placed), told(away), anywhere=True)


@incident(
    "cover-card-misplaced",
    _LIFTED,
    "The cover card does not go to the discard rack after the cut.",
    clauses="UTH-MA 4(c)(1)(iv); PIK 39.6(c)1iv; COL 5(c)(1)(iv)",
    setting=shuffled_by_hand,
)
def left_on_the_layout(scene: PlayedStretch) -> Woven:
    """Return the stretch with the cover card left on the layout."""
    start = before_the_deal(scene)
    removed = [fact for fact in start if isinstance(fact, CoverCardRemoved)]
    scene.wants(removed)
    return scene.woven(told(removed[-1], to="layout"), anywhere=True)


@incident(
    "cut-offer-out-of-order",
    ("FAH",),
    "The cut is offered to another player than has the right to it.",
    clauses="FAH (e)(3)",
    setting=shuffled_by_hand,
    staging=fresh_shoe,
)
def the_wrong_player(scene: PlayedStretch) -> Woven:
    """Return the stretch with the cut offered to the wrong player, who cuts."""
    offered, cut = scene.last(CutOffered), scene.last(CutPerformed)
    others = [seat for seat in scene.seats() if seat != offered.seat]
    scene.wants(len(scene.all(CutOffered)) == 1 and cut.by == "player")
    other = scene.choose(others)
    return scene.woven(told(offered, seat=other), told(cut, seat=other), anywhere=True)


@incident(
    "cutting-card-too-shallow",
    ("FAH",),
    "The cutting card is put in with only a few cards behind it.",
    clauses="FAH (e)(6)/s2",
    setting=shuffled_by_hand,
    staging=lambda table, plan, _: having(fresh_shoe(table, plan, 0), cards_behind=30),
)
def almost_all_of_it(scene: PlayedStretch) -> Woven:
    """Return the stretch with the cutting card a few cards from the end."""
    return scene.woven(anywhere=True)
