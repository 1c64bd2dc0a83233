"""Reader of the register's tables and its vocabulary, which refuses inconsistent ones.

A row is a clause: what it requires, whether recorded events can show compliance and by which evidence, the findings it
raises (the principal one first), the house options it depends on, and the reading of its text where the words leave a
doubt. The vocabulary gives each finding its severity and its sentence.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.games import BOOKS

HOUSE = "HOUSE"  # in place of a book: the house's own rules, which no law prints
KINDS = frozenset(
    {
        *("opening", "cards", "shuffle", "wager", "deal", "action", "conduct", "ranking", "settlement"),
        *("paytable", "limit", "stub", "irregularity", "equipment", "option"),
    }
)
OBSERVABLES = frozenset({"events", "video", "none"})
SEVERITIES = ("money", "integrity", "procedure", "information")
CAUSES = ("", "deck", "shuffle", "gift", "other")
COLUMNS = ("clause", "kind", "gist", "observable", "evidence", "finding", "option", "reading")

_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+$")


class BadRegisterError(ValueError):
    """An inconsistent register or vocabulary; the message says where."""


class UnknownClauseError(KeyError):
    """A clause that is in no book, with the clauses that look like it."""

    def __init__(self, wanted: str, near: list[str]) -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.near = tuple(near)

    def __str__(self) -> str:
        hint = f": similar clauses are {', '.join(self.near)}" if self.near else ""
        return f"no rule book has a clause {self.wanted!r}{hint}"


class Clause(msgspec.Struct, frozen=True):
    """One clause of one book. `findings` are codes of the vocabulary, the principal one first."""

    id: str
    book: str
    kind: str
    gist: str
    observable: str
    evidence: str
    findings: tuple[str, ...]
    options: tuple[str, ...]
    reading: str


class FindingCode(msgspec.Struct, frozen=True):
    """A code of the vocabulary: its severity, its sentence, and the clauses that raise it."""

    code: str
    severity: str
    says: str
    clauses: tuple[str, ...]
    cause: str = (
        ""  # what makes findings of several rounds one incident: deck, shuffle, gift, other; or the code itself
    )


class Register(msgspec.Struct, frozen=True):
    """All clauses in the order of the books, the vocabulary, and the meaning of each severity."""

    clauses: dict[str, Clause]
    findings: dict[str, FindingCode]
    scale: dict[str, str]


def load(tables: Mapping[str, str], vocabulary: str) -> Register:
    """Return the register from the text of each book's table and of the vocabulary."""
    clauses: dict[str, Clause] = {}
    for book, text in tables.items():
        for row in _rows(book, text):
            if row.id in clauses:
                raise BadRegisterError(f"{row.id} occurs twice in the register")
            clauses[row.id] = row
    raw = tomllib.loads(vocabulary)
    scale = dict(raw.get("scale", {}))
    if tuple(scale) != SEVERITIES:
        raise BadRegisterError(f"the scale must be {', '.join(SEVERITIES)}, each with its sentence")
    return Register(clauses, _findings(raw.get("findings", {}), clauses) | _record(raw.get("record", {})), scale)


def _rows(book: str, text: str) -> Iterator[Clause]:
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    if tuple(next(table, ())) != COLUMNS:
        raise BadRegisterError(f"{book}: the columns must be {','.join(COLUMNS)}")
    for cells in table:
        if len(cells) != len(COLUMNS):
            raise BadRegisterError(f"{book}: line {table.line_num} has {len(cells)} cells, but needs {len(COLUMNS)}")
        yield _clause(book, dict(zip(COLUMNS, cells, strict=True)))


def _clause(book: str, row: Mapping[str, str]) -> Clause:
    name = row["clause"]
    if not name.startswith(f"{book} "):
        raise BadRegisterError(f"{name!r} is not a clause of {book}")
    if row["kind"] not in KINDS:
        raise BadRegisterError(f"{name}: {row['kind']!r} is not one of the kinds {', '.join(sorted(KINDS))}")
    if row["observable"] not in OBSERVABLES:
        raise BadRegisterError(f"{name}: {row['observable']!r} is not events, video or none")
    if not row["gist"] or not row["evidence"]:
        raise BadRegisterError(f"{name} needs a gist and its evidence")
    return Clause(
        id=name,
        book=book,
        kind=row["kind"],
        gist=row["gist"],
        observable=row["observable"],
        evidence=row["evidence"],
        findings=_list(name, row["finding"]),
        options=_list(name, row["option"]),
        reading=row["reading"],
    )


