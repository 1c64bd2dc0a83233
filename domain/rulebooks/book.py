"""One edition of a rule book: pay tables, values and options from its TOML file, each with its clause.

Its digest covers what the file says, not how it is written: `canonical` leaves out comments, layout, the order of
tables and names, and wording for people. It includes everything that could change an amount, a finding or the clause it
cites.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.games import GAMES
from domain.money import BadOddsError, Odds, odds

NOT_OFFERED = "not offered"  # TOML has no null; in a house configuration this is null
OFFERED = "offered"
KINDS = frozenset({"choice", "flag", "cents", "amounts", "percent", "group", "meters", "awards", "odds", "tolerance"})

_SECTIONS = frozenset({"book", "title", "wagers", "tables", "values", "options"})
_PLAIN = frozenset({"book", "title", "wagers"})
_TABLE_RULES = frozenset({"exact", "no less than"})
_GROUP_KEYS = frozenset({"clause", "rule", "option"})
_WORDING = frozenset({"says", "reading"})  # of an option, for people; the book's title is the third such text


class BadRuleBookError(ValueError):
    """A rule book file that cannot be used: a value without a clause, an unknown word, unreadable odds."""


class PayTable(msgspec.Struct, frozen=True):
    """One printed pay table: the odds of each hand, under one clause."""

    clause: str
    lines: dict[str, Odds]
    printed: dict[str, str]


class TableGroup(msgspec.Struct, frozen=True):
    """The pay tables of one wager, from which the house selects one by `option`."""

    clause: str
    exact: bool
    option: str
    tables: dict[str, PayTable]


class Value(msgspec.Struct, frozen=True):
    """A multiple, limit or count that the text fixes."""

    clause: str
    value: Any


class Option(msgspec.Struct, frozen=True):
    """An option of the house, and its default.

    An `optional` one may also be null: the house does not offer it.
    """

    clause: str
    kind: str
    allowed: tuple[Any, ...]
    default: Any
    optional: bool
    says: str
    reading: str


class RuleBook(msgspec.Struct, frozen=True, eq=False):
    """One edition of a rule book, identified permanently by the digest of its values."""

    book: str
    title: str
    digest: str
    wagers: tuple[str, ...]
    tables: dict[str, TableGroup]
    values: dict[str, Value]
    options: dict[str, Option]
    name: str = ""  # the day it takes effect; 2027-01-01.2 replaces 2027-01-01
    former: tuple[str, ...] = ()  # digests by which older records name it
    shipped: bool = True  # part of Catwalk; otherwise installed at this property

    @property
    def since(self) -> str:
        """The gaming day from which it is in force."""
        return self.name[:10]

    def value(self, name: str) -> Any:
        """Return a fixed value of the text by its name."""
        return self.values[name].value

    def clause_of(self, name: str) -> str:
        """Return the clause a fixed value comes from."""
        return self.values[name].clause


def canonical(raw: Mapping[str, Any]) -> bytes:
    """Return the bytes an edition's digest covers: its TOML values as JSON, names sorted, without the wording."""
    told = {name: held for name, held in raw.items() if name != "title"}
    options = {name: _without_wording(option) for name, option in raw["options"].items()}
    return msgspec.json.encode(told | {"options": options}, order="sorted")


def _without_wording(option: Any) -> Any:
    if not isinstance(option, dict):
        return option
    return {name: held for name, held in option.items() if name not in _WORDING}


def parse(text: bytes, like: bytes | None = None) -> RuleBook:
    """Return the edition in this file; refuse a value that cites no clause, saying where.

    Names are put in the order of `like`, the file of the book's first edition. The digest ignores the order of a later
    file, so that order must not show anywhere.
    """
    raw = _read(text)
    if like is not None:
        raw = _ordered(raw, _read(like))
    if unknown := raw.keys() - _SECTIONS:
        raise BadRuleBookError(f"unknown section {min(unknown)!r}")
    if missing := _SECTIONS - raw.keys():
        raise BadRuleBookError(f"section {min(missing)!r} is missing")
    if wrong := [name for name in sorted(_SECTIONS - _PLAIN) if not isinstance(raw[name], dict)]:
        raise BadRuleBookError(f"section {wrong[0]!r} is not a table")
    book = raw["book"]
    digest = hashlib.sha256(canonical(raw)).hexdigest()
    return RuleBook(
        book=book,
        title=raw["title"],
        digest=digest,
        wagers=tuple(raw["wagers"]),
        tables={name: _group(book, f"tables.{name}", entry) for name, entry in raw["tables"].items()},
        values={name: _value(book, f"values.{name}", entry) for name, entry in raw["values"].items()},
        options=options_of(book, raw["options"]),
    )


def _read(text: bytes) -> dict[str, Any]:
    try:
        raw = tomllib.loads(text.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadRuleBookError(f"it is not TOML: {error}") from error
    _check_exact("", raw)
    return raw


def _check_exact(where: str, held: Any) -> None:
    """Refuse a fraction or a date, which JSON can write in more than one way."""
    if isinstance(held, dict):
        for name, inner in held.items():
            _check_exact(f"{where}.{name}" if where else name, inner)
    elif isinstance(held, list):
        for inner in held:
            _check_exact(where, inner)
    elif not isinstance(held, str | int):
        raise BadRuleBookError(f"{where} is {held}: write text, a whole number, true or false")


def _ordered(held: Any, like: Any) -> Any:
    """Return the same value with its names in the order of another file, and new names last."""
    if not isinstance(held, dict):
        return held
    known = like if isinstance(like, dict) else {}
    names = [*(name for name in known if name in held), *sorted(held.keys() - known.keys())]
    return {name: _ordered(held[name], known.get(name)) for name in names}


def _clause(book: str, where: str, entry: Any) -> str:
    cited = entry.get("clause", "") if isinstance(entry, dict) else ""
    texts = (f"{book} ", f"{GAMES[book].text} ") if book in GAMES else f"{book} "
    if not isinstance(cited, str) or not cited.startswith(texts):
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


def options_of(book: str, entries: Mapping[str, Any]) -> dict[str, Option]:
    """Return the options of a file by their names; each cites a clause of this book."""
    return {name: _option(book, f"options.{name}", entry) for name, entry in entries.items()}


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
