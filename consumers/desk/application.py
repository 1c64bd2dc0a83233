"""The desk as an application of the event-sourcing library: reviews, cases and the access log.

Its records are in SQLite beside an embedded record, or in PostgreSQL, depending on the configuration. When two people
act on the same thing at once, the first one wins. The other's act is decided again on the new state, and refused with a
reason if it is no longer possible. Each record names the hash of the one before it, as facts do.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any, Final, TypeVar

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import IntegrityError
from msgspec.structs import replace

from domain.desk import access, case, export, regrouping, review
from domain.desk.access import RecordProved
from domain.desk.acting import DeskAct, RefusedError, by
from domain.desk.case import Case
from domain.desk.case_records import CaseNumbered, Subject
from domain.desk.export import Export
from domain.desk.records import decode
from domain.desk.regrouping import Regrouping
from domain.desk.review import Review
from domain.facts.codec import UnreadableFactError
from domain.facts.envelope import Fact
from domain.ledger.chain import digest

DESK_FILE: Final = "record/desk.sqlite"  # in the data folder
_STEP_ASIDE_SECONDS: Final = 0.002
TRIES: Final = 20  # attempts that others may win before something must be wrong

State = TypeVar("State", Review, Case, Export, Regrouping)


class CrowdedError(Exception):
    """An error after too many attempts that other writers won."""


class Desk(Application[str]):
    """The record of what people in the room do."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        super().__init__(env)
        # A hundred open pages write looks at once, all to the day's one stream: they take turns instead of racing.
        self._looking = Lock()

    def review(self, finding: str) -> Review:
        """The review of a finding; empty if there is none yet."""
        return self._read(review.initial(finding), review.evolve)

    def case(self, number: str) -> Case:
        """A case; without an opening if it does not exist."""
        return self._read(case.initial(number), case.evolve)

    def export(self, order: str) -> Export:
        """An export; without an order if it does not exist."""
        return self._read(export.initial(order), export.evolve)

    def on_export(self, order: str, decide: Callable[[Export], list[Fact]]) -> Export:
        """Act on an export and return its new state."""
        return self._act(lambda: self.export(order), decide, export.evolve)

    def on_finding(self, finding: str, decide: Callable[[Review], list[Fact]]) -> Review:
        """Act on a finding's review and return its new state."""
        return self._act(lambda: self.review(finding), decide, review.evolve)

    def on_findings(self, findings: Iterable[str], decide: Callable[[Review], list[Fact]]) -> list[Review]:
        """Act on the reviews of several findings at once, on all or on none, and return their new states."""
        names = list(findings)
        for _ in range(TRIES):
            states = [self.review(name) for name in names]
            placed = [self._placed(state.id, state.version, decide(state)) for state in states]
            try:
                self.save(*(record for records in placed for record in records))
            except IntegrityError:
                continue  # another act came first: decide again on the new states
            for state, records in zip(states, placed, strict=True):
                for record in records:
                    review.evolve(state, record)
            return states
        raise CrowdedError("others kept changing it: try again")

    def regrouping(self, day: str) -> Regrouping:
        """The decisions of people about the incidents of a gaming day."""
        return self._read(regrouping.initial(day), regrouping.evolve)

    def on_regrouping(self, day: str, decide: Callable[[Regrouping], list[Fact]]) -> Regrouping:
        """Decide about the incidents of a gaming day, and return all its decisions."""
        return self._act(lambda: self.regrouping(day), decide, regrouping.evolve)

    def on_case(self, number: str, decide: Callable[[Case], list[Fact]]) -> Case:
        """Act on a case and return its new state."""
        return self._act(lambda: self.case(number), decide, case.evolve)

    def open_case(
        self, act: DeskAct, subject: Subject, title: str, *, jurisdiction: str = "", happened_at: int | None = None
    ) -> Case:
        """Open a case under the year's next number; repeating the same act returns the same case."""
        register = _register(act.at)
        for _ in range(TRIES):
            given = self._numbers(register)
            if act.key in given:
                return self.case(given[act.key])
            number = f"{register.removeprefix('cases/')}-{len(given) + 1:04}"
            new = case.initial(number)
            made = case.open_case(new, act, subject, title, jurisdiction=jurisdiction, happened_at=happened_at)
            numbered = CaseNumbered(**by(act), number=number)
            try:
                self.save(*self._placed(register, len(given), [numbered]), *self._placed(new.id, 0, made))
            except IntegrityError:
                continue
            return self.case(number)
        raise CrowdedError(f"could not get a number of {register} in {TRIES} attempts: try again")

    def cases(self, year: int) -> list[str]:
        """The numbers of a year's cases, in order."""
        return list(self._numbers(f"cases/{year}").values())

    def looked(self, records: Iterable[Fact]) -> None:
        """Record who looked at what; records that belong together are written together."""
        for stream, told in _by_stream(records).items():
            with self._looking:
                self._write_down(stream, told)

    def last_proof(self) -> RecordProved | None:
        """The last run that checked the whole record."""
        rows = self.recorder.select_events(access.PROOFS, desc=True, limit=1)
        found = decode(bytes(rows[0].state)) if rows else None
        return found if isinstance(found, RecordProved) else None

    def _write_down(self, stream: str, told: list[Fact]) -> None:
        for tries in range(TRIES):
            try:
                self.save(*self._placed(stream, self._last(stream), told))
            except IntegrityError:
                sleep(tries * _STEP_ASIDE_SECONDS)  # another process wrote first
            else:
                return
        raise CrowdedError(f"could not write to {stream} in {TRIES} attempts: try again")

    def _act(
        self, read: Callable[[], State], decide: Callable[[State], list[Fact]], evolve: Callable[[State, Fact], State]
    ) -> State:
        for _ in range(TRIES):
            state = read()
            placed = self._placed(state.id, state.version, decide(state))
            if not placed:
                return state
            try:
                self.save(*placed)
            except IntegrityError:
                continue  # another act came first: decide again on the new state
            for record in placed:
                state = evolve(state, record)
            return state
        raise CrowdedError("others kept changing it: try again")

    def _read(self, state: State, evolve: Callable[[State, Fact], State]) -> State:
        def project(_: State | None, records: Iterable[DomainEventProtocol[str]]) -> State:
            found = state
            for record in records:
                if isinstance(record, Fact):
                    found = evolve(found, record)
            return found

        try:
            return self.repository.get(state.id, projector_func=project)
        except AggregateNotFoundError:
            return state

    def _placed(self, stream: str, last: int, records: list[Fact]) -> list[Fact]:
        """The records, placed after the last one of their stream and chained to it."""
        if not records:
            return []
        head = self._head(stream, last)
        placed: list[Fact] = []
        for sequence, record in enumerate(records, last + 1):
            whole = replace(record, stream=stream, sequence=sequence, previous=head)
            head = digest(_readable(bytes(self.mapper.to_stored_event(whole).state)))
            placed.append(whole)
        return placed

    def _head(self, stream: str, last: int) -> str:
        """The hash of a stream's last stored record."""
        if not last:
            return ""
        (row,) = self.recorder.select_events(stream, gt=last - 1, lte=last)
        return digest(bytes(row.state))

    def _last(self, stream: str) -> int:
        rows = self.recorder.select_events(stream, desc=True, limit=1)
        return rows[0].originator_version if rows else 0

    def _numbers(self, register: str) -> dict[str, str]:
        """The numbers given in a year, by the key of the act that got them."""
        found = (self.mapper.to_domain_event(row) for row in self.recorder.select_events(register))
        return {record.source_key: record.number for record in found if isinstance(record, CaseNumbered)}


