"""A partition of the facts' log folded for the read models, stream by stream: bytes in, one batch of changes out.

What a batch says follows from the log up to its last position and from nothing else, so that it does not matter
where batches end, how often a projector died, or whether it made everything anew.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.following import Follower, Placed, Stored, Stream, answering, never
from domain.ledger.chain import digest
from domain.watch.corrected import Record
from projections.changes import Changes
from projections.folding.along import Alongs
from projections.folding.asked import Asked
from projections.folding.houses import house_rows
from projections.folding.stream import StreamFold
from projections.folding.troubles import UNREADABLE, Troubles, named

Followed = Stream[StreamFold]


class RecordFold:
    """Every stream of one partition.

    `record` and `stored` answer with what stands before the position `at` names for the partition: it is set here. Of
    each table only the newest day is kept in memory, and of earlier ones the last that was told something late.
    """

    def __init__(
        self,
        partition: int,
        record: Record,
        stored: Stored,
        at: MutableMapping[int, int],
        troubles: Troubles,
        *,
        newest: Mapping[str, str] | None = None,
        misplaced: Callable[[str], str] | None = None,
    ) -> None:
        self._asked = Asked(record.answering(), answering(stored), at, partition)
        self.troubles = troubles
        self._late: Followed | None = None
        self._changes = Changes()
        self.follower = Follower(self, self._asked.stored, at, newest=newest, misplaced=misplaced)
        self.alongs = Alongs(self._asked, lambda name: name > self.follower.newest.get(owner(name), ""))

    def take(self, facts: Iterable[Placed]) -> None:
        """The next records of the partition with their positions."""
        self.follower.take(facts, self._asked.partition)

    def unreadable(self, stored: bytes, says: str) -> None:
        """Bytes that are no fact, or have no place here: who is followed under that name is looked at more closely."""
        stream, sequence = named(stored)
        self.troubles.raised(self._asked.edition, stream, sequence, UNREADABLE, says)
        followed = self.follower.streams.get(stream)
        if followed is not None:
            followed.usual = never

    def passes(self, _: Fact) -> bool:
        """Every fact is heard."""
        return False

    def awaited(self) -> None:
        """Nothing is waited for."""

    def begins(self, stream: Followed, _: Fact, *, known: bool) -> None:
        """A table's new day, or the one that was its newest before this process."""
        made = StreamFold(stream, self._asked, self.troubles, self._write)
        if known:
            made.restore(newest=True)
        else:
            table = owner(stream.name)
            self._changes.put("newest", (table,), (table, stream.name))
            made.goes_along(self.alongs)

    def lets_go(self, stream: Followed) -> None:
        """The day before is written."""
        self._write(stream)
        self.alongs.parts(stream.name)

    def late(self, fact: Fact, stored: bytes, own: str) -> None:
        """A fact of an earlier day than its table's newest."""
        late = self._late
        if late is None or late.name != fact.stream:
            self._let_go()
            late = self._late = self._followed(fact.stream)
            late.listener.restore(newest=False)
        late.take(fact, stored, own)
        self.taken(late)

    def taken(self, stream: Followed | None) -> None:
        """Earlier days that a fact tells to be otherwise are folded again, with everything corrected that is known.

        Once each, however many corrections had waited: rows of one edition do not take each other's place.
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

    def _let_go(self) -> None:
        if self._late is not None:
            self._write(self._late)
            self._late = None

    def _correct(self, name: str) -> set[str]:
        """Writes an earlier day anew; days before it that it tells of, for it could not be folded then, are named."""
        self._let_go()
        stream = self._followed(name)
        stream.listener.restore(newest=False, anew=True)
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
        """The next fact, which the watch it goes along with could not take to its end."""
        fact = decode(stored)
        self.alongs.parts(fact.stream)
        self.follower.read += 1
        self.follower.hear(fact, stored, digest(stored))

    def changes(self) -> Changes:
        """What all that was taken since the last time comes to."""
        for stream in self.follower.streams.values():
            self._write(stream)
        if self._late is not None:
            self._write(self._late)
        self.troubles.write(self._changes)
        found, self._changes = self._changes, Changes()
        return found


def _corrected_by(stream: Followed) -> set[str]:
    """The earlier days a stream has told to be otherwise since somebody asked."""
    others, stream.listener.others = stream.listener.others, set()
    return set(filter(_is_a_stream, others)) if others else others


def _is_a_stream(name: str) -> bool:
    try:
        taken_apart(name)
    except BadStreamError:
        return False
    return True
