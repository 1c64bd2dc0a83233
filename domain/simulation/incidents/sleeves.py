"""Switched cards, moved to and from a sleeve, or missing from the deck for a while."""

from domain.facts.decisions import HandAnnounced, HandRevealed
from domain.facts.payments import HandsCollected
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import before, gone, told
from domain.simulation.incidents.incident import ULTIMATE, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.stage import dealt, holding, numbers, plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

_DEALT, _SLEEVE = "Qc 4d", "Kc"


def _about_to_lose(_: TableInPlay, plan: RoundPlan, __: int) -> RoundPlan:
    """Return the round with a pair of kings for the dealer and nothing for the first player."""
    plan = holding(plain(plan), numbers(plan)[0], _DEALT, "check", "check", "play")
    return dealt(plan, dealer="Ks 7d", community="Kd 9h 3s 2c 8d")


@incident(
    "card-switching",
    ULTIMATE,
    "A player turns up another card than was dealt to him, and is paid for a pair he did not have.",
    code="deck-composition-wrong",
    clauses="UTH-MA 2(a); UTH-MD 3.A(1)",
    staging=_about_to_lose,
    besides=(
        *("winner-misjudged", "hand-misranked", "loser-paid", "loser-not-collected", "settlement-basis-wrong"),
        *("push-mishandled", "settlement-procedure-wrong"),
    ),
)
def out_of_the_sleeve(scene: PlayedStretch) -> Woven:
    """Return the stretch with a four switched for a king: ante and play are paid, the blind pushes."""
    seat = scene.seats()[0]
    shown = scene.first(HandRevealed, seat=seat)
    held = tuple(_SLEEVE if card == "4d" else card for card in shown.cards)
    edits: list[Edit] = [
        told(shown, cards=held),
        told(scene.first(HandAnnounced, seat=seat), hand="pair of kings"),
        told(scene.last(HandsCollected, seat=seat), cards=held),
    ]
    for each in scene.wagers(seat=seat, wager=lambda wager: wager in ("ante", "blind", "play")):
        scene.wants(not each.coupon)
        won = () if each.wager == "blind" else (said("wager-paid", seat, each.wager, each.stake),)
        edits += [
            before(each.moves[0], *won, said("wager-returned", seat, each.wager, each.stake)),
            gone(*each.moves),
        ]
    return scene.woven(*edits, seat=seat)
