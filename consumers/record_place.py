"""The place of a record and of the files beside it: the common options of all commands on a record."""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from socket import gethostname
from time import monotonic, monotonic_ns, sleep, time_ns
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from eventsourcing.persistence import IntegrityError, PersistenceError

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DOOR, DoorClosedError, DoorSession, visited
from consumers.gateway.gateway import Gateway
from consumers.gateway.greeting import Role
from consumers.gateway.keys import KeyStore, KeyTroubleError
from consumers.gateway.letter_budget import MEGABYTE, LetterBudget, LetterLimits, free_bytes
from consumers.gateway.outbox import Outbox, OutboxTakenError, heads, streams_known
from consumers.kafka.option import kafka_trouble
from consumers.kafka.settings import read_settings
from consumers.kafka.topic_names import LETTERS, Kind
from consumers.logs.log import Log
from consumers.logs.opening import LOG_FILE, LogOptionsError, folder_option, open_log, record_options
from domain.facts.envelope import LATEST

if TYPE_CHECKING:
    from consumers.gateway.letter_topic import Publisher

Command = TypeVar("Command", bound=Callable[..., Any])

OUTBOX = "gateway/outbox.sqlite"
DEAD_LETTERS = "gateway/dead-letters.sqlite"
KEYS = "keys"
_PATIENCE = 10.0  # seconds
_LOOK_AGAIN = 0.2


class RecordOptions(msgspec.Struct, frozen=True):
    """The options as given: an embedded record's folder, or a cluster and the gateway's own folder."""

    data: Path | None
    kafka: Path | None
    state: Path | None

    def __post_init__(self) -> None:
        """Raise an error if the options name two places: their gateways' files would mix."""
        if self.data is not None and self.kafka is not None:
            raise LogOptionsError("give --data or --kafka, not both (CATWALK_DATA and CATWALK_KAFKA count too).")
        if self.data is not None and self.state is not None:
            raise LogOptionsError(
                "with --data, outbox, dead letters and keys are in that folder: remove --state (and CATWALK_STATE)."
            )

    @property
    def folder(self) -> Path:
        """The folder of outbox, dead letters and keys: an embedded record's own, or the one that --state names."""
        if self.data is not None and self.state is None:
            return self.data
        if self.state is not None:
            return self.state
        raise LogOptionsError("with --kafka, name a folder for the outbox, dead letters and keys: --state DIR.")

    @property
    def has_folder(self) -> bool:
        """Whether that folder is named: a command that only reads a record in Kafka needs none."""
        return self.data is not None or self.state is not None

    @property
    def has_record(self) -> bool:
        """Whether the record is in that folder: one in Kafka is elsewhere and may be unreachable."""
        return self.data is not None and (self.data / LOG_FILE).is_file()

    @property
    def is_begun(self) -> bool:
        """Whether a gateway wrote here before: there is an embedded record, or the outbox of one in Kafka."""
        return self.has_record if self.data is not None else (self.folder / OUTBOX).is_file()

    def require_record(self) -> None:
        """Raise an error if the embedded record is missing, before anything is created beside it."""
        if self.data is not None and not self.has_record:
            self.log().close()

    def log(self, *, create: bool = False, also: Collection[Kind] = ()) -> Log:
        """Open the log itself; in Kafka, the topics of these other kinds must be safe too."""
        return open_log(data=self.data, kafka=self.kafka, create=create, also=also)

    @contextmanager
    def dead_letters(self) -> Iterator[DeadLetters]:
        """The dead letters of this record; for Kafka, they are also sent to their topic as far as it is reachable."""
        file = self.folder / DEAD_LETTERS
        publisher = _publisher(file, self.kafka) if self.kafka is not None else None
        letters = DeadLetters(file, publisher.wake if publisher else None)
        try:
            yield letters
        finally:
            if publisher is not None:
                publisher.close()
                _told_unpublished(letters, publisher)
            letters.close()

    def keys(self) -> KeyStore:
        """The device keys of this folder."""
        return KeyStore(self.folder / KEYS)


def _publisher(file: Path, kafka: Path) -> "Publisher":
    made: Publisher = import_module("consumers.gateway.letter_topic").Publisher(file, read_settings(kafka), _to_stderr)
    return made


def _to_stderr(told: str) -> None:
    click.echo(f"Warning: {told}", err=True)


def _told_unpublished(letters: DeadLetters, publisher: "Publisher") -> None:
    left = letters.count_unpublished()
    if left:
        why = f": {publisher.why_not}" if publisher.why_not else ""
        says = f"{left} records have not reached the dead letters' topic yet{why}. They are safe in {letters.path}"
        click.echo(f"{says}, and the next gateway there sends them.", err=True)


def place_options(command: Command) -> Command:
    """Give a command `--data`, `--kafka` and `--state`."""
    state = folder_option("--state", "With --kafka: the folder of outbox, dead letters and keys")
    return record_options(state(command))


def now() -> int:
    """Microseconds since 1970, UTC; for messages about the record, never in it."""
    return time_ns() // 1000


