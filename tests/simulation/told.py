"""The content of a day's facts, read by other code: the cards, wagers and decisions of each round, and the payouts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from domain.cards import cards
from domain.facts import deal, decisions, payments, players, table_day, table_money, wagers
from domain.facts.envelope import Fact
from domain.ledger.chain import ChainReader, digest
from domain.ledger.writer import PlacedFact, Writer, located, place
from domain.settlement.played import Irregularity, PlayedRound, Seat

UNDEALT = "??"


class Told:
    """One round as its facts tell it."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.facts = list(facts)
        self.cards: dict[tuple[str, int | None], list[str]] = defaultdict(list)
        self.staked: dict[tuple[int, str], int] = {}
        self.choice: dict[int, str] = {}
        self.left: set[int] = set()
        self.coupons: dict[tuple[int, str], int] = {}
        self.got: dict[tuple[int, str], int] = defaultdict(int)
        self.paid: dict[tuple[int, str], int] = defaultdict(int)
        self.moved: set[tuple[int, str]] = set()
        for fact in self.facts:
            self._hear(fact)

    def _hear(self, fact: Fact) -> None:
        match fact:
            case deal.CardDealt():
                self.cards[fact.to, fact.seat].append(fact.card)
            case deal.StackDelivered():
                self.cards[fact.to, fact.seat] += fact.cards
            case wagers.WagerPlaced():
                self.staked[fact.seat, fact.wager] = fact.cents or 0
                self.coupons[fact.seat, fact.wager] = fact.coupon_cents
            case decisions.DecisionMade() if fact.decision != "check":
                self.choice[fact.seat] = fact.decision
            case players.PlayerLeft():
                self.left.add(fact.seat)
            case payments.WagerPaid() | payments.WagerReturned():
                self.got[fact.seat, fact.wager] += fact.cents or 0
                self.moved.add((fact.seat, fact.wager))
                if isinstance(fact, payments.WagerPaid):
                    self.paid[fact.seat, fact.wager] += fact.cents or 0
            case payments.WagerCollected():
                self.moved.add((fact.seat, fact.wager))
                if fact.reason == "reversed":
                    self.got[fact.seat, fact.wager] -= fact.cents or 0

    def of(self, kind: type[Fact]) -> list[Fact]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def played(
        self, book: str, irregularity: Irregularity | None = None, meters: dict[str, int] | None = None
    ) -> PlayedRound:
        """The round for settlement."""
        seats = tuple(
            Seat(
                seat,
                {wager: cents for (at, wager), cents in self.staked.items() if at == seat},
                cards(self.cards["seat", seat]),
                choice=self.choice.get(seat, ""),
                coupons={w: face for (at, w), face in self.coupons.items() if at == seat and face},
                left=seat in self.left,
            )
            for seat in sorted({seat for seat, _ in self.staked})
        )
        return PlayedRound(
            book,
            seats,
            dealer=cards(self.cards["dealer", None]),
            community=cards(self.cards["community", None]),
            six_card_box=cards(self.cards["box", None]),
            irregularity=irregularity,
            meters=meters,
        )


def rounds_of(facts: Sequence[Fact]) -> list[Told]:
    """The rounds of a day; what a player does in the middle of one carries no number and stands between its facts."""
    found: list[Told] = []
    held: list[Fact] = []
    for fact in facts:
        if isinstance(fact, deal.RoundOpened):
            held = [fact]
        elif held:
            held.append(fact)
        if isinstance(fact, payments.RoundCompleted):
            found.append(Told(held))
            held = []
    return found


def recorded(facts: Sequence[Fact]) -> list[PlacedFact]:
    """The facts as the writer of the stream places them, nothing refused; the chain holds."""
    writer = Writer(1)
    placed = []
    for fact in facts:
        whole = located(writer, fact)
        assert isinstance(whole, Fact), whole
        placed.append(place(writer, whole))
    chain = ChainReader(placed[0].fact.stream)
    assert {chain.follow(p.fact.sequence, p.fact.previous, digest(p.stored)).kind for p in placed} == {"next"}
    return placed


def closer_owed(facts: Sequence[Fact]) -> int:
    """The tray at the close: the opener, the slips in and out, the players' losses and wins."""
    cents = 0
    for fact in facts:
        match fact:
            case table_day.TableOpened():
                cents += fact.opener_cents or 0
            case table_money.BoughtIn() | table_money.CreditSent():
                cents -= fact.cents or 0
            case table_money.FillReceived():
                cents += fact.cents
    for told in rounds_of(facts):
        cents += sum(told.staked.values()) - sum(told.got.values())
    return cents
