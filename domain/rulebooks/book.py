"""A rule book: pay tables, values and options read from its TOML file, each with its clause."""

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.money import BadOddsError, Odds, odds

BOOKS = ("UTH-MA", "UTH-MD", "PIK", "FAH", "COL")
NOT_OFFERED = "not offered"  # TOML has no null; in a house configuration this is null
OFFERED = "offered"
KINDS = frozenset({"choice", "flag", "cents", "amounts", "percent", "group", "meters", "awards", "odds"})

_SECTIONS = frozenset({"book", "title", "wagers", "tables", "values", "options"})
_TABLE_RULES = frozenset({"exact", "no less than"})
_GROUP_KEYS = frozenset({"clause", "rule", "option"})


class BadRuleBookError(ValueError):
    """A rule book file that cannot be law: a value without a clause, an unknown word, unreadable odds."""


class PayTable(msgspec.Struct, frozen=True):
    """One printed pay table: the odds of each hand, under one clause."""

    clause: str
    lines: dict[str, Odds]
    printed: dict[str, str]


class TableGroup(msgspec.Struct, frozen=True):
    """The pay tables of one wager, of which the house selects one by `option`."""

    clause: str
    exact: bool
    option: str
    tables: dict[str, PayTable]


class Value(msgspec.Struct, frozen=True):
    """A multiple, limit or count that the text fixes."""

    clause: str
    value: Any


class Option(msgspec.Struct, frozen=True):
    """Something the house may choose, and what holds when it says nothing.

    One that is `optional` may also be null: the house does not offer it.
    """

    clause: str
    kind: str
    allowed: tuple[Any, ...]
    default: Any
    optional: bool
    says: str
    reading: str


class RuleBook(msgspec.Struct, frozen=True):
    """One rule book, known for ever by the digest of its file."""

    book: str
    title: str
    digest: str
    wagers: tuple[str, ...]
    tables: dict[str, TableGroup]
    values: dict[str, Value]
    options: dict[str, Option]

    def value(self, name: str) -> Any:
        """A fixed value of the text by its name."""
        return self.values[name].value

    def clause_of(self, name: str) -> str:
        """The clause a fixed value comes from."""
        return self.values[name].clause


@cache
def rulebook(book: str) -> RuleBook:
    """One of the five rule books by its name."""
    if book not in BOOKS:
        raise BadRuleBookError(f"{book!r} is no rule book: choose one of {', '.join(BOOKS)}")
    return parse((files(__package__) / f"{book.lower()}.toml").read_bytes())


def parse(text: bytes) -> RuleBook:
    """Reads a rule book file; anything that does not cite its clause is refused, saying where."""
    raw = tomllib.loads(text.decode())
    if unknown := raw.keys() - _SECTIONS:
        raise BadRuleBookError(f"unknown section {min(unknown)!r}")
    if missing := _SECTIONS - raw.keys():
        raise BadRuleBookError(f"section {min(missing)!r} is missing")
    book = raw["book"]
    return RuleBook(
        book=book,
        title=raw["title"],
        digest=hashlib.sha256(text).hexdigest(),
        wagers=tuple(raw["wagers"]),
        tables={name: _group(book, f"tables.{name}", entry) for name, entry in raw["tables"].items()},
        values={name: _value(book, f"values.{name}", entry) for name, entry in raw["values"].items()},
        options={name: _option(book, f"options.{name}", entry) for name, entry in raw["options"].items()},
    )


def _clause(book: str, where: str, entry: Any) -> str:
    cited = entry.get("clause", "") if isinstance(entry, dict) else ""
    if not isinstance(cited, str) or not cited.startswith(f"{book} "):
        raise BadRuleBookError(f"{book}: {where} cites no clause of {book}: a value without a citation is not law")
    return cited


def _group(book: str, where: str, entry: Any) -> TableGroup:
    clause = _clause(book, where, entry)
    if entry.get("rule") not in _TABLE_RULES:
        raise BadRuleBookError(f"{book}: {where} must say whether its odds are 'exact' or 'no less than'")
    tables = {
        letter: _table(book, f"{where}.{letter}", table) for letter, table in entry.items() if letter not in _GROUP_KEYS
    }
    if not tables:
        raise BadRuleBookError(f"{book}: {where} has no pay table")
    return TableGroup(
        clause=clause,
        exact=entry["rule"] == "exact",
        option=entry.get("option", ""),
        tables=tables,
    )


def _table(book: str, where: str, entry: Any) -> PayTable:
    clause = _clause(book, where, entry)
    printed = {hand: text for hand, text in entry.items() if hand != "clause"}
    try:
        lines = {hand: odds(text) for hand, text in printed.items()}
    except (BadOddsError, TypeError) as error:
        raise BadRuleBookError(f"{book}: {where}: {error}") from error
    return PayTable(clause=clause, lines=lines, printed=printed)


def _value(book: str, where: str, entry: Any) -> Value:
    clause = _clause(book, where, entry)
    if "value" not in entry:
        raise BadRuleBookError(f"{book}: {where} has no value")
    return Value(clause=clause, value=entry["value"])


def _option(book: str, where: str, entry: Any) -> Option:
    clause = _clause(book, where, entry)
    kind = entry.get("kind", "choice")
    if kind not in KINDS or (kind == "choice") != ("allowed" in entry):
        raise BadRuleBookError(f"{book}: {where} must list what is allowed or name a kind of {sorted(KINDS)}")
    if "default" not in entry or "says" not in entry:
        raise BadRuleBookError(f"{book}: {where} needs a default and a sentence")
    default = None if entry["default"] == NOT_OFFERED else entry["default"]
    return Option(
        clause=clause,
        kind=kind,
        allowed=tuple(entry.get("allowed", ())),
        default=default,
        optional=default is None or entry.get("optional", False),
        says=entry["says"],
        reading=entry.get("reading", ""),
    )
