"""Fast Action's cut: offered to the players in order, with the cutting card a quarter from the back."""

from collections.abc import Sequence

from domain.facts.deal import CardBurned, CardDealt
from domain.facts.envelope import Fact
from domain.facts.players import PlayerLeft, PlayerSeated
from domain.facts.shuffles import (
    CutOffered,
    CutPerformed,
    CutRefused,
    CuttingCardInserted,
    CuttingCardReached,
    ShuffleCompleted,
)
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.deck import CARDS, CONTINUOUS, Deck
from domain.watch.deck_queries import cut_owed, fresh, raised, the_house
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.laws import law

OFFER = law(
    "cut-offer-out-of-order",
    {
        "": "FAH (e)(3)",
        "beginning": "FAH (e)(3)(i)",
        "box": "FAH (e)(3)(ii)",
        "dealer": "FAH (e)(3)(iii)",
        "casino": "FAH (e)(3)(iv)",
        "next": "FAH (e)(4)",
    },
)
SHALLOW = law("cutting-card-too-shallow", "FAH (e)(6)/s2")

_WHO = (CutOffered, CutRefused, CuttingCardReached, PlayerLeft, PlayerSeated, ShuffleCompleted)
_WHOSE = {
    "beginning": "the first player at the table",
    "box": "the player on whose box the cutting card appeared",
    "dealer": "the player farthest right, as required when the cutting card appears on the dealer's hand",
    "casino": "the player farthest right, as required when the house orders the shuffle",
}


@watch(CutPerformed, laws=(OFFER,), needs=_WHO)
def the_cut_is_offered_in_order(day: TableDay, cut: CutPerformed) -> Found:
    """Check that the cut is offered to the right player, then clockwise until one accepts, and else to the dealer."""
    deck = day.decks.known.get(cut.deck)
    seats = sorted(day.seated)
    if deck is None or deck.cut is not None or not seats or not cut_owed(day, deck):
        return
    offered = [offer.seat for offer in day.decks.offers if isinstance(offer, CutOffered)]
    if not offered:
        says = f"{deck.called} was cut by the {cut.by} without an offer to the players."
        yield from raised(day, OFFER, ("", "next"), cut, says)
        return
    why, first = due_first(day, seats)
    if first is not None and offered[0] != first:
        says = f"The cut was offered first to seat {offered[0]} instead of seat {first}, {_WHOSE[why]}."
        # The rule does not cover a cutting card that appears among the community cards or is burned.
        reached = day.decks.shoe_ended
        unsaid = isinstance(reached, CuttingCardReached) and reached.position not in ("seat", "dealer")
        basis = "reading" if unsaid else "certain"
        yield from raised(day, OFFER, ("", why), day.decks.offers[0], says, evidence=[cut], basis=basis)
    yield from _onwards(day, cut, offered, seats)


def _onwards(day: TableDay, cut: CutPerformed, offered: Sequence[int], seats: Sequence[int]) -> Found:
    """Check that the offer goes clockwise after the first player, and to every player before the dealer cuts."""
    start = seats.index(offered[0]) if offered[0] in seats else 0
    clockwise = [*seats[start:], *seats[:start]]
    if list(offered) != clockwise[: len(offered)]:
        says = f"The cut was offered to {_listed(offered)}, but clockwise it goes to {_listed(clockwise)}."
        yield from raised(day, OFFER, "next", cut, says, evidence=day.decks.offers)
    elif cut.by == "dealer" and len(offered) < len(clockwise):
        says = f"The dealer cut after offering to {_listed(offered)} but not to {_listed(clockwise[len(offered) :])}."
        yield from raised(day, OFFER, "next", cut, says)
    elif cut.seat is not None and cut.seat != offered[-1]:
        says = f"Seat {cut.seat} cut the cards, but the last offer went to seat {offered[-1]}."
        yield from raised(day, OFFER, "next", cut, says, evidence=day.decks.offers)


def due_first(day: TableDay, seats: Sequence[int]) -> tuple[str, int | None]:
    """Return why and to which seat the cut is offered first; None if the record leaves it open."""
    decks, farthest_right = day.decks, seats[-1]
    if not decks.began:
        seat = next((seat for seat, player in day.seated.items() if player == decks.first_player), None)
        return "beginning", seat
    if isinstance(decks.shoe_ended, CuttingCardReached):
        reached = decks.shoe_ended
        if reached.position == "seat":
            return "box", reached.seat if reached.seat in seats else None
        return "dealer", farthest_right
    if decks.shoe_ended is None and decks.shuffle_ordered:
        return "casino", farthest_right
    return "", None


def _listed(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"


@watch(DealBegins, laws=(SHALLOW,), needs=(CuttingCardInserted, ShuffleCompleted))
def the_cutting_card_stands_deep_enough(day: TableDay, deals: Fact) -> Found:
    """Check that about a quarter of the cards or more are behind the cutting card, less the house's tolerance."""
    deck = day.decks.at_hand
    if deck is None or not fresh(day, deck) or day.method == CONTINUOUS:
        return
    if deck.inserted is None:
        if cut_owed(day, deck):
            says = f"{deck.called} was dealt without a cutting card."
            yield from raised(day, SHALLOW, "", deals, says)
        return
    behind, least = deck.inserted.cards_behind, _least_behind(day, deck)
    if behind is not None and behind < least:
        says = (
            f"The cutting card of {deck.name} was inserted with {number_of(behind, 'card')} behind it, "
            f"but at least {least} must be behind it."
        )
        yield from raised(day, SHALLOW, "", deck.inserted, says, evidence=[deals])


@watch(CuttingCardReached, laws=(SHALLOW,), needs=(CardDealt, CardBurned))
def the_cutting_card_stood_deep_enough(day: TableDay, reached: CuttingCardReached) -> Found:
    """Check the cutting card's depth by the cards dealt before it appeared, if nobody recorded it."""
    deck, told = day.decks.at_hand, day.round
    if deck is None or told is None or day.method == CONTINUOUS:
        return
    if deck.loaded is None or (deck.inserted is not None and deck.inserted.cards_behind is not None):
        return
    dealt = deck.dealt_since_load + len(told.of(CardDealt)) + len(told.of(CardBurned))
    behind, least = (deck.loaded.cards or size(day, deck)) - dealt, _least_behind(day, deck)
    if behind < least - 1:  # the card may have come out just before or after a dealt one
        says = (
            f"The cutting card of {deck.name} appeared with {number_of(behind, 'card')} left, "
            f"but at least {least} must be behind it."
        )
        yield from raised(day, SHALLOW, "", reached, says)


def size(day: TableDay, deck: Deck) -> int:
    """Return the number of cards in this shoe, by its decks or, if unrecorded, by the house's option."""
    if deck.received is not None:
        return deck.size
    return CARDS * int(the_house(day)["decks"])


def _least_behind(day: TableDay, deck: Deck) -> int:
    """Return the minimum of cards behind the cutting card, less the house's tolerance."""
    house = the_house(day)
    one, of = house.book.value("cutting_card_share_from_back")
    quarter = size(day, deck) * one // of
    return int(quarter * (100 - house["cut_card_tolerance"]) // 100)
