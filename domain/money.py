"""Money in whole cents as `int`, and odds exactly as a printed line states them, never as a float."""

import re
from collections.abc import Iterable
from typing import Final

import msgspec

Cents = int

_NUMBER = r"([0-9]{1,7}|[0-9]{1,3}(?:,[0-9]{3}){1,2})"  # no table comes near ten million
_TO_OR_FOR = re.compile(rf"{_NUMBER} (to|for) {_NUMBER}")
_DOLLARS = re.compile(rf"\${_NUMBER}")
_METER = re.compile(rf"{_NUMBER}% of (\w+)")


def total(amounts: Iterable[Cents | None]) -> Cents | None:
    """Return the sum, or None if one of the amounts is unknown."""
    found = 0
    for cents in amounts:
        if cents is None:
            return None
        found += cents
    return found


class BadOddsError(ValueError):
    """A pay-table line in no known form."""


class Odds(msgspec.Struct, frozen=True):
    """One line of a pay table.

    `to` odds exclude the stake, and `for` odds include it. A dollar amount is flat, whatever the stake. A meter line
    pays a share of a progressive meter and nothing else.
    """

    wins: int = 0
    per: int = 1
    stake_included: bool = False
    flat_cents: Cents = 0
    meter: str = ""
    percent: int = 0

    def winnings(self, stake: Cents) -> Cents:
        """Return the payment on top of the stake. Half a cent, from 3 to 2 on an odd cent, stays with the house."""
        if self.flat_cents:
            return self.flat_cents
        gross = stake * self.wins // self.per
        return gross - stake if self.stake_included else gross

    def less_than(self, other: "Odds") -> bool:
        """Return whether these odds, which scale with the stake, pay less: 4 for 1 is less than 4 to 1."""
        mine, theirs = self.wins - self.per * self.stake_included, other.wins - other.per * other.stake_included
        return mine * other.per < theirs * self.per


PUSH: Final = Odds()


def _integer(text: str) -> int:
    return int(text.replace(",", ""))


def odds(text: str) -> Odds:
    """Return the odds of a printed line: `3 to 2`, `50 for 1`, `$100,000`, `10% of main`, `push`."""
    if text == "push":
        return PUSH
    if found := _TO_OR_FOR.fullmatch(text):
        read = Odds(wins=_integer(found[1]), per=_integer(found[3]), stake_included=found[2] == "for")
        if read.per and read.wins >= read.per * read.stake_included:
            return read
    elif found := _DOLLARS.fullmatch(text):
        return Odds(flat_cents=_integer(found[1]) * 100)
    elif (found := _METER.fullmatch(text)) and _integer(found[1]) <= 100:
        return Odds(meter=found[2], percent=_integer(found[1]))
    raise BadOddsError(f"{text!r} is not a pay-table line: write 3 to 2, 50 for 1, $100,000, 10% of main or push")


def dollars(cents: Cents | None) -> str:
    """Return cents as people read them: $1,234.50; a dash for an unknown amount."""
    if cents is None:
        return "-"
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{part:02d}" if part else f"{sign}${whole:,}"
