"""A partition of the facts' log folded for the read models, stream by stream: bytes in, one batch of changes out.

The rows follow only from the log up to its last position. They do not depend on batch boundaries, on how often a
projector restarts, or on a rebuild.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following import Follower, Placed, Stored, Stream, answering, never
from domain.ledger.chain import digest
from domain.watch.corrected import WatchedRecord
from projections.changes import Changes
from projections.folding.along import Alongs
from projections.folding.asked import RecordQuestions
from projections.folding.houses import house_rows
from projections.folding.stream import StreamFold
from projections.folding.troubles import UNREADABLE, Troubles, named

Followed = Stream[StreamFold]


class RecordFold:
    """Every stream of one partition.

    `record` and `stored` answer for the log before the position in `at`, which is set here. Of each table, only the
    newest day stays in memory, plus the last earlier day that received a late fact since the newest one began.
    """

    def __init__(
        self,
        partition: int,
        record: WatchedRecord,
        stored: Stored,
        at: MutableMapping[int, int],
        troubles: Troubles,
        *,
        newest: Mapping[str, str] | None = None,
        misplaced: Callable[[str], str] | None = None,
    ) -> None:
        self._asked = RecordQuestions(record.answering(), answering(stored), at, partition)
        self.troubles = troubles
        self._late: dict[str, Followed] = {}  # by table
        self._changes = Changes()
        self.follower = Follower(self, self._asked.stored, at, newest=newest, misplaced=misplaced)
        self.alongs = Alongs(self._asked, lambda name: name > self.follower.newest.get(owner(name), ""))

    def take(self, facts: Iterable[Placed]) -> None:
        """Take the next records of the partition with their positions."""
        self.follower.take(facts, self._asked.partition)

    def unreadable(self, stored: bytes, says: str) -> None:
        """Report bytes that are not a fact or do not belong here, and check the stream they name."""
        stream, sequence = named(stored)
        self.troubles.raised(self._asked.edition, stream, sequence, UNREADABLE, says)
        followed = self.follower.streams.get(stream)
        if followed is not None:
            followed.usual = never

    def passes(self, _: Fact) -> bool:
        """Accept every fact."""
        return False

    def awaited(self) -> None:
        """Wait for nothing."""

    def begins(self, stream: Followed, _: Fact, *, known: bool) -> None:
        """Begin a table's new day, or the day that was its newest before this process started."""
        self._let_go(owner(stream.name))
        made = StreamFold(stream, self._asked, self.troubles, self._write)
        if known:
            made.restore(newest=True)
        else:
            table = owner(stream.name)
            self._changes.put("newest", (table,), (table, stream.name))
            made.goes_along(self.alongs)

    def lets_go(self, stream: Followed) -> None:
        """Write the previous day and drop it."""
        self._write(stream)
        self.alongs.parts(stream.name)

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """Take a fact of an earlier day than its table's newest."""
        table = owner(fact.stream)
        late = self._late.get(table)
        if late is None or late.name != fact.stream:
            self._let_go(table)
            late = self._late[table] = self._followed(fact.stream)
            late.listener.restore(newest=False)
        late.take(fact, stored, own)
        self.taken(late)

    def taken(self, stream: Followed | None) -> None:
        """Fold the earlier days that a fact corrects again, with all known corrections.

        Each is folded once, however many corrections waited, because rows of one edition do not replace each other.
        """
        if stream is None:
            return
        if self.troubles.any(stream.name):
            self.troubles.passed(stream.name, stream.sequence)
        if earlier := _corrected_by(stream):
            self._asked.counting()
            while earlier:
                name = max(earlier)
                earlier = (earlier - {name}) | self._correct(name)
        self._asked.counts = 0

    def _followed(self, name: str) -> Followed:
        stream: Followed = Stream(name, self._asked.stored)
        StreamFold(stream, self._asked, self.troubles, self._write)
        return stream

    def _let_go(self, table: str) -> None:
        """Write and drop a table's earlier day that received late facts."""
        late = self._late.pop(table, None)
        if late is not None:
            self._write(late)

    def _correct(self, name: str) -> set[str]:
        """Write an earlier day again, and return the days before it that it corrects and could not correct before."""
        self._let_go(owner(name))
        stream = self._followed(name)
        stream.listener.restore(newest=False, rewrite=True)
        if stream.sequence:
            self._write(stream)
        return _corrected_by(stream)

    def _write(self, stream: Followed) -> None:
        fold = stream.listener.fold
        stream.listener.write(self._changes)
        for name, house in fold.houses().items() if fold is not None else ():
            for key, row in house_rows(name, house):
                self._changes.put("houses", key, row)

    def left_alone(self, stored: bytes) -> None:
        """Take the next fact, which failed in the verifier beside this fold."""
        fact = decode(stored)
        self.alongs.parts(fact.stream)
        self.follower.read += 1
        self.follower.hear(fact, stored, digest(stored))

    def changes(self) -> Changes:
        """Return the changes since the last call."""
        for stream in self.follower.streams.values():
            self._write(stream)
        for late in self._late.values():
            self._write(late)
        self.troubles.write(self._changes)
        found, self._changes = self._changes, Changes()
        return found


def _corrected_by(stream: Followed) -> set[str]:
    """Return the earlier days that a stream has corrected since the last call."""
    others, stream.listener.others = stream.listener.others, set()
    return set(filter(_is_a_stream, others)) if others else others


def _is_a_stream(name: str) -> bool:
    try:
        taken_apart(name)
    except BadStreamError:
        return False
    return True
