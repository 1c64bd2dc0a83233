"""Fast Action without players: cards taken out of shoe and rack, spread, and picked up again (FAH (e)(8))."""

from domain.facts import players, table_day
from domain.facts.decks import CardsSpread, CardsStacked, CardsTurned
from domain.simulation import decks, opening, shoes, shuffling
from domain.simulation.table import TableInPlay


def idle(table: TableInPlay, *, face_up: bool = False) -> None:
    """Idle the table; a continuous shoe stays as it is (FAH (k)(1))."""
    table.post.say(table_day.TableIdled)
    if shoes.continuous(table):
        return
    if shoes.of(table).loaded:
        shoes.empty(table)
    table.post.say(CardsSpread, table.deck.name, face_up=face_up)


def resume(table: TableInPlay, seat: int, player: str, *, face_up: bool = False) -> None:
    """Resume with a player, who may look at the cards.

    Without a shuffler the cards are washed, to be shuffled and cut. With one they go into it, and the batch there comes
    out for play.
    """
    post = table.post
    post.say(players.PlayerArrived, player)
    opening.sit(table, seat, player)
    if not shoes.continuous(table):
        deck = table.deck
        if not face_up:
            post.say(CardsTurned, deck.name, face_up=True)
        post.say(players.InspectionOffered, player=player, deck=deck.name)
        if table.machine_shuffles:
            post.say(CardsTurned, deck.name, face_up=False)
            post.say(CardsStacked, deck.name, stacks=1)
            shuffling.start_machine(table, deck)
            shoes.fresh(table, {})
            shuffling.by_machine(table, deck, started=True)
        else:
            decks.mix(table, deck)
            shoes.of(table).first_seat = seat
    post.say(table_day.GameCommenced)
