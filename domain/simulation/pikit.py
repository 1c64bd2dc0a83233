"""The dealer of Pik-it poker: one planned round, dealt and settled as the rules prescribe (PIK 39.7 to 39.11)."""

from domain.facts import deal, decisions, decks, players
from domain.hands import standard, three_card
from domain.odds.play import pik_choice
from domain.settlement import Settlement, announce, pikit, settle
from domain.simulation import card_order, faults, paying, round_end, rounds
from domain.simulation.in_play import DEALER, InPlay, RoundIsVoid, by_passes, by_stacks, texts
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay
from domain.simulation.uth_in_play import PlanError

CARDS_A_HAND = 5
LEAVE = "leave"
_EXPOSED_LATE = ("reveal", "before-settlement", "after-settlement")


class PikitRound(InPlay):
    """A round of Pik-it."""

    def another_face_up(self) -> None:
        """Set one card aside; a second voids all hands."""
        if self.found_face_up > 1:
            raise RoundIsVoid("PIK 38.12(a)/s2", "a second card face up")

    def drawn_and_seen(self) -> None:
        """Treat it as a card found face up: set it aside, with a supervisor's note."""
        round_end.rule(self, "PIK 38.12(b)", "set aside")

    def noticed(self) -> None:
        """Void the round for a wrong count, a failed shoe or a dealer's card seen too early.

        The text omits a player's card seen too early.
        """
        if self.what.kind == "jam":
            raise faults.shoe_is_jammed(self)
        if self.what.kind == "wrong-count":
            raise RoundIsVoid("PIK 38.12(c)", "wrong number of cards")
        if self.what.of != "dealer":
            self.expose("PIK 38.12(d)")
            return
        if not self.dealt_to(DEALER):
            raise PlanError("the dealer's stack is still in the shoe: none of its cards can be exposed")
        self.expose("")
        if self.what.stage not in _EXPOSED_LATE:
            raise RoundIsVoid("PIK 38.12(d)", "a card of the dealer was seen")

    @property
    def deferred(self) -> bool:
        """Whether the dealer's stack waits in the shoe until the players have decided (PIK 39.9(c)2)."""
        return self.table.method == "automated-shoe" and self.house["dealer_stack_delivery"] == "after-decisions"

    @property
    def shoe_cover(self) -> str:
        """The cover card on the dealer's stack."""
        return f"{self.table.deck.name}-cover-2"


def play(table: TableInPlay, plan: RoundPlan) -> None:
    """Play one round, from the shuffle to the empty rack."""
    game = PikitRound(table, plan, faults.begin(table, plan))
    void = None
    try:
        rounds.close_bets(table)
        _deal(game)
        _three_card_bonuses(game)
        for seat in game.down:
            _hand(game, seat)
        game.notice("bonus5")
        game.notice("decision")
        _dealers_hand(game)
        _settle(game)
    except RoundIsVoid as ended:
        void = ended
    faults.finish(game, void)


def _deal(game: PikitRound) -> None:
    """Deal five cards each, face down, from the far left, the dealer last (PIK 39.7(c), 39.8(c), 39.9(c))."""
    places = [*(("seat", seat) for seat in sorted(game.seats)), DEALER]
    in_stacks = game.table.method == "automated-shoe"
    order = (by_stacks if in_stacks else by_passes)(places, CARDS_A_HAND, game.miscounts())
    card_order.lay(game, order)
    if not in_stacks:
        for place in order:
            game.deal(place)
    else:
        for place in places:
            if faults.shoe_jams(game, order):
                raise faults.shoe_is_jammed(game)
            if place != DEALER:
                game.dispense(place, order.count(place))
                game.deliver(place)
        _dealers_stack(game, order.count(DEALER))
    if not game.deferred:
        faults.put_stub_aside(game)
    game.notice("dealing")


def _dealers_stack(game: PikitRound, size: int) -> None:
    """Dispense the dealer's stack last, under its cover card; delivered now, or when all have decided."""
    if game.deferred:
        game.post.say(deal.StackDispensed, size, game.table.device("shoe"))
    else:
        game.dispense(DEALER, size)
    game.post.say(decks.CoverCardPlaced, "dealer-stack", game.shoe_cover)
    if not game.deferred:
        game.deliver(DEALER)


def _three_card_bonuses(game: PikitRound) -> None:
    """Settle all of them before the first hand is opened, from the far right (PIK 39.10(a), 39.10(b))."""
    for seat in game.down:
        if (seat, "bonus3") in game.lying:
            if not game.seats[seat].selected:
                game.notice("bonus3", seat)
            _select(game, seat)
        game.notice("bonus3", seat)
    game.notice("bonus3")


