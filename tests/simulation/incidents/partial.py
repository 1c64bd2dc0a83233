"""Floors with every incident and partial sensors: `python -m tests.simulation.incidents.partial 1 10`.

Incidents need the whole day, so the day is made whole and seen in part afterwards. It ends with 1 where a finding
belongs to no incident, or where one was missed although all was called decided.
"""

import sys
from collections.abc import Iterable, Iterator
from random import Random

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.facts.words import Book
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.scoring import Label, Score, Scored, Trace, fits
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import some_sensors
from domain.simulation.incidents import IncidentWeave, chosen
from domain.simulation.seed import World
from domain.simulation.sensors import Sight
from domain.watch.finding import Finding
from domain.watch.owed_vs_paid import DECIDED
from domain.watch.verifier import Verifier
from tests.simulation.incidents.floors import scored
from tests.watch.together import Together

TABLES, HOURS = 8, 3


class InPart(msgspec.Struct):
    """The result of a floor that was seen in part."""

    labels: list[Label]
    sights: dict[str, Sight]  # by table
    days: dict[str, Verifier]  # by stream
    found: list[Finding]

    @property
    def score(self) -> Score:
        """Findings against labels; an amount nobody could see is none that differs."""
        result = scored(self.labels, self.found)
        result.false = [each for each in result.false if not any(_belongs(each, label.own) for label in self.labels)]
        return result

    def undecided(self, stream: str) -> bool:
        """Whether anything of a day is said not to have been decided."""
        day = self.days[stream]
        return bool(day.undecided) or any(count for what, count in day.wagers.items() if what != DECIDED)


def _belongs(finding: Scored, own: Trace) -> bool:
    """Whether it is an incident's own finding without the amount it has where everything is seen."""
    if finding.expected_cents is not None and finding.observed_cents is not None:
        return False
    bare = msgspec.structs.replace(own, expected_cents=finding.expected_cents, observed_cents=finding.observed_cents)
    return fits(bare, finding)


def seen_in_part(seed: int) -> InPart:
    """A floor of this seed with every incident there is, seen by what is drawn from the seed."""
    return seen(SimulatedFloor(World(seed=seed, tables=TABLES, hours=HOURS), IncidentWeave(chosen("all"))))


def seen(floor: SimulatedFloor, sights: dict[str, Sight] | None = None) -> InPart:
    """A floor by these sights, or by as many drawn from its seed."""
    drawn = {setup.table: sight_of(setup.book, floor.world.seed, setup.table) for setup in floor.setups}
    made = InPart([], drawn if sights is None else sights, {}, [])
    writer, between = Writer(epoch=1), Together()
    for fact in recorded(floor.facts(), made.sights):
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise AssertionError(f"{fact}: {whole.says}")
        placed = place(writer, whole).fact
        made.days.setdefault(placed.stream, Verifier(placed.stream)).take(placed)
        between.take(placed)
    made.labels = floor.labels
    made.found = [*(one for day in made.days.values() for one in day.standing.values()), *between.found()]
    return made


def recorded(facts: Iterable[Fact], sights: dict[str, Sight]) -> Iterator[Fact]:
    """The facts on record if each table is seen like this; its opening says what is not."""
    for fact in facts:
        sight = sights.get(fact.stream)
        if sight is None:
            continue  # the property's own stream
        told = sight.of(fact)
        if isinstance(told, TableOpened):
            parts = {"unrecorded": sight.unrecorded, "unseen_wagers": sight.unseen_wagers}
            told = msgspec.structs.replace(told, **{name: tuple(sorted(held)) for name, held in parts.items()})
        if told is not None:
            yield told


def sight_of(book: Book, seed: int, table: str) -> Sight:
    """The sensors of this table."""
    parts = some_sensors(book, Random(f"sight {seed} {table}"))  # noqa: S311 - a seed, so that a floor repeats
    return Sight(frozenset(parts["unrecorded"]), frozenset(parts["unseen_wagers"]), parts["reading"])


def wrong(made: InPart) -> list[str]:
    """A sentence on each finding that belongs to no incident, and each day that missed something and says all was decided."""
    result = made.score
    said = {finding.id: finding.says for finding in made.found}
    told = [f"false {one.code} in {one.stream} round {one.round}: {said[one.finding]}" for one in result.false]
    silent = [label for label in result.missed if not made.undecided(label.own.stream)]
    return told + [f"missed {label.incident} in {label.own.stream}, where all was decided" for label in silent]


def main(first: int = 1, many: int = 10) -> int:
    """So many seeds from the first one on; how many floors had anything wrong."""
    failed = 0
    for seed in range(first, first + many):
        made = seen_in_part(seed)
        total, told = made.score.total, wrong(made)
        seen = total.labels - total.missed
        print(f"seed {seed}, seen in part: {total.findings} findings, {seen} of {total.labels} incidents seen")  # noqa: T201
        for each in told:
            print(f"  {each}")  # noqa: T201
        failed += bool(told)
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
