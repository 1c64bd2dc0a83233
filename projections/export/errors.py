"""Wagers with a different amount handed back than owed, in the form of `projections/questions/errors.py`.

The list follows from three tables of the export, wagers, rounds and findings, whose rows it reads as written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from projections.export.columns import TABLES, Cells

Stored = Sequence[str]  # a row as written in a table
Wager = tuple[str, str, str]  # stream, seat, wager
Lasting = tuple[int, int, str]  # the first and the last round of a finding, and its name or code
_CARDS: Final = ("stub-", "deck-", "shuffle-", "reshuffle-")  # codes of findings about a round's cards


def _places(table: str) -> Mapping[str, int]:
    return {column.name: place for place, column in enumerate(TABLES[table])}


_WAGERS, _ROUNDS, _FINDINGS = _places("wagers"), _places("rounds"), _places("findings")


class ErrorTotals:
    """The standing findings, by the wagers and by the streams they are about."""

    def __init__(self, findings: Iterable[Stored]) -> None:
        self._of_wagers: dict[Wager, list[Lasting]] = {}
        self._of_cards: dict[str, list[Lasting]] = {}
        for row in findings:
            stream, name, code, first, last, seat, wager = (
                row[_FINDINGS[name]] for name in ("stream", "finding", "code", "round", "to_round", "seat", "wager")
            )
            if row[_FINDINGS["state"]] != "standing" or not first:
                continue
            rounds = int(first), int(last or first)
            if seat and wager:
                self._of_wagers.setdefault((stream, seat, wager), []).append((*rounds, name))
            if code.startswith(_CARDS):
                self._of_cards.setdefault(stream, []).append((*rounds, code))

    def names(self, stream: str, number: int, seat: str, wager: str) -> str:
        """Return the names of findings about a wager in this round, as a cell."""
        return _listed(self._of_wagers.get((stream, seat, wager), ()), number)

    def codes(self, stream: str, number: int) -> str:
        """Return the codes of findings about the cards of this round, as a cell."""
        return _listed(self._of_cards.get(stream, ()), number)


def _listed(lasting: Iterable[Lasting], number: int) -> str:
    return "; ".join(sorted({text for first, last, text in lasting if first <= number <= last}))


def rows_of(wagers: Iterable[Stored], rounds: Iterable[Stored], standing: ErrorTotals) -> Iterator[Cells]:
    """The rows, from wagers and rounds that come in the same order, by stream and round."""
    following = iter(rounds)
    here: tuple[str, str] = ("", "")
    of_round: Stored = ()
    for row in wagers:
        difference = row[_WAGERS["difference_cents"]]
        if difference in ("", "0"):
            continue
        stream, number = place = (row[_WAGERS["stream"]], row[_WAGERS["round"]])
        if here != place:
            here, of_round = place, next(each for each in following if _place(each) == place)
        seat, wager, cents = row[_WAGERS["seat"]], row[_WAGERS["wager"]], int(difference)
        names = standing.names(stream, int(number), seat, wager)
        yield (
            *(stream, row[_WAGERS["table"]], row[_WAGERS["gaming_day"]], int(number)),
            *(of_round[_ROUNDS["ended_at"]], of_round[_ROUNDS["dealer"]], int(seat), row[_WAGERS["player"]], wager),
            *(_cents(row[_WAGERS[name]]) for name in ("staked_cents", "owed_cents", "back_cents")),
            *(max(-cents, 0), max(cents, 0), row[_WAGERS["clause"]], row[_WAGERS["basis"]], names),
        )


def _place(row: Stored) -> tuple[str, str]:
    return row[_ROUNDS["stream"]], row[_ROUNDS["round"]]


def _cents(cell: str) -> int | str:
    return int(cell) if cell else ""
