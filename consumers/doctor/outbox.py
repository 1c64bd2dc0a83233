"""Compare the gateway's outbox with the record: its known inputs, the facts it may still send, and each day's state.

With the outbox, the gateway tells a repeat from a new input and knows where to resume. Everything in it follows from
the record, except the number of the gateway's starts, which must only be at least as high as in the record.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from consumers.bulk.inputs import laid_out
from consumers.doctor.database import readonly
from consumers.gateway.held import revocation
from consumers.gateway.standing import told
from consumers.logs.log import Log, NoPlaceError, place_of
from consumers.logs.sqlite import TABLE, LogRow
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.property_day import PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner
from domain.facts.table_day import TableOpened
from domain.ledger.audit import ChainAudit, ChainTrouble
from domain.ledger.writer import Writer, WriterDay, content, place

# Columns of these tables have no type: a damaged cell is read as the type that belongs there.
_PENDING: Final = (
    "SELECT place, ifnull(CAST(stream AS TEXT), ''), ifnull(CAST(sequence AS INTEGER), 0), "
    "ifnull(CAST(topic AS TEXT), ''), ifnull(CAST(stored AS BLOB), x'') FROM pending ORDER BY place"
)
INPUTS: Final = "SELECT source, source_key, content, stream, sequence FROM inputs"
_SEAL_BEFORE: Final = (
    f"SELECT originator_version FROM {TABLE} WHERE originator_id=? AND originator_version<? "  # noqa: S608
    f"AND topic='{ChainSealed.__struct_config__.tag}' ORDER BY originator_version DESC LIMIT 1"
)
_AFTER: Final = (
    f"SELECT ifnull(CAST(state AS BLOB), x'') FROM {TABLE} WHERE originator_id=? AND originator_version>? "  # noqa: S608
    "ORDER BY originator_version"
)
_DAYS: Final = "SELECT ifnull(CAST(owner AS TEXT), ''), ifnull(CAST(day AS BLOB), x'') FROM days ORDER BY owner"
_SIGNED: Final = b'"source_signature":'  # these two are not compared, and cannot be cut out
_PLACED: Final = b'"from_stream":'
_OPENINGS: Final = (TableOpened, PropertyOpened)
_TYPES: Final = (str, str, str, str, int)
_SUMS: Final = 2**64


class _NamedInput(msgspec.Struct, gc=False):
    source: str
    source_key: str
    previous: str = ""


_SAID = msgspec.json.Decoder(_NamedInput)


class Inputs:
    """A sum over the inputs that the record was made from, in one number that does not depend on their order."""

    def __init__(self) -> None:
        self.sum = 0
        self.count = 0
        self.epoch = 0
        self.standing: dict[tuple[str, int], bytes] = {}  # the rules the gateway applies: a few facts per day
        # Another reader of the facts may compute other marks; record and outbox get the same ones.
        self.mark: Callable[[bytes], int] = hash
        self.of_file: Callable[[Path], tuple[int, int]] = lambda _: (-1, 0)
        self._cut_out: dict[str, bool] = {}  # fact types whose input can be cut out of the bytes

    def take(self, row: LogRow) -> None:
        """Add one fact; other records have no input."""
        try:
            said = _SAID.decode(row.stored)
            own = self._content(row, said)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, UnreadableFactError):
            return
        self.put(said.source, said.source_key, own, row.stream, row.sequence)
        for fact, stored in told((row.stored,)):
            self.standing[fact.stream, fact.sequence] = stored

    def put(self, source: str, source_key: str, own: str, stream: str, sequence: int) -> None:
        """Add one input from the outbox; a damaged cell may hold anything."""
        values = (source, source_key, own, stream, sequence)
        usual = tuple(map(type, values)) == _TYPES
        self.add(1, self.mark(laid_out(*values) if usual else repr(values).encode()))

    def add(self, count: int, total: int) -> None:
        """Add this many inputs by the sum of the marks of each."""
        self.sum = (self.sum + total) % _SUMS
        self.count += count

    def known(self, path: Path, db: sqlite3.Connection) -> tuple[int, int]:
        """The number of inputs that an outbox knows, and the sum of their marks."""
        count, total = self.of_file(path)
        if count >= 0:
            return count, total % _SUMS
        known = Inputs()
        known.mark = self.mark
        for row in db.execute(INPUTS):
            known.put(*row)
        return known.count, known.sum

    @property
    def tried(self) -> int:
        """The number of fact types tried so far."""
        return len(self._cut_out)

    @property
    def cut_out(self) -> list[str]:
        """The fact types whose input can be cut out of the bytes, as far as they were tried."""
        return [name for name, can in self._cut_out.items() if can]

    def _content(self, row: LogRow, said: _NamedInput) -> str:
        """The digest of the source's input, without decoding the whole fact if possible."""
        cut_out = self._cut_out.get(row.type)
        if cut_out is False or _SIGNED in row.stored or _PLACED in row.stored:
            return self._read(row)
        given = f',"stream":"{row.stream}","sequence":{row.sequence}'
        given += f',"previous":"{said.previous}"' if said.previous else ""
        bare = row.stored.replace(given.encode(), f',"stream":"{owner(row.stream)}"'.encode(), 1)
        own = sha256(bare).hexdigest()
        if cut_out is None:
            self._cut_out[row.type] = own == self._read(row)
        return own if self._cut_out[row.type] else self._read(row)

    def _read(self, row: LogRow) -> str:
        fact = decode(row.stored)
        if isinstance(fact, _OPENINGS):
            self.epoch = max(self.epoch, fact.writer_epoch)
        return content(fact)


