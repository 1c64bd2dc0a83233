"""Where something else is woven into the lawful days of a simulated floor: nothing, unless a `Weave` says so.

The floor asks its weave once for each table and gaming day, `weave.day(today)`, and gets a `DayWeave` or None. A day
without one is the clean day. With one, these are called in the order of the day; each may be left as it is:

| call | when | what it may do |
|---|---|---|
| `setup(setup)` | before the table opens | give another: options, devices, sensors, limits |
| `opened(table, facts)` | table open, decks there | edit these facts |
| `between(table)` | before each round is planned | act at the table: `table.deck.cards`, `opening.choose`, a device |
| `told_between(table, facts)` | what was told since the last round | edit these facts: people, money, decks |
| `plan(table, plan)` | a round is planned, not dealt | give another: an irregularity, cards, `order`, a strategy |
| `refused(table, plan, why)` | no dealer could deal that plan | forget it: the round is dealt as it was first planned |
| `played(table, plan, facts)` | the round is over | edit its facts, its shuffle and the emptied rack among them |
| `closed(table, facts)` | the table is closed | edit these facts |

Edits are those of `domain.simulation.edits`. Facts are told in the order of the list given back; what is added gets a
key of its own source, and nothing later in the day happens before the last of them. A call may hold facts back by
giving back fewer or none, and give them back with those of a later call, at the latest of `closed`: so a stretch of
rounds, or the day, is edited at once, for the memory it takes. `labels` takes what `domain.scoring` compares findings
with; whoever runs the floor takes them away as they come.

Chance. `today.chance` is this day's own generator: drawing from it moves nothing else. Every round has its own cards,
wagers and whims, seeded by its number, and begins when the clean one would unless the one before lasts longer; so a
round that nobody touched is dealt, played and settled as on the clean floor, at the same times unless it was held up.
What a changed round leaves behind stays: chips in the tray, meters, Fast Action's shoe, when the stub is next counted.

What spans rounds is kept in the `DayWeave`, what spans days in the `Weave`. A short deck: `between` takes cards out of
`table.deck.cards` (of each of two decks, or of a shoe's before it is shuffled) and leaves it so; the rounds are dealt
from what is there, and `played` changes what people would not have known, such as the cards of `shoe-loaded`. A stacked
deck: `plan` gives `order`. Cards for a hand: `plan` gives `dealer` or a seat's `cards`; the rest lies as it was
shuffled. A player who sees a card: `hands_to_come(table, plan)` tells what each place will get, and `plan` gives the
seat a `strategy` that knows it.
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
from domain.simulation.table import Setup, Table
from domain.simulation.uth_in_play import BOX, Uth

Facts = list[Fact]


class Today(msgspec.Struct, frozen=True):
    """A table's day, before it begins."""

    table: str
    gaming_day: str
    number: int  # of the day, from 0
    setup: Setup
    opens_at: int
    closes_at: int
    rounds: int  # about so many will be played
    chance: Random

    @property
    def stream(self) -> str:
        """The name of the day's stream, as labels write it."""
        return f"{self.table}/{self.gaming_day}"


class DayWeave:
    """What is woven into one table's day: nothing, where a call is left as it is."""

    def __init__(self, today: Today) -> None:
        self.today = today
        self.labels: list[Label] = []

    def setup(self, setup: Setup) -> Setup:
        """How the table stands today."""
        return setup

    def opened(self, table: Table, facts: Facts) -> Facts:
        """The facts of the opening."""
        return facts

    def between(self, table: Table) -> None:
        """Before a round is planned."""

    def told_between(self, table: Table, facts: Facts) -> Facts:
        """The facts since the last round."""
        return facts

    def plan(self, table: Table, plan: RoundPlan) -> RoundPlan:
        """The round as it is to be dealt."""
        return plan

    def refused(self, table: Table, plan: RoundPlan, why: str) -> None:
        """A plan no dealer can deal."""

    def played(self, table: Table, plan: RoundPlan, facts: Facts) -> Facts:
        """The facts of the round dealt by this plan."""
        return facts

    def closed(self, table: Table, facts: Facts) -> Facts:
        """The facts of the close."""
        return facts


class Weave:
    """What is woven into a floor: nothing."""

    def day(self, today: Today) -> DayWeave | None:
        """What is woven into one table's day, or None for a clean one."""
        return None


def hands_to_come(table: Table, plan: RoundPlan) -> dict[Place, Cards]:
    """What each place will be dealt if nothing goes wrong: seats, dealer, community, box and burns.

    Not at Fast Action, whose shoe outlasts the round.
    """
    hands: dict[Place, Cards] = {("seat", seat.seat): seat.cards for seat in plan.seats}
    hands |= {DEALER: plan.dealer, COMMUNITY: plan.community, BOX: plan.box, ("burn", 0): plan.burns}
    places = _places(table, plan)
    lies = plan.order or laid(places, hands, plan.shuffled or table.deck.cards, None if plan.shuffled else table.rounds)
    found: dict[Place, list[int]] = {}
    for place, card in zip(places, lies, strict=False):
        found.setdefault(place, []).append(card)
    return {place: tuple(cards) for place, cards in found.items()}


def _places(table: Table, plan: RoundPlan) -> Sequence[Place]:
    if table.book == "FAH":
        return ()
    if table.book not in ("PIK", "COL"):
        return uth_card_order.order(Uth(table, plan, plan.seats))
    last, each = (DEALER, 5) if table.book == "PIK" else (COMMUNITY, 3)
    places = [*(("seat", number) for number in sorted(seat.seat for seat in plan.seats)), last]
    return (by_stacks if table.method == "automated-shoe" else by_passes)(places, each, {})
