"""An edition that did not come with Catwalk: read, and refused where Catwalk could not judge a day by it."""

import re
from datetime import date
from typing import Any

import msgspec

from domain.clauses import UnknownClauseError, clause
from domain.games import BOOKS
from domain.rulebooks.book import BadRuleBookError, RuleBook, parse
from domain.rulebooks.editions import first_file, shipped

_NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(\.[1-9][0-9]?)?")


def not_shipped(folder: str, name: str, text: bytes) -> RuleBook | None:
    """The edition in a file, by its folder and name; None where it has come with Catwalk since."""
    book = folder.upper()
    if book not in BOOKS:
        raise BadRuleBookError(f"{folder!r} is no rule book: name the folder {', '.join(BOOKS).lower()}")
    if not _is_name(name):
        raise BadRuleBookError(f"{name!r} is no day: name the file by its first day, 2027-01-01.toml")
    found = msgspec.structs.replace(parse(text, first_file(book)), name=name, shipped=False)
    if found.book != book:
        raise BadRuleBookError(f"it is an edition of {found.book}, in the folder of {book}")
    known = shipped(book)
    if found.digest in {each.digest for each in known}:
        return None
    if name in {each.name for each in known}:
        raise BadRuleBookError(f"Catwalk has another edition {name} of {book}: name this one {name[:10]}.2.toml")
    _check_complete(found, known[-1])
    _check_clauses(found)
    return found


def _is_name(name: str) -> bool:
    fits = _NAME.fullmatch(name)
    try:
        return fits is not None and bool(date.fromisoformat(fits[1]))
    except ValueError:
        return False


def _check_complete(found: RuleBook, known: RuleBook) -> None:
    """Everything that the program asks an edition for is there, and of its kind."""
    if found.wagers != known.wagers:
        raise BadRuleBookError(f"its wagers differ from those Catwalk can settle: {', '.join(known.wagers)}")
    for section in ("tables", "values", "options"):
        here, there = getattr(found, section), getattr(known, section)
        if missing := [name for name in there if name not in here]:
            raise BadRuleBookError(f"{section}.{missing[0]} is missing")
    for name, value in known.values.items():
        if not _alike(found.values[name].value, value.value):
            raise BadRuleBookError(f"values.{name} is of another form than {value.value!r}")
    for name, option in known.options.items():
        if found.options[name].kind != option.kind:
            raise BadRuleBookError(f"options.{name} is of kind {found.options[name].kind}, and not {option.kind}")
    for name, group in found.tables.items():
        like = known.tables.get(name)
        if like is not None and like.option != group.option:
            raise BadRuleBookError(f"tables.{name} is chosen by {group.option!r}, and not by {like.option!r}")
        letters = map(str, found.options[group.option].allowed) if group.option else ()
        if missing := [letter for letter in letters if letter not in group.tables]:
            raise BadRuleBookError(f"tables.{name}.{missing[0]} is missing, which options.{group.option} allows")


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() >= other.keys()
    return type(one) is type(other)


def _check_clauses(found: RuleBook) -> None:
    """Every clause it cites is in the register: a finding that cites it must be able to say what it asks."""
    cited = [group.clause for group in found.tables.values()]
    cited += [table.clause for group in found.tables.values() for table in group.tables.values()]
    cited += [value.clause for value in found.values.values()]
    cited += [option.clause for option in found.options.values()]
    for name in cited:
        try:
            clause(name)
        except UnknownClauseError as error:
            raise BadRuleBookError(f"it cites a clause that is not in the register: {error}") from error
