"""Drop, win and hold beside the expected result, and the odds of each house, audited against its pay tables."""

import json
from datetime import date
from functools import lru_cache
from typing import Any

import msgspec

from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from domain.odds import CAPS_LEFT_OUT, WagerOdds, odds_of
from domain.odds.expectation import edition_of_house
from domain.rulebooks import BadHouseError, house
from domain.rulebooks.overlay import lay
from domain.spoken import in_words
from projections.questions.coverage import undecided
from projections.questions.houses import HouseRow, houses_of
from projections.questions.money import By, Period, TableHold, hold

_HOUSES_KEPT = 64


class WagerEdge(msgspec.Struct, frozen=True):
    """The house edge and other figures of one wager, as fractions of one unit wagered."""

    wager: str
    edge: float | None
    low: float | None  # for a simulated edge: the bounds of its 95 % interval
    high: float | None
    hit_rate: float | None
    deviation: float | None
    method: str
    clause: str
    note: str


class Warned(msgspec.Struct, frozen=True):
    """A warning about a house: a pay table or option outside the rule book, or unusual odds."""

    code: str
    clause: str
    says: str


class PayTables(msgspec.Struct, frozen=True):
    """One audited house."""

    house: HouseRow
    wagers: tuple[WagerEdge, ...]
    warnings: tuple[Warned, ...]
    left_out: str = CAPS_LEFT_OUT


class NumbersRoom(Looking):
    """Questions about money over days."""

    def numbers(
        self,
        visit: RoomVisit,
        *,
        by: By = "table",
        period: Period = "day",
        first: date | None = None,
        last: date | None = None,
        table: str = "",
        game: str = "",
    ) -> ShownAnswer[list[TableHold]]:
        """Drop, win and hold with expectation and interval, for each table, game or the floor in each period."""
        asked = f"numbers by {by} and {period} {first or ''} {last or ''} {table} {game}"
        with self._look(visit, "see-money", "report", " ".join(asked.split())) as look:
            found = hold(look, by=by, period=period, first=first, last=last, table=table, game=game)
            return ShownAnswer(found, look.made_at)

    def checked(
        self, visit: RoomVisit, *, first: date | None = None, last: date | None = None, table: str = "", game: str = ""
    ) -> float | None:
        """The share of these days' wagers that could be checked; None if there were none."""
        with self._look(visit, "see-money", "report", "what could be checked") as look:
            told = undecided(look, by="game" if game else "floor", table=table, first=first, last=last)
        return next((row.share for row in told if row.what == "decided" and row.of in (game, "floor")), None)

    def pay_tables(self, visit: RoomVisit) -> ShownAnswer[list[PayTables]]:
        """Every house that was in force, with the exact odds of its wagers and its warnings."""
        with self._look(visit, "see-money", "report", "pay tables") as look:
            return ShownAnswer([_audited(row) for row in houses_of(look)], look.made_at)


def _audited(row: HouseRow) -> PayTables:
    wagers, warnings = _odds(row.house, row.book, row.options)
    return PayTables(row, wagers, warnings)


@lru_cache(maxsize=_HOUSES_KEPT)
def _odds(name: str, book: str, options: str) -> tuple[tuple[WagerEdge, ...], tuple[Warned, ...]]:
    edition = edition_of_house(name, book, options)
    if edition is None:
        says = f"The odds are unknown: this house's edition of {book} is not installed."
        return (), (Warned("rule-book-unknown", "", says),)
    try:
        configured = house(edition, _configuration(json.loads(options)))
    except BadHouseError as error:
        return (), tuple(Warned(found.code, found.clause, in_words(found.says)) for found in error.findings)
    report = odds_of(configured)
    lines = tuple(_line(name, odds) for name, odds in report.wagers.items())
    found = (*configured.findings, *report.warnings)
    return lines, tuple(Warned(each.code, each.clause, in_words(each.says)) for each in found)


def _configuration(options: dict[str, Any]) -> dict[str, Any]:
    """The options in the form of a house's configuration: groups as objects, unset ones omitted."""
    groups = {name.partition(".")[0] for name in options if "." in name}
    laid: dict[str, Any] = {}
    for name, value in options.items():
        off = "." in name and options.get(name.partition(".")[0]) is False
        if value is None or off or name in groups:
            continue
        lay(laid, tuple(name.split(".")), _posted(value) if name == "posted_odds" else value)
    return laid


def _posted(odds: dict[str, dict[str, dict[str, Any]]]) -> dict[str, dict[str, str]]:
    """Odds in the words that a house posts."""
    return {wager: {hand: _words(line) for hand, line in lines.items()} for wager, lines in odds.items()}


def _words(line: dict[str, Any]) -> str:
    if line["flat_cents"]:
        return f"${line['flat_cents'] // 100:,}"
    return f"{line['wins']} {'for' if line['stake_included'] else 'to'} {line['per']}"


def _line(name: str, odds: WagerOdds) -> WagerEdge:
    low, high = odds.interval_95 or (None, None)
    return WagerEdge(
        wager=in_words(name),
        edge=_float(odds.house_edge),
        low=_float(low),
        high=_float(high),
        hit_rate=_float(odds.hit_rate),
        deviation=odds.standard_deviation,
        method=odds.method,
        clause=odds.clause,
        note=in_words(odds.note),
    )


def _float(value: Any) -> float | None:
    return None if value is None else float(value)