class _Waiting(NamedTuple):
    """A fact that may not be in the log yet."""

    place: int
    stream: str
    sequence: int
    type: str
    stored: bytes


class NewestDays:
    """The newest day of each owner, as its writer would know it: `followed` is what the check of the record found."""

    def __init__(self, log: Log, db: sqlite3.Connection, followed: Mapping[str, ChainAudit]) -> None:
        self.log = log
        self._db = db
        self._followed = followed

    def follows(self, day: WriterDay, behind: list[bytes]) -> bool:
        """Whether a day follows from its facts; they are all folded only if what the check found says otherwise."""
        try:
            return self._found(day.stream, behind) == day or self._folded(day.stream, behind) == day
        except UnreadableFactError:
            return False

    def _found(self, stream: str, behind: list[bytes]) -> WriterDay | None:
        """The day that the check of the record found; some facts behind a seal say since when the next one is due."""
        reading = self._followed.get(stream)
        if reading is None:
            return None
        last, unsealed = reading.chain.sequence, reading.unsealed.count
        begin = last - unsealed
        if not unsealed:  # the seal at the end leaves the time of the first fact that it covers
            before = self._db.execute(_SEAL_BEFORE, (stream, last)).fetchone()
            begin = before[0] if before else 0
        writer = Writer(0, {owner(stream): WriterDay(stream, begin)})
        for (stored,) in self._db.execute(_AFTER, (stream, begin)):
            place(writer, decode(stored))
            if writer.days[owner(stream)].seal_due:
                break
        day = writer.days[owner(stream)]
        day.sequence, day.head, day.closed, day.last_at = last, reading.chain.head, reading.closed, reading.last_at
        day.unsealed, day.seal_due = unsealed, day.seal_due and unsealed > 0
        return _placed(writer, stream, behind)

    def _folded(self, stream: str, behind: list[bytes]) -> WriterDay | None:
        return _placed(Writer(0), stream, [*self.log.read_stream(stream), *behind])


def _placed(writer: Writer, stream: str, facts: list[bytes]) -> WriterDay | None:
    """A day with these facts behind what its writer knows of it."""
    for stored in facts:
        fact = decode(stored)
        day = writer.days.get(owner(stream))
        if day is not None and fact.sequence <= day.sequence:
            continue  # it is in the outbox, but already on record
        if fact.stream != stream or (day is None and not isinstance(fact, _OPENINGS)):
            return None
        place(writer, fact)
    return writer.days.get(owner(stream))


