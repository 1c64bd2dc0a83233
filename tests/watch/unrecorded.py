"""`make unrecorded`: lawful simulated days of every game, with types of fact that the opening declares unrecorded.

From each day it removes every type, every pair of types, and MANY triples drawn from SEED. Nothing may be found: no judge
may miss a fact that the table does not record, or rest on it. It prints a line for each day. With a finding it prints the
removed types, and ends with status 1.
"""

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import click
import msgspec

from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.seed import World
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.simulation.seeds import recorded

# Without these there is no day and no round to look at.
ALWAYS = frozenset({TableOpened, TableClosed, RoundCompleted})
_TABLES, _HOURS = 12, 2  # every dealing method of every game
_START = "2026-03-07"


class LawfulDay(NamedTuple):
    """One table's day, in which nothing is wrong."""

    title: str
    facts: Sequence[Fact]

    @property
    def kinds(self) -> list[str]:
        """The types of fact it has that may be unrecorded."""
        return sorted({name_of_kind(fact) for fact in self.facts if type(fact) not in ALWAYS})


def name_of_kind(fact: Fact) -> str:
    """The name of a type of fact, as `unrecorded` has it."""
    return name_of(fact).rpartition(".")[0]


def days(seed: int) -> list[LawfulDay]:
    """The days of a world with every game, one for each dealing method."""
    streams: dict[str, list[Fact]] = {}
    for fact, _ in recorded(SimulatedFloor(World(seed, _TABLES, 1, GAMES, _START, _HOURS, 0))):
        streams.setdefault(fact.stream, []).append(fact)
    found: dict[str, LawfulDay] = {}
    for facts in streams.values():
        opened = facts[0]
        if isinstance(opened, TableOpened):
            title = f"{opened.book} {opened.dealing_method}"
            found.setdefault(title, LawfulDay(title, facts))
    return list(found.values())


def without(day: LawfulDay, kinds: Collection[str]) -> list[Finding]:
    """Return the findings at the end of the day if these types were never recorded, as the opening says."""
    opened, *rest = day.facts
    if not isinstance(opened, TableOpened):
        raise TypeError(f"a day begins with its opening, not with {opened}")
    verifier = Verifier(opened.stream)
    verifier.take(msgspec.structs.replace(opened, unrecorded=(*opened.unrecorded, *kinds)))
    for fact in rest:
        if name_of_kind(fact) not in kinds:
            verifier.take(fact)
    return list(verifier.standing.values())


def drawn(day: LawfulDay, size: int, many: int | None, seed: int) -> list[tuple[str, ...]]:
    """All choices of so many types, or as many of them as asked for."""
    every = list(combinations(day.kinds, size))
    if many is None or many >= len(every):
        return every
    return random.Random(f"{seed} {day.title} {size}").sample(every, many)  # noqa: S311 - repeatable


def spoken(day: LawfulDay, choices: Collection[tuple[str, ...]]) -> Iterator[str]:
    """A line for each choice of types without which something is found."""
    for kinds in choices:
        if found := without(day, kinds):
            first = found[0]
            yield f"{day.title} without {', '.join(kinds)}: {len(found)} found: {first.code}: {first.says}"


@click.command()
@click.argument("seed", type=int)
@click.argument("many", type=click.IntRange(0))
def main(seed: int, many: int) -> None:
    """Take every type, every pair of types and MANY triples away from each day of SEED."""
    broken = 0
    for day in days(seed):
        each, pairs, triples = (drawn(day, size, most, seed) for size, most in ((1, None), (2, None), (3, many)))
        lines = list(spoken(day, [*each, *pairs, *triples]))
        broken += len(lines)
        for line in lines:
            click.echo(line, err=True)
        click.echo(
            f"{day.title}: {len(each)} types, {len(pairs)} pairs and {len(triples)} triples, {len(lines)} broken"
        )
    if broken:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
