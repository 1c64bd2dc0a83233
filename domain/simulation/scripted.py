"""A whole lawful day in one call, for tests.

`day("UTH-MD", {"trips_table": "B"}, method="hand", rounds=[round_(seat(2, "Ah Kd", "check check play"), dealer="7c 2d",
community="Kc 9d 4h 2s 7s")])`: omitted parts have sensible defaults, always the same.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from domain.cards import cards
from domain.facts.envelope import Fact
from domain.facts.words import Book, Dealing
from domain.settlement.played import FaceUpCard, Irregularity
from domain.simulation import opening
from domain.simulation.dealers import DEALERS
from domain.simulation.plans import RoundPlan, SeatPlan, Strategy
from domain.simulation.table import Setup, TableInPlay

USUAL_CENTS = 1_000
USUAL_SEATS = (1, 3)
# The wagers a position needs to play, and the one that sets the amount of the others.
REQUIRED = {
    "UTH-MA": ("ante", "blind"),
    "UTH-MD": ("ante", "blind"),
    "PIK": ("ante", "bonus5"),
    "FAH": ("original",),
    "COL": ("ante",),
}

Step = RoundPlan | Callable[[TableInPlay], None]  # a round, or an event at the table between rounds


def seat(
    number: int,
    held: str = "",
    acts: str = "",
    *,
    kept: str = "",
    second: str = "",
    selected: str = "",
    player: str = "",
    coupons: Mapping[str, int] | None = None,
    strategy: Strategy | None = None,
    **wagers: int,
) -> SeatPlan:
    """Return a position: cards and decisions as words, wagers by name in cents. Required wagers may be omitted."""
    return SeatPlan(
        number,
        wagers,
        cards(held),
        tuple(acts.split()),
        player or f"player-{number}",
        dict(coupons or {}),
        cards(kept),
        cards(second),
        cards(selected),
        strategy,
    )


def round_(
    *seats: SeatPlan,
    dealer: str = "",
    community: str = "",
    box: str = "",
    burns: str = "",
    order: str = "",
    irregularity: Irregularity | None = None,
    **rest: Any,
) -> RoundPlan:
    """Return a round: cards as words, by place or as a whole deck from the top; by default the game's usual seats.

    `rest` holds fields of the plan; any other name becomes one of its parts, such as `recut="improper"`.
    """
    parts = {name: rest.pop(name) for name in list(rest) if name not in RoundPlan.__struct_fields__}
    if parts:
        rest["parts"] = {**rest.get("parts", {}), **parts}
    return RoundPlan(
        seats,
        cards(order),
        cards(dealer),
        cards(community),
        cards(box),
        cards(burns),
        irregularity,
        **rest,
    )


def wrong(kind: str, *found: tuple[str, int], held: str = "", card: str = "", **rest: Any) -> Irregularity:
    """Return an irregularity in the words of the case format; `found` are face-up cards, each after so many others."""
    return Irregularity(
        kind,
        cards=cards(held),
        found=tuple(FaceUpCard(cards(text)[0], after) for text, after in found),
        card=cards(card)[0] if card else None,
        **rest,
    )


# Ultimate's usual round has a winner on a pair, a fold, a winner with trips and a loser.
_USUAL_UTH = RoundPlan(
    (
        seat(1, "As Kd", "play"),
        seat(3, "7h 2c", "check check fold"),
        seat(4, "8c 8h", "check play", trips=500),
        seat(5, "Qc Jc", "check check play"),
    ),
    dealer=cards("9c 4d"),
    community=cards("Kh 8d 5c 2s 9s"),
)
USUAL: dict[str, RoundPlan] = {"UTH-MA": _USUAL_UTH, "UTH-MD": _USUAL_UTH}


def usual(book: str, plan: RoundPlan) -> RoundPlan:
    """Return the round with the usual seats if it names none, and with their cards if it names no card either."""
    if plan.seats:
        return plan
    whole = USUAL.get(book, RoundPlan(tuple(seat(number) for number in USUAL_SEATS)))
    if plan.order or plan.dealer or plan.community or plan.box or plan.burns:
        bare = tuple(msgspec.structs.replace(each, cards=(), acts=()) for each in whole.seats)
        return msgspec.structs.replace(plan, seats=bare)
    return msgspec.structs.replace(plan, seats=whole.seats, dealer=whole.dealer, community=whole.community)


def with_required(book: str, plan: RoundPlan) -> RoundPlan:
    """Return the round with every required wager: equal to the first of them, or as usual."""
    first, *others = REQUIRED[book]
    seats = []
    for each in plan.seats:
        lead = each.wagers.get(first, USUAL_CENTS)
        required = {first: lead} | {name: each.wagers.get(name, lead) for name in others}
        seats.append(msgspec.structs.replace(each, wagers=required | each.wagers))
    return msgspec.structs.replace(plan, seats=tuple(seats))


def played(
    book: Book,
    options: Mapping[str, Any] | None = None,
    *,
    method: Dealing = "manual-shoe",
    rounds: int | Iterable[Step] = 1,
    close: bool = True,
    **setup: Any,
) -> TableInPlay:
    """Return the table after such a day."""
    given = [round_() for _ in range(rounds)] if isinstance(rounds, int) else list(rounds)
    steps = [with_required(book, usual(book, step)) if isinstance(step, RoundPlan) else step for step in given]
    table = TableInPlay(Setup(book, dict(options or {}), method, **setup))
    opening.open_table(table)
    first = next((step for step in steps if isinstance(step, RoundPlan)), usual(book, round_()))
    opening.begin(table, {each.seat: each.player for each in first.seats})
    for step in steps:
        if isinstance(step, RoundPlan):
            DEALERS[book](table, step)
        else:
            step(table)
    if close:
        opening.close_table(table)
    return table


def day(
    book: Book,
    options: Mapping[str, Any] | None = None,
    *,
    method: Dealing = "manual-shoe",
    rounds: int | Iterable[Step] = 1,
    close: bool = True,
    **setup: Any,
) -> list[Fact]:
    """Return a lawful day's facts: table opened, decks opened, rounds played, table closed."""
    return played(book, options, method=method, rounds=rounds, close=close, **setup).post.facts
