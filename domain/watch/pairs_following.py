"""Comparison of tables while a log or partition is followed: a subscriber beside the verifier's and the rows'."""

from collections.abc import Callable, Iterable, MutableMapping

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.following import Follower, Link, Placed, Stream, Usual, answering, links
from domain.watch.late_facts import LateDay

Take = Callable[[Fact], object]


class PairsWatch:
    """A subscriber that passes each fact of a chain to the comparison once; the verifier reports faults of streams."""

    def __init__(
        self,
        take: Take,
        stored: Callable[[str], Iterable[bytes]],
        at: MutableMapping[int, int],
        misplaced: Callable[[str], str] | None = None,
    ) -> None:
        self._take = take
        self._stored = answering(stored)
        self._late: dict[str, LateDay] = {}  # by table, the last earlier day that received a late fact
        self._listener = _Listener(take)
        self.follower = Follower(self, self._stored, at, misplaced=misplaced)

    def take(self, facts: Iterable[Placed], partition: int = 0) -> None:
        """Process the next records of a partition, each with its position."""
        self.follower.take(facts, partition)

    def begins(self, stream: "Stream[_Listener]", fact: Fact, *, known: bool) -> None:
        """Start following a table's newest day, and release an earlier one."""
        self._late.pop(owner(stream.name), None)
        stream.listener = self._listener

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """Process a fact of an earlier day than its table's newest."""
        late = self._late.get(owner(fact.stream))
        if late is None or late.stream != fact.stream:
            late = LateDay(fact.stream, ())
            for link in links(readable(self._stored(fact.stream))):
                late.take(link)
            self._late[owner(fact.stream)] = late
        if late.take(Link(fact, own)):
            for link in late.news:
                self._take(link.fact)

    def passes(self, fact: Fact) -> bool:
        """Return False, because the comparison needs every stream."""
        return False

    def unreadable(self, stored: bytes, says: str) -> None:
        """Ignore it: the verifier reports it."""

    def lets_go(self, stream: "Stream[_Listener]") -> None:
        """Ignore it: the comparison keeps its own days."""

    def awaited(self) -> None:
        """Ignore it: the comparison awaits no place."""

    def taken(self, stream: "Stream[_Listener] | None") -> None:
        """Ignore it: the caller asks for findings."""


class _Listener:
    """A listener that treats every stream alike."""

    done = False

    def __init__(self, take: Take) -> None:
        self._take = take

    def next(self, fact: Fact, own: str) -> None:
        self._take(fact)

    def usual(self) -> Usual:
        return self._usual

    def gives_up(self, fact: Fact, error: Exception) -> None:
        raise error

    def not_calm(self, fact: Fact) -> None: ...

    def comes_then(self, fact: Fact) -> None: ...

    def forked(self, fact: Fact, stored: bytes | None) -> None: ...

    def missing(self, before: Fact, taking: Fact) -> None: ...

    def whole(self, taking: Fact) -> None: ...

    def _usual(self, fact: Fact) -> bool:
        self._take(fact)
        return True
