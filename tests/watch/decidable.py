"""`make docs`: the page of what stays decidable at a table that does not record one type of fact.

The days are simulated, lawful, of every game and dealing method. Each type of fact is removed from each day, and the
opening says so. The page has the share of wagers whose amount can still be compared with what is owed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

import msgspec

from domain.facts.table_day import TableOpened
from domain.games import BOOKS
from domain.watch.owed_vs_paid import DECIDED
from domain.watch.verifier import Verifier
from tests.citations import ROOT
from tests.watch.unrecorded import LawfulDay, days, name_of_kind

PAGE = ROOT / "docs/partial-sensors.md"
SEED = 5
_HEAD = """\
# Partial sensors

Written by `make docs` from simulated days of every game and dealing method (`tests/watch/decidable.py`).

Name what your table does not record in the opening's `unrecorded`. Then nothing that rests on it is a finding, and a
wager that cannot be decided without it is counted as undecided, with the reason. The tables show the share of wagers
that stay decided if a table records everything but one type of fact, of those that are decided with all of them. A dash
means that the days of this game do not have the type.
"""


@cache
def lawful_days() -> tuple[LawfulDay, ...]:
    """The days that the page is about."""
    return tuple(days(SEED))


def book_of(day: LawfulDay) -> str:
    """The rule book of a day."""
    return day.title.partition(" ")[0]


def wagers(day: LawfulDay, kind: str = "") -> Counter[str]:
    """The wagers of a day by what is missing, if this type of fact was never recorded."""
    opened, *rest = day.facts
    if not isinstance(opened, TableOpened):
        raise TypeError(f"a day begins with its opening, not with {opened}")
    verifier = Verifier(opened.stream)
    verifier.take(msgspec.structs.replace(opened, unrecorded=(*opened.unrecorded, *([kind] if kind else []))))
    for fact in rest:
        if name_of_kind(fact) != kind:
            verifier.take(fact)
    return Counter(verifier.wagers)


def share(book: str, kind: str) -> Fraction | None:
    """The share of a game's decided wagers that stay decided without this type; None if no day of it has the type."""
    mine = [day for day in lawful_days() if book_of(day) == book]
    if not any(kind in day.kinds for day in mine):
        return None
    return Fraction(sum(wagers(day, kind)[DECIDED] for day in mine), _decided(book))


@cache
def _decided(book: str) -> int:
    """The number of a game's wagers that are decided with all types."""
    return sum(wagers(day)[DECIDED] for day in lawful_days() if book_of(day) == book)


def kinds() -> list[str]:
    """Every type of fact that the days have and may lack."""
    return sorted({kind for day in lawful_days() for kind in day.kinds})


def page(shares: Mapping[str, Mapping[str, Fraction | None]]) -> str:
    """The page, from the shares by type and game."""
    less = {kind: row for kind, row in shares.items() if any(each not in (None, 1) for each in row.values())}
    whole = [kind for kind in shares if kind not in less]
    lines = [_HEAD, "## Types of fact that decide amounts\n", f"| type | {' | '.join(BOOKS)} |", f"|---|{'---|' * 5}"]
    lines += [row_of(kind, row) for kind, row in less.items()]
    lines += ["\n## Types of fact that decide none\n", "Without one of these, every wager stays decided; the rules of"]
    lines[-1] += " procedure that need it do not:\n"
    lines += [", ".join(f"`{kind}`" for kind in whole) + "."]
    return "\n".join(lines) + "\n"


def row_of(kind: str, row: Mapping[str, Fraction | None]) -> str:
    """The line of the page for one type."""
    return f"| `{kind}` | {' | '.join(_percent(row[book]) for book in BOOKS)} |"


def _percent(part: Fraction | None) -> str:
    if part is None:
        return "-"
    return f"{part.numerator * 100 // part.denominator}%"


def computed(some: Iterable[str]) -> dict[str, dict[str, Fraction | None]]:
    """The shares of these types, by game."""
    return {kind: {book: share(book, kind) for book in BOOKS} for kind in some}


if __name__ == "__main__":
    PAGE.write_text(page(computed(kinds())), "utf-8")
