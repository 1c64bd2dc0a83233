"""The pace of a table: how many milliseconds pass before each kind of fact."""

from collections.abc import Mapping

import msgspec

from domain.facts import deal, decisions, decks, payments, players, shuffles, table_day, wagers
from domain.facts.envelope import Fact

SECOND = 1_000_000  # microseconds
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE

USUAL_MS = 1_200
MS: dict[type[Fact], int] = {
    deal.RoundOpened: 4_000,
    deal.CardDealt: 700,
    deal.StackDispensed: 1_500,
    deal.StackDelivered: 900,
    deal.CardBurned: 800,
    wagers.WagerPlaced: 1_600,
    wagers.BetsClosed: 3_000,
    wagers.ProgressiveAccepted: 300,
    decisions.DecisionAsked: 700,
    decisions.DecisionMade: 3_500,
    decisions.HandAnnounced: 1_100,
    payments.WagerPaid: 1_900,
    payments.StubCounted: 20_000,
    payments.RoundCompleted: 500,
    shuffles.ShuffleCompleted: 38_000,
    shuffles.CutPerformed: 4_000,
    decks.DeckInspected: 90_000,
    decks.InspectionVerified: 15_000,
    decks.CardsSpread: 25_000,
    decks.CardsWashed: 20_000,
    players.PlayerArrived: 120_000,
    table_day.TableClosed: 60_000,
}


class TablePace(msgspec.Struct, frozen=True):
    """A table's pace: percent of the usual times, and how far chance may change each."""

    percent: int = 100
    spread_percent: int = 0
    usual_ms: int = USUAL_MS
    of_ms: Mapping[type[Fact], int] = msgspec.field(default_factory=lambda: MS)

    def before(self, kind: type[Fact]) -> int:
        """Return the microseconds that usually pass before a fact of this kind."""
        return self.of_ms.get(kind, self.usual_ms) * 10 * self.percent
