"""Hands revealed early or not at all, unannounced hands, and cards left on the table or collected early."""

from itertools import pairwise

from domain.facts.deal import CardDealt
from domain.facts.decisions import (
    DecisionAsked,
    DecisionMade,
    DiscardsCollected,
    HandAnnounced,
    HandRevealed,
    HandSet,
)
from domain.facts.payments import HandsCollected
from domain.simulation.incidents.changes import earlier, gone, later, swapped
from domain.simulation.incidents.incident import ALL_BOOKS, ULTIMATE, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.stage import by_book, everybody, numbers, plain, with_seat, with_wager
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

PLAYS = ("play", "play3", "play5")
MAIN = ("ante", "blind", "play", "play3", "play5", "bet")
_TO_THE_END = everybody("check", "check", "play")


@incident(
    "dealer-revealed-early",
    (*ULTIMATE, "PIK", "FAH"),
    "The dealer's cards are opened before the last player has decided, or the last discards are collected.",
    clauses="UTH-MA 10(f) s1; UTH-MD 11.G(1); PIK 39.10(d)/s1; FAH (h)(7)/s1",
    staging=by_book(dict.fromkeys(ULTIMATE, _TO_THE_END)),
    besides=("wager-outside-window", "round-not-voided"),
)
def opened_early(scene: PlayedStretch) -> Woven:
    """Return the stretch with the dealer's cards revealed before one player has decided."""
    shown = scene.first(HandRevealed, seat=None)
    if scene.book == "FAH":
        collected = scene.all(DiscardsCollected, seat=lambda seat: seat is not None)
        scene.wants(collected)
        return scene.woven(earlier(shown, collected[-1]))
    return scene.woven(earlier(shown, scene.last(DecisionAsked)))


@incident(
    "hand-not-revealed",
    ("UTH-MA", "UTH-MD", "PIK", "COL"),
    "A player's hand is settled without having been turned up.",
    clauses={
        "": "UTH-MA 10(h) s1; UTH-MD 11.H(2)(a); PIK 39.10(c)1",
        "required": "COL 10(d)",
        "permissible": "COL 11(d)",
    },
)
def never_shown(scene: PlayedStretch) -> Woven:
    """Return the stretch without the reveal of a settled hand."""
    playing = _playing(scene)
    shown = scene.any_of(HandRevealed, seat=lambda seat: seat in playing)
    return scene.woven(gone(shown), seat=shown.seat, keys=_version(scene))


def _playing(scene: PlayedStretch) -> set[int]:
    """Return the seats whose hands are compared."""
    return {fact.seat for fact in scene.all(DecisionMade, decision=lambda held: held in PLAYS)}


def _version(scene: PlayedStretch) -> tuple[str, ...]:
    return (str(scene.house["version"]),) if scene.book == "COL" else ()


@incident(
    "hand-unannounced",
    (*ULTIMATE, "PIK"),
    "A hand is settled without having been announced.",
    clauses={
        "player": "UTH-MA 10(h) s1; UTH-MD 11.H(2)(c)",
        "dealer": "UTH-MA 10(f) s2; UTH-MD 11.G(3)",
        "player 1": "PIK 39.10(e)1i",
        "player 2": "PIK 39.10(e)2i",
        "dealer 5": "PIK 39.10(d)/s2-announce",
        "dealer 3": "PIK 39.10(d)/s4",
    },
)
def in_silence(scene: PlayedStretch) -> Woven:
    """Return the stretch without the announcement of a settled hand."""
    told_of = {None, *_playing(scene)}
    announced = scene.any_of(HandAnnounced, seat=lambda seat: seat in told_of, hand=lambda hand: hand != "no qualify")
    who = "dealer" if announced.seat is None else "player"
    if scene.book == "PIK":
        which = announced.of_cards if announced.seat is None else scene.house["settlement_procedure"]
        who = f"{who} {which}"
    return scene.woven(gone(announced), seat=announced.seat, keys=(who,))


@incident(
    "hand-unannounced/no-qualify",
    ("PIK",),
    "The dealer does not qualify, and does not say so.",
    clauses="PIK 39.10(d)/s2-qualify",
)
def no_qualify_unsaid(scene: PlayedStretch) -> Woven:
    """Return the stretch without the announcement that the dealer does not qualify."""
    return scene.woven(gone(scene.first(HandAnnounced, hand="no qualify")))


