"""Wagers settled in another order, by another procedure or at another time than prescribed."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from domain.facts.deal import CommunityRevealed
from domain.facts.decisions import DecisionMade, HandAnnounced, HandRevealed
from domain.facts.envelope import Fact
from domain.simulation.edits import Edit, Facts
from domain.simulation.incidents.changes import all_earlier, all_later, swapped
from domain.simulation.incidents.incident import ULTIMATE, incident
from domain.simulation.incidents.money import LAST
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven
from domain.simulation.incidents.settings import by_book as set_by_book
from domain.simulation.incidents.settings import choosing
from domain.simulation.incidents.showing import PLAYS
from domain.simulation.incidents.stage import by_book, dealt, everybody, holding, numbers, plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

_ORDER = {
    "plays": "UTH-MA 10(h) s1; UTH-MD 11.H(2)",
    "below a pair": "UTH-MA 10(g); UTH-MD 11.H(1)",
    "": "PIK 39.10(c); FAH (h)(8)/s1",
    "required": "COL 10(d)",
    "permissible": "COL 11(d)",
}


def _turn(scene: PlayedStretch, seat: int) -> list[Fact]:
    """Return a seat's turn: from its cards turned up to the next fact of another seat, or of all seats."""
    turn: list[Fact] = []
    for fact in scene.facts[scene.place(scene.last(HandRevealed, seat=seat)) :]:
        if getattr(fact, "seat", None) != seat or getattr(fact, "wager", "") in LAST:
            break
        turn.append(fact)
    return turn


def _exchanged(one: Sequence[Fact], other: Sequence[Fact]) -> Edit:
    """Return the edit that exchanges two successive stretches and their times."""
    both = [*one, *other]
    keys = {fact.source_key for fact in both}

    def edit(held: Sequence[Fact]) -> Facts:
        order = iter([*other, *one])
        return [msgspec.structs.replace(next(order), at=fact.at) if fact.source_key in keys else fact for fact in held]

    return edit


