"""The register of detectors, and the moments at which they run.

A detector is one small function. A *judge* checks a whole round when it is over, and again when a late fact changes it;
it reads only the round. A *watcher* checks the table's day just before a fact, or at a moment such as the start of a
deal.

Each detector names its laws and the types of fact it needs, whose absence would look like something not done. Where a
table does not record one of them, the detector does not run, and its question counts as undecided. A detector that
looks for cards does run on a round whose cards were not all read, but it saw only a part, so that round counts as
undecided too.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.games import BOOKS, GAMES
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.finding import Finding
from domain.watch.laws import Law

Found = Iterator[Finding]
Judge = Callable[[RoundInPlay], Found]
Watcher = Callable[[TableDay, Any], Found]


class DealBegins:
    """The moment before a round's first card or stack; the fact is the one that deals it.

    If the table does not record the deal, it is the moment the round is completed.
    """


class RoundEnds:
    """The moment a round ends: completed, or left open by the next one. The fact is the one that ends it."""


class DayEnds:
    """The moment a table closes."""


Moment = type[Fact] | type[DealBegins] | type[RoundEnds] | type[DayEnds]


class Detector(msgspec.Struct, frozen=True):
    """A detector with its laws and needs."""

    name: str
    laws: tuple[Law, ...]
    needs: frozenset[str]
    books: frozenset[str]  # the books with clauses in its laws
    run: Callable[..., Found]
    needs_one_of: frozenset[str] = frozenset()  # any of these tells it enough; without all of them it cannot decide
    by_cards: bool = False  # it sees only cards that were read as they were dealt

    def decides_without(self, unrecorded: frozenset[str]) -> bool:
        """Return whether its silence still means something where these types of fact are unrecorded."""
        enough = not self.needs_one_of or not self.needs_one_of <= unrecorded
        return enough and not self.needs & unrecorded


JUDGES: list[Detector] = []
WATCHERS: dict[Moment, list[Detector]] = {}


def name_of(kind: type[Fact]) -> str:
    """Return the name of a fact type as `unrecorded` spells it: `card-burned`."""
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
    return Detector(run.__name__, laws, frozenset(map(name_of, needs)), books, run, by_cards=by_cards)


def judge(
    *laws: Law,
    needs: tuple[type[Fact], ...] = (),
    games: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
    by_cards: bool = False,
) -> Callable[[Judge], Judge]:
    """Register a function that checks a whole round, in all books of its laws.

    `games` limits it to kinds of game, or to the books of one text; `keys` to books with clauses under these keys.
    """

    def register(run: Judge) -> Judge:
        JUDGES.append(_detector(run, laws, needs, games, keys, by_cards=by_cards))
        return run

    return register


def watch(
    *moments: Moment,
    laws: tuple[Law, ...],
    needs: tuple[type[Fact], ...] = (),
    needs_one_of: tuple[type[Fact], ...] = (),
    by_cards: bool = False,
) -> Callable[[Watcher], Watcher]:
    """Register a function that checks the day before a fact of these types, or at these moments."""

    def register(run: Watcher) -> Watcher:
        made = _detector(run, laws, needs, by_cards=by_cards)
        made = msgspec.structs.replace(made, needs_one_of=frozenset(map(name_of, needs_one_of)))
        for moment in moments:
            WATCHERS.setdefault(moment, []).append(made)
        return run

    return register
