"""The editions of every rule book, found by digest for recorded days and by date for new ones.

A day is judged by the edition its opening names, whatever came out later. `newest` is for everything not on record: a
new house, a page about options, a figure for a question.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from domain.games import BOOKS
from domain.rulebooks.book import BadRuleBookError, RuleBook, parse

_installed: tuple[RuleBook, ...] = ()


@cache
def _files(book: str) -> dict[str, bytes]:
    """Return the files of a book that come with Catwalk, by the name of their edition, the first one first."""
    folder = files(__package__) / book.lower()
    held = {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")}
    return {name: held[name].read_bytes() for name in sorted(held, key=_place)}


@cache
def shipped(book: str) -> tuple[RuleBook, ...]:
    """Return the editions of a book that come with Catwalk, the first one first."""
    former = tomllib.loads((files(__package__) / "former.toml").read_text("utf-8")).get(book, {})
    return tuple(
        msgspec.structs.replace(parse(text, first_file(book)), name=name, former=tuple(former.get(name, ())))
        for name, text in _files(book).items()
    )


def first_file(book: str) -> bytes:
    """Return the file of a book's first edition, which sets the order of names for all others."""
    return next(iter(_files(book).values()))


def _place(name: str) -> tuple[str, int]:
    """Return an edition's place among the others: 2027-01-01.2 comes after 2027-01-01."""
    day, _, again = name.partition(".")
    return day, int(again or 1)


def install(editions: Iterable[RuleBook]) -> None:
    """Make these editions known besides those that come with Catwalk, replacing any installed before."""
    global _installed  # noqa: PLW0603 - one library per process, like the program
    _installed = tuple(editions)
    _known.cache_clear()


def editions(book: str) -> tuple[RuleBook, ...]:
    """Return every edition of a book, by the day it takes effect."""
    if book not in BOOKS:
        raise BadRuleBookError(f"{book!r} is not a rule book: choose one of {', '.join(BOOKS)}")
    mine = [each for each in _installed if each.book == book]
    return tuple(sorted([*shipped(book), *mine], key=lambda each: _place(each.name)))


def newest(book: str) -> RuleBook:
    """Return the newest edition of a book. A recorded day is judged by the edition it names: see `edition`."""
    return editions(book)[-1]


@cache
def _known() -> dict[tuple[str, str], RuleBook]:
    return {
        (book, digest): each
        for book in BOOKS
        for each in reversed(editions(book))
        for digest in (each.digest, *each.former)
    }


def edition(book: str, digest: str) -> RuleBook | None:
    """Return the edition of a book with this current or former digest; None if it is not installed."""
    return _known().get((book, digest))


def edition_on(book: str, day: str) -> RuleBook:
    """Return the edition in force on a gaming day; before the first one's day, the first one."""
    held = editions(book)
    return next((each for each in reversed(held) if each.since <= day), held[0])
