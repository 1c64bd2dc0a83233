"""A round of Ultimate Texas Hold'em in progress."""

from collections.abc import Sequence

import msgspec

from domain.cards import show
from domain.facts import deal
from domain.facts.devices import DeviceFailed
from domain.settlement.played import Irregularity, PlayedRound, with_parts
from domain.simulation.in_play import BURN, COMMUNITY, DEALER, NOTHING_WRONG, InPlay, RoundIsVoid, SetAsideCard
from domain.simulation.piles import Place
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.round_end import PLAY_ON, rule
from domain.simulation.table import TableInPlay

__all__ = ["BOX", "BURN", "COMMUNITY", "DEALER", "PlanError", "Uth"]

BOX: Place = ("box", 0)
BOX_CARDS = 4
# The default of a wrong count: one card too many.
_ONE_TOO_MANY = {"community": 6, "six-card-box": BOX_CARDS + 1}
_USUAL_JAM = 2  # cards dealt when the shoe jams


class PlanError(ValueError):
    """A plan no dealer can follow; the message says what is wrong with it."""


class Uth(InPlay):
    """The state of the round: cards, decisions, and chips already in the rack."""

    def __init__(self, table: TableInPlay, plan: RoundPlan, seats: Sequence[SeatPlan]) -> None:
        super().__init__(table, plan, seats)
        self.what = _in_full(self.what)
        self.acts = {seat.seat: list(seat.acts) for seat in seats}
        self.banked: set[int] = set()  # seats whose progressive chip is in the rack
        self.voided: set[int] = set()  # hands declared void
        self.happened = plan.irregularity is None
        self.initial_cards = 0
        self.keeps_trips = False  # whether trips survives the void
        self.turned_up = 0  # community cards dealt face down and turned up since

    @property
    def massachusetts(self) -> bool:
        """Whether the Massachusetts text is in force, not Maryland's."""
        return self.table.book == "UTH-MA"

    @property
    def burns(self) -> bool:
        """Whether cards are burned: always (UTH-MA 10(b) s1), or when dealing by hand (UTH-MD 11.C(1))."""
        return self.massachusetts or self.table.method == "hand"

    @property
    def box_offered(self) -> bool:
        """Whether the six card box is dealt."""
        return self.house.offers("six_card") and self.table.method == "automated-shoe"

    @property
    def board_dealt_first(self) -> bool:
        """Whether Maryland's automated shoe deals the community cards face down before the hands (UTH-MD 10.B(2))."""
        return not self.massachusetts and self.table.method == "automated-shoe"

    @property
    def dealer_waits(self) -> bool:
        """Whether the dealer's cards stay in the shuffler until all have acted (UTH-MD 10.B(4))."""
        return self.board_dealt_first and self.table.setup.dealer_stack == "after-decisions"

    @property
    def deck_not_whole(self) -> bool:
        """Whether the deck itself has a wrong number of cards."""
        return self.what.kind == "stub-count" and self.what.finding != "misdealt"

    @property
    def deciding(self) -> list[int]:
        """The seats still to fold or play, from the dealer's left."""
        return [
            seat
            for seat in sorted(self.seats)
            if not self.hands[seat].choice and not self.hands[seat].left and seat not in self.voided
        ]

    def draw(self, place: Place) -> int:
        """Return the next card for a place, unless the shoe gives none."""
        jams = self.what.kind == "jam" and self.what.device == "shoe" and not self.happened
        shoe = self.table.device("shoe") if jams else ""
        at_dealt = _USUAL_JAM if self.what.at_dealt is None else self.what.at_dealt
        if shoe and self.dealt >= at_dealt:
            self.happened = True
            self.post.say(DeviceFailed, shoe, "shoe", "jammed", deck=self.table.deck.name)
            clause = "UTH-MA 15(f)" if self.massachusetts else "UTH-MD 13.I"
            raise RoundIsVoid(clause, "shoe jammed")
        return super().draw(place)

    def drawn_too_early(self) -> None:
        """Draw a card in error now, instead of at its turn."""
        while self.asides and self.asides[0].kind != "face-up" and self.asides[0].after <= self.dealt:
            self._out_of_turn(self.asides.pop(0))

    def another_face_up(self) -> None:
        """Void all hands for a second card found face up (UTH-MA 15(b) s2, UTH-MD 13.B)."""
        if self.found_face_up > 1:
            self.keeps_trips = self.dealt >= self.initial_cards
            raise RoundIsVoid("UTH-MA 15(b) s2" if self.massachusetts else "UTH-MD 13.B", "two cards face up")

    def drawn_and_seen(self) -> None:
        """Treat the dealer's own seen card as exposed; no clause covers any other, so the floor rules."""
        if self.what.used_as == "dealer" and self.deciding:
            self.post.say(deal.CardExposed, "dealer", None, "??" if self.what.card is None else show([self.what.card]))
            self.keeps_trips = True
            raise RoundIsVoid("UTH-MA 15(a) s1" if self.massachusetts else "UTH-MD 13.F", "dealer card exposed")
        rule(self, "UTH-MA 15(c)" if self.massachusetts else "UTH-MD 13.D", PLAY_ON)

    def _out_of_turn(self, aside: SetAsideCard) -> None:
        self.happened = True
        super()._out_of_turn(aside)

    def played(self, *, irregular: bool = True) -> PlayedRound:
        """Return the round in settlement's form."""
        seen = super().played(irregular=False)
        return with_parts(
            seen,
            six_card_box=self.dealt_to(BOX),
            irregularity=self.what if irregular and self.what.kind else None,
            meters=dict(self.table.meters) or None,
        )


def _in_full(what: Irregularity) -> Irregularity:
    if what is NOTHING_WRONG or what.kind not in ("wrong-count", "stub-count") or what.dealt is not None:
        return what
    if what.kind == "stub-count" and what.finding != "misdealt":
        return what
    return msgspec.structs.replace(what, dealt=_ONE_TOO_MANY.get(what.of, 3))
