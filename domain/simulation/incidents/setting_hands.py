"""Hands set, discarded, selected and declared against the rules, and the dealer's against the house way."""

from domain.cards import cards, show
from domain.facts.decisions import (
    CardDiscarded,
    CardsSelected,
    DecisionMade,
    DiscardsCollected,
    HandRevealed,
    HandSet,
    NaturalConfirmed,
)
from domain.house_way import acceptable
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, all_later, gone, told
from domain.simulation.incidents.incident import incident
from domain.simulation.incidents.scene import PlayedStretch, Woven, cards_of
from domain.simulation.incidents.settings import choosing
from domain.simulation.incidents.stage import by_book, dealt, having, holding, numbers, plain, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay


@incident(
    "discard-count-wrong",
    ("FAH", "COL"),
    "A player puts down another number of discards than the rules give.",
    clauses={"FAH": "FAH (h)(1)/s2", "required": "COL 10(b)(1)/s2", "permissible": "COL 11(b)(1)/s2"},
)
def one_discard_too_many_or_few(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wrong number of discards: two at Colorado, one at Fast Action."""
    if scene.book == "FAH":
        hand = scene.any_of(HandSet, seat=lambda seat: seat is not None, discarded=2)
        return scene.woven(told(hand, discarded=1), seat=hand.seat, keys=("FAH",))
    put_down = scene.any_of(CardDiscarded, count=1)
    return scene.woven(told(put_down, count=2), seat=put_down.seat, keys=(str(scene.house["version"]),))


@incident(
    "discard-count-wrong/uncollected",
    ("FAH",),
    "The dealer goes on without having collected and counted a player's discards.",
    clauses="FAH (h)(5)/s2",
)
def discards_left_lying(scene: PlayedStretch) -> Woven:
    """Return the stretch without the collection of one player's discards."""
    collected = scene.any_of(DiscardsCollected, seat=lambda seat: seat is not None)
    return scene.woven(gone(collected), seat=collected.seat)


def _surrendering(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    """Have a player before the last surrender, so that the dealer collects another's discards before."""
    plain(plan, 2)
    first, *_others, last = numbers(plan)
    plan = holding(plan, first, "2c 4d 9s Th", "surrender")
    return holding(plan, last, "Kc Qd 6c 8s", "set")


@incident(
    "surrender-late",
    ("FAH",),
    "A player discontinues after the dealer has begun to collect the discards.",
    clauses="FAH (h)(6)/s1",
    staging=_surrendering,
)
def gives_up_too_late(scene: PlayedStretch) -> Woven:
    """Return the stretch with a surrender after the collection of discards began."""
    made = scene.first(DecisionMade, decision="surrender")
    begun = scene.first(DiscardsCollected)
    scene.wants(begun.seat != made.seat)
    moves = scene.wagers(seat=made.seat, wager="original")[0].moves
    return scene.woven(*all_later([made, *moves], begun), seat=made.seat)


@incident(
    "selection-invalid",
    ("PIK",),
    "A player does not select three cards for the 3 card bonus, and the wager is settled all the same.",
    clauses="PIK 39.10(a); PIK 39.10(b)/s1",
    setting=choosing(bonus3_table=1),
    staging=lambda table, plan, _: with_wager(plain(plan), numbers(plan)[0], bonus3=500),
)
def nothing_selected(scene: PlayedStretch) -> Woven:
    """Return the stretch without a selection for the 3 card bonus, settled on the best three."""
    selected = scene.any_of(CardsSelected)
    return scene.woven(gone(selected), seat=selected.seat)


@incident(
    "selection-invalid/others",
    ("PIK",),
    "The cards selected for the 3 card bonus are not all of those dealt.",
    clauses="PIK 39.10(b)/s2",
    setting=choosing(bonus3_table=1),
    staging=lambda table, plan, _: with_wager(plain(plan), numbers(plan)[0], bonus3=500),
    besides=("deck-composition-wrong",),
)
def another_card_selected(scene: PlayedStretch) -> Woven:
    """Return the stretch with a selected card that was never dealt."""
    selected = scene.any_of(CardsSelected)
    out = {card for fact in scene.facts for card in cards_of(fact)}
    sleeve = scene.choose([show([card]) for card in range(52) if show([card]) not in out])
    return scene.woven(told(selected, cards=(*selected.cards[:2], sleeve)), seat=selected.seat)


_NATURAL = "7s 7d 7h 7c"


def _natural(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    plan = dealt(plain(plan), dealer="9c 9h 4c 3h")
    return holding(plan, numbers(plan)[0], _NATURAL, "natural")


@incident(
    "natural-undeclared",
    ("FAH",),
    "A player dealt a natural says nothing and plays on with two of the cards.",
    clauses="FAH (h)(2)/s1",
    staging=lambda table, plan, _: holding(dealt(plain(plan), dealer="9c 9h 4c 3h"), numbers(plan)[0], _NATURAL, "set"),
)
def natural_not_announced(scene: PlayedStretch) -> Woven:
    """Return the stretch with a natural that its player does not declare."""
    natural = set(_NATURAL.split())
    hand = scene.first(HandSet, seat=lambda seat: seat is not None, kept=lambda kept: set(kept) <= natural)
    return scene.woven(seat=hand.seat)


def _instant_winner(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    return holding(plain(plan), numbers(plan)[0], "5c 6c 7c", "declare")


@incident(
    "declared-hand-misjudged",
    ("FAH", "COL"),
    "The dealer refuses a natural or an instant winner that the cards do make, and pays it when a supervisor has come.",
    clauses={"FAH": "FAH (a)(1)(v)", "required": "COL 10(b)(3)(i)/s3", "permissible": "COL 11(b)(2)(i)/s3"},
    staging=by_book({"FAH": _natural, "COL": _instant_winner}),
)
def refused(scene: PlayedStretch) -> Woven:
    """Return the stretch with a right declaration that the dealer first refuses."""
    confirmed = scene.first(NaturalConfirmed, confirmed=True)
    key = "FAH" if scene.book == "FAH" else str(scene.house["version"])
    return scene.woven(told(confirmed, confirmed=False), seat=confirmed.seat, keys=(key,))


# The dealer's four cards, and the two kept against the house way.
_WRONG = (("Ac Th 8s 8d", "Ac Th"), ("Jd 9c 6h 5h", "6h 5h"), ("9c 9d Ah Kh", "Ah Kh"))


def _dealers_hand(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with a dealer's hand of one right setting, set differently."""
    plain(plan)
    readings = {name: table.house[f"house_way.{name}"] for name in ("viii", "ix")}
    for held, wrong in _WRONG:
        found = acceptable(cards(held), **readings)
        if found is not None and tuple(sorted(cards(wrong))) not in {*found[1], *found[2]}:
            return having(dealt(plan, dealer=held), dealer_kept=cards(wrong))
    raise AssertionError("every hand here has a way to be set wrong")


@incident(
    "house-way-wrong",
    ("FAH",),
    "The dealer keeps two other cards than the house way does, and everybody is settled against them.",
    clauses="FAH (h)(9)",
    staging=_dealers_hand,
)
def set_against_the_house_way(scene: PlayedStretch) -> Woven:
    """Return the stretch with the dealer's hand set against the house way."""
    return scene.woven()


def _ambiguous(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with two suited pairs to choose from, of which the lower is kept."""
    return having(dealt(plain(plan), dealer="Kh Kh 2s 2s"), dealer_kept=cards("2s 2s"))


@incident(
    "house-way-alternative",
    ("FAH",),
    "The dealer keeps a pair the house way allows as well as the expected one.",
    clauses="FAH (h)(9)(i)",
    staging=_ambiguous,
)
def the_other_pair(scene: PlayedStretch) -> Woven:
    """Return the stretch with the lower of two allowed pairs kept."""
    return scene.woven()


@incident(
    "dealer-natural-played-on",
    ("FAH",),
    "The dealer holds a natural, and a card is burned behind it.",
    clauses="FAH (h)(8)/s1",
    staging=lambda table, plan, _: dealt(plain(plan), dealer="Qs Qc Qd Qh"),
)
def behind_the_natural(scene: PlayedStretch) -> Woven:
    """Return the stretch with play continued after a dealer's natural."""
    shown = scene.first(HandRevealed, seat=None)
    return scene.woven(after(shown, said("card-burned", "community")))
