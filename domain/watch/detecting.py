"""Where detectors register, and the moments they are asked at.

A detector is one small function. A *judge* looks at a whole round when it is over, and again when a late fact changes
it; it reads nothing but the round. A *watcher* looks at the table's day just before a fact, or at a moment (a deal
begins, a round ends), is folded into it. Each names its laws, and the types of fact whose absence it would take for
something not done: where nobody records one of them it is not asked, and counted as undecided. So is a round whose
cards were not all read as they were dealt, for those that look for cards: they are asked, and saw only a part.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.games import BOOKS, GAMES
from domain.table.day import TableDay
from domain.table.round import Round
from domain.watch.finding import Finding
from domain.watch.laws import Law

Found = Iterator[Finding]
Judge = Callable[[Round], Found]
Watcher = Callable[[TableDay, Any], Found]


class DealBegins:
    """The moment before the first card or stack of a round; the fact is the one that deals it.

    Where nobody records how cards are dealt it is the moment the round is completed.
    """


class RoundEnds:
    """The moment a round is over: completed, or left open by the next one. The fact is the one that ends it."""


class DayEnds:
    """The moment a table closes."""


Moment = type[Fact] | type[DealBegins] | type[RoundEnds] | type[DayEnds]


class Detector(msgspec.Struct, frozen=True):
    """A detector with its laws and needs."""

    name: str
    laws: tuple[Law, ...]
    needs: frozenset[str]
    books: frozenset[str]  # those its laws have clauses of
    run: Callable[..., Found]
    by_cards: bool = False  # it sees no more than the cards that were read as they were dealt


JUDGES: list[Detector] = []
WATCHERS: dict[Moment, list[Detector]] = {}


def name_of(kind: type[Fact]) -> str:
    """A type of fact as `unrecorded` names it: `card-burned`."""
    return str(kind.__struct_config__.tag).rpartition(".")[0]


def _detector(
    run: Callable[..., Found],
    laws: tuple[Law, ...],
    needs: tuple[type[Fact], ...],
    games: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
    *,
    by_cards: bool = False,
) -> Detector:
    books = frozenset(book for law in laws for book, key in law.clauses if not keys or key in keys)
    if games:
        books &= {book for book in BOOKS if {GAMES[book].kind, GAMES[book].text} & set(games)}
    return Detector(run.__name__, laws, frozenset(map(name_of, needs)), books, run, by_cards)


def judge(
    *laws: Law,
    needs: tuple[type[Fact], ...] = (),
    games: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
    by_cards: bool = False,
) -> Callable[[Judge], Judge]:
    """Registers a function that looks at a whole round of every book its laws have clauses of.

    `games` leaves it to some kinds of game, or to those who go by one text; `keys` to books with clauses under these.
    """

    def register(run: Judge) -> Judge:
        JUDGES.append(_detector(run, laws, needs, games, keys, by_cards=by_cards))
        return run

    return register


def watch(
    *moments: Moment, laws: tuple[Law, ...], needs: tuple[type[Fact], ...] = (), by_cards: bool = False
) -> Callable[[Watcher], Watcher]:
    """Registers a function that looks at the day before a fact of these types, or at these moments."""

    def register(run: Watcher) -> Watcher:
        made = _detector(run, laws, needs, by_cards=by_cards)
        for moment in moments:
            WATCHERS.setdefault(moment, []).append(made)
        return run

    return register
