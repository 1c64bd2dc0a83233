"""Installation of an edition that does not come with Catwalk; one that Catwalk could not judge by is refused."""

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
    """Return the edition in a file, by its folder and name; None if Catwalk contains it now."""
    book = folder.upper()
    if book not in BOOKS:
        raise BadRuleBookError(f"{folder!r} is not a rule book: name the folder one of {', '.join(BOOKS).lower()}")
    if not _is_name(name):
        raise BadRuleBookError(f"{name!r} is not a day: name the file for its first day, such as 2027-01-01.toml")
    found = msgspec.structs.replace(parse(text, first_file(book)), name=name, shipped=False)
    if found.book != book:
        raise BadRuleBookError(f"it is an edition of {found.book}, but in the folder of {book}")
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
    """Check that the edition has everything the program needs, in the same form."""
    if found.wagers != known.wagers:
        raise BadRuleBookError(f"its wagers differ from those Catwalk can settle: {', '.join(known.wagers)}")
    for section in ("tables", "values", "options"):
        here, there = getattr(found, section), getattr(known, section)
        if missing := [name for name in there if name not in here]:
            raise BadRuleBookError(f"{section}.{missing[0]} is missing")
    for name, value in known.values.items():
        if not _alike(found.values[name].value, value.value):
            raise BadRuleBookError(f"values.{name} must have the same form as {value.value!r}")
    for name, option in known.options.items():
        if found.options[name].kind != option.kind:
            raise BadRuleBookError(f"options.{name} is of kind {found.options[name].kind}, but must be {option.kind}")
    for name, group in found.tables.items():
        like = known.tables.get(name)
        if like is not None and like.option != group.option:
            raise BadRuleBookError(f"tables.{name} is selected by {group.option!r}, but must be by {like.option!r}")
        letters = map(str, found.options[group.option].allowed) if group.option else ()
        if missing := [letter for letter in letters if letter not in group.tables]:
            raise BadRuleBookError(f"tables.{name}.{missing[0]} is missing, although options.{group.option} allows it")


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() >= other.keys()
    return type(one) is type(other)


def _check_clauses(found: RuleBook) -> None:
    """Check that every cited clause is in the register, so that findings can explain it."""
    cited = [group.clause for group in found.tables.values()]
    cited += [table.clause for group in found.tables.values() for table in group.tables.values()]
    cited += [value.clause for value in found.values.values()]
    cited += [option.clause for option in found.options.values()]
    for name in cited:
        try:
            clause(name)
        except UnknownClauseError as error:
            raise BadRuleBookError(f"it cites a clause that is not in the register: {error}") from error
