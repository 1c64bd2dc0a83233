"""A partition of the facts' log folded for the read models, stream by stream: bytes in, one batch of changes out.

What a batch says follows from the log up to its last position and from nothing else, so that it does not matter
where batches end, how often a projector died, or whether it made everything anew.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping

import msgspec

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import BadStreamError, owner
from domain.facts.streams import stream as taken_apart
from domain.facts.watching import Corrected
from domain.ledger.chain import digest
from domain.watch.stream_watch import UnansweredError
from projections.changes import Changes
from projections.folding.houses import house_rows
from projections.folding.stream import Asked, StreamFold
from projections.folding.troubles import UNREADABLE, Troubles, named

Placed = tuple[int, bytes]
Question = Callable[[str], Iterable[object]]


class RecordFold:
    """Every stream of one partition.

    `asked` answers with what stands before the position `at` names for the partition: it is set here. Of each table
    only the newest day is kept in memory, and of earlier ones the last that was told something late.
    """

    def __init__(
        self,
        partition: int,
        asked: Asked,
        at: MutableMapping[int, int],
        troubles: Troubles,
        *,
        newest: Mapping[str, str] | None = None,
        misplaced: Callable[[str], str] | None = None,
    ) -> None:
        self._partition = partition
        self._asked = _told_apart(asked)
        self._at = at
        self._troubles = troubles
        self._newest: dict[str, str] = dict(newest or {})
        self._misplaced = misplaced
        self._late: StreamFold | None = None
        self._changes = Changes()
        self.streams: dict[str, StreamFold] = {}
        self.read = 0

    def take(self, facts: Iterable[Placed]) -> None:
        """The next records of the partition with their positions.

        A hot path: most facts are the next of their stream and go into the round that is played and nowhere else.
        """
        streams = self.streams
        for position, stored in facts:
            self.read += 1
            try:
                fact = decode(stored)
            except UnreadableFactError as error:
                self._unreadable(position, stored, str(error))
                continue
            stream = streams.get(fact.stream)
            if stream is None:
                self._elsewhere(fact, stored, position)
                continue
            try:
                usual = fact.sequence == stream.sequence + 1 and fact.previous == stream.head and stream.usual(fact)
            except Exception as error:  # a fault at one table must not blind the room to the others
                stream.give_up(fact, digest(stored), position, error)
                continue
            if usual:
                stream.sequence, stream.head = fact.sequence, digest(stored)
            else:
                self._take(stream, fact, stored, position)

    def _take(self, stream: StreamFold, fact: Fact, stored: bytes, position: int) -> None:
        self._at[self._partition] = position
        if stream.failed and isinstance(fact, Corrected) and fact.corrects_stream == stream.name:
            self._at[self._partition] = position + 1  # what is being taken counts
            stream.try_again(position)
        else:
            stream.take(fact, stored, position)
        earlier = _corrected_by(stream)
        if earlier:
            self._at[self._partition] = position + 1
        # Once each, however many corrections had waited: rows of one edition do not take each other's place.
        while earlier:
            name = max(earlier)
            earlier = (earlier - {name}) | self._correct(name, position)

    def _unreadable(self, position: int, stored: bytes, says: str) -> None:
        stream, sequence = named(stored)
        self._troubles.raised(position, stream, sequence, UNREADABLE, says)
        followed = self.streams.get(stream)
        if followed is not None:
            followed.hold_up()

    def _elsewhere(self, fact: Fact, stored: bytes, position: int) -> None:
        """A fact of a stream that is not in memory: a new day, one from before this process, or an earlier one."""
        if wrong := self._nowhere(fact):
            self._unreadable(position, stored, wrong)
            return
        self._at[self._partition] = position
        name, table = fact.stream, owner(fact.stream)
        newest = self._newest.get(table, "")
        if name >= newest:
            if name > newest:
                self._turn(table, name)
            stream = self.streams[name] = StreamFold(name, self._asked, self._troubles)
            if name == newest:
                stream.restore(position, newest=True)
        else:
            stream = self._earlier(name, position)
        self._take(stream, fact, stored, position)

    def _turn(self, table: str, name: str) -> None:
        """A table's new day: the one before is written and let go."""
        before = self.streams.pop(self._newest.get(table, ""), None)
        if before is not None:
            self._write(before)
        self._newest[table] = name
        self._changes.put("newest", (table,), (table, name))

    def _earlier(self, name: str, position: int) -> StreamFold:
        late = self._late
        if late is None or late.name != name:
            self._let_go()
            late = self._late = StreamFold(name, self._asked, self._troubles)
            late.restore(position, newest=False)
        return late

    def _let_go(self) -> None:
        if self._late is not None:
            self._write(self._late)
            self._late = None

    def _nowhere(self, fact: Fact) -> str:
        """Why a fact has no place in this record, or nothing."""
        if not fact.sequence:
            return "it has no sequence: nobody has put it on record"
        try:
            taken_apart(fact.stream)
        except BadStreamError as error:
            return str(error)
        return self._misplaced(fact.stream) if self._misplaced is not None else ""

    def _correct(self, name: str, position: int) -> set[str]:
        """Folds an earlier day again with everything corrected that is known; all of it is written anew.

        What it tells of days before it, because it could not be folded when that came, is named.
        """
        self._let_go()
        stream = StreamFold(name, self._asked, self._troubles)
        stream.restore(position, newest=False, anew=True)
        if stream.sequence:
            self._write(stream)
        return _corrected_by(stream)

    def _write(self, stream: StreamFold) -> None:
        stream.write(self._changes)
        if stream.fold is not None:
            for name, house in stream.fold.houses().items():
                for key, row in house_rows(name, house):
                    self._changes.put("houses", key, row)

    def changes(self) -> Changes:
        """What all that was taken since the last time comes to."""
        for stream in self.streams.values():
            self._write(stream)
        if self._late is not None:
            self._write(self._late)
        self._troubles.write(self._changes)
        found, self._changes = self._changes, Changes()
        return found


def _corrected_by(stream: StreamFold) -> set[str]:
    """The earlier days a stream has told to be otherwise since somebody asked."""
    others, stream.others = stream.others, []
    return {correction.corrects_stream for correction in others}


def _told_apart(asked: Asked) -> Asked:
    """Questions whose failure is told apart from a fault of a fold."""

    def asking(question: Question) -> Callable[[str], list[object]]:
        def answer(stream: str) -> list[object]:
            try:
                return list(question(stream))
            except Exception as error:
                raise UnansweredError(f"{stream} cannot be read") from error

        return answer

    record = msgspec.structs.replace(
        asked.record, facts=asking(asked.record.facts), from_day=asking(asked.record.from_day)
    )
    return Asked(record, asking(asked.stored))  # type: ignore[arg-type] # the answers are what the questions give
