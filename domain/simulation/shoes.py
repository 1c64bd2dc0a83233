"""Fast Action's shoe: shuffled, cut, loaded and burned from, and the marker; both outlast the rounds (FAH (e), (g))."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.cards import show
from domain.facts import deal, decks, shuffles, table_day
from domain.facts.envelope import Fact
from domain.settlement.played import Cards
from domain.simulation import piles, shuffling
from domain.simulation.piles import Pile, Place, ShortPileError
from domain.simulation.plans import RoundPlan
from domain.simulation.table import DealtDeck, TableInPlay

DEALERS_PLACE = 0  # the marker's place before the dealer
SCATTER, START, DRIFT = 11, 31, 7  # unplanned cards come in this order, which has no runs or suits in it


class Shoe(msgspec.Struct):
    """The state that outlasts a round: the cards left, the cutting card among them, and the marker's place."""

    pile: Pile = Pile(())
    loaded: bool = False
    behind: int = 0  # cards behind the cutting card
    reached: bool = False
    ran_out: bool = False  # by plan, long before the cards that were loaded are dealt, so nobody counts what is left
    astray: int = 0  # cards that an incident left in the shoe, less those it took out
    reached_at: Place | None = None  # where the card behind the cutting card went; None: nowhere yet
    ordered: bool = False  # the house has ordered a shuffle
    burned_by: str = ""  # the dealer who burned last
    marker: int = DEALERS_PLACE
    marker_stands: bool = False
    concealing: set[str] = set()  # cutting cards that conceal the last card, already at the table
    first_seat: int = 0  # the first player at the table, until the game has begun

    def heard(self, _: Fact) -> None:
        """Place the marker before the dealer when the game commences."""
        self.marker_stands = False


def of(table: TableInPlay) -> Shoe:
    """Return the table's shoe."""
    if table.shoe is None:
        table.shoe = Shoe(first_seat=next(iter(table.seated), 1))
        table.post.heard[table_day.GameCommenced] = table.shoe.heard
    shoe: Shoe = table.shoe
    return shoe


def continuous(table: TableInPlay) -> bool:
    """Return whether the shoe itself shuffles continuously (FAH (k)(1))."""
    return table.method == "continuous-shoe"


