"""The money of a table's day: tables `table_money`, `openers` and `statistics`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

from projections.export.verifier.clock import Clock
from projections.export.verifier.question import Scope
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import figure, guarded

SUMMED = {"fill-received.1": 1, "credit-sent.1": 2, "drop-counted.1": 3, "bought-in.1": 5}
OF_MONEY = frozenset((*SUMMED, "table-opened.1", "table-closed.1"))


class Money:
    """Table `table_money` of one whole stream of a table; of a stream in part only the closer."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._cents: list[int | None] = [None, 0, 0, None, None, 0]
        self.game = self.before = ""
        self.opened_at: int | None = None

    def take(self, fact: dict[str, Any]) -> None:
        """Take the next corrected fact."""
        kind = fact["type"]
        if kind in SUMMED:
            self._cents[SUMMED[kind]] = (self._cents[SUMMED[kind]] or 0) + (fact.get("cents") or 0)
        elif kind == "table-opened.1":
            self._cents[0] = fact.get("opener_cents")
            self.game, self.opened_at, self.before = fact["book"], fact["at"], fact.get("previous_stream", "")
        elif kind == "table-closed.1":
            self._cents[4] = fact.get("closer_cents")
            if fact.get("drop_cents") is not None:
                self._cents[3] = (self._cents[3] or 0) + fact["drop_cents"]

    @property
    def opener(self) -> int | None:
        """The chips in the tray at the opening."""
        return self._cents[0]

    @property
    def drop(self) -> int | None:
        """The money in the drop box."""
        return self._cents[3]

    @property
    def closer(self) -> int | None:
        """The chips left in the tray at the close."""
        return self._cents[4]

    @property
    def win(self) -> int | None:
        """The win, once all its parts are known."""
        opener, fills, sent, drop, closer, _ = self._cents
        if opener is None or drop is None or closer is None:
            return None
        return closer + (sent or 0) + drop - opener - (fills or 0)

    def row(self) -> list[str]:
        """Return the row of the stream."""
        table, _, day = self._shown.stream.partition("/")
        return [self._shown.stream, table, day, *map(figure, self._cents), figure(self.win)]


class Openers:
    """Table `openers`: the opener of each whole day beside the closer of the table's previous day."""

    def __init__(self, clock: Clock) -> None:
        self._before: dict[str, tuple[str, int | None]] = {}
        self._clock = clock
        self.apart = 0  # days whose opening names a different previous day

    def row(self, shown: Shown, money: Money) -> Callable[[list[str]], list[str]]:
        """Return the row of a whole stream."""
        table, _, day = shown.stream.partition("/")
        closed_on, closer = self._before.get(table, ("", None))
        self.apart += money.before not in ("", f"{table}/{closed_on}")
        differs = None if money.opener is None or closer is None else money.opener - closer
        duty = "" if differs == 0 else "report at once"
        if not closed_on:
            duty = "first day on record"
        elif money.opener is None:
            duty = "the opener is not on record"
        elif differs is None:
            duty = "the previous closer is not on record"
        elif abs(differs) >= 10_000:
            duty = "signed report, copy to the regulator"
        elif abs(differs) > 2_500:
            duty = "signed report"
        amounts = [figure(cents) for cents in (closer, money.opener, differs)]
        at = money.opened_at
        return lambda here: [
            *(shown.stream, table, day, "" if at is None else self._clock.told(at, here[3]), closed_on),
            *(*amounts, duty),
        ]

    def ended(self, shown: Shown, money: Money) -> None:
        """Take the end of a day, whose closer the next opening must match."""
        self._before[shown.owner] = (shown.stream.partition("/")[2], money.closer)


TO_DATE = {"day": 10, "month to date": 7, "year to date": 4}  # how many letters of a day's name give the period


class Statistics:
    """Table `statistics`: drop, win and hold of tables and games, for each period that lies within the question."""

    def __init__(self, scope: Scope) -> None:
        self.to_date = scope.to_date
        self._first = scope.days[0] if scope.days else ""
        self._days: dict[str, list[tuple[str, str, int | None, int | None]]] = {}
        self.believed = 0

    def take(self, shown: Shown, money: Money) -> None:
        """Take the end of a whole day of a table."""
        table, _, day = shown.stream.partition("/")
        for by, of in (("game", guarded(money.game)), ("table", guarded(table))):
            self._days.setdefault(day, []).append((by, of, money.drop, money.win))

    def rows(self) -> Iterator[Callable[[list[str]], list[str]]]:
        """The rows of every day, in order."""
        sums: dict[tuple[str, str, str], list[int | None]] = {}
        for day, held in sorted(self._days.items()):
            for by, of, drop, win in held:
                for letters in TO_DATE.values():
                    _add(sums.setdefault((by, of, day[:letters]), [0, 0, None, None, 0]), drop, win)
            for by, of in sorted({each[:2] for each in held}):
                for period, letters in TO_DATE.items() if self.to_date else [("day", 10)]:
                    begun = day if period == "day" else day[:letters] + "-01-01"[letters - 4 :]
                    due = self._sums(sums[by, of, day[:letters]]) if begun >= self._first else None
                    self.believed += due is None
                    yield lambda here, key=[day, by, of, period], due=due: self._row(here, key, due)  # type: ignore[misc]

    @staticmethod
    def _sums(held: list[int | None]) -> list[str]:
        days, counted, drop, win, drop_of_counted = held
        hold = None
        if win is not None and drop_of_counted:
            hold = (20_000 * win + drop_of_counted) // (2 * drop_of_counted)
        return [figure(cents) for cents in (days, counted, drop, win, hold)]

    def _row(self, here: list[str], key: list[str], due: list[str] | None) -> list[str]:
        """The row of a period. The comparison of its hold, and the note about it, are not derived."""
        return [*key, *(here[4:9] if due is None else due), *(here[9:] if self.to_date else [""] * 7)]


def _add(sums: list[int | None], drop: int | None, win: int | None) -> None:
    """Add one table day to the sums: days, counted days, drop, win, and the drop of the counted days."""
    sums[0] = (sums[0] or 0) + 1
    if drop is not None:
        sums[2] = (sums[2] or 0) + drop
    if win is not None:
        sums[1], sums[3], sums[4] = (sums[1] or 0) + 1, (sums[3] or 0) + win, (sums[4] or 0) + (drop or 0)
