"""Naturals and instant winners: announced by their players, and confirmed as the cards show."""

from domain.cards import UNKNOWN
from domain.facts.decisions import NaturalConfirmed
from domain.facts.envelope import Fact
from domain.settlement.colorado import instant_winner, is_low_ace_run
from domain.settlement.fast_action import CARDS_A_HAND, is_natural
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import course, raised

UNDECLARED = law("natural-undeclared", "FAH (h)(2)/s1")
MISJUDGED = law(
    "declared-hand-misjudged",
    {
        "natural": "FAH (a)(1)(v)",
        "required": "COL 10(b)(3); COL 10(b)(3)(i)/s3",
        "permissible": "COL 11(b)(2); COL 11(b)(2)(i)/s3",
        "three_card_straight_flush": "COL 3(c)(1)",
        "three_card_three_of_a_kind": "COL 3(c)(2)",
        "": "",
    },
)

_BOTH = ("three_card_straight_flush", "three_card_three_of_a_kind")


def _seen(spot: Spot, many: int) -> tuple[int, ...] | None:
    """Return the first cards of a hand, or None if one is unknown."""
    first = tuple(spot.cards[:many])
    return first if len(first) == many and UNKNOWN not in first else None


@judge(UNDECLARED, games=("fast-action",))
def naturals_are_announced(told: RoundInPlay) -> Found:
    """Check that a player dealt a natural announces it."""
    if told.voided:
        return
    for spot in course(told).wagering:
        first = _seen(spot, CARDS_A_HAND)
        if first is None or spot.choice == "natural" or not is_natural(first) or spot.seat in course(told).apart:
            continue
        if spot.choice:
            decided = course(told).decided.get(spot.seat)
            shows: Fact | None = decided or spot.dealt[CARDS_A_HAND - 1]
            if shows is not None:
                says = f"Seat {spot.seat} was dealt a natural and played on without announcing it."
                yield from raised(told, UNDECLARED, "", shows, says, seat=spot.seat)


@judge(MISJUDGED)
def confirmed_as_the_cards_are(told: RoundInPlay) -> Found:
    """Check that a natural is confirmed if the first four cards match in rank, and an instant winner if it wins."""
    for fact in told.of(NaturalConfirmed):
        spot = told.seats.get(fact.seat)
        if spot is None:
            continue
        if told.game.fast_action:
            four = _seen(spot, CARDS_A_HAND)
            if four is not None and is_natural(four) is not fact.confirmed:
                says = (
                    f"Seat {fact.seat}'s natural was {_word(fact)} although its cards {_are(not fact.confirmed)} one."
                )
                yield from raised(told, MISJUDGED, "natural", fact, says, seat=fact.seat)
        elif told.game.colorado:
            yield from _instant_winner(told, spot, fact)


def _instant_winner(told: RoundInPlay, spot: Spot, fact: NaturalConfirmed) -> Found:
    three = _seen(spot, 3)
    if three is None or len(spot.cards) != 3 or len(set(three)) != 3:
        return
    line = instant_winner(three, ace_low=told.house["instant_winner_ace_low"])
    if bool(line) is fact.confirmed:
        return
    doubtful = _doubtful(three)
    which = (line,) if line else _BOTH[:1] if doubtful else _BOTH
    basis = "reading" if doubtful else "certain"
    says = f"Seat {fact.seat}'s instant winner was {_word(fact)} although its cards {_are(bool(line))} one."
    yield from raised(told, MISJUDGED, (*which, told.house["version"]), fact, says, seat=fact.seat, basis=basis)


def _word(fact: NaturalConfirmed) -> str:
    return "confirmed" if fact.confirmed else "refused"


def _are(so: bool) -> str:
    return "make" if so else "do not make"


def _doubtful(three: tuple[int, ...]) -> bool:
    """Whether these are a suited ace, two and three; the rule makes the ace low only with 2, 3, 4 and 5."""
    return len({card & 3 for card in three}) == 1 and is_low_ace_run(three)
