"""A table's gaming day: what is in force, who is there, and its rounds.

The day opens with everything a verifier needs, so folding starts there and never earlier. The day keeps its last
rounds, so that a late fact finds its round. It keeps few of them, because the facts of a kept round leave the
processor's caches before they are freed.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.facts import deal, decisions, payments, wagers
from domain.facts.deal import CardBurned, MarkerPlaced, RoundOpened
from domain.facts.devices import DeviceEmptied, DeviceFailed, DeviceRestored
from domain.facts.envelope import Fact
from domain.facts.payments import RulingGiven
from domain.facts.players import PlayerLeft, PlayerSeated
from domain.facts.shuffles import CuttingCardReached, ShoeRanOut
from domain.facts.table_day import (
    LimitsPosted,
    MethodChanged,
    OptionChanged,
    PersonCame,
    PersonWent,
    TableClosed,
    TableOpened,
    WagerLimits,
)
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset
from domain.facts.watching import Observed
from domain.games import UNKNOWN, Game
from domain.rulebooks import BadHouseError, House, HouseFinding, RuleBook, edition, edition_on, house
from domain.table.deck_rounds import LEAVING, too_late
from domain.table.deck_steps import STEPS as DECK_STEPS
from domain.table.deck_steps import deals_from
from domain.table.decks import Decks
from domain.table.layout import STEPS as LAYOUT_STEPS
from domain.table.layout import TableLayout
from domain.table.money import STEPS as MONEY_STEPS
from domain.table.money import BankMoney
from domain.table.round import EVOLVE, RoundInPlay
from domain.table.round import evolve as evolve_round
from domain.table.tray import into_the_tray, left_open

REMEMBERED = 4  # rounds kept for late facts; a later fact causes the whole day to be folded again


class TableDay(msgspec.Struct, gc=False):
    """The state of the day so far."""

    stream: str
    remembers: int | None = REMEMBERED  # how many rounds it keeps; None keeps all
    opened: TableOpened | None = None
    house: House | None = None  # None before the opening
    unjudged: str = ""  # why nothing of this day can be judged
    refused: tuple[HouseFinding, ...] = ()  # unreadable options, and what is wrong with them
    options: dict[str, Any] = {}
    method: str = ""
    positions: int = 0
    limits: dict[str, WagerLimits] = {}
    unrecorded: frozenset[str] = frozenset()
    unseen_wagers: frozenset[str] = frozenset()
    blind: dict[str, str] = {}  # failed devices, by kind
    people: dict[str, str] = {}  # the people at the table, with their roles
    dealer_person: str = ""
    seated: dict[int, str] = {}
    meters: dict[str, int] = {}
    decks: Decks = msgspec.field(default_factory=Decks)
    money: BankMoney = msgspec.field(default_factory=BankMoney)
    layout: TableLayout = msgspec.field(default_factory=TableLayout)
    round: RoundInPlay | None = None  # the newest round
    rounds: dict[int, RoundInPlay] = {}
    rounds_opened: int = 0
    forgotten: int = -1  # the newest round that is no longer kept
    too_late: list[Fact] = []
    closed: TableClosed | None = None
    sequence: int = 0
    at: int = 0

    @property
    def book(self) -> str:
        """The rule book's name, or an empty string if none can be read."""
        return self.house.book.book if self.house else ""

    @property
    def game(self) -> Game:
        """The game at this table."""
        return self.house.game if self.house else UNKNOWN


# Facts that always belong to a round, and facts that belong to it while one is open.
_OF_A_ROUND = frozenset(
    kind
    for module in (deal, decisions, payments, wagers)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and kind is not Fact
) - {MeterRead, MeterIncremented, MeterReset}
# Burns of a fresh shoe or a new dealer and moves of the marker happen between rounds, unless they name one.
_BETWEEN_ROUNDS = frozenset({CardBurned, MarkerPlaced})
_ALSO_OF_A_ROUND: frozenset[type[Fact]] = frozenset(
    {
        *(CuttingCardReached, DeviceEmptied, DeviceFailed, DeviceRestored, MeterIncremented, MeterRead, MeterReset),
        *(Observed, PersonCame, PersonWent, PlayerLeft, PlayerSeated, RulingGiven, ShoeRanOut),
    }
)


def initial(stream: str, remembers: int | None = REMEMBERED) -> TableDay:
    """Return an empty day."""
    return TableDay(stream, remembers)


def round_for(state: TableDay, fact: Fact) -> RoundInPlay | None:
    """Return the round a fact belongs to, opening or first naming it if need be; None if it belongs to no round."""
    number, newest = fact.round, state.round
    if newest is not None and number == newest.number:
        return newest
    kind = type(fact)
    if number is None:
        if kind is RoundOpened:
            return _open(state, newest.number + 1 if newest else 1, fact)
        if newest is None or (newest.over and (kind in _ALSO_OF_A_ROUND or kind in _BETWEEN_ROUNDS)):
            return None
        return newest if kind in _OF_A_ROUND or kind in _ALSO_OF_A_ROUND else None
    if newest is None or number > newest.number:
        return _open(state, number, fact)
    return state.rounds.get(number)


