"""Laws: a finding code and the clauses that raise it, book by book, written beside the detector that enforces them.

A book that goes by the text of another has that text's clauses too, without being named in any law.

A law is written as a table: what the clause depends on (a dealing method, a wager, a step), then the clauses of every
book that has it. `cites` answers with a book's clauses for one of these; none means that the book has no such rule.
"""

from collections.abc import Mapping

import msgspec

from domain.games import BOOKS, followers_of

ALWAYS = ""  # clauses that are cited whatever it depends on


class BadLawError(ValueError):
    """A law that names a clause of no book, or is written so that nobody can read it."""


class Law(msgspec.Struct, frozen=True):
    """One finding code and its clauses by (book, what it depends on)."""

    code: str
    clauses: dict[tuple[str, str], tuple[str, ...]]

    def cites(self, book: str, key: str = ALWAYS) -> tuple[str, ...]:
        """The clauses of a book: those for this key, then those that always apply."""
        held = self.clauses.get((book, key), ())
        return held + self.clauses.get((book, ALWAYS), ()) if key != ALWAYS else held

    def __hash__(self) -> int:
        return hash(self.code) ^ id(self.clauses)


LAWS: list[Law] = []  # every law there is, in the order they are written


def law(code: str, clauses: str | Mapping[str, str]) -> Law:
    """A law from its table: `{"hand": "UTH-MA 8(b)(3) s1; PIK 39.8(b)3/s1", …}`, or one row for all."""
    rows = {ALWAYS: clauses} if isinstance(clauses, str) else clauses
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, row in rows.items():
        for name in filter(None, (part.strip() for part in row.split(";"))):
            book = next((book for book in BOOKS if name.startswith(f"{book} ")), None)
            if book is None:
                raise BadLawError(f"{code}: {name!r} names no book: write UTH-MA 7(b)")
            for each in (book, *followers_of(book)):
                found[each, key] = (*found.get((each, key), ()), name)
    made = Law(code, found)
    LAWS.append(made)
    return made
