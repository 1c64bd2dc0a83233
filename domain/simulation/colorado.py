"""The dealer of Colorado hold'em: one planned round, dealt and settled as the rules prescribe (COL 7 to 13)."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from domain.facts import deal, decisions, payments, players
from domain.odds.colorado import Choice
from domain.odds.play import colorado_player
from domain.rulebooks import House
from domain.settlement import Settlement, colorado, settle
from domain.settlement.played import Cards
from domain.simulation import card_order, faults, paying, round_end, rounds
from domain.simulation.in_play import COMMUNITY, InPlay, RoundIsVoid, by_passes, by_stacks, texts
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay

CARDS_A_HAND = 3
LEAVE, BET = "leave", "bet"
_SLOTS = ("right", "middle", "left")  # of a delivered stack, from its top card down (COL 9(c)/s3-spread)


class ColoradoRound(InPlay):
    """A round of Colorado hold'em."""

    def another_face_up(self) -> None:
        """Set one card aside; a second voids all hands."""
        if self.found_face_up > 1:
            raise RoundIsVoid("COL 14(a)/s2", "a second card face up")

    def drawn_and_seen(self) -> None:
        """Treat it as a card found face up: set it aside, with a supervisor's note."""
        round_end.rule(self, "COL 14(b)", "set aside")

    def noticed(self) -> None:
        """Void the round for a wrong count or a failed shoe; the text omits a card seen too early."""
        if self.what.kind == "jam":
            raise faults.shoe_is_jammed(self)
        if self.what.kind == "wrong-count":
            raise RoundIsVoid("COL 14(c)", "wrong number of cards")
        self.expose("COL 14(c)")

    @property
    def required(self) -> bool:
        """Whether a player who stays in must make the bet wager."""
        return bool(self.house["version"] == "required")


def play(table: TableInPlay, plan: RoundPlan) -> None:
    """Play one round, from the shuffle to the empty rack."""
    game = ColoradoRound(table, plan, faults.begin(table, plan))
    void = None
    try:
        rounds.close_bets(table)
        _deal(game)
        for seat in sorted(game.seats):
            _decision(game, seat)
        game.notice("decision")
        game.notice("community")
        table.post.say(deal.CommunityRevealed, texts(game.dealt_to(COMMUNITY)))
        game.notice("reveal")
        game.notice("before-settlement")
        settlement = settle(game.house, game.played(irregular=False))
        for seat in game.down:
            _showdown(game, settlement, seat)
        game.notice("after-settlement")
        round_end.pick_up_community(game)
    except RoundIsVoid as ended:
        void = ended
    faults.finish(game, void)


def _deal(game: ColoradoRound) -> None:
    """Deal three cards each, face down, from the far left; a community card after each pass (COL 7(c), 8(c)).

    In stacks the community cards come last (COL 9(c)).
    """
    places = [*(("seat", seat) for seat in sorted(game.seats)), COMMUNITY]
    in_stacks = game.table.method == "automated-shoe"
    order = (by_stacks if in_stacks else by_passes)(places, CARDS_A_HAND, game.miscounts())
    card_order.lay(game, order)
    if in_stacks:
        for place in places:
            if faults.shoe_jams(game, order):
                raise faults.shoe_is_jammed(game)
            game.dispense(place, order.count(place))
            game.deliver(place)
        for index, (slot, card) in enumerate(zip(_SLOTS, texts(game.dealt_to(COMMUNITY)), strict=False), 1):
            game.post.say(deal.SlotAssigned, slot, index, card)
    else:
        for place in order:
            game.deal(place)
    faults.put_stub_aside(game)
    game.notice("dealing")


def _decision(game: ColoradoRound, seat: int) -> None:
    """Ask the player, who does one of what the version allows (COL 10(b), 11(b))."""
    plan, post = game.seats[seat], game.post
    if not plan.acts:
        game.notice("decision", seat)
    post.say(decisions.DecisionAsked, seat)
    act, discard = _act(game, seat)
    if act == LEAVE:
        _leave(game, seat)
    elif act == "fold":
        _fold(game, seat)
    elif act == "declare":
        _declare(game, seat)
    else:
        _stay_in(game, seat, bet=game.required or act == BET, discard=discard)
    game.notice("decision", seat)


