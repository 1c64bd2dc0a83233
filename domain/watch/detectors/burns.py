"""Burned cards: one where the rules prescribe it, none elsewhere, and never face up."""

from domain.facts.deal import CardBurned, CardDealt
from domain.facts.envelope import Fact
from domain.facts.table_day import MethodChanged
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.dealing import deal
from domain.watch.detecting import DealBegins, Found, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.round_order import raised

FLOP = 3
MISSING = law(
    "burn-missing",
    {
        "flop": "UTH-MA 10(b) s1; UTH-MD 11.C(1)",
        "last two": "UTH-MA 10(d) s1; UTH-MD 11.E(1)",
    },
)
FAST_ACTION = law(
    "burn-missing",
    {"community": "FAH (h)(10)/s1-burn", "shoe": "FAH (g)(1)/s1", "dealer": "FAH (g)(1)/s2"},
)
UNEXPECTED = law("unexpected-burn", {"flop": "UTH-MD 11.C(1)", "last two": "UTH-MD 11.E(1)"})
EXPOSED = law("burn-exposed", "UTH-MA 1 (Burn); FAH (g)(1)/s3")


def _burns(told: RoundInPlay) -> bool:
    """Whether the round burns cards: always in Massachusetts, for hand dealing in Maryland (UTH-MD 11.C(1))."""
    return told.game.always_burns or told.method == "hand"


@judge(MISSING, needs=(CardBurned, CardDealt, MethodChanged))
def burned_before_the_street(told: RoundInPlay) -> Found:
    """Check that a card is burned before the flop and before the last two community cards."""
    if told.voided or not _burns(told):
        return
    shown = [fact for fact in told.community.dealt if isinstance(fact, CardDealt)]
    burned = [fact.sequence for fact in told.of(CardBurned)]
    since = 0
    for name, street in (("flop", shown[:FLOP]), ("last two", shown[FLOP:])):
        if not street:
            break
        if not any(since < place < street[0].sequence for place in burned):
            yield from raised(told, MISSING, name, street[0], f"No card was burned before the {name}.")
        since = street[-1].sequence


@judge(UNEXPECTED)
def burned_where_nothing_is(told: RoundInPlay) -> Found:
    """Check that Maryland's dealer burns no card unless dealing by hand."""
    if _burns(told):
        return
    shown = told.community.dealt
    for fact in told.of(CardBurned):
        after_flop = len(shown) >= FLOP and shown[FLOP - 1].sequence < fact.sequence
        name = "last two" if after_flop else "flop"
        yield from raised(told, UNEXPECTED, name, fact, "A card was burned although this dealing method burns none.")


@judge(FAST_ACTION, needs=(CardBurned, CardDealt))
def burned_before_the_board(told: RoundInPlay) -> Found:
    """Check that Fast Action's dealer burns a card after setting the hand, before the community cards."""
    shown = told.community.dealt
    if told.voided or not shown:
        return
    served = deal(told).served
    since = served[-1].sequence if served else 0
    if not any(since < fact.sequence < shown[0].sequence for fact in told.of(CardBurned)):
        says = "No card was burned before the community cards."
        yield from raised(told, FAST_ACTION, "community", shown[0], says)


@watch(DealBegins, laws=(FAST_ACTION,), needs=(CardBurned,))
def burned_for_shoe_and_dealer(day: TableDay, deals: Fact) -> Found:
    """Check that a fresh shoe's first card is burned, and that each new dealer burns one before dealing."""
    layout = day.layout
    if day.method == "continuous-shoe":
        return
    owed: dict[str, Fact] = {}
    if layout.fresh_shoe is not None:
        owed["shoe"] = layout.fresh_shoe
    if layout.fresh_dealer is not None:
        owed["dealer"] = layout.fresh_dealer
    if owed:
        says = _OWED["shoe" if "shoe" in owed else "dealer"]
        cited = tuple(clause for key in owed for clause in FAST_ACTION.cites(day.book, key))
        yield found(FAST_ACTION, cited, deals, says, dealer=day.dealer_person, evidence=owed.values())


_OWED = {"shoe": "The first card of the fresh shoe was not burned.", "dealer": "The new dealer burned no card."}


@watch(CardBurned, laws=(EXPOSED,))
def burned_unseen(day: TableDay, fact: CardBurned) -> Found:
    """Check that no burned card is shown face up."""
    if fact.face_up:
        says = "A burned card was shown face up."
        yield found(EXPOSED, EXPOSED.cites(day.book), fact, says, dealer=day.dealer_person)
