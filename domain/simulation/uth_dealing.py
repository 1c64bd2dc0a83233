"""The deal of Ultimate Texas Hold'em: hands by each method, burns and community cards, the stub."""

from domain.facts import deal, payments
from domain.facts import decks as deck_facts
from domain.facts.shuffles import ShoeEmptied
from domain.simulation import stub
from domain.simulation.in_play import SOURCES, texts
from domain.simulation.piles import Place
from domain.simulation.uth_card_order import board_sizes, initial
from domain.simulation.uth_in_play import BOX, BURN, COMMUNITY, DEALER, Uth

FLOP = 3


def cover_card(game: Uth) -> str:
    """Return the cover card on the dealer's cards, which differs from the one for the cut."""
    return f"{game.table.deck.name}-cover-2"


def deal_hands(game: Uth) -> None:
    """Deal everything before the first decision."""
    stacks = game.table.method == "automated-shoe"
    for place, many in initial(game):
        if stacks:
            _stack(game, place, many)
        else:
            _card(game, place)
    game.drawn_too_early()
    if game.house.options.get("cover_all") and game.table.machine_shuffles:
        hands = len(game.seats) + 1  # UTH-MA 13(e)
        game.post.say(deal.HandsDetermined, game.table.device("shuffler"), hands)
    if stacks and not game.board_dealt_first:
        # UTH-MA 9(d) s1: the community cards come from the hand.
        game.post.say(ShoeEmptied, game.table.deck.name, game.table.device("shoe"), game.pile.left)


def _card(game: Uth, place: Place) -> None:
    slot = len(game.dealt_to(place)) + 1
    game.deal(place, slot=slot)
    if place == DEALER and slot == 1:
        game.post.say(deck_facts.CoverCardPlaced, "dealer-hand", card=cover_card(game))


def _stack(game: Uth, place: Place, size: int) -> None:
    game.dispense(place, size)
    if place == DEALER:
        game.post.say(deck_facts.CoverCardPlaced, "dealer-stack", card=cover_card(game))
    game.deliver(place)


def complete_dealer(game: Uth) -> None:
    """Deal the dealer's missing card, in sequence (UTH-MA 15(d) s2)."""
    _one(game, DEALER, len(game.dealt_to(DEALER)) + 1)


def flop(game: Uth) -> None:
    """Deal the first three community cards, or those of them still missing."""
    if game.board_dealt_first:
        _turn_up(game, game.dealt_to(COMMUNITY)[game.turned_up : FLOP])
        return
    many, _ = board_sizes(game)
    _burn_and_deal(game, "flop", 1, many)


def last_two(game: Uth) -> None:
    """Deal the last community cards, or those of them still missing."""
    if game.board_dealt_first:
        _turn_up(game, game.dealt_to(COMMUNITY)[game.turned_up :])
        return
    _, many = board_sizes(game)
    _burn_and_deal(game, "turn-river", 2, FLOP + many)


def _burn_and_deal(game: Uth, reason: str, burns: int, up_to: int) -> None:
    if game.burns and len(game.dealt_to(BURN)) < burns:
        card = game.draw(BURN)
        game.post.say(deal.CardBurned, reason, card=texts([card])[0])
    for slot in range(len(game.dealt_to(COMMUNITY)) + 1, up_to + 1):
        _one(game, COMMUNITY, slot, face_up=True)


def _one(game: Uth, place: Place, slot: int, *, face_up: bool = False) -> None:
    # Once the automated shoe is empty, the dealer holds the rest of the deck in the hand.
    source = "hand" if game.table.method == "automated-shoe" else SOURCES[game.table.method]
    card = game.draw(place)
    game.post.say(deal.CardDealt, place[0], None, slot, texts([card])[0], face_up, source)


def _turn_up(game: Uth, cards: tuple[int, ...]) -> None:
    game.turned_up += len(cards)
    if cards:
        game.post.say(deal.CommunityRevealed, cards=texts(cards))


def uncover_dealer(game: Uth) -> None:
    """Remove the cover card, or take the dealer's cards from the device once everyone has acted (UTH-MD 11.G(1))."""
    if game.dealer_waits:
        game.dispense(DEALER, 2)
        game.deliver(DEALER)
    else:
        game.post.say(deck_facts.CoverCardRemoved, "layout", card=cover_card(game))


def open_box(game: Uth) -> None:
    """Turn up the six card box."""
    if game.dealt_to(BOX):
        game.post.say(deal.BoxRevealed, cards=texts(game.dealt_to(BOX)))


def stub_size(game: Uth) -> int:
    """Return the size of the stub, without the dealer's two cards while they wait in the device."""
    return game.pile.left - (2 if game.dealer_waits and not game.dealt_to(DEALER) else 0)


def lay_stub_aside(game: Uth, *, counted: bool | None = None) -> None:
    """Take out the stub, count it if due, and put it into the rack."""
    if game.stub_gone:
        return
    game.stub_gone = True
    take_out_stub(game)
    if counted is None:
        counted = stub.count_is_due(game.table) if game.plan.count_stub is None else game.plan.count_stub
    if counted:
        stub.count(game.table, stub_size(game))
    stub.put_away(game.table)


def take_out_stub(game: Uth) -> None:
    """Take the stub out of the shoe or device, unless the dealer holds it."""
    held = game.table.method == "hand" or (game.massachusetts and game.table.method == "automated-shoe")
    if not held:
        game.post.say(payments.StubRemoved, stub_size(game))
