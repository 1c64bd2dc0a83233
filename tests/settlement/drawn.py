"""`make rounds`: rounds drawn from a seed, with every irregularity and with cards, amounts and decisions left out.

Each round is settled as `catwalk settle` reads it, and again as the watch meets it on a record. It ends with a line a
book: rounds, lines that could not be read, and rounds a second of one processor. A round that breaks a property is named
by its book and seed, and the status is 1.
"""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import click
import msgspec

from consumers.commands.settle import answer
from consumers.settling.table import table
from domain.rulebooks import BOOKS, House
from domain.settlement import PlayedRound, Settlement, called_off, settle
from domain.settlement.case_format import BadCaseError, WorkedCase, read
from domain.settlement.outcome import CERTAIN, READING, RULING, UNDECIDABLE, Outcome
from domain.settlement.played import with_parts
from tests.settlement.any_case import any_case

_AT_A_TIME = 1_000
_SAID_EVERY = 10  # parts
_SLOWEST = 30  # seconds for one round, on a machine that does other things too


class BrokenRoundError(Exception):
    """A property does not hold for this round."""


class DrawnPart(NamedTuple):
    """The rounds of one stretch of seeds."""

    book: str
    rounds: int
    unread: int
    seconds: float  # of the processor
    broken: tuple[str, ...]


def settled(book: str, seed: str) -> bool:
    """Settle the round of a seed in every way; return False if its line could not be read."""
    line = msgspec.json.encode(any_case(book, seed))
    try:
        case = read(line)
    except BadCaseError:
        return False
    settlement = settle(case.house, case.played)
    _require_whole(case.played, settlement)
    _require_shown(case, settlement)
    chance = random.Random(seed)  # noqa: S311 - repeatable
    recorded = _as_recorded(case.house, case.played, chance)
    _require_whole(recorded, settle(case.house, recorded))
    if recorded.irregularity is not None:
        _require_whole(recorded, called_off(case.house, recorded, "a clause", recorded.irregularity))
    return True


def _as_recorded(house: House, played: PlayedRound, chance: random.Random) -> PlayedRound:
    """The round as a record tells it: with the wagers settled by then and the meters as they stood."""
    if played.irregularity is not None:
        some = {
            seat.seat: tuple(wager for wager in seat.wagers if chance.random() < 0.5)
            for seat in played.seats
            if chance.random() < 0.5
        }
        what = msgspec.structs.replace(played.irregularity, settled=some, has_ruling=chance.random() < 0.8)
        played = with_parts(played, irregularity=what)
    if house.game.has_meters and chance.random() < 0.5:
        names = [name for name in ("main", "mega", "major", "minor") if chance.random() < 0.5]
        meters = {name: chance.randint(0, 10**7) for name in names if chance.random() < 0.7}
        played = with_parts(played, meters=meters or None, unseen_meters=frozenset(names) - meters.keys())
    return played


def _require(holds: object, says: str) -> None:
    if not holds:
        raise BrokenRoundError(says)


def _require_whole(played: PlayedRound, settlement: Settlement) -> None:
    """Every wager has an outcome, and every outcome says an amount or what it lacks."""
    _require(settlement.seats.keys() == {seat.seat for seat in played.seats}, "other seats are settled than played")
    for seat in played.seats:
        outcomes = settlement.seats[seat.seat]
        _require(seat.wagers.keys() <= outcomes.keys(), f"seat {seat.seat}: {seat.wagers.keys() - outcomes.keys()}")
        _require(outcomes.keys() <= {*seat.wagers, "envy"}, f"seat {seat.seat}: {outcomes.keys() - seat.wagers.keys()}")
        for wager, outcome in outcomes.items():
            _require(_sound(outcome), f"seat {seat.seat} {wager}: {outcome}")


def _sound(outcome: Outcome) -> bool:
    whole = outcome.returned is None or (type(outcome.returned) is int and outcome.returned >= 0)
    if outcome.basis == UNDECIDABLE:
        return outcome.returned is None and bool(outcome.needs)
    return whole and outcome.basis in (CERTAIN, READING, RULING) and (outcome.basis == RULING or whole)


def _require_shown(case: WorkedCase, settlement: Settlement) -> None:
    """Require an answer, and a table with a row a wager."""
    shown = msgspec.json.decode(msgspec.json.encode(answer(case, settlement)))
    _require(shown["returns"].keys() == {str(seat) for seat in settlement.seats}, "the answer leaves a seat out")
    rows = sum(map(len, settlement.seats.values()))
    _require(len(table(case, settlement).splitlines()) > rows, "the table leaves a wager out")


def drawn(book: str, first: int, many: int, seed: str) -> DrawnPart:
    """Settle these rounds."""
    unread, broken, began = 0, [], time.process_time()
    for number in range(first, first + many):
        name, at = f"{seed}-{number}", time.process_time()
        try:
            unread += not settled(book, name)
            _require(time.process_time() - at < _SLOWEST, "it takes too long")
        except Exception as error:  # any of them is what is looked for
            broken.append(f"{book}, seed {name}: {type(error).__name__}: {error}")
    return DrawnPart(book, many, unread, time.process_time() - began, tuple(broken))


def _parts(many: int, seed: str) -> Iterator[tuple[str, int, int, str]]:
    each = -(-many // len(BOOKS))
    for first in range(0, each, _AT_A_TIME):
        for book in BOOKS:
            yield book, first, min(_AT_A_TIME, each - first), seed


@click.command()
@click.argument("seed")
@click.argument("many", type=click.IntRange(1))
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True)
def main(seed: str, many: int, processes: int) -> None:
    """Settle MANY rounds, a fifth of them of each book, drawn from SEED."""
    parts: list[DrawnPart] = []
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(drawn, *zip(*_parts(many, seed), strict=True)):
            parts.append(part)
            for line in part.broken:
                click.echo(line, err=True)
            if not len(parts) % _SAID_EVERY:
                done, broken = sum(each.rounds for each in parts), sum(len(each.broken) for each in parts)
                click.echo(f"{done:,} rounds, {broken} broken", err=True)
    for book in BOOKS:
        click.echo(_line(book, [part for part in parts if part.book == book]))
    if any(part.broken for part in parts):
        raise SystemExit(1)


def _line(book: str, parts: list[DrawnPart]) -> str:
    rounds, unread, seconds = (sum(column) for column in zip(*(part[1:4] for part in parts), strict=True))
    broken = sum(len(part.broken) for part in parts)
    return f"{book:7} {rounds:9,} rounds, {unread:,} not read, {broken} broken, {rounds / seconds:,.0f} a second"


if __name__ == "__main__":
    main()
