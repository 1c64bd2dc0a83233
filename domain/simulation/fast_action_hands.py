"""Fast Action's players: short hands, naturals, surrenders, splits, set hands and discards."""

from collections.abc import Sequence

from domain.facts import decisions, payments, shuffles
from domain.facts.players import PlayerLeft
from domain.house_way import kept
from domain.settlement import fast_action
from domain.settlement.played import Cards
from domain.simulation import card_order, paying, round_end, shoes
from domain.simulation.in_play import InPlay, RoundIsVoid, texts, without
from domain.simulation.piles import Place
from domain.simulation.uth_in_play import PlanError

CARDS_A_HAND = 4
LEAVE = "leave"


class FastActionRound(InPlay):
    """A round of Fast Action."""

    kept_by_dealer: Cards = ()

    def draw(self, place: Place) -> int:
        """Return the next card of the shoe; the cutting card comes before the card behind it."""
        shoe: shoes.Shoe = self.table.shoe
        if shoe.behind and not shoe.reached and 0 < self.pile.left <= shoe.behind:
            shoe.reached, shoe.reached_at = True, place
            to, seat = place
            self.post.say(
                shuffles.CuttingCardReached,
                to,
                seat or None,
                shoes.cutting_card(self.table.deck),
                round=self.post.round,
            )
        return super().draw(place)

    def noticed(self) -> None:
        """Turn a player's card face down again; the text omits the dealer's and the community's.

        It also omits a dealer with a number of cards other than four: read as a void round, which a supervisor rules
        on.
        """
        if self.what.kind == "wrong-count":
            raise RoundIsVoid("FAH (i)(3)", "wrong number of cards to the dealer", ruled=True)
        self.expose("" if self.what.of_seat is not None else "FAH (i)(2)")

    @property
    def usual_stage(self) -> str:
        """Return when an exposed card is noticed: a community card only once it is dealt."""
        return "community" if self.what.of == "community" else super().usual_stage

    @property
    def dealer_kept(self) -> Cards:
        """Return the two cards the dealer plays."""
        return self.kept_by_dealer

    @property
    def dealers_left(self) -> Cards:
        """Return the two set cards once the others are gone."""
        return self.kept_by_dealer or super().dealers_left

    @property
    def completes(self) -> bool:
        """Return whether a short hand gets its missing cards."""
        return self.what.kind == "short-hand" and self.what.election != "void"

    def with_asides(self, order: Sequence[Place]) -> tuple[list[Place], dict[Place, Cards]]:
        """Return the dealing order with face-up cards inserted, and the planned cards for each place."""
        self.asides = card_order.asides(self, order)
        return card_order.with_asides(order, self.asides, card_order.planned_hands(self))

    def enough(self, order: Sequence[Place]) -> int:
        """Return how many cards are left if there are too few: the plan's number, or all but the last of a deal."""
        at, what = self.what.at_dealt, self.what
        if what.stage == "community":
            return len(order) + 1 + (at or 0)
        return len(order) - 1 if at is None else at


def elections(game: FastActionRound) -> None:
    """Have a player dealt too few void the hand or get the missing cards, once all others have theirs (FAH (i)(3))."""
    seat = game.what.of_seat
    if game.what.kind != "short-hand" or seat is None:
        return
    if game.completes:
        game.post.say(decisions.DecisionMade, seat, "complete")
        while len(game.of(seat)) < CARDS_A_HAND:
            game.deal(("seat", seat))
        return
    game.post.say(decisions.DecisionMade, seat, "void")
    game.post.say(payments.HandVoided, seat, "fewer than four cards")
    game.hands[seat].choice = "short-void"
    paying.give_back(game.table, game.seats[seat], "original", game.lying.pop((seat, "original")))
    round_end.pick_up(game, seat)