def _select(game: PikitRound, seat: int) -> None:
    hand, held = game.hands[seat], game.of(seat)
    hand.selected = game.seats[seat].selected or three_card.best(held).cards
    game.post.say(decisions.CardsSelected, seat, texts(hand.selected))
    bonus = pikit.three_card_bonus(game.house, game.seat_played(seat))
    round_end.settle(game, seat, "bonus3", bonus["bonus3"])


def _hand(game: PikitRound, seat: int) -> None:
    """Handle one position: open its hand, settle its 5 card bonus, ask its decision, take a fold (PIK 39.10(c))."""
    post, plan, hand = game.post, game.seats[seat], game.hands[seat]
    post.say(decisions.HandRevealed, seat, texts(game.of(seat)))
    bonus = pikit.five_card_bonus(game.house, game.seat_played(seat))
    round_end.settle(game, seat, "bonus5", bonus["bonus5"])
    game.notice("bonus5", seat)
    if not plan.acts:
        game.notice("decision", seat)
    post.say(decisions.DecisionAsked, seat)
    act = _act(game, seat)
    if act == LEAVE:
        post.say(players.PlayerLeft, seat, game.table.seated.pop(seat, ""))
        hand.left = True
    else:
        _decide(game, seat, act)
    if act in (LEAVE, "fold"):
        gone = pikit.compared(game.house, game.seat_played(seat), five=0, three=0, qualified=True)
        round_end.settle(game, seat, "ante", gone["ante"])
        round_end.pick_up(game, seat)
    game.notice("decision", seat)


def _act(game: PikitRound, seat: int) -> str:
    plan = game.seats[seat]
    if plan.acts:
        return plan.acts[-1]
    return (plan.strategy or pik_choice)(game.house, game.of(seat))


def _decide(game: PikitRound, seat: int, act: str) -> None:
    """Place a play wager at the one multiple of the ante the house has posted (PIK 39.3(b)/s3)."""
    hand, ante = game.hands[seat], game.staked[seat, "ante"]
    hand.choice = act
    cents = ante * game.house[f"{act}_multiple"] if act != "fold" else None
    game.post.say(decisions.DecisionMade, seat, act, cents=cents)
    if cents is not None:
        paying.place(game.table, game.seats[seat], act, cents)
        game.lie(seat, act, cents)


def _dealers_hand(game: PikitRound) -> None:
    """Open, arrange and announce the dealer's cards (PIK 39.10(d)), delivering a waiting stack first."""
    house, post = game.house, game.post
    if game.deferred:
        game.stack(DEALER, game.miscounts().get(DEALER, CARDS_A_HAND))
        game.deliver(DEALER)
        faults.put_stub_aside(game)
    game.notice("dealer-stack")
    held = game.dealt_to(DEALER)
    post.say(decisions.HandRevealed, cards=texts(held))
    if game.table.method == "automated-shoe":
        post.say(decks.CoverCardRemoved, "layout", game.shoe_cover)
    game.notice("reveal")
    post.say(decisions.HandAnnounced, announce(house, standard.value(held)), of_cards=5)
    if not pikit.qualifies(house, held):
        post.say(decisions.HandAnnounced, "no qualify", of_cards=5)
    best = three_card.best(held)
    post.say(decisions.ThreeDesignated, texts(best.cards))
    post.say(decisions.HandAnnounced, announce(house, best.value, three_cards=True), of_cards=3)
    game.notice("before-settlement")


def _settle(game: PikitRound) -> None:
    """Settle ante and play by the procedure the house named (PIK 39.10(e)1, 39.10(e)2)."""
    still_in = [seat for seat in game.down if game.hands[seat].choice in ("play3", "play5")]
    settlement = settle(game.house, game.played(irregular=False))
    if game.house["settlement_procedure"] == 1:
        for seat in still_in:
            _announce(game, seat)
        for losing in (True, False):
            for seat in still_in:
                _hand_over(game, settlement, seat, losing=losing)
        game.notice("after-settlement")
        for seat in still_in:
            round_end.pick_up(game, seat)
    else:
        for seat in still_in:
            _announce(game, seat)
            _hand_over(game, settlement, seat)
            round_end.pick_up(game, seat)
        game.notice("after-settlement")
    round_end.pick_up_dealers(game)


def _announce(game: PikitRound, seat: int) -> None:
    three = game.hands[seat].choice == "play3"
    value = three_card.value(game.of(seat)) if three else standard.value(game.of(seat))
    hand = announce(game.house, value, three_cards=three)
    game.post.say(decisions.HandAnnounced, hand, seat, of_cards=3 if three else 5)


def _hand_over(game: PikitRound, settlement: Settlement, seat: int, *, losing: bool | None = None) -> None:
    """Settle a seat's ante and play: both, only losing ones, or only the others."""
    for wager in ("ante", game.hands[seat].choice):
        outcome = settlement.seats[seat][wager]
        if losing is None or losing is (outcome.returned == 0):
            round_end.settle(game, seat, wager, outcome)
