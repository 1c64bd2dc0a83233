"""Cards dealt out of order, to a seat without wagers, face up, in a wrong number, or twice."""

import msgspec

from domain.facts.deal import CardDealt, StackDelivered
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, StubCounted
from domain.facts.wagers import BetsClosed, ProgressiveAccepted
from domain.simulation.edits import said
from domain.simulation.incidents.changes import after, before, gone, stub_larger, swapped, told
from domain.simulation.incidents.incident import ALL_BOOKS, ONE_DECK, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven, cards_of
from domain.simulation.incidents.settings import by_book, dealing
from domain.simulation.incidents.stage import numbers, plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay
from domain.simulation.weaving import hands_to_come

_FIRST_PASS = {
    "manual-shoe": "UTH-MA 7(d)(1); UTH-MD 8.D(2); PIK 39.7(c)/s1; FAH (g)(3)/s2; COL 7(c)(1)",
    "continuous-shoe": "FAH (g)(3)/s2",
    "hand": "UTH-MA 8(c)(1); UTH-MD 9.B(2); PIK 39.8(c)/s1; COL 8(c)(1)",
}
_STACKS = {
    "automated-shoe first": "UTH-MA 9(c) s1; PIK 39.9(c)/s1; COL 9(c)/s1",
    "automated-shoe rest": "UTH-MA 9(c) s2; PIK 39.9(c)/s2; COL 9(c)/s2",
    "automated-shoe at-deal": "UTH-MD 10.B(3)",
    "automated-shoe after-decisions": "UTH-MD 10.B(4)",
}


def served(scene: PlayedStretch, **fields: object) -> list[CardDealt | StackDelivered]:
    """Return what was dealt to seats, card by card or stack by stack."""
    facts: list[CardDealt | StackDelivered] = [*scene.all(CardDealt, to="seat", **fields)]
    return facts or [*scene.all(StackDelivered, to="seat", **fields)]


def _keys(scene: PlayedStretch, seat: int) -> tuple[str, ...]:
    """Return the keys on which the clauses of a seat's stack depend."""
    if scene.method != "automated-shoe":
        return ()
    if scene.book == "UTH-MD":
        return (f"automated-shoe {scene.setup.dealer_stack or 'at-deal'}",)
    return (f"automated-shoe {'first' if seat == scene.seats()[0] else 'rest'}",)


@incident(
    "deal-out-of-order",
    ALL_BOOKS,
    "Two players' cards change places: the second is served before the first.",
    clauses={
        **_FIRST_PASS,
        **_STACKS,
        "manual-shoe": _FIRST_PASS["manual-shoe"].replace("(g)(3)/s2", "(g)(3)/s3"),
        "continuous-shoe": "FAH (g)(3)/s3",
    },
)
def wrong_way_round(scene: PlayedStretch) -> Woven:
    """Return the stretch with two neighbors dealt in the wrong order."""
    dealt = served(scene, slot=2) if scene.book == "FAH" else served(scene)  # the marker may be anywhere, and be right
    seats = list(dict.fromkeys(fact.seat for fact in dealt))
    scene.wants(len(seats) > 1)
    first, second = dealt[0], next(fact for fact in dealt if fact.seat == seats[1])
    scene.wants(scene.facts[scene.place(first) : scene.place(second)].count(first) == 1)
    between = [fact for fact in scene.all(CardDealt) if scene.place(first) < scene.place(fact) < scene.place(second)]
    scene.wants(not between)
    return scene.woven(swapped(first, second), keys=_keys(scene, seats[0] or 0))


