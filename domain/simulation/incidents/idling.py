"""Tables without play for a while: cards not spread, an inspection not offered, a batch not secured."""

from domain.facts.deal import RoundOpened
from domain.facts.decks import CardsSpread, DeckReceived
from domain.facts.players import InspectionOffered, PlayerArrived
from domain.facts.shuffles import BatchReleased, BatchSecured
from domain.facts.table_day import TableIdled
from domain.simulation import fast_action_idle, opening
from domain.simulation.incidents.changes import gone
from domain.simulation.incidents.incident import ALL_BOOKS, StretchUnfitError, incident
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import by_book, dealing, shuffled_by_hand, shuffled_by_machine
from domain.simulation.incidents.stage import plain
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay


def idled(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
    """Empty the table before the round; the round's first player returns first."""
    plain(plan)
    if table.rounds < len(table.decks):
        raise StretchUnfitError("not every deck has been played yet")
    for seat in list(table.seated):
        opening.leave(table, seat)
    first = min(plan.seats, key=lambda seat: seat.seat)
    player = first.player or f"player-{first.seat}"
    if table.book == "FAH":
        fast_action_idle.idle(table)
        fast_action_idle.resume(table, first.seat, player)
    else:
        opening.idle(table)
        opening.resume(table, first.seat, player)
    return plan


@incident(
    "idle-cards-not-spread",
    ALL_BOOKS,
    "Nobody plays, and the cards are not spread out on the table.",
    clauses="UTH-MA 4(e) s1; UTH-MD 5.H(1); PIK 39.6(e)/s1; FAH (e)(8)/s1; COL 5(e)/s1",
    setting=by_book({"FAH": dealing("manual-shoe")}),
    staging=idled,
)
def not_spread(scene: PlayedStretch) -> Woven:
    """Return the stretch without the spread of the cards."""
    idled_at, came = scene.place(scene.last(TableIdled)), scene.place(scene.last(PlayerArrived))
    spread = [fact for fact in scene.facts[idled_at:came] if isinstance(fact, CardsSpread)]
    scene.wants(spread)
    return scene.woven(gone(*spread), anywhere=True)


@incident(
    "inspection-not-offered/idle",
    ALL_BOOKS,
    "A player comes to an idle table and is not shown the cards.",
    clauses="UTH-MA 4(e) s2; UTH-MD 4.B; PIK 39.6(e)/s2; FAH (e)(8)/s2; COL 5(e)/s2",
    setting=by_book({"FAH": shuffled_by_hand}),
    staging=idled,
)
def not_shown_again(scene: PlayedStretch) -> Woven:
    """Return the stretch without the inspection for the returning player."""
    scene.wants(not scene.has(DeckReceived))  # a new deck is shown too
    return scene.woven(gone(scene.first(InspectionOffered, deck=scene.first(RoundOpened).deck)))


@incident(
    "batch-unsecured",
    ("FAH",),
    "After an idle table a batch comes out of the shuffler that was not secured there.",
    clauses="FAH (e)(8)(ii)(B)",
    setting=shuffled_by_machine,
    staging=idled,
)
def not_secured(scene: PlayedStretch) -> Woven:
    """Return the stretch without the securing of the batch."""
    released = scene.first(BatchReleased)
    scene.wants(not scene.has(BatchSecured, deck=released.deck))
    return scene.woven(gone(released))
