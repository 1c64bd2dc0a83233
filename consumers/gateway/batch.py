"""The facts and refusals of one batch of inputs, until all are durable."""

from typing import NamedTuple

import msgspec

from consumers.gateway.clients import OwnTopic
from consumers.gateway.dead_letters import Refusal
from domain.ledger.writer import PlacedFact


class Mark(NamedTuple):
    """The size of a batch before a line."""

    placed: int
    refusals: int
    released: bool


class InputBatch(msgspec.Struct):
    """The facts and refusals of a batch of inputs."""

    now: int
    said: dict[tuple[str, str], str]  # by key, the digest of each input that is on record, or will be
    placed: list[tuple[PlacedFact, str, str]] = []  # with the type's name and the digest of the input
    refusals: list[Refusal] = []
    struck: list[str] = []  # the tokens of the counts that its facts report
    released: bool = False  # whether it records the held revocations
    read_to: dict[OwnTopic, int] = {}  # the offset to read next, of each topic that it took lines from

    @property
    def mark(self) -> Mark:
        """The mark to go back to if the next line fails."""
        return Mark(len(self.placed), len(self.refusals), self.released)

    def add(self, placed: PlacedFact, kind: str, said: str) -> None:
        """Add a fact with its place."""
        self.placed.append((placed, kind, said))
        self.said[placed.fact.source, placed.fact.source_key] = said

    def back_to(self, mark: Mark) -> list[str]:
        """Forget what came since a mark; return the names of the types of the facts among it."""
        undone = self.placed[mark.placed :]
        for placed, _, _ in undone:
            self.said.pop((placed.fact.source, placed.fact.source_key), None)
        del self.placed[mark.placed :], self.refusals[mark.refusals :]
        self.released = mark.released
        return [kind for _, kind, _ in undone]
