"""Values of a row: text, numbers, money, cards and times, each read strictly from its cell."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, get_args

from consumers.mapping.reading import CardNotation, Mapping
from domain.facts.words import CardText

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}
_DOLLARS = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?")
_CARDS = frozenset(get_args(CardText))
_UNSEEN = "??"


class UnreadableValueError(ValueError):
    """A cell that is not what the mapping says; the message says what is expected."""


class Values:
    """Readers of cells by the names that a mapping uses after the colon."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._clock = _Clock(mapping.times.format, mapping.zone)
        self.readers: dict[str, Callable[[str], Any]] = {
            "text": str,
            "int": _whole,
            "cents": _whole,
            "dollars": _dollars,
            "card": lambda cell: _card(cell, mapping.cards),
            "cards": lambda cell: [_card(each, mapping.cards) for each in _parted(cell, mapping.cards.between)],
            "time": self._clock.microseconds,
            "day": self._clock.day,
        }
        for name, table in mapping.codes.items():
            self.readers[f"codes.{name}"] = _coded(name, table)


def _whole(cell: str) -> int:
    if not re.fullmatch(r"-?\d{1,18}", cell, re.ASCII):
        raise UnreadableValueError("a whole number, such as 12")
    return int(cell)


def _dollars(cell: str) -> int:
    """Return cents."""
    if not (found := _DOLLARS.fullmatch(cell)) or not cell.isascii() or len(cell) > 20:
        raise UnreadableValueError("dollars, such as 10, 10.50 or $1,250.00")
    return int(found[1].replace(",", "")) * 100 + int((found[2] or "0").ljust(2, "0"))


def _card(cell: str, notation: CardNotation) -> str:
    if cell in notation.unseen:
        return _UNSEEN
    ranks = {**{rank: rank for rank in "23456789TJQKA"}, **notation.ranks}
    suits = {**{suit: suit for suit in "cdhs"}, **notation.suits}
    for rank in sorted(ranks, key=len, reverse=True):
        other = cell.removesuffix(rank) if notation.suit_first else cell.removeprefix(rank)
        if other != cell and (card := f"{ranks[rank]}{suits.get(other, '')}") in _CARDS:
            return card
    rank, suit = next(iter(notation.ranks), "T"), next(iter(notation.suits), "h")
    raise UnreadableValueError(f"a card, such as {suit + rank if notation.suit_first else rank + suit}")


def _parted(cell: str, between: str) -> list[str]:
    if between:
        return [each for each in cell.split(between) if each]
    if len(cell) % 2:
        raise UnreadableValueError("cards of two characters each; name what is between them in cards.between")
    return [cell[at : at + 2] for at in range(0, len(cell), 2)]


def _coded(name: str, table: dict[str, Any]) -> Callable[[str], Any]:
    def read(cell: str) -> Any:
        if cell not in table:
            raise UnreadableValueError(f"one of codes.{name}: {', '.join(map(repr, table))}")
        return table[cell]

    return read


class _Clock:
    """Reader of times. In the hour that a clock repeats in fall, the order of the rows says which one is meant."""

    def __init__(self, pattern: str, zone: tzinfo | None) -> None:
        self._pattern = pattern
        self._zone = zone
        self._latest: datetime | None = None

    def microseconds(self, cell: str) -> int:
        """Return microseconds since 1970, UTC."""
        if unit := _UNITS.get(self._pattern):
            return _whole(cell) * unit
        return (self._moment(cell) - _EPOCH) // timedelta(microseconds=1)

    def day(self, cell: str) -> str:
        """Return the date of a time, as its own zone has it."""
        if self._pattern in _UNITS:
            try:
                moment = _EPOCH + timedelta(microseconds=self.microseconds(cell))
                return moment.astimezone(self._zone or UTC).date().isoformat()
            except OverflowError as error:
                raise UnreadableValueError("a time before the year 9999") from error
        return self._written(cell).date().isoformat()

    def _written(self, cell: str) -> datetime:
        try:
            return datetime.fromisoformat(cell) if self._pattern == "iso" else datetime.strptime(cell, self._pattern)  # noqa: DTZ007 - the zone follows
        except ValueError as error:
            wanted = "2026-11-18T21:10:05" if self._pattern == "iso" else self._pattern
            raise UnreadableValueError(f"a time in the form {wanted}") from error

    def _moment(self, cell: str) -> datetime:
        written = self._written(cell)
        if written.tzinfo is not None:
            return written.astimezone(UTC)
        if self._zone is None:
            raise UnreadableValueError("a time with its zone; or name the zone in times.zone")
        try:
            first, second = (written.replace(tzinfo=self._zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        except OverflowError as error:
            raise UnreadableValueError("a time before the year 9999") from error
        if first > second:
            raise UnreadableValueError(f"a time that {self._zone} has; its clocks skip this hour")
        found = second if self._latest is not None and first < self._latest <= second else first
        self._latest = found
        return found
