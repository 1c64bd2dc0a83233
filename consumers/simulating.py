"""A simulated floor on its way out: to a file of lines, or through the gateway onto a record, at any pace."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from time import monotonic, sleep
from typing import BinaryIO, Protocol
from zoneinfo import ZoneInfo

import click
import msgspec

from consumers.gateway.clients import CONSOLE, Client
from consumers.gateway.gateway import Gateway, Line
from domain.facts.codec import encode
from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.simulation.floor import Floor
from domain.simulation.property_time import ZONE

_SHOWN_EVERY = 0.5  # seconds
_ZONE = ZoneInfo(ZONE)  # of the recorders' clocks
_FRAMES = 30  # a second, of a camera
_BATCH = 2_000  # facts the gateway takes at once


class Out(Protocol):
    """Where facts go."""

    def take(self, facts: Sequence[Fact]) -> None:
        """Takes these facts, and more may follow at once."""

    def flush(self) -> None:
        """Nothing follows for a while: what was taken is out when this returns."""


class ToFile:
    """A fact a line, not numbered, as devices send them."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def take(self, facts: Sequence[Fact]) -> None:
        """Writes these facts."""
        self.file.writelines([encode(fact) + b"\n" for fact in facts])

    def flush(self) -> None:
        """Nothing is left in a buffer."""
        self.file.flush()


class ToRecord:
    """The gateway takes the facts as it takes any device's, in batches."""

    def __init__(self, gateway: Gateway, name: str, client: Client = CONSOLE) -> None:
        self.gateway, self.name, self.client = gateway, name, client
        self._waiting: list[Line] = []
        self._number = 0

    def take(self, facts: Sequence[Fact]) -> None:
        """Hands full batches on."""
        for fact in facts:
            self._number += 1
            self._waiting.append(Line(self.name, self._number, encode(fact), self.client))
        while len(self._waiting) >= _BATCH:
            batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            self.gateway.take(batch)

    def flush(self) -> None:
        """Hands the rest on, and has it sealed."""
        if self._waiting:
            self.gateway.take(self._waiting)
            self._waiting = []
        self.gateway.seal_quiet()


class Filmed:
    """Each fact of a table points at the table's camera and the time code there, on its way out."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def take(self, facts: Sequence[Fact]) -> None:
        """Hands them on."""
        self._out.take([_filmed(fact) for fact in facts])

    def flush(self) -> None:
        """Nothing waits here."""
        self._out.flush()


def _filmed(fact: Fact) -> Fact:
    table = owner(fact.stream)
    if table == PROPERTY:
        return fact
    clock = datetime.fromtimestamp(fact.at // 1_000_000, _ZONE).strftime("%H:%M:%S")
    frame = fact.at % 1_000_000 * _FRAMES // 1_000_000
    return msgspec.structs.replace(fact, camera=f"cam-{table}", time_code=f"{clock}:{frame:02}")


def run(
    floor: Floor,
    out: Out,
    factor: float,
    labels: Callable[[], None],
    *,
    after: Sequence[Fact] = (),
    ahead: int = 0,
) -> int:
    """Sends the whole floor out, and says how many facts that were; `after` follow the very first of them.

    A factor of 1 is live, 20 twenty times as fast, 0 as fast as it goes; `ahead` minutes of play go out at once.
    """
    count = 0
    progress = Progress()
    batches = floor.batches()
    if after:  # keys seal what comes behind the facts that tell of them
        opening = next(batches)
        out.take([*opening[:1], *after])
        out.flush()
        count += 1 + len(after)
        batches = chain([opening[1:]], batches)
    for facts in _at_pace(batches, factor, out, ahead * 60_000_000) if factor else batches:
        out.take(facts)
        count += len(facts)
        if floor.labels:
            labels()
        if facts:
            progress.show(count, facts[-1].at)
    out.flush()
    labels()
    progress.done()
    return count


def _at_pace(batches: Iterable[list[Fact]], factor: float, out: Out, ahead: int) -> Iterator[list[Fact]]:
    """One fact after the other, each when its time has come; what is due at once goes out together."""
    began = monotonic()
    first: int | None = None
    due: list[Fact] = []
    for fact in (fact for facts in batches for fact in facts):
        if first is None and _begins(fact, ahead):
            first = fact.at
        if first is None or fact.at - first < ahead:
            began = monotonic()
        wait = 0.0 if first is None else (fact.at - first - ahead) / 1_000_000 / factor - (monotonic() - began)
        if wait > 0 or len(due) >= _BATCH:
            yield due
            due = []
        if wait > 0:
            out.flush()
            sleep(wait)
        due.append(fact)
    yield due


def _begins(fact: Fact, ahead: int) -> bool:
    """Time counts from the first table's opening, for the property's day begins before; minutes ahead are of play."""
    return isinstance(fact, RoundOpened) if ahead else owner(fact.stream) != PROPERTY


class Progress:
    """A line on a terminal that says how far the floor has come, twice a second."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._began = self._shown = monotonic()

    def show(self, count: int, at: int) -> None:
        """So many facts are out, the last of this time."""
        now = monotonic()
        if self._on and now - self._shown > _SHOWN_EVERY:
            self._shown = now
            clock = datetime.fromtimestamp(at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%MZ")
            rate = count / (now - self._began)
            click.echo(f"\r{count:,} facts, {clock}, {rate:,.0f} facts a second \033[K", nl=False, err=True)

    def done(self) -> None:
        """The line goes."""
        if self._on:
            click.echo("\r\033[K", nl=False, err=True)


def label_writer(floor: Floor, file: BinaryIO | None) -> Callable[[], None]:
    """Takes the floor's labels away, a line each into a file where there is one."""

    def write() -> None:
        if file is not None:
            file.writelines([msgspec.json.encode(label) + b"\n" for label in floor.labels])
        floor.labels.clear()

    return write