def _list(name: str, cell: str) -> tuple[str, ...]:
    parts = tuple(cell.split(";")) if cell else ()
    if len(set(parts)) < len(parts) or "" in parts:
        raise BadRegisterError(f"{name}: {cell!r} repeats a name or has an empty one")
    return parts


def _findings(entries: Mapping[str, Any], clauses: Mapping[str, Clause]) -> dict[str, FindingCode]:
    used: dict[str, list[str]] = {code: [] for code in entries}
    for row in clauses.values():
        for code in row.findings:
            if code not in used:
                raise BadRegisterError(f"{row.id} raises {code!r}, which is missing from the vocabulary")
            used[code].append(row.id)
    for code, entry in entries.items():
        _check_entry(code, entry)
        for cited in entry.get("clauses", ()):
            if cited not in clauses:
                raise BadRegisterError(f"{code} names {cited!r}, which is not a clause")
            if cited not in used[code]:
                used[code].append(cited)
        if not used[code]:
            raise BadRegisterError(f"no clause raises {code}")
    return {code: _code(code, entry, tuple(used[code])) for code, entry in entries.items()}


def _record(entries: Mapping[str, Any]) -> dict[str, FindingCode]:
    """Return the findings about the record itself; no rule book speaks of it, so they break no clause."""
    for code, entry in entries.items():
        _check_entry(code, entry)
        if "clauses" in entry:
            raise BadRegisterError(f"{code} is about the record, so it must not name clauses")
    return {code: _code(code, entry, ()) for code, entry in entries.items()}


def _code(code: str, entry: Mapping[str, Any], clauses: tuple[str, ...]) -> FindingCode:
    return FindingCode(code, entry["severity"], entry["says"], clauses, entry.get("cause", ""))


def _check_entry(code: str, entry: Mapping[str, Any]) -> None:
    if not _CODE.match(code):
        raise BadRegisterError(f"{code!r} is not a code: write lowercase words joined by hyphens")
    if entry.get("cause", "") not in CAUSES:
        raise BadRegisterError(f"{code}: the cause must be one of {', '.join(filter(None, CAUSES))}")
    if entry.get("severity") not in SEVERITIES:
        raise BadRegisterError(f"{code}: the severity must be one of {', '.join(SEVERITIES)}")
    if not entry.get("says") or entry.keys() - {"severity", "says", "clauses", "cause"}:
        raise BadRegisterError(f"{code} needs a severity and a sentence, and may have clauses, but nothing else")


@cache
def _stored() -> Register:
    books = files("domain") / "rulebooks"  # a book is one folder: its editions, and its clauses
    folders = {book: book.lower() for book in BOOKS} | {HOUSE: "house-rules"}
    tables = {book: (books / folder / "clauses.csv").read_text("utf-8") for book, folder in folders.items()}
    return load(tables, (files(__package__) / "findings.toml").read_text("utf-8"))


@cache
def register(book: str) -> dict[str, Clause]:
    """Return the clauses of one book, or of the house's own rules, by their ids, in the order of the text."""
    if book not in (*BOOKS, HOUSE):
        raise BadRegisterError(f"{book!r} is not a rule book: choose one of {', '.join(BOOKS)}")
    return {name: row for name, row in _stored().clauses.items() if row.book == book}


def all_clauses() -> dict[str, Clause]:
    """Return the clauses of all five books and of the house's own rules by their ids."""
    return _stored().clauses


def clause(name: str) -> Clause:
    """Return one clause by its id, such as `UTH-MD 12.B(2)`."""
    found = _stored().clauses.get(name)
    if found is None:
        raise UnknownClauseError(name, _near(name))
    return found


def _near(name: str) -> list[str]:
    """Return the clauses under this reference, or similarly written ones of the same book."""
    under = [
        known
        for known in _stored().clauses
        if known.startswith(name) and not (name[-1:].isalnum() and known[len(name)].isalnum())
    ]
    book = name.partition(" ")[0]
    same_book = [known for known, row in _stored().clauses.items() if row.book == book]
    return (under if name else [])[:4] or get_close_matches(name, same_book, n=4, cutoff=0.75)


def findings() -> dict[str, FindingCode]:
    """Return the vocabulary by code."""
    return _stored().findings


def scale() -> dict[str, str]:
    """Return the meaning of each severity, the gravest first."""
    return _stored().scale