def scattered(decks_in_shoe: int) -> Cards:
    """Return all cards of this many decks in a fixed order."""
    return tuple((START + SCATTER * n + DRIFT * (n // 52)) % 52 for n in range(52 * decks_in_shoe))


def make_ready(table: TableInPlay, plan: RoundPlan) -> None:
    """Prepare a round: place the marker, fill the shoe, and have a new dealer burn a card."""
    shoe = of(table)
    if not shoe.marker_stands:
        place_marker(table, DEALERS_PLACE)
    if (reason := plan.parts.get("shuffle_ordered")) and shoe.loaded and not shoe.reached:  # or a shuffle is due anyway
        table.post.say(shuffles.ShuffleOrdered, "floorperson", deck=table.deck.name, reason=str(reason))
        shoe.ordered = True
    if not shoe.loaded or shoe.reached or shoe.ordered:
        fresh(table, plan.parts)
    if shoe.burned_by != table.dealer and not continuous(table):
        burn(table, "dealer")


def fresh(table: TableInPlay, parts: dict[str, Any]) -> None:
    """Load a whole shuffled set into the shoe, cut if shuffled by hand, and burn its first card."""
    shoe = of(table)
    if shoe.loaded:
        empty(table)
    if table.machine_shuffles:
        deck = _next_batch(table)
        table.post.say(shuffles.BatchReleased, deck.name, table.device("shuffler"))
    else:
        deck = table.deck
        if not continuous(table):
            shuffling.by_hand(table, deck)
            _cut(table, deck, parts)
    _load(table, deck, parts)
    if not continuous(table):
        burn(table, "shoe")
    shoe.ordered = shoe.reached = shoe.ran_out = False
    shoe.reached_at, shoe.first_seat = None, 0


def empty(table: TableInPlay) -> None:
    """Take the remaining cards out of the shoe and the played ones out of the rack."""
    shoe = of(table)
    left = None if shoe.ran_out else shoe.pile.left + shoe.astray
    table.post.say(shuffles.ShoeEmptied, table.deck.name, table.device("shoe"), left)
    table.post.say(decks.DiscardRackEmptied, deck=table.deck.name)
    table.deck.ready = shoe.loaded = False


def _next_batch(table: TableInPlay) -> DealtDeck:
    """Return the batch shuffled in the machine; the two batches alternate, shoe by shoe (FAH (b)(4)(v))."""
    if not table.deck.ready:
        table.turn += 1
    if not table.deck.ready:
        shuffling.by_machine(table, table.deck)
    return table.deck


def _cut(table: TableInPlay, deck: DealtDeck, parts: dict[str, Any]) -> None:
    """Offer the cut to the players in order; the first accepts, unless the plan says otherwise."""
    asked = asked_to_cut(table)
    by = parts.get("cut_by", asked[0] if asked else None)
    shuffling.offer_cut(table, deck, asked, by, parts.get("cut_depth", len(deck.cards) // 2))


def asked_to_cut(table: TableInPlay) -> list[int]:
    """Return who is asked first, and then all others clockwise (FAH (e)(3), (e)(4))."""
    shoe, seats = of(table), sorted(table.seated)
    if not seats:
        return []
    first = seats[-1]
    if shoe.first_seat in seats:
        first = shoe.first_seat
    elif not shoe.ordered and shoe.reached_at is not None and shoe.reached_at[1] in seats:
        first = shoe.reached_at[1]
    at = seats.index(first)
    return seats[at:] + seats[:at]


def _load(table: TableInPlay, deck: DealtDeck, parts: dict[str, Any]) -> None:
    shoe = of(table)
    order = _shuffled(table, deck)
    shoe.pile, shoe.loaded, shoe.astray = Pile(order), True, 0
    if not continuous(table):
        shoe.behind = parts.get("cards_behind", len(order) // 4)
        table.post.say(shuffles.CuttingCardInserted, deck.name, shoe.behind)
        if table.house["concealing_card"]:
            conceal(table, deck)
    by = "device" if table.setup.shuffler_loads_shoe and table.machine_shuffles else "dealer"
    table.post.say(shuffles.ShoeLoaded, deck.name, by, device=table.device("shoe"), cards=len(order))
    deck.ready = False


def conceal(table: TableInPlay, deck: DealtDeck) -> None:
    """Conceal the last card of the stack with a second cutting card (FAH (b)(3))."""
    shoe, card = of(table), f"{deck.name}-concealing"
    if card not in shoe.concealing:
        table.post.say(decks.CoverCardIntroduced, card, color="white", role="conceal")
        shoe.concealing.add(card)
    table.post.say(decks.CoverCardPlaced, "shoe-end", card)


def burn(table: TableInPlay, reason: str) -> None:
    """Burn the next card face down into the rack, without showing it (FAH (g)(1))."""
    shoe = of(table)
    card = show([shoe.pile.draw()])
    table.post.say(deal.CardBurned, reason, card=card)
    shoe.burned_by = table.dealer


def cutting_card(deck: DealtDeck) -> str:
    """Return the name of the cutting card."""
    return f"{deck.name}-cutting"


def place_marker(table: TableInPlay, place: int) -> None:
    """Place the marker before the dealer or a position."""
    shoe = of(table)
    seat = place or None
    table.post.say(deal.MarkerPlaced, "seat" if seat else "dealer", seat)
    shoe.marker, shoe.marker_stands = place, True


def move_marker(table: TableInPlay) -> None:
    """Move the marker one place clockwise: from the last position to the dealer, then to the first (FAH (g)(2)/s3)."""
    ring = [DEALERS_PLACE, *range(1, table.setup.positions + 1)]
    at = ring.index(of(table).marker)
    onwards = ring[at + 1 :] + ring[: at + 1]
    if table.house["marker_skips_empty"]:
        onwards = [place for place in onwards if place == DEALERS_PLACE or place in table.seated]
    place_marker(table, onwards[0])


def from_marker(table: TableInPlay, seats: Sequence[int]) -> list[Place]:
    """Return the positions with a wager and the dealer, clockwise from the marker (FAH (g)(3)/s2)."""
    marker = of(table).marker
    ring = sorted({DEALERS_PLACE, *seats})
    start = next((at for at, place in enumerate(ring) if place >= marker), 0)
    return [("seat", place) if place else ("dealer", 0) for place in ring[start:] + ring[:start]]


def put_back(table: TableInPlay) -> None:
    """Put the cards of the round back into a continuous shoe (FAH (k)(1))."""
    shoe, deck = of(table), table.deck
    table.post.say(decks.DiscardRackEmptied, deck=deck.name)
    table.post.say(shuffles.ShoeLoaded, deck.name, "dealer", device=table.device("shoe"), cards=shoe.pile.dealt)
    shoe.pile = Pile(_shuffled(table, deck))


def _shuffled(table: TableInPlay, deck: DealtDeck) -> Cards:
    """Return all cards of a shoe in a random order, or in a fixed one that begins elsewhere for each shoe."""
    if table.chance is not None:
        return piles.shuffled(deck.cards, table.chance)
    order = scattered(deck.decks)
    at = table.rounds * 17 % len(order)
    return (*order[at:], *order[:at])


def laid(order: Sequence[Place], hands: Mapping[Place, Cards], rest: Sequence[int], top: Cards = ()) -> Cards:
    """Return the rest of a shoe in an order that gives each place its cards, the unplanned ones in their order."""
    planned = top or [card for cards in hands.values() for card in cards]
    if not planned:
        return tuple(rest)
    spare = list(reversed(rest))  # planned cards are taken from the end, so that the next ones stay
    for card in planned:
        if card not in spare:
            raise ShortPileError(f"the plan deals {show([card])} more often than the shoe still holds it")
        spare.remove(card)
    spare.reverse()
    if top:
        return (*top, *spare)
    waiting = {place: list(cards) for place, cards in hands.items()}
    dealt = []
    for place in order:
        held = waiting.get(place) or spare
        if held:
            dealt.append(held.pop(0))
    return (*dealt, *(card for cards in waiting.values() for card in cards), *spare)
