"""Laws: a finding code with the clauses that raise it, by book, written beside the detector that enforces them.

A book that goes by the text of another has that text's clauses too, without being named in any law.

A law is a table: what a clause depends on (a dealing method, a wager, a step), then the clauses of every book that has
it. A clause of the house's own rules is one of every book. `cites` returns a book's clauses for one of these; an empty
answer means the book has no such rule.
"""

from collections.abc import Mapping

import msgspec

from domain.clauses import HOUSE
from domain.games import BOOKS, followers_of

ALWAYS = ""  # the key of clauses that always apply


class BadLawError(ValueError):
    """A law names a clause of an unknown book or cannot be read."""


class Law(msgspec.Struct, frozen=True):
    """One finding code with its clauses, by book and what they depend on."""

    code: str
    clauses: dict[tuple[str, str], tuple[str, ...]]

    def cites(self, book: str, key: str = ALWAYS) -> tuple[str, ...]:
        """Return a book's clauses: those for this key, then those that always apply."""
        held = self.clauses.get((book, key), ())
        return held + self.clauses.get((book, ALWAYS), ()) if key != ALWAYS else held

    def __hash__(self) -> int:
        return hash(self.code) ^ id(self.clauses)


def _books_of(code: str, clause: str) -> tuple[str, ...]:
    """Return the books that have this clause; those of the house are in all."""
    book = next((book for book in (*BOOKS, HOUSE) if clause.startswith(f"{book} ")), None)
    if book is None:
        raise BadLawError(f"{code}: {clause!r} names no book: begin it with the book, as in UTH-MA 7(b)")
    return BOOKS if book == HOUSE else (book, *followers_of(book))


LAWS: list[Law] = []  # every law, in the order of definition


def law(code: str, clauses: str | Mapping[str, str]) -> Law:
    """Make a law from its table: `{"hand": "UTH-MA 8(b)(3) s1; PIK 39.8(b)3/s1", …}`, or one row for all."""
    rows = {ALWAYS: clauses} if isinstance(clauses, str) else clauses
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, row in rows.items():
        for name in filter(None, (part.strip() for part in row.split(";"))):
            for each in _books_of(code, name):
                found[each, key] = (*found.get((each, key), ()), name)
    made = Law(code, found)
    LAWS.append(made)
    return made
