"""Decisions out of order, missing, contradictory, or accepted though the game does not allow them."""

from collections import Counter

from domain.facts.decisions import DecisionAsked, DecisionMade, NaturalConfirmed
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected
from domain.facts.players import PlayerLeft
from domain.facts.wagers import WagerPlaced
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, all_earlier, before, gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import of_the_property
from domain.simulation.incidents.stage import by_book, everybody, holding, numbers, of, plain, with_seat
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

_STREETS = ("preflop", "flop", "river")
_ON_STREET = {
    "preflop": "UTH-MA 10(a) s2; UTH-MD 11.B",
    "flop": "UTH-MA 10(c) s1; UTH-MD 11.D",
    "river": "UTH-MA 10(e); UTH-MD 11.F",
}
_TO_THE_END = everybody("check", "check", "play")


@incident(
    "decision-out-of-order",
    (*ULTIMATE, "COL"),
    "A player is asked before the one on the dealer's side of him.",
    clauses={**_ON_STREET, "required": "COL 10(b)", "permissible": "COL 11(b)"},
)
def asked_too_soon(scene: PlayedStretch) -> Woven:
    """Return the stretch with the second of two neighbors asked, and answering, first."""
    street = scene.chance.choice(_STREETS) if scene.book != "COL" else None
    asked = scene.all(DecisionAsked, street=street)
    scene.wants(len(asked) > 1)
    at = scene.chance.randrange(len(asked) - 1)
    first, second = asked[at], asked[at + 1]
    turn = [second, *_answer(scene, second)]
    return scene.woven(*all_earlier(turn, first), seat=first.seat, keys=(street or str(scene.house["version"]),))


def _answer(scene: PlayedStretch, asked: DecisionAsked) -> list[Fact]:
    """Return what the asked player does at once."""
    found: list[Fact] = []
    for fact in scene.facts[scene.place(asked) + 1 :]:
        if getattr(fact, "seat", None) != asked.seat or isinstance(fact, DecisionAsked):
            break
        found.append(fact)
    return found


@incident(
    "decision-out-of-order/passed-over",
    ULTIMATE,
    "A player without a play wager is not asked on one street.",
    clauses={"flop": _ON_STREET["flop"], "preflop": _ON_STREET["preflop"]},
    staging=_TO_THE_END,
    besides=("community-early",),
)
def passed_over(scene: PlayedStretch) -> Woven:
    """Return the stretch with a player not asked on one street, who decides on the next."""
    street = scene.chance.choice(("preflop", "flop"))
    asked = scene.any_of(DecisionAsked, street=street)
    made = scene.first(DecisionMade, street=street, seat=asked.seat)
    return scene.woven(gone(asked, made), seat=asked.seat, keys=(street,))


@incident(
    "check-treated-as-fold",
    ULTIMATE,
    "A player checks, and ante, blind and cards are taken as if he had folded.",
    clauses="UTH-MA 1 (Check); UTH-MD 1.B(1)",
    staging=_TO_THE_END,
    besides=("community-early", "hand-collected-early"),
)
def a_check_taken_for_a_fold(scene: PlayedStretch) -> Woven:
    """Return the stretch with ante, blind and cards taken after a check; side wagers are settled in turn."""
    street = scene.chance.choice(("preflop", "flop"))
    made = scene.any_of(DecisionMade, street=street, decision="check")
    seat, at = made.seat, scene.place(made)
    held = {each.wager: each for each in scene.wagers(seat=seat)}
    scene.wants(set(held) <= {"ante", "blind", "play"})  # other wagers would have kept the hand on the table
    rest = [fact for fact in scene.facts[at + 1 :] if getattr(fact, "seat", None) == seat and fact.round == made.round]
    cards = [fact for fact in rest if isinstance(fact, HandsCollected)]
    words = [
        *(said("wager-collected", seat, name, held[name].stake, "fold") for name in ("ante", "blind")),
        said("hands-collected", seat, count=2, cards=cards[0].cards),
    ]
    return scene.woven(gone(*rest), after(made, *words), seat=seat)


@incident(
    "decision-missing",
    (*ULTIMATE, "PIK"),
    "A hand goes on to the showdown without its player having decided.",
    clauses="UTH-MA 10(e); UTH-MD 11.F; PIK 39.3(b)/s1; PIK 39.10(c)3",
    staging=by_book({"UTH-MA": _TO_THE_END, "UTH-MD": _TO_THE_END}),
    besides=("option-not-chosen",),
)
def undecided(scene: PlayedStretch) -> Woven:
    """Return the stretch with a hand settled without a decision or a play wager."""
    wanted = ("play", "play3", "play5")
    made = scene.any_of(DecisionMade, decision=lambda held: held in wanted)
    asked = [each for each in scene.all(DecisionAsked, seat=made.seat) if scene.place(each) < scene.place(made)]
    play = scene.wagers(seat=made.seat, wager=made.decision)[0]
    placed = scene.first(WagerPlaced, seat=made.seat, wager=made.decision)
    return scene.woven(gone(asked[-1], made, placed, *play.moves), seat=made.seat)