def _all_play(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with two or more compared hands; at Fast Action the dealer's natural takes them all."""
    plain(plan, 2)
    if table.book == "FAH":
        plan = dealt(plan, dealer="Qs Qc Qd Qh")
        for number, held in zip(numbers(plan), ("Kc Jd 6c 8s", "Ah Td 3c 5s", "9c 7d 4h 2s"), strict=False):
            plan = holding(plan, number, held, "set")
        return plan
    acts = {"PIK": ("play5",), "COL": ("bet",)}.get(table.book, ("check", "check", "play"))
    return everybody(*acts)(table, plan, 0)


@incident(
    "settlement-out-of-order",
    (*ULTIMATE, "PIK", "FAH", "COL"),
    "Of two players the one nearer to the dealer's left has his turn first.",
    clauses=_ORDER,
    staging=_all_play,
    besides=("settlement-out-of-order", "collection-out-of-order"),  # tables without sensors for wagers
)
def nearer_first(scene: PlayedStretch) -> Woven:
    """Return the stretch with one player's whole turn moved before the one that was next."""
    if scene.book == "FAH":
        opened = scene.place(scene.first(HandRevealed, seat=None))
        taken = [held.moves[0] for held in scene.wagers(wager="original")]
        order = [move for move in sorted(taken, key=scene.place) if scene.place(move) > opened]
        scene.wants(len(order) > 1)
        return scene.woven(swapped(order[0], order[1]))
    playing = {fact.seat for fact in scene.all(DecisionMade, decision=lambda held: held in PLAYS)}
    shown = [fact.seat for fact in scene.all(HandRevealed, seat=lambda seat: seat in playing)]
    pairs = [(one, other) for one, other in pairwise(shown) if one is not None and other is not None]
    first, second = scene.choose(pairs)
    turns = _turn(scene, first), _turn(scene, second)
    scene.wants(scene.place(turns[0][-1]) + 1 == scene.place(turns[1][0]))
    edit = _exchanged(*turns)
    return scene.woven(edit, seat=first, keys=_order_keys(scene))


def _order_keys(scene: PlayedStretch) -> tuple[str, ...]:
    if scene.book == "COL":
        return (str(scene.house["version"]),)
    if scene.book == "PIK":
        return ()
    return ("below a pair" if scene.has(HandAnnounced, seat=None, hand="no pair") else "plays",)


@incident(
    "settlement-out-of-order/side",
    ULTIMATE,
    "A player's trips are settled before ante, blind and play.",
    clauses="UTH-MA 10(h)(4) s1; UTH-MD 11.I(1)",
)
def trips_first(scene: PlayedStretch) -> Woven:
    """Return the stretch with trips settled before ante, blind and play."""
    playing = {fact.seat for fact in scene.all(DecisionMade, decision="play")}
    trips = scene.choose(scene.wagers(wager="trips", seat=lambda seat: seat in playing))
    ante = scene.wagers(wager="ante", seat=trips.seat)[0]
    scene.wants(trips.moves and ante.moves)
    return scene.woven(*all_earlier(trips.moves, ante.moves[0]), seat=trips.seat, wager="trips")


@incident(
    "settlement-procedure-wrong",
    (*ULTIMATE, "PIK"),
    "A player's last wager is settled when the next player's turn has begun; at Pik-it two are announced crosswise.",
    clauses={
        "": "UTH-MA 10(h) s2; UTH-MD 11.H(2)(d)",
        "1": "PIK 39.10(e); PIK 39.10(e)1",
        "2": "PIK 39.10(e); PIK 39.10(e)2",
    },
    staging=by_book({"PIK": _all_play}),
    besides=("hand-unannounced",),
)
def not_one_at_a_time(scene: PlayedStretch) -> Woven:
    """Return the stretch with a player's last wager settled during the next player's turn."""
    playing = {fact.seat for fact in scene.all(DecisionMade, decision=lambda held: held in PLAYS)}
    if scene.book == "PIK":
        announced = scene.all(HandAnnounced, seat=lambda seat: seat in playing)
        scene.wants(len(announced) > 1)
        return scene.woven(swapped(announced[0], announced[1]), keys=(str(scene.house["settlement_procedure"]),))
    shown = [fact.seat for fact in scene.all(HandRevealed, seat=lambda seat: seat in playing)]
    scene.wants(len(shown) > 1)
    at = scene.chance.randrange(len(shown) - 1)
    last, following = (_last(scene, seat) for seat in shown[at : at + 2])
    scene.wants(scene.book == "UTH-MA" or not scene.wagers(seat=last.seat, wager="progressive"))
    edits = all_later(last.moves, following.moves[-1])
    return scene.woven(*edits, seat=last.seat, wager=last.wager)


_IN_TURN = {
    "UTH-MA": ("ante", "blind", "play", "trips", "progressive"),
    "UTH-MD": ("ante", "blind", "play", "trips", "six_card"),
}


def _last(scene: PlayedStretch, seat: int | None) -> UntouchedWager:
    """Return the wager of a seat that is settled last in its turn."""
    held = scene.wagers(seat=seat, wager=lambda wager: wager in _IN_TURN[scene.book])
    scene.wants(held and all(each.moves for each in held))
    return max(held, key=lambda each: scene.place(each.moves[-1]))


def _timed(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return a round with a wager that has a prescribed time of settlement."""
    number = numbers(plain(plan))[0]
    if table.book == "FAH":
        return holding(dealt(plan, dealer="9c 9h 4c 3h"), number, "7s 7d 7h 7c", "natural")
    if table.book == "COL":
        return holding(plan, number, "5c 6c 7c", "declare")
    return plan


@incident(
    "settlement-mistimed",
    ("UTH-MA", "PIK", "FAH", "COL"),
    "A wager is settled before or after its place in the round.",
    clauses={
        "": "UTH-MA 13(j); PIK 39.10(c)2; FAH (h)(2)/s2",
        "required": "COL 10(b)(3)(i)/s4",
        "permissible": "COL 11(b)(2)(i)/s4",
    },
    setting=set_by_book({"UTH-MA": choosing(cover_all=True, shuffler="cover-all")}),
    staging=_timed,
)
def at_another_time(scene: PlayedStretch) -> Woven:
    """Return the stretch with Cover All early, a 5 card bonus after the decision, or an instant win late."""
    if scene.book == "UTH-MA":
        held = scene.choose(scene.wagers(wager="cover_all"))
        others = [move for each in scene.wagers() if each.wager != "cover_all" for move in each.moves]
        early = max(min(others, key=scene.place), scene.first(HandRevealed, seat=None), key=scene.place)
        scene.wants(any(scene.place(move) > scene.place(early) for move in others))
        return scene.woven(*all_later(held.moves, early), seat=held.seat, wager="cover_all")
    if scene.book == "PIK":
        made = scene.any_of(DecisionMade)
        held = scene.wagers(wager="bonus5", seat=made.seat)[0]
        return scene.woven(*all_later(held.moves, made), seat=made.seat, wager="bonus5")
    made = scene.first(DecisionMade, decision=lambda word: word in ("natural", "declare"))
    wager = "original" if scene.book == "FAH" else "ante"
    held = scene.wagers(wager=wager, seat=made.seat)[0]
    late = scene.first(CommunityRevealed) if scene.book == "COL" else scene.first(HandRevealed, seat=None)
    keys = (str(scene.house["version"]),) if scene.book == "COL" else ()
    return scene.woven(*all_later(held.moves, late), seat=made.seat, wager=wager, keys=keys)
