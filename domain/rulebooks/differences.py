"""The changes from one edition of a rule book to another, value by value."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.rulebooks.book import RuleBook


class ValueDifference(msgspec.Struct, frozen=True):
    """One value that differs: its path, its old and its new content, either of which may be empty."""

    where: str
    before: Any
    after: Any
    wording: bool  # wording, which the digest leaves out


def differences(old: RuleBook, new: RuleBook) -> list[ValueDifference]:
    """Return everything that differs, in the order of the files, wording last."""
    before, after = dict(_told(old)), dict(_told(new))
    found = [
        ValueDifference(where, before.get(where), after.get(where), _is_wording(where))
        for where in dict.fromkeys([*before, *after])
        if before.get(where) != after.get(where)
    ]
    return sorted(found, key=lambda each: each.wording)


def _is_wording(where: str) -> bool:
    section, _, name = where.partition(".")
    return where == "title" or (section == "options" and name.rpartition(".")[2] in ("says", "reading"))


def _told(book: RuleBook) -> Iterator[tuple[str, Any]]:
    """Yield every value of an edition with its path."""
    yield from (("title", book.title), ("wagers", list(book.wagers)))
    for name, group in book.tables.items():
        where = f"tables.{name}"
        rule = "exact" if group.exact else "no less than"
        yield from ((f"{where}.clause", group.clause), (f"{where}.rule", rule), (f"{where}.option", group.option))
        for letter, table in group.tables.items():
            yield f"{where}.{letter}.clause", table.clause
            yield from ((f"{where}.{letter}.{hand}", line) for hand, line in table.printed.items())
    for name, value in book.values.items():
        yield from ((f"values.{name}.clause", value.clause), (f"values.{name}.value", value.value))
    for name, option in book.options.items():
        for field in option.__struct_fields__:
            yield f"options.{name}.{field}", getattr(option, field)