def _open(state: TableDay, number: int, fact: Fact) -> RoundInPlay | None:
    if state.house is None:
        return None
    left_open(state.money.rounds, state.round)
    made = RoundInPlay(
        stream=state.stream,
        number=number,
        book=state.house.book.book,
        house=state.house,
        method=state.method,
        positions=state.positions,
        unrecorded=unrecorded_now(state),
        unseen_wagers=state.unseen_wagers,
        dealer_person=state.dealer_person,
        deck=deals_from(state.decks, fact),
        meters=dict(state.meters),
        limits=state.limits,
        marker=state.layout.marker.stands,
        seated=dict(state.seated),
        first=fact.sequence,
        at=fact.at,
    )
    state.round = state.rounds[number] = state.decks.told = made
    state.rounds_opened += 1
    _forget(state)
    return made


def _forget(state: TableDay) -> None:
    """Release the oldest rounds, so that no more are kept than the day remembers."""
    while state.remembers is not None and len(state.rounds) > state.remembers:
        state.forgotten = next(iter(state.rounds))
        del state.rounds[state.forgotten]


def recall(state: TableDay, late: Fact) -> None:
    """Keep from now on twice as many rounds as this fact is late, because another one may come as late."""
    if state.round is not None and late.round is not None:
        remember(state, max(REMEMBERED, 2 * (state.round.number - late.round)))


def remember(state: TableDay, rounds: int | None) -> None:
    """Keep this many rounds from now on, or all of them, and release the older ones."""
    state.remembers = rounds
    _forget(state)


# What a table does not record while the device that reads it is out of order.
_READ_BY: Mapping[str, frozenset[str]] = {
    "table-reader": frozenset(
        {"card-dealt", "stack-delivered", "card-burned", "community-revealed", "box-revealed", "hand-revealed"}
        | {"hands-collected"}
    ),
    "shoe": frozenset(),
    "chip-reader": frozenset({"wager-placed", "wager-changed", "wager-paid", "wager-collected", "wager-returned"}),
}


def unrecorded_now(state: TableDay) -> frozenset[str]:
    """Return the types of fact unrecorded now: those the opening lists, and those that failed devices would read."""
    if not state.blind:
        return state.unrecorded
    return state.unrecorded.union(*(_READ_BY.get(kind, frozenset()) for kind in state.blind.values()))


def evolve(state: TableDay, fact: Fact) -> RoundInPlay | None:
    """Take the next fact into the day and return the round it belongs to."""
    state.sequence, state.at = fact.sequence, fact.at
    kind = type(fact)
    found = None
    if kind in _OF_A_ROUND or fact.round is not None or kind in _ALSO_OF_A_ROUND:
        found = round_for(state, fact)
        if found is not None:
            evolve_round(found, fact)
            if kind in LEAVING:
                too_late(state.decks, found)
            if found.over:
                state.money.rounds[found.number] = into_the_tray(found)
        elif fact.round is not None and fact.round <= state.forgotten:
            state.too_late.append(fact)
    for step in STEPS.get(kind, ()):
        step(state, fact)
    return found


def _opened(state: TableDay, fact: TableOpened) -> None:
    state.opened = fact
    state.options = dict(fact.options)
    state.method = fact.dealing_method
    state.positions = fact.positions
    state.limits = {str(wager): limits for wager, limits in fact.limits.items()}
    state.unrecorded = frozenset(fact.unrecorded)
    state.unseen_wagers = frozenset(fact.unseen_wagers)
    state.meters = {str(meter): cents for meter, cents in fact.meters_cents.items()}
    _in_force(state)


def _in_force(state: TableDay) -> None:
    """Set the house from the options in force; unreadable options are left out and reported."""
    if state.opened is None:
        return
    if edition(state.opened.book, state.opened.book_digest) is None:
        state.unjudged = f"the edition of {state.opened.book} this table opened under is not here"
    state.house, state.refused = in_force(edition_of(state.opened), state.options, state.method)


def edition_of(opened: TableOpened) -> RuleBook:
    """Return the edition a table opened under; if it is not installed, the day's own one, so the facts can be read."""
    return edition(opened.book, opened.book_digest) or edition_on(opened.book, opened.gaming_day)


def in_force(book: RuleBook, options: Mapping[str, Any], method: str) -> tuple[House, tuple[HouseFinding, ...]]:
    """Return the house these options make, without the unreadable ones, and what is wrong with those."""
    try:
        return house(book, options, method), ()
    except BadHouseError as error:
        return house(book, _readable(book, dict(options), method), None), error.findings


def _readable(book: RuleBook, options: dict[str, Any], method: str) -> dict[str, Any]:
    """Return the readable options, each tried alone."""
    kept: dict[str, Any] = {}
    for name, value in {**options, "dealing_method": method}.items():
        try:
            house(book, {name: value})
        except BadHouseError:
            continue
        kept[name] = value
    return kept


