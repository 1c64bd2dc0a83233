"""Where a record's own files live, and the record itself: the one set of options every command on a record has."""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from socket import gethostname
from time import monotonic, monotonic_ns, sleep, time_ns
from typing import Any, TypeVar

import click
import msgspec
from eventsourcing.persistence import IntegrityError, PersistenceError

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DOOR, DoorClosedError, Visit, visited
from consumers.gateway.gateway import Gateway
from consumers.gateway.greeting import Role
from consumers.gateway.keys import KeyStore, KeyTroubleError
from consumers.gateway.letter_budget import MEGABYTE, LetterBudget, LetterLimits, free_bytes
from consumers.gateway.letter_topic import KIND, Publisher
from consumers.gateway.outbox import Outbox, OutboxTakenError, heads, streams_known
from consumers.kafka import topics
from consumers.kafka.option import kafka_trouble
from consumers.kafka.settings import read_settings
from consumers.logs.log import Log
from consumers.logs.opening import LOG_FILE, LogOptionsError, folder_option, open_log, record_options
from domain.facts.envelope import LATEST

Command = TypeVar("Command", bound=Callable[..., Any])

OUTBOX = "gateway/outbox.sqlite"
DEAD_LETTERS = "gateway/dead-letters.sqlite"
KEYS = "keys"
_PATIENCE = 10.0  # seconds
_LOOK_AGAIN = 0.2


class Place(msgspec.Struct, frozen=True):
    """The options as given: an embedded record's folder, or a cluster and the gateway's own folder."""

    data: Path | None
    kafka: Path | None
    state: Path | None

    def __post_init__(self) -> None:
        """One record: two places at once would be two gateways' files for one, or one's for two."""
        if self.data is not None and self.kafka is not None:
            raise LogOptionsError(
                "the record is in one place: give --data or --kafka, not both "
                "(CATWALK_DATA and CATWALK_KAFKA count too)."
            )
        if self.data is not None and self.state is not None:
            raise LogOptionsError(
                "with --data, outbox, dead letters and keys lie in that folder: leave --state (and CATWALK_STATE) out."
            )

    @property
    def folder(self) -> Path:
        """Where outbox, dead letters and keys live: beside an embedded record, or in the folder named for them."""
        if self.data is not None and self.state is None:
            return self.data
        if self.state is not None:
            return self.state
        raise LogOptionsError("with --kafka, name a folder for the outbox, dead letters and keys: --state DIR.")

    @property
    def has_folder(self) -> bool:
        """Whether that folder is told: who only reads a record in Kafka needs none."""
        return self.data is not None or self.state is not None

    @property
    def has_record(self) -> bool:
        """Whether the record lies in that folder: one in Kafka is elsewhere and may be out of reach."""
        return self.data is not None and (self.data / LOG_FILE).is_file()

    @property
    def is_begun(self) -> bool:
        """Whether a gateway wrote here before: there is an embedded record, or the outbox of one in Kafka."""
        return self.has_record if self.data is not None else (self.folder / OUTBOX).is_file()

    def require_record(self) -> None:
        """Says so where there is no embedded record, before anything is made beside one that is not there."""
        if self.data is not None and not self.has_record:
            self.log().close()

    def log(self, *, create: bool = False, also: Collection[topics.Kind] = ()) -> Log:
        """The log itself; in Kafka, the topics of these other kinds must be safe as well."""
        return open_log(data=self.data, kafka=self.kafka, create=create, also=also)

    @contextmanager
    def dead_letters(self) -> Iterator[DeadLetters]:
        """The dead letters of this record; of one in Kafka they go on into their topic, as far as it can be reached."""
        file = self.folder / DEAD_LETTERS
        publisher = Publisher(file, read_settings(self.kafka), _to_stderr) if self.kafka is not None else None
        letters = DeadLetters(file, publisher.wake if publisher else None)
        try:
            yield letters
        finally:
            if publisher is not None:
                publisher.close()
                _told_unpublished(letters, publisher)
            letters.close()

    def keys(self) -> KeyStore:
        """The device keys that live here."""
        return KeyStore(self.folder / KEYS)


def _to_stderr(told: str) -> None:
    click.echo(f"Warning: {told}", err=True)


def _told_unpublished(letters: DeadLetters, publisher: Publisher) -> None:
    left = letters.count_unpublished()
    if left:
        why = f": {publisher.why_not}" if publisher.why_not else ""
        says = f"{left} records are not in the dead letters' topic yet{why}. They are safe in {letters.path}"
        click.echo(f"{says} and are sent when a gateway runs there again.", err=True)


def place_options(command: Command) -> Command:
    """Gives a command `--data`, `--kafka` and `--state`."""
    state = folder_option("--state", "With --kafka: the folder of outbox, dead letters and keys")
    return record_options(state(command))