def moment(text: str, option: str) -> int:
    """A moment as people write it, in microseconds since 1970."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: write it like 2026-11-18T21:30:00Z", param_hint=option) from error
    if found.tzinfo is None:
        raise click.BadParameter(f"{text!r} has no time zone: add Z or an offset", param_hint=option)
    at = (found - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    if not 0 <= at <= LATEST:
        raise click.BadParameter(f"{text!r} is not between 1970 and 9999, as a fact's time must be", param_hint=option)
    return at


def _ticks() -> int:
    return monotonic_ns() // 1000


@contextmanager
def open_gateway(
    place: RecordOptions, *, begins: bool = True, limits: LetterLimits | None = None, wait_seconds: float = 1
) -> Iterator[Gateway]:
    """Open the one gateway of this place; a second one is refused.

    Only with `begins` does it create a missing record, or the outbox of one in Kafka, and say so.
    """
    limits = limits or LetterLimits()
    new = _new_here(place, begins=begins)
    log = place.log(create=True, also=(LETTERS,))
    file = place.folder / OUTBOX
    with ExitStack() as opened:
        opened.callback(log.close)
        try:
            _require_both(log, place, file)
            outbox = opened.enter_context(closing(Outbox(file, wait_seconds)))
            here = f"{gethostname()} " if place.kafka is not None else ""
            if new:
                click.echo(new, err=True)
            with kafka_trouble(), place.dead_letters() as dead:
                if not outbox.learned:
                    outbox.learn(stored for batch in log.drain({}) for _, stored in batch.facts)
                budget = LetterBudget(limits, lambda: free_bytes(file.parent), dead.kept_bytes, now())
                if why := budget.room(now()):
                    click.echo(f"Warning: {why}.", err=True)
                keys, token = place.keys(), token_hex(32)
                yield Gateway(outbox, log, keys, dead, now, budget=budget, here=here, ticks=_ticks, token=token)
        except OutboxTakenError as error:
            raise (GatewayBusyError if error.busy else GatewayStoppedError)(str(error)) from error
        except KeyTroubleError as error:
            raise GatewayStoppedError(str(error)) from error
        except PersistenceError as error:
            raise GatewayStoppedError(_stopped(error, file)) from error
        except sqlite3.Error as error:
            says = f"the gateway's own files in {file.parent} cannot be written: {error}{_disk(file.parent)}"
            raise GatewayStoppedError(f"{says}. Acknowledged facts are on record.") from error


@contextmanager
def gateway_at(
    place: RecordOptions, role: Role, name: str = "", *, begins: bool = False
) -> Iterator[Gateway | DoorSession]:
    """The gateway of this place, opened here, or the running one, which a command reaches through its door."""
    try:
        with ExitStack() as opened:
            yield _gateway_at(opened, place, role, name, begins=begins)
    except DoorClosedError as error:
        raise GatewayStoppedError(str(error)) from error


def _gateway_at(
    opened: ExitStack, place: RecordOptions, role: Role, name: str, *, begins: bool
) -> Gateway | DoorSession:
    """Wait for a gateway that has just started and has no door yet, and for a short command to end."""
    until = monotonic() + _PATIENCE
    while True:
        waits = 0 if place.has_folder and (place.folder / DOOR).exists() else 1
        try:
            return opened.enter_context(open_gateway(place, begins=begins, wait_seconds=waits))
        except GatewayBusyError as busy:
            try:
                return opened.enter_context(visited(place.folder / DOOR, role, name))
            except DoorClosedError as error:
                if monotonic() > until:
                    raise GatewayBusyError(str(error)) from busy
        sleep(_LOOK_AGAIN)


def _new_here(place: RecordOptions, *, begins: bool) -> str:
    """The message that a record begins; empty if the record exists."""
    if place.data is None and place.kafka is None:
        place.log()  # raises an error if no record was named
    if place.is_begun:
        return ""
    if place.data is not None:
        missing = f"there is no record in {place.data}: no file {place.data / LOG_FILE}"
        beginning = f"Creating a new record in {place.data}."
    else:
        missing = f"no gateway wrote from {place.folder} before: no file {place.folder / OUTBOX}"
        beginning = f"Creating a new outbox in {place.folder}."
    if not begins:
        says = "Name the folder that the gateway wrote to; or create one with catwalk ingest and the property's opening"
        raise GatewayStoppedError(f"{missing}. {says}, or with catwalk gateway --new.")
    return beginning


def _require_both(log: Log, place: RecordOptions, outbox: Path) -> None:
    """Raise an error unless record and outbox are both there: with only one, facts would get wrong places."""
    where, file = ("the topic of facts",) * 2 if place.data is None else (place.data, place.data / LOG_FILE)
    written = sum(map(log.last_position, log.partitions))
    try:
        known = streams_known(outbox)
        lost = not written and known and heads(outbox)
    except (sqlite3.Error, msgspec.DecodeError):
        return  # opening it for writing reports the problem
    if written and not known:
        there = "knows no stream" if outbox.exists() else "is missing"
        says = f"{where} holds a record of {written} facts, but its outbox {outbox} {there}"
        says += "" if place.data is not None else ". Name the gateway's own folder with --state"
        raise GatewayStoppedError(f"{says}. Restore a backup; a copy by catwalk log copy can only be read.")
    if lost:
        raise GatewayStoppedError(f"{outbox} knows a record of {known} streams, but {file} is empty. Restore a backup.")


def _disk(folder: Path) -> str:
    """The free space of the disk if it is low; empty otherwise."""
    free = free_bytes(folder)
    return f". Its disk has {free // MEGABYTE:,} MB free: make room" if free < 100 * MEGABYTE else ""


def _stopped(error: PersistenceError, outbox: Path) -> str:
    if isinstance(error, IntegrityError):
        return f"{error}: another gateway wrote this record, or {outbox} is not its outbox. Nothing was overwritten."
    return (
        f"the log did not accept all facts: {error}{_disk(outbox.parent)}. Acknowledged facts are safe in "
        f"{outbox}; the next gateway there sends them. Devices may send everything again."
    )


class GatewayStoppedError(click.ClickException):
    """An error with exit status 2: the log cannot be written now, or not by this gateway."""

    exit_code = 2


class GatewayBusyError(GatewayStoppedError):
    """Another gateway is running on this record."""
