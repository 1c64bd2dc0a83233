"""The order of a planned round's cards in the deck, including cards that turn up out of turn."""

from collections.abc import Sequence

from domain.cards import UNKNOWN
from domain.settlement.played import Cards
from domain.simulation.in_play import BURN, COMMUNITY, DEALER, InPlay, SetAsideCard
from domain.simulation.piles import Pile, Place, laid


def planned_hands(game: InPlay) -> dict[Place, Cards]:
    """Return the cards the plan names, by place."""
    plan = game.plan
    hands: dict[Place, Cards] = {("seat", seat.seat): seat.cards for seat in game.seats.values()}
    return hands | {DEALER: plan.dealer, COMMUNITY: plan.community, BURN: plan.burns}


def asides(game: InPlay, order: Sequence[Place]) -> list[SetAsideCard]:
    """Return the cards that turn up out of turn when the cards are dealt in this order."""
    what = game.what
    if what.kind == "card-face-up":
        # A card that is not named is whichever is there.
        named = [(each.after_cards or 0, None if each.card == UNKNOWN else each.card) for each in what.found]
        found = [SetAsideCard(after, card, "face-up") for after, card in named]
        return sorted(found, key=lambda aside: aside.after)
    if what.kind != "card-drawn-in-error":
        return []
    if what.exposed:
        after = len(order) // 2 if what.at_dealt is None else what.at_dealt
        return [SetAsideCard(after, what.card, "drawn and seen")]
    return [SetAsideCard(_next_card(game, order), what.card, "drawn unseen")]


def _next_card(game: InPlay, order: Sequence[Place]) -> int:
    """Return the card of the deal before which one was drawn in error: it is that card."""
    what = game.what
    if not what.used_as:
        return len(order) // 2 if what.at_dealt is None else what.at_dealt
    of, _, seat = what.used_as.partition(":")
    place = (of, int(seat or 0))
    held = planned_hands(game).get(place, ())
    nth = held.index(what.card) if what.card in held else order.count(place) - 1
    return [at for at, each in enumerate(order) if each == place][nth]


def lay(game: InPlay, order: Sequence[Place]) -> None:
    """Set the pile of one deck, to be dealt in this order; a deck to be found wrong lacks its last card.

    Or it holds as many cards as the plan says, some of them twice.
    """
    deck = game.table.deck
    cards = deck_order(game, order, deck.cards)
    if game.what.kind == "stub-count" and game.what.finding != "misdealt":
        many = len(cards) - 1 if game.what.count is None else game.what.count
        deck.cards = cards = (*cards[:many], *cards[: max(0, many - len(cards))])
    game.pile = Pile(cards)


def deck_order(game: InPlay, order: Sequence[Place], whole: Sequence[int]) -> Cards:
    """Return the deck from the top: the plan's whole order, or one that gives every place its planned cards."""
    game.asides = asides(game, order)
    if game.plan.order:
        return game.plan.order
    places, hands = with_asides(order, game.asides, planned_hands(game))
    return laid(places, hands, *lying(game, whole))


def lying(game: InPlay, whole: Sequence[int]) -> tuple[Sequence[int], int | None]:
    """Return the unplanned cards: shuffled by chance if the plan says so, else in a rotating order."""
    shuffled = game.plan.shuffled
    return (shuffled, None) if len(shuffled) == len(whole) else (whole, game.table.rounds)


def with_asides(
    order: Sequence[Place], asides_: Sequence[SetAsideCard], hands: dict[Place, Cards]
) -> tuple[list[Place], dict[Place, Cards]]:
    """Return the dealing order with places for the cards that leave the round, and all cards by place."""
    leaving = [aside for aside in asides_ if aside.leaves]
    places = list(order)
    for number, aside in reversed(list(enumerate(leaving))):
        places.insert(aside.after, ("aside", number))
        if aside.card is not None:
            hands["aside", number] = (aside.card,)
    return places, hands
