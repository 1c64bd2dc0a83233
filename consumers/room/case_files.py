"""Every case at hand with its whole history, kept up with the desk's own log."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Lock

import msgspec
from msgspec.structs import replace

from consumers.desk.application import Desk
from domain.desk import case
from domain.desk.acting import Done
from domain.desk.case import Case
from domain.desk.records import decode, name_of
from domain.facts.envelope import Fact

_BATCH = 1_000
_PREFIX = "case/"
_ENVELOPE = frozenset(Done.__struct_fields__)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Told = str | int | datetime


class Entry(msgspec.Struct, frozen=True):
    """One change: when, who, what, and everything it says."""

    at: datetime
    by: str
    what: str
    says: tuple[tuple[str, Told], ...]


class File(msgspec.Struct, frozen=True):
    """A case and how it came to stand as it does."""

    case: Case
    history: tuple[Entry, ...] = ()


class CaseFiles:
    """The cases as they stand, for any number of readers in one process."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = Lock()
        self._read_to = 0
        self._held: dict[str, File] = {}

    def now(self) -> dict[str, File]:
        """Every case, by its number. Read it and change nothing."""
        with self._lock:
            while True:
                rows = self._desk.recorder.select_notifications(self._read_to, _BATCH, inclusive_of_start=False)
                for row in rows:
                    self._read_to = row.id
                    stream = str(row.originator_id)
                    if stream.startswith(_PREFIX):
                        self._take(stream.removeprefix(_PREFIX), decode(bytes(row.state)))
                if len(rows) < _BATCH:
                    return dict(self._held)

    def _take(self, number: str, record: Fact) -> None:
        held = self._held.get(number) or File(case.initial(number))
        if record.sequence == held.case.version + 1:
            # Who was given the one before may still be reading it.
            state = case.evolve(replace(held.case, keys=set(held.case.keys)), record)
            self._held[number] = File(state, (*held.history, _entry(record)))


def at(micros: int) -> datetime:
    """A time of a record."""
    return _EPOCH + timedelta(microseconds=micros)


def _entry(record: Fact) -> Entry:
    who = record.by if isinstance(record, Done) else ""
    return Entry(at(record.at), who, name_of(record).partition(".")[0].replace("-", " "), tuple(_says(record)))


def _says(record: Fact) -> Iterator[tuple[str, Told]]:
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name in _ENVELOPE or value is None or value == "":
            continue
        if isinstance(value, int) and name.endswith("_at"):
            yield name.removesuffix("_at"), at(value)
        elif isinstance(value, tuple):
            yield name.replace("_", " "), ", ".join(map(str, value))
        else:
            yield name.replace("_", " "), value
