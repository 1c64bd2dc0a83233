"""Simulated floors under the watch: `make floors SEED=1` plays many clean ones and names each that raises a finding."""

import sys
from collections.abc import Iterator
from random import Random

from domain.facts.envelope import Fact
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import GAMES
from domain.simulation.seed import World
from domain.simulation.weaving import Weave
from domain.watch.corrected import WatchedRecord
from domain.watch.finding import Finding
from domain.watch.record import apply
from domain.watch.record_watch import RecordWatch
from tests.watch.together import Together

_MANY = 25  # floors of one run
_MISHAPS = 60  # of a thousand rounds: many more than tables have


def findings(world: World, weave: Weave | None = None) -> list[Finding]:
    """The findings when the world's record has been verified to its end, by itself and across its tables."""
    tables, standing = Together(), dict[str, Finding]()
    record = WatchedRecord(lambda _: iter(()), lambda _: [])
    watch = RecordWatch(record, _unreadable, lambda _: iter(()), lambda made: apply(standing, made.record))
    for count, (fact, stored) in enumerate(recorded(SimulatedFloor(world, weave)), start=1):
        watch.take([(count, stored)])
        tables.take(fact)
    return [*standing.values(), *tables.found()]


def recorded(floor: SimulatedFloor) -> Iterator[tuple[Fact, bytes]]:
    """A floor's facts as a gateway's writer places them, each with its stored bytes; one it refuses fails the run."""
    writer = Writer(epoch=1)
    keys: set[str] = set()
    for fact in floor.facts():
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise AssertionError(f"{fact}: {whole.says}")
        if fact.source_key in keys:
            raise AssertionError(f"{fact}: its key was used before")
        keys.add(fact.source_key)
        placed = place(writer, whole)
        yield placed.fact, placed.stored


def _unreadable(stored: bytes, says: str) -> None:
    raise AssertionError(f"{says}: {stored!r}")


def any_world(seed: int, mishaps: int = 4) -> World:
    """A small world of this seed: which games, how many tables, days and hours; mishaps of a thousand rounds."""
    chance = Random(f"world {seed}")  # noqa: S311 - a seed, so that a world repeats
    games = tuple(chance.sample(GAMES, chance.choice((1, 2, 5, 5))))
    return World(
        seed, chance.randrange(2, 9), chance.choice((1, 1, 2)), games, "2026-03-07", chance.randrange(1, 5), mishaps
    )


def command(world: World) -> str:
    """The command line that plays this world again and verifies it."""
    games = ",".join(world.games)
    parts = f"--seed {world.seed} --tables {world.tables} --days {world.days} --hours {world.hours} --mishaps {world.mishaps}"
    return f"catwalk simulate {parts} --games {games} --start {world.start} --out f.jsonl; catwalk verify-log f.jsonl --lines"


def main(first: int = 1, many: int = _MANY, mishaps: int = _MISHAPS) -> int:
    """Plays this many floors from a seed on, and returns how many of them were not clean."""
    failed = 0
    for seed in range(first, first + many):
        world = any_world(seed, mishaps)
        raised = findings(world)
        told = ", ".join(sorted({f"{one.code} ({', '.join(one.clauses)})" for one in raised}))
        _say(f"seed {seed}: {'clean' if not raised else f'{len(raised)} findings: {told}'}")
        if raised:
            failed += 1
            _say(f"  {command(world)}")
    return failed


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(1 if main(*map(int, sys.argv[1:])) else 0)
