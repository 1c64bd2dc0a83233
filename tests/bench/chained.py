"""Facts as a gateway writes them, by the hundred thousand: many tables in turns, each stream one chain."""

from collections.abc import Iterator
from itertools import islice

from consumers.logs.log import StoredFact
from domain.facts.envelope import Fact
from domain.facts.wagers import WagerPlaced
from domain.ledger.writer import Writer, located, place
from tests.gateway.floor import opening
from tests.logs.stored import stored_fact

TABLES = 40


def chained(count: int, day: str, tables: int = TABLES) -> list[StoredFact]:
    """Chain that many facts of one day."""
    writer = Writer(1)
    return [stored_fact(place(writer, whole(writer, fact)).fact) for fact in islice(said(day, tables), count)]


def whole(writer: Writer, fact: Fact) -> Fact:
    """The fact with its stream."""
    found = located(writer, fact)
    if not isinstance(found, Fact):
        raise TypeError(found.says)
    return found


def said(day: str, tables: int = TABLES) -> Iterator[Fact]:
    """Lines as sources send them: openings, and then wagers without end."""
    named = [f"C{number}" for number in range(tables)]
    yield from (opening(table, day) for table in named)
    count = 0
    while True:
        for table in named:
            count += 1
            yield WagerPlaced(
                4,
                "ante",
                2500,
                player="p-1007",
                at=1_795_036_205_000_001,
                source=f"{table}-reader",
                source_key=f"{table}-reader:{count}",
                stream=table,
                round=count // 400,
                camera="cam-14",
                time_code="21:10:05:07",
            )