@incident(
    "cards-not-collected",
    ALL_BOOKS,
    "A player's cards are still on the table when they have to be gone.",
    clauses={
        "": "UTH-MA 10(h) s3; UTH-MD 11.K",
        "procedure 1": "PIK 39.10(e)1iv",
        "procedure 2": "PIK 39.10(e)2iii",
        "lost": "FAH (h)(11)/s2",
        "won": "FAH (h)(12)/s2",
        "required lost": "COL 10(e)/s3",
        "required pushed": "COL 10(f)/s2",
        "required won": "COL 10(g)/s2",
        "permissible lost": "COL 11(e)/s3",
        "permissible pushed": "COL 11(f)/s2",
        "permissible won": "COL 11(h)",
    },
)
def left_on_the_table(scene: PlayedStretch) -> Woven:
    """Return the stretch with a hand left on the table until the next round."""
    seats = set(scene.seats()) if scene.book == "FAH" else _playing(scene)
    collected = scene.any_of(HandsCollected, seat=lambda seat: seat in seats)
    keys = (_ended(scene, collected.seat or 0),)
    return scene.woven(gone(*scene.all(HandsCollected, seat=collected.seat)), seat=collected.seat, keys=keys)


def _ended(scene: PlayedStretch, seat: int) -> str:
    """Return how the hand ended, as the clause on its cards distinguishes it."""
    if scene.book == "PIK":
        return f"procedure {scene.house['settlement_procedure']}"
    if scene.book not in ("FAH", "COL"):
        return ""
    held = scene.wagers(seat=seat, wager=lambda wager: wager in ("ante", "bet", "original"))
    how = "won" if any(each.paid for each in held) else "lost" if any(each.collected for each in held) else "pushed"
    if scene.book == "COL":
        return f"{scene.house['version']} {how}"
    settled = scene.has(CardDealt, to="community") and not scene.wagers(seat=seat, wager="split")
    scene.wants(settled and scene.has(HandSet, seat=seat))  # others fall under clauses of their own
    return "won" if how == "won" else "lost"


@incident(
    "hand-collected-early",
    ULTIMATE,
    "A folded hand is taken away while its trips wager still depends on it.",
    clauses="UTH-MA 10(e)(2)(i); UTH-MD 11.F(3)(a)",
    staging=lambda table, plan, _: _folds_with_trips(table, plan),
    besides=("hand-collected-early",),
)
def taken_with_the_fold(scene: PlayedStretch) -> Woven:
    """Return the stretch with a folded hand collected with its ante, despite its open trips."""
    seat = scene.seats()[0]
    made = scene.first(DecisionMade, seat=seat, decision="fold")
    return scene.woven(later(scene.first(HandsCollected, seat=seat), made), seat=seat)


def _folds_with_trips(_: TableInPlay, plan: RoundPlan) -> RoundPlan:
    number = numbers(plain(plan))[0]
    return with_seat(with_wager(plan, number, trips=500), number, acts=("check", "check", "fold"))


@incident(
    "collection-out-of-order",
    ALL_BOOKS,
    "Two hands are picked up in an order that does not let the round be reconstructed.",
    clauses={
        "": "UTH-MA 10(i); UTH-MD 11.K; PIK 39.10(g); FAH (h)(5)/s1",
        "required": "COL 10(h)",
        "permissible": "COL 11(i)",
    },
    besides=("cards-not-collected", "settlement-procedure-wrong"),
)
def picked_up_crosswise(scene: PlayedStretch) -> Woven:
    """Return the stretch with two hands collected in the wrong order."""
    if scene.book == "FAH":
        discards = scene.all(DiscardsCollected, seat=lambda seat: seat is not None, count=2)
        scene.wants(len(discards) > 1)
        return scene.woven(swapped(discards[0], discards[1]))
    playing = _playing(scene)
    hands = scene.all(HandsCollected, seat=lambda seat: seat in playing)
    pairs = [(one, other) for one, other in pairwise(hands) if _in_turn(scene, one.seat or 0, other.seat or 0)]
    return scene.woven(swapped(*scene.choose(pairs)), keys=_version(scene))


def _in_turn(scene: PlayedStretch, one: int, other: int) -> bool:
    """Return whether two hands were settled alike, one right after the other from the dealer's right."""
    first, second = ([move for held in scene.wagers(seat=seat) for move in held.moves] for seat in (one, other))
    won = [any(held.paid for held in scene.wagers(seat=seat) if held.wager in MAIN) for seat in (one, other)]
    in_order = bool(first and second) and min(map(scene.place, first)) < min(map(scene.place, second))
    return one > other and in_order and won[0] == won[1]