def _one_sits_out(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with the last player left out of the deal."""
    last = numbers(plain(plan, 2))[-1]
    if table.seated.get(last) is None or list(table.seated.values()).count(table.seated[last]) > 1:
        raise StretchUnfitError("that player is not there yet, or has another position")
    return msgspec.structs.replace(plan, seats=tuple(seat for seat in plan.seats if seat.seat != last))


@incident(
    "seat-skipped",
    ALL_BOOKS,
    "A player with the required wagers is passed over in the deal, and gets them back after it.",
    clauses=_FIRST_PASS | _STACKS,
    staging=_one_sits_out,
)
def passed_over(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wagering player passed over in the deal."""
    playing = scene.seats()
    idle = [seat for seat in scene.table.seated if seat > playing[-1]]
    seat = scene.choose(idle)
    player = scene.table.seated[seat]
    like = scene.wagers(seat=playing[-1])
    required = [held for held in like if held.wager in ("ante", "blind", "bonus5", "original")]
    scene.wants(not any(held.coupon for held in like))
    placed = [said("wager-placed", seat, held.wager, held.stake, player=player, area=held.wager) for held in required]
    back = [said("wager-returned", seat, held.wager, held.stake) for held in required]
    edits = (before(scene.first(BetsClosed), *placed), after(_end_of_deal(scene), *back))
    return scene.woven(*edits, seat=seat, keys=_keys(scene, seat))


def _end_of_deal(scene: PlayedStretch) -> Fact:
    """Return the last card or stack before anyone decides."""
    dealt = [fact for fact in scene.facts if isinstance(fact, CardDealt | StackDelivered) and fact.to != "community"]
    of_players = [fact for fact in dealt if fact.to == "seat"]
    place = scene.place(of_players[-1])
    return next((fact for fact in dealt if fact.to == "dealer" and 0 < scene.place(fact) - place < 4), of_players[-1])


@incident(
    "seat-dealt-unwagered",
    ALL_BOOKS,
    "Cards are dealt to a position where nothing was wagered, and picked up with the others.",
    clauses=_FIRST_PASS | _STACKS,
    besides=("positions-not-adjacent",),  # it was between two others of the same player
)
def dealt_for_nothing(scene: PlayedStretch) -> Woven:
    """Return the stretch with cards dealt to a player who sat the round out."""
    seat = scene.choose(scene.seats())
    scene.wants(len(scene.seats()) > 1 and not scene.wagers(seat=seat, wager="cover_all"))
    dealt = served(scene, seat=seat)
    collected = scene.all(HandsCollected, seat=seat)
    of_seat = [fact for fact in scene.facts if getattr(fact, "seat", None) == seat and fact.round == scene.round]
    rest = [fact for fact in of_seat if fact not in dealt and fact not in collected]
    scene.wants(not any(isinstance(fact, ProgressiveAccepted) for fact in rest))
    scene.wants(dealt and collected)
    return scene.woven(gone(*rest), seat=seat, keys=_keys(scene, seat))


@incident(
    "card-dealt-face-up",
    ALL_BOOKS,
    "A player's card is dealt face up.",
    clauses={
        "manual-shoe": "UTH-MA 7(d)(1); UTH-MD 8.D(2); PIK 39.7(c)/s2; FAH (g)(3)/s1-face; COL 7(c)(1)",
        "continuous-shoe": "FAH (g)(3)/s1-face",
        "hand": "UTH-MA 8(c)(1); UTH-MD 9.B(2); PIK 39.8(b)3/s2; COL 8(c)/s1; COL 8(c)(1)",
        **_STACKS,
    },
)
def turned_over(scene: PlayedStretch) -> Woven:
    """Return the stretch with a player's card dealt face up and kept."""
    seat = scene.choose(scene.seats())
    dealt = served(scene, seat=seat)
    scene.wants(dealt)
    return scene.woven(told(dealt[0], face_up=True), keys=_keys(scene, seat))


@incident(
    "card-count-wrong",
    ("UTH-MA", "PIK", "FAH", "COL"),
    "A hand or stack gets one card too few, and the round is played on.",
    clauses={
        "": "FAH (g)(3)/s3",
        "manual-shoe": "PIK 39.7(c)/s1-count",
        "automated-shoe": "UTH-MA 9(a); PIK 39.9(a); COL 9(a)",
    },
    setting=by_book(
        {
            "UTH-MA": dealing("automated-shoe"),
            "COL": dealing("automated-shoe"),
            "PIK": dealing("manual-shoe", "automated-shoe"),
        }
    ),
    besides=(
        "round-not-voided",
        "hand-not-voided",
        "short-hand-mishandled",
        "ruling-needed",
        "discard-count-wrong",
        "selection-invalid",
    ),
)
def one_card_short(scene: PlayedStretch) -> Woven:
    """Return the stretch with one player's last card left in the shoe; this round's stub is not counted."""
    scene.wants(not scene.has(StubCounted))
    seat = scene.choose(scene.seats())
    dealt = served(scene, seat=seat)
    scene.wants(dealt)
    short = dealt[-1]
    missing = cards_of(short)[-1]
    edits = [
        told(fact, cards=tuple(card for card in cards_of(fact) if card != missing))
        for fact in scene.facts
        if getattr(fact, "seat", None) == seat and missing in getattr(fact, "cards", ())
    ]
    edits += stub_larger(scene, 1)
    if isinstance(short, StackDelivered):
        return scene.woven(*edits, told(short, size=len(short.cards) - 1), seat=seat)
    return scene.woven(*edits, gone(short), seat=seat)


@incident(
    "card-source-wrong",
    ("UTH-MA", "FAH"),
    "A card comes from elsewhere than the dealing method prescribes.",
    clauses="UTH-MA 9(d) s1; FAH (b)(2)/s1",
    setting=by_book({"UTH-MA": dealing("automated-shoe")}),
)
def from_elsewhere(scene: PlayedStretch) -> Woven:
    """Return the stretch with cards from the wrong source: the device or hand that the method does not prescribe."""
    if scene.book == "FAH":
        return scene.woven(told(scene.any_of(CardDealt), source_of_card="hand"))
    return scene.woven(told(scene.first(CardDealt, to="community"), source_of_card="automated-shoe"))


def _twice(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Return the round with one card of the last player replaced by a copy of the first player's."""
    seats = numbers(plain(plan, 2))
    hands = hands_to_come(table, plan)
    first, last = hands["seat", seats[0]][0], hands["seat", seats[-1]][0]
    lies = tuple(last if card == first else card for card in plan.shuffled)
    return msgspec.structs.replace(plan, shuffled=lies)


@incident(
    "card-duplicated",
    ONE_DECK,
    "The same card lies in two players' hands.",
    clauses="UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1",
    staging=_twice,
)
def the_same_card_twice(scene: PlayedStretch) -> Woven:
    """Return the stretch with one card twice; the deck is whole again in the next round."""
    cards = [card for fact in scene.all(CardDealt) for card in cards_of(fact)]
    cards += [card for fact in scene.all(StackDelivered) for card in fact.cards]
    scene.wants(len(set(cards)) < len(cards))
    return scene.woven()
