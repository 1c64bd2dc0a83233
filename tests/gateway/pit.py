"""A pit as its devices report it: three tables, each with a reader of cards and a sensor of wagers, and the pit's desk.

The devices of a table speak at the same time and know nothing of each other; each counts its own keys.
"""

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec

from domain.facts.codec import encode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.property_day import PropertyClosed, PropertyOpened
from domain.facts.table_day import TableClosed
from domain.facts.wagers import BetsClosed, WagerPlaced
from tests.gateway.admitted import AHEAD
from tests.gateway.floor import START, opening

TABLES = ("T7", "T8", "T9")
SOURCES = ("desk", *(f"{table}-{post}" for table in TABLES for post in ("pit", "reader", "sensor")))
_FIRST = date(2026, 11, 18)
_DAY = 86_400_000_000


class PitDay(msgspec.Struct):
    """One gaming day's lines of the devices, a line a fact: the desk first and last, the others at once in between."""

    name: str
    opened: list[bytes]
    devices: dict[str, list[bytes]]
    closed: list[bytes]

    @property
    def lines(self) -> list[bytes]:
        """All of it as one file, the devices' lines in turns."""
        said = [iter(lines) for lines in self.devices.values()]
        between: list[bytes] = []
        while said:
            for each in list(said):
                line = next(each, None)
                if line is None:
                    said.remove(each)
                else:
                    between.append(line)
        return [*self.opened, *between, *self.closed]


def pit_day(number: int, rounds: int, keys: list[bytes]) -> PitDay:
    """The pit's day of that number, from 0; `keys` are what registers the tables' keys, told on the first."""
    name = (_FIRST + timedelta(days=number)).isoformat()
    at = START + number * _DAY
    desk = _Device("desk", name, at)
    opened = [
        encode(
            msgspec.structs.replace(desk.said("property", PropertyOpened, name, 0, "Test House"), ahead_seconds=AHEAD)
        )
    ]
    opened += keys if number == 0 else []
    opened += [encode(opening(table, name, at)) for table in TABLES]
    devices = {}
    for table in TABLES:
        devices[f"{table}-reader"] = [encode(fact) for fact in _read(table, name, at, rounds)]
        devices[f"{table}-sensor"] = [encode(fact) for fact in _sensed(table, name, at, rounds)]
    closed = [encode(desk.said(table, TableClosed, 500_000)) for table in TABLES]
    return PitDay(name, opened, devices, [*closed, encode(desk.said("property", PropertyClosed))])


class _Device:
    """One device's clock and counter."""

    def __init__(self, name: str, day: str, at: int) -> None:
        self.name, self.day, self.at = name, day, at
        self.count = 0

    def said(self, stream: str, kind: type[Fact], *parts: object, number: int | None = None) -> Fact:
        self.at += 50_000
        self.count += 1
        key = f"{self.day}:{self.count}"
        return kind(*parts, at=self.at, source=self.name, source_key=key, stream=stream, round=number)


def _read(table: str, day: str, at: int, rounds: int) -> Iterator[Fact]:
    """Lines of the reader of cards."""
    device = _Device(f"{table}-reader", day, at)
    for number in range(1, rounds + 1):
        yield device.said(table, RoundOpened, "deck-1", number=number)
        for card in ("Ah", "Kd", "9c", "??"):
            yield device.said(table, CardDealt, "seat", 1, 1, card, number=number)
        yield device.said(table, RoundCompleted, number=number)


def _sensed(table: str, day: str, at: int, rounds: int) -> Iterator[Fact]:
    """Lines of the sensor of wagers."""
    device = _Device(f"{table}-sensor", day, at)
    for number in range(1, rounds + 1):
        for seat in (1, 2, 3):
            yield device.said(table, WagerPlaced, seat, "ante", 1000, number=number)
        yield device.said(table, BetsClosed, number=number)
