"""The hooks through which a `Weave` changes the lawful days of a simulated floor; by default nothing changes.

The floor calls `weave.day(today)` once for each table and gaming day, and gets a `DayWeave` or None. A day without one
is the clean day. With one, these methods are called in the order of the day; each may be left at its default:

| call | when | what it may do |
|---|---|---|
| `setup(setup)` | before the table opens | return another: options, devices, sensors, limits |
| `opened(table, facts)` | table open, decks there | edit these facts |
| `between(table)` | before each round is planned | act at the table: `table.deck.cards`, `opening.choose`, a device |
| `told_between(table, facts)` | after what happened since the last round | edit these facts: people, money, decks |
| `plan(table, plan)` | a round is planned, not dealt | return another: an irregularity, cards, `order`, a strategy |
| `refused(table, plan, why)` | no dealer could deal that plan | forget it: the round is dealt as first planned |
| `played(table, plan, facts)` | the round is over | edit its facts, including its shuffle and the emptied rack |
| `closed(table, facts)` | the table is closed | edit these facts |

Edits are those of `domain.simulation.edits`. Facts are emitted in the order of the returned list. A new fact gets a key
of its own source, and everything later in the day happens after the last of them. A call may hold facts back by
returning fewer or none, and return them from a later call, at the latest from `closed`. So a stretch of rounds, or the
whole day, can be edited at once; it stays in memory meanwhile. `labels` collects what `domain.scoring` compares with
the findings; the caller of the floor removes them as they come.

Chance: `today.chance` is this day's own generator, and drawing from it moves nothing else. Every round has its own
cards, wagers and whims, seeded by its number. It begins when the clean round would, unless the round before lasts
longer. So an unchanged round is dealt, played and settled as on the clean floor, at the same times unless delayed. The
effects of a changed round last: chips in the tray, meters, Fast Action's shoe, the time of the next stub count.

Keep what spans rounds in the `DayWeave`, and what spans days in the `Weave`. A short deck: `between` takes cards out of
`table.deck.cards` (of each of two decks, or of a shoe's before it is shuffled) and leaves them out. The rounds are
dealt from the rest, and `played` changes what people would not have known, such as the cards of `shoe-loaded`. A
stacked deck: `plan` returns `order`. Cards for a hand: `plan` returns `dealer` or a seat's `cards`; the rest stays in
its shuffled order. A player who sees a card: `hands_to_come(table, plan)` returns what each place will get, and `plan`
gives the seat a `strategy` that knows it.
"""

from collections.abc import Sequence
from random import Random

import msgspec

from domain.facts.envelope import Fact
from domain.scoring import Label
from domain.settlement.played import Cards
from domain.simulation import uth_card_order
from domain.simulation.in_play import COMMUNITY, DEALER, by_passes, by_stacks
from domain.simulation.piles import Place, laid
from domain.simulation.plans import RoundPlan
from domain.simulation.table import Setup, TableInPlay
from domain.simulation.uth_in_play import BOX, Uth

Facts = list[Fact]


class Today(msgspec.Struct, frozen=True):
    """A table's day before it begins."""

    table: str
    gaming_day: str
    number: int  # of the day, from 0
    setup: Setup
    opens_at: int
    closes_at: int
    rounds: int  # about how many rounds will be played
    chance: Random

    @property
    def stream(self) -> str:
        """The name of the day's stream, as labels write it."""
        return f"{self.table}/{self.gaming_day}"


class DayWeave:
    """The weave of one table's day; by default every call changes nothing."""

    def __init__(self, today: Today) -> None:
        self.today = today
        self.labels: list[Label] = []

    def setup(self, setup: Setup) -> Setup:
        """Return today's setup of the table."""
        return setup

    def opened(self, table: TableInPlay, facts: Facts) -> Facts:
        """Return the facts of the opening."""
        return facts

    def between(self, table: TableInPlay) -> None:
        """Act before a round is planned."""

    def told_between(self, table: TableInPlay, facts: Facts) -> Facts:
        """Return the facts since the last round."""
        return facts

    def plan(self, table: TableInPlay, plan: RoundPlan) -> RoundPlan:
        """Return the round to be dealt."""
        return plan

    def refused(self, table: TableInPlay, plan: RoundPlan, why: str) -> None:
        """Note a plan that no dealer can deal."""

    def played(self, table: TableInPlay, plan: RoundPlan, facts: Facts) -> Facts:
        """Return the facts of the round dealt by this plan."""
        return facts

    def closed(self, table: TableInPlay, facts: Facts) -> Facts:
        """Return the facts of the close."""
        return facts


class Weave:
    """The weave of a floor; by default empty."""

    def day(self, today: Today) -> DayWeave | None:
        """Return the weave of one table's day, or None for a clean day."""
        return None


def hands_to_come(table: TableInPlay, plan: RoundPlan) -> dict[Place, Cards]:
    """Return what each place will be dealt if nothing goes wrong: seats, dealer, community, box and burns.

    This does not cover Fast Action, whose shoe outlasts the round.
    """
    hands: dict[Place, Cards] = {("seat", seat.seat): seat.cards for seat in plan.seats}
    hands |= {DEALER: plan.dealer, COMMUNITY: plan.community, BOX: plan.box, ("burn", 0): plan.burns}
    places = _places(table, plan)
    lies = plan.order or laid(places, hands, plan.shuffled or table.deck.cards, None if plan.shuffled else table.rounds)
    found: dict[Place, list[int]] = {}
    for place, card in zip(places, lies, strict=False):
        found.setdefault(place, []).append(card)
    return {place: tuple(cards) for place, cards in found.items()}


def _places(table: TableInPlay, plan: RoundPlan) -> Sequence[Place]:
    if table.book == "FAH":
        return ()
    if table.book not in ("PIK", "COL"):
        return uth_card_order.order(Uth(table, plan, plan.seats))
    last, each = (DEALER, 5) if table.book == "PIK" else (COMMUNITY, 3)
    places = [*(("seat", number) for number in sorted(seat.seat for seat in plan.seats)), last]
    return (by_stacks if table.method == "automated-shoe" else by_passes)(places, each, {})
