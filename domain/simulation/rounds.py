"""What every round has around its game: who deals, the cards made ready, the wagers, the end.

`begin` and `finish` are for the games with one deck a round; Fast Action's shoe outlasts its rounds.
"""

from collections.abc import Sequence

from domain.facts import deal, payments, wagers
from domain.facts.decks import DiscardRackEmptied
from domain.simulation import decks, opening, paying, shuffling
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import Deck, Table


def ready_people(table: Table, plan: RoundPlan) -> None:
    """The dealer of this round and everyone who plays in it are at the table."""
    if plan.new_dealer and plan.new_dealer != table.dealer:
        opening.relieve(table, plan.new_dealer)
    for seat in plan.seats:
        there = table.seated.get(seat.seat)
        if there is not None and there != (seat.player or there):
            opening.leave(table, seat.seat)
        if seat.seat not in table.seated:
            opening.sit(table, seat.seat, seat.player or f"player-{seat.seat}")


def begin(table: Table, plan: RoundPlan) -> tuple[SeatPlan, ...]:
    """From the cards' shuffle to the last wager placed; the seats in the order they are dealt."""
    ready_people(table, plan)
    ready_cards(table, plan)
    open_round(table)
    return place_wagers(table, plan.seats)


def ready_cards(table: Table, plan: RoundPlan) -> None:
    """Decks changed whose time is over; the one in turn shuffled, cut and loaded.

    The plan's `parts` may have somebody in charge order a shuffle (`shuffle_ordered`) or another cut (`recut`), for
    the reason they say.
    """
    for old in decks.overdue(table):
        decks.change(table, old, "time")
    if reason := plan.parts.get("shuffle_ordered"):
        shuffling.order_shuffle(table, table.deck, str(reason))
    shuffling.make_ready(table, table.deck, recut_for=str(plan.parts.get("recut", "")))


def open_round(table: Table) -> None:
    """The round has its number and its deck; an idle second deck goes into the shuffler."""
    table.post.round = table.rounds + 1
    table.post.say(deal.RoundOpened, table.deck.name)
    for idle in idle_decks(table):
        shuffling.start_machine(table, idle)


def idle_decks(table: Table) -> list[Deck]:
    """Decks not in play that still have to be shuffled."""
    return [deck for deck in table.decks if deck is not table.deck and not deck.ready]


def place_wagers(table: Table, seats: Sequence[SeatPlan]) -> tuple[SeatPlan, ...]:
    """Every wager that is placed before the deal, seat by seat from the dealer's left."""
    ordered = tuple(sorted(seats, key=lambda seat: seat.seat))
    for seat in ordered:
        for wager, cents in seat.wagers.items():
            paying.place(table, seat, wager, cents)
    return ordered


def close_bets(table: Table) -> None:
    """The dealer announces "No more bets"."""
    table.post.say(wagers.BetsClosed)


def finish_idle_shuffle(table: Table) -> None:
    """The device has shuffled the idle deck while this round was played."""
    for idle in idle_decks(table):
        shuffling.by_machine(table, idle, started=True)


def finish(table: Table) -> None:
    """The round is over; its cards leave the rack before the next round's come into it."""
    finish_idle_shuffle(table)
    table.post.say(payments.RoundCompleted)
    table.post.round = None
    table.rounds += 1
    table.since_count += 1
    table.deck.since_count += 1
    table.post.say(DiscardRackEmptied, deck=table.deck.name)
    table.turn += 1
