"""The further facts of Pik-it, Fast Action and Colorado: cards kept, split and selected."""

from domain.cards import cards
from domain.facts import decisions
from domain.facts.envelope import Fact
from domain.settlement.played import Irregularity, PlayedRound, with_parts
from tests.simulation.told import Told

_CHOICES = {"void": "short-void", "complete": ""}


class ToldOfThree(Told):
    """One round of one of the three games, read from its facts alone."""

    def __init__(self, told: Told) -> None:
        self.kept: dict[int | None, tuple[str, ...]] = {}
        self.second: dict[int | None, tuple[str, ...]] = {}
        self.selected: dict[int, tuple[str, ...]] = {}
        super().__init__(told.facts)

    def _hear(self, fact: Fact) -> None:
        super()._hear(fact)
        match fact:
            case decisions.DecisionMade() if fact.decision in _CHOICES:
                self.choice[fact.seat] = _CHOICES[fact.decision]
            case decisions.HandSet():
                self.kept[fact.seat], self.second[fact.seat] = fact.kept, fact.second
                if fact.seat is not None and not self.choice.get(fact.seat):
                    self.choice[fact.seat] = "set"
            case decisions.CardDiscarded() if fact.count == 1:
                held = list(self.cards["seat", fact.seat])
                held.remove(*fact.cards)
                self.kept[fact.seat] = tuple(held)
            case decisions.CardsSelected():
                self.selected[fact.seat] = fact.cards

    def played(
        self, book: str, irregularity: Irregularity | None = None, meters: dict[str, int] | None = None
    ) -> PlayedRound:
        """The round for settlement."""
        whole = super().played(book, irregularity, meters)
        seats = tuple(
            with_parts(
                seat,
                kept=cards(self.kept.get(seat.seat, ())),
                second=cards(self.second.get(seat.seat, ())),
                selected=cards(self.selected.get(seat.seat, ())),
            )
            for seat in whole.seats
        )
        return with_parts(whole, seats=seats, dealer_kept=cards(self.kept.get(None, ())))
