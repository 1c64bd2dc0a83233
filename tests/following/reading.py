"""A log read through a follower: its facts in the order of their chains, what is no fact told by its place."""

from collections.abc import Callable

from consumers.logs.log import Batch, Log
from domain.facts.envelope import Fact
from domain.following import Follower, Stream, Usual

Spoilt = Callable[[int, int, bytes, str], None]  # partition, position, stored bytes, what is wrong


class Reading:
    """The subscriber, and the listener of each of its streams."""

    def __init__(self, log: Log, spoilt: Spoilt) -> None:
        self.done = False
        self._spoilt = spoilt
        self._partition = 0
        self._facts: list[Fact] = []
        self._follower = Follower(self, log.read_stream, {})

    def take(self, batch: Batch) -> list[Fact]:
        """The facts of a batch."""
        self._partition, self._facts = batch.partition, []
        self._follower.take(batch.facts, batch.partition)
        return self._facts

    def unreadable(self, stored: bytes, says: str) -> None:
        self._spoilt(self._partition, self._follower.at[self._partition], stored, says)

    def passes(self, fact: Fact) -> bool:
        return False

    def begins(self, stream: Stream["Reading"], fact: Fact, *, known: bool) -> None:
        stream.listener = self

    def taken(self, stream: Stream["Reading"] | None) -> None:
        pass

    def lets_go(self, stream: Stream["Reading"]) -> None:
        pass

    def next(self, fact: Fact, own: str) -> None:
        self._facts.append(fact)

    def usual(self) -> Usual:
        return lambda fact: self._facts.append(fact) is None

    def _unexpected(self, *what: object, **_: object) -> None:
        raise RuntimeError(f"the log is not whole: {what}")

    late = awaited = not_calm = gives_up = comes_then = forked = missing = whole = _unexpected
