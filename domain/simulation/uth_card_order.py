"""The order in which a round's cards leave the deck at Ultimate Texas Hold'em, by state and dealing method."""

from domain.cards import UNKNOWN
from domain.settlement.played import Cards, FaceUpCard
from domain.simulation.card_order import lying
from domain.simulation.in_play import SetAsideCard, by_passes
from domain.simulation.piles import Place, laid
from domain.simulation.uth_in_play import BOX, BOX_CARDS, BURN, COMMUNITY, DEALER, PlanError, Uth

WHOLE = 52
Group = tuple[Place, int]  # this many cards at once to one place


def hand_size(game: Uth, place: Place, due: int) -> int:
    """Return how many cards a place gets: the due number, unless miscounted."""
    of = {BOX: "six-card-box", COMMUNITY: "community", DEALER: "dealer"}.get(place, f"seat:{place[1]}")
    what = game.what
    named = what.of or (f"seat:{what.seat}" if what.seat is not None else "")
    miscounted = what.kind == "wrong-count" or (what.kind == "stub-count" and what.finding == "misdealt")
    return what.dealt if miscounted and what.dealt is not None and named == of else due


def initial(game: Uth) -> list[Group]:
    """Return what is dealt before the first decision."""
    seats: list[Place] = [("seat", seat) for seat in sorted(game.seats)]
    hands = [*seats, DEALER]
    if game.table.method != "automated-shoe":
        wrong = {place: hand_size(game, place, 2) for place in hands}
        return [(place, 1) for place in by_passes(hands, 2, wrong)]
    stacks: list[Group] = [(place, hand_size(game, place, 2)) for place in hands]
    if game.massachusetts:
        return stacks  # UTH-MA 9(c): the dealer's last
    box = [(BOX, hand_size(game, BOX, BOX_CARDS))] if game.box_offered else []
    first = [*box, (COMMUNITY, hand_size(game, COMMUNITY, 5))]
    if game.dealer_waits:
        return [*first, *stacks[:-1]]
    return [*first, stacks[-1], *stacks[:-1]]  # UTH-MD 10.B(3)


def board_sizes(game: Uth) -> tuple[int, int]:
    """Return the sizes of flop and later board; a miscount of the board shows in its last cards."""
    if game.board_dealt_first:
        return 0, 0
    dealt = hand_size(game, COMMUNITY, 5)
    return min(3, dealt), max(0, dealt - 3)


def order(game: Uth) -> list[Place]:
    """Return the places of the whole round, card by card."""
    places = [place for place, many in initial(game) for _ in range(many)]
    game.initial_cards = len(places)
    if game.dealer_waits:
        game.initial_cards += 2
        return [*places, DEALER, DEALER]
    burn = [BURN] if game.burns else []
    flop, last = board_sizes(game)
    if flop:
        places += [*burn, *[COMMUNITY] * flop, *burn, *[COMMUNITY] * last]
    return places


def lay(game: Uth) -> Cards:
    """Return the deck from the top, and what turns up in it out of turn."""
    plan, places = game.plan, order(game)
    game.asides = _asides(game, places)
    whole = game.table.deck.cards
    if plan.order:
        return plan.order
    hands: dict[Place, Cards] = {("seat", seat.seat): seat.cards for seat in plan.seats}
    hands |= {DEALER: plan.dealer, COMMUNITY: plan.community, BOX: plan.box, BURN: plan.burns}
    leaving = [aside for aside in game.asides if aside.leaves]
    for number, aside in reversed(list(enumerate(leaving))):
        places.insert(aside.after, ("aside", number))
        if aside.card is not None:
            hands["aside", number] = (aside.card,)
    lies = laid(places, hands, *lying(game, whole))
    if game.deck_not_whole:
        lies = _not_whole(lies, WHOLE - 1 if game.what.count is None else game.what.count)
        game.table.deck.cards = tuple(sorted(lies))
    return lies


def _not_whole(lies: Cards, count: int) -> Cards:
    """Return a deck with cards missing from its end, or with its last card twice."""
    return lies[:count] if count < len(lies) else (*lies, *lies[-1:] * (count - len(lies)))


def _asides(game: Uth, places: list[Place]) -> list[SetAsideCard]:
    what = game.what
    if what.kind == "card-face-up":
        named = ((_after(game, found), None if found.card == UNKNOWN else found.card) for found in what.found)
        return sorted((SetAsideCard(after, card, "face-up") for after, card in named), key=lambda aside: aside.after)
    if what.kind != "card-drawn-in-error":
        return []
    after = _drawn_after(game, places)
    return [SetAsideCard(after, what.card, "drawn and seen" if what.exposed else "drawn unseen")]


def _after(game: Uth, found: FaceUpCard) -> int:
    if found.after_cards is not None:
        return found.after_cards
    return game.initial_cards if found.when == "after-initial" else 1


def _drawn_after(game: Uth, places: list[Place]) -> int:
    """Return how many cards were dealt when one was drawn in error; it is used as the card it would have been."""
    what = game.what
    if what.at_dealt is not None:
        return what.at_dealt
    if not what.used_as:
        return game.initial_cards
    of, _, seat = what.used_as.partition(":")
    place = BOX if of == "six-card-box" else (of, int(seat or 0))
    if place not in places:
        raise PlanError(f"no card of this round goes to {what.used_as}")
    return len(places) - 1 - places[::-1].index(place)