def _readable(stored: bytes) -> bytes:
    """Return these bytes if they can be read again; others must never be stored."""
    try:
        decode(stored)
    except UnreadableFactError as error:
        raise RefusedError("too-long", f"This cannot be stored: {error}.") from error
    return stored


def _register(at: int) -> str:
    return f"cases/{(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).year}"


def _by_stream(records: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for record in records:
        found.setdefault(access.place_of(record), []).append(record)
    return found


def desk_of(*, data: Path | None = None, postgres: Mapping[str, str] | None = None) -> Desk:
    """The desk beside an embedded record, or in PostgreSQL (`POSTGRES_DBNAME` and the library's other variables)."""
    settings: dict[str, Any] = {"MAPPER_TOPIC": "consumers.desk.mapper:DeskMapper"}
    if postgres is not None:
        module = {"PERSISTENCE_MODULE": "eventsourcing.postgres", "ORIGINATOR_ID_TYPE": "text"}
        return Desk({**settings, **module, **postgres})
    if data is None:
        raise ValueError("a desk is beside an embedded record or in PostgreSQL")
    file = data / DESK_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    module = {"PERSISTENCE_MODULE": "consumers.logs.sqlite", "SQLITE_DBNAME": file.absolute().as_uri()}
    return Desk({**settings, **module})
