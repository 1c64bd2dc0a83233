"""A round of Pik-it, Fast Action or Colorado in progress: what is on the table, decided and open."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from domain.cards import DECK, UNKNOWN, show
from domain.facts import deal, payments
from domain.facts.words import Source
from domain.settlement.outcome import Outcome
from domain.settlement.played import Cards, Irregularity, PlayedRound, Seat
from domain.simulation.piles import Pile, Place
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import TableInPlay

DEALER: Place = ("dealer", 0)
COMMUNITY: Place = ("community", 0)
BURN: Place = ("burn", 0)

SOURCES: dict[str, Source] = {
    "manual-shoe": "shoe",
    "hand": "hand",
    "automated-shoe": "automated-shoe",
    "continuous-shoe": "continuous-shoe",
}
# The kinds of miscount: found while dealing, or by a stub count.
MISCOUNTS = ("wrong-count", "stub-count", "short-hand", "long-hand")
NOTICED = ("wrong-count", "card-exposed", "jam")
IN_THE_DEAL = ("", "before-deal", "dealing")
NOTHING_WRONG = Irregularity("")
_TEXTS = tuple(show([card]) for card in (*DECK, UNKNOWN))


class RoundIsVoid(Exception):  # noqa: N818 - not an error: how a round ends early
    """All hands become void: by a clause, or by a ruling of the floor; with the wording."""

    def __init__(self, clause: str, reason: str, *, ruled: bool = False) -> None:
        super().__init__(reason)
        self.clause = clause
        self.reason = reason
        self.ruled = ruled


class SetAsideCard(msgspec.Struct, frozen=True):
    """A card that turns up out of turn after this many others; one drawn unseen is still the next card."""

    after: int
    card: int | None
    kind: Literal["face-up", "drawn and seen", "drawn unseen"]

    @property
    def leaves(self) -> bool:
        """Whether the card leaves the round."""
        return self.kind != "drawn unseen"


class HandInPlay(msgspec.Struct):
    """One seat's actions with its cards so far."""

    choice: str = ""
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    left: bool = False
    gone: Cards = ()  # cards taken from the table

    @property
    def collected(self) -> int:
        """The number of cards gone."""
        return len(self.gone)