@incident(
    "river-check-accepted",
    ULTIMATE,
    "A check is accepted after the last two community cards, where only a fold or a play wager is left.",
    clauses="UTH-MA 10(e); UTH-MD 11.F",
    staging=_TO_THE_END,
)
def a_check_on_the_river(scene: PlayedStretch) -> Woven:
    """Return the stretch with a check accepted on the river and the hand settled at the showdown."""
    made = scene.any_of(DecisionMade, street="river", decision="play")
    play = scene.wagers(seat=made.seat, wager="play")[0]
    placed = scene.first(WagerPlaced, seat=made.seat, wager="play")
    return scene.woven(gone(placed, *play.moves), told(made, decision="check", cents=None), seat=made.seat)


@incident(
    "decision-conflicting",
    (*ULTIMATE, "PIK", "COL"),
    "A player takes two decisions that exclude each other.",
    clauses={
        "": "UTH-MA 1 (Fold); UTH-MD 1.B(4); PIK 39.3(b)/s1",
        "required": "COL 10(b)(3)(i)/s2",
        "permissible": "COL 11(b)(2)(i)/s2",
    },
    besides=("deal-out-of-order",),
    staging=lambda table, plan, _: _with_instant_winner(table, plan),
)
def fold_and_play(scene: PlayedStretch) -> Woven:
    """Return the stretch with a fold and a play of one hand; at Colorado, a bet on a declared hand."""
    if scene.book == "COL":
        return _bet_on_a_winner(scene)
    wanted = ("play", "play3", "play5")
    made = scene.any_of(DecisionMade, decision=lambda held: held in wanted)
    return scene.woven(before(made, said("decision-made", made.seat, "fold", made.street)), seat=made.seat)


def _bet_on_a_winner(scene: PlayedStretch) -> Woven:
    made = scene.first(DecisionMade, decision="declare")
    ante = scene.wagers(seat=made.seat, wager="ante")[0].stake
    player = scene.first(WagerPlaced, seat=made.seat).player
    bet = said("wager-placed", made.seat, "bet", ante, player=player, area="bet")
    confirmed = scene.first(NaturalConfirmed, seat=made.seat)
    edits = (before(made, bet), after(confirmed, said("wager-returned", made.seat, "bet", ante)))
    return scene.woven(*edits, seat=made.seat, keys=(str(scene.house["version"]),))


def _with_instant_winner(table: TableInPlay, plan: RoundPlan) -> RoundPlan:
    return holding(plain(plan), numbers(plan)[0], "5c 6c 7c", "declare") if table.book == "COL" else plan


@incident(
    "fold-not-allowed",
    ("COL",),
    "A player folds where this version of the game knows no fold, and the ante is taken.",
    clauses="COL 11(b)",
    setting=of_the_property(version="permissible"),
)
def no_fold_here(scene: PlayedStretch) -> Woven:
    """Return the stretch with a fold in a version without folds."""
    made = scene.any_of(DecisionMade, decision="play", cents=None)
    held = scene.wagers(seat=made.seat)
    scene.wants(len(held) == 1)
    rest = [
        fact
        for fact in scene.facts[scene.place(made) + 1 :]
        if getattr(fact, "seat", None) == made.seat and fact.round == made.round
    ]
    words = [
        said("card-discarded", made.seat, count=3),
        said("ruling-given", "COL 11(b)", "collect", "floorperson", made.seat, "ante"),
        said("wager-collected", made.seat, "ante", held[0].stake),
        said("hands-collected", made.seat, count=3),
    ]
    return scene.woven(gone(*rest), after(made, *words), told(made, decision="fold"), seat=made.seat)


def _leaves(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    """Have a player with one position leave, because one with two would play on at the other."""
    positions = Counter(each.player for each in plan.seats if each.player)
    leaving = next((number for number in numbers(plain(plan)) if positions[of(plan, number).player] < 2), None)
    if leaving is None:
        raise StretchUnfitError("everybody plays at two positions")
    return with_seat(plan, leaving, acts=("leave",))


@incident(
    "player-left-mid-round",
    ALL_BOOKS,
    "A player with cards gets up and leaves before the round is complete.",
    clauses="UTH-MA 6(e) s2; UTH-MD 7.C(1); PIK 39.3(d)/s2; FAH (f)(2)/s2; COL 6(b)/s2",
    staging=_leaves,
    besides=("option-not-chosen",),
)
def gone_before_the_end(scene: PlayedStretch) -> Woven:
    """Return the stretch with a player who leaves mid-round; the wagers follow the text or a ruling."""
    return scene.woven(seat=scene.last(PlayerLeft).seat)