def _option(state: TableDay, fact: OptionChanged) -> None:
    state.options = with_option(state.options, fact.option, fact.value)
    _in_force(state)


def with_option(options: Mapping[str, Any], option: str, value: Any) -> dict[str, Any]:
    """Return the options after one change; a whole group replaces earlier changes to its parts."""
    kept = {name: held for name, held in options.items() if name != option and not name.startswith(f"{option}.")}
    return {**kept, option: value}


def _method(state: TableDay, fact: MethodChanged) -> None:
    state.method = fact.dealing_method or state.method
    _in_force(state)


def _limits(state: TableDay, fact: LimitsPosted) -> None:
    state.limits = {**state.limits, fact.wager: WagerLimits(fact.least_cents, fact.most_cents)}


def _came(state: TableDay, fact: PersonCame) -> None:
    state.people[fact.person] = fact.role
    if fact.role == "dealer":
        state.dealer_person = fact.person


def _went(state: TableDay, fact: PersonWent) -> None:
    state.people.pop(fact.person, None)
    if fact.person == state.dealer_person:
        state.dealer_person = ""


def _seated(state: TableDay, fact: PlayerSeated) -> None:
    state.seated[fact.seat] = fact.player


def _left(state: TableDay, fact: PlayerLeft) -> None:
    state.seated.pop(fact.seat, None)


def _failed(state: TableDay, fact: DeviceFailed) -> None:
    state.blind[fact.device] = fact.kind
    if state.round is not None and not state.round.over:  # the whole round has this gap
        state.round.unrecorded = unrecorded_now(state)


def _restored(state: TableDay, fact: DeviceRestored) -> None:
    state.blind.pop(fact.device, None)


def _meter_stands(state: TableDay, fact: MeterRead | MeterReset) -> None:
    state.meters[fact.meter] = fact.cents


def _meter_rose(state: TableDay, fact: MeterIncremented) -> None:
    if fact.cents is not None:
        state.meters[fact.meter] = fact.cents
    elif fact.meter in state.meters:  # if the meter's amount is unknown, a rise does not show it
        state.meters[fact.meter] += fact.by_cents


def _table_closed(state: TableDay, fact: TableClosed) -> None:
    state.closed = fact
    left_open(state.money.rounds, state.round)


Step = Callable[[TableDay, Any], None]
_OWN: dict[type[Fact], Step] = {
    TableOpened: _opened,
    OptionChanged: _option,
    MethodChanged: _method,
    LimitsPosted: _limits,
    PersonCame: _came,
    PersonWent: _went,
    PlayerSeated: _seated,
    PlayerLeft: _left,
    DeviceFailed: _failed,
    DeviceRestored: _restored,
    MeterRead: _meter_stands,
    MeterReset: _meter_stands,
    MeterIncremented: _meter_rose,
    TableClosed: _table_closed,
}


def _decks_step(step: Callable[[Decks, Any], None]) -> Step:
    return lambda state, fact: step(state.decks, fact)


def _money_step(step: Callable[[BankMoney, Any], None]) -> Step:
    return lambda state, fact: step(state.money, fact)


def _layout_step(step: Callable[[TableLayout, Any], None]) -> Step:
    return lambda state, fact: step(state.layout, fact)


def _steps() -> dict[type[Fact], tuple[Step, ...]]:
    found: dict[type[Fact], tuple[Step, ...]] = {}
    for kind in {*_OWN, *DECK_STEPS, *MONEY_STEPS, *LAYOUT_STEPS}:
        steps = []
        if kind in DECK_STEPS:
            steps.append(_decks_step(DECK_STEPS[kind]))
        if kind in MONEY_STEPS:
            steps.append(_money_step(MONEY_STEPS[kind]))
        if kind in LAYOUT_STEPS:
            steps.append(_layout_step(LAYOUT_STEPS[kind]))
        if kind in _OWN:
            steps.append(_OWN[kind])
        found[kind] = tuple(steps)
    return found


STEPS = _steps()

OfRound = tuple[Callable[[RoundInPlay, Any], None] | None, Step | None]


def _of_round() -> dict[type[Fact], OfRound]:
    found: dict[type[Fact], OfRound] = {}
    for kind in (_OF_A_ROUND | _ALSO_OF_A_ROUND) - _BETWEEN_ROUNDS:
        steps = STEPS.get(kind, ())
        if len(steps) < 2:
            found[kind] = (EVOLVE.get(kind), steps[0] if steps else None)
    return found


# The simple facts of a round that is open, with their effect on the round and the day besides being recorded.
OF_ROUND: Mapping[type[Fact], OfRound] = _of_round()
# The facts that belong to no round unless they name one, with their effects on the day.
OF_DAY: Mapping[type[Fact], tuple[Step, ...]] = {
    kind: steps for kind, steps in STEPS.items() if kind not in _OF_A_ROUND and kind not in _ALSO_OF_A_ROUND
}
