"""Community cards early, misplaced or facing wrong; burns missing, shown or needless; the marker misplaced."""

from domain.facts.deal import CardBurned, CardDealt, CommunityRevealed, MarkerPlaced, SlotAssigned
from domain.facts.decisions import DecisionAsked, DecisionMade, HandSet
from domain.simulation.edits import said
from domain.simulation.incidents.changes import before, earlier, gone, stub_larger, told
from domain.simulation.incidents.incident import ULTIMATE, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import by_book, dealing
from domain.simulation.incidents.stage import by_book as staged
from domain.simulation.incidents.stage import everybody

_SHOE = dealing("manual-shoe")


@incident(
    "community-early",
    (*ULTIMATE, "FAH", "COL"),
    "Community cards lie open before the last player has decided, or the dealer's hand is set.",
    clauses={
        "flop": "UTH-MA 10(b) s2; UTH-MD 11.C(2)",
        "river": "UTH-MA 10(d) s2; UTH-MD 11.E(2)",
        "": "FAH (h)(10)/s1-deal",
        "required": "COL 10(c)",
        "permissible": "COL 11(c)",
    },
    staging=staged(dict.fromkeys(ULTIMATE, everybody("check", "check", "play"))),
    besides=("wager-outside-window",),
)
def before_all_have_decided(scene: PlayedStretch) -> Woven:
    """Return the stretch with community cards out before one player has decided."""
    if scene.book == "FAH":
        cards = [*scene.all(CardBurned, reason="community"), *scene.all(CardDealt, to="community")]
        scene.wants(cards)
        return scene.woven(*(earlier(fact, scene.first(HandSet, seat=None)) for fact in cards))
    if scene.book == "COL":
        shown, last = scene.first(CommunityRevealed), scene.last(DecisionMade)
        return scene.woven(earlier(shown, last), keys=(str(scene.house["version"]),))
    street = scene.chance.choice(("preflop", "flop"))
    last = scene.last(DecisionMade, street=street)
    facts = scene.facts[scene.place(last) :]
    shown_at = [fact for fact in facts if isinstance(fact, CommunityRevealed | CardDealt | CardBurned)]
    asked = next(fact for fact in facts if isinstance(fact, DecisionAsked))
    coming = [fact for fact in shown_at if scene.place(fact) < scene.place(asked)]
    scene.wants(coming)
    key = "flop" if street == "preflop" else "river"
    return scene.woven(*(earlier(fact, last) for fact in coming), keys=(key,))


@incident(
    "community-deal-wrong",
    (*ULTIMATE, "FAH", "COL"),
    "Community cards are dealt face down, or to another place than is next.",
    clauses={
        "": "FAH (h)(10)/s1-deal",
        "flop": "UTH-MA 10(b) s2; UTH-MD 11.C(2)",
        "last two": "UTH-MA 10(d) s2; UTH-MD 11.E(2)",
        "COL manual-shoe": "COL 7(c)(4)",
        "COL hand": "COL 8(c)(4)",
        "COL automated-shoe": "COL 9(c)/s3-spread",
    },
)
def not_as_prescribed(scene: PlayedStretch) -> Woven:
    """Return the stretch with one community card facing or placed wrong."""
    if scene.book == "COL":
        if scene.method == "automated-shoe":
            return scene.woven(gone(scene.any_of(SlotAssigned)), keys=("COL automated-shoe",))
        second = scene.nth(1, CardDealt, to="community")
        return scene.woven(told(second, slot=1), keys=(f"COL {scene.method}",))
    at = 0 if scene.book == "FAH" else scene.chance.choice((0, 4))
    dealt = scene.all(CardDealt, to="community")
    if not dealt:  # Maryland's automated shoe deals them face down: one too few is turned up
        shown = scene.nth(0, CommunityRevealed)
        return scene.woven(told(shown, cards=shown.cards[:2]), keys=("flop",))
    scene.wants(len(dealt) == 5)
    return scene.woven(told(dealt[at], face_up=False), keys=("flop" if at == 0 else "last two",))


@incident(
    "burn-missing",
    (*ULTIMATE, "FAH"),
    "A card that has to be burned is not.",
    clauses={
        "flop": "UTH-MA 10(b) s1; UTH-MD 11.C(1)",
        "turn-river": "UTH-MA 10(d) s1; UTH-MD 11.E(1)",
        "community": "FAH (h)(10)/s1-burn",
    },
    setting=by_book({"UTH-MD": dealing("hand")}),
)
def not_burned(scene: PlayedStretch) -> Woven:
    """Return the stretch without the burn, whose card stays in the stub."""
    reasons = ("flop", "turn-river", "community")
    burned = scene.any_of(CardBurned, reason=lambda reason: reason in reasons)
    return scene.woven(gone(burned), *stub_larger(scene, 1), keys=(burned.reason,))


@incident(
    "burn-exposed",
    ("UTH-MA", "FAH"),
    "The face of a burned card is shown.",
    clauses="UTH-MA 1 (Burn); FAH (g)(1)/s3",
)
def burn_shown(scene: PlayedStretch) -> Woven:
    """Return the stretch with the burned card's face shown on the way to the rack."""
    reasons = ("shoe", "dealer") if scene.book == "FAH" else ("flop", "turn-river")
    burned = scene.any_of(CardBurned, reason=lambda reason: reason in reasons)
    return scene.woven(told(burned, face_up=True), anywhere=burned.round is None)


@incident(
    "unexpected-burn",
    ("UTH-MD",),
    "A card is burned where no burn is prescribed.",
    clauses={"flop": "UTH-MD 11.C(1)", "turn-river": "UTH-MD 11.E(1)"},
    setting=_SHOE,
)
def needless_burn(scene: PlayedStretch) -> Woven:
    """Return the stretch with a burn that this game does not prescribe."""
    street = scene.chance.choice(("flop", "turn-river"))
    card = scene.nth(0 if street == "flop" else 3, CardDealt, to="community")
    return scene.woven(before(card, said("card-burned", street)), *stub_larger(scene, -1), keys=(street,))


@incident(
    "marker-misplaced",
    ("FAH",),
    "The dealing marker is moved to a place it does not belong, and the cards are dealt as if it stood right.",
    clauses="FAH (g)(2)/s3",
    rounds=2,
    besides=("deal-out-of-order",),
    quiet=2,
)
def marker_astray(scene: PlayedStretch) -> Woven:
    """Return the stretch with the marker moved two places instead of one."""
    placed: list[MarkerPlaced] = scene.all(MarkerPlaced)
    scene.wants(len(scene.rounds) == 2 and len(placed) > 1)
    moved = placed[-2] if placed[-1] is scene.all(MarkerPlaced)[-1] else placed[-1]
    seats = scene.setup.positions
    here = moved.seat or 0
    to = (here + 2) % (seats + 1) or 1
    return scene.woven(told(moved, position="seat", seat=to), anywhere=True)
