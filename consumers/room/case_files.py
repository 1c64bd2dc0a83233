"""Every case with its whole history, kept current with the desk's log."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec
from msgspec.structs import replace

from consumers.desk.application import Desk
from consumers.desk.kept_up import KeptUp
from domain.desk import case
from domain.desk.acting import ActRecord
from domain.desk.case import Case
from domain.facts.codec import name_of
from domain.facts.envelope import Fact

_ENVELOPE = frozenset(ActRecord.__struct_fields__)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Told = str | int | datetime


class CaseFileEntry(msgspec.Struct, frozen=True):
    """One change: when, by whom, what, and all its fields."""

    at: datetime
    by: str
    what: str
    says: tuple[tuple[str, Told], ...]


class CaseFile(msgspec.Struct, frozen=True):
    """A case and its history."""

    case: Case
    history: tuple[CaseFileEntry, ...] = ()


CaseFiles = KeptUp[CaseFile]


def case_files(desk: Desk) -> CaseFiles:
    """Every case by its number."""
    return KeptUp(desk, "case/", _taken)


def _taken(held: CaseFile | None, number: str, record: Fact) -> CaseFile | None:
    file = held or CaseFile(case.initial(number))
    if record.sequence != file.case.version + 1:
        return None
    state = case.evolve(replace(file.case, keys=set(file.case.keys)), record)
    return CaseFile(state, (*file.history, _entry(record)))


def at(micros: int) -> datetime:
    """The time of a record."""
    return _EPOCH + timedelta(microseconds=micros)


def _entry(record: Fact) -> CaseFileEntry:
    who = record.by if isinstance(record, ActRecord) else ""
    return CaseFileEntry(at(record.at), who, name_of(record).partition(".")[0].replace("-", " "), tuple(_says(record)))


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
