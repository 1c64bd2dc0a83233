"""A round of Pik-it, Fast Action or Colorado while it is played: what lies where, what was decided, what is open."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from domain.cards import DECK, UNKNOWN, show
from domain.facts import deal, payments
from domain.facts.words import Source
from domain.settlement.outcome import Outcome
from domain.settlement.played import Cards, Irregularity, Round, Seat
from domain.simulation.piles import Pile, Place
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import Table

DEALER: Place = ("dealer", 0)
COMMUNITY: Place = ("community", 0)
BURN: Place = ("burn", 0)

SOURCES: dict[str, Source] = {
    "manual-shoe": "shoe",
    "hand": "hand",
    "automated-shoe": "automated-shoe",
    "continuous-shoe": "continuous-shoe",
}
# What is wrong in how many cards a place got: found while dealing, or by a count of the stub.
MISCOUNTS = ("wrong-count", "stub-count", "short-hand", "long-hand")
NOTICED = ("wrong-count", "card-exposed", "jam")
IN_THE_DEAL = ("", "before-deal", "dealing")
NOTHING_WRONG = Irregularity("")
_TEXTS = tuple(show([card]) for card in (*DECK, UNKNOWN))


class RoundIsVoid(Exception):  # noqa: N818 - not an error: how a round ends early
    """All hands are void from here on: by which clause, and in what words; or because the floor ruled so."""

    def __init__(self, clause: str, reason: str, *, ruled: bool = False) -> None:
        super().__init__(reason)
        self.clause = clause
        self.reason = reason
        self.ruled = ruled


class Aside(msgspec.Struct, frozen=True):
    """A card that turns up out of turn, after so many others were dealt; one drawn unseen is still the next card."""

    after: int
    card: int | None
    kind: Literal["face-up", "drawn and seen", "drawn unseen"]

    @property
    def leaves(self) -> bool:
        """Whether the card leaves the round."""
        return self.kind != "drawn unseen"


class Hand(msgspec.Struct):
    """What one seat did with its cards so far."""

    choice: str = ""
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    left: bool = False
    gone: Cards = ()  # cards taken from the table

    @property
    def collected(self) -> int:
        """How many cards are gone."""
        return len(self.gone)


class InPlay:
    """The round as it stands. Stakes leave `lying` when they are settled, and what they got is in `got`."""

    def __init__(self, table: Table, plan: RoundPlan, seats: Sequence[SeatPlan]) -> None:
        self.table = table
        self.post = table.post
        self.house = table.house
        self.plan = plan
        self.what = plan.irregularity or NOTHING_WRONG
        self.seats = {seat.seat: seat for seat in seats}
        self.hands = {seat.seat: Hand() for seat in seats}
        self.cards: dict[Place, list[int]] = {}
        self.pile = Pile(())
        self.asides: list[Aside] = []
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
        """The seats from the dealer's right: the way settlement goes."""
        return sorted(self.seats, reverse=True)

    def dealt_to(self, place: Place) -> tuple[int, ...]:
        """The cards of a place, in the order dealt."""
        return tuple(self.cards.get(place, ()))

    def of(self, seat: int) -> tuple[int, ...]:
        """The cards of a seat."""
        return self.dealt_to(("seat", seat))

    def lie(self, seat: int, wager: str, cents: int) -> None:
        """A stake lies there from now on."""
        self.lying[seat, wager] = self.staked[seat, wager] = cents

    def is_at(self, stage: str, seat: int | None = None) -> bool:
        """Whether what goes wrong in this round does so here: at this seat, or when the last has been served.

        What has no time is noticed at the usual one.
        """
        what = self.what
        if what.kind not in NOTICED or (what.stage or self.usual_stage) != stage:
            return False
        if what.kind == "jam" and (what.device != "shoe" or what.stage in IN_THE_DEAL):
            return False
        return self.what.at_seat is None if seat is None else self.what.at_seat == seat

    @property
    def usual_stage(self) -> str:
        """When something is noticed of which the plan does not say when: as soon as the cards are dealt."""
        return "dealing"

    def notice(self, stage: str, seat: int | None = None) -> None:
        """If something goes wrong at this stage, it is noticed, and the game's own rule says what follows."""
        if self.unnoticed and self.is_at(stage, seat):
            self.unnoticed = False
            self.noticed()

    def noticed(self) -> None:
        """What a game makes of a wrong count or an exposed card."""

    def expose(self, clause: str) -> None:
        """A card lying face down is seen; `clause` is where the text would have to say more, if it does not."""
        what = self.what
        place: Place = ("seat", what.of_seat) if what.of_seat is not None else (what.of, 0)
        seen = what.cards or self.dealt_to(place)[:1]
        for card in seen:
            self.post.say(deal.CardExposed, place[0], place[1] or None, show([card]))
        if clause:
            self.post.say(payments.RulingGiven, clause, "play on", "floorperson", what.of_seat)

    def miscounts(self) -> dict[Place, int]:
        """How many cards a place gets that does not get what is due to it."""
        if self.what.kind not in MISCOUNTS or self.what.dealt is None:
            return {}
        seat = self.what.of_seat
        return {("seat", seat) if seat is not None else (self.what.of, 0): self.what.dealt}

    def draw(self, place: Place) -> int:
        """The next card for a place; cards that turn up out of turn come before it."""
        while self.asides and self.asides[0].after <= self.dealt:
            self._out_of_turn(self.asides.pop(0))
        card = self.pile.draw()
        self.dealt += 1
        self.cards.setdefault(place, []).append(card)
        return card

    def _out_of_turn(self, aside: Aside) -> None:
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
        """What a game makes of cards found face up; nothing, unless it says so."""

    def drawn_and_seen(self) -> None:
        """What a game makes of a card drawn in error and seen; nothing, unless it says so."""

    def deal(self, place: Place, *, slot: int | None = None, face_up: bool = False) -> int:
        """One card goes to a place; its slot is its number there, unless told otherwise."""
        card = self.draw(place)
        to, seat = place
        slot = slot or len(self.dealt_to(place))
        source = SOURCES[self.table.method]
        self.post.say(deal.CardDealt, to, seat or None, slot, _TEXTS[card], face_up, source)
        return card

    def stack(self, place: Place, size: int) -> list[int]:
        """The cards of a stack; one that a void interrupts stays in the shoe."""
        try:
            return [self.draw(place) for _ in range(size)]
        except RoundIsVoid:
            self.stuck = len(self.cards.pop(place, ()))
            raise

    @property
    def left_to_deal(self) -> int:
        """How many cards are still in the shoe or the deck."""
        return self.pile.left + self.stuck

    def dispense(self, place: Place, size: int) -> None:
        """The automated shoe puts out a stack."""
        stack = self.stack(place, size)
        self.post.say(deal.StackDispensed, size, self.table.device("shoe"), texts(stack))

    def deliver(self, place: Place) -> None:
        """The dealer delivers a stack face down to its place."""
        to, seat = place
        stack = self.cards[place]
        self.post.say(deal.StackDelivered, to, seat or None, len(stack), cards=texts(stack))

    def record(self, seat: int, wager: str, outcome: Outcome | int) -> None:
        """A stake has left the table for good; what its wager got is what a ruling may reverse."""
        got = outcome if isinstance(outcome, int) else outcome.returned or 0
        self.got[seat, wager] = got
        self.lying.pop((seat, wager), None)

    def seat_played(self, number: int) -> Seat:
        """One seat of it as settlement looks at it."""
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

    def played(self, *, irregular: bool = True) -> Round:
        """The round as settlement looks at it."""
        return Round(
            self.table.book,
            tuple([self.seat_played(number) for number in sorted(self.seats)]),
            dealer=self.dealt_to(DEALER),
            community=self.dealt_to(COMMUNITY),
            dealer_kept=self.dealer_kept,
            irregularity=self.plan.irregularity if irregular else None,
        )

    @property
    def dealer_kept(self) -> Cards:
        """The two cards Fast Action's dealer set."""
        return ()

    @property
    def dealers_left(self) -> Cards:
        """What still lies before the dealer."""
        return self.dealt_to(DEALER)


def texts(held: Sequence[int]) -> tuple[str, ...]:
    """Cards as facts write them."""
    return tuple([_TEXTS[card] for card in held])


def without(held: Sequence[int], gone: Sequence[int]) -> Cards:
    """The cards that are left when some are gone, in their order."""
    left = list(held)
    for card in gone:
        left.remove(card)
    return tuple(left)


def by_passes(places: Sequence[Place], each: int, wrong: Mapping[Place, int]) -> list[Place]:
    """The order of dealing one card at a time; a miscount shows in the last passes."""
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
    """The order of dealing in stacks."""
    return [place for place in places for _ in range(wrong.get(place, each))]
