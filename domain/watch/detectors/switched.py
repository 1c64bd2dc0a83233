"""Cards shown that differ from those dealt: another card entered a hand, or one reading is wrong."""

from domain.cards import UNKNOWN, show
from domain.facts.deal import BoxRevealed, CommunityRevealed
from domain.facts.envelope import Fact
from domain.table.round import RoundInPlay
from domain.table.spots import BOX_CARDS, CODE, Spot
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised

SWITCHED = law(
    "deck-composition-wrong",
    "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; FAH (b)(1)/s1; COL 2(a)/s1",
)


@judge(SWITCHED)
def cards_shown_are_those_dealt(told: RoundInPlay) -> Found:
    """Check that a hand with every card read at the deal shows no other card."""
    reported: set[str] = set()
    for fact in told.contradictions:
        spot, where, due = _of(told, fact)
        if not due or len(spot.cards) != due or UNKNOWN in spot.cards or where in reported:
            continue
        shown = (*getattr(fact, "cards", ()), *getattr(fact, "kept", ()), *getattr(fact, "second", ()))
        strange = [card for card in shown if card != "??" and CODE[card] not in spot.cards]
        if strange:
            reported.add(where)
            were = "was" if len(strange) == 1 else "were"
            says = f"{' '.join(strange)} {were} shown {where}, but {show(spot.cards)} had been dealt."
            yield from raised(told, SWITCHED, "", fact, says, seat=spot.seat or None, evidence=spot.dealt)


def _of(told: RoundInPlay, fact: Fact) -> tuple[Spot, str, int]:
    """Return the place at which the fact shows cards, its words, and the number of cards dealt there."""
    each, dealer, community = told.game.cards
    place = getattr(fact, "of", "")
    if isinstance(fact, CommunityRevealed) or place == "community":
        return told.community, "among the community cards", community
    if isinstance(fact, BoxRevealed) or place == "box":
        return told.box, "in the six card box", BOX_CARDS
    seat = getattr(fact, "seat", None)
    if seat is None or place == "dealer":
        return told.dealer, "in the dealer's hand", dealer
    return told.seats[seat], f"at seat {seat}", each
