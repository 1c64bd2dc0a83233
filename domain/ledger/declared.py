"""A table's declaration, from its opening, as the writer keeps it for the day: its book, options and positions."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any, get_args

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import MethodChanged, OptionChanged, TableOpened
from domain.facts.words import Meter
from domain.games import GAMES
from domain.rulebooks import BadHouseError, House, edition, house, newest
from domain.table.day import with_option

DECLARING = (TableOpened, OptionChanged, MethodChanged)
_ENCODE = msgspec.json.Encoder().encode
_OPTIONS = msgspec.json.Decoder(dict[str, Any])
_PROGRESSIVE = "progressive"  # the wager that meters belong to
_METERS = "least_resets_cents_"  # and a letter: the value of a book that names the meters of a pay table


class TableDeclared(msgspec.Struct, frozen=True):
    """The declaration in force at a table. The options are JSON, so that equal declarations are one key."""

    book: str
    book_digest: str
    options: bytes
    dealing_method: str
    positions: int


def evolve(declared: TableDeclared | None, fact: Fact) -> TableDeclared | None:
    """Return the declaration after one fact of the table."""
    if isinstance(fact, TableOpened):
        options = _ENCODE(fact.options)
        return TableDeclared(fact.book, fact.book_digest, options, fact.dealing_method, fact.positions)
    if declared is None:
        return None  # an outbox of an earlier version does not know it
    if isinstance(fact, OptionChanged):
        options = _ENCODE(with_option(_OPTIONS.decode(declared.options), fact.option, fact.value))
        return msgspec.structs.replace(declared, options=options)
    if isinstance(fact, MethodChanged) and fact.dealing_method:
        return msgspec.structs.replace(declared, dealing_method=fact.dealing_method)
    return declared


@lru_cache(maxsize=256)
def in_the_book(book: str) -> tuple[str, ...]:
    """Return the wagers that a book has in any of its editions, and those that its game places."""
    game = GAMES[book]
    return tuple(dict.fromkeys((*newest(book).wagers, *game.placed, *game.base)))


@lru_cache(maxsize=4096)
def offered(declared: TableDeclared) -> Collection[str]:
    """Return the wagers that the table takes by its options; every wager of the book where its options are unclear."""
    mine, here = in_the_book(declared.book), _house(declared)
    return mine if here is None else frozenset(wager for wager in mine if here.takes(wager))


@lru_cache(maxsize=4096)
def meters(declared: TableDeclared) -> tuple[str, ...]:
    """Return the meters that the table can have; those of every pay table of the book while no progressive is offered.

    A text that offers a progressive and names no meters leaves them to the house: it may have any meter.
    """
    if _PROGRESSIVE not in in_the_book(declared.book):
        return ()
    here = _house(declared)
    book = newest(declared.book) if here is None else here.book
    printed = {name: each.value for name, each in book.values.items() if name.startswith(_METERS)}
    if here is not None and here.takes(_PROGRESSIVE):
        of_table = printed.get(f"{_METERS}{here.options.get('progressive.table')}")
        printed = printed if of_table is None else {"": of_table}
    named = {name for table in printed.values() for name in table}
    return tuple(each for each in get_args(Meter) if each in named or not named)


def _house(declared: TableDeclared) -> House | None:
    """Return the house in force at the table, or None if its edition or options are unclear."""
    named = edition(declared.book, declared.book_digest)
    if named is None:
        return None
    try:
        return house(named, _OPTIONS.decode(declared.options), declared.dealing_method)
    except BadHouseError:
        return None