def _act(game: ColoradoRound, seat: int) -> tuple[str, int | None]:
    """Return what the player does and, if known, which card is discarded."""
    plan, held = game.seats[seat], game.of(seat)
    if plan.strategy is not None:
        return plan.strategy(game.house, held), None
    if plan.acts:
        return plan.acts[-1], None
    if len(held) != CARDS_A_HAND:
        return "play", None
    chosen = _player(game.house)(held)
    return BET if chosen.action == "play" and chosen.staked > 1 else chosen.action, chosen.discard


@lru_cache(maxsize=64)
def _player(house: House) -> Callable[[Sequence[int]], Choice]:
    return colorado_player(house)


def _stay_in(game: ColoradoRound, seat: int, *, bet: bool, discard: int | None) -> None:
    """Place the bet, if made, then discard one card face down (COL 10(b)(1)/s1, COL 11(b)(1)/s1)."""
    hand, held, plan = game.hands[seat], game.of(seat), game.seats[seat]
    hand.choice = "play"
    ante = game.staked[seat, "ante"]
    game.post.say(decisions.DecisionMade, seat, "play", cents=ante if bet else None)
    if bet:
        paying.place(game.table, plan, BET, ante)
        game.lie(seat, BET, ante)
    hand.kept = plan.kept or _kept(held, discard)
    gone = list(held)
    for card in hand.kept:
        gone.remove(card)
    game.post.say(decisions.CardDiscarded, seat, texts(gone), len(gone))


def _kept(held: Cards, discard: int | None) -> Cards:
    """Return the hand without the discard; if none is planned, keep a pair or else the two highest."""
    if discard is None:
        ranks = [card >> 2 for card in held]
        discard = min(held, key=lambda card: (ranks.count(card >> 2) > 1, card))
    at = held.index(discard)
    return held[:at] + held[at + 1 :]


def _fold(game: ColoradoRound, seat: int) -> None:
    """Take the ante at once, the bonus in turn (COL 10(b)(2)/s2); in a version without folds, by ruling (COL 11(b))."""
    game.hands[seat].choice = "fold"
    held = game.of(seat)
    game.post.say(decisions.DecisionMade, seat, "fold")
    game.post.say(decisions.CardDiscarded, seat, texts(held), len(held))
    _settle_before_showdown(game, seat, ("ante",))
    round_end.pick_up(game, seat)


def _declare(game: ColoradoRound, seat: int) -> None:
    """Turn up three cards: paid at once, or void with the ante lost (COL 10(b)(3)(i)/s4, COL 14(d))."""
    post, held = game.post, game.of(seat)
    game.hands[seat].choice = "declare"
    post.say(decisions.DecisionMade, seat, "declare")
    post.say(decisions.HandRevealed, seat, texts(held))
    wins = bool(colorado.instant_winner(held, ace_low=game.house["instant_winner_ace_low"]))
    post.say(decisions.NaturalConfirmed, seat, wins)
    if not wins:
        post.say(payments.HandVoided, seat, "no instant winner")
    _settle_before_showdown(game, seat, ("ante", "bonus"))
    round_end.pick_up(game, seat)


def _leave(game: ColoradoRound, seat: int) -> None:
    """Settle a player gone without a decision: a fold if a bet is required, else by ruling (COL 6(b)/s2)."""
    game.post.say(players.PlayerLeft, seat, game.table.seated.pop(seat, ""))
    game.hands[seat].left = True
    _settle_before_showdown(game, seat, ("ante",))
    round_end.pick_up(game, seat)


def _settle_before_showdown(game: ColoradoRound, seat: int, wagers: tuple[str, ...]) -> None:
    outcomes = colorado.before_showdown(game.house, game.seat_played(seat), None)
    for wager in wagers:
        if (seat, wager) in game.lying:
            round_end.settle(game, seat, wager, outcomes[wager])


def _showdown(game: ColoradoRound, settlement: Settlement, seat: int) -> None:
    """Settle one hand by the pay table; a folded hand's bonus in turn (COL 10(d) to 10(g), 11(d) to 11(h))."""
    hand = game.hands[seat]
    if hand.choice == "play":
        game.post.say(decisions.HandRevealed, seat, texts(hand.kept))
        round_end.settle_seat(game, settlement, seat, ("ante", BET, "bonus"))
        round_end.pick_up(game, seat)
    elif (seat, "bonus") in game.lying:
        _settle_before_showdown(game, seat, ("bonus",))
