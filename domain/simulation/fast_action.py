"""The dealer of Fast Action hold'em: one planned round from the shoe, dealt and settled by FAH (g) and (h)."""

from domain.cards import show
from domain.facts import deal, decisions, payments, shuffles
from domain.house_way import acceptable, is_natural, kept
from domain.settlement import Settlement, settle
from domain.settlement.played import Cards
from domain.simulation import fast_action_hands, lawful, round_end, rounds, shoes
from domain.simulation.fast_action_hands import FastActionRound
from domain.simulation.in_play import BURN, COMMUNITY, DEALER, RoundIsVoid, by_passes, texts
from domain.simulation.piles import Pile, Place, ShortPileError
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

CARDS_A_HAND, CARDS_OF_THE_BOARD = 4, 5


def play(table: TableInPlay, plan: RoundPlan) -> None:
    """Play one round, from the prepared shoe to the marker's move."""
    lawful.refuse(table, plan)
    rounds.ready_people(table, plan)
    shoes.make_ready(table, plan)
    rounds.open_round(table)
    game = FastActionRound(table, plan, rounds.place_wagers(table, plan.seats))
    void = None
    try:
        rounds.close_bets(table)
        _round(game)
    except RoundIsVoid as ended:
        void = ended
    except ShortPileError:
        shoes.of(table).reached = True
        table.post.say(shuffles.ShoeRanOut, table.deck.name)
        void = RoundIsVoid("FAH (i)(5)", "not enough cards")
    lawful.went_as_planned(game, void)
    if void is not None:
        game.stub_gone = True  # a shoe has no stub
        round_end.call_off(game, void)
    _finish(game, void)


def _round(game: FastActionRound) -> None:
    _deal(game)
    fast_action_hands.elections(game)
    game.notice("dealing")
    for seat in sorted(game.seats):
        if not game.hands[seat].choice:
            fast_action_hands.act(game, seat)
    game.notice("decision")
    fast_action_hands.collect_discards(game)
    held = game.dealt_to(DEALER)
    game.post.say(decisions.HandRevealed, cards=texts(held))
    game.notice("reveal")
    if is_natural(held):
        _dealers_natural(game)
    else:
        _set_dealer(game, held)
        _board(game)
        game.notice("community")
        game.notice("before-settlement")
        _settle(game, settle(game.house, game.played(irregular=False)))
    game.notice("after-settlement")
    for seat in game.down:
        round_end.pick_up(game, seat)
    round_end.pick_up_dealers(game)
    round_end.pick_up_community(game)


def _deal(game: FastActionRound) -> None:
    """Deal four cards each, face down, clockwise from the marker's place (FAH (g)(3))."""
    table, shoe = game.table, shoes.of(game.table)
    order = by_passes(shoes.from_marker(table, sorted(game.seats)), CARDS_A_HAND, game.miscounts())
    lay(game, order)
    for place in order:
        game.deal(place)
    shoe.pile = game.pile


def lay(game: FastActionRound, order: list[Place]) -> None:
    """Arrange the shoe so that each place gets its planned cards."""
    late = [place for place, dealt in game.miscounts().items() for _ in range(CARDS_A_HAND - dealt)]
    whole = [*order, *(late if game.completes else ()), BURN, *[COMMUNITY] * CARDS_OF_THE_BOARD]
    places, hands = game.with_asides(whole)
    shoe = shoes.of(game.table)
    rest = shoe.pile.take(shoe.pile.left)
    try:
        cards = shoes.laid(places, hands, rest, game.plan.order)
    except ShortPileError:
        shoe.ran_out = True  # of planned cards: those that are left are not counted
        raise
    if game.what.kind == "insufficient-cards":
        cards, shoe.ran_out = cards[: game.enough(order)], True
        shoe.behind = max(shoe.behind, len(cards))
    game.pile = shoe.pile = Pile(cards)


def _set_dealer(game: FastActionRound, held: Cards) -> None:
    """Set two cards by the house way (FAH (h)(9)); correct a wrong setting before a card is burned."""
    house, post = game.house, game.post
    readings = {"viii": house["house_way.viii"], "ix": house["house_way.ix"]}
    right = game.plan.parts.get("dealer_kept") or kept(held, **readings) or held[:2]
    found = acceptable(held, **readings)
    if game.what.kind == "dealer-misset" and found is not None:
        allowed = {*found[1], *found[2]}
        pairs = [(one, two) for at, one in enumerate(held) for two in held[at + 1 :]]
        wrong = next((pair for pair in pairs if tuple(sorted(pair)) not in allowed), right)
        post.say(decisions.HandSet, texts(wrong), discarded=len(held) - 2)
        round_end.rule(game, "FAH (h)(9)", "set right")
    game.kept_by_dealer = tuple(right)
    post.say(decisions.HandSet, texts(right), discarded=len(held) - 2)
    post.say(decisions.DiscardsCollected, len(held) - 2)


def _board(game: FastActionRound) -> None:
    """Burn one card and deal five face up from the dealer's left (FAH (h)(10))."""
    burned = game.draw(BURN)
    game.post.say(deal.CardBurned, "community", card=show([burned]))
    for _ in range(CARDS_OF_THE_BOARD):
        game.deal(COMMUNITY, face_up=True)


def _dealers_natural(game: FastActionRound) -> None:
    """Take every wager left, of a split only the original, without dealing a board (FAH (h)(8))."""
    settlement = settle(game.house, game.played(irregular=False))
    for seat in game.down:
        round_end.settle_seat(game, settlement, seat, ("original", "split"))


def _settle(game: FastActionRound, settlement: Settlement) -> None:
    """Settle losing wagers and losing and copy hands first, then the winners (FAH (h)(11), (h)(12))."""
    still_in = [seat for seat in game.down if game.hands[seat].choice in ("set", "split")]
    for seat in still_in:
        hand = game.hands[seat]
        game.post.say(decisions.HandRevealed, seat, texts((*hand.kept, *hand.second)))
    for winning in (False, True):
        for seat in still_in:
            for wager in ("original", "split"):
                stake = game.lying.get((seat, wager))
                if stake is None:
                    continue
                outcome = settlement.seats[seat][wager]
                if ((outcome.returned or 0) > stake) is winning:
                    round_end.settle(game, seat, wager, outcome)
                    hand = game.hands[seat]
                    round_end.pick_up(game, seat, hand.kept if wager == "original" else hand.second)


def _finish(game: FastActionRound, void: RoundIsVoid | None) -> None:
    """Move the marker after a completed round, unless forgotten; a void round is not completed (FAH (a)(1)(vii))."""
    table = game.table
    rounds.finish_idle_shuffle(table)
    table.post.say(payments.RoundCompleted)
    table.post.round = None
    table.rounds += 1
    if shoes.continuous(table):
        shoes.put_back(table)
    forgotten = game.what.kind == "marker-not-moved" or game.plan.parts.get("marker_stays")
    if void is None and not forgotten:
        shoes.move_marker(table)