def act(game: FastActionRound, seat: int) -> None:
    """Do what the player does: the plan's last act, or else announce a natural or set the hand."""
    plan, held = game.seats[seat], game.of(seat)
    if plan.acts:
        chosen = plan.acts[-1]
    elif plan.strategy is not None:
        chosen = plan.strategy(game.house, held)
    else:
        silent = game.what.kind == "natural-undeclared" and game.what.of_seat == seat
        chosen = "natural" if fast_action.is_natural(held) and not silent else "set"
    if (chosen == "natural" and not fast_action.is_natural(held)) or (chosen == "split" and len(held) > CARDS_A_HAND):
        raise PlanError(f"seat {seat} cannot {chosen} this hand")
    _ACTS[chosen](game, seat)


def _natural(game: FastActionRound, seat: int) -> None:
    """Announce, turn up, confirm, pay and collect before the dealer's cards are opened (FAH (h)(2))."""
    post, held = game.post, game.of(seat)
    game.hands[seat].choice = "natural"
    post.say(decisions.DecisionMade, seat, "natural")
    post.say(decisions.HandRevealed, seat, texts(held))
    post.say(decisions.NaturalConfirmed, seat)
    _settle_early(game, seat)
    round_end.pick_up(game, seat)


def _surrender(game: FastActionRound, seat: int) -> None:
    """Take half at once and leave half to the player (FAH (h)(6)); the four cards are discarded."""
    game.hands[seat].choice = "surrender"
    game.post.say(decisions.DecisionMade, seat, "surrender")
    _settle_early(game, seat)


def _settle_early(game: FastActionRound, seat: int) -> None:
    outcomes = fast_action.before_dealer(game.house, game.seat_played(seat))
    round_end.settle(game, seat, "original", outcomes["original"])


def _split(game: FastActionRound, seat: int) -> None:
    """Make two hands of two, the second with an equal wager of its own (FAH (h)(3))."""
    hand, plan, held = game.hands[seat], game.seats[seat], game.of(seat)
    hand.choice = "split"
    hand.kept = plan.kept or _kept(game, held)
    hand.second = plan.second or without(held, hand.kept)
    stake = game.staked[seat, "original"]
    game.post.say(decisions.DecisionMade, seat, "split", cents=stake)
    paying.place(game.table, plan, "split", stake)
    game.lie(seat, "split", stake)
    game.post.say(decisions.HandSet, texts(hand.kept), seat, texts(hand.second), 0)


def _set(game: FastActionRound, seat: int) -> None:
    """Put two cards in front of the wager, the others on the discard area (FAH (h)(1), (i)(4))."""
    hand, held = game.hands[seat], game.of(seat)
    hand.choice = "set"
    hand.kept = game.seats[seat].kept or _kept(game, held)
    game.post.say(decisions.HandSet, texts(hand.kept), seat, discarded=len(held) - 2)


def _leave(game: FastActionRound, seat: int) -> None:
    """Have a player leave without setting the hand; the text omits what happens to the wager (FAH (f)(2)/s2)."""
    game.post.say(PlayerLeft, seat, game.table.seated.pop(seat, ""))
    game.hands[seat].left = True
    _settle_early(game, seat)
    round_end.pick_up(game, seat)


_ACTS = {"natural": _natural, "surrender": _surrender, "split": _split, "set": _set, LEAVE: _leave}


def _kept(game: FastActionRound, held: Cards) -> Cards:
    """Return the first four cards set the house way, for a player without a plan."""
    four = held[:CARDS_A_HAND]
    return kept(four, game.house["house_way.viii"], game.house["house_way.ix"]) or four[:2]


def collect_discards(game: FastActionRound) -> None:
    """Collect from the right: two cards of each set hand, all of a surrendered one (FAH (h)(5), (h)(6)/s3)."""
    for seat in game.down:
        hand = game.hands[seat]
        if hand.choice in ("set", "surrender"):
            discards = without(game.of(seat), hand.kept)
            game.post.say(decisions.DiscardsCollected, len(discards), seat)
            hand.gone += discards
