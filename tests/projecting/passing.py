"""One pass over a record in memory: the findings and the rows, without a store; it may begin again anywhere."""

from collections.abc import Sequence
from random import Random
from typing import Any

from consumers.logs.log import Batch
from consumers.projecting.one_pass import OnePass
from projections.changes import Changes
from tests.projections.rows import Plain
from tests.watching.memory import MemoryLog


class _Store:
    """Answers to a projector's questions of its store, out of plain rows."""

    def __init__(self) -> None:
        self.plain = Plain()
        self.taken: dict[str, int] = {}

    def positions(self) -> dict[str, int]:
        return dict(self.taken)

    def query(self, sql: str) -> list[Any]:
        if "main.troubles" in sql:
            return sorted(self.plain.own.get("troubles", {}).values(), key=lambda row: row[2])
        return list(self.plain.own.get("newest", {}).values()) if "main.newest" in sql else []

    def sealed(self, _: str) -> bool:
        return False

    def commit(self, changes: Changes) -> None:
        self.taken.update(changes.positions)
        self.plain.take(changes)


class Passing:
    """One process that verifies and makes rows."""

    def __init__(self, stored: Sequence[bytes], findings: MemoryLog | None = None) -> None:
        self.facts = MemoryLog(stored)
        self.findings = findings or MemoryLog(name="findings")
        self.store: Any = _Store()
        self.unusable: list[Any] = []
        self.begin()

    def begin(self) -> None:
        """A process that finds what was committed."""
        self.one: Any = OnePass((self.facts, self.findings), self.store, self.unusable.append, lambda _: None)
        self.at = self.one.behind(self.facts)[0]

    def take(self, count: int | None = None, *, commits: bool = True) -> "Passing":
        """The next facts, or all."""
        facts = self.facts.read(0, self.at, len(self.facts.stored) if count is None else count)
        if facts:
            self.one.take(self.facts, Batch(0, facts))
            self.at = facts[-1][0]
            self.one.take(self.findings, Batch(0, self.findings.read(0, 0, len(self.findings.stored))))
            if commits:
                self.one.commit()
        return self

    @property
    def over(self) -> bool:
        return self.at >= len(self.facts.stored)


def in_pieces(stored: Sequence[bytes], seed: int) -> Passing:
    """A record in pieces, now and then by a process that begins after one that was killed."""
    chance = Random(seed)  # noqa: S311 - a seed, so that a failure repeats
    passing, to = Passing(stored), 0
    while not passing.over:
        to += chance.randint(1, max(60, len(stored) // 9))
        passing.take(max(1, to - passing.at), commits=chance.random() < 0.7)
        if chance.random() < 0.4:
            passing.begin()
    passing.one.commit()
    return passing
