"""Ultimate Texas Hold'em is dealt: the hands by each method, burns and community cards, the stub."""

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
    """The cover card that lies on the dealer's cards: not the one the deck is cut with."""
    return f"{game.table.deck.name}-cover-2"


def deal_hands(game: Uth) -> None:
    """Everything dealt before the first decision."""
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
    """The dealer deals himself the card that is missing, in sequence (UTH-MA 15(d) s2)."""
    _one(game, DEALER, len(game.dealt_to(DEALER)) + 1)


def flop(game: Uth) -> None:
    """The first three community cards, or those of them still missing."""
    if game.board_dealt_first:
        _turn_up(game, game.dealt_to(COMMUNITY)[game.turned_up : FLOP])
        return
    many, _ = board_sizes(game)
    _burn_and_deal(game, "flop", 1, many)


def last_two(game: Uth) -> None:
    """The last community cards, or those of them still missing."""
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
    # Once the automated shoe is empty the rest of the deck is held in the hand.
    source = "hand" if game.table.method == "automated-shoe" else SOURCES[game.table.method]
    card = game.draw(place)
    game.post.say(deal.CardDealt, place[0], None, slot, texts([card])[0], face_up, source)


def _turn_up(game: Uth, cards: tuple[int, ...]) -> None:
    game.turned_up += len(cards)
    if cards:
        game.post.say(deal.CommunityRevealed, cards=texts(cards))


def uncover_dealer(game: Uth) -> None:
    """The cover card goes, or the dealer's cards leave the device now that everyone has acted (UTH-MD 11.G(1))."""
    if game.dealer_waits:
        game.dispense(DEALER, 2)
        game.deliver(DEALER)
    else:
        game.post.say(deck_facts.CoverCardRemoved, "layout", card=cover_card(game))


def open_box(game: Uth) -> None:
    """The six card box is turned up."""
    if game.dealt_to(BOX):
        game.post.say(deal.BoxRevealed, cards=texts(game.dealt_to(BOX)))


def stub_size(game: Uth) -> int:
    """The cards of the stub: the dealer's two are none of them while they wait in the device."""
    return game.pile.left - (2 if game.dealer_waits and not game.dealt_to(DEALER) else 0)


def lay_stub_aside(game: Uth, *, counted: bool | None = None) -> None:
    """The stub is taken out, counted when due, and put into the rack."""
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
    """The stub leaves the shoe or device, unless the dealer holds it."""
    held = game.table.method == "hand" or (game.massachusetts and game.table.method == "automated-shoe")
    if not held:
        game.post.say(payments.StubRemoved, stub_size(game))
