"""The common frame of every round: the dealer, the cards, the wagers, the end.

`begin` and `finish` are for the games with one deck a round; Fast Action's shoe outlasts its rounds.
"""

from collections.abc import Sequence

from domain.facts import deal, payments, wagers
from domain.facts.decks import DiscardRackEmptied
from domain.simulation import decks, opening, paying, shuffling
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import DealtDeck, TableInPlay


def ready_people(table: TableInPlay, plan: RoundPlan) -> None:
    """Bring the dealer of this round and all its players to the table."""
    if plan.new_dealer and plan.new_dealer != table.dealer:
        opening.relieve(table, plan.new_dealer)
    for seat in plan.seats:
        there = table.seated.get(seat.seat)
        if there is not None and there != (seat.player or there):
            opening.leave(table, seat.seat)
        if seat.seat not in table.seated:
            opening.sit(table, seat.seat, seat.player or f"player-{seat.seat}")


def begin(table: TableInPlay, plan: RoundPlan) -> tuple[SeatPlan, ...]:
    """Begin the round, from the shuffle to the last wager placed; return the seats in dealing order."""
    ready_people(table, plan)
    ready_cards(table, plan)
    open_round(table)
    return place_wagers(table, plan.seats)


def ready_cards(table: TableInPlay, plan: RoundPlan) -> None:
    """Change decks past their time; shuffle, cut and load the one in turn.

    The plan's `parts` may have a supervisor order a shuffle (`shuffle_ordered`) or another cut (`recut`), with the
    given reason.
    """
    for old in decks.overdue(table):
        decks.change(table, old, "time")
    if reason := plan.parts.get("shuffle_ordered"):
        shuffling.order_shuffle(table, table.deck, str(reason))
    shuffling.make_ready(table, table.deck, recut_for=str(plan.parts.get("recut", "")))


def open_round(table: TableInPlay) -> None:
    """Open the round with its number and deck; an idle second deck goes into the shuffler."""
    table.post.round = table.rounds + 1
    table.post.say(deal.RoundOpened, table.deck.name)
    for idle in idle_decks(table):
        shuffling.start_machine(table, idle)


def idle_decks(table: TableInPlay) -> list[DealtDeck]:
    """Return decks not in play that still have to be shuffled."""
    return [deck for deck in table.decks if deck is not table.deck and not deck.ready]


def place_wagers(table: TableInPlay, seats: Sequence[SeatPlan]) -> tuple[SeatPlan, ...]:
    """Place every wager before the deal, seat by seat from the dealer's left."""
    ordered = tuple(sorted(seats, key=lambda seat: seat.seat))
    for seat in ordered:
        for wager, cents in seat.wagers.items():
            paying.place(table, seat, wager, cents)
    return ordered


def close_bets(table: TableInPlay) -> None:
    """The dealer announces "No more bets"."""
    table.post.say(wagers.BetsClosed)


def finish_idle_shuffle(table: TableInPlay) -> None:
    """End the device's shuffle of the idle deck, which took place during this round."""
    for idle in idle_decks(table):
        shuffling.by_machine(table, idle, started=True)


def finish(table: TableInPlay) -> None:
    """End the round; its cards leave the rack before the next round's come into it."""
    finish_idle_shuffle(table)
    table.post.say(payments.RoundCompleted)
    table.post.round = None
    table.rounds += 1
    table.since_count += 1
    table.deck.since_count += 1
    table.post.say(DiscardRackEmptied, deck=table.deck.name)
    table.turn += 1
