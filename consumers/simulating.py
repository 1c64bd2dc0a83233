"""Write a simulated floor to a file, or through the gateway to a record, at any pace."""

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
from consumers.gateway.gateway import Gateway, InputLine
from domain.facts.codec import encode
from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.simulation.floor import SimulatedFloor
from domain.simulation.property_time import ZONE

_SHOWN_EVERY = 0.5  # seconds
_ZONE = ZoneInfo(ZONE)  # the time zone of the recorders' clocks
_FRAMES = 30  # a camera's frames per second
_BATCH = 2_000  # facts per batch of the gateway


class Out(Protocol):
    """The destination of facts."""

    def take(self, facts: Sequence[Fact]) -> None:
        """Take these facts; more may follow at once."""

    def flush(self) -> None:
        """Write everything out; nothing follows for a while."""


class ToFile:
    """Facts as lines without numbers, as devices send them."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def take(self, facts: Sequence[Fact]) -> None:
        """Write these facts."""
        self.file.writelines([encode(fact) + b"\n" for fact in facts])

    def flush(self) -> None:
        """Empty the buffer."""
        self.file.flush()


class ToRecord:
    """Facts through the gateway, in batches, like those of any device."""

    def __init__(self, gateway: Gateway, name: str, client: Client = CONSOLE) -> None:
        self.gateway, self.name, self.client = gateway, name, client
        self._waiting: list[InputLine] = []
        self._number = 0

    def take(self, facts: Sequence[Fact]) -> None:
        """Pass full batches on."""
        for fact in facts:
            self._number += 1
            self._waiting.append(InputLine(self.name, self._number, encode(fact), self.client))
        while len(self._waiting) >= _BATCH:
            batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            self.gateway.take(batch)

    def flush(self) -> None:
        """Pass the rest on and have it sealed."""
        if self._waiting:
            self.gateway.take(self._waiting)
            self._waiting = []
        self.gateway.seal_quiet()


class Filmed:
    """An output that adds the table's camera and time code to each fact."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def take(self, facts: Sequence[Fact]) -> None:
        """Pass the facts on."""
        self._out.take([_filmed(fact) for fact in facts])

    def flush(self) -> None:
        """Do nothing: nothing waits here."""
        self._out.flush()


def _filmed(fact: Fact) -> Fact:
    table = owner(fact.stream)
    if table == PROPERTY:
        return fact
    clock = datetime.fromtimestamp(fact.at // 1_000_000, _ZONE).strftime("%H:%M:%S")
    frame = fact.at % 1_000_000 * _FRAMES // 1_000_000
    return msgspec.structs.replace(fact, camera=f"cam-{table}", time_code=f"{clock}:{frame:02}")


def run(
    floor: SimulatedFloor,
    out: Out,
    factor: float,
    labels: Callable[[], None],
    *,
    after: Sequence[Fact] = (),
    ahead: int = 0,
) -> int:
    """Write the whole floor out and return the number of facts; `after` follow the very first of them.

    A factor of 1 is live, 20 is twenty times as fast, 0 is as fast as possible; the first `ahead` minutes of play go
    out at once.
    """
    count = 0
    progress = FloorProgress()
    batches = floor.batches()
    if after:  # a key seals only facts after its registration
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
    """Yield facts when they are due; facts due at the same time come together."""
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
    """Whether the pace starts here: at the first round if minutes go ahead, else at the first fact of a table."""
    return isinstance(fact, RoundOpened) if ahead else owner(fact.stream) != PROPERTY


class FloorProgress:
    """A line on a terminal that shows the floor's progress twice a second."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._began = self._shown = monotonic()

    def show(self, count: int, at: int) -> None:
        """Show the number of facts written and the time of the last one."""
        now = monotonic()
        if self._on and now - self._shown > _SHOWN_EVERY:
            self._shown = now
            clock = datetime.fromtimestamp(at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%MZ")
            rate = count / (now - self._began)
            click.echo(f"\r{count:,} facts, {clock}, {rate:,.0f} facts a second \033[K", nl=False, err=True)

    def done(self) -> None:
        """Clear the line."""
        if self._on:
            click.echo("\r\033[K", nl=False, err=True)


def label_writer(floor: SimulatedFloor, file: BinaryIO | None) -> Callable[[], None]:
    """Return a function that writes the floor's labels to the file, one per line, if there is one."""

    def write() -> None:
        if file is not None:
            file.writelines([msgspec.json.encode(label) + b"\n" for label in floor.labels])
        floor.labels.clear()

    return write