def now() -> int:
    """Microseconds since 1970, UTC: for what is said about the record, never in it."""
    return time_ns() // 1000


def moment(text: str, option: str) -> int:
    """A moment as people write it, in microseconds since 1970."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: write it like 2026-11-18T21:30:00Z", param_hint=option) from error
    if found.tzinfo is None:
        raise click.BadParameter(f"{text!r} names no zone: add Z or an offset", param_hint=option)
    at = (found - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    if not 0 <= at <= LATEST:
        raise click.BadParameter(f"{text!r} is not between 1970 and 9999, as a fact's time is", param_hint=option)
    return at


def _ticks() -> int:
    return monotonic_ns() // 1000


@contextmanager
def open_gateway(
    place: Place, *, begins: bool = True, limits: LetterLimits | None = None, wait_seconds: float = 1
) -> Iterator[Gateway]:
    """The one gateway of this place; a second one is refused.

    Only with `begins` it begins a record, or the outbox of one in Kafka, where there is none, and says so.
    """
    limits = limits or LetterLimits()
    new = _new_here(place, begins=begins)
    log = place.log(create=True, also=(KIND,))
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
            raise GatewayStoppedError(f"{says}. What was told to be on record is.") from error


@contextmanager
def gateway_at(place: Place, role: Role, name: str = "", *, begins: bool = False) -> Iterator[Gateway | Visit]:
    """The gateway of this place, opened here, or the one that is at work, which a command reaches by its door."""
    try:
        with ExitStack() as opened:
            yield _gateway_at(opened, place, role, name, begins=begins)
    except DoorClosedError as error:
        raise GatewayStoppedError(str(error)) from error


def _gateway_at(opened: ExitStack, place: Place, role: Role, name: str, *, begins: bool) -> Gateway | Visit:
    """One that has only just begun to work has no door yet, and a short command is soon done: both are waited for."""
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


def _new_here(place: Place, *, begins: bool) -> str:
    """What is to be said where a record begins; nothing where one is gone on with."""
    if place.data is None and place.kafka is None:
        place.log()  # says that nobody named a record
    if place.is_begun:
        return ""
    if place.data is not None:
        missing = f"there is no record in {place.data}: no file {place.data / LOG_FILE}"
        beginning = f"A new record begins in {place.data}: there was none."
    else:
        missing = f"no gateway wrote from {place.folder} before: no file {place.folder / OUTBOX}"
        beginning = f"A new outbox begins in {place.folder}: there was none."
    if not begins:
        says = "Name the folder the gateway wrote to; or begin one: catwalk ingest does, with the property's opening"
        raise GatewayStoppedError(f"{missing}. {says}, and so does catwalk gateway --new.")
    return beginning


def _require_both(log: Log, place: Place, outbox: Path) -> None:
    """A record and its outbox are one: with either alone, facts would get places that are not theirs."""
    where, file = ("the topic of facts",) * 2 if place.data is None else (place.data, place.data / LOG_FILE)
    written = sum(map(log.last_position, log.partitions))
    try:
        known = streams_known(outbox)
        lost = not written and known and heads(outbox)
    except (sqlite3.Error, msgspec.DecodeError):
        return  # who opens it to write says what is wrong with it
    if written and not known:
        there = "knows of no stream" if outbox.exists() else "is not there"
        says = f"{where} holds a record of {written} facts, and {outbox}, which knows how to go on with it, {there}"
        says += "" if place.data is not None else ". Name the gateway's own folder with --state"
        raise GatewayStoppedError(f"{says}. Restore a backup; what catwalk log copy made is there to be read.")
    if lost:
        raise GatewayStoppedError(
            f"{outbox} knows of a record of {known} streams, and {file} is empty. Restore a backup."
        )


def _disk(folder: Path) -> str:
    """How much room the disk has, where that is little; nothing where it is not what is wrong."""
    free = free_bytes(folder)
    return f". Its disk has {free // MEGABYTE:,} MB free: make room" if free < 100 * MEGABYTE else ""


def _stopped(error: PersistenceError, outbox: Path) -> str:
    if isinstance(error, IntegrityError):
        return f"{error}: another gateway wrote this record, or {outbox} is not its outbox. Nothing was overwritten."
    return (
        f"the log did not take everything: {error}{_disk(outbox.parent)}. What devices have been told is safe in "
        f"{outbox}; the next gateway there sends it, and all that was said may be sent again."
    )


class GatewayStoppedError(click.ClickException):
    """Ends a command with status 2: the log cannot be written to now, or not by this gateway."""

    exit_code = 2


class GatewayBusyError(GatewayStoppedError):
    """Another gateway is at work on this record."""
