"""Rules that look across tables: one version of a game at every table, one seat at a time for a player.

A small fold of its own, over the facts of all tables in the order of time, then of stream and sequence: between
tables there is no other order. What a table's own verifier sees is left to it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from domain.facts.deal import CardDealt, RoundOpened, StackDelivered
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.players import PlayerLeft
from domain.facts.streams import owner
from domain.facts.table_day import OptionChanged, TableClosed, TableOpened
from domain.facts.wagers import WagerPlaced
from domain.rulebooks import BOOKS, rulebook
from domain.watch.detecting import Detector
from domain.watch.finding import Finding, found
from domain.watch.laws import law

MIXED = law("versions-mixed", "COL 6(f)/s2")
ELSEWHERE = law("wager-unseated", "UTH-MA 6(e) s1; UTH-MD 7.C; PIK 39.3(d)/s1; FAH (f)(2)/s1; COL 6(b)/s1")


class Playing(msgspec.Struct, gc=False):
    """A table in its day, as far as other tables have to do with it."""

    stream: str
    book: str
    version: str = ""  # of Colorado hold 'em
    wagered: dict[int, str] = {}  # who has a wager in the round that is played, by seat
    holding: dict[str, Fact] = {}  # players with cards in it, and the card that shows it


class Tables(msgspec.Struct, gc=False):
    """Every open table as told so far."""

    open: dict[str, Playing] = {}


def initial() -> Tables:
    """No table is open."""
    return Tables()


def in_order(facts: Iterable[Fact]) -> list[Fact]:
    """The facts of several streams in the one order there is between them."""
    return sorted(facts, key=place)


def place(fact: Fact) -> tuple[int, str, int]:
    """Where a fact stands among those of all tables."""
    return fact.at, fact.stream, fact.sequence


def take(state: Tables, fact: Fact) -> list[Finding]:
    """Takes the next fact of any table: what it shows across them."""
    kind = type(fact)
    judge = JUDGES.get(kind)
    raised = list(judge.run(state, fact)) if judge is not None else []
    step = STEPS.get(kind)
    if step is not None:
        step(state, fact)
    return raised


def fold(state: Tables, facts: Iterable[Fact]) -> list[Finding]:
    """Everything these facts show, in their order."""
    return [finding for fact in facts for finding in take(state, fact)]


def _table(state: Tables, fact: Fact) -> Playing | None:
    held = state.open.get(owner(fact.stream))
    return held if held is not None and held.stream == fact.stream else None


def _opened(state: Tables, fact: TableOpened) -> None:
    version = _version(fact.options) if fact.book == "COL" else ""
    state.open[owner(fact.stream)] = Playing(fact.stream, fact.book, version)


def _version(options: dict[str, Any]) -> str:
    option = rulebook("COL").options["version"]
    value = options.get("version", option.default)
    return str(value) if value in option.allowed else ""


def _option(state: Tables, fact: OptionChanged) -> None:
    held = _table(state, fact)
    if held is not None and held.book == "COL" and fact.option == "version":
        held.version = _version({"version": fact.value})


def _closed(state: Tables, fact: TableClosed) -> None:
    if _table(state, fact) is not None:
        del state.open[owner(fact.stream)]


def _left(state: Tables, fact: PlayerLeft) -> None:
    held = _table(state, fact)
    if held is not None:
        held.holding.pop(fact.player or held.wagered.get(fact.seat, ""), None)


def _round(state: Tables, fact: RoundOpened | RoundCompleted) -> None:
    held = _table(state, fact)
    if held is not None:
        held.wagered.clear()
        held.holding.clear()


def _placed(state: Tables, fact: WagerPlaced) -> None:
    held = _table(state, fact)
    if held is not None and fact.player:
        held.wagered[fact.seat] = fact.player


def _served(state: Tables, fact: CardDealt | StackDelivered) -> None:
    held = _table(state, fact)
    if held is not None and fact.seat is not None and (player := held.wagered.get(fact.seat)):
        held.holding.setdefault(player, fact)


def _one_version(state: Tables, fact: TableOpened | OptionChanged) -> Iterator[Finding]:
    """Every Colorado table of a licensee plays the same version at the same time."""
    if isinstance(fact, TableOpened):
        version = _version(fact.options) if fact.book == "COL" else ""
    else:
        held = _table(state, fact)
        if held is None or held.book != "COL" or fact.option != "version":
            return
        version = _version({"version": fact.value})
    table = owner(fact.stream)
    others = [
        (name, other)
        for name, other in sorted(state.open.items())
        if name != table and other.version and other.version != version
    ]
    if version and others:
        name, other = others[0]
        says = f"Table {table} plays the {version} version while table {name} plays the {other.version} one."
        yield found(MIXED, MIXED.cites("COL"), fact, says)


def _one_seat(state: Tables, fact: WagerPlaced) -> Iterator[Finding]:
    """Who wagers is seated at that table, and so not in the middle of a round at another."""
    here = _table(state, fact)
    if here is None or not fact.player or here.wagered.get(fact.seat) == fact.player:
        return
    for name, other in sorted(state.open.items()):
        if other is not here and fact.player in other.holding:
            says = (
                f"A {fact.wager} wager was taken at seat {fact.seat} from a player who held cards at table {name}"
                f" in a round that was not over."
            )
            cited = ELSEWHERE.cites(here.book)
            yield found(ELSEWHERE, cited, fact, says, seat=fact.seat, wager=fact.wager)
            return


STEPS: dict[type[Fact], Callable[[Tables, Any], None]] = {
    TableOpened: _opened,
    OptionChanged: _option,
    TableClosed: _closed,
    PlayerLeft: _left,
    RoundOpened: _round,
    RoundCompleted: _round,
    WagerPlaced: _placed,
    CardDealt: _served,
    StackDelivered: _served,
}
# Detectors like those of one table, asked just before a fact of any table is folded in.
DETECTORS = (
    Detector("one_version", (MIXED,), frozenset(), frozenset({"COL"}), _one_version),
    Detector("one_seat", (ELSEWHERE,), frozenset(), frozenset(BOOKS), _one_seat),
)
JUDGES: dict[type[Fact], Detector] = {
    TableOpened: DETECTORS[0],
    OptionChanged: DETECTORS[0],
    WagerPlaced: DETECTORS[1],
}
