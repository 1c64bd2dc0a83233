"""Values of a row: text, numbers, money, cards and times, each read strictly from its cell."""

import re
from collections.abc import Callable
from typing import Any, get_args

from consumers.mapping.clock import RowTimes, UnreadableValueError, whole
from consumers.mapping.reading import CardNotation, Mapping
from domain.facts.words import CardText

_DOLLARS = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?")
_CARDS = frozenset(get_args(CardText))
_UNSEEN = "??"


class Values:
    """Readers of cells by the names that a mapping uses after the colon."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self.clock = RowTimes(mapping.times, mapping.zone)
        self.readers: dict[str, Callable[[str], Any]] = {
            "text": str,
            "int": whole,
            "cents": whole,
            "dollars": _dollars,
            "card": lambda cell: _card(cell, mapping.cards),
            "cards": lambda cell: [_card(each, mapping.cards) for each in _parted(cell, mapping.cards.between)],
            "time": self.clock.microseconds,
            "day": self.clock.day,
        }
        for name, table in mapping.codes.items():
            self.readers[f"codes.{name}"] = _coded(name, table)


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