class InPlay:
    """The state of the round. Settled stakes leave `lying`, and their results are in `got`."""

    def __init__(self, table: TableInPlay, plan: RoundPlan, seats: Sequence[SeatPlan]) -> None:
        self.table = table
        self.post = table.post
        self.house = table.house
        self.plan = plan
        self.what = plan.irregularity or NOTHING_WRONG
        self.seats = {seat.seat: seat for seat in seats}
        self.hands = {seat.seat: HandInPlay() for seat in seats}
        self.cards: dict[Place, list[int]] = {}
        self.pile = Pile(())
        self.asides: list[SetAsideCard] = []
        self.found_face_up = 0
        self.dealt = 0
        self.lying: dict[tuple[int, str], int] = {}
        self.staked: dict[tuple[int, str], int] = {}
        self.got: dict[tuple[int, str], int] = {}
        for seat in seats:
            for wager, cents in seat.wagers.items():
                self.lie(seat.seat, wager, cents)
        self.stuck = 0  # cards of a stack that never left the shoe
        self.unnoticed = True
        self.stub_gone = False

    @property
    def down(self) -> list[int]:
        """The seats from the dealer's right, in settlement order."""
        return sorted(self.seats, reverse=True)

    def dealt_to(self, place: Place) -> tuple[int, ...]:
        """Return the cards of a place, in the order dealt."""
        return tuple(self.cards.get(place, ()))

    def of(self, seat: int) -> tuple[int, ...]:
        """Return the cards of a seat."""
        return self.dealt_to(("seat", seat))

    def lie(self, seat: int, wager: str, cents: int) -> None:
        """Put a stake on the table."""
        self.lying[seat, wager] = self.staked[seat, wager] = cents

    def is_at(self, stage: str, seat: int | None = None) -> bool:
        """Return whether the planned irregularity happens here: at this seat, or after the last.

        One without a time is noticed at the usual stage.
        """
        what = self.what
        if what.kind not in NOTICED or (what.stage or self.usual_stage) != stage:
            return False
        if what.kind == "jam" and (what.device != "shoe" or what.stage in IN_THE_DEAL):
            return False
        return self.what.at_seat is None if seat is None else self.what.at_seat == seat

    @property
    def usual_stage(self) -> str:
        """Return when an irregularity without a planned time is noticed: after the deal."""
        return "dealing"

    def notice(self, stage: str, seat: int | None = None) -> None:
        """Notice an irregularity of this stage; the game's own rule decides what follows."""
        if self.unnoticed and self.is_at(stage, seat):
            self.unnoticed = False
            self.noticed()

    def noticed(self) -> None:
        """Do what the game does about a wrong count or an exposed card."""

    def expose(self, clause: str) -> None:
        """Expose a face-down card; `clause` is where the text is silent about it."""
        what = self.what
        place: Place = ("seat", what.of_seat) if what.of_seat is not None else (what.of, 0)
        seen = what.cards or self.dealt_to(place)[:1]
        for card in seen:
            self.post.say(deal.CardExposed, place[0], place[1] or None, show([card]))
        if clause:
            self.post.say(payments.RulingGiven, clause, "play on", "floorperson", what.of_seat)

    def miscounts(self) -> dict[Place, int]:
        """Return the number of cards of each place with a wrong number."""
        if self.what.kind not in MISCOUNTS or self.what.dealt is None:
            return {}
        seat = self.what.of_seat
        return {("seat", seat) if seat is not None else (self.what.of, 0): self.what.dealt}

    def draw(self, place: Place) -> int:
        """Return the next card for a place; cards that turn up out of turn come before it."""
        while self.asides and self.asides[0].after <= self.dealt:
            self._out_of_turn(self.asides.pop(0))
        card = self.pile.draw()
        self.dealt += 1
        self.cards.setdefault(place, []).append(card)
        return card

    def _out_of_turn(self, aside: SetAsideCard) -> None:
        if aside.kind == "drawn unseen":
            self.post.say(deal.CardDrawnInError, show([self.pile.peek()]), exposed=False)
            return
        card = show([self.pile.draw()])
        if aside.kind == "drawn and seen":
            self.post.say(deal.CardDrawnInError, card, exposed=True)
            self.post.say(deal.CardSetAside, card)
            self.drawn_and_seen()
            return
        self.post.say(deal.CardFoundFaceUp, card)
        self.found_face_up += 1
        self.another_face_up()

    def another_face_up(self) -> None:
        """Do what the game does about cards found face up; by default, nothing."""

    def drawn_and_seen(self) -> None:
        """Do what the game does about a card drawn in error and seen; by default, nothing."""

    def deal(self, place: Place, *, slot: int | None = None, face_up: bool = False) -> int:
        """Deal one card to a place; its slot is its number there, unless given."""
        card = self.draw(place)
        to, seat = place
        slot = slot or len(self.dealt_to(place))
        source = SOURCES[self.table.method]
        self.post.say(deal.CardDealt, to, seat or None, slot, _TEXTS[card], face_up, source)
        return card

    def stack(self, place: Place, size: int) -> list[int]:
        """Return the cards of a stack; one interrupted by a void stays in the shoe."""
        try:
            return [self.draw(place) for _ in range(size)]
        except RoundIsVoid:
            self.stuck = len(self.cards.pop(place, ()))
            raise

    @property
    def left_to_deal(self) -> int:
        """Return how many cards are left in the shoe or deck."""
        return self.pile.left + self.stuck

    def dispense(self, place: Place, size: int) -> None:
        """Dispense a stack from the automated shoe."""
        stack = self.stack(place, size)
        self.post.say(deal.StackDispensed, size, self.table.device("shoe"), texts(stack))

    def deliver(self, place: Place) -> None:
        """Deliver a stack face down to its place."""
        to, seat = place
        stack = self.cards[place]
        self.post.say(deal.StackDelivered, to, seat or None, len(stack), cards=texts(stack))

    def record(self, seat: int, wager: str, outcome: Outcome | int) -> None:
        """Record that a stake left the table, with its result, which a ruling may reverse."""
        got = outcome if isinstance(outcome, int) else outcome.returned or 0
        self.got[seat, wager] = got
        self.lying.pop((seat, wager), None)

    def seat_played(self, number: int) -> Seat:
        """Return one seat in settlement's form."""
        plan, hand = self.seats[number], self.hands[number]
        wagers: dict[str, int | None] = {wager: cents for (at, wager), cents in self.staked.items() if at == number}
        return Seat(
            number,
            wagers,
            self.of(number),
            choice=hand.choice,
            kept=hand.kept,
            second=hand.second,
            selected=hand.selected,
            player=plan.player,
            left=hand.left,
        )

    def played(self, *, irregular: bool = True) -> PlayedRound:
        """Return the round in settlement's form."""
        return PlayedRound(
            self.table.book,
            tuple([self.seat_played(number) for number in sorted(self.seats)]),
            dealer=self.dealt_to(DEALER),
            community=self.dealt_to(COMMUNITY),
            dealer_kept=self.dealer_kept,
            irregularity=self.plan.irregularity if irregular else None,
        )

    @property
    def dealer_kept(self) -> Cards:
        """Return the two cards Fast Action's dealer set."""
        return ()

    @property
    def dealers_left(self) -> Cards:
        """Return the cards still before the dealer."""
        return self.dealt_to(DEALER)


def texts(held: Sequence[int]) -> tuple[str, ...]:
    """Return cards in the form of facts."""
    return tuple([_TEXTS[card] for card in held])


def without(held: Sequence[int], gone: Sequence[int]) -> Cards:
    """Return the cards left after some are gone, in order."""
    left = list(held)
    for card in gone:
        left.remove(card)
    return tuple(left)


def by_passes(places: Sequence[Place], each: int, wrong: Mapping[Place, int]) -> list[Place]:
    """Return the order of dealing one card at a time; a miscount shows in the last passes."""
    order = []
    for number in range(1, each + 1):
        for place in places:
            due = wrong.get(place, each)
            if number <= due:
                order.append(place)
            if number == each:
                order += [place] * (due - each)
    return order


def by_stacks(places: Sequence[Place], each: int, wrong: Mapping[Place, int]) -> list[Place]:
    """Return the order of dealing in stacks."""
    return [place for place in places for _ in range(wrong.get(place, each))]