def troubles(path: Path, days: NewestDays, inputs: Inputs) -> Iterator[ChainTrouble]:
    """The differences between the outbox and the record, after `inputs` has all facts of the record."""
    with closing(readonly(path)) as db:
        db.execute("BEGIN")
        waiting = [
            _Waiting(*row)
            for row in db.execute("SELECT place, stream, sequence, topic, stored FROM pending ORDER BY place")
        ]
        yield from _waiting(waiting, days.log, inputs)
        count, total = inputs.known(path, db)
        if (count, total) != (inputs.count, inputs.sum):
            says = f"it knows {count} inputs, but the record was made from {inputs.count}"
            if count == inputs.count:
                says = f"at least one of its {count} inputs differs from what the record was made from"
            yield _trouble("", 0, f"{says}: the gateway could record a repeat as a new fact")
        yield from _standing(db, inputs)
        yield from _held(db)
        yield from _days(db, days, waiting)
        row = db.execute("SELECT ifnull(CAST(epoch AS INTEGER), 0) FROM writer").fetchone()
        if inputs.epoch > (row[0] if row else 0):
            yield _trouble(
                "", 0, f"it counts {row[0] if row else 0} starts of a gateway, but the record counts {inputs.epoch}"
            )


def _standing(db: sqlite3.Connection, inputs: Inputs) -> Iterator[ChainTrouble]:
    """Check that the keys, sources and limits that the gateway applies are those on record."""
    if db.execute("SELECT 1 FROM learned").fetchone() is None:
        return  # an earlier version: the gateway reads them from the record at its next start
    held = {(name, number): bytes(stored) for name, number, stored in db.execute("SELECT * FROM standing")}
    for at in sorted(held.keys() | inputs.standing.keys()):
        if held.get(at) != inputs.standing.get(at):
            yield _trouble(at[0], at[1], "its fact about keys or sources differs from the one on record there")


def _held(db: sqlite3.Connection) -> Iterator[ChainTrouble]:
    """Check that the unrecorded revocations in force are as they were entered."""
    for stored, digest in db.execute("SELECT stored, digest FROM held ORDER BY place"):
        try:
            revocation(stored, digest)
        except UnreadableFactError as error:
            yield _trouble("", 0, f"a revocation in force that is not on record yet is damaged: {error}")


def _trouble(stream: str, sequence: int, says: str) -> ChainTrouble:
    return ChainTrouble(
        "outbox-bad", stream, sequence, "outbox", f"{says}. Restore a backup of the outbox and the record"
    )


def _waiting(waiting: list[_Waiting], log: Log, inputs: Inputs) -> Iterator[ChainTrouble]:
    """Check that each fact to send is in the log already, byte for byte, or follows its last record."""
    held: dict[str, dict[int, bytes]] = {}
    for each in waiting:
        there = held.get(each.stream)
        if there is None:
            there = held[each.stream] = {_sequence(stored): stored for stored in log.read_stream(each.stream)}
        row = LogRow(0, *each[1:])
        try:
            said = place_of(each.stored)
        except NoPlaceError:
            said = None
        if said is None or said[:3] != each[1:4]:
            yield _trouble(each.stream, each.sequence, "the bytes of its fact to send name a different place")
        elif each.sequence in there:
            if there[each.sequence] != each.stored:
                yield _trouble(each.stream, each.sequence, "its fact to send differs from the one on record there")
        else:
            there[each.sequence] = each.stored
            inputs.take(row)


def _sequence(stored: bytes) -> int:
    try:
        return place_of(stored).sequence
    except NoPlaceError:
        return 0


def _days(db: sqlite3.Connection, days: NewestDays, waiting: list[_Waiting]) -> Iterator[ChainTrouble]:
    """Compare each owner's newest day with a new fold of its facts."""
    behind: dict[str, list[bytes]] = defaultdict(list)
    for each in waiting:
        behind[each.stream].append(each.stored)
    for name, stored in db.execute(_DAYS):
        try:
            day = msgspec.msgpack.decode(stored, type=WriterDay)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield _trouble("", 0, f"the day of {name} cannot be read: {error}")
            continue
        if owner(day.stream) != name:
            yield _trouble(day.stream, day.sequence, f"it has {day.stream} as the newest day of {name}")
        elif msgspec.msgpack.encode(day) != bytes(stored) or not days.follows(day, behind[day.stream]):
            yield _trouble(day.stream, day.sequence, "its state of this day does not follow from the day's facts")
